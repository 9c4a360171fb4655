#pragma once
// random_numbers: the draws of a property test, the same on every machine. A test that uses them prints their seed when it fails.
#include <playhead/stats/philox.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace playhead::test {

class random_numbers {
public:
    explicit random_numbers(std::uint64_t seed) : seed_{seed}, source_{seed} {}

    [[nodiscard]] std::uint64_t seed() const { return seed_; }

    std::uint32_t bits() { return source_.at(0, next_++); }
    std::uint64_t long_bits() {
        const std::uint64_t high = bits();
        return high << 32 | bits();
    }
    // 0 to below - 1.
    std::uint64_t below(std::uint64_t bound) { return long_bits() % bound; }
    // From `least` to `most`, both included.
    std::uint64_t from_to(std::uint64_t least, std::uint64_t most) { return least + below(most - least + 1); }
    // 0 up to 1.
    double unit() { return static_cast<double>(long_bits() >> 11) / 9007199254740992.0; }
    bool one_in(std::uint64_t n) { return below(n) == 0; }
    // A text of `size` characters out of `alphabet`.
    std::string text(std::size_t size, std::string_view alphabet) {
        std::string made;
        for (std::size_t i = 0; i < size; ++i) made += alphabet[below(alphabet.size())];
        return made;
    }

private:
    std::uint64_t seed_;
    stats::philox source_;
    std::uint64_t next_ = 0;
};

}  // namespace playhead::test
