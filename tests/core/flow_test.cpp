#include <playhead/core/flow.hpp>

#include <doctest/doctest.h>

#include <type_traits>

using playhead::flow;

TEST_SUITE("core/flow") {
    TEST_CASE("a receiver answers stop or go on, and never something that turns into a number by itself") {
        static_assert(flow::stop != flow::go_on);
        static_assert(sizeof(flow) == 1);
        static_assert(!std::is_convertible_v<flow, bool> && !std::is_convertible_v<bool, flow>);
        CHECK(static_cast<bool>(flow::go_on));
        CHECK_FALSE(static_cast<bool>(flow::stop));
    }
}
