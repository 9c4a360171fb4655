#include "support/cuts.hpp"
#include "support/random_numbers.hpp"

#include <playhead/wire/json_string.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace playhead;
using namespace std::string_view_literals;
using wire::json_string_reader;

namespace {

// What came of the inside of a string: its text, and where it ended or went wrong.
struct outcome {
    json_string_reader::progress progress = json_string_reader::progress::more;
    std::string text;
    std::size_t at = 0;
    friend bool operator==(const outcome&, const outcome&) = default;
};

outcome read(const test::pieces& pieces) {
    json_string_reader reader;
    outcome made;
    bool ended = false;
    for (const auto piece : pieces) {
        std::size_t at = 0;
        made.progress = reader.read(piece, at, [&](std::string_view text, bool last) {
            CHECK_FALSE(ended);
            CHECK((last || !text.empty()));
            made.text += text;
            ended = last;
        });
        REQUIRE(at <= piece.size());
        made.at += at;
        REQUIRE(ended == (made.progress == json_string_reader::progress::ended));
        if (made.progress != json_string_reader::progress::more) break;
        REQUIRE(at == piece.size());
    }
    if (made.progress == json_string_reader::progress::bad) made.text.clear();  // what had been given by then depends on the cut
    return made;
}

void check_good(std::string_view inside, std::string_view text) {
    CAPTURE(inside);
    const std::string closed = std::string{inside} + "\" behind";
    test::for_every_cut(closed, [&](const test::pieces& pieces) {
        REQUIRE(read(pieces) == outcome{json_string_reader::progress::ended, std::string{text}, inside.size() + 1});
    });
}

void check_bad(std::string_view inside, std::size_t place) {
    CAPTURE(inside);
    test::for_every_cut(inside, [&](const test::pieces& pieces) {
        REQUIRE(read(pieces) == outcome{json_string_reader::progress::bad, "", place});
    });
}

// The places of a text that is not valid UTF-8, by the code points that it would have; none where it is.
bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto c = static_cast<unsigned char>(text[at]);
        const std::size_t size = c < 0x80 ? 1 : c >> 5 == 6 ? 2 : c >> 4 == 14 ? 3 : c >> 3 == 30 ? 4 : 0;
        if (size == 0 || at + size > text.size()) return false;
        std::uint32_t code = size == 1 ? c : c & (0xffU >> (size + 1));
        for (std::size_t i = 1; i < size; ++i) {
            const auto next = static_cast<unsigned char>(text[at + i]);
            if (next >> 6 != 2) return false;
            code = code << 6 | (next & 0x3f);
        }
        constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
        if (code < least[size] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return false;
        at += size;
    }
    return true;
}

}  // namespace

