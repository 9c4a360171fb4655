#pragma once
// clock: what the library asks of a clock, and one that is set by hand.
#include "time.hpp"

#include <chrono>
#include <concepts>

namespace playhead {

// A monotonic clock says how much time has passed on one machine.
//   c.now()     time_point, noexcept   not earlier than an earlier call on the same thread
//   time_point  a std::chrono one      the difference of two is a duration
//   rep         integral               coarse steps are allowed
// Not asked: an epoch, wall time, calls from an interrupt. Fulfilled by std::chrono::steady_clock and manual_clock; the least that
// fulfils it: tests/archetypes.hpp. (Not named `clock`: with a using directive that collides with the C library's.)
template <typename C>
concept monotonic_clock = requires(const C& c) {
    typename C::time_point;
    { c.now() }
    noexcept->std::same_as<typename C::time_point>;
}
&&std::integral<typename C::time_point::rep>;

// The time between two stamps of one clock.
template <typename TimePoint>
[[nodiscard]] constexpr nanoseconds time_between(TimePoint earlier, TimePoint later) noexcept {
    return std::chrono::duration_cast<nanoseconds>(later - earlier);
}

// A clock that stands still until it is moved: for tests, simulations and replays.
class manual_clock {
public:
    using rep = nanoseconds::rep;
    using period = nanoseconds::period;
    using duration = nanoseconds;
    using time_point = std::chrono::time_point<manual_clock, nanoseconds>;
    static constexpr bool is_steady = true;

    [[nodiscard]] constexpr time_point now() const noexcept { return now_; }

    // Moves the clock on; `step` is not negative.
    constexpr void advance(nanoseconds step) noexcept {
        PLAYHEAD_ASSERT(step >= nanoseconds::zero());
        now_ += step;
    }

    // Moves the clock on to `at` since its start; where it is past that, it stays.
    constexpr void advance_to(nanoseconds at) noexcept {
        if (time_point{at} > now_) now_ = time_point{at};
    }

private:
    time_point now_{};
};

}  // namespace playhead
