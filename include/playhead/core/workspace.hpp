#pragma once
// workspace: the caller's bytes, handed out as arrays. What the library uses where others would allocate.
//
// Nothing is freed: a workspace is a cursor over memory that the caller owns and that outlives what was taken from it. How many bytes
// an algorithm needs is a constexpr function beside it, made of bytes_needed_for().
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>

namespace playhead {

// The bytes that take<T>(count) may use up, wherever the cursor stands.
template <typename T>
[[nodiscard]] constexpr std::size_t bytes_needed_for(std::size_t count) noexcept {
    return count * sizeof(T) + alignof(T) - 1;
}

class workspace {
public:
    explicit constexpr workspace(std::span<std::byte> bytes) noexcept : bytes_{bytes} {}

    // `count` values T{}; an empty span where they do not fit (and where count is 0).
    template <typename T>
    [[nodiscard]] std::span<T> take(std::size_t count) noexcept {
        static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>, "a workspace never runs destructors");
        const auto at = reinterpret_cast<std::uintptr_t>(bytes_.data());
        const std::size_t skip = (alignof(T) - at % alignof(T)) % alignof(T);
        if (skip > bytes_.size() || (bytes_.size() - skip) / sizeof(T) < count) return {};
        std::byte* const memory = bytes_.data() + skip;
        bytes_ = bytes_.subspan(skip + count * sizeof(T));
        for (std::size_t i = 0; i < count; ++i) ::new (static_cast<void*>(memory + i * sizeof(T))) T{};
        return {std::launder(reinterpret_cast<T*>(memory)), count};
    }

    // What is left.
    [[nodiscard]] constexpr std::span<std::byte> rest() const noexcept { return bytes_; }

private:
    std::span<std::byte> bytes_;
};

}  // namespace playhead
