#include "support/json_lines.hpp"

#include <playhead/measure/round_seed.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <set>

using playhead::measure::round_seed;

TEST_SUITE("measure/round_seed") {
    TEST_CASE("the reference rows") {
        int number = 0;
        for (const auto& row : playhead::test::rows_of("reference/round_seed.jsonl")) {
            ++number;
            CAPTURE(number);
            CHECK(round_seed(row["seed_base"].get<std::int64_t>(), row["round_index"].get<std::int64_t>()) ==
                  row["seed"].get<std::uint32_t>());
        }
        CHECK(number == 80);
    }

    TEST_CASE("a seed has 31 bits, for the smallest and the largest numbers too") {
        for (const std::int64_t base : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}, std::int64_t{0}, std::int64_t{1},
                                        std::numeric_limits<std::int64_t>::max()}) {
            for (const std::int64_t round :
                 {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}, std::int64_t{0}, std::numeric_limits<std::int64_t>::max()}) {
                CHECK(round_seed(base, round) <= 0x7fff'ffff);
            }
        }
    }

    TEST_CASE("rounds, warm-ups and bases have seeds of their own") {
        std::set<std::uint32_t> seeds;
        for (std::int64_t base = -5; base <= 5; ++base) {
            for (std::int64_t round = -20; round < 20; ++round) seeds.insert(round_seed(base, round));
        }
        CHECK(seeds.size() == 11 * 40);
        CHECK(round_seed(1, 12) != round_seed(11, 2));
    }
}
