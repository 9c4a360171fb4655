#include "benchmark_sink.hpp"

#include "posix/secrets.hpp"

#include <playhead/hash/sha256.hpp>

#include <fmt/format.h>

#include <utility>

namespace playhead::cli {

namespace {

using nlohmann::ordered_json;

template <typename T>
ordered_json or_null(const std::optional<T>& value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json ms_or_null(const std::optional<nanoseconds>& time) { return time ? ordered_json(to_ms(*time)) : ordered_json(nullptr); }

double unix_seconds(std::chrono::system_clock::time_point at) {
    return static_cast<double>(std::chrono::duration_cast<std::chrono::microseconds>(at.time_since_epoch()).count()) / 1e6;
}

}  // namespace

std::string json_text(const ordered_json& document, int indent) {
    return document.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

std::string error_text(const error& what) {
    std::string text = fmt::format("{}: {}", name(what.code), message(what.code));
    if (!place_in(what.code).empty()) text += fmt::format(" ({} {})", place_in(what.code), what.place);
    return text;
}

benchmark_sink::benchmark_sink(const benchmark_config& config, const posix::fixture_set& fixtures, const posix::run_directory* directory,
                               benchmark_outcome& outcome)
    : config_{config},
      fixtures_{fixtures},
      directory_{directory},
      outcome_{outcome},
      progress_{config.warmup + std::size_t{config.rounds} * fixtures.fixtures.size()} {}

void benchmark_sink::take(const measure::request_begin& begin) {
    pcm_.clear();
    pcm_certain_ = 0;
    keeps_pcm_ = directory_ != nullptr && config_.save_outputs && !begin.is_warmup;
    chunks_.clear();
    progress_.show(done_, begin.is_warmup ? "warm-up" : fmt::format("round {}, {}", begin.round, fixtures_.fixtures[begin.fixture].id));
}

void benchmark_sink::take(const measure::pcm_piece& piece) {
    if (keeps_pcm_) pcm_.insert(pcm_.end(), piece.bytes.begin(), piece.bytes.end());
}

void benchmark_sink::take(const measure::pcm_drop&) { pcm_.resize(pcm_certain_); }

void benchmark_sink::take(const measure::chunk_arrival& chunk) {
    pcm_certain_ = pcm_.size();
    chunks_.push_back({{"arrival_ms", to_ms(chunk.arrival)}, {"sample_count", chunk.frames}});
}

void benchmark_sink::take(const measure::request_row& row) {
    ++done_;
    const auto& heard = row.figures;
    const auto& listener = heard.heard;
    const bool ok = heard.ok();
    if (row.request.is_warmup) {
        outcome_.warmups.push_back({ok ? "" : error_text(*heard.failure),
                                    ok && listener.first_audio() ? std::optional{to_ms(*listener.first_audio())} : std::nullopt,
                                    ok ? std::optional{to_ms(heard.ended)} : std::nullopt});
        return;
    }
    const posix::speech_fixture& fixture = fixtures_.fixtures[row.request.fixture];
    const auto hex = hash::to_hex(heard.pcm_sha256);
    const std::string sha256{hex.data(), hex.size()};
    const auto if_ok = [&](auto value) { return ok ? ordered_json(value) : ordered_json(nullptr); };
    const auto ms_if_ok = [&](const std::optional<nanoseconds>& time) { return ok ? ms_or_null(time) : ordered_json(nullptr); };
    const double audio_ms = to_ms(listener.audio());
    const auto stamp = [&](nanoseconds since_start) { return (heard.started + since_start).count(); };

    ordered_json made{
        {"id", fixture.id},
        {"text_sha256", fixture.text_sha256},
        {"reference_sha256", or_null(fixture.reference_sha256)},
        {"reference_text_sha256", or_null(fixture.reference_text_sha256)},
        {"declared_unseen", fixture.declared_unseen},
        {"round", row.request.round},
        {"seed", row.request.seed},
        {"ok", ok},
        {"error", ok ? ordered_json(nullptr) : ordered_json(error_text(*heard.failure))},
        {"status", heard.status != 0 ? ordered_json(heard.status) : ordered_json(nullptr)},
        {"t_send_ns", stamp(nanoseconds::zero())},
        {"t_done_ns", heard.final ? ordered_json(stamp(*heard.final)) : ordered_json(nullptr)},
        {"t_end_ns", stamp(heard.ended)},
        {"first_pcm_ms", ms_or_null(listener.first_pcm())},
        {"first_signal_ms", ms_or_null(listener.first_signal())},
        {"first_audio_ms", ms_if_ok(listener.first_audio())},
        {"complete_audio_ms", if_ok(to_ms(heard.ended))},
        {"audio_duration_s", if_ok(audio_ms / 1000)},
        {"rtf", if_ok(to_ms(heard.ended) / audio_ms)},
        {"leading_silence_ms", if_ok(to_ms(frames_to_time(heard.leading_silent_frames, config_.format.sample_rate)))},
        {"sample_rate", config_.format.sample_rate},
        {"channels", config_.format.channels},
        {"sample_count", if_ok(listener.frames())},
        {"received_pcm_frames", listener.frames()},
        {"pcm_bytes", if_ok(listener.frames() * config_.format.bytes_per_frame())},
        {"pcm_sha256", if_ok(sha256)},
        {"effective", heard.effective.empty() ? ordered_json(nullptr) : ordered_json::parse(heard.effective)},
        {"chunks", std::exchange(chunks_, ordered_json::array())},
        {"underruns", if_ok(listener.underruns().count)},
        {"underrun_ms", if_ok(to_ms(listener.underruns().length))},
        {"max_stream_gap_ms", ms_if_ok(listener.longest_gap())},
        {"max_underrun_ms", if_ok(to_ms(listener.underruns().longest))},
        {"gapless_start_ms", ms_if_ok(listener.gapless_start())},
        {"prebuffer_ms", ms_if_ok(listener.prebuffer())},
        {"delivery", if_ok(std::string{name(listener.delivery())})},
        {"protocol", std::string{name(wire::speech_protocol::ndjson)}},
        {"header_ms", ms_or_null(heard.head)},
        {"connection_reused", heard.connection ? ordered_json(heard.connection->reused) : ordered_json(nullptr)},
        {"name_lookup_ms", heard.connection ? ordered_json(to_ms(heard.connection->name_lookup)) : ordered_json(nullptr)},
        {"connect_ms", heard.connection ? ordered_json(to_ms(heard.connection->connected)) : ordered_json(nullptr)},
        {"tls_ms", heard.connection ? ordered_json(to_ms(heard.connection->secured)) : ordered_json(nullptr)},
        {"body_bytes", heard.body_bytes},
        {"clumped_chunks", heard.clumped_chunks},
        {"server_message",
         heard.server_message.empty() ? ordered_json(nullptr) : ordered_json(posix::redacted(heard.server_message, config_.api_key))}};
    if (ok) {
        outcome_.clumped_chunks += heard.clumped_chunks;
        outcome_.later_chunks += listener.chunks() - 1;
        if (keeps_pcm_) keep_pcm(row, sha256);
    }
    outcome_.rows.push_back(std::move(made));
    progress_.show(done_, "");
}

void benchmark_sink::keep_pcm(const measure::request_row& row, const std::string& sha256) {
    const std::string path =
        fmt::format("outputs/{}/r{}/{}.pcm", config_.label, row.request.round, fixtures_.fixtures[row.request.fixture].id);
    directory_->write(path, std::span<const std::byte>{pcm_});
    outcome_.outputs.push_back({{"path", path},
                                {"sha256", sha256},
                                {"bytes", pcm_.size()},
                                {"sample_rate", config_.format.sample_rate},
                                {"channels", config_.format.channels},
                                {"encoding", std::string{name(config_.format.encoding)}}});
}

void benchmark_sink::take(const measure::round_begin&) { round_began_ = std::chrono::system_clock::now(); }

void benchmark_sink::take(const measure::round_end& round) {
    outcome_.rounds.push_back({{"index", round.index},
                               {"t_start", unix_seconds(round_began_)},
                               {"t_end", unix_seconds(std::chrono::system_clock::now())},
                               {"seed", round.seed},
                               {"n_failed", round.failed},
                               {"audio_ms", or_null(round.complete_audio_ms)},
                               {"first_audio_p95_ms", or_null(round.first_audio_p95_ms)},
                               {"rtf", or_null(round.rtf)}});
    if (directory_ == nullptr) return;
    // What is done is kept, whatever becomes of the next round.
    std::string rows;
    for (const auto& row : outcome_.rows) rows += json_text(row) + "\n";
    directory_->write("requests.jsonl", rows);
    directory_->write("outputs/" + config_.label + "/index.json", json_text(outcome_.outputs, 2) + "\n");
}

void benchmark_sink::take(const measure::summary& summary) {
    outcome_.summary = summary;
    progress_.clear();
}

}  // namespace playhead::cli
