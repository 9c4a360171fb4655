#include "archetypes.hpp"

#include <playhead/core/sink.hpp>

#include <doctest/doctest.h>

using namespace playhead;

namespace {

struct lap {
    int number;
};
struct finish_line {};

struct sink_of_laps {
    int last = 0;
    flow on(const lap& event) {
        last = event.number;
        return last < 3 ? flow::go_on : flow::stop;
    }
};
struct sink_without_answer {
    void on(const lap&) {}
};
struct sink_with_a_bool {
    bool on(const lap&) { return true; }
};
struct sink_that_changes_events {
    flow on(lap&) { return flow::go_on; }
};

// Truth table.
static_assert(sink_for<sink_of_laps, lap>);
static_assert(!sink_for<sink_of_laps, finish_line>);
static_assert(sink<sink_of_laps, lap>);
static_assert(!sink<sink_of_laps, lap, finish_line>);
static_assert(sink<null_sink, lap, finish_line>);
static_assert(sink<sink_of_laps>);
static_assert(!sink_for<const sink_of_laps, lap>);
static_assert(!sink_for<sink_without_answer, lap>);
static_assert(!sink_for<sink_with_a_bool, lap>);
static_assert(!sink_for<sink_that_changes_events, lap>);
static_assert(!sink_for<int, lap>);
static_assert(measure::session_sink<null_sink>);
static_assert(measure::session_sink<test::least_sink>);
static_assert(!measure::session_sink<sink_of_laps>);

}  // namespace

TEST_SUITE("core/sink") {
    TEST_CASE("the null sink goes on whatever comes") {
        null_sink nothing;
        CHECK(nothing.on(lap{1}) == flow::go_on);
        CHECK(nothing.on(finish_line{}) == flow::go_on);
        static_assert(null_sink{}.on(lap{2}) == flow::go_on);
    }

    TEST_CASE("a sink says when it has heard enough") {
        sink_of_laps laps;
        CHECK(laps.on(lap{1}) == flow::go_on);
        CHECK(laps.on(lap{3}) == flow::stop);
        CHECK(laps.last == 3);
    }
}
