#include "support/json_lines.hpp"
#include "support/random_numbers.hpp"

#include <playhead/stats/cluster_bootstrap.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

using namespace playhead;
using stats::bootstrap_estimate;
using stats::cluster_bootstrap;
using stats::interval;
using stats::resampling;

namespace {

struct input {
    std::vector<double> values;
    std::vector<std::int64_t> rounds;

    [[nodiscard]] std::size_t round_count() const {
        auto labels = rounds;
        std::sort(labels.begin(), labels.end());
        return static_cast<std::size_t>(std::unique(labels.begin(), labels.end()) - labels.begin());
    }
};

// A bootstrap in exactly the memory that it says it needs, which begins at any place.
class prepared {
public:
    explicit prepared(const input& from, const resampling& how = {}, std::size_t misalignment = 0)
        : memory_(cluster_bootstrap::workspace_size(from.values.size(), from.round_count(), how) + misalignment),
          bootstrap_{cluster_bootstrap::prepare(from.values, from.rounds, std::span{memory_}.subspan(misalignment), how)} {
        REQUIRE(bootstrap_);
        CHECK(bootstrap_->values() == from.values.size());
        CHECK(bootstrap_->rounds() == from.round_count());
    }
    prepared(const prepared&) = delete;
    prepared& operator=(const prepared&) = delete;

