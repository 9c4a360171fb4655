#include "support/json_lines.hpp"
#include "support/random_numbers.hpp"

#include <playhead/playback/timeline.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using namespace playhead;
using namespace std::chrono_literals;
using nlohmann::json;
using playback::delivery;
using playback::timeline;

namespace {

nanoseconds time_of(double ms) { return nanoseconds{std::llround(ms * 1e6)}; }

bool near(const std::optional<nanoseconds>& got, const json& expected_ms) {
    if (expected_ms.is_null() || !got) return expected_ms.is_null() == !got;
    return std::abs(to_ms(*got) - expected_ms.get<double>()) <= 1e-6;
}

struct chunk {
    nanoseconds arrival;
    std::uint64_t frames;
};

std::vector<chunk> chunks_of(const json& row) {
    std::vector<chunk> chunks;
    for (const auto& each : row["chunks"]) chunks.push_back({time_of(each["t_ms"]), each["samples"]});
    return chunks;
}

// What a listener hears of chunks, with the stalls as [index, ms].
void check_playback(const json& row, const json& expect) {
    timeline listener{row["sample_rate"].get<std::uint32_t>()};
    json stalls = json::array();
    for (const chunk& each : chunks_of(row)) {
        const std::uint64_t index = listener.chunks();  // chunks without samples are not counted
        const auto stall = listener.on_chunk(each.arrival, each.frames);
        if (stall > 0ns) stalls.push_back({index, to_ms(stall)});
    }
    CHECK(near(listener.first_pcm(), expect["ttfa_ms"]));
    CHECK(near(listener.gapless_start(), expect["playback_start_ms"]));
    CHECK(near(listener.longest_gap(), expect["max_stream_gap_ms"]));
    CHECK(listener.underruns().count == expect["underruns"].get<std::uint64_t>());
    CHECK(near(listener.underruns().length, expect["underrun_ms"]));
    if (expect.contains("audio_ms")) CHECK(near(listener.audio(), expect["audio_ms"]));
    if (!expect.contains("stalls")) return;
    REQUIRE(stalls.size() == expect["stalls"].size());
    double longest = 0;
    for (std::size_t i = 0; i < stalls.size(); ++i) {
        CHECK(stalls[i][0] == expect["stalls"][i][0]);
        CHECK(std::abs(stalls[i][1].get<double>() - expect["stalls"][i][1].get<double>()) <= 1e-6);
        longest = std::max(longest, expect["stalls"][i][1].get<double>());
    }
    CHECK(near(listener.underruns().longest, longest));
}

void check_onset(const json& row, const json& expect) {
    timeline listener{row["sample_rate"].get<std::uint32_t>()};
    auto silence = row["leading_silent_frames"].get<std::uint64_t>();
    for (const chunk& each : chunks_of(row)) {
        const std::uint64_t here = std::min(silence, each.frames);
        silence -= here;
        listener.on_chunk(each.arrival, each.frames, here);
    }
    CHECK(near(listener.first_pcm(), expect["first_pcm_ms"]));
    CHECK(near(listener.first_signal(), expect["first_signal_ms"]));
    CHECK(near(listener.first_audio(), expect["first_audio_ms"]));
}

// ---- the obvious way, in exact fractions: times in units of 1 / sample_rate nanoseconds

__extension__ using wide = __int128;

struct obvious_listener {
    explicit obvious_listener(std::uint32_t sample_rate) : rate{sample_rate} {}

    void on_chunk(nanoseconds arrival, std::uint64_t frames, std::uint64_t silent) {
        if (frames == 0) return;
        const wide at = wide{arrival.count()} * rate;
        wide begin = at;
        if (chunks > 0) {
            begin = std::max(at, end);
            const wide stall = begin - end;
            if (stall > 0) {
                ++underruns;
                total += stall;
                longest = std::max(longest, stall);
            }
            nearest_tie = std::min(nearest_tie, at > end ? at - end : end - at);
            gap = std::max(gap, at - last);
        } else {
            first = at;
        }
        earliest_start = chunks == 0 ? at : std::max(earliest_start, at - audio);
        if (!has_signal && silent < frames) {
            has_signal = true;
            signal = at;
            heard = begin + wide{silent} * 1'000'000'000;
        }
        end = begin + wide{frames} * 1'000'000'000;
        audio += wide{frames} * 1'000'000'000;
        last = at;
        ++chunks;
    }

