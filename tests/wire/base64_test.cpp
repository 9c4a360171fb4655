#include "support/cuts.hpp"
#include "support/random_numbers.hpp"

#include <playhead/wire/base64.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace playhead;
using namespace std::string_view_literals;

namespace {

// ---- the obvious way: a text is right when encoding what it stands for gives it back

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string obviously_encoded(std::string_view bytes) {
    std::string bits, text;
    for (const char c : bytes) {
        for (int bit = 7; bit >= 0; --bit) bits += (static_cast<unsigned char>(c) >> bit & 1) != 0 ? '1' : '0';
    }
    while (bits.size() % 6 != 0) bits += '0';
    for (std::size_t at = 0; at < bits.size(); at += 6) text += alphabet[std::stoul(bits.substr(at, 6), nullptr, 2)];
    while (text.size() % 4 != 0) text += '=';
    return text;
}

std::optional<std::string> obviously_decoded(std::string_view text) {
    std::string bits, bytes;
    for (const char c : text) {
        if (c == '=') break;
        const auto value = alphabet.find(c);
        if (value == std::string_view::npos) return std::nullopt;
        for (int bit = 5; bit >= 0; --bit) bits += (value >> bit & 1) != 0 ? '1' : '0';
    }
    for (std::size_t at = 0; at + 8 <= bits.size(); at += 8) bytes += static_cast<char>(std::stoul(bits.substr(at, 8), nullptr, 2));
    if (obviously_encoded(bytes) != text) return std::nullopt;
    return bytes;
}

// Can a right text begin like this?
bool may_begin(std::string_view text) {
    for (const auto* const rest : {"", "=", "==", "A", "AA", "AAA", "A=", "A==", "AA="}) {
        if (obviously_decoded(std::string{text} + rest)) return true;
    }
    return false;
}

// The first character that cannot stand there; the text's size where characters are missing.
std::size_t obvious_place(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!may_begin(text.substr(0, at + 1))) return at;
    }
    return text.size();
}

// ---- the decoders under test

struct decoded {
    std::string bytes;
    std::optional<std::size_t> bad_at;
    friend bool operator==(const decoded&, const decoded&) = default;
};

decoded decode_whole(std::string_view text) {
    std::vector<std::byte> out(wire::max_bytes_in_base64(text.size()));
    const auto written = wire::decode_base64(text, out);
    if (!written) {
        CHECK(written.error().code == error_code::bad_base64);
        return {"", static_cast<std::size_t>(written.error().place)};
    }
    return {{reinterpret_cast<const char*>(out.data()), *written}, std::nullopt};
}

decoded decode_pieces(const test::pieces& pieces, std::size_t room) {
    wire::base64_decoder decoder;
    decoded made;
    std::size_t before = 0;
    std::vector<std::byte> out(room);
    for (auto piece : pieces) {
        while (!piece.empty()) {
            const auto step = decoder.decode(piece, out);
            if (!step) {
                REQUIRE(step.error().code == error_code::bad_base64);
                REQUIRE(step.error().place < piece.size());
                return {"", before + static_cast<std::size_t>(step.error().place)};
            }
            REQUIRE(step->read <= piece.size());
            REQUIRE(step->written <= room);
            REQUIRE((step->read == piece.size() || room - step->written < 3));
            made.bytes.append(reinterpret_cast<const char*>(out.data()), step->written);
            piece.remove_prefix(step->read);
            before += step->read;
        }
    }
    if (const auto ended = decoder.finish(); !ended) {
        CHECK(ended.error() == error{error_code::bad_base64, 0});
        return {"", before};
    }
    return made;
}

struct rfc_row {
    std::string_view bytes, text;
};
constexpr std::array<rfc_row, 7> rfc_rows{
    {{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}}};

std::string random_bytes(test::random_numbers& random, std::size_t size) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(random.below(256));
    return bytes;
}

std::string encoded(std::string_view bytes) {
    std::string text(wire::base64_characters_for(bytes.size()), '?');
    const auto written = wire::encode_base64(test::bytes_of(bytes), text);
    REQUIRE(written);
    REQUIRE(*written == text.size());
    return text;
}

}  // namespace

