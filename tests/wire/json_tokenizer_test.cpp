#include "archetypes.hpp"
#include "json_texts.hpp"
#include "support/cuts.hpp"
#include "support/random_numbers.hpp"

#include <playhead/wire/json_tokenizer.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace playhead;
using namespace std::string_view_literals;
using wire::json_tokenizer;

namespace {

// The tokens as a text; a name, string or number when it is whole. (It is called from where nothing may be thrown: CHECK, not REQUIRE.)
class token_log {
public:
    std::string text;

    void on_object_begin() { put("{"); }
    void on_object_end() { put("}"); }
    void on_array_begin() { put("["); }
    void on_array_end() { put("]"); }
    void on_name(std::string_view piece, bool last) { piece_of("name ", piece, last); }
    void on_string(std::string_view piece, bool last) { piece_of("string ", piece, last); }
    void on_number(std::string_view piece, bool last) { piece_of("number ", piece, last); }
    void on_literal(wire::json_literal literal) { put(std::array{"null", "true", "false"}[static_cast<std::size_t>(literal)]); }

private:
    void put(std::string_view token) {
        CHECK(kind_.empty());
        text += text.empty() ? "" : "\n";
        text += token;
    }
    void piece_of(std::string_view kind, std::string_view piece, bool last) {
        CHECK((kind_.empty() || kind_ == kind));
        CHECK((last || !piece.empty()));
        kind_ = kind;
        piece_ += piece;
        if (!last) return;
        kind_ = {};
        put(std::string{kind} + piece_);
        piece_.clear();
    }

