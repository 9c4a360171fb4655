#pragma once
// speech_decoder: a response's bytes, in deliveries cut anywhere, into validated PCM.
//
// Damage never becomes noise: each chunk counts only when its whole event was read and is right, and the whole response only when
// finish() says so. The first error ends it. Constant memory whatever comes: about 700 bytes, and the caller's space for the
// effective settings. Deliveries cut differently give the same result. The protocol: docs/figures.md.
#include "../core/pcm_format.hpp"
#include "../core/result.hpp"
#include "json_value.hpp"
#include "ndjson.hpp"
#include "speech_event.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace playhead::wire {

// What was asked for, and what a response must therefore be.
struct speech_expectation {
    pcm_format format{};
    std::string_view settings = "{}";  // a valid JSON object (check_json): what the final event must report; outlives the decoder
};

// Takes what a response says, in order:
//   r.on_pcm(bytes)             the next bytes of a chunk, on approval; the view ends with the call
//   r.on_chunk(frames, silent)  those bytes are a chunk: so many whole frames; `silent` of them come before its first non-zero sample
//   r.on_drop()                 those bytes are nothing: forget them
template <typename R>
concept pcm_receiver = requires(R& r, std::span<const std::byte> bytes, std::uint64_t frames) {
    r.on_pcm(bytes);
    r.on_chunk(frames, frames);
    r.on_drop();
};

class speech_decoder {
public:
    static constexpr std::uint64_t most_response_bytes = std::uint64_t{1024} * 1024 * 1024;

    //   effective_space  takes the effective settings, for the check against those asked for and for effective()
    constexpr speech_decoder(const speech_expectation& asked, std::span<char> effective_space) noexcept
        : asked_{asked}, event_{effective_space} {}

    // Reads the next delivery. After an error it only returns that again.
    //   errors  bad_json, bad_event, bad_index, bad_base64, empty_chunk, misaligned, after_final, server_error, settings that do not
    //           fit effective_space: too_large (place: first byte of the event); a line over 16 MiB, 64 levels or a response over
    //           1 GiB: too_large (place: the first byte too much). Other places: error.hpp.
    template <pcm_receiver Receiver>
    [[nodiscard]] constexpr result<void> feed(std::string_view text, Receiver& receiver) noexcept;
    template <pcm_receiver Receiver>
    [[nodiscard]] result<void> feed(std::span<const std::byte> bytes, Receiver& receiver) noexcept {
        return feed(std::string_view{reinterpret_cast<const char*>(bytes.data()), bytes.size()}, receiver);
    }

    // The body has ended. complete: its transport says that nothing is missing.
    //   errors  those of feed(), then in this order truncated, format_mismatch, count_mismatch, settings_mismatch, silent
    template <pcm_receiver Receiver>
    [[nodiscard]] constexpr result<void> finish(bool complete, Receiver& receiver) noexcept;

    [[nodiscard]] constexpr std::uint64_t bytes() const noexcept { return bytes_; }
    [[nodiscard]] constexpr std::uint64_t frames() const noexcept { return frames_; }
    [[nodiscard]] constexpr std::uint64_t chunks() const noexcept { return chunks_; }
    // The frames before the first non-zero sample; all of them where there is none.
    [[nodiscard]] constexpr std::uint64_t leading_silent_frames() const noexcept { return silence_.frames(asked_.format); }
    // The final event has come.
    [[nodiscard]] constexpr bool has_final() const noexcept { return has_final_; }
    // The final event's effective settings: a JSON object without white space, in effective_space; empty without one.
    [[nodiscard]] constexpr std::string_view effective() const noexcept { return has_final_ ? event_.effective() : std::string_view{}; }
    // What the server's error event said, at most 160 bytes of it.
    [[nodiscard]] constexpr std::string_view server_message() const noexcept { return event_.message(); }

private:
    template <typename Receiver>
    class line_handler;

    [[nodiscard]] constexpr result<void> fail(error what) noexcept {
        error_ = what;
        return what;
    }
    template <typename Receiver>
    [[nodiscard]] constexpr result<void> end_event(std::uint64_t first_byte, Receiver& receiver) noexcept;
    [[nodiscard]] constexpr bool settings_agree() const noexcept;

    speech_expectation asked_;
    ndjson_reader lines_{};
    speech_event event_;
    leading_silence silence_{};      // of the chunks that count
    leading_silence on_approval_{};  // and of the one that is not certain yet
    std::uint64_t bytes_ = 0;
    std::uint64_t frames_ = 0;
    std::uint64_t chunks_ = 0;
    std::uint64_t final_begin_ = 0;
    std::optional<error> error_{};
    bool has_final_ = false;
};

// ---- how it works -------------------------------------------------------------------------------

// Passes tokens on to the event, its PCM to the receiver, and line ends to the decoder.
template <typename Receiver>
class speech_decoder::line_handler {
public:
    constexpr line_handler(speech_decoder& decoder, Receiver& receiver) noexcept
        : decoder_{decoder}, receiver_{receiver}, pcm_{decoder, receiver}, tokens_{decoder.event_, pcm_} {}
    line_handler(const line_handler&) = delete;
    line_handler& operator=(const line_handler&) = delete;

