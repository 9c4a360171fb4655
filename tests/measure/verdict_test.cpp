#include <playhead/measure/verdict.hpp>

#include <doctest/doctest.h>

#include <array>

using namespace playhead;
using measure::combine;
using measure::verdict;

TEST_SUITE("measure/verdict") {
    TEST_CASE("verdicts have the names that records print") {
        CHECK(name(verdict::pass) == "PASS");
        CHECK(name(verdict::fail) == "FAIL");
        CHECK(name(verdict::unproven) == "UNPROVEN");
        CHECK(name(verdict::not_run) == "NOT RUN");
    }

    TEST_CASE("any FAIL fails, any UNPROVEN leaves it unproven, and what was not run takes no part") {
        constexpr std::array all{verdict::pass, verdict::fail, verdict::unproven, verdict::not_run};
        for (const verdict a : all) {
            for (const verdict b : all) {
                for (const verdict c : all) {
                    const auto any = [&](verdict which) { return a == which || b == which || c == which; };
                    const verdict expected = any(verdict::fail)       ? verdict::fail
                                             : any(verdict::unproven) ? verdict::unproven
                                                                      : verdict::pass;
                    CHECK(name(combine({a, b, c})) == name(expected));
                }
            }
        }
        static_assert(combine({verdict::pass, verdict::unproven, verdict::fail}) == verdict::fail);
        static_assert(combine({verdict::pass, verdict::unproven}) == verdict::unproven);
        static_assert(combine({verdict::pass, verdict::not_run}) == verdict::pass);
    }
}
