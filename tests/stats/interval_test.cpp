#include <playhead/stats/interval.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

using namespace playhead;
using stats::student_t_975;

namespace {

double density(double t, double degrees) {
    const double log_scale = std::lgamma((degrees + 1) / 2) - std::lgamma(degrees / 2) - 0.5 * std::log(degrees * 3.14159265358979323846);
    return std::exp(log_scale - (degrees + 1) / 2 * std::log1p(t * t / degrees));
}

// The probability of 0 to t, by Simpson's rule.
double probability_up_to(double t, double degrees) {
    constexpr int steps = 4'000;
    const double h = t / steps;
    double sum = density(0, degrees) + density(t, degrees);
    for (int i = 1; i < steps; ++i) sum += (i % 2 == 1 ? 4 : 2) * density(h * i, degrees);
    return sum * h / 3;
}

// How far `t` is from the 0.975 quantile, relative to it: one step of Newton's.
double relative_error(double t, double degrees) { return (probability_up_to(t, degrees) - 0.475) / density(t, degrees) / t; }

}  // namespace

TEST_SUITE("stats/interval") {
    TEST_CASE("Student's t quantile is within 2e-6, for every number of degrees of freedom up to 1000") {
        for (std::uint64_t degrees = 1; degrees <= 1000; ++degrees) {
            CAPTURE(degrees);
            CHECK(std::abs(relative_error(student_t_975(degrees), static_cast<double>(degrees))) < 2e-6);
        }
        for (const std::uint64_t degrees : {5'000U, 100'000U}) {
            CHECK(std::abs(relative_error(student_t_975(degrees), static_cast<double>(degrees))) < 2e-6);
        }
    }

    TEST_CASE("Student's t quantile is what tables print") {
        struct row {
            std::uint64_t degrees;
            double t;
        };
        for (const row& each :
             {row{1, 12.706}, row{2, 4.303}, row{3, 3.182}, row{4, 2.776}, row{5, 2.571}, row{9, 2.262}, row{10, 2.228}, row{20, 2.086},
              row{29, 2.045}, row{30, 2.042}, row{40, 2.021}, row{60, 2.000}, row{120, 1.980}, row{1'000'000'000, 1.960}}) {
            CAPTURE(each.degrees);
            CHECK(std::abs(student_t_975(each.degrees) - each.t) < 0.0006);
        }
    }

    TEST_CASE("Student's t quantile falls with the degrees of freedom") {
        for (std::uint64_t degrees = 1; degrees < 300; ++degrees) CHECK(student_t_975(degrees + 1) < student_t_975(degrees));
        CHECK(student_t_975(UINT64_MAX) >= 1.959963984540);
    }

    TEST_CASE("one round shows no spread between rounds, so there is no interval") {
        CHECK_FALSE(stats::calibrated_interval(5, 1, 0));
        CHECK_FALSE(stats::calibrated_interval(5, 1, 1));
        CHECK_FALSE(stats::calibrated_log_interval(5, 1, 1));
        CHECK(stats::calibrated_interval(5, 1, 2));
        CHECK(stats::calibrated_log_interval(5, 1, 2));
    }

    TEST_CASE("the calibrated interval is t times the standard error times the root of R / (R - 1)") {
        // three rounds: 4.30265272991 * 2 * sqrt(1.5) = 10.539303...
        const auto three = stats::calibrated_interval(100, 2, 3);
        REQUIRE(three);
        CHECK(three->low == doctest::Approx(100 - 4.30265272991 * 2 * std::sqrt(1.5)).epsilon(1e-12));
        CHECK(three->high == doctest::Approx(110.53930).epsilon(1e-7));
        CHECK(*stats::calibrated_interval(100, 0, 3) == stats::interval{100, 100});
    }

    TEST_CASE("on the log scale the interval is a factor either way, and never below zero") {
        const auto three = stats::calibrated_log_interval(100, 0.1, 3);
        REQUIRE(three);
        const double factor = std::exp(4.30265272991 * 0.1 * std::sqrt(1.5));
        CHECK(three->low == doctest::Approx(100 / factor).epsilon(1e-12));
        CHECK(three->high == doctest::Approx(100 * factor).epsilon(1e-12));
        CHECK(three->high - 100 > 100 - three->low);
        CHECK(stats::calibrated_log_interval(1, 50, 2)->low >= 0);
        CHECK(*stats::calibrated_log_interval(7, 0, 5) == stats::interval{7, 7});
    }
}
