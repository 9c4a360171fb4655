#pragma once
// speech_protocol: how speech servers are asked and how they may answer, in HTTP's terms.
#include "../core/pcm_format.hpp"
#include "../core/result.hpp"
#include "text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace playhead::wire {

enum class speech_protocol : std::uint8_t {
    ndjson,  // a JSON object a line, audio as base64, and a final event that everything is checked against
};

[[nodiscard]] constexpr std::string_view name(speech_protocol) noexcept { return "ndjson"; }

// The value of the request's Accept header.
[[nodiscard]] constexpr std::string_view accept(speech_protocol) noexcept { return "application/x-ndjson"; }

// The path below a server's base address; `base` may already end in /v1.
[[nodiscard]] constexpr std::string_view speech_path(std::string_view base) noexcept {
    while (base.ends_with('/')) base.remove_suffix(1);
    return base.ends_with("/v1") ? "/audio/speech" : "/v1/audio/speech";
}

// May a response with status 200 and this Content-Type be audio in this protocol and format?
//   content_type  the header's value, empty where there was none
//   errors        server_error (JSON where audio was due); format_mismatch (any other type, or a rate or channels parameter that differs)
[[nodiscard]] constexpr result<void> check_content_type(speech_protocol protocol, std::string_view content_type,
                                                        const pcm_format& asked) noexcept;

// ---- how it works -------------------------------------------------------------------------------

namespace detail {

// Cuts what is before the next ';' off the front of `rest`, white space around it removed.
[[nodiscard]] constexpr std::string_view take_parameter(std::string_view& rest) noexcept {
    const auto end = std::min(rest.find(';'), rest.size());
    const auto part = part_of(rest, 0, end);
    rest = rest_of(rest, std::min(end + 1, rest.size()));
    return trimmed(part);
}

[[nodiscard]] constexpr std::optional<std::uint64_t> parameter_number(std::string_view text) noexcept {
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = part_of(text, 1, text.size() - 1);
    if (text.empty() || text.size() > 9) return std::nullopt;
    std::uint64_t value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return std::nullopt;
        value = value * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return value;
}

}  // namespace detail

constexpr result<void> check_content_type(speech_protocol, std::string_view content_type, const pcm_format& asked) noexcept {
    constexpr std::array<std::string_view, 3> ndjson_types{"application/x-ndjson", "application/ndjson", "application/jsonl"};
    const auto type = detail::take_parameter(content_type);
    if (same_ignoring_case(type, "application/json")) return error{error_code::server_error};
    bool known = false;
    for (const auto each : ndjson_types) known = known || same_ignoring_case(type, each);
    if (!known) return error{error_code::format_mismatch};
    while (!content_type.empty()) {
        const auto parameter = detail::take_parameter(content_type);
        const auto equals = parameter.find('=');
        if (equals == std::string_view::npos) continue;
        const auto key = trimmed(part_of(parameter, 0, equals));
        const auto value = detail::parameter_number(trimmed(rest_of(parameter, equals + 1)));
        if (same_ignoring_case(key, "rate") && value != asked.sample_rate) return error{error_code::format_mismatch};
        if (same_ignoring_case(key, "channels") && value != asked.channels) return error{error_code::format_mismatch};
    }
    return {};
}

}  // namespace playhead::wire