    const cluster_bootstrap* operator->() const { return &*bootstrap_; }

private:
    std::vector<std::byte> memory_;
    result<cluster_bootstrap> bootstrap_;
};

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

// ---- the slow obvious way

double percentile_of_pool(std::vector<double> pool, double percent) {
    std::sort(pool.begin(), pool.end());
    const double rank = static_cast<double>(pool.size() - 1) * percent / 100;
    const auto below = static_cast<std::size_t>(std::floor(rank));
    if (below + 1 >= pool.size()) return pool.back();
    return pool[below] + (pool[below + 1] - pool[below]) * (rank - std::floor(rank));
}

double share_of_pool(const std::vector<double>& pool, double limit) {
    const auto within = std::count_if(pool.begin(), pool.end(), [&](double value) { return value <= limit; });
    return static_cast<double>(within) / static_cast<double>(pool.size());
}

// The statistic of each draw; the rounds are numbered in the order of their first value.
template <typename Statistic>
std::vector<double> statistics_of_draws(const input& from, const std::vector<std::vector<std::size_t>>& draws, Statistic statistic) {
    std::vector<std::int64_t> labels;
    for (const auto label : from.rounds) {
        if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
    }
    std::vector<double> statistics;
    for (const auto& draw : draws) {
        std::vector<double> pool;
        for (const std::size_t round : draw) {
            for (std::size_t i = 0; i < from.values.size(); ++i) {
                if (from.rounds[i] == labels[round]) pool.push_back(from.values[i]);
            }
        }
        statistics.push_back(statistic(pool));
    }
    return statistics;
}

std::vector<std::vector<std::size_t>> every_draw(std::size_t rounds) {
    std::vector<std::vector<std::size_t>> draws{{}};
    for (std::size_t i = 0; i < rounds; ++i) {
        std::vector<std::vector<std::size_t>> longer;
        for (const auto& draw : draws) {
            for (std::size_t round = 0; round < rounds; ++round) {
                longer.push_back(draw);
                longer.back().push_back(round);
            }
        }
        draws = std::move(longer);
    }
    return draws;
}

std::vector<std::vector<std::size_t>> random_draws(std::size_t rounds, const resampling& how) {
    std::vector<std::vector<std::size_t>> draws;
    std::vector<std::uint32_t> weights(rounds);
    stats::for_each_resample(weights, how, [&](std::span<const std::uint32_t> drawn, std::uint64_t) {
        draws.emplace_back();
        for (std::size_t round = 0; round < rounds; ++round) draws.back().insert(draws.back().end(), drawn[round], round);
    });
    return draws;
}

void check_against(const bootstrap_estimate& got, double value, std::vector<double> statistics, bool on_log_scale, std::size_t rounds,
                   bool exact) {
    CHECK(near(got.value, value));
    CHECK(got.rounds == rounds);
    CHECK(got.exact == exact);

    std::sort(statistics.begin(), statistics.end());
    const std::size_t total = statistics.size();
    const auto smallest_reaching = [&](std::size_t fortieths) {
        for (std::size_t i = 0; i < total; ++i) {
            if ((i + 1) * 40 >= total * fortieths) return statistics[i];
        }
        return statistics.back();
    };
    CHECK(near(got.percentile_interval.low, smallest_reaching(1)));
    CHECK(near(got.percentile_interval.high, smallest_reaching(39)));

    if (rounds < 2) {
        CHECK_FALSE(got.calibrated);
        return;
    }
    long double sum = 0, sum_of_squares = 0;
    for (const double s : statistics) {
        const long double x = on_log_scale ? std::log(static_cast<long double>(s)) : s;
        sum += x;
    }
    for (const double s : statistics) {
        const long double x = (on_log_scale ? std::log(static_cast<long double>(s)) : s) - sum / static_cast<long double>(total);
        sum_of_squares += x * x;
    }
    const double standard_error = static_cast<double>(std::sqrt(sum_of_squares / static_cast<long double>(total)));
    const double reach =
        stats::student_t_975(rounds - 1) * standard_error * std::sqrt(static_cast<double>(rounds) / static_cast<double>(rounds - 1));
    REQUIRE(got.calibrated);
    const double scale = std::abs(value) + 1;
    if (on_log_scale) {
        CHECK(got.calibrated->low == doctest::Approx(value * std::exp(-reach)).epsilon(1e-6));
        CHECK(got.calibrated->high == doctest::Approx(value * std::exp(reach)).epsilon(1e-6));
    } else {
        CHECK(std::abs(got.calibrated->low - (value - reach)) <= 1e-6 * scale);
        CHECK(std::abs(got.calibrated->high - (value + reach)) <= 1e-6 * scale);
    }
}

void check_all(const input& from, const resampling& how, const std::vector<std::vector<std::size_t>>& draws, bool exact) {
    const std::size_t rounds = from.round_count();
    const prepared bootstrap{from, how, 3};
    const bool positive = *std::min_element(from.values.begin(), from.values.end()) > 0;
    for (const double percent : {50.0, 95.0, 0.0, 100.0, 33.3}) {
        CAPTURE(percent);
        const auto got = bootstrap->percentile(percent);
        REQUIRE(got);
        const auto statistic = [&](const std::vector<double>& pool) { return percentile_of_pool(pool, percent); };
        check_against(*got, statistic(from.values), statistics_of_draws(from, draws, statistic), positive, rounds, exact);
    }
    for (const double limit : {from.values.front(), -1e9, 1e9}) {
        CAPTURE(limit);
        const auto statistic = [&](const std::vector<double>& pool) { return share_of_pool(pool, limit); };
        check_against(bootstrap->share_at_most(limit), statistic(from.values), statistics_of_draws(from, draws, statistic), false, rounds,
                      exact);
    }
}

// Uneven rounds, unsorted labels, ties; sometimes values at and below zero.
input random_input(test::random_numbers& random, std::size_t rounds, std::size_t most_a_round) {
    const std::vector<std::int64_t> names{7, -3, INT64_MAX, INT64_MIN, 0, 100, 5, -9, 12, 2, 1, 3, 4, 6};
    std::vector<std::pair<std::int64_t, double>> rows;
    const bool positive = random.one_in(2);
    const bool tied = random.one_in(2);
    for (std::size_t round = 0; round < rounds; ++round) {
        const std::size_t size = random.from_to(1, most_a_round);
        for (std::size_t i = 0; i < size; ++i) {
            const double value = (tied ? static_cast<double>(random.below(6)) : random.unit() * 1000) + (positive ? 1 : -3);
            rows.emplace_back(names[round], value);
        }
    }
    for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[random.below(i)]);
    input made;
    for (const auto& [round, value] : rows) {
        made.rounds.push_back(round);
        made.values.push_back(value);
    }
    return made;
}

void check_expected(const bootstrap_estimate& got, const nlohmann::json& expect, const std::string& percent) {
    CHECK(near(got.value, expect["p" + percent].get<double>()));
    CHECK(near(got.percentile_interval.low, expect["ci95_p" + percent][0].get<double>()));
    CHECK(near(got.percentile_interval.high, expect["ci95_p" + percent][1].get<double>()));
    CHECK(got.exact);
}

