#include "json_texts.hpp"
#include "support/random_numbers.hpp"

#include <playhead/wire/json_value.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace playhead;
using nlohmann::json;
using wire::check_json;
using wire::json_equal;

namespace {

// `value` written with random white space, escapes, order of members, and ways to write numbers.
std::string written_somehow(const json& value, test::random_numbers& random) {
    const auto space = [&] { return random.text(random.one_in(3) ? random.below(3) : 0, " \t\r\n"); };
    const auto quoted = [&](const std::string& text) {
        std::string made = "\"";
        for (const char c : text) {
            constexpr std::string_view digits = "0123456789abcdef";
            const auto code = static_cast<unsigned char>(c);
            if (code < 0x20 || c == '"' || c == '\\' || (code < 0x80 && random.one_in(3))) {
                made += std::string{"\\u00"} + digits[code / 16] + digits[code % 16];
            } else {
                made += c;
            }
        }
        return made + "\"";
    };
    std::string made = space();
    switch (value.type()) {
        case json::value_t::object: {
            std::vector<std::string> members;
            for (const auto& [name, member] : value.items()) {
                members.push_back(space() + quoted(name) + space() + ":" + written_somehow(member, random));
            }
            for (std::size_t i = members.size(); i > 1; --i) std::swap(members[i - 1], members[random.below(i)]);
            made += "{" + space();
            for (std::size_t i = 0; i < members.size(); ++i) made += (i > 0 ? "," : "") + members[i];
            made += "}";
            break;
        }
        case json::value_t::array:
            made += "[" + space();
            for (std::size_t i = 0; i < value.size(); ++i) made += (i > 0 ? "," : "") + written_somehow(value[i], random);
            made += "]";
            break;
        case json::value_t::string: made += quoted(value.get<std::string>()); break;
        case json::value_t::number_unsigned:
        case json::value_t::number_integer: {
            constexpr std::array<std::string_view, 4> ends{"", ".0", "e0", "0e-1"};
            made += value.dump() + std::string{ends[random.below(value == 0 ? 3 : 4)]};
            break;
        }
        default: made += value.dump();
    }
    return made + space();
}

json random_value(test::random_numbers& random, int depth) {
    switch (random.below(depth > 0 ? 7 : 5)) {
        case 0: return nullptr;
        case 1: return random.one_in(2);
        case 2: return static_cast<std::int64_t>(random.below(20)) - 10;
        case 3: return random.text(random.below(4), "ab\"\\\n/");
        case 4: return random.text(1, "xy") + "\u00e9";
        case 5: {
            json made = json::array();
            for (std::size_t i = random.below(4); i > 0; --i) made.push_back(random_value(random, depth - 1));
            return made;
        }
        default: {
            json made = json::object();
            for (std::size_t i = random.below(4); i > 0; --i) made[random.text(random.below(3), "ab\"")] = random_value(random, depth - 1);
            return made;
        }
    }
}

}  // namespace

