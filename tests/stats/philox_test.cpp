#include <playhead/stats/philox.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <tuple>

using playhead::stats::philox;

TEST_SUITE("stats/philox") {
    TEST_CASE("the published answers of philox4x32-10") {
        struct row {
            philox::block counter;
            std::uint64_t key;  // its first word is the low half
            philox::block answer;
        };
        for (const row& each : {
                 row{{0, 0, 0, 0}, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
                 row{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                     0xffffffffffffffff,
                     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
                 row{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                     0x299f31d0a4093822,
                     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
             }) {
            CHECK(philox{each.key}.at(each.counter) == each.answer);
        }
        static_assert(philox{0}.at(philox::block{})[0] == 0x6627e8d5);
    }

    TEST_CASE("a number of a stream is a place in the block at its counter") {
        const philox random{0x0123456789abcdef};
        for (const std::uint64_t stream : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0xffffffff}, std::uint64_t{0x123456789abc}}) {
            for (const std::uint64_t index : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{4}, std::uint64_t{0x400000003}}) {
                const std::uint64_t block = index / 4;
                const auto four = random.at(philox::block{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                                                          static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)});
                CHECK(random.at(stream, index) == four[index % 4]);
            }
        }
    }

    TEST_CASE("numbers do not depend on the order of asking") {
        const philox forwards{5}, backwards{5};
        for (std::uint64_t i = 0; i < 100; ++i) CHECK(forwards.at(1, i) == forwards.at(1, i));
        for (std::uint64_t i = 100; i > 0; --i) CHECK(backwards.at(1, i - 1) == forwards.at(1, i - 1));
    }

    TEST_CASE("seeds, streams and places give different numbers") {
        std::set<std::uint32_t> seen;
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
            for (std::uint64_t stream = 0; stream < 10; ++stream) {
                for (std::uint64_t i = 0; i < 10; ++i) seen.insert(philox{seed}.at(stream, i));
            }
        }
        CHECK(seen.size() == 1000);
    }
}