TEST_SUITE("wire/json_string") {
    TEST_CASE("texts and escapes come out as they are meant, for every cut") {
        check_good("", "");
        check_good("abc", "abc");
        check_good("a longer text without anything in it", "a longer text without anything in it");
        check_good(R"(\")", "\"");
        check_good(R"(\\)", "\\");
        check_good(R"(\/)", "/");
        check_good(R"(\b\f\n\r\t)", "\b\f\n\r\t");
        check_good(R"(a\nb)", "a\nb");
        check_good(R"(\\\\\\\"x)", R"(\\\"x)");
        check_good(R"(\u0041)", "A");
        check_good(R"(\u0000)", "\0"sv);
        check_good(R"(x\u00e9y)", "x\u00e9y");
        check_good(R"(\u00E9\u00e9)", "\u00e9\u00e9");
        check_good(R"(\u4e2d)", "\u4e2d");
        check_good(R"(\uffff)", "\uffff");
        check_good(R"(\ud83d\ude00)", "\U0001F600");
        check_good(R"(\ud800\udc00)", "\U00010000");
        check_good(R"(\udbff\udfff)", "\U0010FFFF");
        check_good(R"(a\ud83d\ude00b\ud83d\ude00)", "a\U0001F600b\U0001F600");
        check_good("\u00e9\u4e2d\U0001F600", "\u00e9\u4e2d\U0001F600");
        check_good("\x7f", "\x7f");
        check_good("/", "/");
    }

    TEST_CASE("what cannot stand in a string is refused at its place, for every cut") {
        check_bad("a\nb", 1);
        check_bad("a\tb", 1);
        check_bad("\x1f", 0);
        check_bad("abc\0d"sv, 3);
        check_bad(R"(\x41)", 1);
        check_bad(R"(\')", 1);
        check_bad(R"(\U0041)", 1);
        check_bad("\\\n", 1);
        check_bad(R"(\u00g0)", 4);
        check_bad(R"(\u 041)", 2);
        check_bad(R"(\u41")", 4);
        check_bad(R"(\ud800")", 6);
        check_bad(R"(\ud800x)", 6);
        check_bad(R"(\ud800\n)", 7);
        check_bad(R"(\ud800\u0041)", 11);
        check_bad(R"(\ud800\ud800)", 11);
        check_bad(R"(\udc00)", 5);
        check_bad(R"(\udfff\ud800)", 5);
        check_bad("\x80", 0);
        check_bad("a\xbf", 1);
        check_bad("\xc0\xaf", 0);
        check_bad("\xc1\xbf", 0);
        check_bad("\xc3\"", 1);
        check_bad("\xc3\\n", 1);
        check_bad("\xc3\xc3", 1);
        check_bad("\xe0\x9f\xbf", 1);
        check_bad("\xed\xa0\x80", 1);
        check_bad("\xed\xbf\xbf", 1);
        check_bad("\xe4\xb8\"", 2);
        check_bad("\xf0\x8f\xbf\xbf", 1);
        check_bad("\xf4\x90\x80\x80", 1);
        check_bad("\xf5\x80\x80\x80", 0);
        check_bad("\xff", 0);
        check_bad("\xfe", 0);
        check_bad("\xf0\x9f\x98\"", 3);
    }

    TEST_CASE("a string that has not ended wants more") {
        for (const std::string_view text :
             {"", "abc", "abc\\", "\\u", "\\u00", "\\ud83d", "\\ud83d\\", "\\ud83d\\ude", "\xe4", "\xe4\xb8", "\xf0\x9f\x98"}) {
            CAPTURE(text);
            test::for_every_cut(text, [&](const test::pieces& pieces) {
                const outcome got = read(pieces);
                REQUIRE(got.progress == json_string_reader::progress::more);
                REQUIRE(got.at == text.size());
            });
        }
    }

    TEST_CASE("the well-formed byte sequences of the Unicode standard pass, their neighbours do not") {
        struct row {
            unsigned char least[4], most[4];
            int size;
        };
        // table 3-7 of the standard
        for (const row& each :
             {row{{0xc2, 0x80}, {0xdf, 0xbf}, 2}, row{{0xe0, 0xa0, 0x80}, {0xe0, 0xbf, 0xbf}, 3},
              row{{0xe1, 0x80, 0x80}, {0xec, 0xbf, 0xbf}, 3}, row{{0xed, 0x80, 0x80}, {0xed, 0x9f, 0xbf}, 3},
              row{{0xee, 0x80, 0x80}, {0xef, 0xbf, 0xbf}, 3}, row{{0xf0, 0x90, 0x80, 0x80}, {0xf0, 0xbf, 0xbf, 0xbf}, 4},
              row{{0xf1, 0x80, 0x80, 0x80}, {0xf3, 0xbf, 0xbf, 0xbf}, 4}, row{{0xf4, 0x80, 0x80, 0x80}, {0xf4, 0x8f, 0xbf, 0xbf}, 4}}) {
            for (const auto* const bound : {&each.least, &each.most}) {
                std::string text;
                for (int i = 0; i < each.size; ++i) text += static_cast<char>((*bound)[i]);
                check_good(text, text);
            }
            for (int i = 1; i < each.size; ++i) {
                std::string below, above;
                for (int k = 0; k < each.size; ++k) {
                    below += static_cast<char>(k == i ? each.least[k] - 1 : each.least[k]);
                    above += static_cast<char>(k == i ? each.most[k] + 1 : each.most[k]);
                }
                check_bad(below, static_cast<std::size_t>(i));
                check_bad(above, static_cast<std::size_t>(i));
            }
        }
    }

    TEST_CASE("all sequences of two bytes, and of four out of the bounds, are UTF-8 where their code points say so") {
        const auto check = [](const std::string& inside) {
            const outcome got = read({inside + "\""});
            const bool expected = is_utf8(inside);
            if ((got.progress == json_string_reader::progress::ended) != expected || (expected && got.text != inside)) {
                CAPTURE(inside);
                FAIL("valid: " << expected);
            }
        };
        for (int a = 0x20; a < 256; ++a) {
            for (int b = 0x20; b < 256; ++b) {
                if (a != '"' && a != '\\' && b != '"' && b != '\\') check({static_cast<char>(a), static_cast<char>(b)});
            }
        }
        constexpr std::array<int, 23> bounds{0x20, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf,
                                             0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf3, 0xf4, 0xf5, 0xff};
        for (const int a : bounds) {
            for (const int b : bounds) {
                for (const int c : bounds) {
                    for (const int d : bounds)
                        check({static_cast<char>(a), static_cast<char>(b), static_cast<char>(c), static_cast<char>(d)});
                }
            }
        }
    }

    TEST_CASE("all 65 536 escapes, alone and behind a high surrogate, are what another parser says") {
        const auto check = [](const std::string& inside) {
            const outcome got = read({inside + "\""});
            const auto expected = nlohmann::json::parse("\"" + inside + "\"", nullptr, false);
            const bool good = !expected.is_discarded();
            if ((got.progress == json_string_reader::progress::ended) != good || (good && got.text != expected.get<std::string>())) {
                CAPTURE(inside);
                FAIL("valid: " << good);
            }
        };
        constexpr std::string_view digits = "0123456789abcdef";
        for (std::uint32_t unit = 0; unit < 0x10000; ++unit) {
            std::string escape = "\\u";
            for (int shift = 12; shift >= 0; shift -= 4) escape += digits[unit >> shift & 0xf];
            check(escape);
            if (unit % 16 == 5 || unit >= 0xd000) {
                check("\\uD83D" + escape);
                check(escape + "\\uDE00");
            }
        }
    }

    TEST_CASE("the fast path stops at every special byte, wherever it stands") {
        constexpr std::array<unsigned char, 14> specials{0x00, 0x01, 0x1f, 0x20, 0x21, 0x22, 0x23,
                                                         0x5b, 0x5c, 0x5d, 0x7f, 0x80, 0xc3, 0xff};
        for (std::size_t size = 1; size <= 40; ++size) {
            for (std::size_t at = 0; at < size; ++at) {
                for (const unsigned char c : specials) {
                    std::string text(size, 'x');
                    text[at] = static_cast<char>(c);
                    const bool plain = c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
                    REQUIRE(wire::detail::plain_characters(text.data(), text.size()) == (plain ? size : at));
                }
            }
        }
    }

    TEST_CASE("random texts come back through random escapes and random pieces") {
        test::random_numbers random{22};
        CAPTURE(random.seed());
        for (int i = 0; i < 5'000; ++i) {
            std::string text, inside;
            for (std::size_t k = random.below(60); k > 0; --k) {
                constexpr std::array<std::string_view, 12> plain{"a",          "bcd", " ",    "\u00e9", "\u4e2d", "\U0001F600",
                                                                 "0123456789", "{",   "\x7f", "'",      "/",      "\u07ff"};
                constexpr std::array<std::string_view, 8> escaped{"\\n",     "\\\"",    "\\\\",           "\\/",
                                                                  "\\u0041", "\\u00e9", "\\ud83d\\ude00", "\\u0000"};
                constexpr std::array<std::string_view, 8> meant{"\n", "\"", "\\", "/", "A", "\u00e9", "\U0001F600", {"\0", 1}};
                if (random.one_in(2)) {
                    const auto which = random.below(plain.size());
                    text += plain[which];
                    inside += plain[which];
                } else {
                    const auto which = random.below(escaped.size());
                    text += meant[which];
                    inside += escaped[which];
                }
            }
            const std::string closed = inside + "\"";
            REQUIRE(read(test::random_pieces(closed, random, 9)) == outcome{json_string_reader::progress::ended, text, closed.size()});
        }
    }

    TEST_CASE("strings are read at compile time too") {
        static_assert([] {
            json_string_reader reader;
            std::size_t at = 0, characters = 0;
            const auto progress = reader.read("a\\u00e9b\" rest", at, [&](std::string_view piece, bool) { characters += piece.size(); });
            return progress == json_string_reader::progress::ended && at == 9 && characters == 4;
        }());
        CHECK(sizeof(json_string_reader) <= 12);
    }
}
