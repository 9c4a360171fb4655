#pragma once
// metrics: the requests of a benchmark in figures, each with its intervals, and the verdicts that follow.
//
// Percentiles are type 7 over the requests that are right; intervals resample rounds (stats/cluster_bootstrap.hpp). No percentile is
// without its n. The figures' definitions: docs/figures.md.
#include "../core/result.hpp"
#include "../core/workspace.hpp"
#include "../playback/timeline.hpp"
#include "../stats/cluster_bootstrap.hpp"
#include "request_recorder.hpp"
#include "verdict.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace playhead::measure {

enum class figure : std::uint8_t {
    first_audio,     // ms: the listener hears the first non-zero sample
    first_pcm,       // ms: the first chunk came
    first_signal,    // ms: the first chunk with a non-zero sample came
    complete_audio,  // ms: the whole body was consumed
    rtf,             // complete_audio by the audio's duration; lower is faster
    max_stream_gap,  // ms: the longest time between chunks
    gapless_start,   // ms: the earliest start of playback that never stalls
    prebuffer,       // ms: gapless_start less first_pcm
};
inline constexpr std::size_t figure_count = 8;

// As rows and records have it: first_audio_ms, ..., rtf.
[[nodiscard]] constexpr std::string_view name(figure which) noexcept;
// "ms" or "ratio".
[[nodiscard]] constexpr std::string_view unit(figure which) noexcept { return which == figure::rtf ? "ratio" : "ms"; }

// What the statistics need of one request.
struct request_values {
    std::int64_t round = 0;
    bool ok = false;
    playback::delivery delivery = playback::delivery::none;
    playback::underrun_count underruns{};
    std::array<std::optional<double>, figure_count> figures{};  // by figure; none where it does not apply

    [[nodiscard]] constexpr const std::optional<double>& operator[](figure which) const noexcept {
        return figures[static_cast<std::size_t>(which)];
    }
};

[[nodiscard]] constexpr request_values values_of(const request_figures& heard, std::int64_t round) noexcept;

struct figure_summary {
    std::size_t n = 0;
    std::optional<double> max{};
    std::optional<stats::bootstrap_estimate> median{};
    std::optional<stats::bootstrap_estimate> p95{};
};

// What the timing verdict asks for.
struct service_limits {
    double first_audio_p95_ms = 2000;
    double rtf_max = 1;
};

struct summary {
    std::size_t requests = 0;
    std::size_t failed = 0;
    std::array<figure_summary, figure_count> figures{};
    std::array<std::size_t, 4> deliveries{};  // requests that are right, by playback::delivery
    std::size_t requests_with_underruns = 0;
    playback::underrun_count underruns{};  // of all together; the longest of all
    // Shares of the streamed requests; none where none was streamed.
    static constexpr std::array<int, 3> continuity_limits_ms{50, 100, 200};
    std::array<std::optional<stats::bootstrap_estimate>, 3> continuity{};  // longest underrun at most the limit: C50, C100, C200
    std::optional<stats::bootstrap_estimate> continuity_vllm_omni{};       // prebuffer at most 100 ms: that project's continuity
    verdict structural = verdict::not_run;
    verdict timing = verdict::not_run;
    verdict quality = verdict::unproven;  // always: nothing here hears quality
    verdict combined = verdict::not_run;

    [[nodiscard]] constexpr const figure_summary& operator[](figure which) const noexcept {
        return figures[static_cast<std::size_t>(which)];
    }
    [[nodiscard]] constexpr std::size_t delivered(playback::delivery how) const noexcept {
        return deliveries[static_cast<std::size_t>(how)];
    }
};

// The bytes that summarise() needs.
[[nodiscard]] constexpr std::size_t bytes_needed_for_summary(std::size_t requests, std::size_t rounds,
                                                             const stats::resampling& how) noexcept {
    return bytes_needed_for<double>(requests) + bytes_needed_for<std::int64_t>(requests) +
           stats::cluster_bootstrap::workspace_size(requests, rounds, how);
}

//   requests  at least one
//   memory    bytes_needed_for_summary() bytes or more
//   errors    no_values; too_large (memory; place: the bytes needed)
[[nodiscard]] inline result<summary> summarise(std::span<const request_values> requests, const service_limits& limits,
                                               const stats::resampling& how, std::span<std::byte> memory) noexcept;

// ---- how it works -------------------------------------------------------------------------------

constexpr std::string_view name(figure which) noexcept {
    constexpr std::array<std::string_view, figure_count> names{"first_audio_ms",    "first_pcm_ms", "first_signal_ms",
                                                               "complete_audio_ms", "rtf",          "max_stream_gap_ms",
                                                               "gapless_start_ms",  "prebuffer_ms"};
    return names[static_cast<std::size_t>(which)];
}

