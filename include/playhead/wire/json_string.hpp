#pragma once
// json_string: the inside of a JSON string, in pieces cut anywhere, into its text: escapes resolved, UTF-8 checked.
//
// Nothing is buffered; pieces are views of the input where there is no escape. 12 bytes of state. Source: RFC 8259 section 7, RFC 3629.
#include "text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace playhead::wire {

class json_string_reader {
public:
    enum class progress : std::uint8_t {
        more,   // the input is used up, the string goes on
        ended,  // its closing quote was read
        bad,    // text[at] cannot stand there: a control character, no UTF-8, an unknown escape, a lone surrogate
    };

    // Reads on from text[at] behind the opening quote, and moves `at` behind what was read. Ready for the next string after `ended`.
    //   give  (std::string_view piece, bool last): takes the text; views end with the call; an empty piece may end it
    template <typename Give>
    [[nodiscard]] constexpr progress read(std::string_view text, std::size_t& at, Give give) noexcept;

private:
    enum class state : std::uint8_t {
        plain,
        inside_character,  // of more than one byte
        inside_escape,
        inside_unicode_escape,
        expects_low_backslash,  // of the second half of a surrogate pair
        expects_low_u,
    };

    [[nodiscard]] constexpr bool begin_character(unsigned char c) noexcept;
    [[nodiscard]] constexpr bool continue_character(unsigned char c) noexcept;
    template <typename Give>
    [[nodiscard]] constexpr bool read_escape(char c, Give& give) noexcept;
    template <typename Give>
    [[nodiscard]] constexpr bool read_hex_digit(char c, Give& give) noexcept;

    std::uint32_t unicode_ = 0;  // of an escape: its digits so far, above them the high surrogate before it
    state state_ = state::plain;
    std::uint8_t digits_ = 0;   // of an escape
    std::uint8_t missing_ = 0;  // bytes of a character
    std::uint8_t least_ = 0;    // bounds of the next of them
    std::uint8_t most_ = 0;
};

// ---- how it works -------------------------------------------------------------------------------

namespace detail {

// The number of characters at the front that are plain in a string: ASCII, no control character, quote or backslash.
[[nodiscard]] constexpr std::size_t plain_characters(const char* text, std::size_t size) noexcept {
    std::size_t at = 0;
    if (!std::is_constant_evaluated()) {
        constexpr std::uint64_t ones = 0x0101'0101'0101'0101, highs = 0x8080'8080'8080'8080;
        for (; size - at >= 8; at += 8) {
            std::uint64_t eight;
            std::memcpy(&eight, text + at, 8);
            const std::uint64_t quote = eight ^ ones * '"', backslash = eight ^ ones * '\\';
            // a byte borrows from its own high bit when it is below the bound; bytes over 127 are found by themselves
            if (((eight | (eight - ones * 0x20) | (quote - ones) | (backslash - ones)) & highs) != 0) break;
        }
    }
    for (; at < size; ++at) {
        const auto c = static_cast<unsigned char>(text[at]);
        if (c < 0x20 || c >= 0x80 || c == '"' || c == '\\') break;
    }
    return at;
}

// A code point as UTF-8.
struct utf8 {
    std::array<char, 4> bytes{};
    std::size_t size = 0;

    constexpr explicit utf8(std::uint32_t code) noexcept {
        if (code < 0x80) {
            put(code);
        } else if (code < 0x800) {
            put(0xc0 | code >> 6);
            put(0x80 | (code & 0x3f));
        } else if (code < 0x10000) {
            put(0xe0 | code >> 12);
            put(0x80 | (code >> 6 & 0x3f));
            put(0x80 | (code & 0x3f));
        } else {
            put(0xf0 | code >> 18);
            put(0x80 | (code >> 12 & 0x3f));
            put(0x80 | (code >> 6 & 0x3f));
            put(0x80 | (code & 0x3f));
        }
    }
    constexpr void put(std::uint32_t byte) noexcept { bytes[size++] = static_cast<char>(static_cast<unsigned char>(byte)); }
};

}  // namespace detail

