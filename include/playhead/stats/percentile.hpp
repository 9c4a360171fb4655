#pragma once
// percentile: exact percentiles of values in memory, by a stated definition.
//
// linear is Hyndman and Fan's type 7, the default of NumPy, R and spreadsheets: a straight line between the two order statistics around
// rank (n - 1) p / 100. nearest_rank is the smallest value that at least p percent of the values do not exceed. They differ for small
// n: the median of 10 and 20 is 15 or 10. Neither ever lies outside the values. Source: Hyndman and Fan, The American Statistician 50
// (1996).
#include "../core/result.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace playhead::stats {

enum class percentile_method : std::uint8_t { linear, nearest_rank };

// The `percent`-th percentile of `values`, which it puts in another order. O(n) on average, no other memory.
//   values   at least one; infinities count as very large or very small, so that a failure may stand as +infinity
//   percent  0 to 100; with nearest_rank 0 is the smallest value
//   errors   no_values; not_finite (a NaN; place: its index); out_of_range (percent)
[[nodiscard]] constexpr result<double> percentile(std::span<double> values, double percent,
                                                  percentile_method method = percentile_method::linear) noexcept;

// The same for values that are in ascending order already: O(1), for several percentiles of the same values.
//   errors   no_values; out_of_range (percent)
[[nodiscard]] constexpr result<double> percentile_of_sorted(std::span<const double> values, double percent,
                                                            percentile_method method = percentile_method::linear) noexcept;

// ---- how it works -------------------------------------------------------------------------------

namespace detail {

// Where a percentile lies among n values: between order statistic `below` and the one after it.
struct percentile_rank {
    std::uint64_t below;
    double fraction;  // 0: at `below` itself
};

[[nodiscard]] constexpr bool is_percent(double percent) noexcept { return percent >= 0 && percent <= 100; }

[[nodiscard]] constexpr percentile_rank rank_of(std::uint64_t n, double percent, percentile_method method) noexcept {
    if (method == percentile_method::linear) {
        const double rank = static_cast<double>(n - 1) * percent / 100;
        const auto below = std::min(static_cast<std::uint64_t>(rank), n - 1);
        return {below, rank - static_cast<double>(below)};
    }
    // ceil(n p / 100), where a product that is whole but for rounding counts as whole
    const double share = static_cast<double>(n) * percent / 100;
    auto count = static_cast<std::uint64_t>(share);
    if (share - static_cast<double>(count) > share * 4 * std::numeric_limits<double>::epsilon()) ++count;
    return {std::clamp<std::uint64_t>(count, 1, n) - 1, 0.0};
}

// A point on the straight line from low to high; fraction is below 1. Never outside the two, whatever they are.
[[nodiscard]] constexpr double between(double low, double high, double fraction) noexcept {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (fraction <= 0 || low == high) return low;
    const double distance = high - low;
    if (distance < infinity) return std::min(low + distance * fraction, high);
    if (low == -infinity && high == infinity) return fraction < 0.5 ? low : high;  // the nearer one
    return low * (1 - fraction) + high * fraction;
}

}  // namespace detail

constexpr result<double> percentile_of_sorted(std::span<const double> values, double percent, percentile_method method) noexcept {
    if (values.empty()) return error{error_code::no_values};
    if (!detail::is_percent(percent)) return error{error_code::out_of_range};
    const auto rank = detail::rank_of(values.size(), percent, method);
    const auto below = static_cast<std::size_t>(rank.below);
    return detail::between(values[below], values[std::min(below + 1, values.size() - 1)], rank.fraction);
}

constexpr result<double> percentile(std::span<double> values, double percent, percentile_method method) noexcept {
    if (values.empty()) return error{error_code::no_values};
    if (!detail::is_percent(percent)) return error{error_code::out_of_range};
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] != values[i]) return error{error_code::not_finite, i};
    }
    const auto rank = detail::rank_of(values.size(), percent, method);
    const auto below = values.begin() + static_cast<std::ptrdiff_t>(rank.below);
    std::nth_element(values.begin(), below, values.end());
    if (rank.fraction <= 0 || below + 1 == values.end()) return *below;
    return detail::between(*below, *std::min_element(below + 1, values.end()), rank.fraction);
}

}  // namespace playhead::stats
