#pragma once
// json_writer: JSON text into memory of the caller, or only its length.
//
// Strings are escaped as RFC 8259 asks and not more; commas are put by the writer. Text that does not fit is counted, not written, so
// that one pass with no memory tells how much is needed.
#include "json_tokenizer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace playhead::wire {

class json_writer {
public:
    constexpr explicit json_writer(std::span<char> out) noexcept : out_{out} {}

    // The length of all that was put, whether it fitted or not.
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
    [[nodiscard]] constexpr bool fits() const noexcept { return size_ <= out_.size(); }
    // What was put. Only where it fits.
    [[nodiscard]] constexpr std::string_view view() const noexcept { return {out_.data(), fits() ? size_ : 0}; }
    constexpr void clear() noexcept { *this = json_writer{out_}; }

    constexpr void begin_object() noexcept { open('{'); }
    constexpr void end_object() noexcept { close('}'); }
    constexpr void begin_array() noexcept { open('['); }
    constexpr void end_array() noexcept { close(']'); }

    // A member's name, whole; its value comes next.
    constexpr void name(std::string_view text) noexcept {
        string(text);
        end_name();
    }
    // The same with its quotes and escapes, as it was read.
    constexpr void quoted_name(std::string_view quoted) noexcept {
        token(quoted);
        end_name();
    }
    // A string, whole.
    constexpr void string(std::string_view text) noexcept { string_piece(text, true); }
    // A number or a literal as it is written.
    constexpr void token(std::string_view text) noexcept { token_piece(text, true); }
    constexpr void number(std::uint64_t value) noexcept;

    // The same in pieces.
    constexpr void name_piece(std::string_view piece, bool last) noexcept {
        string_piece(piece, last);
        if (last) end_name();
    }
    constexpr void string_piece(std::string_view piece, bool last) noexcept;
    constexpr void token_piece(std::string_view piece, bool last) noexcept;

    // Characters as they are, for text that is JSON already.
    constexpr void raw(std::string_view text) noexcept {
        for (const char c : text) put(c);
    }

    // A json_handler: writes again what a tokenizer reads, without white space.
    constexpr void on_object_begin() noexcept { begin_object(); }
    constexpr void on_object_end() noexcept { end_object(); }
    constexpr void on_array_begin() noexcept { begin_array(); }
    constexpr void on_array_end() noexcept { end_array(); }
    constexpr void on_name(std::string_view piece, bool last) noexcept { name_piece(piece, last); }
    constexpr void on_string(std::string_view piece, bool last) noexcept { string_piece(piece, last); }
    constexpr void on_number(std::string_view piece, bool last) noexcept { token_piece(piece, last); }
    constexpr void on_literal(json_literal literal) noexcept { token(detail::json_literals[static_cast<std::size_t>(literal)]); }

private:
    constexpr void put(char c) noexcept {
        if (size_ < out_.size()) out_[size_] = c;
        ++size_;
    }
    constexpr void begin_value() noexcept {
        if (needs_comma_) put(',');
        needs_comma_ = false;
    }
    constexpr void open(char bracket) noexcept {
        begin_value();
        put(bracket);
    }
    constexpr void close(char bracket) noexcept {
        put(bracket);
        needs_comma_ = true;
    }
    constexpr void end_name() noexcept {
        put(':');
        needs_comma_ = false;
    }

    std::span<char> out_;
    std::size_t size_ = 0;
    bool needs_comma_ = false;
    bool inside_piece_ = false;
};

// ---- how it works -------------------------------------------------------------------------------

constexpr void json_writer::string_piece(std::string_view piece, bool last) noexcept {
    if (!inside_piece_) {
        begin_value();
        put('"');
        inside_piece_ = true;
    }
    for (const char c : piece) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            put('\\');
            put(c);
        } else if (code < 0x20) {
            constexpr std::string_view short_names = "\b\f\n\r\t", letters = "bfnrt", digits = "0123456789abcdef";
            put('\\');
            if (const auto which = short_names.find(c); which != std::string_view::npos) {
                put(letters[which]);
            } else {
                raw("u00");
                put(digits[code / 16]);
                put(digits[code % 16]);
            }
        } else {
            put(c);
        }
    }
    if (last) {
        put('"');
        inside_piece_ = false;
        needs_comma_ = true;
    }
}

constexpr void json_writer::token_piece(std::string_view piece, bool last) noexcept {
    if (!inside_piece_) {
        begin_value();
        inside_piece_ = true;
    }
    raw(piece);
    if (last) {
        inside_piece_ = false;
        needs_comma_ = true;
    }
}

constexpr void json_writer::number(std::uint64_t value) noexcept {
    std::array<char, 20> digits{};
    std::size_t at = digits.size();
    do {
        digits[--at] = static_cast<char>('0' + value % 10);
        value /= 10;
    } while (value != 0);
    token({digits.data() + at, digits.size() - at});
}

}  // namespace playhead::wire
