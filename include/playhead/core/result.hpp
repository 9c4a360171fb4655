#pragma once
// result<T>: a value, or the error that stands in its place.
//
// The subset of std::expected<T, error> (C++23) that the library needs, so that it can become that type one day. T is trivially
// copyable: a result is a union and a flag, passes in registers and works in constant expressions. There is no macro to return early:
//     const auto frame = decode(bytes);
//     if (!frame) return frame.error();
#include "assert.hpp"
#include "error.hpp"

#include <type_traits>

namespace playhead {

template <typename T>
class [[nodiscard]] result {
    static_assert(std::is_trivially_copyable_v<T>, "result<T> holds trivially copyable values only");
    static_assert(!std::is_same_v<T, playhead::error>, "result<error> cannot tell its value from its error");

public:
    using value_type = T;
    using error_type = playhead::error;

    constexpr result(const T& value) noexcept : value_{value}, has_value_{true} {}                 // NOLINT: implicit on purpose
    constexpr result(const playhead::error& error) noexcept : error_{error}, has_value_{false} {}  // NOLINT: implicit on purpose

    [[nodiscard]] constexpr bool has_value() const noexcept { return has_value_; }
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return has_value_; }

    // Only where there is a value.
    [[nodiscard]] constexpr const T& operator*() const noexcept { return value(); }
    [[nodiscard]] constexpr const T* operator->() const noexcept { return &value(); }
    [[nodiscard]] constexpr const T& value() const noexcept {
        PLAYHEAD_ASSERT(has_value_);
        return value_;
    }
    [[nodiscard]] constexpr T value_or(const T& other) const noexcept { return has_value_ ? value_ : other; }

    // Only where there is none.
    [[nodiscard]] constexpr const playhead::error& error() const noexcept {
        PLAYHEAD_ASSERT(!has_value_);
        return error_;
    }

private:
    union {
        T value_;
        playhead::error error_;
    };
    bool has_value_;
};

// Done, or the error.
template <>
class [[nodiscard]] result<void> {
public:
    using value_type = void;
    using error_type = playhead::error;

    constexpr result() noexcept = default;
    constexpr result(const playhead::error& error) noexcept : error_{error}, has_value_{false} {}  // NOLINT: implicit on purpose

    [[nodiscard]] constexpr bool has_value() const noexcept { return has_value_; }
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return has_value_; }

    // Only where there is one.
    [[nodiscard]] constexpr const playhead::error& error() const noexcept {
        PLAYHEAD_ASSERT(!has_value_);
        return error_;
    }

private:
    playhead::error error_{};
    bool has_value_ = true;
};

}  // namespace playhead