void check_row(const nlohmann::json& row, const nlohmann::json& expect) {
    const input from{row["values"], row["units"]};
    const prepared bootstrap{from};
    for (const int percent : row["percentiles"]) {
        CAPTURE(percent);
        const auto got = bootstrap->percentile(percent);
        REQUIRE(got);
        check_expected(*got, expect, std::to_string(percent));
    }
}

}  // namespace

TEST_SUITE("stats/cluster_bootstrap") {
    TEST_CASE("the reference rows") {
        int number = 0;
        for (const auto& row : test::rows_of("reference/bootstrap.jsonl")) {
            ++number;
            CAPTURE(number);
            check_row(row, row["expect"]);
        }
        CHECK(number == 150);
    }

    TEST_CASE("the cases reported of other programs") {
        for (const auto& row : test::reported_rows("bootstrap")) {
            CAPTURE(row["id"].get<std::string>());
            check_row(row["row"], row["expect"]);
        }
    }

    TEST_CASE("up to five rounds everything is what all R^R draws give") {
        test::random_numbers random{9};
        CAPTURE(random.seed());
        for (std::size_t rounds = 1; rounds <= 5; ++rounds) {
            CAPTURE(rounds);
            const auto draws = every_draw(rounds);
            for (int i = 0; i < (rounds == 5 ? 6 : 40); ++i) {
                CAPTURE(i);
                check_all(random_input(random, rounds, 6), {}, draws, true);
            }
        }
    }

    TEST_CASE("six to ten rounds agree with the weighted multisets") {
        test::random_numbers random{10};
        CAPTURE(random.seed());
        for (std::size_t rounds = 6; rounds <= 10; ++rounds) {
            CAPTURE(rounds);
            const input from = random_input(random, rounds, 3);
            const prepared bootstrap{from};
            for (const double percent : {50.0, 95.0}) {
                // the statistic of each multiset, with the draws that give it
                std::map<double, std::uint64_t> outcomes;
                std::vector<std::int64_t> labels;
                for (const auto label : from.rounds) {
                    if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
                }
                std::vector<std::uint32_t> weights(rounds);
                std::uint64_t total = 0;
                stats::for_each_resample(weights, {}, [&](std::span<const std::uint32_t> drawn, std::uint64_t multiplicity) {
                    std::vector<double> pool;
                    for (std::size_t i = 0; i < from.values.size(); ++i) {
                        const auto round =
                            static_cast<std::size_t>(std::find(labels.begin(), labels.end(), from.rounds[i]) - labels.begin());
                        pool.insert(pool.end(), drawn[round], from.values[i]);
                    }
                    outcomes[percentile_of_pool(std::move(pool), percent)] += multiplicity;
                    total += multiplicity;
                });
                const auto smallest_reaching = [&](std::uint64_t fortieths) {
                    std::uint64_t passed = 0;
                    for (const auto& [statistic, multiplicity] : outcomes) {
                        passed += multiplicity;
                        if (passed * 40 >= total * fortieths) return statistic;
                    }
                    return outcomes.rbegin()->first;
                };
                const auto got = bootstrap->percentile(percent);
                REQUIRE(got);
                CHECK(got->exact);
                CHECK(near(got->percentile_interval.low, smallest_reaching(1)));
                CHECK(near(got->percentile_interval.high, smallest_reaching(39)));
            }
        }
    }

    TEST_CASE("above ten rounds everything is what the seeded draws give") {
        test::random_numbers random{11};
        CAPTURE(random.seed());
        for (const std::size_t rounds : {11U, 12U, 14U}) {
            CAPTURE(rounds);
            for (const std::uint32_t resamples : {1U, 39U, 40U, 41U, 500U}) {
                CAPTURE(resamples);
                const resampling how{.resamples = resamples, .seed = random.long_bits()};
                check_all(random_input(random, rounds, 4), how, random_draws(rounds, how), false);
            }
        }
    }

    TEST_CASE("ends of intervals are compared in integers, just at the limit too") {
        // 40 draws: the first statistic has exactly a 40th of them, the first 39 exactly 39
        input from;
        for (int round = 0; round < 11; ++round) {
            from.values.push_back(1 << round);
            from.rounds.push_back(round);
        }
        const resampling how{.resamples = 40, .seed = 2};
        const prepared bootstrap{from, how};
        auto statistics = statistics_of_draws(from, random_draws(11, how), [](const auto& pool) { return percentile_of_pool(pool, 33.3); });
        std::sort(statistics.begin(), statistics.end());
        REQUIRE(statistics[0] < statistics[1]);
        REQUIRE(statistics[38] < statistics[39]);
        const auto got = bootstrap->percentile(33.3);
        REQUIRE(got);
        CHECK(near(got->percentile_interval.low, statistics[0]));
        CHECK(near(got->percentile_interval.high, statistics[38]));
    }

    TEST_CASE("estimates do not disturb one another") {
        test::random_numbers random{12};
        CAPTURE(random.seed());
        for (const std::size_t rounds : {1U, 3U, 7U, 12U}) {
            const input from = random_input(random, rounds, 8);
            const prepared bootstrap{from};
            const auto median = bootstrap->percentile(50);
            const auto share = bootstrap->share_at_most(from.values[0]);
            const auto p95 = bootstrap->percentile(95);
            CHECK(bootstrap->percentile(50)->percentile_interval == median->percentile_interval);
            CHECK(bootstrap->percentile(50)->value == median->value);
            CHECK(bootstrap->percentile(95)->percentile_interval == p95->percentile_interval);
            CHECK(bootstrap->share_at_most(from.values[0]).percentile_interval == share.percentile_interval);
            CHECK(bootstrap->share_at_most(from.values[0]).calibrated == share.calibrated);
        }
    }

    TEST_CASE("the order of the requests and the names of the rounds do not matter up to ten rounds") {
        const input a{{1, 2, 3, 4, 5, 6}, {0, 0, 1, 1, 2, 2}}, b{{5, 4, 1, 6, 3, 2}, {-5, 900, 3, -5, 900, 3}};
        const prepared x{a}, y{b};
        for (const double percent : {10.0, 50.0, 95.0}) {
            CHECK(x->percentile(percent)->value == y->percentile(percent)->value);
            CHECK(x->percentile(percent)->percentile_interval == y->percentile(percent)->percentile_interval);
            CHECK(near(x->percentile(percent)->calibrated->low, y->percentile(percent)->calibrated->low));
        }
    }

    TEST_CASE("one round has its own value as the whole interval, and no calibrated one") {
        const input from{{3, 1, 2}, {4, 4, 4}};
        const prepared bootstrap{from};
        const auto median = bootstrap->percentile(50);
        REQUIRE(median);
        CHECK(median->value == 2);
        CHECK(median->percentile_interval == interval{2, 2});
        CHECK_FALSE(median->calibrated);
        CHECK(median->rounds == 1);
        CHECK(median->exact);
    }

    TEST_CASE("the calibrated interval is on the log scale for positive values, and not where one is zero") {
        const input positive{{1, 10, 100}, {0, 1, 2}}, with_zero{{0, 10, 100}, {0, 1, 2}}, negative{{-5, 10, 100}, {0, 1, 2}};
        const prepared x{positive}, y{with_zero}, z{negative};
        CHECK(x->percentile(50)->calibrated->low > 0);
        CHECK(x->percentile(50)->calibrated->low * x->percentile(50)->calibrated->high == doctest::Approx(100));
        CHECK(y->percentile(50)->calibrated->low < 0);
        CHECK(y->percentile(50)->calibrated->low + y->percentile(50)->calibrated->high == doctest::Approx(20));
        CHECK(std::isfinite(z->percentile(0)->calibrated->low));
    }

    TEST_CASE("equal values have an interval without width, never NaN") {
        for (const double value : {10'000.0, 0.0, -2.5, 1e-300, 1e300}) {
            CAPTURE(value);
            const input from{std::vector<double>(9, value), {0, 0, 0, 1, 1, 1, 2, 2, 2}};
            const prepared bootstrap{from};
            const auto p95 = bootstrap->percentile(95);
            REQUIRE(p95);
            CHECK(p95->value == value);
            CHECK(p95->percentile_interval == interval{value, value});
            CHECK(near(p95->calibrated->low, value));
            CHECK(near(p95->calibrated->high, value));
        }
    }

    TEST_CASE("a share is counted with its limit included") {
        const input from{{50, 100, 200, 50.0001}, {0, 0, 1, 1}};
        const prepared bootstrap{from};
        CHECK(bootstrap->share_at_most(50).value == 0.25);
        CHECK(bootstrap->share_at_most(100).value == 0.75);
        CHECK(bootstrap->share_at_most(49.9).value == 0);
        CHECK(bootstrap->share_at_most(200).value == 1);
        CHECK(bootstrap->share_at_most(100).percentile_interval == interval{0.5, 1});
        CHECK(bootstrap->share_at_most(200).percentile_interval == interval{1, 1});
    }

    TEST_CASE("the workspace asked for is enough wherever it begins, and one byte less is refused with the number") {
        test::random_numbers random{13};
        CAPTURE(random.seed());
        for (const std::size_t rounds : {1U, 2U, 3U, 10U, 11U, 14U}) {
            CAPTURE(rounds);
            const input from = random_input(random, rounds, 5);
            const resampling how{.resamples = 25, .seed = 1};
            const std::size_t needed = cluster_bootstrap::workspace_size(from.values.size(), rounds, how);
            std::vector<std::byte> memory(needed + 16);
            for (std::size_t offset = 0; offset < 16; ++offset) {
                CAPTURE(offset);
                const auto enough = cluster_bootstrap::prepare(from.values, from.rounds, std::span{memory}.subspan(offset, needed), how);
                REQUIRE(enough);
                CHECK(enough->percentile(50));
                const auto less = cluster_bootstrap::prepare(from.values, from.rounds, std::span{memory}.subspan(offset, needed - 1), how);
                REQUIRE_FALSE(less);
                CHECK(less.error() == error{error_code::too_large, needed});
            }
        }
    }

    TEST_CASE("however small the memory, the number in the error is what is needed") {
        test::random_numbers random{14};
        CAPTURE(random.seed());
        for (const std::size_t rounds : {1U, 4U, 12U}) {
            const input from = random_input(random, rounds, 4);
            const resampling how{.resamples = 5, .seed = 1};
            const std::size_t needed = cluster_bootstrap::workspace_size(from.values.size(), rounds, how);
            std::vector<std::byte> memory(needed);
            for (std::size_t size = 0; size < needed; ++size) {
                const auto refused = cluster_bootstrap::prepare(from.values, from.rounds, std::span{memory}.first(size), how);
                REQUIRE_FALSE(refused);
                REQUIRE(refused.error() == error{error_code::too_large, needed});
            }
        }
    }

    TEST_CASE("values that are not finite are refused with their index") {
        std::vector<std::byte> memory(4096);
        for (const double bad : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN()}) {
            for (std::size_t at = 0; at < 4; ++at) {
                std::vector<double> values{1, 2, 3, 4};
                values[at] = bad;
                const std::vector<std::int64_t> rounds{0, 0, 1, 1};
                CHECK(cluster_bootstrap::prepare(values, rounds, memory).error() == error{error_code::not_finite, at});
            }
        }
    }

    TEST_CASE("there is no estimate of nothing, and no percentile outside 0 to 100") {
        std::vector<std::byte> memory(4096);
        CHECK(cluster_bootstrap::prepare({}, {}, memory).error() == error{error_code::no_values});
        const prepared bootstrap{{{1, 2, 3}, {0, 1, 2}}};
        for (const double percent : {-1e-9, 100.0001, std::numeric_limits<double>::quiet_NaN(), 1e300}) {
            CHECK(bootstrap->percentile(percent).error() == error{error_code::out_of_range});
        }
    }

    TEST_CASE("a single value is its own estimate") {
        const prepared bootstrap{{{17.25}, {-4}}};
        CHECK(bootstrap->percentile(95)->value == 17.25);
        CHECK(bootstrap->percentile(95)->percentile_interval == interval{17.25, 17.25});
        CHECK(bootstrap->share_at_most(17.25).value == 1);
        CHECK(bootstrap->share_at_most(17).value == 0);
    }
}
