#include <playhead/wire/bounded_text.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using playhead::wire::bounded_text;

TEST_SUITE("wire/bounded_text") {
    TEST_CASE("a text is put together from pieces") {
        bounded_text<8> text;
        CHECK(text.view().empty());
        CHECK(text.is(""));
        text.append("ab");
        text.append("");
        text.append("cd");
        CHECK(text.view() == "abcd");
        CHECK(text.is("abcd"));
        CHECK_FALSE(text.is("abc"));
        CHECK_FALSE(text.is("abcde"));
        CHECK_FALSE(text.overflowed());
    }

    TEST_CASE("what does not fit is lost, and that is said for good") {
        bounded_text<4> text;
        text.append("abcd");
        CHECK(text.is("abcd"));
        CHECK_FALSE(text.overflowed());
        text.append("e");
        CHECK(text.overflowed());
        CHECK(text.view() == "abcd");
        CHECK_FALSE(text.is("abcd"));
        text.append("");
        CHECK(text.overflowed());
        bounded_text<4> at_once;
        at_once.append("abcdefgh");
        CHECK(at_once.view() == "abcd");
        CHECK(at_once.overflowed());
    }

    TEST_CASE("cleared, it begins again") {
        bounded_text<4> text;
        text.append("abcdef");
        text.clear();
        CHECK_FALSE(text.overflowed());
        CHECK(text.is(""));
        text.append("x");
        CHECK(text.is("x"));
    }

    TEST_CASE("the smallest and the largest capacity hold what they say") {
        bounded_text<1> one;
        one.append("a");
        CHECK(one.is("a"));
        one.append("b");
        CHECK(one.view() == "a");
        const std::string long_text(65'535, 'x');
        bounded_text<65'535> large;
        large.append(long_text);
        CHECK(large.is(long_text));
        large.append("y");
        CHECK(large.overflowed());
        CHECK(large.view() == long_text);
    }

    TEST_CASE("texts are put together at compile time too") {
        static_assert([] {
            bounded_text<4> text;
            text.append("ab");
            text.append("cde");
            return text.overflowed() && text.view() == "abcd";
        }());
        CHECK(true);
    }
}
