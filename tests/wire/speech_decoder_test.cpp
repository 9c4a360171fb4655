#include "archetypes.hpp"
#include "support/cuts.hpp"
#include "support/json_lines.hpp"
#include "support/random_numbers.hpp"
#include "support/speech_streams.hpp"

#include <playhead/wire/speech_decoder.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace playhead;
using namespace std::string_view_literals;
using nlohmann::json;
using test::audio_line;
using test::final_line;
using test::hear;
using test::hearing;
using test::pcm;

namespace {

std::string bytes_of_base64(const std::string& text) {
    std::string bytes(wire::max_bytes_in_base64(text.size()), '\0');
    const auto written = wire::decode_base64(text, std::as_writable_bytes(std::span{bytes}));
    REQUIRE(written);
    bytes.resize(*written);
    return bytes;
}

// A row for the decoder: a response as it was delivered, and what must come of it.
struct response {
    explicit response(const json& row, const json& expected) : expect(expected), settings(row["settings"].dump()) {
        format = {row["sample_rate"], row["channels"]};
        complete = row["complete"];
        for (const std::string piece : row["pieces"]) deliveries.push_back(bytes_of_base64(piece));
        for (const std::string& delivery : deliveries) whole += delivery;
    }

    [[nodiscard]] hearing heard(const test::pieces& pieces) const { return hear(pieces, format, settings, complete); }
    [[nodiscard]] hearing as_delivered() const { return heard({deliveries.begin(), deliveries.end()}); }

    void check(const hearing& got) const {
        CHECK((got.failure ? json(name(got.failure->code)) : json(nullptr)) == expect["error"]);
        CHECK(!got.failure == expect["ok"].get<bool>());
        const auto hex = hash::to_hex(hash::sha256_of(got.pcm));
        if (!got.failure) CHECK(json(std::string{hex.data(), hex.size()}) == expect["pcm_sha256"]);
        if (expect.contains("frames")) CHECK(got.frames == expect["frames"].get<std::uint64_t>());
        if (expect.contains("chunk_frames")) CHECK(json(got.chunks) == expect["chunk_frames"]);
        if (expect.contains("leading_silent_frames"))
            CHECK(got.leading_silent_frames == expect["leading_silent_frames"].get<std::uint64_t>());
    }

