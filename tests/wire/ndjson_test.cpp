#include "archetypes.hpp"
#include "json_texts.hpp"
#include "support/cuts.hpp"
#include "support/random_numbers.hpp"

#include <playhead/wire/json_writer.hpp>
#include <playhead/wire/ndjson.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace playhead;
using wire::ndjson_reader;

namespace {

// Writes each line's value again, and may refuse one.
class line_log {
public:
    struct line {
        std::uint64_t first_byte;
        std::string text;
        friend bool operator==(const line&, const line&) = default;
    };
    std::vector<line> lines;
    std::optional<std::size_t> refuse_line;

    void on_object_begin() { writer_.on_object_begin(); }
    void on_object_end() { writer_.on_object_end(); }
    void on_array_begin() { writer_.on_array_begin(); }
    void on_array_end() { writer_.on_array_end(); }
    void on_name(std::string_view piece, bool last) { writer_.on_name(piece, last); }
    void on_string(std::string_view piece, bool last) { writer_.on_string(piece, last); }
    void on_number(std::string_view piece, bool last) { writer_.on_number(piece, last); }
    void on_literal(wire::json_literal literal) { writer_.on_literal(literal); }
    result<void> on_line_end(std::uint64_t first_byte) {
        lines.push_back({first_byte, std::string{writer_.view()}});
        writer_.clear();
        if (refuse_line && lines.size() == *refuse_line + 1) return error{error_code::bad_event, first_byte};
        return {};
    }

private:
    std::array<char, 512> memory_{};
    wire::json_writer writer_{memory_};
};

struct outcome {
    std::vector<line_log::line> lines;
    std::optional<error> failure;
    std::uint64_t bytes = 0;
    friend bool operator==(const outcome&, const outcome&) = default;
};

outcome read(const test::pieces& pieces, std::optional<std::size_t> refuse_line = std::nullopt) {
    ndjson_reader reader;
    line_log log;
    log.refuse_line = refuse_line;
    outcome made;
    for (const auto piece : pieces) {
        if (const auto fed = reader.feed(piece, log); !fed) {
            made.failure = fed.error();
            break;
        }
    }
    if (!made.failure) {
        made.bytes = reader.bytes();
        if (const auto ended = reader.finish(log); !ended) made.failure = ended.error();
    }
    made.lines = log.lines;
    return made;
}

void check_good(std::string_view text, const std::vector<line_log::line>& lines) {
    CAPTURE(text);
    test::for_every_cut(text, [&](const test::pieces& pieces) { REQUIRE(read(pieces) == outcome{lines, std::nullopt, text.size()}); });
}

void check_bad(std::string_view text, error failure, std::size_t lines_before) {
    CAPTURE(text);
    test::for_every_cut(text, [&](const test::pieces& pieces) {
        const outcome got = read(pieces);
        REQUIRE(got.failure);
        REQUIRE(name(got.failure->code) == name(failure.code));
        REQUIRE(got.failure->place == failure.place);
        REQUIRE(got.lines.size() == lines_before);
    });
}

// Feeds a line of `size` bytes whose string is long, and its line end, in deliveries of at most `at_once` bytes.
struct long_line_outcome {
    std::optional<error> failure;
    std::size_t lines = 0;
    std::size_t tokens = 0;
};
long_line_outcome read_long_line(std::size_t size, std::size_t at_once) {
    std::string text = R"({"event":"audio","note":")";
    const std::string end = R"(","pcm":"AQA="})";
    text.append(size - text.size() - end.size(), 'x');
    text += end + "\n{\"event\":\"final\"}\n";
    ndjson_reader reader;
    long_line_outcome made;
    test::least_ndjson_handler handler{made.tokens, made.lines};
    for (std::string_view rest = text; !rest.empty() && !made.failure;) {
        const auto piece = rest.substr(0, at_once);
        rest.remove_prefix(piece.size());
        if (const auto fed = reader.feed(piece, handler); !fed) made.failure = fed.error();
    }
    if (!made.failure) {
        if (const auto ended = reader.finish(handler); !ended) made.failure = ended.error();
    }
    return made;
}

}  // namespace

