#pragma once
// base64: RFC 4648 text back into bytes, whole or in pieces. Strict: standard alphabet, padded, canonical, no white space.
//
// Costs no heap and one pass; the decoder for pieces has 8 bytes of state. Speed beside its peers: bench/wire_bench.cpp.
// Source: RFC 4648, sections 3.5 and 4.
#include "../core/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace playhead::wire {

// The most bytes that `characters` characters can stand for.
[[nodiscard]] constexpr std::size_t max_bytes_in_base64(std::size_t characters) noexcept { return (characters + 3) / 4 * 3; }

// The characters that stand for `bytes` bytes.
[[nodiscard]] constexpr std::size_t base64_characters_for(std::size_t bytes) noexcept { return (bytes + 2) / 3 * 4; }

// Decodes `text` to the front of `out`; returns the bytes written. An empty text is 0 bytes, not an error.
//   out     max_bytes_in_base64(text.size()) bytes or more; not overlapping text
//   errors  bad_base64  place: offset in text of the first character that cannot stand there, text.size() where characters are missing
//           too_large   out is shorter than that; place: the bytes needed; nothing is written
[[nodiscard]] constexpr result<std::size_t> decode_base64(std::string_view text, std::span<std::byte> out) noexcept;

// Decodes one text that comes in pieces, cut anywhere.
class base64_decoder {
public:
    struct step {
        std::size_t read;     // characters taken from the front of text
        std::size_t written;  // bytes put to the front of out
    };

    // Decodes until text or out is used up. out has room for 3 bytes or more, so that at least one of them is.
    //   errors  bad_base64  place: offset in this piece of the first character that cannot stand there
    [[nodiscard]] constexpr result<step> decode(std::string_view text, std::span<std::byte> out) noexcept;

    // The text has ended; the decoder is ready for the next one.
    //   errors  bad_base64  characters are missing; place: 0
    [[nodiscard]] constexpr result<void> finish() noexcept;

private:
    std::uint32_t bits_ = 0;    // of the group that is not whole yet
    std::uint8_t held_ = 0;     // its characters, 0 to 3
    std::uint8_t padding_ = 0;  // its '='
    bool ended_ = false;        // a padded group has come: nothing may follow
};

// Encodes `bytes` to the front of `out`; returns the characters written.
//   out     base64_characters_for(bytes.size()) characters or more
//   errors  too_large  place: the characters needed; nothing is written
[[nodiscard]] constexpr result<std::size_t> encode_base64(std::span<const std::byte> bytes, std::span<char> out) noexcept;

// ---- how it works -------------------------------------------------------------------------------

namespace detail {

inline constexpr std::string_view base64_alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// The value of a character at each of the four places of a group, shifted to where it belongs; bit 31 marks one that is none.
inline constexpr std::uint32_t no_base64 = 0x8000'0000;
inline constexpr auto base64_values = [] {
    std::array<std::array<std::uint32_t, 256>, 4> table{};
    for (std::size_t place = 0; place < 4; ++place) {
        for (std::uint32_t& value : table[place]) value = no_base64;
        for (std::size_t i = 0; i < 64; ++i) {
            table[place][static_cast<unsigned char>(base64_alphabet[i])] = static_cast<std::uint32_t>(i << (18 - 6 * place));
        }
    }
    return table;
}();

[[nodiscard]] constexpr std::uint32_t base64_group(const char* text) noexcept {
    return base64_values[0][static_cast<unsigned char>(text[0])] | base64_values[1][static_cast<unsigned char>(text[1])] |
           base64_values[2][static_cast<unsigned char>(text[2])] | base64_values[3][static_cast<unsigned char>(text[3])];
}

constexpr void put_base64_group(std::uint32_t bits, std::byte* out) noexcept {
    out[0] = static_cast<std::byte>(bits >> 16 & 0xff);
    out[1] = static_cast<std::byte>(bits >> 8 & 0xff);
    out[2] = static_cast<std::byte>(bits & 0xff);
}

}  // namespace detail

constexpr result<base64_decoder::step> base64_decoder::decode(std::string_view text, std::span<std::byte> out) noexcept {
    PLAYHEAD_ASSERT(out.size() >= 3);
    std::size_t read = 0, written = 0;
    while (read < text.size() && out.size() - written >= 3) {
        if (held_ == 0 && !ended_) {
            // whole groups without padding
            while (text.size() - read >= 4 && out.size() - written >= 3) {
                const std::uint32_t bits = detail::base64_group(text.data() + read);
                if (bits >= detail::no_base64) break;
                detail::put_base64_group(bits, out.data() + written);
                read += 4;
                written += 3;
            }
            if (read == text.size() || out.size() - written < 3) break;
        }
        // one character of a group that is cut, padded or damaged
        const char c = text[read];
        if (ended_) return error{error_code::bad_base64, read};
        if (c == '=') {
            // padding stands for the third and fourth character, and the bits that it leaves over are zero
            const std::uint32_t left_over = held_ + padding_ == 2 ? bits_ & 0xf : bits_ & 0x3;
            if (held_ < 2 || left_over != 0) return error{error_code::bad_base64, read};
            ++padding_;
            if (held_ + padding_ == 4) {
                const std::uint32_t bits = held_ == 2 ? bits_ << 12 : bits_ << 6;
                out[written++] = static_cast<std::byte>(bits >> 16 & 0xff);
                if (held_ == 3) out[written++] = static_cast<std::byte>(bits >> 8 & 0xff);
                ended_ = true;
            }
        } else {
            const std::uint32_t value = detail::base64_values[3][static_cast<unsigned char>(c)];
            if (value >= detail::no_base64 || padding_ > 0) return error{error_code::bad_base64, read};
            bits_ = bits_ << 6 | value;
            if (++held_ == 4) {
                detail::put_base64_group(bits_, out.data() + written);
                written += 3;
                bits_ = 0;
                held_ = 0;
            }
        }
        ++read;
    }
    return step{read, written};
}

constexpr result<void> base64_decoder::finish() noexcept {
    const bool whole = ended_ || held_ == 0;
    *this = {};
    if (!whole) return error{error_code::bad_base64};
    return {};
}

constexpr result<std::size_t> decode_base64(std::string_view text, std::span<std::byte> out) noexcept {
    if (out.size() < max_bytes_in_base64(text.size())) return error{error_code::too_large, max_bytes_in_base64(text.size())};
    if (text.empty()) return std::size_t{0};
    base64_decoder decoder;
    const auto step = decoder.decode(text, out);
    if (!step) return step.error();
    if (step->read < text.size()) return error{error_code::bad_base64, step->read};
    if (!decoder.finish()) return error{error_code::bad_base64, text.size()};
    return step->written;
}

constexpr result<std::size_t> encode_base64(std::span<const std::byte> bytes, std::span<char> out) noexcept {
    const std::size_t needed = base64_characters_for(bytes.size());
    if (out.size() < needed) return error{error_code::too_large, needed};
    std::size_t written = 0;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
        for (std::size_t k = 0; k < 4; ++k) {
            out[written++] = i + k <= bytes.size() ? detail::base64_alphabet[bits >> (18 - 6 * k) & 0x3f] : '=';
        }
    }
    return written;
}

}  // namespace playhead::wire
