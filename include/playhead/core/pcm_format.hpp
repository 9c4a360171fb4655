#pragma once
// pcm_format: what the bytes of a stream mean, and how much silence it begins with.
#include "assert.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace playhead {

// How a sample is written.
enum class sample_encoding : std::uint8_t {
    s16le,  // signed 16 bits, low byte first
};

// The encoding's name on the wire.
[[nodiscard]] constexpr std::string_view name(sample_encoding) noexcept { return "pcm_s16le"; }

[[nodiscard]] constexpr std::uint32_t bytes_per_sample(sample_encoding) noexcept { return 2; }

// Interleaved PCM. A frame is one sample of each channel.
struct pcm_format {
    std::uint32_t sample_rate = 44'100;  // frames a second, 8000 to 192000
    std::uint32_t channels = 1;          // 1 to 8
    sample_encoding encoding = sample_encoding::s16le;

    static constexpr std::uint32_t least_rate = 8'000;
    static constexpr std::uint32_t most_rate = 192'000;
    static constexpr std::uint32_t most_channels = 8;

    // The rate and the channels are within their ranges.
    [[nodiscard]] constexpr bool is_supported() const noexcept {
        return sample_rate >= least_rate && sample_rate <= most_rate && channels >= 1 && channels <= most_channels;
    }

    [[nodiscard]] constexpr std::uint32_t bytes_per_frame() const noexcept { return channels * bytes_per_sample(encoding); }

    friend constexpr bool operator==(const pcm_format&, const pcm_format&) = default;
};

// Counts the zero samples that a stream begins with, over any number of pieces, cut anywhere.
class leading_silence {
public:
    // Looks at the next bytes of the stream. Once a non-zero byte was seen, costs nothing.
    constexpr void on_bytes(std::span<const std::byte> bytes) noexcept;

    // A non-zero sample was seen.
    [[nodiscard]] constexpr bool ended() const noexcept { return ended_; }

    // The frames before the first that holds a non-zero sample; all whole frames so far where there was none.
    [[nodiscard]] constexpr std::uint64_t frames(const pcm_format& format) const noexcept { return zero_bytes_ / format.bytes_per_frame(); }

private:
    std::uint64_t zero_bytes_ = 0;
    bool ended_ = false;
};

// ---- how it works -------------------------------------------------------------------------------

constexpr void leading_silence::on_bytes(std::span<const std::byte> bytes) noexcept {
    if (ended_) return;
    std::size_t at = 0;
    // Blocks first: one branch for 32 bytes, which compilers turn into vector code.
    while (bytes.size() - at >= 32) {
        std::byte any{};
        for (std::size_t i = 0; i < 32; ++i) any |= bytes[at + i];
        if (any != std::byte{}) break;
        at += 32;
    }
    while (at < bytes.size() && bytes[at] == std::byte{}) ++at;
    zero_bytes_ += at;
    ended_ = at < bytes.size();
}

}  // namespace playhead