TEST_SUITE("wire/json_value") {
    TEST_CASE("JSON is valid, with white space around it or none") {
        for (const std::string_view text : test::json_texts()) {
            CAPTURE(text);
            CHECK(check_json(text).has_value());
            CHECK(check_json("\n\t " + std::string{text} + " \r\n").has_value());
        }
    }

    TEST_CASE("what is not one JSON value is refused at its place") {
        for (const auto& [text, place] : test::bad_json_texts()) {
            CAPTURE(text);
            const auto checked = check_json(text);
            REQUIRE_FALSE(checked);
            CHECK(checked.error() == error{error_code::bad_json, place});
        }
        CHECK(check_json(std::string(64, '[') + std::string(64, ']')).has_value());
        CHECK(check_json(std::string(65, '[') + std::string(65, ']')).error() == error{error_code::too_large, 64});
        CHECK(check_json(" 1 \n 2").error() == error{error_code::bad_json, 5});
    }

    TEST_CASE("values are equal as values") {
        struct row {
            std::string_view a, b;
            bool equal;
        };
        for (const row& each : {
                 row{"0.5", "5e-1", true},
                 row{" 0.5 ", "\n0.50", true},
                 row{"1", "1.0", true},
                 row{"0", "-0", true},
                 row{"1", "2", false},
                 row{"1", "\"1\"", false},
                 row{"1", "true", false},
                 row{"0", "false", false},
                 row{"null", "null", true},
                 row{"null", "false", false},
                 row{"true", "false", false},
                 row{"\"\"", "null", false},
                 row{"[]", "{}", false},
                 row{"[]", "[ ]", true},
                 row{"{}", "{\n}", true},
                 row{R"("A")", R"("\u0041")", true},
                 row{R"("a")", R"("A")", false},
                 row{R"("\ud83d\ude00")", "\"\U0001F600\"", true},
                 row{R"("\u00e9")", "\"\u00e9\"", true},
                 row{R"("\u00e9")", "\"e\u0301\"", false},  // not normalised: other text
                 row{R"("\/")", R"("/")", true},
                 row{R"("\n")", R"("\u000a")", true},
                 row{R"("\n")", R"("n")", false},
                 row{R"("ab")", R"("a")", false},
                 row{R"("")", R"("\u0000")", false},
                 row{"[1,2]", "[1,2]", true},
                 row{"[1,2]", "[2,1]", false},
                 row{"[1,2]", "[1]", false},
                 row{"[1]", "[1,2]", false},
                 row{"[]", "[null]", false},
                 row{"[null]", "[]", false},
                 row{"[[],[[]]]", "[ [] , [ [] ] ]", true},
                 row{"[\"a]\",\"[\"]", "[\"a]\", \"[\"]", true},
                 row{R"({"a":1,"b":2})", R"({"b":2,"a":1})", true},
                 row{R"({"a":1})", R"({"a":1,"b":2})", false},
                 row{R"({"a":1,"b":2})", R"({"a":1})", false},
                 row{R"({"a":1})", R"({"a":2})", false},
                 row{R"({"a":1})", R"({"A":1})", false},
                 row{R"({"\u0061":1})", R"({"a":1})", true},
                 row{R"({"a":{"b":[1,{"c":0.5}]}})", R"({ "a" : { "b" : [ 1.0 , { "c" : 5e-1 } ] } })", true},
                 row{R"({"a":{"b":[1,{"c":0.5}]}})", R"({"a":{"b":[1,{"c":0.6}]}})", false},
                 row{R"({"a":"}"})", R"({"a":"}"})", true},
                 row{R"({"a":"\""})", R"({"a":"\u0022"})", true},
                 row{R"({"a":1,"a":1})", R"({"a":1})", false},
                 row{R"({"a":1,"a":1})", R"({"a":1,"a":1})", false},
                 row{R"({"a":1,"\u0061":2})", R"({"a":1,"b":2})", false},
                 row{R"([{"a":1,"a":2}])", R"([{"a":1,"a":2}])", false},
                 row{"1e400", "1e401", false},
                 row{"9007199254740992", "9007199254740993", false},
             }) {
            CAPTURE(each.a);
            CAPTURE(each.b);
            REQUIRE(check_json(each.a));
            REQUIRE(check_json(each.b));
            CHECK(json_equal(each.a, each.b) == each.equal);
            CHECK(json_equal(each.b, each.a) == each.equal);
        }
    }

    TEST_CASE("values are equal to themselves and to no other text of the list, unless another parser says so") {
        const auto& texts = test::json_texts();
        for (const std::string_view a : texts) {
            const bool doubled = a == R"({"a":1,"a":2})";
            CAPTURE(a);
            CHECK(json_equal(a, a) == !doubled);
            for (const std::string_view b : texts) {
                if (doubled || b == R"({"a":1,"a":2})") continue;
                CAPTURE(b);
                CHECK(json_equal(a, b) == (json::parse(a) == json::parse(b)));
            }
        }
    }

    TEST_CASE("random values equal themselves however they are written, and only what another parser finds equal") {
        test::random_numbers random{26};
        CAPTURE(random.seed());
        int equal = 0;
        for (int i = 0; i < 20'000; ++i) {
            const json a = random_value(random, 3), b = random_value(random, 2);
            const std::string x = written_somehow(a, random), y = written_somehow(a, random), z = written_somehow(b, random);
            if (!check_json(x)) FAIL(x << " is no JSON, at " << check_json(x).error().place);
            if (!json_equal(x, y)) FAIL(x << " is not " << y);
            if (json_equal(x, z) != (a == b)) FAIL(x << " and " << z);
            equal += a == b ? 1 : 0;
        }
        CHECK(equal > 200);
    }

    TEST_CASE("64 levels are compared") {
        std::string a, b;
        for (int i = 0; i < 64; ++i) a = i % 2 == 0 ? "[" + a + "]" : "{\"x\":" + a + "}";
        b = a;
        REQUIRE(check_json(a));
        CHECK(json_equal(a, b));
        b.replace(b.find("[]"), 2, "{}");
        CHECK_FALSE(json_equal(a, b));
    }

    TEST_CASE("the members of an object come one after another, as they are written") {
        struct member {
            std::string_view name, value;
        };
        const auto check = [](std::string_view object, const std::vector<member>& expected) {
            CAPTURE(object);
            wire::json_members members{object};
            for (const member& each : expected) {
                const auto got = members.next();
                REQUIRE(got);
                CHECK(got->name == each.name);
                CHECK(got->value == each.value);
            }
            CHECK_FALSE(members.next());
            CHECK_FALSE(members.next());
        };
        check("{}", {});
        check(" { \n} ", {});
        check(R"({"a":1})", {{"\"a\"", "1"}});
        check(R"( { "a" : 1 , "b" : [ 1 , {"c":","} ] } )", {{"\"a\"", "1"}, {"\"b\"", R"([ 1 , {"c":","} ])"}});
        check(R"({"\"}":"\\","":{"":""},"n":-1.5e3,"t":true,"z":null})",
              {{R"("\"}")", R"("\\")"}, {R"("")", R"({"":""})"}, {"\"n\"", "-1.5e3"}, {"\"t\"", "true"}, {"\"z\"", "null"}});
        check(R"({"a":1,"a":2})", {{"\"a\"", "1"}, {"\"a\"", "2"}});
        check("{\"a\":1}\n", {{"\"a\"", "1"}});
        // what is no object has none
        for (const auto text : {"[]", "[1]", "\"a\"", "1", "null", "", " "}) check(text, {});
    }

    TEST_CASE("a member is found by its name, however either is escaped, and counted") {
        constexpr std::string_view object = R"({"a":1,"b":{"c":2,"a":9},"\u0061":3,"":4,"\"":5,"\ud83d\ude00":6})";
        CHECK(wire::json_find(object, "\"a\"").count == 2);
        CHECK(wire::json_find(object, "\"a\"").value == "1");
        CHECK(wire::json_find(object, R"("\u0061")").count == 2);
        CHECK(wire::json_find(object, "\"b\"").value == R"({"c":2,"a":9})");
        CHECK(wire::json_find(object, "\"c\"").count == 0);
        CHECK(wire::json_find(object, "\"c\"").value.empty());
        CHECK(wire::json_find(object, "\"\"").value == "4");
        CHECK(wire::json_find(object, R"("\u0022")").value == "5");
        CHECK(wire::json_find(object, "\"\U0001F600\"").value == "6");
        CHECK(wire::json_find("{}", "\"a\"").count == 0);
        CHECK(wire::json_find("[\"a\"]", "\"a\"").count == 0);
    }

    TEST_CASE("two quoted texts are the same when their characters are") {
        CHECK(wire::json_same_text(R"("a\nb")", R"("a\u000Ab")"));
        CHECK(wire::json_same_text(R"("\u00E9")", R"("\u00e9")"));
        CHECK(wire::json_same_text("\"\xf4\x8f\xbf\xbf\"", R"("\udbff\udfff")"));
        CHECK(wire::json_same_text(R"("\b\f\r\t\"\\\/")", R"("\u0008\u000c\u000d\u0009\u0022\u005c\u002f")"));
        CHECK_FALSE(wire::json_same_text(R"("a")", R"("ab")"));
        CHECK_FALSE(wire::json_same_text(R"("ab")", R"("a")"));
        CHECK_FALSE(wire::json_same_text(R"("")", R"("a")"));
        CHECK(wire::json_same_text(R"("")", R"("")"));
        // every character of one unit, written and escaped
        for (std::uint32_t code = 1; code < 0x10000; code += code < 0x900 ? 1 : 77) {
            if (code >= 0xd800 && code <= 0xdfff) continue;
            std::string escaped = "\"\\u";
            for (int shift = 12; shift >= 0; shift -= 4) escaped += "0123456789abcdef"[code >> shift & 0xf];
            escaped += "\"";
            if (!wire::json_same_text(json(json::parse(escaped)).dump(), escaped)) FAIL(escaped << " is not the same text");
        }
    }

    TEST_CASE("values are compared at compile time too") {
        static_assert(json_equal(R"({"a":[1,"x"]})", R"({ "a": [1.0, "\u0078"] })"));
        static_assert(check_json("[1,]").error() == error{error_code::bad_json, 3});
        static_assert(wire::json_find(R"({"a":1})", "\"a\"").value == "1");
        CHECK(true);
    }
}
