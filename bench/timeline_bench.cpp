// timeline: nanoseconds a chunk, for streams of like chunks, of chunks that all differ, and one that stalls all the time.
#include <playhead/playback/timeline.hpp>

#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <vector>

namespace {

struct chunk {
    playhead::nanoseconds arrival;
    std::uint64_t frames;
};

// 1000 chunks, uniform 0 to 100 ms apart, as bench/python_timeline.py has them.
std::vector<chunk> stream(std::uint64_t least, std::uint64_t most, std::int64_t most_gap_ns = 100'000'000) {
    std::mt19937_64 random{1};
    std::vector<chunk> chunks;
    std::int64_t now = 0;
    for (int i = 0; i < 1000; ++i) {
        now += static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most_gap_ns));
        chunks.push_back({playhead::nanoseconds{now}, least + random() % (most - least + 1)});
    }
    return chunks;
}

void simulate(benchmark::State& state, const std::vector<chunk>& chunks) {
    for (auto _ : state) {
        playhead::playback::timeline listener{24'000};
        for (const chunk& each : chunks) listener.on_chunk(each.arrival, each.frames);
        benchmark::DoNotOptimize(listener);
    }
    state.counters["ns_per_chunk"] = benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(chunks.size()) / 1e9,
                                                        benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void equal_chunks(benchmark::State& state) { simulate(state, stream(1'200, 1'200)); }
void varied_chunks(benchmark::State& state) { simulate(state, stream(1, 2'400)); }
void stalling(benchmark::State& state) { simulate(state, stream(1, 40)); }

}  // namespace

BENCHMARK(equal_chunks);
BENCHMARK(varied_chunks);
BENCHMARK(stalling);