constexpr bool json_string_reader::begin_character(unsigned char c) noexcept {
    if (c < 0xc2 || c > 0xf4) return false;
    missing_ = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    least_ = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;  // no overlong forms
    most_ = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;   // no surrogates, nothing over U+10FFFF
    state_ = state::inside_character;
    return true;
}

constexpr bool json_string_reader::continue_character(unsigned char c) noexcept {
    if (c < least_ || c > most_) return false;
    least_ = 0x80;
    most_ = 0xbf;
    if (--missing_ == 0) state_ = state::plain;
    return true;
}

// The character behind a backslash.
template <typename Give>
constexpr bool json_string_reader::read_escape(char c, Give& give) noexcept {
    constexpr std::string_view names = "\"\\/bfnrt", values = "\"\\/\b\f\n\r\t";
    if (c == 'u') {
        unicode_ = 0;
        digits_ = 0;
        state_ = state::inside_unicode_escape;
        return true;
    }
    const auto which = names.find(c);
    if (which == std::string_view::npos) return false;
    state_ = state::plain;
    give(part_of(values, which, which + 1), false);
    return true;
}

// A digit of \uXXXX. The high half of unicode_ holds the surrogate that waits for its other half.
template <typename Give>
constexpr bool json_string_reader::read_hex_digit(char c, Give& give) noexcept {
    std::uint32_t digit = 0;
    if (c >= '0' && c <= '9') {
        digit = static_cast<std::uint32_t>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
        digit = static_cast<std::uint32_t>(c - 'a') + 10;
    } else if (c >= 'A' && c <= 'F') {
        digit = static_cast<std::uint32_t>(c - 'A') + 10;
    } else {
        return false;
    }
    const std::uint32_t high = unicode_ >> 16;
    std::uint32_t unit = (unicode_ << 4 | digit) & 0xffff;
    unicode_ = high << 16 | unit;
    if (++digits_ < 4) return true;
    const bool is_low = unit >= 0xdc00 && unit <= 0xdfff;
    if (is_low != (high != 0)) return false;
    if (high == 0 && unit >= 0xd800 && unit <= 0xdbff) {
        unicode_ = unit << 16;
        digits_ = 0;
        state_ = state::expects_low_backslash;
        return true;
    }
    if (high != 0) unit = 0x10000 + ((high & 0x3ff) << 10) + (unit & 0x3ff);
    state_ = state::plain;
    const detail::utf8 character{unit};
    give({character.bytes.data(), character.size}, false);
    return true;
}

template <typename Give>
constexpr json_string_reader::progress json_string_reader::read(std::string_view text, std::size_t& at, Give give) noexcept {
    std::size_t begin = at;  // of what was not given yet
    const auto give_up_to = [&](std::size_t end) {
        if (end > begin) give(part_of(text, begin, end), false);
    };
    const auto in_text = [&] { return state_ == state::plain || state_ == state::inside_character; };
    while (at < text.size()) {
        const char c = text[at];
        const bool was_in_text = in_text();
        bool good = true;
        switch (state_) {
            case state::plain:
                at += detail::plain_characters(text.data() + at, text.size() - at);
                if (at == text.size()) continue;
                if (text[at] == '"') {
                    give(part_of(text, begin, at), true);
                    ++at;
                    return progress::ended;
                }
                if (text[at] == '\\') {
                    give_up_to(at);
                    state_ = state::inside_escape;
                } else {
                    good = begin_character(static_cast<unsigned char>(text[at]));
                }
                break;
            case state::inside_character: good = continue_character(static_cast<unsigned char>(c)); break;
            case state::inside_escape: good = read_escape(c, give); break;
            case state::inside_unicode_escape: good = read_hex_digit(c, give); break;
            case state::expects_low_backslash:
                good = c == '\\';
                state_ = state::expects_low_u;
                break;
            case state::expects_low_u:
                good = c == 'u';
                state_ = state::inside_unicode_escape;
                break;
        }
        if (!good) return progress::bad;
        ++at;
        if (!was_in_text || !in_text()) begin = at;  // an escape is not given as it stands
    }
    give_up_to(at);
    return progress::more;
}

}  // namespace playhead::wire
