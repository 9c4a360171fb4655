#pragma once
// text: parts of a text, and ASCII comparison, without a locale and without std::string_view::substr, whose check brings exceptions.
#include "../core/assert.hpp"

#include <cstddef>
#include <string_view>

namespace playhead::wire {

// The characters [begin, end) of `text`, both at most its size.
[[nodiscard]] constexpr std::string_view part_of(std::string_view text, std::size_t begin, std::size_t end) noexcept {
    PLAYHEAD_ASSERT(begin <= end && end <= text.size());
    return {text.data() + begin, end - begin};
}

// The characters from `begin` on.
[[nodiscard]] constexpr std::string_view rest_of(std::string_view text, std::size_t begin) noexcept {
    return part_of(text, begin, text.size());
}

[[nodiscard]] constexpr char lower_case(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

// Are they the same but for the case of ASCII letters, as HTTP's header names and media types are?
[[nodiscard]] constexpr bool same_ignoring_case(std::string_view a, std::string_view b) noexcept {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (lower_case(a[i]) != lower_case(b[i])) return false;
    }
    return true;
}

// Without the spaces and tabs around it.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) noexcept {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

}  // namespace playhead::wire
