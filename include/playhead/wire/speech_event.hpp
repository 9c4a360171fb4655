#pragma once
// speech_event: one event of the NDJSON speech protocol, put together from its JSON tokens.
//
//     {"event":"audio","index":k,"pcm":"<base64>"}
//     {"event":"final","sample_rate":r,"channels":c,"encoding":"pcm_s16le","sample_count":frames,"effective":{...}}
//     {"event":"error","message":"..."}
//
// Members may come in any order, unknown ones are ignored; a number of more than 24 characters agrees with nothing. The PCM is decoded
// while it comes and goes to the receiver on approval: whether it counts is known at the end of the line. About 500 bytes of state.
#include "../core/pcm_format.hpp"
#include "../core/result.hpp"
#include "base64.hpp"
#include "bounded_text.hpp"
#include "json_value.hpp"
#include "json_writer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace playhead::wire {

class speech_event {
public:
    enum class kind : std::uint8_t { audio, final, error };

    //   effective_space  takes the final event's effective settings
    constexpr explicit speech_event(std::span<char> effective_space) noexcept : effective_{effective_space} {}

    // The value was read: which event was it? audio_events is how many came before it.
    //   errors  bad_event, bad_index, bad_base64, empty_chunk, misaligned, too_large (the effective settings); place: 0
    [[nodiscard]] constexpr result<kind> check(std::uint64_t audio_events, const pcm_format& format) const noexcept;

    // Of an audio event.
    [[nodiscard]] constexpr std::uint64_t pcm_bytes() const noexcept { return pcm_bytes_; }
    // Of a final event: does it name this format, and this many frames?
    [[nodiscard]] constexpr bool has_format(const pcm_format& format) const noexcept;
    [[nodiscard]] constexpr bool has_count(std::uint64_t frames) const noexcept { return number_at(sample_count) == frames; }
    // Of a final event: its effective settings, a JSON object without white space; empty where there are none, or something else.
    [[nodiscard]] constexpr std::string_view effective() const noexcept { return effective_.view(); }
    // Of an error event: what the server said, its beginning where that is long.
    [[nodiscard]] constexpr std::string_view message() const noexcept { return message_.view(); }

    // Ready for the next one.
    constexpr void reset() noexcept;

    // The tokens of an event go here; decoded PCM goes on to receive(std::span<const std::byte>).
    template <typename Receive>
    class handler;

private:
    enum member : std::uint8_t {
        event,
        index,
        pcm,
        sample_rate,
        channels,
        encoding,
        sample_count,
        effective_settings,
        message_text,
        unknown
    };
    static constexpr std::array<std::string_view, unknown> names{"event",    "index",        "pcm",       "sample_rate", "channels",
                                                                 "encoding", "sample_count", "effective", "message"};
    enum class value_type : std::uint8_t { absent, string, number, object, other };

    // A member that was seen: how often, and its first value.
    struct scalar {
        bounded_text<24> text{};
        value_type type = value_type::absent;
        bool doubled = false;
    };

    // A value begins. True where it is to be kept: one of the object's own members (level 1), the first of its name.
    constexpr bool begin_value(value_type type) noexcept;
    constexpr void end_value() noexcept {
        if (levels_ <= 1) current_ = unknown;
    }
    [[nodiscard]] constexpr bool capturing() const noexcept { return current_ == effective_settings; }
    [[nodiscard]] constexpr std::optional<std::uint64_t> number_at(member which) const noexcept {
        const scalar& value = members_[which];
        if (value.type != value_type::number || value.text.overflowed()) return std::nullopt;
        return json_whole_number(value.text.view());
    }
    [[nodiscard]] constexpr bool doubled(member from, member to) const noexcept {
        for (std::uint8_t i = from; i <= to; ++i) {
            if (members_[i].doubled) return true;
        }
        return false;
    }

    std::array<scalar, unknown> members_{};
    bounded_text<16> name_{};
    bounded_text<160> message_{};
    json_writer effective_;
    base64_decoder base64_{};
    std::uint64_t pcm_bytes_ = 0;
    std::uint32_t levels_ = 0;
    member current_ = unknown;
    bool name_is_whole_ = true;
    bool inside_piece_ = false;
    bool is_object_ = false;
    bool pcm_is_bad_ = false;
};

// ---- how it works -------------------------------------------------------------------------------

constexpr void speech_event::reset() noexcept {
    json_writer writer = effective_;
    writer.clear();
    *this = speech_event{{}};
    effective_ = writer;
}

constexpr bool speech_event::begin_value(value_type type) noexcept {
    if (levels_ != 1) return false;
    current_ = unknown;
    for (std::uint8_t i = 0; i < unknown; ++i) {
        if (!name_.is(names[i])) continue;
        if (members_[i].type != value_type::absent) {
            members_[i].doubled = true;
            return false;
        }
        members_[i].type = type;
        // Kept are objects for the settings, strings and numbers for the rest, and not what is inside of others.
        if ((i == effective_settings) != (type == value_type::object) || type == value_type::other) return false;
        current_ = static_cast<member>(i);
        return true;
    }
    return false;
}