    std::string_view kind_;
    std::string piece_;
};

struct outcome {
    std::string tokens;
    std::optional<error> failure;
    std::size_t read = 0;  // of all
    bool whole = false;
    friend bool operator==(const outcome&, const outcome&) = default;
};

outcome read(const test::pieces& pieces, json_tokenizer::line_ends ends = json_tokenizer::line_ends::allowed) {
    json_tokenizer tokenizer{ends};
    token_log log;
    outcome made;
    for (const auto piece : pieces) {
        if (tokenizer.is_done()) break;
        const auto fed = tokenizer.feed(piece, log);
        if (!fed) {
            REQUIRE(fed.error().place < piece.size());
            made.failure = error{fed.error().code, made.read + fed.error().place};
            made.read = 0;
            made.tokens = log.text;
            return made;
        }
        REQUIRE((*fed == piece.size() || tokenizer.is_done()));
        made.read += *fed;
    }
    made.whole = tokenizer.finish(log);
    made.tokens = log.text;
    return made;
}

std::string nested(int levels, char open, char close) {
    return std::string(static_cast<std::size_t>(levels), open) + std::string(static_cast<std::size_t>(levels), close);
}

// Is it JSON to another parser? None where that one has a limit, or a licence, of its own.
std::optional<bool> is_json_elsewhere(const std::string& text) {
    if (text.starts_with("\xef\xbb\xbf")) return std::nullopt;  // it skips a byte order mark
    try {
        return !nlohmann::json::parse(text).is_discarded();
    } catch (const nlohmann::json::parse_error&) {
        return false;
    } catch (const nlohmann::json::out_of_range&) {
        return std::nullopt;
    }
}

bool is_json(std::string_view text) {
    const outcome got = read({text});
    return got.whole && text.substr(got.read).find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

TEST_SUITE("wire/json_tokenizer") {
    TEST_CASE("the tokens of a text come in order") {
        struct row {
            std::string_view text, tokens;
        };
        for (const row& each : {
                 row{"null", "null"},
                 row{" true", "true"},
                 row{"-1.5e+10", "number -1.5e+10"},
                 row{R"("a\u0041\n")", "string aA\n"},
                 row{R"("")", "string "},
                 row{"[]", "[\n]"},
                 row{"[1,-0.5,\"x\",null]", "[\nnumber 1\nnumber -0.5\nstring x\nnull\n]"},
                 row{"[[],[0]]", "[\n[\n]\n[\nnumber 0\n]\n]"},
                 row{"{}", "{\n}"},
                 row{R"({"a":1,"b":{"c":[false]},"":""})", "{\nname a\nnumber 1\nname b\n{\nname c\n[\nfalse\n]\n}\nname \nstring \n}"},
                 row{R"({"\u0070cm":"AQA="})", "{\nname pcm\nstring AQA=\n}"},
             }) {
            CAPTURE(each.text);
            CHECK(read({each.text}).tokens == each.tokens);
        }
    }

    TEST_CASE("JSON is read to its end, with the same tokens for every cut") {
        CHECK(test::json_texts().size() + test::bad_json_texts().size() >= 240);
        for (const std::string_view text : test::json_texts()) {
            CAPTURE(text);
            const outcome whole = read({text});
            REQUIRE(whole.whole);
            REQUIRE_FALSE(whole.failure);
            CHECK(text.substr(whole.read).find_first_not_of(" \t\r\n") == std::string_view::npos);
            CHECK(is_json_elsewhere(std::string{text}).value_or(true));
            test::for_every_cut(text, [&](const test::pieces& pieces) { REQUIRE(read(pieces) == whole); });
        }
    }

    TEST_CASE("what is not JSON is refused, at the same place for every cut") {
        for (const auto& [text, place] : test::bad_json_texts()) {
            CAPTURE(text);
            const outcome whole = read({text});
            if (whole.failure) {
                CHECK(*whole.failure == error{error_code::bad_json, place});
            } else if (!whole.whole) {
                CHECK(place == text.size());
            } else {
                // one value, and something behind it, which is for the caller to see
                const auto rest = text.find_first_not_of(" \t\r\n", whole.read);
                CHECK(rest == place);
            }
            test::for_every_cut(text, [&](const test::pieces& pieces) { REQUIRE(read(pieces) == whole); });
        }
    }

    TEST_CASE("texts damaged at random are JSON when another parser says so") {
        test::random_numbers random{25};
        CAPTURE(random.seed());
        constexpr std::string_view damage = "{}[],:\"\\u0123456789eE+-. \n\tntfalsrdb\x1f\x80\xc3\xa9\xe4\xb8\xad\xed\xa0\xff/";
        int right = 0, wrong = 0;
        for (int i = 0; i < 150'000; ++i) {
            std::string text{test::json_texts()[random.below(test::json_texts().size())]};
            if (text.empty() || random.one_in(8)) text = "[" + text + "]";
            for (std::size_t changes = random.below(3); changes > 0; --changes) {
                const std::size_t at = random.below(text.size());
                const std::string character = random.text(1, damage);
                switch (random.below(3)) {
                    case 0: text.replace(at, 1, character); break;
                    case 1: text.insert(at, character); break;
                    default:
                        if (text.size() > 1) text.erase(at, 1);
                }
            }
            const auto expected = is_json_elsewhere(text);
            if (!expected) continue;
            ++(*expected ? right : wrong);
            if (is_json(text) != *expected) {
                CAPTURE(text);
                FAIL("another parser takes it: " << *expected);
            }
            if (i % 10 == 0) REQUIRE(read(test::random_pieces(text, random, 5)) == read({text}));
        }
        CHECK(right > 30'000);
        CHECK(wrong > 30'000);
    }

    TEST_CASE("64 levels pass, the 65th is too large, at its place") {
        CHECK(read({nested(64, '[', ']')}).whole);
        CHECK(read({nested(65, '[', ']')}).failure == error{error_code::too_large, 64});
        std::string objects = "1", mixed = "1";
        for (int i = 0; i < 64; ++i) objects = "{\"a\":" + objects + "}";
        for (int i = 0; i < 64; ++i) mixed = i % 3 == 0 ? "[0," + mixed + "]" : "{\"a\":" + mixed + ",\"b\":2}";
        CHECK(read({objects}).whole);
        CHECK(read({mixed}).whole);
        CHECK(read({"{\"a\":" + objects + "}"}).failure == error{error_code::too_large, 5 * 64});
        CHECK(read({"[" + mixed + "]"}).failure->code == error_code::too_large);
        // depth, not number
        std::string wide = "[";
        for (int i = 0; i < 500; ++i) wide += nested(63, '[', ']') + ",";
        CHECK(read({wide + "1]"}).whole);
        test::for_every_cut(nested(65, '[', ']'), [&](const test::pieces& pieces) {
            REQUIRE(read(pieces).failure == error{error_code::too_large, 64});
        });
    }

    TEST_CASE("what closes is what was opened, at every depth") {
        for (int levels = 1; levels <= 64; ++levels) {
            for (const bool object : {false, true}) {
                std::string text;
                for (int i = 0; i < levels; ++i) text += i % 2 == (object ? 0 : 1) ? "{\"a\":" : "[";
                text += "0";
                const bool last_is_object = (levels - 1) % 2 == (object ? 0 : 1);
                CHECK_FALSE(read({text + (last_is_object ? "}" : "]")}).failure);
                CHECK(read({text + (last_is_object ? "]" : "}")}).failure == error{error_code::bad_json, text.size()});
            }
        }
    }

    TEST_CASE("reading stops behind the value, or before what ends a number") {
        struct row {
            std::string_view text;
            std::size_t read;
        };
        for (const row& each : {row{"null null", 4}, row{"[]x", 2}, row{"\"a\"\"b\"", 3}, row{"{} ", 2}, row{"1 ", 1}, row{"12,", 2},
                                row{"0]", 1}, row{" 1.5e3}", 6}, row{"-0\n", 2}}) {
            CAPTURE(each.text);
            json_tokenizer tokenizer;
            token_log log;
            CHECK(tokenizer.feed(each.text, log).value_or(99) == each.read);
            CHECK(tokenizer.is_done());
            CHECK(tokenizer.finish(log));
        }
    }

    TEST_CASE("a number that is the whole value ends with the text") {
        json_tokenizer tokenizer;
        token_log log;
        CHECK(tokenizer.feed("12", log).value_or(0) == 2);
        CHECK_FALSE(tokenizer.is_done());
        CHECK(log.text.empty());
        CHECK(tokenizer.finish(log));
        CHECK(log.text == "number 12");
        for (const auto text : {"-", "1.", "1e", "1e+", "[1"}) {
            json_tokenizer other;
            token_log its_log;
            REQUIRE(other.feed(text, its_log));
            CHECK_FALSE(other.finish(its_log));
        }
    }

    TEST_CASE("white space alone is empty, anything else is not") {
        json_tokenizer tokenizer;
        token_log log;
        CHECK(tokenizer.is_empty());
        REQUIRE(tokenizer.feed(" \t\r\n", log));
        CHECK(tokenizer.is_empty());
        CHECK_FALSE(tokenizer.is_done());
        REQUIRE(tokenizer.feed("[", log));
        CHECK_FALSE(tokenizer.is_empty());
        REQUIRE(tokenizer.feed("1,", log));
        CHECK_FALSE(tokenizer.is_empty());
    }

    TEST_CASE("line ends are refused where a line is a document") {
        CHECK(read({"[1,\n2]"}, json_tokenizer::line_ends::refused).failure == error{error_code::bad_json, 3});
        CHECK(read({"\n1"}, json_tokenizer::line_ends::refused).failure == error{error_code::bad_json, 0});
        CHECK(read({"{\"a\"\n:1}"}, json_tokenizer::line_ends::refused).failure == error{error_code::bad_json, 4});
        CHECK(read({"[1,\r\t 2]"}, json_tokenizer::line_ends::refused).whole);
        CHECK(read({"[1\n]"}).whole);
    }

    TEST_CASE("after a reset the next value is read, with the same rule for line ends") {
        json_tokenizer tokenizer{json_tokenizer::line_ends::refused};
        token_log log;
        REQUIRE(tokenizer.feed("{\"a\":[\"cut", log));
        tokenizer.reset();
        CHECK(tokenizer.is_empty());
        token_log fresh;
        CHECK(tokenizer.feed("[true]", fresh).value_or(0) == 6);
        CHECK(fresh.text == "[\ntrue\n]");
        tokenizer.reset();
        CHECK(tokenizer.feed("\n", fresh).error() == error{error_code::bad_json, 0});
    }

    TEST_CASE("the least handler is told of every token") {
        std::size_t tokens = 0;
        test::least_json_handler handler{tokens};
        static_assert(wire::json_handler<test::least_json_handler>);
        static_assert(!wire::json_handler<int>);
        json_tokenizer tokenizer;
        REQUIRE(tokenizer.feed(R"({"a":[1,"b",null]} )", handler));
        CHECK(tokenizer.finish(handler));
        CHECK(tokens == 8);
        MESSAGE("json_tokenizer: " << sizeof(json_tokenizer) << " bytes");
        CHECK(sizeof(json_tokenizer) <= 32);
    }

    TEST_CASE("JSON is read at compile time too") {
        static_assert([] {
            std::size_t tokens = 0;
            test::least_json_handler handler{tokens};
            json_tokenizer tokenizer;
            return tokenizer.feed(R"({"a":[1,"\u00e9"]})", handler).has_value() && tokenizer.is_done() && tokens == 7;
        }());
        CHECK(true);
    }
}
