#include <playhead/core/workspace.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

using namespace playhead;

namespace {

struct alignas(32) wide_value {
    std::uint64_t number = 7;
};

// bytes_needed_for<T>(count) is enough wherever the memory begins, and the values lie aligned, inside, and apart from what follows.
template <typename T>
void fits_at_every_misalignment() {
    alignas(64) std::array<std::byte, 1024> memory{};
    for (std::size_t offset = 0; offset < 64; ++offset) {
        for (std::size_t count = 0; count <= 6; ++count) {
            CAPTURE(offset);
            CAPTURE(count);
            const auto bytes = std::span{memory}.subspan(offset, bytes_needed_for<T>(count));
            workspace space{bytes};
            const auto values = space.take<T>(count);
            REQUIRE(values.size() == count);
            if (count == 0) continue;
            REQUIRE(reinterpret_cast<std::uintptr_t>(values.data()) % alignof(T) == 0);
            const auto* const begin = reinterpret_cast<const std::byte*>(values.data());
            const auto* const end = begin + count * sizeof(T);
            REQUIRE(begin >= bytes.data());
            REQUIRE(end <= bytes.data() + bytes.size());
            REQUIRE(space.rest().data() == end);
            REQUIRE(space.rest().size() == static_cast<std::size_t>(bytes.data() + bytes.size() - end));
        }
    }
}

}  // namespace

TEST_SUITE("core/workspace") {
    TEST_CASE("the bytes asked for suffice at every misalignment") {
        fits_at_every_misalignment<char>();
        fits_at_every_misalignment<std::uint16_t>();
        fits_at_every_misalignment<std::uint32_t>();
        fits_at_every_misalignment<double>();
        fits_at_every_misalignment<std::array<char, 3>>();
        fits_at_every_misalignment<wide_value>();
    }

    TEST_CASE("the bytes for one array after another suffice together") {
        alignas(64) std::array<std::byte, 512> memory{};
        constexpr std::size_t needed = bytes_needed_for<char>(3) + bytes_needed_for<double>(4) + bytes_needed_for<std::uint16_t>(5) +
                                       bytes_needed_for<wide_value>(2) + bytes_needed_for<std::uint32_t>(1);
        for (std::size_t offset = 0; offset < 64; ++offset) {
            CAPTURE(offset);
            workspace space{std::span{memory}.subspan(offset, needed)};
            CHECK(space.take<char>(3).size() == 3);
            CHECK(space.take<double>(4).size() == 4);
            CHECK(space.take<std::uint16_t>(5).size() == 5);
            CHECK(space.take<wide_value>(2).size() == 2);
            CHECK(space.take<std::uint32_t>(1).size() == 1);
        }
    }

    TEST_CASE("values begin as T{}, whatever was in the memory") {
        std::array<std::byte, 256> memory;
        memory.fill(std::byte{0xee});
        workspace space{memory};
        for (const std::uint32_t value : space.take<std::uint32_t>(9)) CHECK(value == 0);
        for (const wide_value& value : space.take<wide_value>(3)) CHECK(value.number == 7);
    }

    TEST_CASE("what does not fit is an empty span, and takes nothing") {
        alignas(8) std::array<std::byte, 64> memory{};
        workspace space{memory};
        CHECK(space.take<double>(9).empty());
        CHECK(space.rest().size() == 64);
        CHECK(space.take<double>(8).size() == 8);
        CHECK(space.rest().empty());
        CHECK(space.take<char>(1).empty());
        CHECK(space.take<char>(0).empty());
        workspace odd{std::span{memory}.subspan(1)};
        CHECK(odd.take<double>(8).empty());
        CHECK(odd.take<double>(7).size() == 7);
    }

    TEST_CASE("counts that overflow a size do not fit") {
        alignas(8) std::array<std::byte, 64> memory{};
        workspace space{memory};
        CHECK(space.take<double>(SIZE_MAX).empty());
        CHECK(space.take<double>(SIZE_MAX / 8 + 2).empty());
        CHECK(space.rest().size() == 64);
    }

    TEST_CASE("a workspace without memory has nothing to give") {
        workspace none{{}};
        CHECK(none.take<std::uint32_t>(1).empty());
        CHECK(none.rest().empty());
    }

    TEST_CASE("a copy of a workspace goes back to where it was") {
        std::array<std::byte, 128> memory{};
        workspace space{memory};
        const workspace before = space;
        const auto first = space.take<std::uint32_t>(4);
        space = before;
        CHECK(space.take<std::uint32_t>(4).data() == first.data());
    }
}