constexpr result<speech_event::kind> speech_event::check(std::uint64_t audio_events, const pcm_format& format) const noexcept {
    const scalar& which = members_[event];
    if (!is_object_ || which.type != value_type::string || which.doubled) return error{error_code::bad_event};
    if (which.text.is("audio")) {
        if (doubled(event, pcm) || members_[pcm].type != value_type::string) return error{error_code::bad_event};
        if (members_[index].type != value_type::absent && number_at(index) != audio_events) return error{error_code::bad_index};
        if (pcm_is_bad_) return error{error_code::bad_base64};
        if (pcm_bytes_ == 0) return error{error_code::empty_chunk};
        if (pcm_bytes_ % format.bytes_per_frame() != 0) return error{error_code::misaligned};
        return kind::audio;
    }
    if (which.text.is("final")) {
        if (doubled(sample_rate, effective_settings)) return error{error_code::bad_event};
        if (!effective_.fits()) return error{error_code::too_large};
        return kind::final;
    }
    if (which.text.is("error")) return kind::error;
    return error{error_code::bad_event};
}

constexpr bool speech_event::has_format(const pcm_format& format) const noexcept {
    return number_at(sample_rate) == format.sample_rate && number_at(channels) == format.channels &&
           members_[encoding].type == value_type::string && members_[encoding].text.is(name(format.encoding));
}

template <typename Receive>
class speech_event::handler {
public:
    constexpr handler(speech_event& to, Receive& receive) noexcept : to_{to}, receive_{receive} {}

    constexpr void on_object_begin() noexcept {
        if (to_.levels_ == 0) to_.is_object_ = true;
        to_.begin_value(value_type::object);
        if (to_.capturing()) to_.effective_.on_object_begin();
        ++to_.levels_;
    }
    constexpr void on_array_begin() noexcept {
        to_.begin_value(value_type::other);
        if (to_.capturing()) to_.effective_.on_array_begin();
        ++to_.levels_;
    }
    constexpr void on_object_end() noexcept {
        --to_.levels_;
        if (to_.capturing()) to_.effective_.on_object_end();
        to_.end_value();
    }
    constexpr void on_array_end() noexcept {
        --to_.levels_;
        if (to_.capturing()) to_.effective_.on_array_end();
        to_.end_value();
    }
    constexpr void on_name(std::string_view piece, bool last) noexcept {
        if (to_.capturing()) to_.effective_.on_name(piece, last);
        if (to_.levels_ != 1) return;
        if (to_.name_is_whole_) to_.name_.clear();
        to_.name_.append(piece);
        to_.name_is_whole_ = last;
    }
    constexpr void on_string(std::string_view piece, bool last) noexcept {
        if (!to_.inside_piece_) to_.begin_value(value_type::string);
        to_.inside_piece_ = !last;
        if (to_.capturing()) {
            to_.effective_.on_string(piece, last);
        } else if (to_.current_ == pcm) {
            decode(piece, last);
        } else if (to_.current_ == message_text) {
            to_.message_.append(piece);
        } else if (to_.current_ != unknown) {
            to_.members_[to_.current_].text.append(piece);
        }
        if (last) to_.end_value();
    }
    constexpr void on_number(std::string_view piece, bool last) noexcept {
        if (!to_.inside_piece_) to_.begin_value(value_type::number);
        to_.inside_piece_ = !last;
        if (to_.capturing()) {
            to_.effective_.on_number(piece, last);
        } else if (to_.current_ != unknown) {
            to_.members_[to_.current_].text.append(piece);
        }
        if (last) to_.end_value();
    }
    constexpr void on_literal(json_literal literal) noexcept {
        to_.begin_value(value_type::other);
        if (to_.capturing()) to_.effective_.on_literal(literal);
        to_.end_value();
    }

private:
    constexpr void decode(std::string_view piece, bool last) noexcept {
        // What is known to be no audio event is not decoded.
        const scalar& which = to_.members_[event];
        if (to_.pcm_is_bad_ || (which.type != value_type::absent && !which.text.is("audio"))) return;
        std::array<std::byte, 384> bytes{};
        while (!piece.empty()) {
            const auto step = to_.base64_.decode(piece, bytes);
            if (!step) {
                to_.pcm_is_bad_ = true;
                return;
            }
            piece.remove_prefix(step->read);
            to_.pcm_bytes_ += step->written;
            if (step->written > 0) receive_(std::span<const std::byte>{bytes}.first(step->written));
        }
        if (last && !to_.base64_.finish()) to_.pcm_is_bad_ = true;
    }

    speech_event& to_;
    Receive& receive_;
};

}  // namespace playhead::wire
