#include <playhead/stats/resampling.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <set>
#include <span>
#include <vector>

using namespace playhead;
using stats::for_each_resample;
using stats::resampling;

namespace {

std::uint64_t factorial(std::uint64_t n) { return n <= 1 ? 1 : n * factorial(n - 1); }

std::uint64_t power(std::uint64_t base, std::uint64_t exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

using weights = std::vector<std::uint32_t>;

std::vector<weights> draws_of(std::size_t rounds, const resampling& how) {
    std::vector<weights> all;
    weights memory(rounds);
    for_each_resample(memory, how,
                      [&](std::span<const std::uint32_t> drawn, std::uint64_t) { all.emplace_back(drawn.begin(), drawn.end()); });
    return all;
}

}  // namespace

TEST_SUITE("stats/resampling") {
    TEST_CASE("up to ten rounds every multiset comes once, with the number of draws that give it") {
        // C(2R - 1, R)
        constexpr std::array<std::uint64_t, 11> multisets{0, 1, 3, 10, 35, 126, 462, 1716, 6435, 24'310, 92'378};
        for (std::size_t rounds = 1; rounds <= 10; ++rounds) {
            CAPTURE(rounds);
            const resampling how;
            REQUIRE(resampling::is_exact(rounds));
            CHECK(how.visits(rounds) == multisets[rounds]);
            CHECK(how.total(rounds) == power(rounds, rounds));

            std::set<weights> seen;
            std::uint64_t draws = 0, visits = 0;
            weights memory(rounds), last;
            for_each_resample(memory, how, [&](std::span<const std::uint32_t> drawn, std::uint64_t multiplicity) {
                last.assign(drawn.begin(), drawn.end());
                std::uint64_t ways = factorial(rounds);
                std::uint32_t sum = 0;
                for (const std::uint32_t weight : drawn) {
                    ways /= factorial(weight);
                    sum += weight;
                }
                if (sum != rounds || multiplicity != ways || !seen.insert(last).second) FAIL("visit " << visits << ": " << multiplicity);
                draws += multiplicity;
                ++visits;
            });
            CHECK(visits == multisets[rounds]);
            CHECK(seen.size() == multisets[rounds]);
            CHECK(draws == power(rounds, rounds));
            CHECK(memory == last);
        }
    }

    TEST_CASE("neighbours of the enumeration mostly differ in two weights") {
        std::uint64_t close = 0, far = 0;
        const auto all = draws_of(8, {});
        for (std::size_t i = 1; i < all.size(); ++i) {
            int different = 0;
            for (std::size_t r = 0; r < 8; ++r) different += all[i][r] != all[i - 1][r] ? 1 : 0;
            ++(different == 2 ? close : far);
        }
        CHECK(close > far);
    }

    TEST_CASE("the enumeration needs neither seed nor number of resamples") {
        CHECK(draws_of(4, {.resamples = 1, .seed = 1}) == draws_of(4, {.resamples = 999, .seed = 2}));
    }

    TEST_CASE("above ten rounds as many draws come as were asked for, each counting once") {
        for (const std::size_t rounds : {11U, 12U, 40U, 1000U}) {
            CAPTURE(rounds);
            const resampling how{.resamples = 123, .seed = 9};
            CHECK_FALSE(resampling::is_exact(rounds));
            CHECK(how.visits(rounds) == 123);
            CHECK(how.total(rounds) == 123);
            weights memory(rounds), last;
            std::uint64_t visits = 0;
            for_each_resample(memory, how, [&](std::span<const std::uint32_t> drawn, std::uint64_t multiplicity) {
                ++visits;
                last.assign(drawn.begin(), drawn.end());
                REQUIRE(multiplicity == 1);
                REQUIRE(drawn.size() == rounds);
                REQUIRE(std::accumulate(drawn.begin(), drawn.end(), std::uint64_t{0}) == rounds);
            });
            CHECK(visits == 123);
            CHECK(memory == last);
        }
    }

    TEST_CASE("draws are the same for the same seed, and others for another") {
        const auto first = draws_of(12, {.resamples = 50, .seed = 0});
        CHECK(first == draws_of(12, {.resamples = 50, .seed = 0}));
        CHECK(first != draws_of(12, {.resamples = 50, .seed = 1}));
        // more draws begin with the same ones
        const auto more = draws_of(12, {.resamples = 60, .seed = 0});
        CHECK(std::equal(first.begin(), first.end(), more.begin()));
        CHECK(std::set<weights>(first.begin(), first.end()).size() > 45);
    }

    TEST_CASE("every round is drawn about equally often") {
        constexpr std::size_t rounds = 20;
        std::array<std::uint64_t, rounds> drawn_of{};
        for (const auto& drawn : draws_of(rounds, {.resamples = 10'000, .seed = 3})) {
            for (std::size_t r = 0; r < rounds; ++r) drawn_of[r] += drawn[r];
        }
        // 200 000 draws over 20 rounds: 10 000 each with a standard deviation of 97
        for (const std::uint64_t count : drawn_of) {
            CHECK(count > 9'500);
            CHECK(count < 10'500);
        }
    }

    TEST_CASE("the enumeration works in constant expressions") {
        static_assert([] {
            std::array<std::uint32_t, 3> memory{};
            std::uint64_t draws = 0;
            for_each_resample(memory, {}, [&](std::span<const std::uint32_t>, std::uint64_t multiplicity) { draws += multiplicity; });
            return draws;
        }() == 27);
        static_assert(resampling{}.visits(10) == 92'378 && resampling{}.total(10) == 10'000'000'000);
        CHECK(resampling{}.resamples == 10'000);
    }
}
