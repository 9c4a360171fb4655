#pragma once
// speech_request: the JSON body that asks for one utterance.
#include "../core/pcm_format.hpp"
#include "../core/result.hpp"
#include "base64.hpp"
#include "json_value.hpp"
#include "json_writer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace playhead::wire {

// All texts are UTF-8.
struct speech_request {
    std::string_view model{};
    std::string_view input_prefix{};  // said before input
    std::string_view input{};
    std::uint32_t seed = 0;
    pcm_format format{};
    std::string_view settings = "{}";              // as check_settings() wants them; their members stand at top level
    std::span<const std::byte> reference_audio{};  // empty: none
    std::string_view reference_text{};             // said in it
};

// The members that settings may not name, because the request itself says them.
inline constexpr std::array<std::string_view, 7> reserved_settings{"model",    "input",    "seed",  "sample_rate",
                                                                   "channels", "encoding", "stream"};

// May `settings` be merged into a request?
//   errors  bad_json (place: byte; also where it is no object); bad_event (a name stands twice); out_of_range (a reserved name);
//           place of the last two: the member's number from 0
[[nodiscard]] constexpr result<void> check_settings(std::string_view settings) noexcept;

// Writes the body to the front of `out`; returns its length.
//   errors  too_large  place: the characters needed
[[nodiscard]] constexpr result<std::size_t> write_speech_request(const speech_request& request, std::span<char> out) noexcept;

// The length of the body.
[[nodiscard]] constexpr std::size_t characters_needed_for(const speech_request& request) noexcept;

// ---- how it works -------------------------------------------------------------------------------

namespace detail {

constexpr void put_speech_request(const speech_request& request, json_writer& to) noexcept {
    to.begin_object();
    to.name("model");
    to.string(request.model);
    to.name("input");
    to.string_piece(request.input_prefix, false);
    to.string_piece(request.input, true);
    to.name("seed");
    to.number(request.seed);
    to.name("sample_rate");
    to.number(request.format.sample_rate);
    to.name("channels");
    to.number(request.format.channels);
    to.name("encoding");
    to.string(name(request.format.encoding));
    to.name("stream");
    to.token("true");
    for (json_members settings{request.settings}; const auto setting = settings.next();) {
        to.quoted_name(setting->name);
        to.token(setting->value);
    }
    if (!request.reference_audio.empty()) {
        to.name("reference_audio");
        constexpr std::size_t bytes_at_once = 192;
        std::array<char, base64_characters_for(bytes_at_once)> text{};
        for (auto rest = request.reference_audio; !rest.empty();) {
            const auto piece = rest.first(std::min(rest.size(), bytes_at_once));
            rest = rest.subspan(piece.size());
            to.string_piece({text.data(), encode_base64(piece, text).value_or(0)}, rest.empty());
        }
        to.name("reference_text");
        to.string(request.reference_text);
    }
    to.end_object();
}

}  // namespace detail

constexpr result<void> check_settings(std::string_view settings) noexcept {
    if (const auto valid = check_json(settings); !valid) return valid;
    if (detail::without_space(settings).front() != '{') return error{error_code::bad_json};
    std::uint64_t at = 0;
    for (json_members members{settings}; const auto member = members.next(); ++at) {
        if (json_find(settings, member->name).count > 1) return error{error_code::bad_event, at};
        for (const auto reserved : reserved_settings) {
            std::array<char, 16> quoted{};
            json_writer writer{quoted};
            writer.string(reserved);
            if (json_same_text(member->name, writer.view())) return error{error_code::out_of_range, at};
        }
    }
    return {};
}

constexpr result<std::size_t> write_speech_request(const speech_request& request, std::span<char> out) noexcept {
    json_writer writer{out};
    detail::put_speech_request(request, writer);
    if (!writer.fits()) return error{error_code::too_large, writer.size()};
    return writer.size();
}

constexpr std::size_t characters_needed_for(const speech_request& request) noexcept {
    json_writer counter{{}};
    detail::put_speech_request(request, counter);
    return counter.size();
}

}  // namespace playhead::wire
