#pragma once
// time: integer nanoseconds, and audio frames as time without drift.
//
// All times are std::chrono::nanoseconds in 64 bits. Frames become time from their cumulative count with one rounding, so that the
// thousandth chunk is as exact as the first. No floating point, no 128-bit arithmetic.
#include "assert.hpp"

#include <chrono>
#include <cstdint>

namespace playhead {

using nanoseconds = std::chrono::nanoseconds;

// The time that `frames` frames play for at `sample_rate` frames a second, rounded to the nearest nanosecond (halves up).
//   sample_rate  1 or more
//   frames       up to 292 years of audio
[[nodiscard]] constexpr nanoseconds frames_to_time(std::uint64_t frames, std::uint32_t sample_rate) noexcept;

// The same time in milliseconds, for statistics and documents: exact to a nanosecond up to 104 days.
[[nodiscard]] constexpr double to_ms(nanoseconds time) noexcept { return static_cast<double>(time.count()) / 1e6; }

// A place in audio that moves on chunk by chunk. elapsed() equals frames_to_time(frames(), sample_rate) at every place, and costs no
// division: advance() divides only when the step differs from the one before.
class media_time {
public:
    //   sample_rate  frames a second, 1 or more
    constexpr explicit media_time(std::uint32_t sample_rate) noexcept;

    constexpr void advance(std::uint64_t frames) noexcept;

    [[nodiscard]] constexpr std::uint64_t frames() const noexcept { return frames_; }
    [[nodiscard]] constexpr std::uint32_t sample_rate() const noexcept { return sample_rate_; }

    // The time from the start to here, rounded once to the nearest nanosecond (halves up).
    [[nodiscard]] constexpr nanoseconds elapsed() const noexcept;

private:
    // An exact time: whole nanoseconds, and the rest in units of 1 / sample_rate nanoseconds.
    struct exact_time {
        std::int64_t whole = 0;
        std::uint64_t rest = 0;
    };
    [[nodiscard]] constexpr exact_time exact(std::uint64_t frames) const noexcept;

    std::uint32_t sample_rate_;
    std::uint64_t frames_ = 0;
    exact_time here_{};
    std::uint64_t last_step_ = 0;
    exact_time last_step_time_{};
};

// ---- how it works -------------------------------------------------------------------------------

namespace detail {

inline constexpr std::uint64_t nanoseconds_in_second = 1'000'000'000;

}  // namespace detail

constexpr nanoseconds frames_to_time(std::uint64_t frames, std::uint32_t sample_rate) noexcept {
    PLAYHEAD_ASSERT(sample_rate > 0);
    const std::uint64_t seconds = frames / sample_rate;
    const std::uint64_t rest = frames % sample_rate;  // below 2^32, so that rest times 10^9 stays below 2^62
    return nanoseconds{static_cast<std::int64_t>(seconds * detail::nanoseconds_in_second +
                                                 (rest * detail::nanoseconds_in_second + sample_rate / 2) / sample_rate)};
}

constexpr media_time::media_time(std::uint32_t sample_rate) noexcept : sample_rate_{sample_rate} { PLAYHEAD_ASSERT(sample_rate > 0); }

constexpr media_time::exact_time media_time::exact(std::uint64_t frames) const noexcept {
    const std::uint64_t seconds = frames / sample_rate_;
    const std::uint64_t rest = frames % sample_rate_ * detail::nanoseconds_in_second;
    return {static_cast<std::int64_t>(seconds * detail::nanoseconds_in_second + rest / sample_rate_), rest % sample_rate_};
}

constexpr void media_time::advance(std::uint64_t frames) noexcept {
    if (frames != last_step_) {
        last_step_ = frames;
        last_step_time_ = exact(frames);
    }
    frames_ += frames;
    here_.whole += last_step_time_.whole;
    here_.rest += last_step_time_.rest;
    if (here_.rest >= sample_rate_) {
        here_.rest -= sample_rate_;
        ++here_.whole;
    }
}

constexpr nanoseconds media_time::elapsed() const noexcept { return nanoseconds{here_.whole + (2 * here_.rest >= sample_rate_ ? 1 : 0)}; }

}  // namespace playhead
