#include "support/random_numbers.hpp"

#include <playhead/measure/metrics.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace playhead;
using namespace std::chrono_literals;
using measure::figure;
using measure::request_values;
using measure::service_limits;
using measure::summary;
using measure::verdict;
using playback::delivery;
using stats::interval;

namespace {

// A streamed request that is right, each of whose figures is the first audio or a part of it.
request_values right(std::int64_t round, double first_audio_ms, double rtf = 0.5) {
    request_values values;
    values.round = round;
    values.ok = true;
    values.delivery = delivery::streamed;
    values.figures = {
        first_audio_ms, first_audio_ms / 2, first_audio_ms / 2, first_audio_ms * 10, rtf, first_audio_ms / 4, first_audio_ms, 0.0};
    return values;
}

request_values failed(std::int64_t round) {
    request_values values;
    values.round = round;
    return values;
}

// With one longest stall, and the wait that would have avoided it.
request_values stalled(std::int64_t round, nanoseconds longest, double prebuffer_ms) {
    request_values values = right(round, 100);
    values.underruns = {longest > 0ns ? std::uint64_t{1} : 0, longest, longest};
    values.figures[static_cast<std::size_t>(figure::prebuffer)] = prebuffer_ms;
    return values;
}

summary summarised(const std::vector<request_values>& requests, const service_limits& limits = {}, const stats::resampling& how = {}) {
    std::vector<std::int64_t> rounds;
    for (const auto& each : requests) rounds.push_back(each.round);
    std::sort(rounds.begin(), rounds.end());
    rounds.erase(std::unique(rounds.begin(), rounds.end()), rounds.end());
    std::vector<std::byte> memory(measure::bytes_needed_for_summary(requests.size(), rounds.size(), how));
    const auto made = measure::summarise(requests, limits, how, memory);
    REQUIRE(made);
    return *made;
}

}  // namespace

