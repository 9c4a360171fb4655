#pragma once
// cluster_bootstrap: how sure a percentile or a share is, when requests come in rounds.
//
// Rounds are drawn with replacement, the requests of the drawn rounds pooled (a round drawn twice counts twice), the statistic taken.
// Up to 10 rounds over every possible draw, exactly; above that over Monte Carlo draws: see resampling.hpp.
// Two 95 % intervals come out: `percentile_interval`, the bootstrap distribution's own 2.5 % and 97.5 % points (too narrow for few
// rounds), and `calibrated` (see interval.hpp), the one to show to people.
// Guarantee: percentile_interval is the exact bootstrap interval up to 10 rounds. Neither promises to cover the true value in 95 % of
// benchmarks; measured coverage: docs/figures.md. Memory: workspace_size(). Source: Davison and Hinkley, Bootstrap Methods (1997), 3.8.
#include "../core/result.hpp"
#include "../core/workspace.hpp"
#include "interval.hpp"
#include "percentile.hpp"
#include "resampling.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace playhead::stats {

struct bootstrap_estimate {
    double value;                        // of all requests pooled
    interval percentile_interval;        // smallest v with P(X <= v) >= 0.025, and >= 0.975, compared in integers
    std::optional<interval> calibrated;  // none with one round
    std::uint64_t rounds;
    bool exact;  // every resample was enumerated
};

class cluster_bootstrap {
public:
    // The bytes that prepare() and the estimates need.
    [[nodiscard]] static constexpr std::size_t workspace_size(std::size_t values, std::size_t rounds, const resampling& how = {}) noexcept;

    // Sorts the values and counts the rounds. What it returns uses `workspace` and keeps nothing of the other spans.
    //   values     finite, at least one
    //   round_of   the label of each value's round; as many as values; any numbers
    //   workspace  workspace_size() bytes or more
    //   errors     no_values; not_finite (place: index); too_large (workspace; place: the bytes needed)
    [[nodiscard]] static result<cluster_bootstrap> prepare(std::span<const double> values, std::span<const std::int64_t> round_of,
                                                           std::span<std::byte> workspace, const resampling& how = {}) noexcept;

    // The type 7 percentile of the pooled values.
    //   percent  0 to 100; errors: out_of_range
    [[nodiscard]] result<bootstrap_estimate> percentile(double percent) const noexcept;

    // The share of the pooled values that are at most `limit`, 0 to 1.
    [[nodiscard]] bootstrap_estimate share_at_most(double limit) const noexcept;

    [[nodiscard]] std::size_t values() const noexcept { return values_.size(); }
    [[nodiscard]] std::size_t rounds() const noexcept { return weights_.size(); }

private:
    // One value and the number of its round, 0 to R - 1.
    struct member {
        double value;
        std::uint32_t round;
    };
    // A statistic in a resample, and in how many draws.
    struct outcome {
        double statistic;
        std::uint64_t multiplicity;
    };
    class weighted_rank;

    template <typename Statistic>
    [[nodiscard]] bootstrap_estimate estimate(double value, bool on_log_scale, Statistic statistic) const noexcept;

    std::span<member> values_;          // ascending
    std::span<std::uint32_t> sizes_;    // values of each round
    std::span<std::uint32_t> counts_;   // scratch, one a round
    std::span<std::uint32_t> weights_;  // scratch, one a round
    std::span<std::uint32_t> before_;   // before_[i * R + r]: values of round r among the first i; empty with draws
    std::span<outcome> outcomes_;
    resampling how_;
};

// ---- how it works -------------------------------------------------------------------------------

// Finds order statistics of a resample without building it: a cursor in the sorted values with the weight before it, which moves a
// few places from one resample to the next.
class cluster_bootstrap::weighted_rank {
public:
    explicit weighted_rank(const cluster_bootstrap& of) noexcept : of_{of} {}

    // A resample begins: counts the weight before the cursor anew.
    void on_weights(std::span<const std::uint32_t> weights) noexcept {
        const std::size_t rounds = weights.size();
        if (of_.before_.empty()) {
            cursor_ = 0;
            weight_before_ = 0;
        } else {
            const auto before = of_.before_.subspan(cursor_ * rounds, rounds);
            weight_before_ = 0;
            for (std::size_t r = 0; r < rounds; ++r) weight_before_ += std::uint64_t{weights[r]} * before[r];
        }
    }

