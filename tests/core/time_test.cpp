#include "support/random_numbers.hpp"

#include <playhead/core/time.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace playhead;
using namespace std::chrono_literals;

namespace {

__extension__ using wide = unsigned __int128;

// frames / rate seconds to the nearest nanosecond, halves up, as 128-bit arithmetic has it.
std::int64_t nearest_nanosecond(std::uint64_t frames, std::uint32_t rate) {
    return static_cast<std::int64_t>((wide{frames} * 2'000'000'000 + rate) / (wide{rate} * 2));
}

constexpr std::uint64_t ten_to_13 = 10'000'000'000'000;

}  // namespace

TEST_SUITE("core/time") {
    TEST_CASE("frames become time exactly, at every rate from 8000 to 192000") {
        test::random_numbers random{1};
        CAPTURE(random.seed());
        std::uint64_t compared = 0;
        for (std::uint32_t rate = 8'000; rate <= 192'000; ++rate) {
            for (const std::uint64_t frames :
                 {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{rate} - 1, std::uint64_t{rate}, std::uint64_t{rate} + 1, ten_to_13 - 1,
                  ten_to_13, random.below(ten_to_13), random.below(10 * std::uint64_t{rate})}) {
                ++compared;
                if (frames_to_time(frames, rate).count() != nearest_nanosecond(frames, rate)) {
                    CAPTURE(rate);
                    CAPTURE(frames);
                    FAIL(frames_to_time(frames, rate).count() << " is not " << nearest_nanosecond(frames, rate));
                }
            }
        }
        CHECK(compared == 9 * 184'001);
    }

    TEST_CASE("frames become time exactly at the rates that do not divide a second") {
        test::random_numbers random{2};
        CAPTURE(random.seed());
        for (const std::uint32_t rate : {1U, 2U, 3U, 7U, 11'025U, 22'050U, 44'100U, 88'200U, 176'400U, 4'294'967'295U}) {
            CAPTURE(rate);
            // so that the answer stays within 292 years
            const std::uint64_t most = std::min<std::uint64_t>(ten_to_13, std::uint64_t{rate} * 9'000'000'000);
            for (int i = 0; i < 20'000; ++i) {
                const std::uint64_t frames =
                    i < 2'000 ? std::min<std::uint64_t>(static_cast<std::uint64_t>(i), most) : random.below(most + 1);
                if (frames_to_time(frames, rate).count() != nearest_nanosecond(frames, rate)) {
                    CAPTURE(frames);
                    FAIL(frames_to_time(frames, rate).count() << " is not " << nearest_nanosecond(frames, rate));
                }
            }
        }
    }

    TEST_CASE("halves are rounded up") {
        // 1 / 128000 s = 7812.5 ns, 1 / 64000 s = 15625 ns
        static_assert(frames_to_time(1, 128'000) == 7'813ns);
        static_assert(frames_to_time(2, 128'000) == 15'625ns);
        static_assert(frames_to_time(3, 128'000) == 23'438ns);
        static_assert(frames_to_time(1'920, 24'000) == 80ms);
        static_assert(frames_to_time(1, 44'100) == 22'676ns);  // 22675.7
        static_assert(frames_to_time(0, 1) == 0ns);
        static_assert(frames_to_time(9'223'372'036, 1) == std::chrono::seconds{9'223'372'036});  // 292 years
        CHECK(frames_to_time(1, 128'000) == 7'813ns);
    }

    TEST_CASE("a place in audio is where its frames say, however it got there") {
        test::random_numbers random{3};
        CAPTURE(random.seed());
        for (const std::uint32_t rate :
             {8'000U, 11'025U, 16'000U, 22'050U, 24'000U, 44'100U, 48'000U, 128'000U, 191'999U, 192'000U, 1U, 3U}) {
            CAPTURE(rate);
            // steps: none, one, constant, nearly constant, varying, huge
            for (int kind = 0; kind < 6; ++kind) {
                CAPTURE(kind);
                media_time place{rate};
                REQUIRE(place.elapsed() == 0ns);
                REQUIRE(place.sample_rate() == rate);
                std::uint64_t frames = 0;
                for (int i = 0; i < 2'000; ++i) {
                    std::uint64_t step = 0;
                    switch (kind) {
                        case 1: step = 1; break;
                        case 2: step = 441; break;
                        case 3: step = random.one_in(10) ? 442 : 441; break;
                        case 4: step = random.below(5'000); break;
                        case 5: step = random.below(std::uint64_t{rate} * 4'000'000); break;
                        default: break;
                    }
                    place.advance(step);
                    frames += step;
                    if (place.frames() != frames || place.elapsed() != frames_to_time(frames, rate) ||
                        place.elapsed().count() != nearest_nanosecond(frames, rate)) {
                        CAPTURE(frames);
                        FAIL(place.elapsed().count() << " is not " << nearest_nanosecond(frames, rate) << " after " << place.frames());
                    }
                }
            }
        }
    }

    TEST_CASE("a million chunks of one frame add up to what one chunk of a million frames is") {
        media_time place{44'100};
        for (int i = 0; i < 1'000'000; ++i) place.advance(1);
        CHECK(place.elapsed() == frames_to_time(1'000'000, 44'100));
        CHECK(place.elapsed() == 22'675'736'961ns);
    }

    TEST_CASE("a place in audio works in constant expressions") {
        constexpr auto elapsed = [] {
            media_time place{22'050};
            for (int i = 0; i < 22'050; ++i) place.advance(1);
            return place.elapsed();
        }();
        static_assert(elapsed == 1s);
        CHECK(elapsed == 1s);
    }

    TEST_CASE("milliseconds are exact to a nanosecond up to 104 days") {
        CHECK(to_ms(0ns) == 0.0);
        CHECK(to_ms(1ns) == 1e-6);
        CHECK(to_ms(1500us) == 1.5);
        CHECK(to_ms(-1ms) == -1.0);
        test::random_numbers random{4};
        CAPTURE(random.seed());
        const auto most = static_cast<std::uint64_t>(nanoseconds{104 * 24h}.count());
        for (int i = 0; i < 100'000; ++i) {
            const auto ns = static_cast<std::int64_t>(i == 0 ? most : random.below(most));
            const long double off = static_cast<long double>(to_ms(nanoseconds{ns})) * 1'000'000 - static_cast<long double>(ns);
            if (!(off > -1 && off < 1)) FAIL(ns << " ns became " << to_ms(nanoseconds{ns}) << " ms");
        }
    }
}