TEST_SUITE("measure/metrics") {
    TEST_CASE("figures have the names of rows and records, and their units") {
        constexpr std::array<std::string_view, measure::figure_count> names{"first_audio_ms",    "first_pcm_ms", "first_signal_ms",
                                                                            "complete_audio_ms", "rtf",          "max_stream_gap_ms",
                                                                            "gapless_start_ms",  "prebuffer_ms"};
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto which = static_cast<figure>(i);
            CHECK(name(which) == names[i]);
            CHECK(unit(which) == (which == figure::rtf ? "ratio" : "ms"));
        }
    }

    TEST_CASE("of a request that is right every figure is taken, of a failed one none") {
        measure::request_figures heard;
        heard.heard = playback::timeline{24'000};
        heard.heard.on_chunk(30ms, 1'920, 240);
        heard.heard.on_chunk(199ms, 48'000);
        heard.ended = 260ms;
        const request_values values = values_of(heard, 7);
        CHECK(values.ok);
        CHECK(values.round == 7);
        CHECK(values.delivery == delivery::streamed);
        CHECK(values.underruns == playback::underrun_count{1, 89ms, 89ms});
        CHECK(values[figure::first_audio] == 40.0);
        CHECK(values[figure::first_pcm] == 30.0);
        CHECK(values[figure::first_signal] == 30.0);
        CHECK(values[figure::complete_audio] == 260.0);
        CHECK(values[figure::rtf] == 0.125);
        CHECK(values[figure::max_stream_gap] == 169.0);
        CHECK(values[figure::gapless_start] == 119.0);
        CHECK(values[figure::prebuffer] == 89.0);

        heard.failure = error{error_code::reset};
        const request_values none = values_of(heard, -1);
        CHECK_FALSE(none.ok);
        CHECK(none.round == -1);
        for (const auto& each : none.figures) CHECK_FALSE(each);

        measure::request_figures single;
        single.heard = playback::timeline{24'000};
        single.heard.on_chunk(30ms, 1'920);
        CHECK_FALSE(values_of(single, 0)[figure::max_stream_gap]);
        CHECK(values_of(single, 0)[figure::prebuffer] == 0.0);
    }

    TEST_CASE("percentiles are over the requests that are right, each with its n") {
        const summary got = summarised({right(0, 100), right(0, 200), failed(0), right(1, 300), right(1, 400), failed(1)});
        CHECK(got.requests == 6);
        CHECK(got.failed == 2);
        const auto& first_audio = got[figure::first_audio];
        CHECK(first_audio.n == 4);
        CHECK(first_audio.max == 400.0);
        REQUIRE(first_audio.median);
        CHECK(first_audio.median->value == 250);
        CHECK(first_audio.p95->value == doctest::Approx(385).epsilon(1e-12));
        CHECK(got[figure::complete_audio].median->value == 2'500);
        CHECK(got[figure::rtf].max == 0.5);
        // two rounds: the draws 0 0, 0 1, 1 0 and 1 1 have the medians 150, 250, 250 and 350
        CHECK(first_audio.median->percentile_interval == interval{150, 350});
        CHECK(first_audio.median->exact);
        CHECK(first_audio.median->rounds == 2);
        const double spread = std::sqrt((std::pow(std::log(150.0 / 250), 2) + std::pow(std::log(350.0 / 250), 2)) / 4 -
                                        std::pow((std::log(150.0 / 250) + std::log(350.0 / 250)) / 4, 2));
        REQUIRE(first_audio.median->calibrated);
        CHECK(first_audio.median->calibrated->high ==
              doctest::Approx(250 * std::exp(12.7062047364 * spread * std::sqrt(2.0))).epsilon(1e-9));
        // one value a round has an interval, one round has none
        CHECK(summarised({right(3, 10), right(3, 20)})[figure::first_audio].median->percentile_interval == interval{15, 15});
        CHECK_FALSE(summarised({right(3, 10), right(3, 20)})[figure::first_audio].median->calibrated);
    }

    TEST_CASE("every figure's estimates are the bootstrap's own") {
        test::random_numbers random{60};
        CAPTURE(random.seed());
        for (const std::size_t rounds : {1U, 3U, 5U, 12U}) {
            const stats::resampling how{.resamples = 200, .seed = 5};
            std::vector<request_values> requests;
            for (std::size_t i = 0; i < rounds * 4; ++i) {
                request_values values = right(static_cast<std::int64_t>(i % rounds) * 10 - 7, 1);
                for (auto& each : values.figures) each = random.one_in(5) ? std::nullopt : std::optional{random.unit() * 100};
                requests.push_back(values);
            }
            const summary got = summarised(requests, {}, how);
            for (std::size_t f = 0; f < measure::figure_count; ++f) {
                std::vector<double> values;
                std::vector<std::int64_t> labels;
                for (const auto& each : requests) {
                    if (!each.figures[f]) continue;
                    values.push_back(*each.figures[f]);
                    labels.push_back(each.round);
                }
                const auto& of = got.figures[f];
                REQUIRE(of.n == values.size());
                REQUIRE(of.n > 0);
                std::vector<std::byte> memory(100'000);
                const auto bootstrap = stats::cluster_bootstrap::prepare(values, labels, memory, how);
                REQUIRE(bootstrap);
                CHECK(of.max == *std::max_element(values.begin(), values.end()));
                CHECK(of.median->value == bootstrap->percentile(50)->value);
                CHECK(of.median->percentile_interval == bootstrap->percentile(50)->percentile_interval);
                CHECK(of.p95->value == bootstrap->percentile(95)->value);
                CHECK(of.p95->percentile_interval == bootstrap->percentile(95)->percentile_interval);
                CHECK(of.p95->calibrated == bootstrap->percentile(95)->calibrated);
            }
        }
    }

    TEST_CASE("continuity is the share of streamed requests whose longest stall is within the limit, the limit included") {
        const summary got =
            summarised({stalled(0, 0ns, 0), stalled(0, 50ms, 60), stalled(0, 50ms + 1ns, 60), stalled(0, 100ms, 100),
                        stalled(1, 100ms + 1ns, 100.001), stalled(1, 200ms, 220), stalled(1, 200ms + 1ns, 300), stalled(1, 1s, 2'000)});
        static_assert(summary::continuity_limits_ms == std::array{50, 100, 200});
        REQUIRE(got.continuity[0]);
        CHECK(got.continuity[0]->value == 2.0 / 8);
        CHECK(got.continuity[1]->value == 4.0 / 8);
        CHECK(got.continuity[2]->value == 6.0 / 8);
        CHECK(got.continuity[0]->percentile_interval == interval{0, 0.5});
        CHECK(got.continuity[1]->percentile_interval == interval{0, 1});
        // vLLM-Omni's asks for the wait, not for the longest stall
        REQUIRE(got.continuity_vllm_omni);
        CHECK(got.continuity_vllm_omni->value == 4.0 / 8);
        CHECK(got.requests_with_underruns == 7);
        CHECK(got.underruns.count == 7);
        CHECK(got.underruns.longest == 1s);
        CHECK(got.underruns.length == 50ms + 50ms + 100ms + 100ms + 200ms + 200ms + 1s + 3ns);
    }

    TEST_CASE("only what was streamed counts for continuity, and without any it does not apply") {
        request_values burst = right(0, 10), single = right(0, 10);
        burst.delivery = delivery::burst;
        single.delivery = delivery::single;
        const summary none = summarised({burst, single, burst, failed(0)});
        for (const auto& share : none.continuity) CHECK_FALSE(share);
        CHECK_FALSE(none.continuity_vllm_omni);
        CHECK(none.delivered(delivery::burst) == 2);
        CHECK(none.delivered(delivery::single) == 1);
        CHECK(none.delivered(delivery::streamed) == 0);
        CHECK(none.delivered(delivery::none) == 0);

        const summary some = summarised({burst, stalled(0, 300ms, 300), stalled(0, 0ns, 0), single});
        CHECK(some.continuity[2]->value == 0.5);
        CHECK(some.continuity_vllm_omni->value == 0.5);
        CHECK(some.delivered(delivery::streamed) == 2);
        // a failed request is no pass either
        request_values cut = stalled(0, 0ns, 0);
        cut.ok = false;
        CHECK(summarised({cut, stalled(0, 300ms, 300)}).continuity[0]->value == 0);
        CHECK(summarised({cut, stalled(0, 300ms, 300)}).delivered(delivery::streamed) == 1);
    }

    TEST_CASE("the timing verdict holds at its limits, and not above") {
        struct row {
            double first_audio, rtf, first_audio_limit, rtf_limit;
            verdict timing;
        };
        for (const row& each : {
                 row{100, 0.5, 100, 1, verdict::pass},
                 row{100, 0.5, std::nextafter(100.0, 0.0), 1, verdict::fail},
                 row{100, 1, 2'000, 1, verdict::pass},
                 row{100, std::nextafter(1.0, 2.0), 2'000, 1, verdict::fail},
                 row{2'000, 1, 2'000, 1, verdict::pass},
                 row{2'001, 0.1, 2'000, 1, verdict::fail},
             }) {
            CAPTURE(each.first_audio_limit);
            CAPTURE(each.rtf);
            const summary got = summarised({right(0, each.first_audio, each.rtf)}, {each.first_audio_limit, each.rtf_limit});
            CHECK(name(got.timing) == name(each.timing));
            CHECK(name(got.structural) == "PASS");
            CHECK(name(got.quality) == "UNPROVEN");
            CHECK(name(got.combined) == (each.timing == verdict::pass ? "UNPROVEN" : "FAIL"));
        }
        // the p95 is judged, and the largest rtf
        std::vector<request_values> many(100, right(0, 100, 0.5));
        many[0] = right(0, 9'000, 0.5);
        CHECK(name(summarised(many).timing) == "PASS");
        many[0] = right(0, 100, 1.5);
        CHECK(name(summarised(many).timing) == "FAIL");
    }

    TEST_CASE("a failure fails both, and so does a stall the timing") {
        const summary one_failed = summarised({right(0, 10), failed(0)});
        CHECK(name(one_failed.structural) == "FAIL");
        CHECK(name(one_failed.timing) == "FAIL");
        CHECK(name(one_failed.combined) == "FAIL");
        const summary one_stall = summarised({right(0, 10), stalled(0, 1ns, 0)});
        CHECK(name(one_stall.structural) == "PASS");
        CHECK(name(one_stall.timing) == "FAIL");
        CHECK(name(one_stall.combined) == "FAIL");
        const summary nothing = summarised({failed(0), failed(1)});
        CHECK(nothing.failed == 2);
        CHECK(name(nothing.timing) == "FAIL");
        for (const auto& of : nothing.figures) {
            CHECK(of.n == 0);
            CHECK_FALSE(of.max);
            CHECK_FALSE(of.median);
            CHECK_FALSE(of.p95);
        }
        // what a failed request stalled before it failed is in no figure
        request_values cut = stalled(0, 500ms, 500);
        cut.ok = false;
        CHECK(summarised({right(0, 10), cut}).underruns == playback::underrun_count{});
        CHECK(summarised({right(0, 10), cut}).requests_with_underruns == 0);
    }

    TEST_CASE("nothing has no summary, and too little memory is told what is needed") {
        std::vector<std::byte> memory(100'000);
        CHECK(measure::summarise({}, {}, {}, memory).error() == error{error_code::no_values});
        for (const std::size_t rounds : {1U, 2U, 10U, 11U}) {
            const stats::resampling how{.resamples = 30, .seed = 0};
            std::vector<request_values> requests;
            for (std::size_t i = 0; i < rounds * 3; ++i)
                requests.push_back(right(static_cast<std::int64_t>(i % rounds), static_cast<double>(i + 1)));
            const std::size_t needed = measure::bytes_needed_for_summary(requests.size(), rounds, how);
            memory.resize(needed + 8);
            for (std::size_t offset = 0; offset < 8; offset += rounds == 10 ? 5 : 1) {
                CHECK(measure::summarise(requests, {}, how, std::span{memory}.subspan(offset, needed)));
                CHECK(measure::summarise(requests, {}, how, std::span{memory}.subspan(offset, needed - 1)).error() ==
                      error{error_code::too_large, needed});
            }
            CHECK(measure::summarise(requests, {}, how, {}).error() == error{error_code::too_large, needed});
        }
    }
}