    // The value at `rank` (from 0) of the resample.
    [[nodiscard]] double at(std::uint64_t rank, std::span<const std::uint32_t> weights) noexcept {
        while (weight_before_ > rank) weight_before_ -= weights[of_.values_[--cursor_].round];
        for (;;) {
            const std::uint64_t next = weight_before_ + weights[of_.values_[cursor_].round];
            if (next > rank) return of_.values_[cursor_].value;
            weight_before_ = next;
            ++cursor_;
        }
    }

private:
    const cluster_bootstrap& of_;
    std::size_t cursor_ = 0;
    std::uint64_t weight_before_ = 0;
};

namespace detail {

// How many different labels there are, without memory: for the number in an error.
[[nodiscard]] constexpr std::size_t count_labels(std::span<const std::int64_t> labels) noexcept {
    std::size_t count = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        bool seen = false;
        for (std::size_t k = i; k > 0 && !seen; --k) seen = labels[k - 1] == labels[i];
        count += seen ? 0 : 1;
    }
    return count;
}

// The smallest statistic such that the outcomes up to it have at least `share` of 40ths of the total multiplicity. O(n) on average.
template <typename Outcome>
[[nodiscard]] constexpr double smallest_reaching(std::span<Outcome> outcomes, std::uint64_t total, std::uint64_t fortieths) noexcept {
    std::uint64_t passed = 0;
    const auto reaches = [&](std::uint64_t count) { return count * 40 >= total * fortieths; };
    for (;;) {
        const double a = outcomes.front().statistic, b = outcomes[outcomes.size() / 2].statistic, c = outcomes.back().statistic;
        const double pivot = std::max(std::min(a, b), std::min(std::max(a, b), c));
        // three parts: below, equal to and above the pivot
        std::size_t below = 0, at = 0, above = outcomes.size();
        std::uint64_t weight_below = 0, weight_equal = 0;
        while (at < above) {
            const double statistic = outcomes[at].statistic;
            if (statistic < pivot) {
                weight_below += outcomes[at].multiplicity;
                std::swap(outcomes[below++], outcomes[at++]);
            } else if (statistic > pivot) {
                std::swap(outcomes[at], outcomes[--above]);
            } else {
                weight_equal += outcomes[at++].multiplicity;
            }
        }
        if (below > 0 && reaches(passed + weight_below)) {
            outcomes = outcomes.first(below);
        } else if (above == outcomes.size() || reaches(passed + weight_below + weight_equal)) {
            return pivot;
        } else {
            passed += weight_below + weight_equal;
            outcomes = outcomes.subspan(above);
        }
    }
}

}  // namespace detail

constexpr std::size_t cluster_bootstrap::workspace_size(std::size_t values, std::size_t rounds, const resampling& how) noexcept {
    const std::size_t table = resampling::is_exact(rounds) ? (values + 1) * rounds : 0;
    return bytes_needed_for<member>(values) + bytes_needed_for<std::int64_t>(rounds) + 3 * bytes_needed_for<std::uint32_t>(rounds) +
           bytes_needed_for<std::uint32_t>(table) + bytes_needed_for<outcome>(static_cast<std::size_t>(how.visits(rounds)));
}

inline result<cluster_bootstrap> cluster_bootstrap::prepare(std::span<const double> values, std::span<const std::int64_t> round_of,
                                                            std::span<std::byte> memory, const resampling& how) noexcept {
    PLAYHEAD_ASSERT(values.size() == round_of.size());
    if (values.empty()) return error{error_code::no_values};
    workspace space{memory};
    cluster_bootstrap it;
    it.how_ = how;
    it.values_ = space.take<member>(values.size());
    const auto too_small = [&] { return error{error_code::too_large, workspace_size(values.size(), detail::count_labels(round_of), how)}; };
    if (it.values_.empty()) return too_small();

    // The labels in the order of their first value: few, and mostly the one before. Their memory is used again below.
    const workspace after_values = space;
    const auto labels = space.take<std::int64_t>(std::min(space.rest().size() / (2 * sizeof(std::int64_t)), values.size()));
    std::size_t rounds = 0;
    std::size_t round = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!(values[i] - values[i] == 0)) return error{error_code::not_finite, i};
        if (rounds == 0 || labels[round] != round_of[i]) {
            round = static_cast<std::size_t>(std::find(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(rounds), round_of[i]) -
                                             labels.begin());
            if (round == rounds) {
                if (rounds == labels.size()) return too_small();
                labels[rounds++] = round_of[i];
            }
        }
        it.values_[i] = {values[i], static_cast<std::uint32_t>(round)};
    }
    const std::size_t needed = workspace_size(values.size(), rounds, how);
    if (memory.size() < needed) return error{error_code::too_large, needed};

    space = after_values;
    it.sizes_ = space.take<std::uint32_t>(rounds);
    it.counts_ = space.take<std::uint32_t>(rounds);
    it.weights_ = space.take<std::uint32_t>(rounds);
    for (const member& each : it.values_) ++it.sizes_[each.round];
    std::sort(it.values_.begin(), it.values_.end(), [](const member& a, const member& b) { return a.value < b.value; });
    if (resampling::is_exact(rounds)) {
        it.before_ = space.take<std::uint32_t>((values.size() + 1) * rounds);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto row = it.before_.subspan(i * rounds, 2 * rounds);
            std::copy_n(row.begin(), rounds, row.begin() + static_cast<std::ptrdiff_t>(rounds));
            ++row[rounds + it.values_[i].round];
        }
    }
    it.outcomes_ = space.take<outcome>(static_cast<std::size_t>(how.visits(rounds)));
    return it;
}

