// A clock counts whole steps; one that counts in floating point loses nanoseconds after days.
// expect: integral
#include <playhead/core/clock.hpp>

#include <chrono>

template <typename Rep>
struct clock_of {
    using time_point = std::chrono::time_point<clock_of, std::chrono::duration<Rep>>;
    time_point now() const noexcept { return {}; }
};

template <playhead::monotonic_clock C>
void measure(const C&) {}

#ifdef RIGHT
void f() { measure(clock_of<long long>{}); }
#else
void f() { measure(clock_of<double>{}); }
#endif
