#pragma once
// resampling: every way to draw R rounds out of R with replacement, or many of them.
//
// Requests of one round share what happened in it, so rounds are drawn, not requests. Up to 10 rounds the C(2R-1, R) multisets are
// enumerated, each with the number of draws that give it: the exact bootstrap distribution, no seed, the same on every machine.
// Above, `resamples` draws from a counter-based generator with a stated seed.
#include "../core/assert.hpp"
#include "philox.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace playhead::stats {

struct resampling {
    std::uint32_t resamples = 10'000;  // draws above exact_rounds; at least 1
    std::uint64_t seed = 0;            // of those draws

    // Up to so many rounds the enumeration is used.
    static constexpr std::size_t exact_rounds = 10;

    [[nodiscard]] static constexpr bool is_exact(std::size_t rounds) noexcept { return rounds <= exact_rounds; }

    // How often for_each_resample calls back.
    [[nodiscard]] constexpr std::uint64_t visits(std::size_t rounds) const noexcept {
        if (!is_exact(rounds)) return resamples;
        std::uint64_t multisets = 1;  // C(2R-1, R)
        for (std::uint64_t k = 1; k <= rounds; ++k) multisets = multisets * (rounds - 1 + k) / k;
        return multisets;
    }

    // The sum of the multiplicities: R^R, or resamples.
    [[nodiscard]] constexpr std::uint64_t total(std::size_t rounds) const noexcept {
        if (!is_exact(rounds)) return resamples;
        std::uint64_t draws = 1;
        for (std::size_t i = 0; i < rounds; ++i) draws *= rounds;
        return draws;
    }
};

// Calls visit(weights, multiplicity) for each resample: weights[r] is how often round r was drawn, multiplicity how many of the
// total() draws give these weights.
//   weights  memory for one weight a round, at least 1 round; holds the last resample afterwards
//   visit    (std::span<const std::uint32_t>, std::uint64_t)
// Cost: O(R) amortised a visit when exact, where neighbours mostly differ in two weights; O(R) with draws.
template <typename Visit>
constexpr void for_each_resample(std::span<std::uint32_t> weights, const resampling& how, Visit visit);

// ---- how it works -------------------------------------------------------------------------------

namespace detail {

// binomials[n][k] for n up to exact_rounds
inline constexpr auto binomials = [] {
    constexpr std::size_t size = resampling::exact_rounds + 1;
    std::array<std::array<std::uint32_t, size>, size> table{};
    for (std::size_t n = 0; n < size; ++n) {
        table[n][0] = 1;
        for (std::size_t k = 1; k <= n; ++k) table[n][k] = table[n - 1][k - 1] + (k < n ? table[n - 1][k] : 0);
    }
    return table;
}();

// Gives `left` draws to rounds `round` and later in every way; depth is at most exact_rounds.
template <typename Visit>
constexpr void share_out(std::span<std::uint32_t> weights, std::size_t round, std::uint32_t left, std::uint64_t multiplicity,
                         Visit& visit) {
    if (round + 1 == weights.size()) {
        weights[round] = left;
        visit(std::span<const std::uint32_t>{weights}, multiplicity);
        return;
    }
    for (std::uint32_t drawn = 0; drawn <= left; ++drawn) {
        weights[round] = drawn;
        share_out(weights, round + 1, left - drawn, multiplicity * binomials[left][drawn], visit);
    }
}

}  // namespace detail

template <typename Visit>
constexpr void for_each_resample(std::span<std::uint32_t> weights, const resampling& how, Visit visit) {
    const std::size_t rounds = weights.size();
    PLAYHEAD_ASSERT(rounds > 0);
    if (resampling::is_exact(rounds)) {
        detail::share_out(weights, 0, static_cast<std::uint32_t>(rounds), 1, visit);
        return;
    }
    const philox random{how.seed};
    for (std::uint32_t draw = 0; draw < how.resamples; ++draw) {
        for (std::uint32_t& weight : weights) weight = 0;
        for (std::size_t i = 0; i < rounds; ++i) {
            // The high half of a product: uniform but for at most R in 2^32.
            const std::uint64_t scaled = std::uint64_t{random.at(draw, i)} * rounds;
            ++weights[static_cast<std::size_t>(scaled >> 32)];
        }
        visit(std::span<const std::uint32_t>{weights}, std::uint64_t{1});
    }
}

}  // namespace playhead::stats
