#include "support/random_numbers.hpp"

#include <playhead/wire/json_number.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

using namespace playhead;
using wire::json_same_number;
using wire::json_whole_number;

namespace {

// A number written out: sign, 100 digits before the point, 100 behind it. Equal numbers have equal texts. The slow obvious way, for
// exponents up to about 40.
std::string written_out(std::string_view number) {
    constexpr int places = 100;
    const bool negative = number.front() == '-';
    if (negative) number.remove_prefix(1);
    int exponent = 0;
    if (const auto e = number.find_first_of("eE"); e != std::string_view::npos) {
        exponent = std::stoi(std::string{number.substr(e + 1)});
        number = number.substr(0, e);
    }
    std::string digits(2 * places, '0');
    const auto point = std::min(number.find('.'), number.size());
    for (std::size_t i = 0; i < number.size(); ++i) {
        if (i == point) continue;
        const int power = static_cast<int>(point) - static_cast<int>(i) - (i < point ? 1 : 0) + exponent;  // of ten
        digits.at(static_cast<std::size_t>(places - 1 - power)) = number[i];
    }
    const bool zero = digits.find_first_not_of('0') == std::string::npos;
    return (negative && !zero ? "-" : "") + digits;
}

std::optional<std::uint64_t> obviously_whole(std::string_view number) {
    const std::string text = written_out(number);
    if (text.front() == '-' || text.substr(100).find_first_not_of('0') != std::string::npos) return std::nullopt;
    std::string whole = text.substr(0, 100);
    whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size() - 1));
    if (whole.size() > 20 || (whole.size() == 20 && whole > "18446744073709551615")) return std::nullopt;
    return std::stoull(whole);
}

std::string random_number(test::random_numbers& random) {
    std::string text = random.one_in(3) ? "-" : "";
    if (random.one_in(4)) {
        text += "0";
    } else {
        text += random.text(1, "12345678");
        text += random.text(random.below(22), random.one_in(2) ? "0" : "0012345");
    }
    if (random.one_in(2)) text += "." + random.text(random.from_to(1, 20), random.one_in(2) ? "0" : "00125");
    if (random.one_in(2)) {
        text += random.text(1, "eE") + random.text(random.below(2), "+-");
        text += random.text(random.from_to(1, 3), "0") + random.text(1, "0123456789");
    }
    return text;
}

// DIGITS times 10^exponent with its point behind any of the digits.
std::string written_somehow(test::random_numbers& random, const std::string& digits, int exponent) {
    const std::size_t before = random.from_to(1, digits.size());
    const std::string behind = digits.substr(before) + random.text(random.below(3), "0");
    const int left = exponent + static_cast<int>(digits.size() - before);
    std::string text = digits.substr(0, before);
    if (!behind.empty()) text += "." + behind;
    if (left != 0 || random.one_in(2))
        text += random.text(1, "eE") + (left < 0 ? "-" : random.one_in(2) ? "+" : "") + std::to_string(std::abs(left));
    return text;
}

}  // namespace