TEST_SUITE("wire/base64") {
    TEST_CASE("the examples of RFC 4648, both ways") {
        for (const rfc_row& each : rfc_rows) {
            CAPTURE(each.text);
            CHECK(decode_whole(each.text) == decoded{std::string{each.bytes}, std::nullopt});
            CHECK(encoded(each.bytes) == each.text);
        }
    }

    TEST_CASE("what is not canonical base64 is refused, at the first character that cannot stand there") {
        struct row {
            std::string_view text;
            std::size_t place;
            const char* why;
        };
        for (const row& each : {
                 row{"A", 1, "one character stands for nothing"},
                 row{"AA", 2, "no padding"},
                 row{"AAA", 3, "no padding"},
                 row{"AA=", 3, "half of the padding"},
                 row{"AAAAA", 5, "a group of one"},
                 row{"=", 0, "padding alone"},
                 row{"====", 0, "padding alone"},
                 row{"A===", 1, "padding for three characters"},
                 row{"AAA==", 4, "padding too long"},
                 row{"AA===", 4, "padding too long"},
                 row{"AAAA=", 4, "padding where none is due"},
                 row{"AA=A", 3, "padding inside a group"},
                 row{"AA==AAAA", 4, "text behind padding"},
                 row{"AAA=AAA=", 4, "text behind padding"},
                 row{"AQA=AQA=", 4, "two texts joined"},
                 row{"AB==", 2, "spare bits that are not zero"},
                 row{"AAB=", 3, "spare bits that are not zero"},
                 row{"AAAAAAAAAAAAAAAAAP==", 18, "spare bits that are not zero, in a later group"},
                 row{"AA-A", 2, "the alphabet for URLs"},
                 row{"AA_A", 2, "the alphabet for URLs"},
                 row{"AAAA\n", 4, "a line end at the end"},
                 row{"AAAA\r\nAAAA", 4, "a line end inside"},
                 row{" AAAA", 0, "a space before"},
                 row{"AA AA", 2, "a space inside"},
                 row{"AAAA "sv, 4, "a space behind"},
                 row{"AAA\0"sv, 3, "a zero byte"},
                 row{"AAA\x80", 3, "no ASCII"},
                 row{"AAA\xff", 3, "no ASCII"},
                 row{"AAA.", 3, "another character"},
                 row{"AAAAAAA,AAAA", 7, "another character, in a later group"},
                 row{"AAAAAAAAAAAAAAAAAAAAAAAA*AAA", 24, "another character, in a later group"},
             }) {
            CAPTURE(each.text);
            CAPTURE(each.why);
            CHECK(decode_whole(each.text) == decoded{"", each.place});
            CHECK(obvious_place(each.text) == each.place);
            CHECK_FALSE(obviously_decoded(each.text));
        }
    }

    TEST_CASE("all short texts of a reduced alphabet are what the obvious decoder says") {
        // characters with and without spare bits, padding, and two that are none
        constexpr std::string_view characters = "AQBw/=-\n";
        std::size_t right = 0, wrong = 0;
        for (std::size_t size = 0; size <= 5; ++size) {
            std::vector<std::size_t> digits(size, 0);
            for (;;) {
                std::string text;
                for (const std::size_t digit : digits) text += characters[digit];
                const auto expected = obviously_decoded(text);
                const decoded got = decode_whole(text);
                if (got != (expected ? decoded{*expected, std::nullopt} : decoded{"", obvious_place(text)})) {
                    CAPTURE(text);
                    FAIL("decoded wrongly");
                }
                ++(expected ? right : wrong);
                std::size_t at = 0;
                while (at < size && ++digits[at] == characters.size()) digits[at++] = 0;
                if (at == size) break;
            }
        }
        CHECK(right > 600);
        CHECK(wrong > 30'000);
    }

    TEST_CASE("every character at every place of a group is what the alphabet says") {
        for (int c = 0; c < 256; ++c) {
            for (std::size_t place = 0; place < 12; ++place) {
                std::string text = "AAAAAAAAAAAA";
                text[place] = static_cast<char>(c);
                const auto expected = obviously_decoded(text);
                REQUIRE(decode_whole(text) == (expected ? decoded{*expected, std::nullopt} : decoded{"", obvious_place(text)}));
            }
        }
    }

    TEST_CASE("every cut with every room for the output gives the same") {
        test::random_numbers random{20};
        CAPTURE(random.seed());
        std::vector<std::string> texts{"", "Zg==", "Zm8=", "Zm9v", "AB==", "AA=A", "AAAA=AAA", "A", "AA", "AAA=A"};
        for (const std::size_t size : {7U, 8U, 9U, 24U}) texts.push_back(obviously_encoded(random_bytes(random, size)));
        for (int i = 0; i < 6; ++i) {
            std::string damaged = obviously_encoded(random_bytes(random, 20));
            damaged[random.below(damaged.size())] = "=-A\n"[random.below(4)];
            texts.push_back(damaged);
        }
        for (const std::string& text : texts) {
            CAPTURE(text);
            const auto expected = obviously_decoded(text);
            const decoded whole = expected ? decoded{*expected, std::nullopt} : decoded{"", obvious_place(text)};
            CHECK(decode_whole(text) == whole);
            test::for_every_cut(text, [&](const test::pieces& pieces) {
                for (const std::size_t room : {3U, 4U, 5U, 6U, 7U, 8U, 9U, 11U, 12U, 64U}) REQUIRE(decode_pieces(pieces, room) == whole);
            });
        }
    }

    TEST_CASE("what was encoded is decoded again, for every length and in random pieces") {
        test::random_numbers random{21};
        CAPTURE(random.seed());
        for (std::size_t size = 0; size <= 300; ++size) {
            const std::string bytes = random_bytes(random, size);
            const std::string text = encoded(bytes);
            REQUIRE(text == obviously_encoded(bytes));
            REQUIRE(text.size() == wire::base64_characters_for(size));
            REQUIRE(wire::max_bytes_in_base64(text.size()) >= size);
            REQUIRE(wire::max_bytes_in_base64(text.size()) < size + 3);
            REQUIRE(decode_whole(text).bytes == bytes);
            REQUIRE(decode_pieces(test::random_pieces(text, random, 17), static_cast<std::size_t>(random.from_to(3, 40))).bytes == bytes);
        }
    }

    TEST_CASE("room that is too small is refused with the number needed, and nothing is written") {
        std::array<std::byte, 8> out{};
        out.fill(std::byte{0xee});
        CHECK(wire::decode_base64("Zm9vYg==", std::span{out}.first(5)).error() == error{error_code::too_large, 6});
        CHECK(out[0] == std::byte{0xee});
        CHECK(wire::decode_base64("Zm9vYg==", std::span{out}.first(6)).value_or(0) == 4);
        CHECK(wire::decode_base64("", {}).value_or(99) == 0);

        std::array<char, 8> text{};
        text.fill('?');
        CHECK(wire::encode_base64(test::bytes_of("foob"), std::span{text}.first(7)).error() == error{error_code::too_large, 8});
        CHECK(text[0] == '?');
        CHECK(wire::encode_base64(test::bytes_of("foob"), text).value_or(0) == 8);
        CHECK(wire::encode_base64({}, {}).value_or(99) == 0);
    }

    TEST_CASE("a finished decoder is ready for the next text, whether the last was whole or not") {
        wire::base64_decoder decoder;
        std::array<std::byte, 16> out{};
        for (const auto text : {"Zg==", "Zg=", "Z", "Zm9v", "Zm8="}) {
            CAPTURE(text);
            REQUIRE(decoder.decode(text, out));
            CHECK(decoder.finish().has_value() == (std::string_view{text}.size() == 4));
            const auto next = decoder.decode("Zm9v", out);
            REQUIRE(next);
            CHECK(next->written == 3);
            CHECK(decoder.finish());
        }
    }

    TEST_CASE("base64 works in constant expressions") {
        static_assert([] {
            std::array<std::byte, 3> out{};
            return wire::decode_base64("Zm8=", out).value_or(0) == 2 && out[1] == std::byte{'o'};
        }());
        static_assert(wire::max_bytes_in_base64(8) == 6 && wire::base64_characters_for(4) == 8);
        CHECK(sizeof(wire::base64_decoder) <= 8);
    }
}