constexpr request_values values_of(const request_figures& heard, std::int64_t round) noexcept {
    request_values values;
    values.round = round;
    values.ok = heard.ok();
    values.delivery = heard.heard.delivery();
    values.underruns = heard.heard.underruns();
    if (!values.ok) return values;
    const auto set = [&](figure which, const std::optional<nanoseconds>& time) {
        if (time) values.figures[static_cast<std::size_t>(which)] = to_ms(*time);
    };
    set(figure::first_audio, heard.heard.first_audio());
    set(figure::first_pcm, heard.heard.first_pcm());
    set(figure::first_signal, heard.heard.first_signal());
    set(figure::complete_audio, heard.ended);
    set(figure::max_stream_gap, heard.heard.longest_gap());
    set(figure::gapless_start, heard.heard.gapless_start());
    set(figure::prebuffer, heard.heard.prebuffer());
    const double audio_ms = to_ms(heard.heard.audio());
    if (audio_ms > 0) values.figures[static_cast<std::size_t>(figure::rtf)] = to_ms(heard.ended) / audio_ms;
    return values;
}

namespace detail {

// The estimates of one column of values, whose rounds stand beside.
class column {
public:
    column(std::size_t capacity, workspace space) noexcept
        : values_{space.take<double>(capacity)}, rounds_{space.take<std::int64_t>(capacity)}, rest_{space.rest()} {}

    void clear() noexcept { size_ = 0; }
    void add(double value, std::int64_t round) noexcept {
        values_[size_] = value;
        rounds_[size_++] = round;
    }
    [[nodiscard]] std::span<const double> values() const noexcept { return values_.first(size_); }
    [[nodiscard]] result<stats::cluster_bootstrap> bootstrap(const stats::resampling& how) const noexcept {
        return stats::cluster_bootstrap::prepare(values_.first(size_), rounds_.first(size_), rest_, how);
    }

private:
    std::span<double> values_;
    std::span<std::int64_t> rounds_;
    std::span<std::byte> rest_;
    std::size_t size_ = 0;
};

}  // namespace detail

inline result<summary> summarise(std::span<const request_values> requests, const service_limits& limits, const stats::resampling& how,
                                 std::span<std::byte> memory) noexcept {
    if (requests.empty()) return error{error_code::no_values};
    std::size_t rounds = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        bool seen = false;
        for (std::size_t k = i; k > 0 && !seen; --k) seen = requests[k - 1].round == requests[i].round;
        rounds += seen ? 0 : 1;
    }
    const std::size_t needed = bytes_needed_for_summary(requests.size(), rounds, how);
    if (memory.size() < needed) return error{error_code::too_large, needed};
    detail::column column{requests.size(), workspace{memory}};

    summary made;
    made.requests = requests.size();
    for (const request_values& each : requests) {
        if (!each.ok) {
            ++made.failed;
            continue;
        }
        ++made.deliveries[static_cast<std::size_t>(each.delivery)];
        made.requests_with_underruns += each.underruns.count > 0 ? 1 : 0;
        made.underruns.count += each.underruns.count;
        made.underruns.length += each.underruns.length;
        made.underruns.longest = std::max(made.underruns.longest, each.underruns.longest);
    }
    for (std::size_t f = 0; f < figure_count; ++f) {
        column.clear();
        for (const request_values& each : requests) {
            if (each.ok && each.figures[f]) column.add(*each.figures[f], each.round);
        }
        figure_summary& of = made.figures[f];
        of.n = column.values().size();
        if (of.n == 0) continue;
        of.max = *std::max_element(column.values().begin(), column.values().end());
        const auto bootstrap = column.bootstrap(how);
        if (!bootstrap) return bootstrap.error();
        of.median = *bootstrap->percentile(50);
        of.p95 = *bootstrap->percentile(95);
    }
    if (made.delivered(playback::delivery::streamed) > 0) {
        const auto share = [&](double limit_ms, auto value_of) -> std::optional<stats::bootstrap_estimate> {
            column.clear();
            for (const request_values& each : requests) {
                if (each.ok && each.delivery == playback::delivery::streamed) column.add(value_of(each), each.round);
            }
            const auto bootstrap = column.bootstrap(how);
            return bootstrap ? std::optional{bootstrap->share_at_most(limit_ms)} : std::nullopt;
        };
        for (std::size_t i = 0; i < made.continuity.size(); ++i) {
            made.continuity[i] =
                share(summary::continuity_limits_ms[i], [](const request_values& each) { return to_ms(each.underruns.longest); });
        }
        made.continuity_vllm_omni = share(100, [](const request_values& each) { return each[figure::prebuffer].value_or(0); });
    }

    const auto& first_audio = made[figure::first_audio];
    const auto& rtf = made[figure::rtf];
    made.structural = made.failed > 0 ? verdict::fail : verdict::pass;
    const bool in_time = first_audio.p95 && first_audio.p95->value <= limits.first_audio_p95_ms && rtf.max && *rtf.max <= limits.rtf_max;
    made.timing = made.failed == 0 && in_time && made.underruns.count == 0 ? verdict::pass : verdict::fail;
    made.combined = combine({made.structural, made.timing, made.quality});
    return made;
}

}  // namespace playhead::measure
