#include "scripted_transport.hpp"

#include "archetypes.hpp"
#include "support/speech_streams.hpp"

#include <playhead/measure/session.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

using namespace playhead;
using namespace std::chrono_literals;
using measure::figure;
using measure::fixture;
using measure::session;
using measure::session_options;
using nlohmann::json;
using test::audio_line;
using test::final_line;
using test::recording_sink;
using test::script;
using test::scripted_transport;
using test::speech;

namespace {

std::string audio(std::size_t frames, std::size_t silent = 0) {
    std::vector<int> samples(frames, 1000);
    std::fill_n(samples.begin(), silent, 0);
    return test::pcm(samples);
}

// 80 ms at `first` with 10 ms of silence, 2 s at `second`, the final event with it, and the end 1 ms later.
script response(nanoseconds first, nanoseconds second) {
    return speech(1ms, {{first, audio_line(audio(1'920, 240))}, {second, audio_line(audio(48'000)) + final_line(49'920)}}, second + 1ms);
}

const std::vector<fixture> two_fixtures{{.id = "a", .text = "First text."}, {.id = "b", .text = "Second text."}};
session_options options_of(std::uint32_t rounds, std::uint32_t warmup) {
    return {.rounds = rounds, .warmup = warmup, .seed_base = 42, .model = "m", .format = {24'000, 1}};
}

struct run {
    run(const std::vector<fixture>& fixtures, const session_options& options, std::vector<script> scripts, std::size_t stop_at = 0)
        : transport{clock, std::move(scripts)}, sink{stop_at}, memory(session_type::workspace_size(fixtures, options) + 1) {
        // exactly the memory that was asked for, at an odd place
        session_type session{clock, transport, sink, std::span{memory}.subspan(1)};
        summary = session.measure(fixtures, options);
    }

    using session_type = session<manual_clock, recording_sink, scripted_transport>;

    manual_clock clock;
    scripted_transport transport;
    recording_sink sink;
    std::vector<std::byte> memory;
    result<measure::summary> summary{error{error_code::stopped}};
};

}  // namespace

TEST_SUITE("measure/session") {
    TEST_CASE("a session warms up, measures its rounds and tells its sink in order") {
        const run got{two_fixtures, options_of(2, 1), {speech(1ms, {{5ms, audio_line(audio(240)) + final_line(240)}}, 6ms)}};
        REQUIRE(got.summary);
        const std::vector<std::string> request{"pcm 384", "pcm 96", "chunk 0", "drop", "row"};
        std::vector<std::string> expected;
        const auto add = [&](const std::vector<std::string>& events) { expected.insert(expected.end(), events.begin(), events.end()); };
        add({"request 0 of round -1"});
        add(request);
        for (const std::string round : {"0", "1"}) {
            add({"round " + round, "request 0 of round " + round});
            add(request);
            add({"request 1 of round " + round});
            add(request);
            add({"end of round " + round});
        }
        add({"summary"});
        CHECK(got.sink.events == expected);
    }

    TEST_CASE("each request is sent as its fixture, round and settings say") {
        const std::string reference = "reference bytes";
        const std::vector<fixture> fixtures{
            {.id = "a", .text = "First text."},
            {.id = "b", .text = "Second \"text\".", .reference_audio = test::bytes_of(reference), .reference_text = "said"}};
        session_options options = options_of(2, 3);
        options.settings = R"({"temperature":0.5})";
        options.first_round = 5;
        options.path = "/audio/speech";
        const run got{fixtures, options, {speech(1ms, {{5ms, audio_line(audio(240)) + final_line(240, R"({"temperature":0.5})")}}, 6ms)}};
        REQUIRE(got.summary);
        const auto& requests = got.transport.requests;
        REQUIRE(requests.size() == 3 + 2 * 2);
        std::vector<json> bodies;
        for (const auto& each : requests) {
            CHECK(each.path == "/audio/speech");
            CHECK(each.content_type == "application/json");
            CHECK(each.accept == "application/x-ndjson");
            bodies.push_back(json::parse(each.body));
            CHECK(bodies.back()["model"] == "m");
            CHECK(bodies.back()["sample_rate"] == 24'000);
            CHECK(bodies.back()["channels"] == 1);
            CHECK(bodies.back()["encoding"] == "pcm_s16le");
            CHECK(bodies.back()["stream"] == true);
            CHECK(bodies.back()["temperature"] == 0.5);
        }
        // warm-up: the fixtures in turn, with texts and seeds of their own
        std::set<std::string> texts;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::string text = bodies[i]["input"];
            CHECK(text.ends_with(fixtures[i % 2].text));
            for (const auto& each : fixtures) CHECK_FALSE(text.starts_with(each.text));
            CHECK(texts.insert(text).second);
            CHECK(bodies[i]["seed"] == measure::round_seed(42, -static_cast<std::int64_t>(i) - 1));
            CHECK(bodies[i].contains("reference_audio") == (i == 1));
        }
        // rounds: every fixture once, all with the round's seed
        for (std::size_t i = 0; i < 4; ++i) {
            const json& body = bodies[3 + i];
            CHECK(body["input"] == std::string{fixtures[i % 2].text});
            CHECK(body["seed"] == measure::round_seed(42, 5 + static_cast<std::int64_t>(i / 2)));
            CHECK(body.contains("reference_audio") == (i % 2 == 1));
            if (i % 2 == 1) CHECK(body["reference_audio"] == test::base64_of(reference));
            if (i % 2 == 1) CHECK(body["reference_text"] == "said");
        }
        // and the rows say the same
        REQUIRE(got.sink.rows.size() == 7);
        for (std::size_t i = 0; i < 7; ++i) {
            const auto& request = got.sink.rows[i].request;
            CHECK(request.is_warmup == (i < 3));
            CHECK(request.fixture == (i < 3 ? i % 2 : (i - 3) % 2));
            CHECK(request.round == (i < 3 ? -static_cast<std::int64_t>(i) - 1 : 5 + static_cast<std::int64_t>(i - 3) / 2));
            CHECK(request.seed == bodies[i]["seed"].get<std::uint32_t>());
            CHECK(got.sink.rows[i].figures.ok());
            CHECK(got.sink.rows[i].effective == R"({"temperature":0.5})");
        }
    }

    TEST_CASE("the figures of two rounds of two requests, computed by hand") {
        // first audio 40, 50, 60, 110; audio 2080 ms each; the second chunk may come 80 ms after the first
        const run got{
            two_fixtures, options_of(2, 0), {response(30ms, 110ms), response(40ms, 140ms), response(50ms, 259ms), response(100ms, 115ms)}};
        REQUIRE(got.summary);
        const measure::summary& summary = *got.summary;
        CHECK(summary.requests == 4);
        CHECK(summary.failed == 0);
        CHECK(summary[figure::first_audio].n == 4);
        CHECK(summary[figure::first_audio].max == 110.0);
        CHECK(summary[figure::first_audio].median->value == 55);                                     // 40 50 60 110
        CHECK(summary[figure::first_audio].p95->value == doctest::Approx(102.5).epsilon(1e-12));     // 60 + 0.85 * 50
        CHECK(summary[figure::first_audio].median->percentile_interval == stats::interval{45, 85});  // rounds 0 0 and 1 1
        CHECK(summary[figure::first_pcm].median->value == 45);                                       // 30 40 50 100
        CHECK(summary[figure::first_signal].max == 100.0);
        CHECK(summary[figure::complete_audio].median->value == 128.5);  // 111 116 141 260
        CHECK(summary[figure::complete_audio].max == 260.0);
        CHECK(summary[figure::rtf].max == 0.125);  // 260 / 2080
        CHECK(summary[figure::rtf].median->value == doctest::Approx(128.5 / 2'080).epsilon(1e-12));
        CHECK(summary[figure::max_stream_gap].median->value == 90);  // 15 80 100 209
        CHECK(summary[figure::gapless_start].median->value == 80);   // 30 60 100 179
        CHECK(summary[figure::prebuffer].max == 129.0);              // 0 0 20 129
        CHECK(summary[figure::prebuffer].median->value == 10);
        CHECK(summary.underruns == playback::underrun_count{2, 149ms, 129ms});
        CHECK(summary.requests_with_underruns == 2);
        CHECK(summary.delivered(playback::delivery::streamed) == 3);
        CHECK(summary.delivered(playback::delivery::burst) == 1);  // 15 ms of 2080 are under 1 %
        CHECK(summary.continuity[0]->value == doctest::Approx(2.0 / 3));
        CHECK(summary.continuity[1]->value == doctest::Approx(2.0 / 3));
        CHECK(summary.continuity[2]->value == 1);
        CHECK(summary.continuity_vllm_omni->value == doctest::Approx(2.0 / 3));
        CHECK(name(summary.structural) == "PASS");
        CHECK(name(summary.timing) == "FAIL");  // it stalled
        CHECK(name(summary.combined) == "FAIL");
        REQUIRE(got.sink.summary);
        CHECK(got.sink.summary->underruns == summary.underruns);

        REQUIRE(got.sink.rounds.size() == 2);
        const auto& first = got.sink.rounds[0];
        CHECK(first.index == 0);
        CHECK(first.seed == measure::round_seed(42, 0));
        CHECK(first.requests == 2);
        CHECK(first.failed == 0);
        CHECK(first.complete_audio_ms == 126.0);                                   // of 111 and 141
        CHECK(*first.first_audio_p95_ms == doctest::Approx(49.5).epsilon(1e-12));  // of 40 and 50
        CHECK(*first.rtf == doctest::Approx(126.0 / 2'080).epsilon(1e-12));
        CHECK(got.sink.rounds[1].complete_audio_ms == 188.0);  // of 260 and 116
        CHECK(*got.sink.rounds[1].first_audio_p95_ms == doctest::Approx(107.5).epsilon(1e-12));
    }

    TEST_CASE("a failing request is a row, and the run goes on") {
        const std::string chunk = audio_line(audio(240));
        const run got{two_fixtures,
                      options_of(2, 0),
                      {response(30ms, 110ms), script{{{1ms, test::answers{503}}, {2ms, test::sends{"overloaded"}}}, 3ms, {}},
                       speech(1ms, {{9ms, chunk}}, 20ms, error{error_code::reset}), script{{}, 5ms, error{error_code::connect}}}};
        REQUIRE(got.summary);
        CHECK(got.summary->requests == 4);
        CHECK(got.summary->failed == 3);
        CHECK(got.summary->figures[0].n == 1);
        CHECK(name(got.summary->structural) == "FAIL");
        REQUIRE(got.sink.rows.size() == 4);
        CHECK(got.sink.rows[0].figures.ok());
        CHECK(got.sink.rows[1].figures.failure == error{error_code::http_status, 503});
        CHECK(got.sink.rows[1].server_message == "overloaded");
        CHECK(got.sink.rows[2].figures.failure == error{error_code::reset});
        CHECK(got.sink.rows[2].figures.heard.frames() == 240);
        CHECK(got.sink.rows[3].figures.failure == error{error_code::connect});
        REQUIRE(got.sink.rounds.size() == 2);
        CHECK(got.sink.rounds[0].failed == 1);
        CHECK(got.sink.rounds[0].complete_audio_ms == 111.0);
        CHECK(got.sink.rounds[1].failed == 2);
        CHECK_FALSE(got.sink.rounds[1].complete_audio_ms);
        CHECK_FALSE(got.sink.rounds[1].first_audio_p95_ms);
        CHECK_FALSE(got.sink.rounds[1].rtf);
    }

    TEST_CASE("warm-up requests count in nothing, even when they fail or are slow") {
        const run got{two_fixtures,
                      options_of(1, 3),
                      {script{{}, 9s, error{error_code::timeout}}, response(5s, 9s), response(30ms, 700ms), response(30ms, 50ms)}};
        REQUIRE(got.summary);
        CHECK(got.sink.rows.size() == 5);
        CHECK(got.summary->requests == 2);
        CHECK(got.summary->failed == 0);
        CHECK(got.summary->underruns.count == 0);
        CHECK((*got.summary)[figure::first_audio].max == 40.0);
        CHECK(got.sink.rounds.size() == 1);
        CHECK(got.sink.rounds[0].requests == 2);
    }

    TEST_CASE("each request has the clock to itself") {
        const run got{two_fixtures, options_of(2, 1), {response(30ms, 100ms)}};
        REQUIRE(got.summary);
        for (std::size_t i = 0; i < got.sink.rows.size(); ++i) {
            CHECK(got.sink.rows[i].figures.started == static_cast<std::int64_t>(i) * 101ms);
            CHECK(got.sink.rows[i].figures.heard.first_pcm() == 30ms);
            CHECK(got.sink.rows[i].figures.ended == 101ms);
        }
    }

    TEST_CASE("a sink that stops, at every event, ends the session and is told no more than the row in hand") {
        const session_options options = options_of(2, 1);
        const std::vector<script> scripts{response(30ms, 100ms)};
        const auto events = run{two_fixtures, options, scripts}.sink.events;
        for (std::size_t stop_at = 1; stop_at <= events.size(); ++stop_at) {
            CAPTURE(stop_at);
            const std::string& last = events[stop_at - 1];
            CAPTURE(last);
            const run got{two_fixtures, options, scripts, stop_at};
            REQUIRE_FALSE(got.summary);
            CHECK(got.summary.error() == error{error_code::stopped});
            std::vector<std::string> expected(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(stop_at));
            if (last.starts_with("pcm") || last.starts_with("chunk") || last == "drop") expected.emplace_back("row stopped");
            CHECK(got.sink.events == expected);
        }
    }

    TEST_CASE("what cannot be measured is refused before anything is sent") {
        struct row {
            session_options options;
            error failure;
        };
        const auto with = [](auto change) {
            session_options options = options_of(2, 1);
            change(options);
            return options;
        };
        for (const row& each : {
                 row{with([](auto& o) { o.rounds = 0; }), {error_code::no_values}},
                 row{with([](auto& o) { o.format.sample_rate = 7'999; }), {error_code::out_of_range}},
                 row{with([](auto& o) { o.format.sample_rate = 192'001; }), {error_code::out_of_range}},
                 row{with([](auto& o) { o.format.channels = 0; }), {error_code::out_of_range}},
                 row{with([](auto& o) { o.format.channels = 9; }), {error_code::out_of_range}},
                 row{with([](auto& o) { o.first_round = -1; }), {error_code::out_of_range}},
                 row{with([](auto& o) { o.first_round = INT64_MAX; }), {error_code::out_of_range}},
                 row{with([](auto& o) { o.resampling.resamples = 0; }), {error_code::out_of_range}},
                 row{with([](auto& o) { o.settings = ""; }), {error_code::bad_json, 0}},
                 row{with([](auto& o) { o.settings = "[]"; }), {error_code::bad_json, 0}},
                 row{with([](auto& o) { o.settings = "{\"a\":01}"; }), {error_code::bad_json, 6}},
                 row{with([](auto& o) { o.settings = R"({"a":1,"a":1})"; }), {error_code::bad_event, 0}},
                 row{with([](auto& o) { o.settings = R"({"a":1,"seed":1})"; }), {error_code::out_of_range, 1}},
             }) {
            CAPTURE(each.options.settings);
            manual_clock clock;
            scripted_transport transport{clock, {response(30ms, 110ms)}};
            recording_sink sink;
            std::vector<std::byte> memory(1'000'000);
            session measuring{clock, transport, sink, memory};
            const auto got = measuring.measure(two_fixtures, each.options);
            REQUIRE_FALSE(got);
            CHECK(name(got.error().code) == name(each.failure.code));
            CHECK(got.error().place == each.failure.place);
            CHECK(transport.requests.empty());
            CHECK(sink.events.empty());
        }
        manual_clock clock;
        scripted_transport transport{clock, {response(30ms, 110ms)}};
        recording_sink sink;
        session measuring{clock, transport, sink, {}};
        CHECK(measuring.measure({}, options_of(1, 0)).error() == error{error_code::no_values});
    }

    TEST_CASE("the memory asked for is enough, and one byte less is refused with the number") {
        for (const std::uint32_t rounds : {1U, 3U, 10U, 11U}) {
            CAPTURE(rounds);
            session_options options = options_of(rounds, 1);
            options.resampling.resamples = 50;
            const std::size_t needed = run::session_type::workspace_size(two_fixtures, options);
            std::vector<std::byte> memory(needed + 8);
            for (std::size_t offset = 0; offset < 8; offset += rounds == 10 ? 5 : 1) {
                CAPTURE(offset);
                manual_clock clock;
                scripted_transport transport{clock, {response(30ms, 110ms)}};
                recording_sink sink;
                session enough{clock, transport, sink, std::span{memory}.subspan(offset, needed)};
                const auto got = enough.measure(two_fixtures, options);
                REQUIRE(got);
                CHECK(got->requests == 2 * rounds);
                CHECK((*got)[figure::first_audio].median->exact == (rounds <= 10));
                session too_small{clock, transport, sink, std::span{memory}.subspan(offset, needed - 1)};
                CHECK(too_small.measure(two_fixtures, options).error() == error{error_code::too_large, needed});
            }
        }
    }

    TEST_CASE("texts that grow in JSON, and long references, fit the memory asked for") {
        const std::string controls(300, '\x01'), quotes(300, '"'), reference(1'000, 'r');
        const std::vector<fixture> fixtures{
            {.id = "a", .text = controls},
            {.id = "b", .text = quotes, .reference_audio = test::bytes_of(reference), .reference_text = controls}};
        session_options options = options_of(1, 4);
        options.model = quotes;
        const run got{fixtures, options, {response(30ms, 110ms)}};
        REQUIRE(got.summary);
        CHECK(got.summary->failed == 0);
        CHECK(json::parse(got.transport.requests.back().body)["reference_text"] == controls);
        CHECK(json::parse(got.transport.requests[0].body)["input"].get<std::string>().ends_with(controls));
    }

    TEST_CASE("effective settings that are too long for the room are a failed row") {
        session_options options = options_of(1, 0);
        options.effective_characters = 10;
        const std::string chunk = audio_line(audio(240));
        const run got{two_fixtures,
                      options,
                      {speech(1ms, {{5ms, chunk + final_line(240, R"({"a":1234})")}}, 6ms),
                       speech(1ms, {{5ms, chunk + final_line(240, R"({"a":12345})")}}, 6ms)}};
        REQUIRE(got.summary);
        CHECK(got.sink.rows[0].figures.ok());
        CHECK(got.sink.rows[0].effective == R"({"a":1234})");
        CHECK(got.sink.rows[1].figures.failure == error{error_code::too_large, chunk.size()});
    }

    TEST_CASE("the least clock, transport and sink run a session") {
        std::int32_t ms = 0;
        const test::least_clock clock{ms};
        const std::string body = audio_line(audio(240)) + final_line(240);
        test::least_transport transport{body};
        test::least_sink sink{flow::go_on};
        using least_session = session<test::least_clock, test::least_sink, test::least_transport>;
        std::vector<std::byte> memory(least_session::workspace_size(two_fixtures, options_of(2, 1)));
        least_session measuring{clock, transport, sink, memory};
        const auto got = measuring.measure(two_fixtures, options_of(2, 1));
        REQUIRE(got);
        CHECK(got->requests == 4);
        CHECK(got->failed == 0);
        CHECK(got->delivered(playback::delivery::single) == 4);
        for (const auto& share : got->continuity) CHECK_FALSE(share);

        test::least_sink impatient{flow::stop};
        least_session stopped{clock, transport, impatient, memory};
        CHECK(stopped.measure(two_fixtures, options_of(2, 1)).error() == error{error_code::stopped});

        null_sink nobody;
        session quiet{clock, transport, nobody, memory};
        CHECK(quiet.measure(two_fixtures, options_of(2, 1)));
    }
}
