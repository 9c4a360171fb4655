#pragma once
// interval: two ends, and the calibrated interval that a bootstrap's standard error gives for few rounds.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace playhead::stats {

struct interval {
    double low;
    double high;

    friend constexpr bool operator==(const interval&, const interval&) = default;
};

// The 0.975 quantile of Student's t with `degrees` degrees of freedom, 1 or more; within 2e-6 relative.
[[nodiscard]] constexpr double student_t_975(std::uint64_t degrees) noexcept;

// value +- t(R-1) * standard_error * sqrt(R / (R-1)): the 95 % interval of a figure over R rounds whose bootstrap over rounds has this
// standard error. None with fewer than two rounds, where nothing shows the spread between rounds.
// Guarantee: none in theory for few rounds; measured coverage and the comparison with other intervals are in docs/figures.md.
[[nodiscard]] inline std::optional<interval> calibrated_interval(double value, double standard_error, std::uint64_t rounds) noexcept;

// The same on the log scale, for positive figures: never below zero, wider above than below.
//   log_standard_error  of the figure's logarithm
[[nodiscard]] inline std::optional<interval> calibrated_log_interval(double value, double log_standard_error,
                                                                     std::uint64_t rounds) noexcept;

// ---- how it works -------------------------------------------------------------------------------

namespace detail {

inline constexpr std::array<double, 30> student_t_975_table{
    12.7062047364, 4.30265272991, 3.18244630528, 2.7764451052,  2.57058183661, 2.44691184879, 2.36462425101, 2.30600413503,
    2.26215716274, 2.22813885196, 2.20098516008, 2.17881282966, 2.16036865646, 2.14478668792, 2.13144954556, 2.11990529922,
    2.10981557783, 2.10092204024, 2.09302405441, 2.08596344727, 2.07961384473, 2.0738730679,  2.06865761042, 2.06389856163,
    2.05953855275, 2.05552943864, 2.05183051648, 2.0484071418,  2.04522964213, 2.0422724563};

inline double calibrated_reach(double standard_error, std::uint64_t rounds) noexcept {
    const auto r = static_cast<double>(rounds);
    return student_t_975(rounds - 1) * standard_error * std::sqrt(r / (r - 1));
}

}  // namespace detail

constexpr double student_t_975(std::uint64_t degrees) noexcept {
    if (degrees <= detail::student_t_975_table.size())
        return detail::student_t_975_table[static_cast<std::size_t>(degrees > 0 ? degrees - 1 : 0)];
    // Cornish and Fisher's expansion around the normal quantile; Abramowitz and Stegun 26.7.5.
    constexpr double z = 1.95996398454005;
    constexpr double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
    const auto v = static_cast<double>(degrees);
    return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v) + (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * v * v * v);
}

inline std::optional<interval> calibrated_interval(double value, double standard_error, std::uint64_t rounds) noexcept {
    if (rounds < 2) return std::nullopt;
    const double reach = detail::calibrated_reach(standard_error, rounds);
    return interval{value - reach, value + reach};
}

inline std::optional<interval> calibrated_log_interval(double value, double log_standard_error, std::uint64_t rounds) noexcept {
    if (rounds < 2) return std::nullopt;
    const double factor = std::exp(detail::calibrated_reach(log_standard_error, rounds));
    return interval{value / factor, value * factor};
}

}  // namespace playhead::stats
