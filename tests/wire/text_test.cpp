#include <playhead/wire/text.hpp>

#include <doctest/doctest.h>

#include <string_view>

using namespace playhead;
using namespace std::string_view_literals;

TEST_SUITE("wire/text") {
    TEST_CASE("a part of a text begins and ends where it is told to") {
        static_assert(wire::part_of("abcdef", 1, 3) == "bc");
        CHECK(wire::part_of("abc", 0, 3) == "abc");
        CHECK(wire::part_of("abc", 3, 3).empty());
        CHECK(wire::part_of("", 0, 0).empty());
        CHECK(wire::rest_of("abc", 1) == "bc");
        CHECK(wire::rest_of("abc", 3).empty());
    }

    TEST_CASE("only ASCII letters have a lower case") {
        for (int c = 0; c < 256; ++c) {
            const char given = static_cast<char>(c);
            const char expected = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : given;
            CHECK(wire::lower_case(given) == expected);
        }
    }

    TEST_CASE("texts are compared without the case of ASCII letters, and nothing else is let through") {
        CHECK(wire::same_ignoring_case("Content-Type", "content-TYPE"));
        CHECK(wire::same_ignoring_case("", ""));
        CHECK_FALSE(wire::same_ignoring_case("a", ""));
        CHECK_FALSE(wire::same_ignoring_case("content-type", "content_type"));
        CHECK_FALSE(wire::same_ignoring_case("@", "`"));  // 32 apart, but no letters
        CHECK_FALSE(wire::same_ignoring_case("[", "{"));
        CHECK_FALSE(wire::same_ignoring_case("\xc4", "\xe4"));
        static_assert(wire::same_ignoring_case("X", "x"));
    }

    TEST_CASE("spaces and tabs around a text are trimmed, inside it they stay") {
        CHECK(wire::trimmed(" \t a b\t ") == "a b");
        CHECK(wire::trimmed("ab") == "ab");
        CHECK(wire::trimmed("  ").empty());
        CHECK(wire::trimmed("").empty());
        CHECK(wire::trimmed("\r\n") == "\r\n");
        static_assert(wire::trimmed("\tx ") == "x");
    }
}