template <typename Statistic>
bootstrap_estimate cluster_bootstrap::estimate(double value, bool on_log_scale, Statistic statistic) const noexcept {
    std::size_t visited = 0;
    double sum = 0, sum_of_squares = 0;  // of (statistic - value), which is small against either
    const double centre = on_log_scale ? std::log(value) : value;
    for_each_resample(weights_, how_, [&](std::span<const std::uint32_t> weights, std::uint64_t multiplicity) {
        const double s = statistic(weights);
        outcomes_[visited++] = {s, multiplicity};
        const double off = (on_log_scale ? std::log(s) : s) - centre;
        sum += off * static_cast<double>(multiplicity);
        sum_of_squares += off * off * static_cast<double>(multiplicity);
    });
    const std::uint64_t total = how_.total(rounds());
    const double mean = sum / static_cast<double>(total);
    const double variance = std::max(0.0, sum_of_squares / static_cast<double>(total) - mean * mean);
    bootstrap_estimate made{value, {}, std::nullopt, rounds(), resampling::is_exact(rounds())};
    made.calibrated = on_log_scale ? calibrated_log_interval(value, std::sqrt(variance), rounds())
                                   : calibrated_interval(value, std::sqrt(variance), rounds());
    made.percentile_interval.low = detail::smallest_reaching(outcomes_.first(visited), total, 1);
    made.percentile_interval.high = detail::smallest_reaching(outcomes_.first(visited), total, 39);
    return made;
}

inline result<bootstrap_estimate> cluster_bootstrap::percentile(double percent) const noexcept {
    if (!detail::is_percent(percent)) return error{error_code::out_of_range};
    weighted_rank cursor{*this};
    const auto statistic = [&](std::span<const std::uint32_t> weights) {
        std::uint64_t n = 0;
        for (std::size_t r = 0; r < weights.size(); ++r) n += std::uint64_t{weights[r]} * sizes_[r];
        const auto rank = detail::rank_of(n, percent, percentile_method::linear);
        cursor.on_weights(weights);
        const double below = cursor.at(rank.below, weights);
        if (rank.fraction <= 0 || rank.below + 1 >= n) return below;
        return detail::between(below, cursor.at(rank.below + 1, weights), rank.fraction);
    };
    std::fill(weights_.begin(), weights_.end(), 1U);
    return estimate(statistic(weights_), values_.front().value > 0, statistic);
}

inline bootstrap_estimate cluster_bootstrap::share_at_most(double limit) const noexcept {
    std::fill(counts_.begin(), counts_.end(), 0U);
    for (const member& each : values_) {
        if (each.value > limit) break;
        ++counts_[each.round];
    }
    const auto statistic = [&](std::span<const std::uint32_t> weights) {
        std::uint64_t n = 0, within = 0;
        for (std::size_t r = 0; r < weights.size(); ++r) {
            n += std::uint64_t{weights[r]} * sizes_[r];
            within += std::uint64_t{weights[r]} * counts_[r];
        }
        return static_cast<double>(within) / static_cast<double>(n);
    };
    std::fill(weights_.begin(), weights_.end(), 1U);
    return estimate(statistic(weights_), false, statistic);
}

}  // namespace playhead::stats
