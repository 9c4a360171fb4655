#include <playhead/core/result.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <type_traits>

using namespace playhead;

namespace {

// The least value: trivially copyable and nothing else.
struct least_value {
    explicit constexpr least_value(int held) : number{held} {}
    least_value() = delete;
    int number;
};

constexpr result<int> half_of(int number) {
    if (number % 2 != 0) return error{error_code::out_of_range, static_cast<std::uint64_t>(number)};
    return number / 2;
}

constexpr result<int> quarter_of(int number) {
    const auto half = half_of(number);
    if (!half) return half.error();
    return half_of(*half);
}

constexpr result<void> check_even(int number) {
    if (const auto half = half_of(number); !half) return half.error();
    return {};
}

}  // namespace

TEST_SUITE("core/result") {
    TEST_CASE("a result holds a value or an error") {
        const auto good = half_of(8);
        CHECK(good.has_value());
        CHECK(static_cast<bool>(good));
        CHECK(*good == 4);
        CHECK(good.value() == 4);
        CHECK(good.value_or(7) == 4);

        const auto bad = half_of(7);
        CHECK_FALSE(bad.has_value());
        CHECK_FALSE(static_cast<bool>(bad));
        CHECK(bad.error() == error{error_code::out_of_range, 7});
        CHECK(bad.value_or(7) == 7);
    }

    TEST_CASE("an error is handed on with its place") {
        CHECK(quarter_of(12).value_or(0) == 3);
        CHECK(quarter_of(6).error() == error{error_code::out_of_range, 3});
        CHECK(quarter_of(5).error() == error{error_code::out_of_range, 5});
    }

    TEST_CASE("a result of nothing is done, or the error") {
        CHECK(check_even(2).has_value());
        CHECK(static_cast<bool>(check_even(2)));
        CHECK_FALSE(static_cast<bool>(check_even(3)));
        CHECK(check_even(3).error() == error{error_code::out_of_range, 3});
        CHECK(result<void>{}.has_value());
    }

    TEST_CASE("results work in constant expressions") {
        static_assert(half_of(8).value() == 4);
        static_assert(!half_of(7));
        static_assert(half_of(7).error().place == 7);
        static_assert(check_even(2).has_value() && !check_even(1).has_value());
        static_assert(result<least_value> {
            least_value { 3 }
        } -> number == 3);
        CHECK(quarter_of(8).has_value());
    }

    TEST_CASE("a value needs nothing but to be copied") {
        const result<least_value> held{least_value{5}};
        CHECK(held->number == 5);
        CHECK((*held).number == 5);
        CHECK(result<least_value>{error{error_code::stopped}}.value_or(least_value{9}).number == 9);
    }

    TEST_CASE("a result stands for std::expected's part: its types, and no conversion to a number") {
        static_assert(std::is_same_v<result<int>::value_type, int>);
        static_assert(std::is_same_v<result<void>::value_type, void>);
        static_assert(std::is_same_v<result<int>::error_type, error>);
        static_assert(!std::is_convertible_v<result<int>, bool> && !std::is_convertible_v<result<void>, bool>);
        static_assert(std::is_convertible_v<int, result<int>> && std::is_convertible_v<error, result<int>>);
        static_assert(!std::is_default_constructible_v<result<int>>);
        CHECK(std::is_default_constructible_v<result<void>>);
    }

    TEST_CASE("a result is small, and goes through registers and memory like its value") {
        static_assert(sizeof(result<void>) <= 24 && sizeof(result<std::uint64_t>) <= 24 && sizeof(result<char>) <= 24);
        static_assert(std::is_trivially_copyable_v<result<int>> && std::is_trivially_destructible_v<result<int>>);
        static_assert(std::is_trivially_copyable_v<result<void>> && std::is_trivially_copyable_v<result<least_value>>);
        result<int> copy = half_of(8);
        copy = half_of(3);
        CHECK_FALSE(copy.has_value());
        copy = 11;
        CHECK(copy.value_or(0) == 11);
    }
}
