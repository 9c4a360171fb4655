#include "support/json_lines.hpp"
#include "support/random_numbers.hpp"

#include <playhead/stats/percentile.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace playhead;
using stats::percentile_method;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double largest = std::numeric_limits<double>::max();

double percentile_of(std::vector<double> values, double percent, percentile_method method = percentile_method::linear) {
    const auto in_place = stats::percentile(values, percent, method);
    REQUIRE(in_place);
    std::sort(values.begin(), values.end());
    const auto of_sorted = stats::percentile_of_sorted(values, percent, method);
    REQUIRE(of_sorted);
    CHECK(*in_place == *of_sorted);
    return *in_place;
}

void check_row(const nlohmann::json& values, const nlohmann::json& linear, const nlohmann::json& nearest_rank) {
    for (const auto& [percent, expected] : linear.items()) {
        CAPTURE(percent);
        const double got = percentile_of(values, std::stod(percent));
        CHECK(std::abs(got - expected.get<double>()) <= 1e-9 * std::abs(expected.get<double>()));
    }
    for (const auto& [percent, expected] : nearest_rank.items()) {
        CAPTURE(percent);
        CHECK(percentile_of(values, std::stod(percent), percentile_method::nearest_rank) == expected.get<double>());
    }
}

}  // namespace

