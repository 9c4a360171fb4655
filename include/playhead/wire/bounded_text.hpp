#pragma once
// bounded_text: a short text that is put together from pieces in fixed memory, and says when it was too short for them.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace playhead::wire {

template <std::size_t Capacity>
class bounded_text {
    static_assert(Capacity > 0 && Capacity < 65'536);

public:
    // Takes what fits of `piece`; the rest is lost and overflowed() says so.
    constexpr void append(std::string_view piece) noexcept {
        const std::size_t fits = std::min(piece.size(), Capacity - size_);
        std::copy_n(piece.begin(), fits, text_.begin() + static_cast<std::ptrdiff_t>(size_));
        size_ = static_cast<std::uint16_t>(size_ + fits);
        overflowed_ = overflowed_ || fits < piece.size();
    }
    constexpr void clear() noexcept {
        size_ = 0;
        overflowed_ = false;
    }

    [[nodiscard]] constexpr bool overflowed() const noexcept { return overflowed_; }
    // What was taken.
    [[nodiscard]] constexpr std::string_view view() const noexcept { return {text_.data(), size_}; }
    // Exactly this text was put together.
    [[nodiscard]] constexpr bool is(std::string_view text) const noexcept { return !overflowed_ && view() == text; }

private:
    std::array<char, Capacity> text_{};
    std::uint16_t size_ = 0;
    bool overflowed_ = false;
};

}  // namespace playhead::wire
