#pragma once
// json_tokenizer: RFC 8259 text, in pieces cut anywhere, into its tokens. Strict and in constant memory.
//
// Nothing is buffered: strings and numbers come out in pieces, views of the input, with escapes resolved. Refused are: anything that
// is not JSON, invalid UTF-8, lone surrogates, control characters in strings, and more than 64 levels of nesting. Not looked at:
// doubled names (that is for who knows what they mean). Each byte is looked at once. 32 bytes of state. Source: RFC 8259, RFC 3629.
#include "../core/result.hpp"
#include "json_string.hpp"
#include "text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace playhead::wire {

enum class json_literal : std::uint8_t { null_value, true_value, false_value };

// A handler takes the tokens of one value in order. Views end with the call.
//   h.on_object_begin()  h.on_object_end()  h.on_array_begin()  h.on_array_end()
//   h.on_name(piece, last)     of an object's member: UTF-8, cut anywhere; `last` ends it; a piece may be empty
//   h.on_string(piece, last)   likewise
//   h.on_number(piece, last)   as it is written
//   h.on_literal(json_literal)
template <typename H>
concept json_handler = requires(H& h, std::string_view piece, bool last, json_literal literal) {
    h.on_object_begin();
    h.on_object_end();
    h.on_array_begin();
    h.on_array_end();
    h.on_name(piece, last);
    h.on_string(piece, last);
    h.on_number(piece, last);
    h.on_literal(literal);
};

class json_tokenizer {
public:
    static constexpr std::uint32_t most_levels = 64;

    // May white space hold line ends? Not where a line is a document of its own.
    enum class line_ends : bool { refused, allowed };

    constexpr explicit json_tokenizer(line_ends ends = line_ends::allowed) noexcept : line_ends_{ends} {}

    // Reads on; stops behind the value, or before the character that ends a number that is the whole value.
    // Returns the characters read. Call it again with what follows as long as !is_done().
    //   errors  bad_json   place: offset in this piece of the first character that cannot stand there
    //           too_large  nested too deep; place: likewise
    template <json_handler Handler>
    [[nodiscard]] constexpr result<std::size_t> feed(std::string_view text, Handler& handler) noexcept;

    // The text has ended. True when a whole value was read (a number at the end becomes whole by this).
    template <json_handler Handler>
    [[nodiscard]] constexpr bool finish(Handler& handler) noexcept;

    // A whole value was read.
    [[nodiscard]] constexpr bool is_done() const noexcept { return state_ == state::done; }
    // Not one character but white space was read.
    [[nodiscard]] constexpr bool is_empty() const noexcept { return state_ == state::expects_value && levels_ == 0; }

    // Ready for the next value.
    constexpr void reset() noexcept { *this = json_tokenizer{line_ends_}; }

private:
    enum class state : std::uint8_t {
        expects_value,
        expects_first_element,  // a value or ]
        expects_first_name,     // a name or }
        expects_name,
        expects_colon,
        after_value,  // , or the end of what is open
        inside_text,
        after_minus,
        after_leading_zero,
        inside_integer,
        after_point,
        inside_fraction,
        after_e,
        after_exponent_sign,
        inside_exponent,
        inside_literal,
        done,
    };

    [[nodiscard]] constexpr bool is_space(char c) const noexcept {
        return c == ' ' || c == '\t' || c == '\r' || (c == '\n' && line_ends_ == line_ends::allowed);
    }
    [[nodiscard]] constexpr bool inside_number() const noexcept { return state_ >= state::after_minus && state_ <= state::inside_exponent; }
    [[nodiscard]] constexpr bool number_may_end() const noexcept {
        return state_ == state::after_leading_zero || state_ == state::inside_integer || state_ == state::inside_fraction ||
               state_ == state::inside_exponent;
    }
    [[nodiscard]] constexpr bool in_object() const noexcept { return levels_ > 0 && (kinds_ >> (levels_ - 1) & 1) != 0; }
    [[nodiscard]] constexpr bool open(bool object) noexcept;
    constexpr void close_value() noexcept { state_ = levels_ == 0 ? state::done : state::after_value; }
    [[nodiscard]] constexpr bool continue_number(char c) noexcept;

    template <typename Handler>
    [[nodiscard]] constexpr bool begin_value(char c, Handler& handler, bool& too_deep) noexcept;
    template <typename Handler>
    [[nodiscard]] constexpr bool read_text(std::string_view text, std::size_t& at, Handler& handler) noexcept;

    std::uint64_t kinds_ = 0;  // bit i: level i + 1 is an object, not an array
    json_string_reader string_{};
    std::uint8_t levels_ = 0;
    state state_ = state::expects_value;
    bool text_is_name_ = false;
    std::uint8_t literal_at_ = 0;
    json_literal literal_{};
    line_ends line_ends_;
};

// ---- how it works -------------------------------------------------------------------------------

namespace detail {

inline constexpr std::array<std::string_view, 3> json_literals{"null", "true", "false"};

}  // namespace detail

constexpr bool json_tokenizer::open(bool object) noexcept {
    if (levels_ == most_levels) return false;
    const std::uint64_t bit = std::uint64_t{1} << levels_;
    kinds_ = object ? kinds_ | bit : kinds_ & ~bit;
    ++levels_;
    state_ = object ? state::expects_first_name : state::expects_first_element;
    return true;
}