    json expect;
    pcm_format format;
    std::string settings;
    bool complete = true;
    std::vector<std::string> deliveries;
    std::string whole;
};

const std::vector<response>& responses() {
    static const std::vector<response> all = [] {
        std::vector<response> made;
        for (const auto& row : test::rows_of("reference/decode.jsonl")) made.emplace_back(row["row"], row["expect"]);
        for (const auto& row : test::reported_rows("decode")) made.emplace_back(row["row"], row["expect"]);
        return made;
    }();
    return all;
}

// Hears a stream in every cut and expects the same each time.
hearing hear_every_way(std::string_view stream, const pcm_format& format = {24'000, 1}, std::string_view settings = "{}") {
    const hearing whole = hear({stream}, format, settings);
    test::for_every_cut(stream, [&](const test::pieces& pieces) { REQUIRE(hear(pieces, format, settings) == whole); });
    return whole;
}

void check_failure(const hearing& got, error_code code, std::uint64_t place) {
    REQUIRE(got.failure);
    CHECK(name(got.failure->code) == name(code));
    CHECK(got.failure->place == place);
}

const std::string two_chunks = audio_line(pcm({0, 0, 5}), R"(,"index":0)") + audio_line(pcm({6, 7}), R"(,"index":1)");

}  // namespace

TEST_SUITE("wire/speech_decoder") {
    TEST_CASE("the reference rows and the reported cases, as delivered, whole, and byte by byte") {
        int good = 0, number = 0;
        for (const response& each : responses()) {
            ++number;
            CAPTURE(number);
            const hearing got = each.as_delivered();
            each.check(got);
            CHECK(each.heard({each.whole}) == got);
            CHECK(each.heard(test::single_bytes(each.whole)) == got);
            good += got.failure ? 0 : 1;
        }
        CHECK(number > 100);
        CHECK(good > 20);
    }

    TEST_CASE("the rows with every single cut, where they are short, and with two thousand random ones") {
        std::size_t cuts = 0;
        for (const response& each : responses()) {
            if (each.whole.size() > 1'200) continue;
            const hearing expected = each.heard({each.whole});
            test::for_every_cut(each.whole, [&](const test::pieces& pieces) {
                ++cuts;
                REQUIRE(each.heard(pieces) == expected);
            });
        }
        CHECK(cuts > 10'000);
        test::random_numbers random{30};
        CAPTURE(random.seed());
        for (int i = 0; i < 2'000; ++i) {
            const response& each = responses()[random.below(responses().size())];
            REQUIRE(each.heard(test::random_pieces(each.whole, random, random.from_to(1, 700))) == each.heard({each.whole}));
        }
    }

    TEST_CASE("a response of two chunks is heard with its silence, its settings and its end") {
        const hearing got = hear_every_way(two_chunks + final_line(5, R"({ "speed" : 1 })"));
        CHECK_FALSE(got.failure);
        CHECK(got.chunks == std::vector<std::uint64_t>{3, 2});
        CHECK(got.silent == std::vector<std::uint64_t>{2, 0});
        CHECK(got.frames == 5);
        CHECK(got.leading_silent_frames == 2);
        CHECK(got.pcm == pcm({0, 0, 5, 6, 7}));
        CHECK(got.effective == R"({"speed":1})");
        CHECK(got.has_final);
    }

    TEST_CASE("silence is counted chunk by chunk until a signal comes") {
        const hearing got = hear_every_way(audio_line(pcm({0, 0})) + audio_line(pcm({0})) + audio_line(pcm({0, 0, 0, 9, 0})) +
                                           audio_line(pcm({0, 0})) + final_line(10));
        CHECK_FALSE(got.failure);
        CHECK(got.silent == std::vector<std::uint64_t>{2, 1, 3, 0});
        CHECK(got.leading_silent_frames == 6);
        // in stereo a frame is silent when both samples are
        const hearing stereo = hear_every_way(audio_line(pcm({0, 0, 0, 1})) + final_line(2, "{}", 24'000, 2), {24'000, 2});
        CHECK_FALSE(stereo.failure);
        CHECK(stereo.silent == std::vector<std::uint64_t>{1});
    }

    TEST_CASE("lines may end in CRLF, be blank, or not end at all") {
        std::string stream = two_chunks + final_line(5);
        const std::string plain_pcm = pcm({0, 0, 5, 6, 7});
        std::string crlf;
        for (const char c : stream) crlf += c == '\n' ? "\r\n" : std::string(1, c);
        for (const std::string& each : {crlf, "\n \r\n" + stream, stream + "\n\n  \t\r\n", stream.substr(0, stream.size() - 1),
                                        two_chunks + "\n\n" + final_line(5)}) {
            CAPTURE(each);
            const hearing got = hear_every_way(each);
            CHECK_FALSE(got.failure);
            CHECK(got.pcm == plain_pcm);
            CHECK(got.bytes == each.size());
        }
    }

    TEST_CASE("each error has its code and its place, and what was right before it stays") {
        const std::size_t begin = two_chunks.size();
        struct row {
            std::string line;
            error_code code;
            std::size_t place;  // from the line's begin
        };
        for (const row& each : {
                 row{"x\n", error_code::bad_json, 0},
                 row{"{\"event\":\"audio\",}\n", error_code::bad_json, 17},
                 row{"{\"event\":\"audio\",\"pcm\":\"AQA=\"\n", error_code::bad_json, 29},
                 row{"{\"event\":\"audio\",\"pcm\":\"AQA=\"}}\n", error_code::bad_json, 30},
                 row{"{\"event\":\"audio\",\"pcm\":\"AQA=\"} {\n", error_code::bad_json, 31},
                 row{"{\"event\":\"audio\",\"pcm\":\"AQ\xff=\"}\n", error_code::bad_json, 26},
                 row{"{\"event\":\"audio\",\"gain\":NaN,\"pcm\":\"AQA=\"}\n", error_code::bad_json, 24},
                 row{"{\"event\":\"progress\"}\n", error_code::bad_event, 0},
                 row{"  {\"pcm\":\"AQA=\"}\n", error_code::bad_event, 0},
                 row{"[]\n", error_code::bad_event, 0},
                 row{"null\n", error_code::bad_event, 0},
                 row{audio_line(pcm({1}), R"(,"index":1)"), error_code::bad_index, 0},
                 row{audio_line(pcm({1}), R"(,"index":3)"), error_code::bad_index, 0},
                 row{"{\"event\":\"audio\",\"pcm\":\"AQA\"}\n", error_code::bad_base64, 0},
                 row{audio_line(""), error_code::empty_chunk, 0},
                 row{audio_line("abc"), error_code::misaligned, 0},
                 row{"{\"event\":\"error\",\"message\":\"no\"}\n", error_code::server_error, 0},
                 row{"{\"event\":\"final\",\"channels\":1,\"channels\":1}\n", error_code::bad_event, 0},
                 row{std::string(65, '[') + "\n", error_code::too_large, 64},
             }) {
            CAPTURE(each.line);
            // what follows is not looked at
            const hearing got = hear_every_way(two_chunks + each.line + audio_line(pcm({8})) + "}{");
            check_failure(got, each.code, begin + each.place);
            CHECK(got.pcm == pcm({0, 0, 5, 6, 7}));
            CHECK(got.frames == 5);
            CHECK(got.chunks.size() == 2);
            CHECK(got.leading_silent_frames == 2);
            CHECK(got.effective.empty());
        }
    }

    TEST_CASE("a chunk that is not certain yet counts for nothing") {
        // its audio is there, and then the line breaks
        const std::string broken = two_chunks + R"({"event":"audio","pcm":")" + test::base64_of(pcm({1, 2, 3, 4})) + "\"";
        check_failure(hear_every_way(broken), error_code::truncated, broken.size());
        check_failure(hear_every_way(broken + ";"), error_code::bad_json, broken.size());
        check_failure(hear_every_way(broken + R"(,"pcm":""})" + "\n"), error_code::bad_event, two_chunks.size());
        check_failure(hear_every_way(broken + R"(,"index":9})" + "\n"), error_code::bad_index, two_chunks.size());
        for (const auto* const rest : {"", ";",
                                       R"(,"pcm":""})"
                                       "\n"}) {
            const hearing got = hear({broken + rest});
            CHECK(got.pcm == pcm({0, 0, 5, 6, 7}));
            CHECK(got.frames == 5);
        }
        // its silence neither
        const hearing silent = hear_every_way(audio_line(pcm({0, 0})) + R"({"event":"audio","pcm":"AAAAAAAB",})");
        CHECK(silent.leading_silent_frames == 2);
        CHECK(silent.frames == 2);
    }

    TEST_CASE("audio in a final or error event is no audio, in whatever order") {
        const std::string pcm_member = R"("pcm":")" + test::base64_of(pcm({1, 2})) + "\"";
        std::string last = final_line(5);
        const hearing before = hear_every_way(two_chunks + "{" + pcm_member + "," + last.substr(1));
        last.insert(last.size() - 2, "," + pcm_member);
        const hearing behind = hear_every_way(two_chunks + last);
        for (const hearing* got : {&before, &behind}) {
            CHECK_FALSE(got->failure);
            CHECK(got->pcm == pcm({0, 0, 5, 6, 7}));
            CHECK(got->frames == 5);
        }
        const hearing failed = hear_every_way(two_chunks + "{" + pcm_member + R"(,"event":"error"})" + "\n");
        check_failure(failed, error_code::server_error, two_chunks.size());
        CHECK(failed.pcm == pcm({0, 0, 5, 6, 7}));
    }

    TEST_CASE("at the end the errors come in their order") {
        // each stream has its error and all later ones
        const std::string silence = audio_line(pcm({0, 0}));
        const auto last = [](std::string_view effective, std::uint64_t count, std::uint32_t rate) {
            return final_line(count, effective, rate);
        };
        const std::string_view asked = R"({"speed":1})", wrong = R"({"speed":2})";
        check_failure(hear({silence + last(wrong, 3, 24'001)}, {24'000, 1}, asked, false), error_code::truncated,
                      (silence + last(wrong, 3, 24'001)).size());
        check_failure(hear_every_way(silence, {24'000, 1}, asked), error_code::truncated, silence.size());
        check_failure(hear_every_way(silence + last(wrong, 3, 24'001), {24'000, 1}, asked), error_code::format_mismatch, silence.size());
        check_failure(hear_every_way(silence + last(wrong, 3, 24'000), {24'000, 1}, asked), error_code::count_mismatch, 2);
        check_failure(hear_every_way(silence + last(wrong, 2, 24'000), {24'000, 1}, asked), error_code::settings_mismatch, silence.size());
        check_failure(hear_every_way(silence + last(asked, 2, 24'000), {24'000, 1}, asked), error_code::silent, 2);
        check_failure(hear_every_way(last(asked, 0, 24'000), {24'000, 1}, asked), error_code::silent, 0);
        CHECK_FALSE(hear_every_way(audio_line(pcm({0, 1})) + last(asked, 2, 24'000), {24'000, 1}, asked).failure);
    }

    TEST_CASE("a response without a final event is truncated, wherever it ends") {
        const std::string stream = two_chunks + final_line(5);
        for (std::size_t size = 0; size < stream.size() - 1; ++size) {
            CAPTURE(size);
            check_failure(hear({std::string_view{stream}.substr(0, size)}), error_code::truncated, size);
        }
        CHECK_FALSE(hear({std::string_view{stream}.substr(0, stream.size() - 1)}).failure);
        // and a transport that lost the end says so, whatever came
        for (std::size_t size = 0; size <= stream.size(); ++size) {
            check_failure(hear({std::string_view{stream}.substr(0, size)}, {24'000, 1}, "{}", false), error_code::truncated, size);
        }
    }

    TEST_CASE("nothing but white space may follow the final event") {
        const std::string stream = two_chunks + final_line(5);
        struct row {
            std::string_view rest;
            std::size_t place;
        };
        for (const row& each : {row{"x", 0}, row{" \r\n\t x", 5}, row{"{", 0}, row{"\n\n{\"event\":\"audio\",\"pcm\":\"AQA=\"}\n", 2},
                                row{"\0"sv, 0}, row{"{\"event\":\"error\"}\n", 0}}) {
            CAPTURE(each.rest);
            const hearing got = hear_every_way(stream + std::string{each.rest});
            check_failure(got, error_code::after_final, stream.size() + each.place);
            CHECK(got.has_final);
            CHECK(got.frames == 5);
        }
        CHECK_FALSE(hear_every_way(stream + " \r\n\t").failure);
        // a second final event is one too much, even the same
        check_failure(hear_every_way(stream + final_line(5)), error_code::after_final, stream.size());
        // on the final event's own line it is no JSON
        check_failure(hear_every_way(two_chunks + R"({"event":"final"} x)" + "\n"), error_code::bad_json, two_chunks.size() + 18);
    }

    TEST_CASE("every asked setting is among the effective ones, equal as a value") {
        struct row {
            std::string_view asked, effective;
            std::optional<error_code> failure;
        };
        for (const row& each : {
                 row{"{}", "{}", std::nullopt},
                 row{"{}", R"({"more":1})", std::nullopt},
                 row{"{}", R"({"a":1,"a":2})", std::nullopt},  // nobody asked
                 row{"{}", "null", std::nullopt},
                 row{"{}", "[]", std::nullopt},
                 row{R"({"t":0.5})", R"({"t":5e-1})", std::nullopt},
                 row{R"({"t":1})", R"({"t":1.00})", std::nullopt},
                 row{R"({"t":0.5})", R"({"t":0.50000000001})", error_code::settings_mismatch},
                 row{R"({"t":0.5})", R"({"t":"0.5"})", error_code::settings_mismatch},
                 row{R"({"t":true})", R"({"t":1})", error_code::settings_mismatch},
                 row{R"({"t":null})", R"({"t":null})", std::nullopt},
                 row{R"({"t":null})", "{}", error_code::settings_mismatch},
                 row{R"({"t":0.5})", "{}", error_code::settings_mismatch},
                 row{R"({"t":0.5})", "null", error_code::settings_mismatch},
                 row{R"({"t":0.5})", R"([{"t":0.5}])", error_code::settings_mismatch},
                 row{R"({"t":0.5})", R"({"u":{"t":0.5}})", error_code::settings_mismatch},
                 row{R"({"a":1,"b":"x"})", R"({"b":"x","c":0,"a":1})", std::nullopt},
                 row{R"({"a":1,"b":"x"})", R"({"a":1})", error_code::settings_mismatch},
                 row{R"({"deep":{"x":[1,{"y":null}]}})", R"({"deep":{ "x" : [1.0, {"\u0079":null}]}})", std::nullopt},
                 row{R"({"deep":{"x":[1,2]}})", R"({"deep":{"x":[2,1]}})", error_code::settings_mismatch},
                 row{R"({"deep":{"x":1}})", R"({"deep":{"x":1,"y":2}})", error_code::settings_mismatch},
                 row{R"({"deep":{"x":1}})", R"({"deep":{"x":1,"x":1}})", error_code::settings_mismatch},
                 row{R"({"na\u006de":"\u00e9"})", "{\"n\\u0061me\":\"\u00e9\"}", std::nullopt},
                 row{R"({"a":1})", R"({"a":1,"a":1})", error_code::bad_event},
                 row{R"({"a":1})", R"({"a":1,"\u0061":2})", error_code::bad_event},
                 row{R"({"a":1})", R"({"b":1,"b":1,"a":1})", std::nullopt},
             }) {
            CAPTURE(each.asked);
            CAPTURE(each.effective);
            const hearing got = hear_every_way(audio_line(pcm({1})) + final_line(1, each.effective), {24'000, 1}, each.asked);
            CHECK((got.failure ? std::optional{got.failure->code} : std::nullopt) == each.failure);
            if (got.failure) CHECK(got.failure->place == audio_line(pcm({1})).size());
        }
    }

    TEST_CASE("no effective settings are fine where none were asked, and missing where some were") {
        const std::string stream =
            audio_line(pcm({1})) + R"({"event":"final","sample_rate":24000,"channels":1,"encoding":"pcm_s16le","sample_count":1})" + "\n";
        CHECK_FALSE(hear_every_way(stream).failure);
        CHECK(hear_every_way(stream).effective.empty());
        CHECK(hear_every_way(stream, {24'000, 1}, R"({"a":1})").failure->code == error_code::settings_mismatch);
    }

    TEST_CASE("effective settings that do not fit the space are too large") {
        const std::string first = audio_line(pcm({1}));
        const std::string stream = first + final_line(1, R"({"name":"0123456789"})");
        CHECK_FALSE(hear({stream}, {24'000, 1}, "{}", true, 21).failure);
        check_failure(hear({stream}, {24'000, 1}, "{}", true, 20), error_code::too_large, first.size());
        check_failure(hear({stream}, {24'000, 1}, "{}", true, 0), error_code::too_large, first.size());
        CHECK_FALSE(hear({first + R"({"event":"final","sample_rate":24000,"channels":1,"encoding":"pcm_s16le","sample_count":1})"},
                         {24'000, 1}, "{}", true, 0)
                        .failure);
    }

    TEST_CASE("what the server said of its failure is kept, its beginning where it is long") {
        const hearing got = hear_every_way(two_chunks + R"({"event":"error","message":"CUDA \"out of memory\"","code":7})" + "\n");
        check_failure(got, error_code::server_error, two_chunks.size());
        CHECK(got.server_message == "CUDA \"out of memory\"");
        CHECK(hear({R"({"event":"error","message":")" + std::string(400, 'y') + "\"}\n"}).server_message == std::string(160, 'y'));
        // the last line needs no end
        check_failure(hear_every_way(R"({"event":"error","message":"m"})"), error_code::server_error, 0);
    }

    TEST_CASE("64 levels are the event's object and 63 inside it") {
        const auto stream = [](std::size_t inside) {
            return R"({"m":)" + std::string(inside, '[') + std::string(inside, ']') + R"(,"event":"audio","pcm":"AQA="})" + "\n" +
                   final_line(1);
        };
        CHECK_FALSE(hear_every_way(stream(63)).failure);
        check_failure(hear_every_way(stream(64)), error_code::too_large, 5 + 63);
    }

    TEST_CASE("a response of 1 GiB passes, and the byte after it is too large") {
        // 64 lines of exactly 16 MiB
        constexpr std::size_t line_bytes = 16 * 1024 * 1024;
        std::string line = R"({"event":"audio","note":")";
        const std::string end = R"(","pcm":"AQA="})"
                                "\n";
        line.append(line_bytes - line.size() - end.size(), 'x');
        line += end;
        std::uint64_t frames = 0;
        test::least_pcm_receiver receiver{frames};
        wire::speech_decoder decoder{{{24'000, 1}}, {}};
        for (int i = 0; i < 64; ++i) REQUIRE(decoder.feed(line, receiver));
        static_assert(64 * line_bytes == wire::speech_decoder::most_response_bytes);
        CHECK(decoder.bytes() == wire::speech_decoder::most_response_bytes);
        CHECK(frames == 64);
        CHECK(decoder.feed("", receiver));
        CHECK(decoder.feed("{\"event\"", receiver).error() == error{error_code::too_large, wire::speech_decoder::most_response_bytes});
        CHECK(decoder.finish(true, receiver).error() == error{error_code::too_large, wire::speech_decoder::most_response_bytes});
    }

    TEST_CASE("the least receiver hears a response, in constant memory") {
        static_assert(wire::pcm_receiver<test::least_pcm_receiver>);
        static_assert(!wire::pcm_receiver<int>);
        std::uint64_t frames = 0;
        test::least_pcm_receiver receiver{frames};
        std::array<char, 32> space{};
        wire::speech_decoder decoder{{{24'000, 1}, R"({"a":1})"}, space};
        CHECK(decoder.feed(two_chunks, receiver));
        CHECK(frames == 5);
        CHECK_FALSE(decoder.has_final());
        CHECK(decoder.feed(final_line(5, R"({"a":1})"), receiver));
        CHECK(decoder.has_final());
        CHECK(decoder.finish(true, receiver));
        CHECK(decoder.finish(true, receiver));
        MESSAGE("speech_decoder: " << sizeof(wire::speech_decoder) << " bytes");
        CHECK(sizeof(wire::speech_decoder) <= 800);
    }

    TEST_CASE("a response is decoded at compile time too") {
        static_assert([] {
            std::uint64_t frames = 0;
            test::least_pcm_receiver receiver{frames};
            wire::speech_decoder decoder{{{24'000, 1}}, {}};
            const bool read = decoder.feed("{\"event\":\"audio\",\"pcm\":\"AQACAA==\"}\n"sv, receiver).has_value();
            return read && frames == 2 && decoder.finish(true, receiver).error().code == error_code::truncated;
        }());
        CHECK(true);
    }
}
