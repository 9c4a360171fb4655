// Three rounds of four requests each: how sure is the p95?
#include <playhead/stats/cluster_bootstrap.hpp>

#include <array>
#include <cstdio>

int main() {
    using playhead::stats::cluster_bootstrap;
    constexpr std::array first_audio_ms{182.0, 190.5, 177.2, 201.3, 240.1, 251.9, 233.0, 260.4, 186.6, 195.2, 180.9, 207.7};
    constexpr std::array<std::int64_t, 12> round_of{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2};
    alignas(8) std::array<std::byte, cluster_bootstrap::workspace_size(12, 3)> memory;
    const auto bootstrap = cluster_bootstrap::prepare(first_audio_ms, round_of, memory);
    if (!bootstrap) return 1;
    const auto p95 = bootstrap->percentile(95);
    std::printf("p95 %.1f ms over %d rounds\n", p95->value, int(p95->rounds));
    std::printf("bootstrap  [%.1f, %.1f] ms, every draw counted\n", p95->percentile_interval.low, p95->percentile_interval.high);
    std::printf("calibrated [%.1f, %.1f] ms: three rounds say little\n", p95->calibrated->low, p95->calibrated->high);
}
