#pragma once
// json_value: questions to JSON text in memory: is it valid, are two values equal, what does an object hold.
//
// No tree is built. Equal means equal as values: 0.5, 0.50 and 5e-1 are one number, compared exactly as decimals; "A" and "\u0041" are
// one string; the order of members does not matter. Values of different types are never equal. O(n m) for objects of n and m
// characters; recursion as deep as the nesting, at most 64 levels.
#include "json_number.hpp"
#include "json_tokenizer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace playhead::wire {

// Is `text` one JSON value, with white space around it or none?
//   errors  bad_json (place: the byte); too_large (nested too deep; place: the byte)
[[nodiscard]] constexpr result<void> check_json(std::string_view text) noexcept;

// Are two values equal? Both are valid (check_json). An object that holds a name twice equals nothing.
[[nodiscard]] constexpr bool json_equal(std::string_view a, std::string_view b) noexcept;

// One member of an object. Views of its text, the name still quoted and escaped.
struct json_member {
    std::string_view name;
    std::string_view value;
};

// The members of an object, one after another.
class json_members {
public:
    //   object  the text of a valid JSON object (check_json), else there are none
    constexpr explicit json_members(std::string_view object) noexcept;

    // The next one; none at the end.
    [[nodiscard]] constexpr std::optional<json_member> next() noexcept;

private:
    std::string_view rest_;
    bool first_ = true;
};

// Are two names or strings, quoted and escaped, the same text?
[[nodiscard]] constexpr bool json_same_text(std::string_view a, std::string_view b) noexcept;

// How many members of an object have this name, and the value of the first of them.
struct json_found {
    std::size_t count = 0;
    std::string_view value;
};
//   quoted_name  with its quotes, escaped or not
[[nodiscard]] constexpr json_found json_find(std::string_view object, std::string_view quoted_name) noexcept;

// ---- how it works -------------------------------------------------------------------------------

namespace detail {

struct json_ignorer {
    constexpr void on_object_begin() noexcept {}
    constexpr void on_object_end() noexcept {}
    constexpr void on_array_begin() noexcept {}
    constexpr void on_array_end() noexcept {}
    constexpr void on_name(std::string_view, bool) noexcept {}
    constexpr void on_string(std::string_view, bool) noexcept {}
    constexpr void on_number(std::string_view, bool) noexcept {}
    constexpr void on_literal(json_literal) noexcept {}
};

[[nodiscard]] constexpr std::string_view without_space(std::string_view text) noexcept {
    const auto begin = text.find_first_not_of(" \t\r\n");
    return begin == std::string_view::npos ? std::string_view{} : rest_of(text, begin);
}

// Cuts the value at the front of `rest` off and returns it. `rest` is valid JSON from there on.
[[nodiscard]] constexpr std::string_view take_json(std::string_view& rest) noexcept {
    rest = without_space(rest);
    std::size_t end = 0;
    if (!rest.empty() && (rest.front() == '"' || rest.front() == '{' || rest.front() == '[')) {
        std::size_t levels = 0;
        bool quoted = false;
        for (; end < rest.size(); ++end) {
            const char c = rest[end];
            if (quoted) {
                if (c == '\\') {
                    ++end;
                } else if (c == '"') {
                    quoted = false;
                }
            } else if (c == '"') {
                quoted = true;
            } else if (c == '{' || c == '[') {
                ++levels;
            } else if (c == '}' || c == ']') {
                --levels;
            }
            if (!quoted && levels == 0) {
                ++end;
                break;
            }
        }
    } else {
        end = rest.find_first_of(",]} \t\r\n");
        if (end == std::string_view::npos) end = rest.size();
    }
    const std::string_view value = part_of(rest, 0, end);
    rest.remove_prefix(value.size());
    return value;
}

// Steps over one character that must stand next.
constexpr bool take(std::string_view& rest, char c) noexcept {
    rest = without_space(rest);
    if (rest.empty() || rest.front() != c) return false;
    rest.remove_prefix(1);
    return true;
}

// The code points of a quoted string, UTF-8 bytes as they are and escapes as UTF-16 units made into code points.
class json_characters {
public:
    constexpr explicit json_characters(std::string_view quoted) noexcept : rest_{part_of(quoted, 1, quoted.size() - 1)} {}

