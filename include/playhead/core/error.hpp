#pragma once
// error: what went wrong, as a value: a code with a stable name, and the place where it shows.
//
// One code has one cause. name() is the code's spelling in rows, records and `playhead compute`; it never changes. place says where:
// the comment of each code tells in what it counts, and `place_in` names that for a message. No text is stored, nothing is allocated.
#include <cstdint>
#include <string_view>

namespace playhead {

enum class error_code : std::uint8_t {
    // The way to the server.
    dns,          // the host's name has no address
    connect,      // no connection to the host
    tls,          // the secure channel could not be set up
    timeout,      // the deadline for the whole response passed
    reset,        // the peer broke the connection
    truncated,    // the body ended early, or without its terminal event; place: bytes of body received
    http_status,  // a status other than 200; place: the status
    // What the body says.
    bad_json,           // not RFC 8259; place: byte of the body
    bad_base64,         // not canonical, padded RFC 4648 base64; place: first byte of the event
    bad_event,          // an unknown event, a deciding member missing, doubled or of a wrong type; place: first byte of the event
    bad_index,          // an index that is not the number of audio events before it; place: first byte of the event
    bad_sse,            // not an event stream; place: byte of the body
    bad_wav,            // not a WAV file; place: byte of the body
    empty_chunk,        // an audio event without a sample; place: first byte of the event
    misaligned,         // not a whole number of frames; place: first byte of the event
    after_final,        // something follows the final event; place: byte of the body
    count_mismatch,     // the final event counts other frames than came; place: the frames that came
    format_mismatch,    // another sample rate, channel count, encoding or content type than asked
    settings_mismatch,  // an asked setting is missing from the effective ones, or differs
    silent,             // not one non-zero sample; place: the frames that came
    server_error,       // the server said that it failed; place: first byte of the event
    too_large,          // over a stated limit, or what was given to write to is too small; place: see the function
    // The library's own.
    stopped,       // a receiver or a sink asked to stop
    out_of_range,  // a number outside its stated range; place: see the function
    no_values,     // a statistic of nothing
    not_finite,    // a NaN, or an infinity where none may be; place: its index
};

// The stable snake_case name of `code`.
[[nodiscard]] constexpr std::string_view name(error_code code) noexcept;

// One sentence on the cause of `code`, without a full stop.
[[nodiscard]] constexpr std::string_view message(error_code code) noexcept;

// What the place of an error with `code` in a response counts in ("byte", "status", "frame"); empty where it says nothing.
[[nodiscard]] constexpr std::string_view place_in(error_code code) noexcept;

struct error {
    error_code code{};
    std::uint64_t place = 0;

    friend constexpr bool operator==(const error&, const error&) = default;
};

// ---- the texts ----------------------------------------------------------------------------------

namespace detail {

struct error_text {
    std::string_view name;
    std::string_view message;
    std::string_view place_in;
};

constexpr error_text text_of(error_code code) noexcept {
    switch (code) {
        case error_code::dns: return {"dns", "the host name has no address", ""};
        case error_code::connect: return {"connect", "no connection to the server", ""};
        case error_code::tls: return {"tls", "the secure channel could not be set up", ""};
        case error_code::timeout: return {"timeout", "the deadline for the whole response passed", ""};
        case error_code::reset: return {"reset", "the server broke the connection", ""};
        case error_code::truncated: return {"truncated", "the response ended before its end", "byte"};
        case error_code::http_status: return {"http_status", "the server answered with another status than 200", "status"};
        case error_code::bad_json: return {"bad_json", "not JSON as RFC 8259 has it", "byte"};
        case error_code::bad_base64: return {"bad_base64", "not padded, canonical base64 as RFC 4648 has it", "byte"};
        case error_code::bad_event: return {"bad_event", "an event is unknown, or lacks, doubles or mistypes a deciding member", "byte"};
        case error_code::bad_index: return {"bad_index", "an audio event's index is not the count of audio events before it", "byte"};
        case error_code::bad_sse: return {"bad_sse", "not an event stream", "byte"};
        case error_code::bad_wav: return {"bad_wav", "not a WAV file", "byte"};
        case error_code::empty_chunk: return {"empty_chunk", "an audio event holds no sample", "byte"};
        case error_code::misaligned: return {"misaligned", "the audio is not a whole number of frames", "byte"};
        case error_code::after_final: return {"after_final", "something follows the final event", "byte"};
        case error_code::count_mismatch: return {"count_mismatch", "the final event counts other frames than came", "frame"};
        case error_code::format_mismatch: return {"format_mismatch", "the audio is in another format than asked for", "byte"};
        case error_code::settings_mismatch: return {"settings_mismatch", "an asked setting is not among the effective ones", "byte"};
        case error_code::silent: return {"silent", "not one sample is other than zero", "frame"};
        case error_code::server_error: return {"server_error", "the server said that it failed", "byte"};
        case error_code::too_large: return {"too_large", "larger than a stated limit", "byte"};
        case error_code::stopped: return {"stopped", "stopped on request", ""};
        case error_code::out_of_range: return {"out_of_range", "a number is outside its range", ""};
        case error_code::no_values: return {"no_values", "no values, so no statistic of them", ""};
        case error_code::not_finite: return {"not_finite", "a value is not a finite number", ""};
    }
    return {"unknown", "an error without a name", ""};
}

}  // namespace detail

constexpr std::string_view name(error_code code) noexcept { return detail::text_of(code).name; }
constexpr std::string_view message(error_code code) noexcept { return detail::text_of(code).message; }
constexpr std::string_view place_in(error_code code) noexcept { return detail::text_of(code).place_in; }

}  // namespace playhead
