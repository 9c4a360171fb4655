#pragma once
// round_seed: the seed that all requests of one round carry, the same on every machine.
#include "../hash/sha256.hpp"

#include <charconv>
#include <cstdint>
#include <string_view>

namespace playhead::measure {

// The seed of round `round` in a benchmark with `seed_base`: 0 to 2^31 - 1. Warm-up request i has round -i - 1.
[[nodiscard]] inline std::uint32_t round_seed(std::int64_t seed_base, std::int64_t round) noexcept {
    // The first four bytes, high one first, of SHA-256("inferencekit-audio:BASE:ROUND") without their top bit.
    hash::sha256 hash;
    const auto update = [&hash](std::string_view before, std::int64_t number) {
        std::array<char, 20> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        hash.update(before);
        hash.update(std::string_view{digits.data(), static_cast<std::size_t>(end - digits.data())});
    };
    update("inferencekit-audio:", seed_base);
    update(":", round);
    const auto digest = hash.digest();
    return (std::to_integer<std::uint32_t>(digest[0]) << 24 | std::to_integer<std::uint32_t>(digest[1]) << 16 |
            std::to_integer<std::uint32_t>(digest[2]) << 8 | std::to_integer<std::uint32_t>(digest[3])) &
           0x7fff'ffff;
}

}  // namespace playhead::measure
