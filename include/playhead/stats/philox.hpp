#pragma once
// philox: random numbers from a counter: number i of stream s is the same on every machine and in any order of asking.
//
// Philox4x32-10. Nothing is stored but the key; passes BigCrush. Not for secrets. Source: Salmon, Moraes, Dror, Shaw, "Parallel random
// numbers: as easy as 1, 2, 3" (2011), whose test vectors it reproduces.
#include <array>
#include <cstdint>

namespace playhead::stats {

class philox {
public:
    using block = std::array<std::uint32_t, 4>;

    constexpr explicit philox(std::uint64_t seed) noexcept
        : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)} {}

    // Four independent uniform 32-bit numbers: those at `counter`.
    [[nodiscard]] constexpr block at(block counter) const noexcept {
        auto key = key_;
        for (int round = 0; round < 10; ++round) {
            const std::uint64_t a = std::uint64_t{0xd2511f53} * counter[0];
            const std::uint64_t b = std::uint64_t{0xcd9e8d57} * counter[2];
            counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
                       static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
            key[0] += 0x9e37'79b9;
            key[1] += 0xbb67'ae85;
        }
        return counter;
    }

    // Number `index` of stream `stream`.
    [[nodiscard]] constexpr std::uint32_t at(std::uint64_t stream, std::uint64_t index) const noexcept {
        const auto four = at(block{static_cast<std::uint32_t>(index / 4), static_cast<std::uint32_t>(index / 4 >> 32),
                                   static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)});
        return four[index % 4];
    }

private:
    std::array<std::uint32_t, 2> key_;
};

}  // namespace playhead::stats