    constexpr void on_object_begin() noexcept { tokens_.on_object_begin(); }
    constexpr void on_object_end() noexcept { tokens_.on_object_end(); }
    constexpr void on_array_begin() noexcept { tokens_.on_array_begin(); }
    constexpr void on_array_end() noexcept { tokens_.on_array_end(); }
    constexpr void on_name(std::string_view piece, bool last) noexcept { tokens_.on_name(piece, last); }
    constexpr void on_string(std::string_view piece, bool last) noexcept { tokens_.on_string(piece, last); }
    constexpr void on_number(std::string_view piece, bool last) noexcept { tokens_.on_number(piece, last); }
    constexpr void on_literal(json_literal literal) noexcept { tokens_.on_literal(literal); }
    constexpr result<void> on_line_end(std::uint64_t first_byte) noexcept { return decoder_.end_event(first_byte, receiver_); }

private:
    struct pcm_to_receiver {
        speech_decoder& decoder;
        Receiver& receiver;
        constexpr void operator()(std::span<const std::byte> bytes) noexcept {
            decoder.on_approval_.on_bytes(bytes);
            receiver.on_pcm(bytes);
        }
    };

    speech_decoder& decoder_;
    Receiver& receiver_;
    pcm_to_receiver pcm_;
    speech_event::handler<pcm_to_receiver> tokens_;
};

template <typename Receiver>
constexpr result<void> speech_decoder::end_event(std::uint64_t first_byte, Receiver& receiver) noexcept {
    const auto kind = event_.check(chunks_, asked_.format);
    if (!kind) return error{kind.error().code, first_byte};  // who feeds the lines drops what was on approval
    switch (*kind) {
        case speech_event::kind::audio: {
            const std::uint64_t frames = event_.pcm_bytes() / asked_.format.bytes_per_frame();
            const std::uint64_t silent_before = silence_.frames(asked_.format);
            const std::uint64_t silent = silence_.ended() ? 0 : on_approval_.frames(asked_.format) - silent_before;
            silence_ = on_approval_;
            frames_ += frames;
            ++chunks_;
            event_.reset();
            receiver.on_chunk(frames, silent);
            return {};
        }
        case speech_event::kind::final:
            // It is judged when the response has ended, but a setting given twice is no answer at all.
            on_approval_ = silence_;
            receiver.on_drop();
            final_begin_ = first_byte;
            has_final_ = true;
            for (json_members asked{asked_.settings}; const auto setting = asked.next();) {
                if (json_find(event_.effective(), setting->name).count > 1) return error{error_code::bad_event, first_byte};
            }
            return {};
        case speech_event::kind::error: return error{error_code::server_error, first_byte};
    }
    return {};
}

constexpr bool speech_decoder::settings_agree() const noexcept {
    for (json_members asked{asked_.settings}; const auto setting = asked.next();) {
        const json_found found = json_find(event_.effective(), setting->name);
        if (found.count != 1 || !json_equal(found.value, setting->value)) return false;
    }
    return true;
}

template <pcm_receiver Receiver>
constexpr result<void> speech_decoder::feed(std::string_view text, Receiver& receiver) noexcept {
    if (error_) return *error_;
    const std::uint64_t room = most_response_bytes - bytes_;
    const bool too_large = text.size() > room;
    if (too_large) text = part_of(text, 0, static_cast<std::size_t>(room));

    line_handler<Receiver> handler{*this, receiver};
    while (!text.empty()) {
        if (has_final_) {
            const std::size_t space = std::min(text.find_first_not_of(" \t\r\n"), text.size());
            bytes_ += space;
            if (space < text.size()) return fail({error_code::after_final, bytes_});
            break;
        }
        // Up to the end of the line, so that nothing behind a final event is taken for JSON.
        const std::size_t line = std::min(text.find('\n'), text.size() - 1) + 1;
        if (const auto read = lines_.feed(part_of(text, 0, line), handler); !read) {
            bytes_ = lines_.bytes();
            receiver.on_drop();
            return fail(read.error());
        }
        bytes_ += line;
        text.remove_prefix(line);
    }
    if (too_large) {
        receiver.on_drop();
        return fail({error_code::too_large, bytes_});
    }
    return {};
}

template <pcm_receiver Receiver>
constexpr result<void> speech_decoder::finish(bool complete, Receiver& receiver) noexcept {
    if (error_) return *error_;
    if (!complete) {
        receiver.on_drop();
        return fail({error_code::truncated, bytes_});
    }
    line_handler<Receiver> handler{*this, receiver};
    if (const auto read = lines_.finish(handler); !read) {
        receiver.on_drop();
        return fail(read.error());
    }
    if (!has_final_) return fail({error_code::truncated, bytes_});
    if (!event_.has_format(asked_.format)) return fail({error_code::format_mismatch, final_begin_});
    if (!event_.has_count(frames_)) return fail({error_code::count_mismatch, frames_});
    if (!settings_agree()) return fail({error_code::settings_mismatch, final_begin_});
    if (!silence_.ended()) return fail({error_code::silent, frames_});
    return {};
}

}  // namespace playhead::wire