    // The next code point; none at the end.
    [[nodiscard]] constexpr std::optional<std::uint32_t> next() noexcept {
        if (rest_.empty()) return std::nullopt;
        const auto c = static_cast<unsigned char>(take());
        if (c == '\\') return escape();
        if (c < 0x80) return c;
        std::uint32_t code = c & (c < 0xe0 ? 0x1f : c < 0xf0 ? 0x0f : 0x07);
        for (int more = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3; more > 0; --more) code = code << 6 | (static_cast<unsigned char>(take()) & 0x3f);
        return code;
    }

private:
    constexpr char take() noexcept {
        const char c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }
    constexpr std::uint32_t unit() noexcept {
        std::uint32_t value = 0;
        for (int i = 0; i < 4; ++i) {
            const char c = take();
            value = value << 4 | static_cast<std::uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
        }
        return value;
    }
    constexpr std::uint32_t escape() noexcept {
        const char c = take();
        if (c != 'u') {
            constexpr std::string_view names = "bfnrt", values = "\b\f\n\r\t";
            const auto which = names.find(c);
            return static_cast<std::uint32_t>(which == std::string_view::npos ? c : values[which]);
        }
        const std::uint32_t high = unit();
        if (high < 0xd800 || high > 0xdbff) return high;
        rest_.remove_prefix(2);
        return 0x10000 + ((high & 0x3ff) << 10) + (unit() & 0x3ff);
    }

    std::string_view rest_;
};

enum class json_kind : std::uint8_t { object, array, string, number, literal };

[[nodiscard]] constexpr json_kind kind_of(std::string_view value) noexcept {
    switch (value.front()) {
        case '{': return json_kind::object;
        case '[': return json_kind::array;
        case '"': return json_kind::string;
        case 'n':
        case 't':
        case 'f': return json_kind::literal;
        default: return json_kind::number;
    }
}

[[nodiscard]] constexpr bool equal_values(std::string_view a, std::string_view b) noexcept;

[[nodiscard]] constexpr bool equal_arrays(std::string_view a, std::string_view b) noexcept {
    a.remove_prefix(1);
    b.remove_prefix(1);
    if (take(a, ']')) return take(b, ']');
    if (take(b, ']')) return false;
    for (;;) {
        if (!equal_values(take_json(a), take_json(b))) return false;
        const bool more = take(a, ',');
        if (more != take(b, ',')) return false;
        if (!more) return true;
    }
}

[[nodiscard]] constexpr bool equal_objects(std::string_view a, std::string_view b) noexcept {
    std::size_t in_a = 0, in_b = 0;
    json_members members{a};
    while (const auto member = members.next()) {
        const json_found there = json_find(b, member->name);
        if (there.count != 1 || json_find(a, member->name).count != 1 || !equal_values(member->value, there.value)) return false;
        ++in_a;
    }
    json_members others{b};
    while (others.next()) ++in_b;
    return in_a == in_b;
}

constexpr bool equal_values(std::string_view a, std::string_view b) noexcept {
    if (kind_of(a) != kind_of(b)) return false;
    switch (kind_of(a)) {
        case json_kind::object: return equal_objects(a, b);
        case json_kind::array: return equal_arrays(a, b);
        case json_kind::string: return json_same_text(a, b);
        case json_kind::number: return json_same_number(a, b);
        case json_kind::literal: return a == b;
    }
    return false;
}

}  // namespace detail

constexpr result<void> check_json(std::string_view text) noexcept {
    json_tokenizer tokenizer;
    detail::json_ignorer ignorer;
    const auto read = tokenizer.feed(text, ignorer);
    if (!read) return read.error();
    if (!tokenizer.finish(ignorer)) return error{error_code::bad_json, text.size()};
    const auto rest = detail::without_space(rest_of(text, *read));
    if (!rest.empty()) return error{error_code::bad_json, text.size() - rest.size()};
    return {};
}

constexpr bool json_equal(std::string_view a, std::string_view b) noexcept {
    return detail::equal_values(detail::take_json(a), detail::take_json(b));
}

constexpr json_members::json_members(std::string_view object) noexcept : rest_{object} {
    if (!detail::take(rest_, '{') || detail::take(rest_, '}')) rest_ = {};
}

constexpr std::optional<json_member> json_members::next() noexcept {
    if (rest_.empty()) return std::nullopt;
    if (!first_ && !detail::take(rest_, ',')) {
        rest_ = {};
        return std::nullopt;
    }
    first_ = false;
    const auto name = detail::take_json(rest_);
    detail::take(rest_, ':');
    return json_member{name, detail::take_json(rest_)};
}

constexpr bool json_same_text(std::string_view a, std::string_view b) noexcept {
    detail::json_characters x{a}, y{b};
    for (;;) {
        const auto p = x.next(), q = y.next();
        if (p != q) return false;
        if (!p) return true;
    }
}

constexpr json_found json_find(std::string_view object, std::string_view quoted_name) noexcept {
    json_found found;
    json_members members{object};
    while (const auto member = members.next()) {
        if (json_same_text(member->name, quoted_name) && found.count++ == 0) found.value = member->value;
    }
    return found;
}

}  // namespace playhead::wire
