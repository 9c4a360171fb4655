#pragma once
// json_number: JSON numbers compared and read exactly, as the decimals they are, without floating point.
#include "text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace playhead::wire {

// Do two valid JSON numbers stand for the same one? 0.5, 0.50 and 5e-1 do; so do 0 and -0.0. Exponents beyond 10^15 count as that.
[[nodiscard]] constexpr bool json_same_number(std::string_view a, std::string_view b) noexcept;

// The number that `text`, a valid JSON number, stands for, if that is a whole one from 0 to 2^64 - 1: 45, 45.0, 4.5e1.
[[nodiscard]] constexpr std::optional<std::uint64_t> json_whole_number(std::string_view text) noexcept;

// ---- how it works -------------------------------------------------------------------------------

namespace detail {

// A JSON number as 0.DIGITS times 10^exponent, without zeros at either end of the digits; zero has no digits.
struct decimal {
    std::string_view text;   // that holds the digits, and perhaps a point among them
    std::size_t point = 0;   // its place in text, behind the text where there is none
    std::size_t digits = 0;  // of them
    std::int64_t exponent = 0;
    bool negative = false;

    constexpr explicit decimal(std::string_view number) noexcept {
        negative = number.front() == '-';
        if (negative) number.remove_prefix(1);
        std::int64_t written = 0;
        if (const auto e = number.find_first_of("eE"); e != std::string_view::npos) {
            written = exponent_of(rest_of(number, e + 1));
            number = part_of(number, 0, e);
        }
        const auto units_end = std::min(number.find('.'), number.size());
        const auto first = number.find_first_not_of("0.");
        if (first == std::string_view::npos) return;  // zero
        const auto last = number.find_last_not_of("0.");
        text = part_of(number, first, last + 1);
        point = std::min(text.find('.'), text.size());
        digits = text.size() - (point < text.size() ? 1U : 0U);
        // digits before the point, or minus one more than the zeros behind it
        const auto leading = static_cast<std::int64_t>(units_end) - static_cast<std::int64_t>(first);
        exponent = written + (first < units_end ? leading : leading + 1);
    }

    [[nodiscard]] constexpr char digit(std::size_t i) const noexcept { return i < digits ? text[i < point ? i : i + 1] : '0'; }

private:
    static constexpr std::int64_t exponent_of(std::string_view text) noexcept {
        const bool minus = text.front() == '-';
        if (minus || text.front() == '+') text.remove_prefix(1);
        std::int64_t value = 0;
        for (const char c : text) value = std::min<std::int64_t>(value * 10 + (c - '0'), 1'000'000'000'000'000);
        return minus ? -value : value;
    }
};

}  // namespace detail

constexpr bool json_same_number(std::string_view a, std::string_view b) noexcept {
    const detail::decimal x{a}, y{b};
    if (x.digits != y.digits) return false;
    if (x.digits == 0) return true;  // -0 is 0
    if (x.negative != y.negative || x.exponent != y.exponent) return false;
    for (std::size_t i = 0; i < x.digits; ++i) {
        if (x.digit(i) != y.digit(i)) return false;
    }
    return true;
}

constexpr std::optional<std::uint64_t> json_whole_number(std::string_view text) noexcept {
    const detail::decimal number{text};
    if (number.digits == 0) return 0;
    if (number.negative || number.exponent < static_cast<std::int64_t>(number.digits) || number.exponent > 20) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(number.exponent); ++i) {
        const auto digit = static_cast<std::uint64_t>(number.digit(i) - '0');
        if (value > (UINT64_MAX - digit) / 10) return std::nullopt;
        value = value * 10 + digit;
    }
    return value;
}

}  // namespace playhead::wire
