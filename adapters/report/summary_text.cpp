#include "summary_text.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace playhead::report {

namespace {

using measure::figure;

// Three digits that matter: 1234.5, 98.76, 0.412.
std::string number(double value) {
    const double size = value < 0 ? -value : value;
    return fmt::format("{:.{}f}", value, size >= 100 ? 1 : size >= 10 ? 2 : 3);
}

std::string interval_of(const stats::bootstrap_estimate& estimate) {
    if (!estimate.calibrated) return "";
    return fmt::format("[{}, {}]", number(estimate.calibrated->low), number(estimate.calibrated->high));
}

std::string share(const stats::bootstrap_estimate& estimate) {
    const auto percent = [](double part) { return fmt::format("{:.1f}", 100 * part); };
    return fmt::format("{} % [{}, {}]", percent(estimate.value), percent(estimate.percentile_interval.low),
                       percent(estimate.percentile_interval.high));
}

class table {
public:
    explicit table(const benchmark_view& of) : of_{of}, summary_{of.summary} {}

    std::string draw() {
        head();
        figures();
        playback();
        warmup();
        verdicts();
        for (const auto& failure : of_.failures) line("failed", failure);
        for (const auto& note : of_.notes) line("note", note);
        return std::move(text_);
    }

private:
    template <typename... Parts>
    void put(fmt::format_string<Parts...> format, Parts&&... parts) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Parts>(parts)...);
    }
    // A line under a heading; the heading stands once.
    void line(std::string_view heading, std::string_view what) {
        put("{:<12}{}\n", heading == last_heading_ ? "" : heading, what);
        last_heading_ = heading;
    }

    void head() {
        put("{}: {}, {} round{} of {} text{} = {} requests, {} failed\n", of_.label, of_.model, of_.rounds, of_.rounds == 1 ? "" : "s",
            of_.fixtures, of_.fixtures == 1 ? "" : "s", summary_.requests, summary_.failed);
        put("{}, {} Hz, {} channel{}, seed base {}\n\n", of_.protocol, of_.format.sample_rate, of_.format.channels,
            of_.format.channels == 1 ? "" : "s", of_.seed_base);
    }

    void row(std::string_view title, figure which, std::string_view unit) {
        const auto& of = summary_[which];
        if (of.n == 0) {
            put("{:<14}{:>8}\n", title, 0);
            return;
        }
        put("{:<14}{:>8}{:>10} {:<20}{:>10} {:<20}{:>9}  {}\n", title, fmt::format("{} of {}", of.n, summary_.requests),
            number(of.median->value), interval_of(*of.median), number(of.p95->value), interval_of(*of.p95), number(*of.max), unit);
    }

    void figures() {
        put("{:<14}{:>8}{:>10} {:<20}{:>10} {:<20}{:>9}\n", "", "n", "median", "[95 % interval]", "p95", "[95 % interval]", "max");
        row("first audio", figure::first_audio, "ms");
        row("first PCM", figure::first_pcm, "ms");
        row("first signal", figure::first_signal, "ms");
        row("complete", figure::complete_audio, "ms");
        row("longest gap", figure::max_stream_gap, "ms");
        row("gapless start", figure::gapless_start, "ms");
        row("rtf", figure::rtf, "lower is faster");
        const auto& median = summary_[figure::first_audio].median;
        if (median) {
            put("percentiles: linear interpolation (type 7); intervals: {} resampled ({}), calibrated by Student's t{}\n",
                median->rounds == 1 ? "1 round" : fmt::format("{} rounds", median->rounds),
                median->exact ? "every draw" : "Monte Carlo draws", median->calibrated ? "" : "; none with one round");
        }
        put("\n");
    }

    void playback() {
        const std::size_t right = summary_.requests - summary_.failed;
        const auto& underruns = summary_.underruns;
        if (right > 0) {
            line("playback", underruns.count == 0
                                 ? fmt::format("no underrun in {} requests, for a player that starts with the first chunk", right)
                                 : fmt::format("{} underruns in {} of {} requests, {} ms together, longest {} ms", underruns.count,
                                               summary_.requests_with_underruns, right, number(to_ms(underruns.length)),
                                               number(to_ms(underruns.longest))));
            const auto& prebuffer = summary_[figure::prebuffer].p95;
            line("playback", fmt::format("95 % of requests play without a gap when playback waits {} ms {} after the first chunk",
                                         number(prebuffer->value), interval_of(*prebuffer)));
        }
        const std::size_t streamed = summary_.delivered(playback::delivery::streamed);
        if (streamed > 0) {
            line("continuity", fmt::format("C50 {}, C100 {}, C200 {}", share(*summary_.continuity[0]), share(*summary_.continuity[1]),
                                           share(*summary_.continuity[2])));
            line("continuity", fmt::format("of {} streamed requests; vLLM-Omni's (deficit at most 100 ms) {}", streamed,
                                           share(*summary_.continuity_vllm_omni)));
        } else {
            line("continuity", "not applicable: no request was streamed");
        }
        line("delivery",
             fmt::format("{} streamed, {} burst, {} single{}", streamed, summary_.delivered(playback::delivery::burst),
                         summary_.delivered(playback::delivery::single), right == streamed ? "" : " (burst and single are no streams)"));
    }

    void warmup() {
        if (of_.warmups.empty()) line("warm-up", "none: the figures may include initialisation");
        const auto& median = summary_[figure::first_audio].median;
        for (const auto& each : of_.warmups) {
            if (!each.error.empty()) {
                line("warm-up", fmt::format("failed: {}", each.error));
            } else {
                const std::string times = median && median->value > 0 && each.first_audio_ms
                                              ? fmt::format(" ({:.1f} times the median)", *each.first_audio_ms / median->value)
                                              : "";
                line("warm-up", fmt::format("in no figure: first audio {} ms{}, complete {} ms", number(each.first_audio_ms.value_or(0)),
                                            times, number(each.complete_audio_ms.value_or(0))));
            }
        }
    }

    void verdicts() {
        line("verdict", fmt::format("structural {}, timing {}, quality {}: {}", name(summary_.structural), name(summary_.timing),
                                    name(summary_.quality), name(summary_.combined)));
        const auto& first_audio = summary_[figure::first_audio].p95;
        const auto& rtf = summary_[figure::rtf].max;
        if (!first_audio || !rtf) return;
        const auto against = [](double value, double limit) {
            return fmt::format("{} {} {}", number(value), value <= limit ? "<=" : ">", number(limit));
        };
        line("verdict", fmt::format("timing: {} failed, p95 of first audio {} ms, largest rtf {}, {} underrun{}", summary_.failed,
                                    against(first_audio->value, of_.limits.first_audio_p95_ms), against(*rtf, of_.limits.rtf_max),
                                    summary_.underruns.count, summary_.underruns.count == 1 ? "" : "s"));
    }

    const benchmark_view& of_;
    const measure::summary& summary_;
    std::string text_;
    std::string last_heading_;
};

}  // namespace

std::string summary_text(const benchmark_view& of) { return table{of}.draw(); }

}  // namespace playhead::report