TEST_SUITE("stats/percentile") {
    TEST_CASE("the reference rows") {
        int number = 0;
        for (const auto& row : test::rows_of("reference/percentile.jsonl")) {
            ++number;
            CAPTURE(number);
            check_row(row["values"], row["linear"], row["nearest_rank"]);
        }
        CHECK(number == 120);
    }

    TEST_CASE("the cases reported of other programs") {
        for (const auto& row : test::reported_rows("percentile")) {
            CAPTURE(row["id"].get<std::string>());
            check_row(row["row"]["values"], row["expect"]["linear"], row["expect"]["nearest_rank"]);
        }
    }

    TEST_CASE("the two definitions differ where they should") {
        CHECK(percentile_of({10, 20}, 50) == 15);
        CHECK(percentile_of({20, 10}, 50, percentile_method::nearest_rank) == 10);
        CHECK(percentile_of({1, 2, 3, 4}, 25) == 1.75);
        CHECK(percentile_of({1, 2, 3, 4}, 25, percentile_method::nearest_rank) == 1);
        CHECK(percentile_of({1, 2, 3, 4}, 25.1, percentile_method::nearest_rank) == 2);
    }

    TEST_CASE("one value is every percentile of itself, and so are equal values") {
        for (const auto method : {percentile_method::linear, percentile_method::nearest_rank}) {
            for (const double percent : {0.0, 0.1, 50.0, 95.0, 99.9, 100.0}) {
                CHECK(percentile_of({42.5}, percent, method) == 42.5);
                CHECK(percentile_of({0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, percent, method) == 0.1);
            }
        }
    }

    TEST_CASE("0 is the smallest value and 100 the largest, by either definition") {
        for (const auto method : {percentile_method::linear, percentile_method::nearest_rank}) {
            CHECK(percentile_of({3, -7, 11, 2}, 0, method) == -7);
            CHECK(percentile_of({3, -7, 11, 2}, 100, method) == 11);
        }
    }

    TEST_CASE("nearest rank is the definition with exact fractions, for every tenth and hundredth of a percent") {
        for (std::uint64_t n : {1U, 2U, 3U, 7U, 8U, 10U, 16U, 19U, 20U, 21U, 99U, 100U, 101U, 128U, 999U, 1000U, 1001U, 1024U, 10'000U}) {
            CAPTURE(n);
            std::vector<double> values(n);
            for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(i + 1);
            for (std::uint64_t hundredths = 0; hundredths <= 10'000; ++hundredths) {
                // the smallest rank that at least this share of the values does not exceed
                const std::uint64_t rank = std::max<std::uint64_t>(1, (n * hundredths + 9'999) / 10'000);
                const double percent = static_cast<double>(hundredths) / 100;
                const auto got = stats::percentile_of_sorted(values, percent, percentile_method::nearest_rank);
                if (!got || *got != static_cast<double>(rank)) {
                    CAPTURE(percent);
                    FAIL(got.value_or(-1) << " is not at rank " << rank);
                }
            }
        }
        std::vector<double> thousand(1000);
        for (std::size_t i = 0; i < 1000; ++i) thousand[i] = static_cast<double>(i + 1);
        CHECK(stats::percentile_of_sorted(thousand, 99.9, percentile_method::nearest_rank).value_or(0) == 999);
        CHECK(stats::percentile_of_sorted(thousand, 57.0, percentile_method::nearest_rank).value_or(0) == 570);
        CHECK(stats::percentile_of_sorted(thousand, 0.1, percentile_method::nearest_rank).value_or(0) == 1);
        CHECK(stats::percentile_of_sorted(thousand, 99.90001, percentile_method::nearest_rank).value_or(0) == 1000);
    }

    TEST_CASE("linear is the definition with exact fractions") {
        for (std::int64_t n = 1; n <= 64; ++n) {
            CAPTURE(n);
            std::vector<double> values;
            for (std::int64_t i = 0; i < n; ++i) values.push_back(static_cast<double>(i * i));
            for (std::int64_t tenths = 0; tenths <= 1000; ++tenths) {
                // the rank is (n - 1) tenths / 1000
                const std::int64_t below = (n - 1) * tenths / 1000, rest = (n - 1) * tenths % 1000;
                const std::int64_t after = std::min(below + 1, n - 1);
                const double expected = static_cast<double>(below * below * 1000 + (after * after - below * below) * rest) / 1000;
                const auto got = stats::percentile_of_sorted(values, static_cast<double>(tenths) / 10);
                REQUIRE(got);
                if (!(std::abs(*got - expected) <= 1e-12 * (1 + expected))) {
                    CAPTURE(tenths);
                    FAIL(*got << " is not " << expected);
                }
            }
        }
    }

    TEST_CASE("values in any order, with ties, give what sorting gives") {
        test::random_numbers random{7};
        CAPTURE(random.seed());
        for (int i = 0; i < 3'000; ++i) {
            std::vector<double> values(random.from_to(1, 40));
            for (double& value : values) value = static_cast<double>(random.below(20)) - 10 + (random.one_in(3) ? random.unit() : 0);
            const double percent = random.one_in(4) ? static_cast<double>(random.below(101)) : random.unit() * 100;
            std::vector<double> sorted = values;
            std::sort(sorted.begin(), sorted.end());
            for (const auto method : {percentile_method::linear, percentile_method::nearest_rank}) {
                std::vector<double> shuffled = values;
                const auto got = stats::percentile(shuffled, percent, method);
                REQUIRE(got);
                REQUIRE(*got == *stats::percentile_of_sorted(sorted, percent, method));
                REQUIRE(*got >= sorted.front());
                REQUIRE(*got <= sorted.back());
                // it only puts them in another order
                std::sort(shuffled.begin(), shuffled.end());
                REQUIRE(shuffled == sorted);
            }
        }
    }

    TEST_CASE("a percentile never lies outside the two values around it") {
        test::random_numbers random{8};
        CAPTURE(random.seed());
        for (int i = 0; i < 100'000; ++i) {
            std::array<double, 2> values{std::ldexp(random.unit() - 0.5, static_cast<int>(random.below(60))), 0};
            values[1] = random.one_in(2) ? values[0] + std::ldexp(random.unit(), static_cast<int>(random.below(60)) - 30)
                                         : std::ldexp(random.unit(), static_cast<int>(random.below(60)));
            std::sort(values.begin(), values.end());
            const double percent = random.one_in(2) ? std::nextafter(100.0, 0.0) : random.unit() * 100;
            const double got = stats::percentile_of_sorted(values, percent).value_or(not_a_number);
            REQUIRE(got >= values[0]);
            REQUIRE(got <= values[1]);
        }
        CHECK(percentile_of({-largest, largest}, 50) == 0);
        CHECK(percentile_of({-largest, largest}, 75) == doctest::Approx(largest / 2));
    }

    TEST_CASE("a failure that stands as infinity is larger than every value") {
        CHECK(percentile_of({1, 2, 3, infinity}, 50) == 2.5);
        CHECK(percentile_of({1, 2, 3, infinity}, 95) == infinity);
        CHECK(percentile_of({1, 2, 3, infinity}, 75, percentile_method::nearest_rank) == 3);
        CHECK(percentile_of({1, 2, 3, infinity}, 95, percentile_method::nearest_rank) == infinity);
        CHECK(percentile_of({infinity, infinity, 1}, 50) == infinity);
        CHECK(percentile_of({infinity}, 50) == infinity);
        CHECK(percentile_of({-infinity, 1, 2}, 0) == -infinity);
        CHECK(percentile_of({-infinity, 1, 2}, 25) == -infinity);
        CHECK(percentile_of({-infinity, 1, 2}, 50) == 1);
        CHECK(percentile_of({-infinity, -infinity, -infinity}, 25) == -infinity);
        CHECK(percentile_of({-infinity, infinity}, 25) == -infinity);
        CHECK(percentile_of({-infinity, infinity}, 75) == infinity);
        CHECK_FALSE(std::isnan(percentile_of({-infinity, infinity}, 50)));
    }

    TEST_CASE("a NaN is refused with its index") {
        for (std::size_t at = 0; at < 5; ++at) {
            std::vector<double> values{5, 4, 3, 2, 1};
            values[at] = not_a_number;
            CHECK(stats::percentile(values, 50).error() == error{error_code::not_finite, at});
        }
        std::vector<double> two{1, not_a_number, not_a_number};
        CHECK(stats::percentile(two, 50, percentile_method::nearest_rank).error() == error{error_code::not_finite, 1});
    }

    TEST_CASE("no values have no percentile, and there is none below 0 or above 100") {
        std::vector<double> none, some{1, 2, 3};
        CHECK(stats::percentile(none, 50).error() == error{error_code::no_values});
        CHECK(stats::percentile_of_sorted(none, 50).error() == error{error_code::no_values});
        for (const double percent : {-0.001, 100.001, -infinity, infinity, not_a_number, std::nextafter(100.0, 101.0)}) {
            CAPTURE(percent);
            CHECK(stats::percentile(some, percent).error() == error{error_code::out_of_range});
            CHECK(stats::percentile_of_sorted(some, percent).error() == error{error_code::out_of_range});
        }
    }

    TEST_CASE("percentiles work in constant expressions") {
        static_assert([] {
            std::array<double, 5> values{5, 1, 4, 2, 3};
            return stats::percentile(values, 50).value();
        }() == 3);
        static_assert(stats::percentile_of_sorted(std::array<double, 2>{1, 2}, 25).value() == 1.25);
        CHECK(percentile_of({5, 1, 4, 2, 3}, 50) == 3);
    }
}
