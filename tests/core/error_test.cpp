#include <playhead/core/error.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace playhead;

namespace {

// Every code, as the header lists them; not_finite is the last.
std::vector<error_code> every_code() {
    std::vector<error_code> codes;
    for (int i = 0; i <= static_cast<int>(error_code::not_finite); ++i) codes.push_back(static_cast<error_code>(i));
    return codes;
}

}  // namespace

TEST_SUITE("core/error") {
    TEST_CASE("every code has a snake_case name of its own") {
        std::set<std::string_view> names;
        for (const error_code code : every_code()) {
            CAPTURE(static_cast<int>(code));
            const std::string_view text = name(code);
            REQUIRE_FALSE(text.empty());
            CHECK(text != "unknown");
            CHECK(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos);
            CHECK(text.front() != '_');
            CHECK(text.back() != '_');
            CHECK(names.insert(text).second);
        }
        CHECK(names.size() == 26);
    }

    TEST_CASE("the names of the codes that rows may hold stay as they are") {
        for (const std::string_view expected : {"dns",
                                                "connect",
                                                "tls",
                                                "timeout",
                                                "reset",
                                                "truncated",
                                                "http_status",
                                                "bad_json",
                                                "bad_base64",
                                                "bad_event",
                                                "bad_index",
                                                "bad_sse",
                                                "bad_wav",
                                                "empty_chunk",
                                                "misaligned",
                                                "after_final",
                                                "silent",
                                                "too_large",
                                                "server_error",
                                                "count_mismatch",
                                                "format_mismatch",
                                                "settings_mismatch"}) {
            CAPTURE(expected);
            int found = 0;
            for (const error_code code : every_code()) found += name(code) == expected ? 1 : 0;
            CHECK(found == 1);
        }
        static_assert(name(error_code::bad_base64) == "bad_base64");
    }

    TEST_CASE("every code has a message of its own, without a full stop") {
        std::set<std::string_view> messages;
        for (const error_code code : every_code()) {
            CAPTURE(name(code));
            const std::string_view text = message(code);
            REQUIRE(text.size() > 8);
            CHECK(text.back() != '.');
            CHECK(text.find('\n') == std::string_view::npos);
            CHECK(messages.insert(text).second);
        }
    }

    TEST_CASE("a place is counted in bytes, frames or a status, or says nothing") {
        for (const error_code code : every_code()) {
            CAPTURE(name(code));
            const std::string_view unit = place_in(code);
            CHECK((unit.empty() || unit == "byte" || unit == "frame" || unit == "status"));
        }
        CHECK(place_in(error_code::http_status) == "status");
        CHECK(place_in(error_code::count_mismatch) == "frame");
        CHECK(place_in(error_code::silent) == "frame");
        CHECK(place_in(error_code::bad_json) == "byte");
        CHECK(place_in(error_code::truncated) == "byte");
        CHECK(place_in(error_code::dns).empty());
        CHECK(place_in(error_code::timeout).empty());
    }

    TEST_CASE("a number that is no code has a name that says so") { CHECK(name(static_cast<error_code>(255)) == "unknown"); }

    TEST_CASE("errors are equal when code and place are") {
        static_assert(error{error_code::reset} == error{error_code::reset, 0});
        CHECK(error{error_code::bad_json, 1} == error{error_code::bad_json, 1});
        CHECK_FALSE(error{error_code::bad_json, 1} == error{error_code::bad_json, 2});
        CHECK_FALSE(error{error_code::bad_json, 1} == error{error_code::bad_wav, 1});
        static_assert(sizeof(error) <= 16);
    }
}
