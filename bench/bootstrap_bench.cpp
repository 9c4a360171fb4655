// cluster_bootstrap: median and p95 with their exact intervals, 20 requests a round.
#include <playhead/stats/cluster_bootstrap.hpp>

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace {

void exact_intervals(benchmark::State& state) {
    using playhead::stats::cluster_bootstrap;
    const auto rounds = static_cast<std::size_t>(state.range(0));
    std::mt19937_64 random{1};
    std::lognormal_distribution<double> times{std::log(200.0), 0.4};
    std::vector<double> values;
    std::vector<std::int64_t> round_of;
    for (std::size_t r = 0; r < rounds; ++r) {
        for (int i = 0; i < 20; ++i) {
            values.push_back(times(random));
            round_of.push_back(static_cast<std::int64_t>(r));
        }
    }
    std::vector<std::byte> memory(cluster_bootstrap::workspace_size(values.size(), rounds));
    for (auto _ : state) {
        const auto bootstrap = cluster_bootstrap::prepare(values, round_of, memory);
        benchmark::DoNotOptimize(bootstrap->percentile(50));
        benchmark::DoNotOptimize(bootstrap->percentile(95));
    }
    state.counters["workspace_bytes"] = static_cast<double>(memory.size());
}

}  // namespace

BENCHMARK(exact_intervals)->Arg(3)->Arg(5)->Arg(8)->Arg(10)->Unit(benchmark::kMicrosecond);
