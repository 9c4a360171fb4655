#include <playhead/measure/warmup_text.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace playhead;
using measure::begins_with;

namespace {

std::string warmup(std::uint64_t number, const std::string& text, const std::vector<std::string>& measured) {
    const auto prefix = measure::warmup_prefix_for(number, [&](std::string_view first) {
        for (const std::string& each : measured) {
            if (begins_with(first, text, each)) return true;
        }
        return false;
    });
    CHECK_FALSE(prefix.overflowed());
    return std::string{prefix.view()} + text;
}

}  // namespace

TEST_SUITE("measure/warmup_text") {
    TEST_CASE("every warm-up says something else") {
        std::set<std::string> texts;
        for (std::uint64_t number = 0; number < 1'000; ++number) texts.insert(warmup(number, "Hello.", {"Hello."}));
        CHECK(texts.size() == 1'000);
        CHECK(warmup(0, "Hello.", {"Hello."}).ends_with("Hello."));
        CHECK(warmup(7, "Hello.", {"Hello."}).find('7') != std::string::npos);
        CHECK(warmup(UINT64_MAX, "Hello.", {"Hello."}).find("18446744073709551615") != std::string::npos);
    }

    TEST_CASE("a warm-up begins with none of the measured texts, whatever they are") {
        const std::string usual = warmup(0, "", {});
        const std::vector<std::vector<std::string>> sets{
            {"Hello.", "Good morning."},
            {"W"},
            {"I"},
            {"Warmup."},
            {"I", "W"},
            {"I", "Warmup. "},
            {"Inferencekit"},
            {usual},
            {usual + "X", "X"},
            {"Inferencekit untimed speech warmup 0. X", "X"},
            {"Warmup. Inferencekit untimed speech warmup 0. X", "Inferencekit untimed speech warmup 0. X", "X"},
            {"I", "W", "0", "1", "2", "A", "B"},
            {"I", "Warmup.", "0. Warmup.", "1"},
        };
        for (const auto& measured : sets) {
            CAPTURE(measured.front());
            std::set<std::string> texts;
            for (std::uint64_t number = 0; number < 25; ++number) {
                for (const std::string& text : measured) {
                    const std::string said = warmup(number, text, measured);
                    for (const std::string& each : measured) {
                        CAPTURE(said);
                        CHECK_FALSE(said.starts_with(each));
                    }
                    CHECK(texts.insert(said).second);
                }
            }
        }
    }

    TEST_CASE("every letter and digit but one may be taken") {
        std::vector<std::string> measured;
        constexpr std::string_view all = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        for (const char left : all) {
            measured.clear();
            for (const char c : all) {
                if (c != left) measured.emplace_back(1, c);
            }
            CHECK(warmup(3, "text", measured).front() == left);
        }
        // with all of them taken there is still a text, and it ends
        measured.emplace_back("z");
        CHECK_FALSE(warmup(3, "text", measured).empty());
    }

    TEST_CASE("the longest prefix fits") {
        std::size_t longest = 0;
        std::size_t asked = 0;
        const auto prefix = measure::warmup_prefix_for(UINT64_MAX, [&](std::string_view first) {
            ++asked;
            longest = std::max(longest, first.size());
            return true;
        });
        CHECK(asked > 60);
        CHECK(longest < 96);
        CHECK_FALSE(prefix.overflowed());
    }

    TEST_CASE("a text begins across the seam of two") {
        CHECK(begins_with("ab", "cd", "abc"));
        CHECK(begins_with("ab", "cd", "abcd"));
        CHECK(begins_with("ab", "cd", ""));
        CHECK(begins_with("", "cd", "c"));
        CHECK_FALSE(begins_with("ab", "cd", "abcde"));
        CHECK_FALSE(begins_with("ab", "cd", "abd"));
        CHECK_FALSE(begins_with("", "", "a"));
        static_assert(begins_with("x", "y", "xy"));
    }
}