// False where `c` does not belong to the number.
constexpr bool json_tokenizer::continue_number(char c) noexcept {
    const bool digit = c >= '0' && c <= '9';
    const bool exponent = c == 'e' || c == 'E';
    switch (state_) {
        case state::after_minus:
            if (!digit) return false;
            state_ = c == '0' ? state::after_leading_zero : state::inside_integer;
            return true;
        case state::after_leading_zero:
        case state::inside_integer:
            if (digit) return state_ == state::inside_integer;
            if (c != '.' && !exponent) return false;
            state_ = exponent ? state::after_e : state::after_point;
            return true;
        case state::after_point:
        case state::inside_fraction:
            if (exponent && state_ == state::inside_fraction) {
                state_ = state::after_e;
                return true;
            }
            if (!digit) return false;
            state_ = state::inside_fraction;
            return true;
        case state::after_e:
            if (c == '+' || c == '-') {
                state_ = state::after_exponent_sign;
                return true;
            }
            [[fallthrough]];
        case state::after_exponent_sign:
        case state::inside_exponent:
            if (!digit) return false;
            state_ = state::inside_exponent;
            return true;
        default: return false;
    }
}

// The first character of a value. False where it cannot be one.
template <typename Handler>
constexpr bool json_tokenizer::begin_value(char c, Handler& handler, bool& too_deep) noexcept {
    switch (c) {
        case '{':
        case '[':
            if (!open(c == '{')) {
                too_deep = true;
                return false;
            }
            if (c == '{') {
                handler.on_object_begin();
            } else {
                handler.on_array_begin();
            }
            return true;
        case '"':
            text_is_name_ = false;
            state_ = state::inside_text;
            return true;
        case 'n':
        case 't':
        case 'f':
            literal_ = c == 'n' ? json_literal::null_value : c == 't' ? json_literal::true_value : json_literal::false_value;
            literal_at_ = 1;
            state_ = state::inside_literal;
            return true;
        case '-': state_ = state::after_minus; return true;
        case '0': state_ = state::after_leading_zero; return true;
        default:
            if (c < '1' || c > '9') return false;
            state_ = state::inside_integer;
            return true;
    }
}

// Characters of a name or string. False: text[at] cannot stand there.
template <typename Handler>
constexpr bool json_tokenizer::read_text(std::string_view text, std::size_t& at, Handler& handler) noexcept {
    const auto read = string_.read(text, at, [&](std::string_view piece, bool last) {
        if (last) {
            if (text_is_name_) {
                state_ = state::expects_colon;
            } else {
                close_value();
            }
        }
        if (text_is_name_) {
            handler.on_name(piece, last);
        } else {
            handler.on_string(piece, last);
        }
    });
    return read != json_string_reader::progress::bad;
}

template <json_handler Handler>
constexpr result<std::size_t> json_tokenizer::feed(std::string_view text, Handler& handler) noexcept {
    std::size_t at = 0;
    while (at < text.size() && state_ != state::done) {
        const char c = text[at];
        switch (state_) {
            case state::expects_value:
            case state::expects_first_element: {
                if (is_space(c)) break;
                if (c == ']' && state_ == state::expects_first_element) {
                    --levels_;
                    close_value();
                    handler.on_array_end();
                    break;
                }
                bool too_deep = false;
                if (!begin_value(c, handler, too_deep)) return error{too_deep ? error_code::too_large : error_code::bad_json, at};
                if (inside_number()) handler.on_number(part_of(text, at, at + 1), false);
                break;
            }
            case state::expects_first_name:
            case state::expects_name:
                if (is_space(c)) break;
                if (c == '}' && state_ == state::expects_first_name) {
                    --levels_;
                    close_value();
                    handler.on_object_end();
                    break;
                }
                if (c != '"') return error{error_code::bad_json, at};
                text_is_name_ = true;
                state_ = state::inside_text;
                break;
            case state::expects_colon:
                if (is_space(c)) break;
                if (c != ':') return error{error_code::bad_json, at};
                state_ = state::expects_value;
                break;
            case state::after_value:
                if (is_space(c)) break;
                if (c == ',') {
                    state_ = in_object() ? state::expects_name : state::expects_value;
                } else if (c == (in_object() ? '}' : ']')) {
                    const bool object = in_object();
                    --levels_;
                    close_value();
                    if (object) {
                        handler.on_object_end();
                    } else {
                        handler.on_array_end();
                    }
                } else {
                    return error{error_code::bad_json, at};
                }
                break;
            case state::inside_text:
                if (!read_text(text, at, handler)) return error{error_code::bad_json, at};
                continue;  // at has moved on
            case state::inside_literal: {
                const std::string_view literal = detail::json_literals[static_cast<std::size_t>(literal_)];
                if (c != literal[literal_at_]) return error{error_code::bad_json, at};
                if (++literal_at_ == literal.size()) {
                    close_value();
                    handler.on_literal(literal_);
                }
                break;
            }
            case state::after_minus:
            case state::after_leading_zero:
            case state::inside_integer:
            case state::after_point:
            case state::inside_fraction:
            case state::after_e:
            case state::after_exponent_sign:
            case state::inside_exponent: {
                const std::size_t begin = at;
                while (at < text.size() && continue_number(text[at])) ++at;
                if (at == text.size()) {
                    handler.on_number(rest_of(text, begin), false);
                } else if (number_may_end()) {
                    close_value();
                    handler.on_number(part_of(text, begin, at), true);
                } else {
                    return error{error_code::bad_json, at};
                }
                continue;  // at is behind the number
            }
            case state::done: break;
        }
        ++at;
    }
    return at;
}

template <json_handler Handler>
constexpr bool json_tokenizer::finish(Handler& handler) noexcept {
    if (inside_number() && levels_ == 0 && number_may_end()) {
        state_ = state::done;
        handler.on_number({}, true);
    }
    return is_done();
}

}  // namespace playhead::wire
