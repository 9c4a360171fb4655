#include "support/random_numbers.hpp"
#include "support/speech_streams.hpp"

#include <playhead/wire/speech_request.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

using namespace playhead;
using nlohmann::json;
using wire::check_settings;
using wire::speech_request;

namespace {

std::string body_of(const speech_request& request) {
    std::string body(wire::characters_needed_for(request), '?');
    const auto written = wire::write_speech_request(request, body);
    REQUIRE(written);
    CHECK(*written == body.size());
    return body;
}

}  // namespace

TEST_SUITE("wire/speech_request") {
    TEST_CASE("the body says what was asked, in this order") {
        CHECK(body_of({}) == R"({"model":"","input":"","seed":0,"sample_rate":44100,"channels":1,"encoding":"pcm_s16le","stream":true})");
        const std::string audio = "ab";
        const speech_request request{.model = "tts-1",
                                     .input_prefix = "Warmup. ",
                                     .input = "Say \"hello\"\n\u00e9",
                                     .seed = 2'147'483'647,
                                     .format = {24'000, 2},
                                     .settings = R"({ "temperature" : 0.50, "style":{"a": [1, 2]} , "n\u0061me":null })",
                                     .reference_audio = test::bytes_of(audio),
                                     .reference_text = "what \\ was said"};
        CHECK(body_of(request) == R"({"model":"tts-1","input":"Warmup. Say \"hello\"\n)"
                                  "\u00e9"
                                  R"(","seed":2147483647,"sample_rate":24000,"channels":2,"encoding":"pcm_s16le","stream":true,)"
                                  R"("temperature":0.50,"style":{"a": [1, 2]},"n\u0061me":null,)"
                                  R"("reference_audio":"YWI=","reference_text":"what \\ was said"})");
    }

    TEST_CASE("another parser reads from the body what was asked") {
        const std::string audio{"\0\xff reference", 12}, text = "Control \x01 and \x7f, emoji \U0001F600, \"quotes\" \\ and /";
        const speech_request request{.model = text,
                                     .input_prefix = text,
                                     .input = text,
                                     .seed = 7,
                                     .format = {8'000, 8},
                                     .settings = R"({"a":[{}],"b":{"model":1}})",
                                     .reference_audio = test::bytes_of(audio),
                                     .reference_text = text};
        CHECK(json::parse(body_of(request)) == json{{"model", text},
                                                    {"input", text + text},
                                                    {"seed", 7},
                                                    {"sample_rate", 8'000},
                                                    {"channels", 8},
                                                    {"encoding", "pcm_s16le"},
                                                    {"stream", true},
                                                    {"a", json::array({json::object()})},
                                                    {"b", {{"model", 1}}},
                                                    {"reference_audio", test::base64_of(audio)},
                                                    {"reference_text", text}});
    }

    TEST_CASE("reference audio of every length is one base64 text") {
        test::random_numbers random{40};
        CAPTURE(random.seed());
        std::string audio;
        for (std::size_t size = 0; size <= 400; ++size) {
            const json body = json::parse(body_of({.reference_audio = test::bytes_of(audio), .reference_text = "t"}));
            if (size == 0) {
                CHECK_FALSE(body.contains("reference_audio"));
                CHECK_FALSE(body.contains("reference_text"));
            } else {
                if (body["reference_audio"] != test::base64_of(audio)) FAIL("wrong for " << size << " bytes");
                if (body["reference_text"] != "t") FAIL("no text for " << size << " bytes");
            }
            audio += static_cast<char>(random.below(256));
        }
    }

    TEST_CASE("what does not fit is too large, with the characters needed, and nothing past the end is written") {
        const speech_request request{.model = "m", .input = "text", .settings = R"({"a":1})"};
        const std::size_t needed = wire::characters_needed_for(request);
        for (std::size_t room = 0; room < needed; ++room) {
            std::string body(needed + 1, '?');
            REQUIRE(wire::write_speech_request(request, std::span{body}.first(room)).error() == error{error_code::too_large, needed});
            REQUIRE(body.substr(room) == std::string(body.size() - room, '?'));
        }
        std::string more(needed + 10, '?');
        CHECK(wire::write_speech_request(request, more).value_or(0) == needed);
        CHECK(more.substr(needed) == std::string(10, '?'));
    }

    TEST_CASE("settings are an object whose names are their own and stand once") {
        struct row {
            std::string_view settings;
            error failure;
        };
        for (const std::string_view good :
             {"{}", " { } ", R"({"temperature":0.5})", R"({"Model":1,"seeds":2,"input ":3,"":4})", R"({"a":{"model":1,"seed":2}})",
              R"({"a":{"b":1,"b":2}})", R"({"reference":"x"})", "\n{\"a\":\"model\"}\n"}) {
            CAPTURE(good);
            CHECK(check_settings(good).has_value());
        }
        for (const row& each : {
                 row{"", {error_code::bad_json, 0}},
                 row{"  ", {error_code::bad_json, 2}},
                 row{"[]", {error_code::bad_json, 0}},
                 row{"null", {error_code::bad_json, 0}},
                 row{"\"{}\"", {error_code::bad_json, 0}},
                 row{"17", {error_code::bad_json, 0}},
                 row{"{\"a\":}", {error_code::bad_json, 5}},
                 row{"{\"a\":1,}", {error_code::bad_json, 7}},
                 row{"{} {}", {error_code::bad_json, 3}},
                 row{R"({"a":NaN})", {error_code::bad_json, 5}},
                 row{R"({"a":1,"b":2,"a":1})", {error_code::bad_event, 0}},
                 row{R"({"b":1,"a":2,"\u0061":1})", {error_code::bad_event, 1}},
                 row{R"({"model":"x"})", {error_code::out_of_range, 0}},
                 row{R"({"a":1,"input":"x"})", {error_code::out_of_range, 1}},
                 row{R"({"a":1,"b":2,"seed":3})", {error_code::out_of_range, 2}},
                 row{R"({"sample_rate":1})", {error_code::out_of_range, 0}},
                 row{R"({"channels":1})", {error_code::out_of_range, 0}},
                 row{R"({"encoding":1})", {error_code::out_of_range, 0}},
                 row{R"({"stream":false})", {error_code::out_of_range, 0}},
                 row{R"({"s\u0065ed":3})", {error_code::out_of_range, 0}},
                 row{R"({"\u006d\u006f\u0064\u0065\u006C":3})", {error_code::out_of_range, 0}},
             }) {
            CAPTURE(each.settings);
            const auto checked = check_settings(each.settings);
            REQUIRE_FALSE(checked);
            CHECK(name(checked.error().code) == name(each.failure.code));
            CHECK(checked.error().place == each.failure.place);
        }
        const std::string deep = "{\"a\":" + std::string(64, '[') + std::string(64, ']') + "}";
        CHECK(check_settings(deep).error() == error{error_code::too_large, 5 + 63});
        static_assert(wire::reserved_settings.size() == 7);
        static_assert(check_settings(R"({"a":1})").has_value());
    }
}