TEST_SUITE("wire/ndjson") {
    TEST_CASE("each line is a value, whatever ends it, for every cut") {
        check_good("", {});
        check_good("1\n", {{0, "1"}});
        check_good("1", {{0, "1"}});
        check_good("{\"a\":1}\n[2]\n\"x\"\n", {{0, "{\"a\":1}"}, {8, "[2]"}, {12, "\"x\""}});
        check_good("1\n2", {{0, "1"}, {2, "2"}});
        check_good("1\r\n{}\r\n", {{0, "1"}, {3, "{}"}});
        check_good("1\r\n2\r", {{0, "1"}, {3, "2"}});
        check_good("\r{}\n", {{0, "{}"}});
        check_good("{\"a\":\r1}\n", {{0, "{\"a\":1}"}});
        check_good("  [1] \t\n 2 \n", {{0, "[1]"}, {8, "2"}});
        check_good("12 \n-1.5e3\r\n0\n", {{0, "12"}, {4, "-1.5e3"}, {12, "0"}});
        check_good("null\ntrue\nfalse\n", {{0, "null"}, {5, "true"}, {10, "false"}});
    }

    TEST_CASE("empty lines are skipped, with white space in them too") {
        check_good("\n", {});
        check_good("\n\n\n", {});
        check_good(" \n\t\r\n  ", {});
        check_good("\n1\n\n\r\n \t \n2\n\n", {{1, "1"}, {10, "2"}});
        check_good("   ", {});
    }

    TEST_CASE("what is not one value a line is refused at its byte of the stream") {
        check_bad("x\n", {error_code::bad_json, 0}, 0);
        check_bad("1\n2\nx\n", {error_code::bad_json, 4}, 2);
        check_bad("{}{}\n", {error_code::bad_json, 2}, 0);
        check_bad("1 2\n", {error_code::bad_json, 2}, 0);
        check_bad("{} x\n", {error_code::bad_json, 3}, 0);
        check_bad("[1,\n2]\n", {error_code::bad_json, 3}, 0);
        check_bad("{\"a\"\n:1}\n", {error_code::bad_json, 4}, 0);
        check_bad("\"a\nb\"\n", {error_code::bad_json, 2}, 0);
        check_bad("1\n[1,\r\n2]\n", {error_code::bad_json, 6}, 1);
        check_bad("-\n", {error_code::bad_json, 1}, 0);
        check_bad("1.\n", {error_code::bad_json, 2}, 0);
        check_bad("1\n{\"a\":\n", {error_code::bad_json, 7}, 1);
        check_bad("nul\n", {error_code::bad_json, 3}, 0);
        check_bad("\xef\xbb\xbf{}\n", {error_code::bad_json, 0}, 0);
        check_bad("{}\n\xef\xbb\xbf{}\n", {error_code::bad_json, 3}, 1);
        check_bad("{}\x1e{}\n", {error_code::bad_json, 2}, 0);
        check_bad("{}\f\n", {error_code::bad_json, 2}, 0);
        check_bad("1\n\"\x80\"\n", {error_code::bad_json, 3}, 1);
        check_bad("[1]\n" + std::string(65, '[') + "\n", {error_code::too_large, 4 + 64}, 1);
    }

    TEST_CASE("a stream that ends inside a value is truncated") {
        check_bad("{", {error_code::truncated, 1}, 0);
        check_bad("1\n{\"a\":", {error_code::truncated, 7}, 1);
        check_bad("1\n2\n\"x", {error_code::truncated, 6}, 2);
        check_bad("-", {error_code::truncated, 1}, 0);
        check_bad("1\nnul", {error_code::truncated, 5}, 1);
        check_bad("[1]\n[2", {error_code::truncated, 6}, 1);
    }

    TEST_CASE("all texts of the list, as lines of one stream, in every cut of neighbours and in random pieces") {
        test::random_numbers random{27};
        CAPTURE(random.seed());
        std::string stream;
        std::vector<line_log::line> lines;
        for (const std::string_view text : test::json_texts()) {
            if (text.find('\n') != std::string_view::npos) continue;
            const std::string line = std::string{text} + (lines.size() % 2 == 0 ? "\n" : "\r\n");
            auto alone = read({line});
            REQUIRE(alone.lines.size() == 1);
            lines.push_back({stream.size(), alone.lines[0].text});
            stream += line;
        }
        const outcome whole = read({stream});
        CHECK(whole == outcome{lines, std::nullopt, stream.size()});
        CHECK(read(test::single_bytes(stream)) == whole);
        for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
            REQUIRE(read({std::string_view{stream}.substr(0, cut), std::string_view{stream}.substr(cut)}) == whole);
        }
        for (int i = 0; i < 300; ++i) REQUIRE(read(test::random_pieces(stream, random, random.from_to(1, 200))) == whole);
    }

    TEST_CASE("an error of the handler ends the reading, at every line") {
        constexpr std::string_view stream = "1\n[2]\n\n{}\n\"x\"";
        for (std::size_t line = 0; line < 4; ++line) {
            CAPTURE(line);
            test::for_every_cut(stream, [&](const test::pieces& pieces) {
                const outcome got = read(pieces, line);
                REQUIRE(got.lines.size() == line + 1);
                REQUIRE(got.failure == error{error_code::bad_event, got.lines.back().first_byte});
            });
        }
    }

    TEST_CASE("a line of 16 MiB passes, and one byte more is too large at that byte, however it is delivered") {
        constexpr std::size_t limit = ndjson_reader::most_line_bytes;
        static_assert(limit == 16'777'216);
        for (const std::size_t at_once : {std::size_t{64} * limit, std::size_t{65'536}, limit - 16, limit, limit + 1}) {
            CAPTURE(at_once);
            const auto passes = read_long_line(limit, at_once);
            CHECK_FALSE(passes.failure);
            CHECK(passes.lines == 2);
            const auto refused = read_long_line(limit + 1, at_once);
            CHECK(refused.failure == error{error_code::too_large, limit});
            CHECK(refused.lines == 0);
            const auto far_over = read_long_line(2 * limit, at_once);
            CHECK(far_over.failure == error{error_code::too_large, limit});
        }
    }

    TEST_CASE("the limit counts from the line's own begin, white space and carriage return included") {
        constexpr std::size_t limit = ndjson_reader::most_line_bytes;
        std::size_t tokens = 0, lines = 0;
        for (const std::size_t spaces : {limit - 1, limit, limit + 1}) {
            CAPTURE(spaces);
            ndjson_reader reader;
            test::least_ndjson_handler handler{tokens, lines};
            REQUIRE(reader.feed("[1]\n", handler));
            const auto fed = reader.feed("0" + std::string(spaces - 1, ' ') + "\n", handler);
            CHECK(fed.has_value() == (spaces <= limit));
            if (!fed) CHECK(fed.error() == error{error_code::too_large, 4 + limit});

            ndjson_reader blank;
            const auto nothing = blank.feed(std::string(spaces - 1, ' ') + "\r\n", handler);
            CHECK(nothing.has_value() == (spaces <= limit));
        }
    }

    TEST_CASE("the reader knows where it is") {
        ndjson_reader reader;
        line_log log;
        CHECK(reader.bytes() == 0);
        CHECK(reader.line_begin() == 0);
        REQUIRE(reader.feed("1\n", log));
        CHECK(reader.bytes() == 2);
        CHECK(reader.line_begin() == 2);
        REQUIRE(reader.feed("[1,", log));
        CHECK(reader.bytes() == 5);
        CHECK(reader.line_begin() == 2);
        CHECK(reader.finish(log).error() == error{error_code::truncated, 5});
    }

    TEST_CASE("the least handler is told of every line") {
        static_assert(wire::ndjson_handler<test::least_ndjson_handler>);
        static_assert(!wire::ndjson_handler<test::least_json_handler>);
        std::size_t tokens = 0, lines = 0;
        test::least_ndjson_handler handler{tokens, lines};
        ndjson_reader reader;
        REQUIRE(reader.feed("[1]\n\n{\"a\":null}", handler));
        REQUIRE(reader.finish(handler));
        CHECK(lines == 2);
        CHECK(tokens == 7);
        MESSAGE("ndjson_reader: " << sizeof(ndjson_reader) << " bytes");
        CHECK(sizeof(ndjson_reader) <= 48);
    }
}
