// A board's tick counter as a playhead clock: one millisecond a tick, wraps in 24 days.
#include <playhead/core/clock.hpp>

#include <cstdio>

struct tick_clock {
    using rep = std::int32_t;
    using period = std::milli;
    using duration = std::chrono::duration<rep, period>;
    using time_point = std::chrono::time_point<tick_clock, duration>;
    static constexpr bool is_steady = true;
    static inline rep ticks = 0;  // counted up by the timer's interrupt
    static time_point now() noexcept { return time_point{duration{ticks}}; }
};
static_assert(playhead::monotonic_clock<tick_clock>);

int main() {
    const auto request = tick_clock::now();
    tick_clock::ticks += 184;
    const auto arrival = playhead::time_between(request, tick_clock::now());
    std::printf("first chunk after %d ms\n", int(std::chrono::duration_cast<std::chrono::milliseconds>(arrival).count()));
}
