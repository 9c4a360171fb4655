#pragma once
// sha256: SHA-256 of a stream, in pieces of any size.
//
// 104 bytes of state, no heap, usable in constant expressions. Copy it to remember a place and return to it. Portable code: see
// bench/hash_bench.cpp for its speed. Source: FIPS 180-4.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace playhead::hash {

using sha256_digest = std::array<std::byte, 32>;

class sha256 {
public:
    constexpr void update(std::span<const std::byte> bytes) noexcept;
    constexpr void update(std::string_view text) noexcept;

    // The digest of all bytes so far. More may follow.
    [[nodiscard]] constexpr sha256_digest digest() const noexcept;

private:
    constexpr void put(std::byte byte) noexcept {
        block_[length_++ % 64] = byte;
        if (length_ % 64 == 0) compress(std::span<const std::byte, 64>{block_});
    }
    constexpr void compress(std::span<const std::byte, 64> block) noexcept;

    std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::byte, 64> block_{};
    std::uint64_t length_ = 0;
};

// The digest of one text.
[[nodiscard]] constexpr sha256_digest sha256_of(std::string_view text) noexcept {
    sha256 hash;
    hash.update(text);
    return hash.digest();
}

// 64 lower-case hexadecimal digits.
[[nodiscard]] constexpr std::array<char, 64> to_hex(const sha256_digest& digest) noexcept {
    std::array<char, 64> text{};
    for (std::size_t i = 0; i < digest.size(); ++i) {
        const auto byte = std::to_integer<unsigned>(digest[i]);
        text[2 * i] = "0123456789abcdef"[byte / 16];
        text[2 * i + 1] = "0123456789abcdef"[byte % 16];
    }
    return text;
}

// ---- how it works -------------------------------------------------------------------------------

namespace detail {

inline constexpr std::array<std::uint32_t, 64> sha256_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

}  // namespace detail

constexpr void sha256::update(std::span<const std::byte> bytes) noexcept {
    while (!bytes.empty() && length_ % 64 != 0) {
        put(bytes.front());
        bytes = bytes.subspan(1);
    }
    while (bytes.size() >= 64) {
        compress(bytes.first<64>());
        length_ += 64;
        bytes = bytes.subspan(64);
    }
    for (const std::byte byte : bytes) put(byte);
}

constexpr void sha256::update(std::string_view text) noexcept {
    for (const char c : text) put(static_cast<std::byte>(c));
}

constexpr sha256_digest sha256::digest() const noexcept {
    sha256 last = *this;
    const std::uint64_t bits = length_ * 8;
    last.put(std::byte{0x80});
    while (last.length_ % 64 != 56) last.put(std::byte{});
    for (int shift = 56; shift >= 0; shift -= 8) last.put(static_cast<std::byte>(bits >> shift & 0xff));
    sha256_digest digest{};
    for (std::size_t i = 0; i < digest.size(); ++i) digest[i] = static_cast<std::byte>(last.state_[i / 4] >> (24 - 8 * (i % 4)) & 0xff);
    return digest;
}

constexpr void sha256::compress(std::span<const std::byte, 64> block) noexcept {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 16; ++i) {
        w[i] = std::to_integer<std::uint32_t>(block[4 * i]) << 24 | std::to_integer<std::uint32_t>(block[4 * i + 1]) << 16 |
               std::to_integer<std::uint32_t>(block[4 * i + 2]) << 8 | std::to_integer<std::uint32_t>(block[4 * i + 3]);
    }
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
        const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + detail::sha256_constants[i] + w[i];
        const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    state_[0] += a;
    state_[1] += b;
    state_[2] += c;
    state_[3] += d;
    state_[4] += e;
    state_[5] += f;
    state_[6] += g;
    state_[7] += h;
}

}  // namespace playhead::hash