TEST_SUITE("wire/json_number") {
    TEST_CASE("numbers are the same when their values are") {
        struct row {
            std::string_view a, b;
            bool same;
        };
        for (const row& each : {
                 row{"0.5", "0.50", true},
                 row{"0.5", "5e-1", true},
                 row{"0.5", "5E-01", true},
                 row{"0.5", "0.05e1", true},
                 row{"0.5", "500e-3", true},
                 row{"1", "1.0", true},
                 row{"1", "1e0", true},
                 row{"1", "10e-1", true},
                 row{"1", "0.1e+1", true},
                 row{"100", "1e2", true},
                 row{"100", "1.00e2", true},
                 row{"0", "-0", true},
                 row{"0", "0.0", true},
                 row{"0", "-0.000e-99", true},
                 row{"0", "0e999999999999999999999999", true},
                 row{"-1", "-1.0", true},
                 row{"0.001", "1e-3", true},
                 row{"120.0340", "1.20034e2", true},
                 row{"1", "-1", false},
                 row{"1", "2", false},
                 row{"1", "10", false},
                 row{"1", "0.1", false},
                 row{"0", "1e-99", false},
                 row{"0.1", "0.10000000000000000000000000000000000001", false},
                 row{"9007199254740992", "9007199254740993", false},                              // equal as doubles
                 row{"0.1", "0.1000000000000000055511151231257827021181583404541015625", false},  // likewise
                 row{"1e400", "1e401", false},                                                    // infinite as doubles
                 row{"1e400", "10e399", true},
                 row{"1e-400", "0", false},
                 row{"12", "1.2", false},
                 row{"102", "12", false},
                 row{"1.02", "1.2", false},
                 row{"1e999999999999999999999999", "1", false},
                 row{"1e999999999999999999999999", "1e-999999999999999999999999", false},
                 row{"1e100000000000000", "1e100000000000001", false},
                 row{"1e100000000000001", "10e100000000000000", true},
             }) {
            CAPTURE(each.a);
            CAPTURE(each.b);
            CHECK(json_same_number(each.a, each.b) == each.same);
            CHECK(json_same_number(each.b, each.a) == each.same);
            CHECK(json_same_number(each.a, each.a));
        }
    }

    TEST_CASE("random numbers are the same when they are the same written out") {
        test::random_numbers random{23};
        CAPTURE(random.seed());
        int same = 0;
        for (int i = 0; i < 40'000; ++i) {
            // a value, and the same one or its neighbour, each written in one of the ways to write it
            std::string digits = random.text(1, "123456789") + random.text(random.below(12), "0012345");
            const int exponent = static_cast<int>(random.below(31)) - 15;
            const std::string a = written_somehow(random, digits, exponent);
            if (random.one_in(2)) digits[random.from_to(0, digits.size() - 1)] = random.text(1, "123456789")[0];
            const std::string b = written_somehow(random, digits, exponent + (random.one_in(4) ? 1 : 0));
            const bool expected = written_out(a) == written_out(b);
            same += expected ? 1 : 0;
            if (json_same_number(a, b) != expected) FAIL(a << " and " << b << " are " << (expected ? "" : "not ") << "the same");
            const std::string c = random_number(random), d = random_number(random);
            if (json_same_number(c, d) != (written_out(c) == written_out(d))) FAIL(c << " and " << d << " are compared wrongly");
        }
        CHECK(same > 5'000);
    }

    TEST_CASE("whole numbers are read from every way of writing them") {
        struct row {
            std::string_view text;
            std::optional<std::uint64_t> value;
        };
        for (const row& each : {
                 row{"0", 0},
                 row{"-0", 0},
                 row{"0.0", 0},
                 row{"0e99", 0},
                 row{"45", 45},
                 row{"45.0", 45},
                 row{"4.5e1", 45},
                 row{"450e-1", 45},
                 row{"0.45E+2", 45},
                 row{"1e19", 10'000'000'000'000'000'000ULL},
                 row{"18446744073709551615", UINT64_MAX},
                 row{"18446744073709551615.000", UINT64_MAX},
                 row{"1844674407370955161500000e-5", UINT64_MAX},
                 row{"18446744073709551616", std::nullopt},
                 row{"99999999999999999999", std::nullopt},
                 row{"1e20", std::nullopt},
                 row{"1e999999999999999999999", std::nullopt},
                 row{"1e-999999999999999999999", std::nullopt},
                 row{"-1", std::nullopt},
                 row{"-45.0", std::nullopt},
                 row{"0.5", std::nullopt},
                 row{"45.5", std::nullopt},
                 row{"45e-1", std::nullopt},
                 row{"1e-1", std::nullopt},
                 row{"24000.0000000000000000001", std::nullopt},
             }) {
            CAPTURE(each.text);
            CHECK(json_whole_number(each.text) == each.value);
        }
    }

    TEST_CASE("random numbers are whole when they are written out") {
        test::random_numbers random{24};
        CAPTURE(random.seed());
        int whole = 0;
        for (int i = 0; i < 40'000; ++i) {
            const std::string text = random_number(random);
            const auto expected = obviously_whole(text);
            whole += expected ? 1 : 0;
            if (json_whole_number(text) != expected) FAIL(text << " is " << (expected ? std::to_string(*expected) : "not whole"));
        }
        CHECK(whole > 2'000);
    }

    TEST_CASE("numbers are compared at compile time too") {
        static_assert(json_same_number("0.5", "5e-1") && !json_same_number("0.5", "0.51"));
        static_assert(json_whole_number("4.5e1") == 45);
        CHECK(true);
    }
}
