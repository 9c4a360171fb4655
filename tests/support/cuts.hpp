#pragma once
// cuts: a text in every way in which a stream may deliver it.
#include "random_numbers.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace playhead::test {

using pieces = std::vector<std::string_view>;

// The bytes of a text.
inline std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span{text.data(), text.size()}); }

// `text` byte by byte.
inline pieces single_bytes(std::string_view text) {
    pieces made;
    for (std::size_t i = 0; i < text.size(); ++i) made.push_back(text.substr(i, 1));
    return made;
}

// Calls each(pieces) with `text` whole, cut at every single place (an empty piece at either end among them), and byte by byte.
template <typename Each>
void for_every_cut(std::string_view text, Each each) {
    each(pieces{text});
    for (std::size_t cut = 0; cut <= text.size(); ++cut) each(pieces{text.substr(0, cut), text.substr(cut)});
    each(single_bytes(text));
}

// `text` in pieces of 1 to `most` bytes.
inline pieces random_pieces(std::string_view text, random_numbers& random, std::size_t most) {
    pieces made;
    while (!text.empty()) {
        const auto size = static_cast<std::size_t>(random.from_to(1, most < text.size() ? most : text.size()));
        made.push_back(text.substr(0, size));
        text.remove_prefix(size);
    }
    return made;
}

}  // namespace playhead::test
