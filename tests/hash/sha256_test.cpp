#include "support/cuts.hpp"
#include "support/random_numbers.hpp"

#include <playhead/hash/sha256.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace playhead;

namespace {

std::string hex_of(const hash::sha256_digest& digest) {
    const auto text = hash::to_hex(digest);
    return {text.data(), text.size()};
}

std::string hex_of(std::string_view text) { return hex_of(hash::sha256_of(text)); }

constexpr std::string_view bits_448 = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
constexpr std::string_view bits_896 =
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";

// NIST's examples for FIPS 180-4.
struct vector_row {
    std::string_view text, digest;
};
constexpr std::array<vector_row, 4> published{{
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {bits_448, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {bits_896, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
}};

}  // namespace

TEST_SUITE("hash/sha256") {
    TEST_CASE("the published examples have their digests") {
        for (const vector_row& each : published) {
            CAPTURE(each.text);
            CHECK(hex_of(each.text) == each.digest);
        }
    }

    TEST_CASE("the short messages of NIST's byte-oriented test vectors have their digests") {
        struct row {
            std::string_view message, digest;
        };
        using namespace std::string_view_literals;
        for (const row& each : {
                 row{"\xd3"sv, "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"},
                 row{"\x11\xaf"sv, "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98"},
                 row{"\xb4\x19\x0e"sv, "dff2e73091f6c05e528896c4c831b9448653dc2ff043528f6769437bc7b975c2"},
                 row{"\x74\xba\x25\x21"sv, "b16aa56be3880d18cd41e68384cf1ec8c17680c45a02b1575dc1518923ae8b0e"},
             }) {
            CHECK(hex_of(each.message) == each.digest);
        }
    }

    TEST_CASE("a million times the letter a, in pieces that fit no block") {
        const std::string text(1'000'000, 'a');
        constexpr std::string_view expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
        CHECK(hex_of(text) == expected);
        hash::sha256 hash;
        for (std::size_t at = 0; at < text.size(); at += 997) hash.update(test::bytes_of(std::string_view{text}.substr(at, 997)));
        CHECK(hex_of(hash.digest()) == expected);
    }

    TEST_CASE("every cut of 200 bytes gives one digest, as text and as bytes") {
        test::random_numbers random{6};
        CAPTURE(random.seed());
        std::string text;
        for (int i = 0; i < 200; ++i) text += static_cast<char>(random.below(256));
        const std::string expected = hex_of(text);
        test::for_every_cut(text, [&](const test::pieces& pieces) {
            hash::sha256 as_text, as_bytes;
            for (const auto piece : pieces) {
                as_text.update(piece);
                as_bytes.update(test::bytes_of(piece));
            }
            REQUIRE(hex_of(as_text.digest()) == expected);
            REQUIRE(hex_of(as_bytes.digest()) == expected);
        });
    }

    TEST_CASE("every length around the block boundaries, byte by byte and at once") {
        const std::string text(300, 'x');
        hash::sha256 growing;
        for (std::size_t size = 0; size <= text.size(); ++size) {
            CAPTURE(size);
            hash::sha256 whole;
            whole.update(test::bytes_of(std::string_view{text}.substr(0, size)));
            REQUIRE(whole.digest() == growing.digest());
            growing.update("x");
        }
        // as `sha256sum` prints them for 55, 56, 64 and 119 times x
        CHECK(hex_of(text.substr(0, 55)) == "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072");
        CHECK(hex_of(text.substr(0, 56)) == "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e");
        CHECK(hex_of(text.substr(0, 64)) == "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c");
        CHECK(hex_of(text.substr(0, 119)) == "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c");
    }

    TEST_CASE("asking for the digest changes nothing") {
        hash::sha256 hash;
        hash.update("ab");
        CHECK(hex_of(hash.digest()) == hex_of("ab"));
        CHECK(hex_of(hash.digest()) == hex_of("ab"));
        hash.update("c");
        CHECK(hex_of(hash.digest()) == published[1].digest);
    }

    TEST_CASE("a copy is a place to return to") {
        hash::sha256 hash;
        hash.update(bits_448);
        const hash::sha256 checkpoint = hash;
        hash.update("on approval, and dropped");
        hash = checkpoint;
        CHECK(hash.digest() == hash::sha256_of(bits_448));
        hash.update("c");
        CHECK(hash.digest() == hash::sha256_of(std::string{bits_448} + "c"));
        CHECK(checkpoint.digest() == hash::sha256_of(bits_448));
    }

    TEST_CASE("digests are made at compile time too") {
        static_assert(hash::sha256_of("abc")[0] == std::byte{0xba} && hash::sha256_of("abc")[31] == std::byte{0xad});
        static_assert(hash::to_hex(hash::sha256_of(bits_896))[0] == 'c');
        CHECK(sizeof(hash::sha256) == 104);
    }
}