    // To the nanosecond and back: is `time` this one, but for less than `tolerance` nanoseconds?
    [[nodiscard]] bool is(nanoseconds time, wide exact, double tolerance) const {
        const wide off = wide{time.count()} * rate - exact;
        return static_cast<double>(off < 0 ? -off : off) <= tolerance * rate;
    }

    std::uint32_t rate;
    wide end = 0, audio = 0, first = 0, last = 0, gap = 0, total = 0, longest = 0, earliest_start = 0, signal = 0, heard = 0;
    wide nearest_tie = wide{1} << 100;
    std::uint64_t chunks = 0, underruns = 0;
    bool has_signal = false;
};

void check_against(const timeline& got, const obvious_listener& expected, double tolerance) {
    REQUIRE(got.chunks() == expected.chunks);
    REQUIRE(got.first_pcm().has_value() == (expected.chunks > 0));
    REQUIRE(got.first_signal().has_value() == expected.has_signal);
    REQUIRE(got.first_audio().has_value() == expected.has_signal);
    REQUIRE(got.longest_gap().has_value() == (expected.chunks > 1));
    REQUIRE(expected.is(got.audio(), expected.audio, std::max(tolerance, 0.5)));
    if (expected.chunks == 0) return;
    REQUIRE(expected.is(*got.first_pcm(), expected.first, 0));
    REQUIRE(expected.is(*got.gapless_start(), expected.earliest_start, tolerance));
    REQUIRE(expected.is(*got.prebuffer(), expected.earliest_start - expected.first, tolerance));
    REQUIRE(expected.is(got.underruns().length, expected.total, tolerance));
    REQUIRE(expected.is(got.underruns().longest, expected.longest, 2 * tolerance));
    REQUIRE(expected.is(*got.plays_until(), expected.end, tolerance + 0.5));
    if (expected.nearest_tie > static_cast<wide>(tolerance * expected.rate)) REQUIRE(got.underruns().count == expected.underruns);
    if (expected.chunks > 1) REQUIRE(expected.is(*got.longest_gap(), expected.gap, 0));
    if (!expected.has_signal) return;
    REQUIRE(expected.is(*got.first_signal(), expected.signal, 0));
    REQUIRE(expected.is(*got.first_audio(), expected.heard, tolerance + 0.5));
}

}  // namespace

