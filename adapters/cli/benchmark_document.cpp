#include "benchmark_document.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <chrono>

namespace playhead::cli {

namespace {

using measure::figure;
using nlohmann::ordered_json;

ordered_json pair_of(const stats::interval& interval) { return ordered_json::array({interval.low, interval.high}); }

ordered_json seed_interval(const std::optional<stats::bootstrap_estimate>& estimate) {
    return estimate ? pair_of(estimate->percentile_interval) : ordered_json::array({nullptr, nullptr});
}

ordered_json calibrated_interval(const std::optional<stats::bootstrap_estimate>& estimate) {
    return estimate && estimate->calibrated ? pair_of(*estimate->calibrated) : ordered_json::array({nullptr, nullptr});
}

ordered_json value_of(const std::optional<stats::bootstrap_estimate>& estimate) {
    return estimate ? ordered_json(estimate->value) : ordered_json(nullptr);
}

ordered_json per_request(const measure::summary& summary) {
    ordered_json table = ordered_json::object();
    for (std::size_t f = 0; f < measure::figure_count; ++f) {
        const auto& of = summary.figures[f];
        table[std::string{name(static_cast<figure>(f))}] = {{"n", of.n},
                                                            {"median", value_of(of.median)},
                                                            {"p95", value_of(of.p95)},
                                                            {"max", of.max ? ordered_json(*of.max) : ordered_json(nullptr)},
                                                            {"ci95_median", seed_interval(of.median)},
                                                            {"ci95_p95", seed_interval(of.p95)},
                                                            {"calibrated95_median", calibrated_interval(of.median)},
                                                            {"calibrated95_p95", calibrated_interval(of.p95)}};
    }
    return table;
}

ordered_json share(const std::optional<stats::bootstrap_estimate>& estimate) {
    if (!estimate) return nullptr;
    return {{"share", estimate->value}, {"ci95", pair_of(estimate->percentile_interval)}};
}

ordered_json continuity(const measure::summary& summary) {
    ordered_json made{{"n", summary.delivered(playback::delivery::streamed)}};
    for (std::size_t i = 0; i < summary.continuity.size(); ++i) {
        made[fmt::format("C{}", measure::summary::continuity_limits_ms[i])] = share(summary.continuity[i]);
    }
    made["vllm_omni_deficit_100_ms"] = share(summary.continuity_vllm_omni);
    return made;
}

ordered_json metrics(const measure::summary& summary) {
    ordered_json list = ordered_json::array();
    for (std::size_t f = 0; f < measure::figure_count; ++f) {
        const auto which = static_cast<figure>(f);
        const auto& of = summary.figures[f];
        for (const auto& [statistic, estimate] : {std::pair{"median", &of.median}, std::pair{"p95", &of.p95}}) {
            list.push_back({{"name", std::string{name(which)}},
                            {"value", value_of(*estimate)},
                            {"unit", std::string{unit(which)}},
                            {"statistic", statistic},
                            {"n", of.n},
                            {"ci95", seed_interval(*estimate)},
                            {"calibrated95", calibrated_interval(*estimate)}});
        }
    }
    return list;
}

const ordered_json& claim_classes() {
    static const ordered_json classes{{"first_pcm_ms", "observed (client clock)"},
                                      {"first_signal_ms", "observed (client clock, arrival of the chunk with the first non-zero sample)"},
                                      {"complete_audio_ms", "observed (client clock)"},
                                      {"max_stream_gap_ms", "observed (client clock)"},
                                      {"first_audio_ms", "derived (simulated playback of the PCM, not measured on an audio device)"},
                                      {"rtf", "derived (complete_audio_ms by the decoded PCM's duration)"},
                                      {"underruns", "derived (simulated playback of the PCM)"},
                                      {"gapless_start_ms", "derived (simulated playback of the PCM)"},
                                      {"prebuffer_ms", "derived (simulated playback of the PCM)"},
                                      {"audio_duration_s", "derived (frames by the declared rate)"}};
    return classes;
}

const ordered_json& definitions() {
    static const ordered_json texts{
        {"first_pcm_ms", "Arrival of the first non-empty PCM chunk, silence included."},
        {"first_signal_ms", "Arrival of the first chunk that holds a non-zero sample."},
        {"first_audio_ms",
         "When a listener hears the first non-zero sample if playback starts with the first chunk and no buffer; leading zero samples and "
         "stalls count."},
        {"complete_audio_ms", "The whole HTTP body was consumed."},
        {"rtf", "complete_audio_ms by the duration of the decoded PCM; lower is faster."},
        {"max_stream_gap_ms", "The longest time between the arrivals of consecutive chunks; null with fewer than two."},
        {"underruns", "How often a chunk came after the one before had played out, for a player that starts with the first chunk."},
        {"underrun_ms", "The length of those stalls together."},
        {"gapless_start_ms", "The earliest start of playback that never stalls: the latest of (arrival - audio before it)."},
        {"prebuffer_ms", "gapless_start_ms less first_pcm_ms: how long a player must wait after the first chunk to play without a stall."},
        {"sample_count", "Frames of a whole and right response; null for a failed one."},
        {"received_pcm_frames", "Frames decoded, also of failed responses; for diagnosis only."},
        {"delivery",
         "streamed; burst: several chunks, all within 1 ms or 1 % of the audio's duration; single: one chunk. The last two are no "
         "streams."},
        {"continuity", "C50, C100, C200: share of streamed requests whose longest underrun is at most so many ms."},
        {"percentile", "Linear interpolation between order statistics (Hyndman and Fan, type 7)."},
        {"ci95", "Rounds drawn with replacement, their requests pooled; the 2.5 % and 97.5 % points of the bootstrap distribution."},
        {"calibrated95",
         "Student's t with rounds - 1 degrees of freedom times the bootstrap's standard error times sqrt(R / (R - 1)), on the "
         "log scale for positive figures."}};
    return texts;
}

std::vector<std::string> standing_limitations() {
    return {"Structural checks of the PCM establish neither intelligibility nor completeness of the speech, speaker likeness or quality.",
            "unseen is an attestation of the fixtures; hashes bind the inputs but do not prove that the server has never seen them.",
            "All rounds share one server process: screening only; a comparison needs fresh processes, interleaved.",
            "Arrival includes the server's buffering, HTTP framing and the network; a server that does not flush each event looks late.",
            "Signal means a non-zero sample, not speech; silence is exact zero.",
            "Effective settings are what the server says of itself. The sample rate and channels are as declared.",
            "Texts repeat over rounds with another seed each; a server may have cached what depends on the text alone.",
            "Memory, swap and growth over time are NOT RUN."};
}

std::string created_now() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

}  // namespace

std::vector<std::string> run_limitations(const benchmark_config& config, const benchmark_outcome& outcome) {
    std::vector<std::string> list;
    bool warm = !outcome.warmups.empty();
    for (const auto& each : outcome.warmups) warm = warm && each.error.empty();
    if (!warm) list.emplace_back("Warm-up absent or failed: the figures may include the server's initialisation.");
    if (outcome.rounds.size() < 3) {
        list.emplace_back("Fewer than three rounds: the intervals are no evidence, for nothing shows how rounds differ.");
    }
    if (!config.save_outputs) list.emplace_back("PCM was not kept: hashes alone cannot be listened to later.");
    if (outcome.later_chunks > 0 && 2 * outcome.clumped_chunks > outcome.later_chunks) {
        list.push_back(
            fmt::format("{} of {} chunks came within 1 ms of the one before: something between server and client buffers the stream.",
                        outcome.clumped_chunks, outcome.later_chunks));
    }
    return list;
}

ordered_json benchmark_data(const benchmark_config& config, const posix::fixture_set& fixtures, const benchmark_outcome& outcome) {
    const auto& summary = outcome.summary;
    ordered_json identities = ordered_json::array();
    for (const auto& each : fixtures.fixtures) {
        identities.push_back(
            {{"id", each.id},
             {"text_sha256", each.text_sha256},
             {"reference_sha256", each.reference_sha256 ? ordered_json(*each.reference_sha256) : ordered_json(nullptr)},
             {"reference_text_sha256", each.reference_text_sha256 ? ordered_json(*each.reference_text_sha256) : ordered_json(nullptr)},
             {"declared_unseen", each.declared_unseen}});
    }
    ordered_json warmups = ordered_json::array();
    for (const auto& each : outcome.warmups) {
        warmups.push_back({{"ok", each.error.empty()},
                           {"error", each.error.empty() ? ordered_json(nullptr) : ordered_json(each.error)},
                           {"first_audio_ms", each.first_audio_ms ? ordered_json(*each.first_audio_ms) : ordered_json(nullptr)},
                           {"complete_audio_ms", each.complete_audio_ms ? ordered_json(*each.complete_audio_ms) : ordered_json(nullptr)}});
    }
    ordered_json violations = ordered_json::array();
    for (const auto& row : outcome.rows) {
        if (!row["ok"]) violations.push_back(row["error"]);
    }
    const auto delivered = [&](playback::delivery how) { return summary.delivered(how); };
    const auto& interval = summary[figure::complete_audio].median;
    return {{"source", "bench audio"},
            {"timer", "client std::chrono::steady_clock"},
            {"label", config.label},
            {"endpoint_kind", "audio_http"},
            {"base_url_kind", config.endpoint_is_local ? "local" : "remote"},
            {"protocol", std::string{name(wire::speech_protocol::ndjson)}},
            {"fixture_set", {{"sha256", fixtures.sha256}, {"fixtures", identities}}},
            {"rounds", outcome.rounds},
            {"warmup", {{"excluded", true}, {"requests", warmups}}},
            {"per_request", per_request(summary)},
            {"failed_requests", summary.failed},
            {"total_requests", summary.requests},
            {"underruns",
             {{"requests", summary.requests_with_underruns},
              {"count", summary.underruns.count},
              {"total_ms", to_ms(summary.underruns.length)},
              {"longest_ms", to_ms(summary.underruns.longest)}}},
            {"continuity", continuity(summary)},
            {"delivery",
             {{"streamed", delivered(playback::delivery::streamed)},
              {"burst", delivered(playback::delivery::burst)},
              {"single", delivered(playback::delivery::single)}}},
            {"clumped_chunks", {{"within_1_ms", outcome.clumped_chunks}, {"of", outcome.later_chunks}}},
            {"structural_verdict", std::string{name(summary.structural)}},
            {"timing_verdict", std::string{name(summary.timing)}},
            {"quality_verdict", std::string{name(summary.quality)}},
            {"verdict", std::string{name(summary.combined)}},
            {"claim_validity",
             {{"valid", summary.failed == 0},
              {"checked",
               {"PCM metadata", "aligned, non-empty chunks", "terminal final event", "sample count", "non-zero signal",
                "effective settings (self-reported)"}},
              {"violations", violations}}},
            {"slo", {{"first_audio_p95_ms", config.limits.first_audio_p95_ms}, {"rtf_max", config.limits.rtf_max}, {"max_underruns", 0}}},
            {"memory", {{"verdict", "NOT RUN"}, {"source", "needs instruments outside of this program"}}},
            {"metric_claim_classes", claim_classes()},
            {"definitions", definitions()},
            {"intervals",
             {{"resampled", "rounds"},
              {"method", interval && interval->exact ? "every multiset of rounds, exactly" : "Monte Carlo draws (Philox4x32-10)"},
              {"resamples", interval && interval->exact ? ordered_json(nullptr) : ordered_json(config.resamples)},
              {"seed", interval && interval->exact ? ordered_json(nullptr) : ordered_json(0)}}},
            {"audio_config",
             {{"sample_rate", config.format.sample_rate},
              {"channels", config.format.channels},
              {"settings", ordered_json::parse(config.settings)},
              {"seed_base", config.seed_base},
              {"save_outputs", config.save_outputs ? "all" : "hash_only"}}}};
}

ordered_json benchmark_document(const benchmark_config& config, const posix::fixture_set& fixtures, const benchmark_outcome& outcome) {
    const auto& summary = outcome.summary;
    auto limitations = standing_limitations();
    for (auto& each : run_limitations(config, outcome)) limitations.push_back(std::move(each));
    return {{"kind", "audio_benchmark"},
            {"claim_class", "observed"},
            {"summary", fmt::format("{}: {} speech requests, {} structural failures; quality UNPROVEN; {}", config.label, summary.requests,
                                    summary.failed, name(summary.combined))},
            {"created", created_now()},
            {"tool", {{"name", "playhead"}, {"version", PLAYHEAD_VERSION}}},
            {"request",
             {{"operation", "bench_audio"},
              {"args",
               {{"model", config.model},
                {"fixtures", config.fixtures_path},
                {"label", config.label},
                {"rounds", config.rounds},
                {"first_round", config.first_round},
                {"warmup", config.warmup},
                {"seed_base", config.seed_base},
                {"sample_rate", config.format.sample_rate},
                {"channels", config.format.channels},
                {"settings", ordered_json::parse(config.settings)},
                {"timeout_s", config.timeout_s},
                {"resamples", config.resamples},
                {"save_outputs", config.save_outputs ? "all" : "hash_only"},
                {"slo_first_audio_p95_ms", config.limits.first_audio_p95_ms},
                {"slo_rtf", config.limits.rtf_max}}}}},
            {"metrics", metrics(summary)},
            {"missing", {"audio quality reference proof", "external memory telemetry"}},
            {"limitations", limitations},
            {"data", benchmark_data(config, fixtures, outcome)}};
}

}  // namespace playhead::cli
