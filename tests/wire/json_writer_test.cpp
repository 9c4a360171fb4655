#include "json_texts.hpp"
#include "support/cuts.hpp"
#include "support/random_numbers.hpp"

#include <playhead/wire/json_value.hpp>
#include <playhead/wire/json_writer.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

using namespace playhead;
using namespace std::string_view_literals;
using wire::json_writer;

namespace {

// What a writer with room for everything writes of this.
template <typename Write>
std::string written(Write write) {
    json_writer counter{{}};
    write(counter);
    std::string memory(counter.size(), '?');
    json_writer writer{memory};
    write(writer);
    CHECK(writer.fits());
    CHECK(writer.size() == counter.size());
    CHECK(writer.view().size() == writer.size());
    return std::string{writer.view()};
}

// A text read in these pieces and written again.
std::string written_again(const test::pieces& pieces) {
    return written([&](json_writer& writer) {
        wire::json_tokenizer tokenizer;
        for (const auto piece : pieces) {
            if (!tokenizer.is_done()) CHECK(tokenizer.feed(piece, writer));
        }
        CHECK(tokenizer.finish(writer));
    });
}

}  // namespace

TEST_SUITE("wire/json_writer") {
    TEST_CASE("objects, arrays and values with the commas between them") {
        CHECK(written([](json_writer& to) {
                  to.begin_object();
                  to.end_object();
              }) == "{}");
        CHECK(written([](json_writer& to) {
                  to.begin_array();
                  to.end_array();
              }) == "[]");
        CHECK(written([](json_writer& to) {
                  to.begin_object();
                  to.name("a");
                  to.number(1);
                  to.name("b");
                  to.begin_array();
                  to.string("x");
                  to.token("true");
                  to.begin_object();
                  to.end_object();
                  to.begin_array();
                  to.end_array();
                  to.number(0);
                  to.end_array();
                  to.quoted_name(R"("\u0063")");
                  to.token("-1.5e3");
                  to.name("d");
                  to.begin_object();
                  to.name("e");
                  to.raw("null");
                  to.end_object();
                  to.name("f");
                  to.string("");
                  to.end_object();
              }) == R"({"a":1,"b":["x",true,{},[],0],"\u0063":-1.5e3,"d":{"e":null},"f":""})");
    }

    TEST_CASE("strings are escaped as RFC 8259 asks, and not more") {
        const auto string = [](std::string_view text) { return written([&](json_writer& to) { to.string(text); }); };
        CHECK(string("plain / text") == "\"plain / text\"");
        CHECK(string("\"\\") == R"("\"\\")");
        CHECK(string("\b\f\n\r\t") == R"("\b\f\n\r\t")");
        CHECK(string("\0\x01\x1f"sv) == R"("\u0000\u0001\u001f")");
        CHECK(string("\x7f\u00e9\U0001F600") == "\"\x7f\u00e9\U0001F600\"");
        for (int c = 0; c < 128; ++c) {
            const std::string text(3, static_cast<char>(c));
            CHECK(nlohmann::json::parse(string(text)).get<std::string>() == text);
        }
        CHECK(written([](json_writer& to) {
                  to.begin_object();
                  to.name("a\"b\n");
                  to.token("0");
                  to.end_object();
              }) == R"({"a\"b\n":0})");
    }

    TEST_CASE("numbers are written whole") {
        for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{9}, std::uint64_t{10}, std::uint64_t{4'294'967'295},
                                          std::uint64_t{10'000'000'000'000'000'000U}, UINT64_MAX}) {
            CHECK(written([&](json_writer& to) { to.number(value); }) == std::to_string(value));
        }
    }

    TEST_CASE("pieces make one string, name or token") {
        CHECK(written([](json_writer& to) {
                  to.begin_object();
                  to.name_piece("a", false);
                  to.name_piece("\n", false);
                  to.name_piece("", true);
                  to.string_piece("", false);
                  to.string_piece("x\"", false);
                  to.string_piece("y", true);
                  to.name_piece("b", true);
                  to.token_piece("1", false);
                  to.token_piece("2", true);
                  to.name("c");
                  to.string_piece("", true);
                  to.end_object();
              }) == R"({"a\n":"x\"y","b":12,"c":""})");
    }

    TEST_CASE("what does not fit is counted, not written past the end") {
        const auto write = [](json_writer& to) {
            to.begin_object();
            to.name("name");
            to.string("value\n");
            to.end_object();
        };
        constexpr std::string_view expected = R"({"name":"value\n"})";
        for (std::size_t room = 0; room <= expected.size() + 3; ++room) {
            CAPTURE(room);
            std::string memory(expected.size() + 8, '?');
            json_writer writer{std::span{memory}.first(room)};
            CHECK(writer.fits());
            write(writer);
            CHECK(writer.size() == expected.size());
            CHECK(writer.fits() == (room >= expected.size()));
            CHECK(writer.view() == (room >= expected.size() ? expected : ""));
            CHECK(memory.substr(room) == std::string(memory.size() - room, '?'));
        }
    }

    TEST_CASE("cleared, it writes to the same memory again") {
        std::array<char, 4> memory{};
        json_writer writer{memory};
        writer.string("too long");
        CHECK_FALSE(writer.fits());
        writer.clear();
        CHECK(writer.size() == 0);
        CHECK(writer.fits());
        writer.begin_array();
        writer.number(7);
        writer.end_array();
        CHECK(writer.view() == "[7]");
        writer.clear();
        writer.string_piece("a", false);
        writer.clear();
        writer.token("1");
        CHECK(writer.view() == "1");
    }

    TEST_CASE("what a tokenizer reads is written again as the same value, for every cut") {
        for (const std::string_view text : test::json_texts()) {
            CAPTURE(text);
            const std::string again = written_again({text});
            CHECK(wire::check_json(again));
            CHECK(nlohmann::json::parse(again) == nlohmann::json::parse(text));
            // it is settled: without white space, and the same when it is written once more
            CHECK(written_again({again}) == again);
            test::for_every_cut(text, [&](const test::pieces& pieces) { REQUIRE(written_again(pieces) == again); });
        }
        CHECK(written_again({" { \"a\" : [ 1.50 , \"\\u0041\\/\" ] } "}) == R"({"a":[1.50,"A/"]})");
    }

    TEST_CASE("JSON is written at compile time too") {
        static_assert([] {
            std::array<char, 16> memory{};
            json_writer writer{memory};
            writer.begin_array();
            writer.number(12);
            writer.string("\n");
            writer.end_array();
            return writer.view() == "[12,\"\\n\"]";
        }());
        CHECK(true);
    }
}
