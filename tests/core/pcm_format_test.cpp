#include "support/cuts.hpp"
#include "support/random_numbers.hpp"

#include <playhead/core/pcm_format.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace playhead;

namespace {

// The frames before the first that holds a non-zero sample, counted frame by frame; whole frames only.
std::uint64_t counted_silence(std::string_view stream, const pcm_format& format) {
    const std::size_t step = format.bytes_per_frame();
    std::uint64_t frames = 0;
    for (std::size_t at = 0; at + step <= stream.size(); at += step) {
        for (const char byte : stream.substr(at, step)) {
            if (byte != 0) return frames;
        }
        ++frames;
    }
    return frames;
}

}  // namespace

TEST_SUITE("core/pcm_format") {
    TEST_CASE("rates from 8000 to 192000 and 1 to 8 channels are supported") {
        struct row {
            std::uint32_t rate, channels;
            bool supported;
        };
        for (const row& each : {row{8'000, 1, true}, row{7'999, 1, false}, row{192'000, 1, true}, row{192'001, 1, false},
                                row{44'100, 8, true}, row{44'100, 9, false}, row{44'100, 0, false}, row{0, 1, false},
                                row{UINT32_MAX, 1, false}, row{24'000, UINT32_MAX, false}, row{22'050, 2, true}, row{11'025, 6, true}}) {
            CAPTURE(each.rate);
            CAPTURE(each.channels);
            CHECK(pcm_format{each.rate, each.channels}.is_supported() == each.supported);
        }
        static_assert(pcm_format{}.is_supported());
        static_assert(pcm_format{}.sample_rate == 44'100 && pcm_format{}.channels == 1);
    }

    TEST_CASE("a frame is one 16-bit sample of each channel") {
        for (std::uint32_t channels = 1; channels <= pcm_format::most_channels; ++channels) {
            CHECK(pcm_format{24'000, channels}.bytes_per_frame() == 2 * channels);
        }
        static_assert(bytes_per_sample(sample_encoding::s16le) == 2);
        CHECK(name(sample_encoding::s16le) == "pcm_s16le");
        CHECK(pcm_format{24'000, 2} == pcm_format{24'000, 2});
        CHECK_FALSE(pcm_format{24'000, 2} == pcm_format{24'000, 1});
        CHECK_FALSE(pcm_format{24'000, 2} == pcm_format{22'050, 2});
    }

    TEST_CASE("leading silence is the same for every cut of a stream, for every number of channels") {
        std::vector<std::string> streams{"",     std::string(1, '\0'),    std::string(2, '\0'), std::string(97, '\0'),
                                         "\x01", std::string("\0\x01", 2)};
        // a signal behind every number of zero bytes, and zeros after it
        for (std::size_t zeros = 0; zeros <= 70; ++zeros)
            streams.push_back(std::string(zeros, '\0') + "\x80" + std::string(5, '\0') + "xyz");
        for (const std::string& stream : streams) {
            for (std::uint32_t channels = 1; channels <= 8; ++channels) {
                const pcm_format format{24'000, channels};
                const std::uint64_t expected = counted_silence(stream, format);
                test::for_every_cut(stream, [&](const test::pieces& pieces) {
                    leading_silence silence;
                    for (const auto piece : pieces) silence.on_bytes(test::bytes_of(piece));
                    if (silence.frames(format) != expected || silence.ended() != (stream.find_first_not_of('\0') != std::string::npos)) {
                        CAPTURE(stream.size());
                        CAPTURE(channels);
                        FAIL(silence.frames(format) << " frames of silence are not " << expected);
                    }
                });
            }
        }
        CHECK(streams.size() == 77);
    }

    TEST_CASE("leading silence of random streams in random pieces equals the plain count") {
        test::random_numbers random{5};
        CAPTURE(random.seed());
        for (int i = 0; i < 3'000; ++i) {
            std::string stream(random.below(400), '\0');
            if (!random.one_in(5)) stream += random.text(random.below(200), std::string_view{"\0\x01\xff", 3});
            const pcm_format format{24'000, static_cast<std::uint32_t>(random.from_to(1, 8))};
            leading_silence silence;
            for (const auto piece : test::random_pieces(stream, random, 80)) silence.on_bytes(test::bytes_of(piece));
            REQUIRE(silence.frames(format) == counted_silence(stream, format));
        }
    }

    TEST_CASE("a sample whose second byte alone is not zero is a signal") {
        leading_silence silence;
        constexpr std::array<std::byte, 4> quiet{};
        constexpr std::array<std::byte, 2> loud{std::byte{0}, std::byte{1}};
        silence.on_bytes(quiet);
        CHECK_FALSE(silence.ended());
        silence.on_bytes(loud);
        CHECK(silence.ended());
        CHECK(silence.frames({24'000, 1}) == 2);
        silence.on_bytes(quiet);
        CHECK(silence.frames({24'000, 1}) == 2);
    }

    TEST_CASE("leading silence works in constant expressions") {
        static_assert([] {
            std::array<std::byte, 40> bytes{};
            bytes[35] = std::byte{1};
            leading_silence silence;
            silence.on_bytes(bytes);
            return silence.frames({24'000, 2});
        }() == 8);
        CHECK(sizeof(leading_silence) <= 16);
    }
}
