#pragma once
// warmup_text: what a warm-up request says, so that it warms the server up and not its cache of the texts that are measured.
#include "../wire/bounded_text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace playhead::measure {

using warmup_prefix = wire::bounded_text<96>;

// What is said before `text` in warm-up request `number`: each number has another one. The whole begins with none of the texts that
// are measured, and so equals none of them, unless these begin with every letter and digit there is.
//   is_beginning  (prefix) -> bool: does prefix + text begin with one of the measured texts?
template <typename IsBeginning>
[[nodiscard]] constexpr warmup_prefix warmup_prefix_for(std::uint64_t number, IsBeginning is_beginning) noexcept;

// Does first + second begin with `text`?
[[nodiscard]] constexpr bool begins_with(std::string_view first, std::string_view second, std::string_view text) noexcept {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i >= first.size() + second.size() || text[i] != (i < first.size() ? first[i] : second[i - first.size()])) return false;
    }
    return true;
}

// ---- how it works -------------------------------------------------------------------------------

template <typename IsBeginning>
constexpr warmup_prefix warmup_prefix_for(std::uint64_t number, IsBeginning is_beginning) noexcept {
    constexpr std::string_view openings = " 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    std::array<char, 20> digits{};
    std::size_t at = digits.size();
    for (std::uint64_t rest = number; at == digits.size() || rest > 0; rest /= 10) digits[--at] = static_cast<char>('0' + rest % 10);

    const auto compose = [&](std::size_t attempt) {
        warmup_prefix prefix;
        if (attempt > 1) {
            prefix.append({openings.data() + attempt - 1, 1});
            prefix.append(". ");
        }
        if (attempt > 0) prefix.append("Warmup. ");
        prefix.append("Inferencekit untimed speech warmup ");
        prefix.append({digits.data() + at, digits.size() - at});
        prefix.append(". ");
        return prefix;
    };
    for (std::size_t attempt = 0; attempt < openings.size() + 1; ++attempt) {
        const warmup_prefix prefix = compose(attempt);
        if (!is_beginning(prefix.view())) return prefix;
    }
    return compose(0);
}

}  // namespace playhead::measure
