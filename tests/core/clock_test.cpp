#include "archetypes.hpp"

#include <playhead/core/clock.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>

using namespace playhead;
using namespace std::chrono_literals;

namespace {

struct clock_with_fractions {
    using time_point = std::chrono::time_point<clock_with_fractions, std::chrono::duration<double>>;
    [[nodiscard]] time_point now() const noexcept { return {}; }
};
struct clock_that_may_throw {
    using time_point = std::chrono::time_point<clock_that_may_throw, nanoseconds>;
    [[nodiscard]] time_point now() const { return {}; }
};
struct clock_that_changes {
    using time_point = std::chrono::time_point<clock_that_changes, nanoseconds>;
    [[nodiscard]] time_point now() noexcept { return {}; }
};
struct clock_with_another_answer {
    using time_point = std::chrono::time_point<clock_with_another_answer, nanoseconds>;
    [[nodiscard]] std::int64_t now() const noexcept { return 0; }
};
struct clock_without_points {
    [[nodiscard]] std::int64_t now() const noexcept { return 0; }
};
struct clock_without_now {
    using time_point = std::chrono::time_point<clock_without_now, nanoseconds>;
};

// Truth table.
static_assert(monotonic_clock<std::chrono::steady_clock>);
static_assert(monotonic_clock<manual_clock>);
static_assert(monotonic_clock<test::least_clock>);
static_assert(monotonic_clock<const manual_clock>);
static_assert(!monotonic_clock<int>);
static_assert(!monotonic_clock<void>);
static_assert(!monotonic_clock<nanoseconds>);
static_assert(!monotonic_clock<clock_with_fractions>);
static_assert(!monotonic_clock<clock_that_may_throw>);
static_assert(!monotonic_clock<clock_that_changes>);
static_assert(!monotonic_clock<clock_with_another_answer>);
static_assert(!monotonic_clock<clock_without_points>);
static_assert(!monotonic_clock<clock_without_now>);

}  // namespace

TEST_SUITE("core/clock") {
    TEST_CASE("a manual clock stands still until it is moved") {
        manual_clock clock;
        const auto start = clock.now();
        CHECK(clock.now() == start);
        clock.advance(5ms);
        CHECK(time_between(start, clock.now()) == 5ms);
        clock.advance(0ms);
        CHECK(time_between(start, clock.now()) == 5ms);
        clock.advance(1ns);
        CHECK(time_between(start, clock.now()) == 5ms + 1ns);
    }

    TEST_CASE("a manual clock never goes back") {
        manual_clock clock;
        clock.advance_to(10ms);
        CHECK(clock.now().time_since_epoch() == 10ms);
        clock.advance_to(3ms);
        CHECK(clock.now().time_since_epoch() == 10ms);
        clock.advance_to(10ms + 1ns);
        CHECK(clock.now().time_since_epoch() == 10ms + 1ns);
    }

    TEST_CASE("a manual clock works in constant expressions") {
        static_assert([] {
            manual_clock clock;
            clock.advance(3ns);
            return clock.now().time_since_epoch();
        }() == 3ns);
        CHECK(manual_clock::is_steady);
    }

    TEST_CASE("time between coarse stamps is in nanoseconds") {
        std::int32_t ms = 7;
        const test::least_clock clock{ms};
        const auto start = clock.now();
        ms = 19;
        CHECK(time_between(start, clock.now()) == 12ms);
        CHECK(time_between(clock.now(), start) == -12ms);
    }

    TEST_CASE("the standard's steady clock qualifies as it is") {
        const std::chrono::steady_clock clock;
        const auto start = clock.now();
        CHECK(time_between(start, clock.now()) >= 0ns);
    }
}
