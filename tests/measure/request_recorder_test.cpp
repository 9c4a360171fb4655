#include "scripted_transport.hpp"

#include "archetypes.hpp"
#include "support/speech_streams.hpp"

#include <playhead/measure/request_recorder.hpp>

#include <doctest/doctest.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace playhead;
using namespace std::chrono_literals;
using measure::request_figures;
using measure::request_recorder;
using playback::underrun_count;
using test::audio_line;
using test::final_line;
using test::pcm;
using test::script;
using test::speech;

namespace {

// What was heard of one scripted response, with 24 000 frames a second in one channel.
struct recorded {
    explicit recorded(script plays, std::string_view settings = "{}", std::size_t stop_at = 0) : sink{stop_at} {
        manual_clock clock;
        clock.advance(1h);
        test::scripted_transport transport{clock, {std::move(plays)}};
        std::array<char, 64> space{};
        request_recorder recorder{clock, sink, wire::speech_protocol::ndjson, {{24'000, 1}, settings}, space};
        recorder.start();
        figures = recorder.finish(transport.perform({}, recorder));
        effective = figures.effective;
        server_message = figures.server_message;
        stopped_by_sink = recorder.stopped_by_sink();
        transport_was_stopped = transport.was_stopped;
        CHECK(figures.started == 1h);
        if (figures.failure) CHECK_FALSE(figures.ok());
    }

    test::recording_sink sink;
    request_figures figures;
    std::string effective, server_message;
    bool stopped_by_sink = false;
    bool transport_was_stopped = false;
};

void check_failure(const recorded& got, error_code code, std::uint64_t place) {
    REQUIRE(got.figures.failure);
    CHECK(name(got.figures.failure->code) == name(code));
    CHECK(got.figures.failure->place == place);
}

hash::sha256_digest digest_of(const std::string& bytes) { return hash::sha256_of(bytes); }

// `frames` frames that begin with `silent` zero ones.
std::string audio(std::size_t frames, std::size_t silent = 0) {
    std::vector<int> samples(frames, 1000);
    std::fill_n(samples.begin(), silent, 0);
    return pcm(samples);
}

// 80 ms with 10 ms of silence at 30 ms, 2 s at 199 ms, the final event at 250 ms, the end at 251 ms.
script good_response() {
    return speech(10ms,
                  {{30ms, audio_line(audio(1'920, 240))}, {199ms, audio_line(audio(48'000))}, {250ms, final_line(49'920, R"({"a":1})")}},
                  251ms);
}

}  // namespace

TEST_SUITE("measure/request_recorder") {
    TEST_CASE("a good response has every figure") {
        const recorded got{good_response(), R"({"a":1.0})"};
        const request_figures& figures = got.figures;
        CHECK(figures.ok());
        CHECK(figures.status == 200);
        CHECK(figures.head == 10ms);
        CHECK(figures.final == 250ms);
        CHECK(figures.ended == 251ms);
        CHECK(figures.heard.first_pcm() == 30ms);
        CHECK(figures.heard.first_signal() == 30ms);
        CHECK(figures.heard.first_audio() == 40ms);
        CHECK(figures.heard.longest_gap() == 169ms);
        CHECK(figures.heard.underruns() == underrun_count{1, 89ms, 89ms});
        CHECK(figures.heard.gapless_start() == 119ms);
        CHECK(figures.heard.delivery() == playback::delivery::streamed);
        CHECK(figures.heard.frames() == 49'920);
        CHECK(figures.heard.audio() == 2'080ms);
        CHECK(figures.leading_silent_frames == 240);
        CHECK(figures.clumped_chunks == 0);
        CHECK(figures.body_bytes == (audio_line(audio(1'920)) + audio_line(audio(48'000)) + final_line(49'920, R"({"a":1})")).size());
        CHECK(figures.pcm_sha256 == digest_of(audio(1'920, 240) + audio(48'000)));
        CHECK_FALSE(figures.connection);
        CHECK(got.effective == R"({"a":1})");
        CHECK(got.server_message.empty());
        CHECK(got.sink.pcm == audio(1'920, 240) + audio(48'000));
        REQUIRE(got.sink.chunks.size() == 2);
        CHECK(got.sink.chunks[0].index == 0);
        CHECK(got.sink.chunks[0].arrival == 30ms);
        CHECK(got.sink.chunks[0].frames == 1'920);
        CHECK(got.sink.chunks[0].silent_frames == 240);
        CHECK(got.sink.chunks[0].stall == 0ms);
        CHECK(got.sink.chunks[1].index == 1);
        CHECK(got.sink.chunks[1].arrival == 199ms);
        CHECK(got.sink.chunks[1].stall == 89ms);
        CHECK_FALSE(got.stopped_by_sink);
        CHECK_FALSE(got.transport_was_stopped);
    }

    TEST_CASE("a chunk has the stamp of the delivery that brings its last byte") {
        const std::string first = audio_line(audio(240)), second = audio_line(audio(240)), last = final_line(480);
        const recorded got{speech(1ms,
                                  {{5ms, first.substr(0, 10)},
                                   {20ms, first.substr(10, first.size() - 11)},
                                   {35ms, "\n" + second.substr(0, 50)},
                                   {50ms, second.substr(50) + last.substr(0, 5)},
                                   {70ms, last.substr(5)}},
                                  90ms)};
        CHECK(got.figures.ok());
        REQUIRE(got.sink.chunks.size() == 2);
        CHECK(got.sink.chunks[0].arrival == 35ms);
        CHECK(got.sink.chunks[1].arrival == 50ms);
        CHECK(got.figures.final == 70ms);
        CHECK(got.figures.ended == 90ms);
    }

    TEST_CASE("a final event without a line end arrives with the last delivery, not with the end of the body") {
        std::string last = final_line(240);
        last.pop_back();
        const recorded got{speech(1ms, {{5ms, audio_line(audio(240))}, {40ms, last}}, 90ms)};
        CHECK(got.figures.ok());
        CHECK(got.figures.final == 40ms);
        CHECK(got.figures.ended == 90ms);
    }

    TEST_CASE("chunks that come within a millisecond of the one before are counted") {
        const std::string chunk = audio_line(audio(240));
        const recorded got{speech(
            1ms, {{5ms, chunk + chunk}, {6ms, chunk}, {7ms + 1ns, chunk}, {30ms, chunk + chunk + chunk}, {40ms, final_line(7 * 240)}},
            41ms)};
        CHECK(got.figures.ok());
        CHECK(got.figures.heard.chunks() == 7);
        CHECK(got.figures.clumped_chunks == 4);
        const recorded burst{speech(1ms, {{5ms, chunk + chunk + final_line(480)}}, 6ms)};
        CHECK(burst.figures.heard.delivery() == playback::delivery::burst);
        CHECK(burst.figures.clumped_chunks == 1);
    }

    TEST_CASE("how the connection came about is passed on") {
        script plays = good_response();
        plays.steps.insert(plays.steps.begin(),
                           {4ms, test::connects{{.reused = true, .name_lookup = 1ms, .connected = 2ms, .secured = 3ms}}});
        const recorded got{plays};
        REQUIRE(got.figures.connection);
        CHECK(got.figures.connection->reused);
        CHECK(got.figures.connection->name_lookup == 1ms);
        CHECK(got.figures.connection->connected == 2ms);
        CHECK(got.figures.connection->secured == 3ms);
    }

    TEST_CASE("a failure in the middle keeps what came before it, and stops the transport") {
        const std::string first = audio_line(audio(1'920));
        struct row {
            std::string line;
            error_code code;
        };
        for (const row& each :
             {row{"x\n", error_code::bad_json}, row{audio_line("abc"), error_code::misaligned},
              row{audio_line(""), error_code::empty_chunk}, row{audio_line(audio(1), R"(,"index":5)"), error_code::bad_index},
              row{"{\"event\":\"audio\",\"pcm\":\"?\"}\n", error_code::bad_base64}, row{"{}\n", error_code::bad_event},
              row{"{\"event\":\"error\",\"message\":\"no voice\"}\n", error_code::server_error}}) {
            CAPTURE(each.line);
            const recorded got{speech(10ms, {{30ms, first}, {60ms, each.line}, {90ms, audio_line(audio(1'920))}}, 100ms)};
            check_failure(got, each.code, first.size());
            CHECK(got.transport_was_stopped);
            CHECK_FALSE(got.stopped_by_sink);
            CHECK(got.figures.ended == 60ms);
            CHECK_FALSE(got.figures.final);
            CHECK(got.figures.heard.chunks() == 1);
            CHECK(got.figures.heard.frames() == 1'920);
            CHECK(got.figures.heard.first_pcm() == 30ms);
            CHECK(got.figures.pcm_sha256 == digest_of(audio(1'920)));
            CHECK(got.sink.pcm == audio(1'920));
            CHECK(got.sink.on_approval.empty());
            CHECK(got.effective.empty());
            CHECK(got.server_message == (each.code == error_code::server_error ? "no voice" : ""));
        }
    }

    TEST_CASE("audio that breaks off inside its event is dropped, and not in the hash") {
        const std::string first = audio_line(audio(240)), broken = audio_line(audio(4'800)).substr(0, 5'000);
        for (const std::string& rest : {std::string{}, std::string{";"}}) {
            const recorded got{speech(1ms, {{5ms, first}, {9ms, broken}, {12ms, rest + "\n"}}, 20ms)};
            CHECK_FALSE(got.figures.ok());
            CHECK(got.figures.pcm_sha256 == digest_of(audio(240)));
            CHECK(got.figures.heard.frames() == 240);
            CHECK(got.sink.pcm == audio(240));
            CHECK(got.sink.on_approval.empty());
            CHECK(got.sink.events.back() == "drop");
        }
        const recorded cut{speech(1ms, {{5ms, first}, {9ms, broken}}, 20ms, error{error_code::timeout})};
        check_failure(cut, error_code::timeout, 0);
        CHECK(cut.sink.pcm == audio(240));
        CHECK(cut.sink.on_approval.empty());
    }

    TEST_CASE("another status than 200 is its number, and the body says why") {
        for (const int status : {201, 204, 301, 400, 404, 429, 500, 503}) {
            CAPTURE(status);
            for (const std::string& body :
                 {std::string{}, std::string{"overloaded, come back later"}, audio_line(audio(240)) + final_line(240)}) {
                script plays{{{7ms, test::answers{status}}, {7ms, test::says{"content-type", "application/x-ndjson"}}}, 20ms, {}};
                if (!body.empty()) plays.steps.push_back({9ms, test::sends{body}});
                const recorded got{plays};
                check_failure(got, error_code::http_status, static_cast<std::uint64_t>(status));
                CHECK(got.figures.status == status);
                CHECK(got.figures.head == 7ms);
                CHECK(got.figures.heard.chunks() == 0);
                CHECK(got.figures.body_bytes == body.size());
                CHECK(got.server_message == body.substr(0, 160));
                CHECK(got.sink.events.empty());
            }
        }
    }

    TEST_CASE("of a long explanation the beginning is kept, and the rest not waited for") {
        const script plays{{{7ms, test::answers{500}},
                            {8ms, test::sends{std::string(100, 'a')}},
                            {9ms, test::sends{std::string(60, 'b')}},
                            {10ms, test::sends{"c"}},
                            {500ms, test::sends{"d"}}},
                           900ms,
                           {}};
        const recorded got{plays};
        check_failure(got, error_code::http_status, 500);
        CHECK(got.transport_was_stopped);
        CHECK(got.figures.ended == 10ms);
        CHECK(got.server_message == std::string(100, 'a') + std::string(60, 'b'));
    }

    TEST_CASE("a status of failure is the reason even where the body breaks off") {
        const script plays{{{7ms, test::answers{503}}, {9ms, test::sends{"overl"}}}, 20ms, error{error_code::reset}};
        check_failure(recorded{plays}, error_code::http_status, 503);
        const script no_body{{{7ms, test::answers{503}}}, 20ms, error{error_code::reset}};
        check_failure(recorded{no_body}, error_code::http_status, 503);
    }

    TEST_CASE("the head decides whether the body can be audio") {
        struct row {
            std::vector<test::says> headers;
            std::optional<error_code> failure;
        };
        const std::string body = audio_line(audio(240)) + final_line(240);
        for (const row& each : {
                 row{{{"Content-Type", "application/x-ndjson"}}, std::nullopt},
                 row{{{"CONTENT-TYPE", "application/ndjson; charset=utf-8"}}, std::nullopt},
                 row{{{"content-type", "application/jsonl; rate=24000; channels=1"}}, std::nullopt},
                 row{{{"content-type", "application/x-ndjson"}, {"content-encoding", "identity"}}, std::nullopt},
                 row{{{"content-type", "application/x-ndjson"}, {"content-encoding", " Identity "}}, std::nullopt},
                 row{{{"x-content-encoding", "gzip"}, {"content-type", "application/x-ndjson"}}, std::nullopt},
                 row{{{"content-type", "application/x-ndjson"}, {"Content-Encoding", "gzip"}}, error_code::format_mismatch},
                 row{{{"Content-Encoding", "br"}, {"content-type", "application/x-ndjson"}}, error_code::format_mismatch},
                 row{{{"content-type", "application/x-ndjson"}, {"content-encoding", "gzip"}, {"content-encoding", "identity"}},
                     error_code::format_mismatch},
                 row{{{"content-type", "application/x-ndjson"}, {"content-encoding", "identity, gzip"}}, error_code::format_mismatch},
                 row{{{"content-type", "application/x-ndjson; rate=48000"}}, error_code::format_mismatch},
                 row{{{"content-type", "text/html"}}, error_code::format_mismatch},
                 row{{{"content-type", "audio/wav"}}, error_code::format_mismatch},
                 row{{{"content-type", "application/x-ndjson; x=" + std::string(200, 'x')}}, error_code::format_mismatch},
                 row{{}, error_code::format_mismatch},
                 row{{{"content-type", "application/json"}}, error_code::server_error},
                 row{{{"content-type", "application/json; charset=utf-8"}}, error_code::server_error},
             }) {
            script plays{{{5ms, test::answers{200}}}, 30ms, {}};
            for (const auto& header : each.headers) plays.steps.push_back({5ms, header});
            plays.steps.push_back({20ms, test::sends{body}});
            const recorded got{plays};
            CAPTURE(each.headers.size());
            CHECK((got.figures.failure ? std::optional{got.figures.failure->code} : std::nullopt) == each.failure);
            CHECK(got.figures.heard.chunks() == (each.failure ? 0 : 1));
            if (each.failure) CHECK(got.server_message == body.substr(0, 160));
        }
    }

    TEST_CASE("JSON where audio was due is the server's error, and says what it was") {
        const std::string reason = R"({"error":{"message":"model not loaded"}})";
        const script plays{
            {{5ms, test::answers{200}}, {5ms, test::says{"content-type", "application/json"}}, {9ms, test::sends{reason}}}, 30ms, {}};
        const recorded got{plays};
        check_failure(got, error_code::server_error, 0);
        CHECK(got.server_message == reason);
    }

    TEST_CASE("what broke the transport is the reason, with what came until then") {
        const std::string first = audio_line(audio(1'920));
        for (const error_code code :
             {error_code::dns, error_code::connect, error_code::tls, error_code::timeout, error_code::reset, error_code::truncated}) {
            CAPTURE(name(code));
            // before anything came
            const recorded nothing{script{{}, 500ms, error{code, 3}}};
            check_failure(nothing, code, 3);
            CHECK(nothing.figures.status == 0);
            CHECK_FALSE(nothing.figures.head);
            CHECK(nothing.figures.ended == 500ms);
            CHECK(nothing.figures.heard.chunks() == 0);
            CHECK(nothing.figures.pcm_sha256 == digest_of(""));
            // after the status alone
            check_failure(recorded{script{{{9ms, test::answers{200}}}, 500ms, error{code, 3}}}, code, 3);
            // after the head
            check_failure(recorded{speech(10ms, {}, 500ms, error{code, 3})}, code, 3);
            // with a chunk, and half of another
            const recorded partial{speech(10ms, {{30ms, first}, {60ms, first.substr(0, 700)}}, 500ms, error{code, 3})};
            check_failure(partial, code, 3);
            CHECK(partial.figures.heard.chunks() == 1);
            CHECK(partial.figures.heard.first_pcm() == 30ms);
            CHECK(partial.figures.pcm_sha256 == digest_of(audio(1'920)));
            CHECK(partial.figures.ended == 500ms);
            // even with the final event there, the body was not whole
            check_failure(recorded{speech(10ms, {{30ms, first}, {60ms, final_line(1'920)}}, 500ms, error{code, 3})}, code, 3);
            // but an error of the body itself came first
            check_failure(recorded{speech(10ms, {{30ms, first}, {60ms, "x"}}, 500ms, error{code, 3})}, error_code::bad_json, first.size());
        }
    }

    TEST_CASE("nothing at all, and nothing after the head, are truncated") {
        const recorded nothing{script{{}, 5ms, {}}};
        check_failure(nothing, error_code::truncated, 0);
        CHECK(nothing.figures.status == 0);
        const recorded empty_body{speech(3ms, {}, 5ms)};
        check_failure(empty_body, error_code::truncated, 0);
        CHECK(empty_body.figures.status == 200);
        CHECK(empty_body.figures.body_bytes == 0);
        // without a content type it is no audio
        check_failure(recorded{script{{{3ms, test::answers{200}}}, 5ms, {}}}, error_code::format_mismatch, 0);
        const std::string first = audio_line(audio(240));
        check_failure(recorded{speech(3ms, {{4ms, first}}, 5ms)}, error_code::truncated, first.size());
    }

    TEST_CASE("the errors of a response's end") {
        const std::string chunk = audio_line(audio(240));
        check_failure(recorded{speech(1ms, {{2ms, chunk + final_line(240, "{}", 48'000)}}, 3ms)}, error_code::format_mismatch,
                      chunk.size());
        check_failure(recorded{speech(1ms, {{2ms, chunk + final_line(241)}}, 3ms)}, error_code::count_mismatch, 240);
        check_failure(recorded{speech(1ms, {{2ms, chunk + final_line(240)}}, 3ms), R"({"a":1})"}, error_code::settings_mismatch,
                      chunk.size());
        check_failure(recorded{speech(1ms, {{2ms, audio_line(audio(240, 240)) + final_line(240)}}, 3ms)}, error_code::silent, 240);
        const recorded after{speech(1ms, {{2ms, chunk + final_line(240)}, {4ms, "x"}}, 5ms)};
        check_failure(after, error_code::after_final, (chunk + final_line(240)).size());
        CHECK(after.figures.final == 2ms);
    }

    TEST_CASE("a sink that stops, at every event, is told no more of the response") {
        const auto events = recorded{good_response()}.sink.events;
        REQUIRE(events.size() > 5);
        for (std::size_t stop_at = 1; stop_at <= events.size(); ++stop_at) {
            CAPTURE(stop_at);
            const recorded got{good_response(), "{}", stop_at};
            CHECK(got.stopped_by_sink);
            CHECK(got.transport_was_stopped);
            check_failure(got, error_code::stopped, 0);
            CHECK(got.sink.events == std::vector<std::string>(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(stop_at)));
        }
    }

    TEST_CASE("a request may be started again before it is sent") {
        manual_clock clock;
        null_sink nobody;
        request_recorder recorder{clock, nobody, wire::speech_protocol::ndjson, {{24'000, 1}}, {}};
        clock.advance(5s);
        recorder.start();
        test::scripted_transport transport{clock, {good_response()}};
        const auto& figures = recorder.finish(transport.perform({}, recorder));
        CHECK(figures.head == 10ms);
        CHECK(figures.started == 5s);
        MESSAGE("request_recorder: " << sizeof(recorder) << " bytes");
        CHECK(sizeof(recorder) <= 2'000);
    }

    TEST_CASE("the least clock, sink and transport record a request") {
        std::int32_t ms = 1'000;
        const test::least_clock clock{ms};
        test::least_sink sink{flow::go_on};
        std::array<char, 16> space{};
        request_recorder recorder{clock, sink, wire::speech_protocol::ndjson, {{24'000, 1}}, space};
        static_assert(response_receiver<decltype(recorder)>);
        static_assert(wire::pcm_receiver<decltype(recorder)>);
        ms = 1'250;
        const std::string body = audio_line(audio(240)) + final_line(240);
        test::least_transport transport{body};
        const auto& figures = recorder.finish(transport.perform({}, recorder));
        CHECK(figures.ok());
        CHECK(figures.head == 250ms);
        CHECK(figures.heard.first_pcm() == 250ms);
        CHECK(figures.started == 1s);
        CHECK(figures.heard.delivery() == playback::delivery::single);

        test::least_sink impatient{flow::stop};
        request_recorder stopped{clock, impatient, wire::speech_protocol::ndjson, {{24'000, 1}}, space};
        CHECK(stopped.finish(transport.perform({}, stopped)).failure == error{error_code::stopped});
    }
}
