// Looking at the clock cannot fail.
// expect: noexcept|does not satisfy|now\(\)
#include <playhead/core/clock.hpp>

#include <chrono>

template <bool Safe>
struct clock_of {
    using time_point = std::chrono::time_point<clock_of, std::chrono::nanoseconds>;
    time_point now() const noexcept(Safe) { return {}; }
};

template <playhead::monotonic_clock C>
void measure(const C&) {}

#ifdef RIGHT
void f() { measure(clock_of<true>{}); }
#else
void f() { measure(clock_of<false>{}); }
#endif
