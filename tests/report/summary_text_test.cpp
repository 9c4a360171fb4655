#include <report/summary_text.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

using namespace playhead;

namespace {

measure::request_values row(std::int64_t round, double first_audio, double complete, double audio_ms,
                            playback::underrun_count underruns = {}) {
    using measure::figure;
    measure::request_values values;
    values.round = round;
    values.ok = true;
    values.delivery = playback::delivery::streamed;
    values.underruns = underruns;
    const auto set = [&](figure which, double value) { values.figures[static_cast<std::size_t>(which)] = value; };
    set(figure::first_audio, first_audio);
    set(figure::first_pcm, first_audio - 10);
    set(figure::first_signal, first_audio - 5);
    set(figure::complete_audio, complete);
    set(figure::rtf, complete / audio_ms);
    set(figure::max_stream_gap, 80);
    set(figure::gapless_start, first_audio + to_ms(underruns.length));
    set(figure::prebuffer, to_ms(underruns.length));
    return values;
}

report::benchmark_view view_of(const std::vector<measure::request_values>& rows, std::size_t rounds) {
    std::vector<std::byte> memory(measure::bytes_needed_for_summary(rows.size(), rounds, {}));
    const auto summary = measure::summarise(rows, {}, {}, memory);
    REQUIRE(summary);
    return {.label = "test",
            .model = "a-model",
            .protocol = "ndjson",
            .format = {.sample_rate = 24'000},
            .rounds = rounds,
            .fixtures = rows.size() / rounds,
            .seed_base = 7,
            .limits = {},
            .summary = *summary,
            .warmups = {},
            .failures = {},
            .notes = {}};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_SUITE("report/summary_text") {
    TEST_CASE("a table names its figures, their number, intervals and units") {
        auto view = view_of({row(0, 200, 1000, 2000), row(1, 210, 1010, 2000), row(2, 220, 1020, 2000)}, 3);
        view.warmups = {{.first_audio_ms = 420.0, .complete_audio_ms = 1500.0, .error = ""}};
        view.notes = {"This is a note."};
        const std::string text = report::summary_text(view);
        CAPTURE(text);
        CHECK(text.starts_with("test: a-model, 3 rounds of 1 text = 3 requests, 0 failed\nndjson, 24000 Hz, 1 channel, seed base 7\n"));
        CHECK(has(text, "first audio     3 of 3     210.0 ["));
        CHECK(has(text, "220.0  ms\n"));
        CHECK(has(text, "rtf             3 of 3     0.505 ["));
        CHECK(has(text, "lower is faster"));
        CHECK(has(text, "type 7"));
        CHECK(has(text, "3 rounds resampled (every draw)"));
        CHECK(has(text, "no underrun in 3 requests"));
        CHECK(has(text, "C50 100.0 % [100.0, 100.0], C100 100.0 % [100.0, 100.0], C200 100.0 %"));
        CHECK(has(text, "3 streamed, 0 burst, 0 single\n"));
        CHECK(has(text, "first audio 420.0 ms (2.0 times the median), complete 1500.0 ms"));
        CHECK(has(text, "structural PASS, timing PASS, quality UNPROVEN: UNPROVEN"));
        CHECK(has(text, "note        This is a note.\n"));
    }

    TEST_CASE("stalls, failures and missing warm-ups are said") {
        using namespace std::chrono_literals;
        auto rows = std::vector{row(0, 200, 2500, 2000, {2, 120ms, 90ms}), row(0, 210, 1010, 2000)};
        rows.push_back({.round = 0, .ok = false});
        auto view = view_of(rows, 1);
        view.failures = {"round 0, hello: truncated: the response ended before its end (byte 12)"};
        const std::string text = report::summary_text(view);
        CAPTURE(text);
        CHECK(has(text, "first audio     2 of 3"));
        CHECK(has(text, "2 underruns in 1 of 2 requests, 120.0 ms together, longest 90.00 ms"));
        CHECK(has(text, "C50 50.0 %"));
        CHECK(has(text, "none with one round"));
        CHECK(has(text, "warm-up     none"));
        CHECK(has(text, "structural FAIL, timing FAIL, quality UNPROVEN: FAIL"));
        CHECK(has(text, "timing: 1 failed"));
        CHECK(has(text, "1.250 > 1.000, 2 underruns"));
        CHECK(has(text, "failed      round 0, hello: truncated"));
    }

    TEST_CASE("nothing that was heard is no figure") {
        const auto view = view_of({{.round = 0, .ok = false}}, 1);
        const std::string text = report::summary_text(view);
        CAPTURE(text);
        CHECK(has(text, "1 failed"));
        CHECK(has(text, "continuity  not applicable"));
        CHECK_FALSE(has(text, "nan"));
    }
}
