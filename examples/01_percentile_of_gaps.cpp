// How long were the gaps between chunks? Percentiles in place, by a stated definition.
#include <playhead/stats/percentile.hpp>

#include <array>
#include <cstdio>

int main() {
    using playhead::stats::percentile, playhead::stats::percentile_method;
    std::array gaps_ms{20.1, 19.8, 20.4, 81.3, 20.0, 19.9, 20.2, 44.7};
    std::printf("median       %.2f ms\n", *percentile(gaps_ms, 50));
    std::printf("p95          %.2f ms\n", *percentile(gaps_ms, 95));
    std::printf("nearest rank %.2f ms\n", *percentile(gaps_ms, 95, percentile_method::nearest_rank));
    const auto none = percentile({}, 95);
    std::printf("of nothing   %s\n", name(none.error().code).data());
}
