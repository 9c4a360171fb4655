#pragma once
// timeline: what a listener would have heard of a stream, chunk by chunk.
//
// The listener's player starts with the first chunk, without any buffer. Chunk i plays from max(its arrival, the end of chunk i-1);
// where the arrival is the later one, playback stalled: an underrun. An equal stamp is no underrun.
// O(1) memory and time a chunk, integers only. Measured cost: bench/timeline_bench.cpp. The figures' definitions: docs/figures.md.
#include "../core/time.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

namespace playhead::playback {

// How the chunks of a response came.
enum class delivery : std::uint8_t {
    none,      // no chunk
    single,    // one chunk: not a stream
    burst,     // several, all within 1 ms or 1 % of the audio's duration: something buffered the whole, not a stream
    streamed,  // spread over time
};

[[nodiscard]] constexpr std::string_view name(delivery how) noexcept;

// How often playback stalled, for how long together, and at worst.
struct underrun_count {
    std::uint64_t count = 0;
    nanoseconds length{};
    nanoseconds longest{};

    friend constexpr bool operator==(const underrun_count&, const underrun_count&) = default;
};

class timeline {
public:
    //   sample_rate  frames a second, 1 or more
    constexpr explicit timeline(std::uint32_t sample_rate) noexcept : position_{sample_rate} {}

    // A chunk arrived. One without frames is no chunk and changes nothing.
    //   arrival        since the start of the request; not earlier than that of the chunk before
    //   frames         it holds
    //   silent_frames  the zero frames before its first non-zero sample, `frames` where it has none; looked at until a signal came
    // Returns the length of the stall that it ended, zero where there was none.
    constexpr nanoseconds on_chunk(nanoseconds arrival, std::uint64_t frames, std::uint64_t silent_frames = 0) noexcept;

    // Arrival of the first chunk, silence included. None without a chunk.
    [[nodiscard]] constexpr std::optional<nanoseconds> first_pcm() const noexcept { return if_any(chunks_ > 0, first_); }
    // Arrival of the first chunk that holds a non-zero sample. None without one.
    [[nodiscard]] constexpr std::optional<nanoseconds> first_signal() const noexcept { return if_any(has_signal_, first_signal_); }
    // When the listener hears the first non-zero sample: leading zero samples and stalls included. None without one.
    [[nodiscard]] constexpr std::optional<nanoseconds> first_audio() const noexcept { return if_any(has_signal_, first_audio_); }
    // The longest time between consecutive arrivals. None with fewer than two chunks.
    [[nodiscard]] constexpr std::optional<nanoseconds> longest_gap() const noexcept { return if_any(chunks_ > 1, longest_gap_); }
    // The earliest start of playback that never stalls: the latest of (arrival - audio before it). None without a chunk.
    [[nodiscard]] constexpr std::optional<nanoseconds> gapless_start() const noexcept { return if_any(chunks_ > 0, offset_); }
    // The delay after the first chunk that would have avoided every stall. None without a chunk.
    [[nodiscard]] constexpr std::optional<nanoseconds> prebuffer() const noexcept { return if_any(chunks_ > 0, offset_ - first_); }

    [[nodiscard]] constexpr underrun_count underruns() const noexcept { return {underruns_, offset_ - first_, longest_underrun_}; }
    [[nodiscard]] constexpr playback::delivery delivery() const noexcept;

    [[nodiscard]] constexpr std::uint64_t chunks() const noexcept { return chunks_; }
    [[nodiscard]] constexpr std::uint64_t frames() const noexcept { return position_.frames(); }
    // The duration of the audio so far.
    [[nodiscard]] constexpr nanoseconds audio() const noexcept { return position_.elapsed(); }
    // When the audio so far has played out. None without a chunk.
    [[nodiscard]] constexpr std::optional<nanoseconds> plays_until() const noexcept { return if_any(chunks_ > 0, offset_ + audio()); }

private:
    static constexpr std::optional<nanoseconds> if_any(bool any, nanoseconds figure) noexcept {
        return any ? std::optional{figure} : std::nullopt;
    }

    media_time position_;   // the audio so far
    nanoseconds offset_{};  // playhead minus audio position: moves only when playback stalls
    nanoseconds first_{};   // arrival of the first chunk
    nanoseconds last_{};    // arrival of the latest chunk
    nanoseconds longest_gap_{};
    nanoseconds longest_underrun_{};
    nanoseconds first_signal_{};
    nanoseconds first_audio_{};
    std::uint64_t chunks_ = 0;
    std::uint64_t underruns_ = 0;
    bool has_signal_ = false;
};

// ---- how it works -------------------------------------------------------------------------------
// A chunk is on time when it arrives before offset + (audio before it). Stalls move the offset by their length, so that the sum of all
// stalls is offset - first, the earliest gapless start is the offset itself, and rounding never adds up.

constexpr std::string_view name(delivery how) noexcept {
    switch (how) {
        case delivery::none: return "none";
        case delivery::single: return "single";
        case delivery::burst: return "burst";
        case delivery::streamed: return "streamed";
    }
    return "unknown";
}

constexpr nanoseconds timeline::on_chunk(nanoseconds arrival, std::uint64_t frames, std::uint64_t silent_frames) noexcept {
    if (frames == 0) return nanoseconds::zero();
    nanoseconds stall{};
    const nanoseconds on_time_from = arrival - position_.elapsed();
    if (chunks_ == 0) {
        first_ = arrival;
        offset_ = on_time_from;
    } else {
        longest_gap_ = std::max(longest_gap_, arrival - last_);
        if (on_time_from > offset_) {
            stall = on_time_from - offset_;
            ++underruns_;
            longest_underrun_ = std::max(longest_underrun_, stall);
            offset_ = on_time_from;
        }
    }
    if (!has_signal_ && silent_frames < frames) {
        has_signal_ = true;
        first_signal_ = arrival;
        first_audio_ = offset_ + frames_to_time(position_.frames() + silent_frames, position_.sample_rate());
    }
    last_ = arrival;
    ++chunks_;
    position_.advance(frames);
    return stall;
}

constexpr playback::delivery timeline::delivery() const noexcept {
    using namespace std::chrono_literals;
    if (chunks_ == 0) return delivery::none;
    if (chunks_ == 1) return delivery::single;
    const nanoseconds spread = last_ - first_;
    return spread <= std::max<nanoseconds>(1ms, audio() / 100) ? delivery::burst : delivery::streamed;
}

}  // namespace playhead::playback