TEST_SUITE("playback/timeline") {
    TEST_CASE("the reference rows of playback") {
        int number = 0;
        for (const auto& row : test::rows_of("reference/playback.jsonl")) {
            ++number;
            CAPTURE(number);
            check_playback(row, row["expect"]);
        }
        CHECK(number == 400);
    }

    TEST_CASE("the reference rows of onset") {
        int number = 0;
        for (const auto& row : test::rows_of("reference/onset.jsonl")) {
            ++number;
            CAPTURE(number);
            check_onset(row, row["expect"]);
        }
        CHECK(number == 200);
    }

    TEST_CASE("the cases reported of other programs") {
        for (const auto& row : test::reported_rows("playback")) {
            CAPTURE(row["id"].get<std::string>());
            check_playback(row["row"], row["expect"]);
        }
        for (const auto& row : test::reported_rows("onset")) {
            CAPTURE(row["id"].get<std::string>());
            check_onset(row["row"], row["expect"]);
        }
    }

    TEST_CASE("measured streams start and stall as those who measured them published it") {
        int number = 0;
        for (const auto& row : test::rows_of("measured_streams.jsonl")) {
            ++number;
            CAPTURE(number);
            timeline listener{row["sample_rate"].get<std::uint32_t>()};
            for (const chunk& each : chunks_of(row)) listener.on_chunk(each.arrival, each.frames);
            const auto& published = row["published"];
            REQUIRE(listener.gapless_start());
            CHECK(std::abs(to_ms(*listener.gapless_start()) - published["playback_start_ms"].get<double>()) <= 0.002);
            // what they call stall is the wait that would have avoided it, and the sum of all stalls is the same
            CHECK(std::abs(to_ms(*listener.prebuffer()) - published["stall_ms"].get<double>()) <= 0.002);
            CHECK(std::abs(to_ms(listener.underruns().length) - published["stall_ms"].get<double>()) <= 0.002);
            CHECK(std::abs(to_ms(*listener.first_pcm()) - published["ttfa_ms"].get<double>()) <= 0.002);
        }
        CHECK(number == 98);
    }

    TEST_CASE("measured streams with their tail are heard as a plain simulation hears them") {
        int stalled_by_the_tail = 0;
        for (const auto& row : test::rows_of("measured_streams.jsonl")) {
            const double rate = row["sample_rate"];
            auto chunks = chunks_of(row);
            timeline without_tail{row["sample_rate"].get<std::uint32_t>()}, listener = without_tail;
            for (const chunk& each : chunks) without_tail.on_chunk(each.arrival, each.frames);
            chunks.push_back({time_of(row["t_final_ms"]), row["tail_samples"]});
            double end_ms = -1, stalls_ms = 0;
            std::uint64_t stalls = 0;
            for (const chunk& each : chunks) {
                listener.on_chunk(each.arrival, each.frames);
                if (each.frames == 0) continue;
                const double at = to_ms(each.arrival);
                if (end_ms >= 0 && at > end_ms + 1e-6) {
                    ++stalls;
                    stalls_ms += at - end_ms;
                }
                end_ms = std::max(end_ms, at) + 1000 * static_cast<double>(each.frames) / rate;
            }
            CAPTURE(row["request_id"].get<std::string>());
            CHECK(listener.underruns().count == stalls);
            CHECK(std::abs(to_ms(listener.underruns().length) - stalls_ms) <= 1e-5);
            CHECK(std::abs(to_ms(*listener.plays_until()) - end_ms) <= 1e-5);
            stalled_by_the_tail += listener.underruns().count > without_tail.underruns().count ? 1 : 0;
        }
        CHECK(stalled_by_the_tail > 0);
    }

    TEST_CASE("random streams at rates with whole nanoseconds are exactly what fractions say") {
        test::random_numbers random{50};
        CAPTURE(random.seed());
        for (int stream = 0; stream < 4'000; ++stream) {
            const std::uint32_t rate = std::array{8'000U, 16'000U, 32'000U, 40'000U, 64'000U, 160'000U}[random.below(6)];
            timeline listener{rate};
            obvious_listener expected{rate};
            nanoseconds arrival{static_cast<std::int64_t>(random.below(1'000'000'000))};
            const std::uint64_t silence = random.below(3'000);
            std::uint64_t before = 0;
            for (std::size_t i = random.below(40); i > 0; --i) {
                const std::uint64_t frames = random.one_in(10) ? 0 : random.from_to(1, 2'000);
                const std::uint64_t silent = std::min(frames, silence > before ? silence - before : 0);
                // often just when the audio before it has played out
                if (random.one_in(4) && listener.plays_until() && *listener.plays_until() > arrival) arrival = *listener.plays_until();
                listener.on_chunk(arrival, frames, silent);
                expected.on_chunk(arrival, frames, silent);
                before += frames;
                check_against(listener, expected, 0);
                arrival += nanoseconds{static_cast<std::int64_t>(random.below(80'000'000))};
            }
        }
    }

    TEST_CASE("random streams at every other rate are what fractions say, to the nanosecond, however long") {
        test::random_numbers random{51};
        CAPTURE(random.seed());
        for (int stream = 0; stream < 600; ++stream) {
            const std::uint32_t rate = random.one_in(2) ? std::array{11'025U, 22'050U, 24'000U, 44'100U, 48'000U}[random.below(5)]
                                                        : static_cast<std::uint32_t>(random.from_to(8'000, 192'000));
            timeline listener{rate};
            obvious_listener expected{rate};
            nanoseconds arrival{static_cast<std::int64_t>(random.below(1'000'000'000))};
            for (int i = 0; i < 300; ++i) {
                const std::uint64_t frames = random.one_in(3) ? 441 : random.from_to(1, 4'000);
                const std::uint64_t silent = i == 0 ? random.below(frames + 1) : 0;
                listener.on_chunk(arrival, frames, silent);
                expected.on_chunk(arrival, frames, silent);
                check_against(listener, expected, 1);
                arrival += nanoseconds{static_cast<std::int64_t>(random.below(2 * frames * 1'000'000'000 / rate))};
            }
        }
    }

    TEST_CASE("a chunk that comes the moment the last one ends is no underrun, a nanosecond later is one") {
        timeline listener{24'000};
        CHECK(listener.on_chunk(100ms, 2'400) == 0ns);
        CHECK(listener.on_chunk(200ms, 2'400) == 0ns);
        CHECK(listener.underruns() == playback::underrun_count{});
        CHECK(listener.on_chunk(300ms + 1ns, 2'400) == 1ns);
        CHECK(listener.underruns() == playback::underrun_count{1, 1ns, 1ns});
        // the stall has moved the playhead on
        CHECK(listener.on_chunk(400ms + 1ns, 2'400) == 0ns);
        CHECK(listener.on_chunk(510ms, 2'400) == 10ms - 1ns);
        CHECK(listener.underruns() == playback::underrun_count{2, 10ms, 10ms - 1ns});
        CHECK(listener.gapless_start() == 110ms);
        CHECK(listener.prebuffer() == 10ms);
        CHECK(listener.plays_until() == 610ms);
    }

    TEST_CASE("the example of two chunks") {
        timeline listener{24'000};
        listener.on_chunk(30ms, 1'920);
        listener.on_chunk(199ms, 48'000);
        CHECK(listener.gapless_start() == 119ms);
        CHECK(listener.underruns() == playback::underrun_count{1, 89ms, 89ms});
    }

    TEST_CASE("chunks without frames change nothing, wherever and whenever they come") {
        test::random_numbers random{52};
        CAPTURE(random.seed());
        for (int stream = 0; stream < 200; ++stream) {
            timeline with{22'050}, without{22'050};
            nanoseconds arrival{5ms};
            for (std::size_t i = random.below(12); i > 0; --i) {
                while (random.one_in(2)) {
                    REQUIRE(with.on_chunk(arrival + nanoseconds{static_cast<std::int64_t>(random.below(1'000'000'000))}, 0,
                                          random.below(3)) == 0ns);
                }
                const std::uint64_t frames = random.from_to(1, 3'000), silent = random.below(frames + 1);
                REQUIRE(with.on_chunk(arrival, frames, silent) == without.on_chunk(arrival, frames, silent));
                arrival += nanoseconds{static_cast<std::int64_t>(random.below(200'000'000))};
            }
            REQUIRE(with.first_pcm() == without.first_pcm());
            REQUIRE(with.first_signal() == without.first_signal());
            REQUIRE(with.first_audio() == without.first_audio());
            REQUIRE(with.longest_gap() == without.longest_gap());
            REQUIRE(with.gapless_start() == without.gapless_start());
            REQUIRE(with.underruns() == without.underruns());
            REQUIRE(with.delivery() == without.delivery());
            REQUIRE(with.chunks() == without.chunks());
            REQUIRE(with.frames() == without.frames());
            REQUIRE(with.plays_until() == without.plays_until());
        }
    }

    TEST_CASE("of nothing nothing is known") {
        timeline listener{24'000};
        for (int i = 0; i < 2; ++i) {
            CHECK_FALSE(listener.first_pcm());
            CHECK_FALSE(listener.first_signal());
            CHECK_FALSE(listener.first_audio());
            CHECK_FALSE(listener.longest_gap());
            CHECK_FALSE(listener.gapless_start());
            CHECK_FALSE(listener.prebuffer());
            CHECK_FALSE(listener.plays_until());
            CHECK(listener.underruns() == playback::underrun_count{});
            CHECK(listener.delivery() == delivery::none);
            CHECK(listener.chunks() == 0);
            CHECK(listener.frames() == 0);
            CHECK(listener.audio() == 0ns);
            listener.on_chunk(10ms, 0);
        }
    }

    TEST_CASE("silence delays what is heard, and so do the stalls before the signal") {
        timeline listener{24'000};
        listener.on_chunk(100ms, 2'400, 2'400);  // 100 ms of silence
        CHECK(listener.first_pcm() == 100ms);
        CHECK_FALSE(listener.first_signal());
        listener.on_chunk(250ms, 2'400, 1'200);  // 50 ms late, and 50 ms more of silence
        CHECK(listener.first_signal() == 250ms);
        CHECK(listener.first_audio() == 300ms);
        listener.on_chunk(900ms, 2'400, 0);
        CHECK(listener.first_signal() == 250ms);
        CHECK(listener.first_audio() == 300ms);
        // without a signal there is no onset
        timeline silent{24'000};
        silent.on_chunk(1ms, 10, 10);
        silent.on_chunk(2ms, 10, 10);
        CHECK_FALSE(silent.first_signal());
        CHECK_FALSE(silent.first_audio());
        CHECK(silent.gapless_start());
    }

    TEST_CASE("a response is streamed, a burst or single by its spread") {
        struct row {
            std::vector<chunk> chunks;
            delivery how;
        };
        const std::uint64_t second = 24'000;
        for (const row& each : {
                 row{{}, delivery::none},
                 row{{{5ms, 0}, {900ms, 0}}, delivery::none},
                 row{{{5ms, second}}, delivery::single},
                 row{{{5ms, second}, {900ms, 0}}, delivery::single},
                 row{{{5ms, 1}, {5ms, 1}}, delivery::burst},
                 // 1 ms, where that is more than 1 % of the audio
                 row{{{5ms, 240}, {6ms, 240}}, delivery::burst},
                 row{{{5ms, 240}, {6ms + 1ns, 240}}, delivery::streamed},
                 row{{{5ms, 1'200}, {6ms, 1'200}}, delivery::burst},
                 row{{{5ms, 1'200}, {6ms + 1ns, 1'200}}, delivery::streamed},
                 // 1 %, of 10 s here
                 row{{{0ms, 9 * second}, {100ms, second}}, delivery::burst},
                 row{{{0ms, 9 * second}, {100ms + 1ns, second}}, delivery::streamed},
                 row{{{0ms, second}, {50ms, 8 * second}, {100ms, second}}, delivery::burst},
                 row{{{0ms, second}, {50ms, 8 * second}, {101ms, second}}, delivery::streamed},
                 row{{{0ms, second}, {900ms, second}}, delivery::streamed},
             }) {
            timeline listener{24'000};
            for (const chunk& chunk : each.chunks) listener.on_chunk(chunk.arrival, chunk.frames);
            CAPTURE(each.chunks.size());
            CHECK(name(listener.delivery()) == name(each.how));
        }
        CHECK(name(delivery::none) == "none");
        CHECK(name(delivery::single) == "single");
        CHECK(name(delivery::burst) == "burst");
        CHECK(name(delivery::streamed) == "streamed");
    }

    TEST_CASE("a hundred hours of chunks do not drift") {
        timeline listener{44'100};
        // 441 frames are 10 ms; every chunk comes the moment it is needed
        const std::int64_t chunks = 1'000'000;
        for (std::int64_t i = 0; i < chunks; ++i) listener.on_chunk(10ms * i, 441);
        CHECK(listener.underruns().count == 0);
        CHECK(listener.audio() == 10ms * chunks);
        // one frame at a time, each rounded on its own, would be 22 ns off after a second
        timeline fine{44'100};
        for (int i = 0; i < 44'100; ++i) fine.on_chunk(0ns, 1);
        CHECK(fine.audio() == 1s);
    }

    TEST_CASE("a timeline works in constant expressions") {
        static_assert([] {
            timeline listener{24'000};
            listener.on_chunk(nanoseconds{30'000'000}, 1'920);
            listener.on_chunk(nanoseconds{199'000'000}, 48'000);
            return listener.gapless_start() == nanoseconds{119'000'000} && listener.delivery() == delivery::streamed;
        }());
        CHECK(sizeof(timeline) <= 160);
    }
}
