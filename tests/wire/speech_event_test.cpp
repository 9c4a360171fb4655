#include "support/cuts.hpp"
#include "support/speech_streams.hpp"

#include <playhead/wire/speech_event.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>

using namespace playhead;
using wire::speech_event;
using kind = speech_event::kind;

namespace {

struct event_read {
    std::optional<kind> which;
    std::optional<error> failure;
    std::string pcm;
    std::uint64_t pcm_bytes = 0;
    bool format_agrees = false;
    std::string effective;
    std::string message;
    friend bool operator==(const event_read&, const event_read&) = default;
};

event_read read(const test::pieces& pieces, std::uint64_t audio_events = 0, std::size_t room = 256) {
    std::string space(room, '\0');
    speech_event event{space};
    event_read made;
    auto receive = [&](std::span<const std::byte> bytes) { made.pcm.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()); };
    speech_event::handler<decltype(receive)> handler{event, receive};
    wire::json_tokenizer tokenizer;
    for (const auto piece : pieces) {
        if (!tokenizer.is_done()) REQUIRE(tokenizer.feed(piece, handler));
    }
    REQUIRE(tokenizer.finish(handler));
    const auto checked = event.check(audio_events, {24'000, 1});
    if (checked) {
        made.which = *checked;
        made.pcm_bytes = event.pcm_bytes();
    } else {
        made.failure = checked.error();
        CHECK(made.failure->place == 0);
        made.pcm.clear();  // how much came of what is wrong depends on the cut
    }
    made.format_agrees = event.has_format({24'000, 1});
    made.effective = event.effective();
    made.message = event.message();
    return made;
}

// The same for every cut.
event_read read_every_way(std::string_view text, std::uint64_t audio_events = 0) {
    const event_read whole = read({text}, audio_events);
    test::for_every_cut(text, [&](const test::pieces& pieces) { REQUIRE(read(pieces, audio_events) == whole); });
    return whole;
}

}  // namespace

TEST_SUITE("wire/speech_event") {
    TEST_CASE("an event is what its members say, in any order and however they are escaped") {
        struct row {
            std::string_view text;
            kind which;
        };
        for (const row& each : {
                 row{R"({"event":"audio","index":0,"pcm":"AQA="})", kind::audio},
                 row{R"({"pcm":"AQA=","index":0,"event":"audio"})", kind::audio},
                 row{R"({"event":"audio","pcm":"AQA="})", kind::audio},
                 row{R"({"\u0065vent":"aud\u0069o","\u0070cm":"AQ\u0041\u003d"})", kind::audio},
                 row{R"({"event":"audio","index":0.0,"pcm":"AQA="})", kind::audio},
                 row{R"({"event":"audio","index":-0,"pcm":"AQA="})", kind::audio},
                 row{R"({"event":"audio","index":0e5,"pcm":"AQA="})", kind::audio},
                 row{R"({"event":"audio","pcm":"AQA=","Event":"x","PCM":1,"event ":2,"pcm2":"!","":[]})", kind::audio},
                 row{R"({"event":"audio","pcm":"AQA=","x":{"event":"final","pcm":"!","index":7}})", kind::audio},
                 row{R"({"x":[{"event":1,"pcm":2}],"event":"audio","pcm":"AQA="})", kind::audio},
                 row{R"({"x":1,"x":2,"event":"audio","pcm":"AQA="})", kind::audio},  // doubled, but nothing that decides
                 row{R"({"event":"audio","pcm":"AQA=","message":"a","message":"b"})", kind::audio},
                 row{R"({"event":"audio","pcm":"AQA=","effective":{"a":1},"sample_rate":"x"})", kind::audio},
                 row{R"({"event":"final"})", kind::final},
                 row{R"({"event":"final","pcm":"not base64 at all"})", kind::final},
                 row{R"({"pcm":"!!","event":"final"})", kind::final},
                 row{R"({"event":"final","pcm":"A","pcm":"B","index":3,"index":4})", kind::final},
                 row{R"({"event":"error"})", kind::error},
                 row{R"({"event":"error","message":17,"pcm":false})", kind::error},
                 row{R"({"message":"no","event":"error","sample_rate":1,"sample_rate":2})", kind::error},
             }) {
            CAPTURE(each.text);
            const event_read got = read_every_way(each.text);
            REQUIRE(got.which);
            CHECK(*got.which == each.which);
            if (each.which == kind::audio) CHECK(got.pcm == std::string{"\x01\0", 2});
        }
    }

    TEST_CASE("what is no event is refused with its code") {
        struct row {
            std::string_view text;
            error_code code;
        };
        for (const row& each : {
                 row{"{}", error_code::bad_event},
                 row{"[]", error_code::bad_event},
                 row{"null", error_code::bad_event},
                 row{"17", error_code::bad_event},
                 row{R"("audio")", error_code::bad_event},
                 row{R"(["event","audio","pcm","AQA="])", error_code::bad_event},
                 row{R"([{"event":"audio","pcm":"AQA="}])", error_code::bad_event},
                 row{R"({"pcm":"AQA="})", error_code::bad_event},
                 row{R"({"event":"Audio","pcm":"AQA="})", error_code::bad_event},
                 row{R"({"event":"audio ","pcm":"AQA="})", error_code::bad_event},
                 row{R"({"event":"","pcm":"AQA="})", error_code::bad_event},
                 row{R"({"event":"progress"})", error_code::bad_event},
                 row{R"({"event":"audioaudioaudioaudioaudioaudio","pcm":"AQA="})", error_code::bad_event},
                 row{R"({"event":1,"pcm":"AQA="})", error_code::bad_event},
                 row{R"({"event":null,"pcm":"AQA="})", error_code::bad_event},
                 row{R"({"event":["audio"],"pcm":"AQA="})", error_code::bad_event},
                 row{R"({"event":{"event":"audio"},"pcm":"AQA="})", error_code::bad_event},
                 row{R"({"event":"audio","event":"audio","pcm":"AQA="})", error_code::bad_event},
                 row{R"({"event":"audio","pcm":"AQA=","\u0065vent":"final"})", error_code::bad_event},
                 row{R"({"event":"audio"})", error_code::bad_event},
                 row{R"({"event":"audio","pcm":null})", error_code::bad_event},
                 row{R"({"event":"audio","pcm":["AQA="]})", error_code::bad_event},
                 row{R"({"event":"audio","pcm":{"pcm":"AQA="}})", error_code::bad_event},
                 row{R"({"event":"audio","pcm":7})", error_code::bad_event},
                 row{R"({"event":"audio","pcm":"AQA=","pcm":"AgA="})", error_code::bad_event},
                 row{R"({"event":"audio","pcm":"AQA=","p\u0063m":"AgA="})", error_code::bad_event},
                 row{R"({"event":"audio","index":0,"index":0,"pcm":"AQA="})", error_code::bad_event},
                 row{R"({"event":"audio","pcm":"AQA=","pcm":null})", error_code::bad_event},
                 row{R"({"event":"audio","index":1,"pcm":"AQA="})", error_code::bad_index},
                 row{R"({"event":"audio","index":-1,"pcm":"AQA="})", error_code::bad_index},
                 row{R"({"event":"audio","index":0.5,"pcm":"AQA="})", error_code::bad_index},
                 row{R"({"event":"audio","index":"0","pcm":"AQA="})", error_code::bad_index},
                 row{R"({"event":"audio","index":null,"pcm":"AQA="})", error_code::bad_index},
                 row{R"({"event":"audio","index":[0],"pcm":"AQA="})", error_code::bad_index},
                 row{R"({"event":"audio","index":18446744073709551616,"pcm":"AQA="})", error_code::bad_index},
                 row{R"({"event":"audio","index":1,"pcm":"!"})", error_code::bad_index},
                 row{R"({"event":"audio","pcm":"AQA"})", error_code::bad_base64},
                 row{R"({"event":"audio","pcm":"AQ=A"})", error_code::bad_base64},
                 row{R"({"event":"audio","pcm":"AQB="})", error_code::bad_base64},
                 row{R"({"event":"audio","pcm":"AQA=\n"})", error_code::bad_base64},
                 row{R"({"event":"audio","pcm":" AQA="})", error_code::bad_base64},
                 row{R"({"event":"audio","pcm":"AQA=AQA="})", error_code::bad_base64},
                 row{R"({"event":"audio","pcm":"AQ\u00e9="})", error_code::bad_base64},
                 row{R"({"pcm":"!","event":"audio"})", error_code::bad_base64},
                 row{R"({"event":"audio","pcm":"A"})", error_code::bad_base64},
                 row{R"({"event":"audio","pcm":""})", error_code::empty_chunk},
                 row{R"({"event":"audio","pcm":"AQ=="})", error_code::misaligned},
                 row{R"({"event":"audio","pcm":"AQAB"})", error_code::misaligned},
                 row{R"({"event":"final","sample_rate":1,"sample_rate":1})", error_code::bad_event},
                 row{R"({"event":"final","channels":1,"channels":1})", error_code::bad_event},
                 row{R"({"event":"final","encoding":"pcm_s16le","encoding":"pcm_s16le"})", error_code::bad_event},
                 row{R"({"event":"final","sample_count":1,"sample_count":1})", error_code::bad_event},
                 row{R"({"event":"final","effective":{},"effective":{}})", error_code::bad_event},
             }) {
            CAPTURE(each.text);
            const event_read got = read_every_way(each.text);
            REQUIRE(got.failure);
            CHECK(name(got.failure->code) == name(each.code));
        }
    }

    TEST_CASE("an index is the number of audio events before") {
        CHECK(read({R"({"event":"audio","index":7,"pcm":"AQA="})"}, 7).which == kind::audio);
        CHECK(read({R"({"event":"audio","index":7.0,"pcm":"AQA="})"}, 7).which == kind::audio);
        CHECK(read({R"({"event":"audio","index":0.7e1,"pcm":"AQA="})"}, 7).which == kind::audio);
        CHECK(read({R"({"event":"audio","index":7,"pcm":"AQA="})"}, 6).failure->code == error_code::bad_index);
        CHECK(read({R"({"event":"audio","pcm":"AQA="})"}, 12'345).which == kind::audio);
    }

    TEST_CASE("a frame is as wide as the channels that were asked for") {
        std::string space(16, '\0');
        speech_event event{space};
        auto receive = [](std::span<const std::byte>) {};
        speech_event::handler<decltype(receive)> handler{event, receive};
        wire::json_tokenizer tokenizer;
        REQUIRE(tokenizer.feed(R"({"event":"audio","pcm":"AQABAAEA"})", handler));  // six bytes
        CHECK(event.check(0, {24'000, 1}).has_value());
        CHECK(event.check(0, {24'000, 3}).has_value());
        CHECK(event.check(0, {24'000, 2}).error().code == error_code::misaligned);
        CHECK(event.check(0, {24'000, 4}).error().code == error_code::misaligned);
    }

    TEST_CASE("PCM longer than any buffer of the decoder comes whole") {
        std::string bytes;
        for (int i = 0; i < 4'000; ++i) bytes += static_cast<char>(i * 7 + i / 256);
        const std::string text = R"({"event":"audio","pcm":")" + test::base64_of(bytes) + "\"}";
        for (const std::size_t at_once : {1U, 3U, 4U, 5U, 383U, 511U, 512U, 513U, 10'000U}) {
            test::pieces pieces;
            for (std::size_t at = 0; at < text.size(); at += at_once) pieces.push_back(std::string_view{text}.substr(at, at_once));
            const event_read got = read(pieces);
            CHECK(got.pcm == bytes);
            CHECK(got.pcm_bytes == 4'000);
        }
    }

    TEST_CASE("a final event names its format, as JSON numbers are compared") {
        struct row {
            std::string_view members;
            bool agrees;
        };
        for (const row& each : {
                 row{R"("sample_rate":24000,"channels":1,"encoding":"pcm_s16le")", true},
                 row{R"("encoding":"pcm\u005fs16le","channels":1.0,"sample_rate":2.4e4)", true},
                 row{R"("sample_rate":24000.00000000000000000,"channels":1,"encoding":"pcm_s16le")", true},
                 row{R"("sample_rate":24000.0000000000000000001,"channels":1,"encoding":"pcm_s16le")", false},
                 row{R"("sample_rate":24001,"channels":1,"encoding":"pcm_s16le")", false},
                 row{R"("sample_rate":24000,"channels":2,"encoding":"pcm_s16le")", false},
                 row{R"("sample_rate":24000,"channels":1,"encoding":"pcm_s16be")", false},
                 row{R"("sample_rate":24000,"channels":1,"encoding":"PCM_S16LE")", false},
                 row{R"("sample_rate":"24000","channels":1,"encoding":"pcm_s16le")", false},
                 row{R"("sample_rate":24000,"channels":true,"encoding":"pcm_s16le")", false},
                 row{R"("sample_rate":24000,"channels":1,"encoding":16)", false},
                 row{R"("channels":1,"encoding":"pcm_s16le")", false},
                 row{R"("sample_rate":24000,"encoding":"pcm_s16le")", false},
                 row{R"("sample_rate":24000,"channels":1)", false},
                 row{R"("sample_rate":-24000,"channels":1,"encoding":"pcm_s16le")", false},
                 row{R"("sample_rate":[24000],"channels":1,"encoding":"pcm_s16le")", false},
             }) {
            CAPTURE(each.members);
            const event_read got = read_every_way(R"({"event":"final",)" + std::string{each.members} + "}");
            CHECK(got.which == kind::final);
            CHECK(got.format_agrees == each.agrees);
        }
    }

    TEST_CASE("effective settings are an object without white space, or nothing") {
        struct row {
            std::string_view value, effective;
        };
        for (const row& each : {
                 row{"{}", "{}"},
                 row{R"({ "a" : [ 1 , 2.50 , {"b":null} ] , "\u0063" : "\/x" })", R"({"a":[1,2.50,{"b":null}],"c":"/x"})"},
                 row{R"({"event":"audio","pcm":"!"})", R"({"event":"audio","pcm":"!"})"},
                 row{"null", ""},
                 row{"5", ""},
                 row{"\"{}\"", ""},
                 row{"[]", ""},
                 row{R"([{"a":1}])", ""},
                 row{"true", ""},
             }) {
            CAPTURE(each.value);
            CHECK(read_every_way(R"({"event":"final","effective":)" + std::string{each.value} + R"(,"sample_count":1})").effective ==
                  each.effective);
        }
        CHECK(read({R"({"event":"final"})"}).effective.empty());
    }

    TEST_CASE("effective settings that do not fit are too large, to the character") {
        const std::string text = R"({"event":"final","effective":{"name":"value"}})";
        CHECK(read({text}, 0, 16).which == kind::final);
        CHECK(read({text}, 0, 15).failure->code == error_code::too_large);
        CHECK(read({text}, 0, 0).failure->code == error_code::too_large);
        // where they decide nothing, their size does not matter
        CHECK(read({R"({"event":"audio","pcm":"AQA=","effective":{"name":"value"}})"}, 0, 3).which == kind::audio);
    }

    TEST_CASE("an error event's message is kept to its 160th byte") {
        CHECK(read({R"({"event":"error","message":"out of \"memory\"\n"})"}).message == "out of \"memory\"\n");
        const std::string long_text(500, 'x');
        CHECK(read({R"({"message":")" + long_text + R"(","event":"error"})"}).message == long_text.substr(0, 160));
        CHECK(read({R"({"event":"error","message":{"message":"inner"}})"}).message.empty());
        CHECK(read({R"({"event":"error"})"}).message.empty());
    }

    TEST_CASE("after a reset an event knows nothing of the one before") {
        std::string space(64, '\0');
        speech_event event{space};
        std::string got;
        auto receive = [&](std::span<const std::byte> bytes) { got.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()); };
        const auto feed = [&](std::string_view text) {
            event.reset();
            got.clear();
            speech_event::handler<decltype(receive)> handler{event, receive};
            wire::json_tokenizer tokenizer;
            REQUIRE(tokenizer.feed(text, handler));
            return event.check(0, {24'000, 1});
        };
        CHECK(feed(R"({"event":"audio","pcm":"AQA"})").error().code == error_code::bad_base64);
        CHECK(feed(R"({"event":"audio","pcm":"AgA="})").has_value());
        CHECK(got == std::string{"\x02\0", 2});
        CHECK(event.pcm_bytes() == 2);
        CHECK(feed(R"({"event":"final","effective":{"a":1}})").has_value());
        CHECK(event.effective() == R"({"a":1})");
        CHECK(feed(R"({"event":"final"})").has_value());
        CHECK(event.effective().empty());
        CHECK(feed(R"({"event":"error","message":"m"})").has_value());
        CHECK(event.message() == "m");
        CHECK(feed("{}").error().code == error_code::bad_event);
        CHECK(event.message().empty());
        MESSAGE("speech_event: " << sizeof(speech_event) << " bytes");
        CHECK(sizeof(speech_event) <= 600);
    }
}
