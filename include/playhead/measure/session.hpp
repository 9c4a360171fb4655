#pragma once
// session: a benchmark: warm-up requests, then rounds over fixtures, one request at a time.
//
//     measure::session run{clock, transport, sink, memory};
//     const auto summary = run.measure(fixtures, {.rounds = 3, .warmup = 1});
//
// Each round sends every fixture once, with the round's seed. Warm-up requests say something else and count in nothing. A failing request
// is a row with its error, and the run goes on. All memory is the caller's: workspace_size() bytes.
#include "../core/clock.hpp"
#include "../core/result.hpp"
#include "../core/sink.hpp"
#include "../core/transport.hpp"
#include "../core/workspace.hpp"
#include "../stats/percentile.hpp"
#include "../wire/speech_request.hpp"
#include "metrics.hpp"
#include "request_recorder.hpp"
#include "round_seed.hpp"
#include "warmup_text.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace playhead::measure {

// Something to say.
struct fixture {
    std::string_view id{};
    std::string_view text{};
    std::span<const std::byte> reference_audio{};  // empty: none
    std::string_view reference_text{};
};

struct session_options {
    std::uint32_t rounds = 3;      // at least 1
    std::int64_t first_round = 0;  // index of the first, 0 or more
    std::uint32_t warmup = 1;
    std::int64_t seed_base = 0;
    std::string_view model = "tts";
    pcm_format format{};
    std::string_view settings = "{}";  // as wire::check_settings wants them
    wire::speech_protocol protocol = wire::speech_protocol::ndjson;
    std::string_view path = "/v1/audio/speech";  // wire::speech_path(base)
    service_limits limits{};
    stats::resampling resampling{};
    std::size_t effective_characters = 4096;  // room for a response's effective settings
};

// The events that a session's sink gets, beside pcm_piece, pcm_drop and chunk_arrival (request_recorder.hpp), in the order in which
// they happen. After flow::stop to one of those three, the row of that request is the last event; after any other, none follows.
struct request_begin {
    std::size_t fixture;  // its place among the fixtures
    std::int64_t round;   // -1, -2, ... for warm-up requests
    std::uint32_t seed;
    bool is_warmup;
};
struct request_row {
    request_begin request;
    const request_figures& figures;  // ends with the call
};
struct round_begin {
    std::int64_t index;
    std::uint32_t seed;
};
struct round_end {
    std::int64_t index;
    std::uint32_t seed;
    std::size_t requests;
    std::size_t failed;
    std::optional<double> complete_audio_ms;  // mean over the requests that are right
    std::optional<double> first_audio_p95_ms;
    std::optional<double> rtf;  // mean
};

template <typename S>
concept session_sink = sink<S, request_begin, pcm_piece, pcm_drop, chunk_arrival, request_row, round_begin, round_end, summary>;

template <monotonic_clock Clock, session_sink Sink, transport_to<request_recorder<Clock, Sink>> Transport>
class session {
public:
    // Everything is used as long as the session lives.
    session(const Clock& clock, Transport& transport, Sink& sink, std::span<std::byte> memory) noexcept
        : clock_{clock}, transport_{transport}, sink_{sink}, memory_{memory} {}

    // The bytes that measure() needs.
    [[nodiscard]] static constexpr std::size_t workspace_size(std::span<const fixture> fixtures, const session_options& options) noexcept;

    // Runs the benchmark.
    //   errors  no_values     no fixture, or no round
    //           out_of_range  a format, round or resamples out of range
    //           bad_json ...  settings; see wire::check_settings
    //           too_large     the memory; place: the bytes needed
    //           stopped       the sink asked for it
    [[nodiscard]] result<summary> measure(std::span<const fixture> fixtures, const session_options& options) noexcept;

private:
    [[nodiscard]] static constexpr wire::speech_request request_for(const fixture& what, const session_options& options,
                                                                    std::uint32_t seed) noexcept;
    [[nodiscard]] static result<void> check(std::span<const fixture> fixtures, const session_options& options) noexcept;
    [[nodiscard]] result<request_values> perform(const wire::speech_request& wanted, const request_begin& begin,
                                                 const session_options& options) noexcept;
    [[nodiscard]] round_end end_of_round(std::span<const request_values> rows, const round_begin& round) noexcept;

    const Clock& clock_;
    Transport& transport_;
    Sink& sink_;
    std::span<std::byte> memory_;
    std::span<char> body_{};
    std::span<char> effective_{};
    std::span<double> scratch_{};  // one a fixture
};

// ---- how it works -------------------------------------------------------------------------------

template <monotonic_clock Clock, session_sink Sink, transport_to<request_recorder<Clock, Sink>> Transport>
constexpr wire::speech_request session<Clock, Sink, Transport>::request_for(const fixture& what, const session_options& options,
                                                                            std::uint32_t seed) noexcept {
    return {.model = options.model,
            .input_prefix = {},
            .input = what.text,
            .seed = seed,
            .format = options.format,
            .settings = options.settings,
            .reference_audio = what.reference_audio,
            .reference_text = what.reference_text};
}

namespace detail {

[[nodiscard]] constexpr std::size_t longest_body(std::size_t longest, const wire::speech_request& request) noexcept {
    // A warm-up's prefix is plain text: a character of JSON each.
    return std::max(longest, wire::characters_needed_for(request) + 96);
}

}  // namespace detail

template <monotonic_clock Clock, session_sink Sink, transport_to<request_recorder<Clock, Sink>> Transport>
constexpr std::size_t session<Clock, Sink, Transport>::workspace_size(std::span<const fixture> fixtures,
                                                                      const session_options& options) noexcept {
    std::size_t body = 0;
    for (const fixture& each : fixtures) body = detail::longest_body(body, request_for(each, options, UINT32_MAX));
    const std::size_t requests = fixtures.size() * options.rounds;
    return body + options.effective_characters + bytes_needed_for<double>(fixtures.size()) + bytes_needed_for<request_values>(requests) +
           bytes_needed_for_summary(requests, options.rounds, options.resampling);
}

template <monotonic_clock Clock, session_sink Sink, transport_to<request_recorder<Clock, Sink>> Transport>
result<void> session<Clock, Sink, Transport>::check(std::span<const fixture> fixtures, const session_options& options) noexcept {
    if (fixtures.empty() || options.rounds == 0) return error{error_code::no_values};
    const bool rounds_are_numbers = options.first_round >= 0 && options.first_round <= INT64_MAX - std::int64_t{options.rounds};
    if (!options.format.is_supported() || !rounds_are_numbers || options.resampling.resamples == 0) return error{error_code::out_of_range};
    return wire::check_settings(options.settings);
}

template <monotonic_clock Clock, session_sink Sink, transport_to<request_recorder<Clock, Sink>> Transport>
result<request_values> session<Clock, Sink, Transport>::perform(const wire::speech_request& wanted, const request_begin& begin,
                                                                const session_options& options) noexcept {
    // The request is whole before its time begins.
    const auto written = wire::write_speech_request(wanted, body_);
    if (!written) return written.error();
    const http_request request{.path = options.path,
                               .content_type = "application/json",
                               .accept = wire::accept(options.protocol),
                               .body = std::as_bytes(body_.first(*written))};
    if (sink_.on(begin) == flow::stop) return error{error_code::stopped};
    request_recorder<Clock, Sink> recorder{clock_, sink_, options.protocol, {options.format, options.settings}, effective_};
    recorder.start();
    const request_figures& heard = recorder.finish(transport_.perform(request, recorder));
    if (sink_.on(request_row{begin, heard}) == flow::stop || recorder.stopped_by_sink()) return error{error_code::stopped};
    return values_of(heard, begin.round);
}

template <monotonic_clock Clock, session_sink Sink, transport_to<request_recorder<Clock, Sink>> Transport>
round_end session<Clock, Sink, Transport>::end_of_round(std::span<const request_values> rows, const round_begin& round) noexcept {
    round_end end{round.index, round.seed, rows.size(), 0, {}, {}, {}};
    double complete = 0, rtf = 0;
    std::size_t right = 0;
    for (const request_values& row : rows) {
        if (!row.ok) continue;
        complete += row[figure::complete_audio].value_or(0);
        rtf += row[figure::rtf].value_or(0);
        scratch_[right++] = row[figure::first_audio].value_or(0);
    }
    end.failed = rows.size() - right;
    if (right > 0) {
        end.complete_audio_ms = complete / static_cast<double>(right);
        end.rtf = rtf / static_cast<double>(right);
        end.first_audio_p95_ms = *stats::percentile(scratch_.first(right), 95);
    }
    return end;
}

template <monotonic_clock Clock, session_sink Sink, transport_to<request_recorder<Clock, Sink>> Transport>
result<summary> session<Clock, Sink, Transport>::measure(std::span<const fixture> fixtures, const session_options& options) noexcept {
    if (const auto checked = check(fixtures, options); !checked) return checked.error();
    if (const std::size_t needed = workspace_size(fixtures, options); memory_.size() < needed) return error{error_code::too_large, needed};
    workspace space{memory_};
    std::size_t body = 0;
    for (const fixture& each : fixtures) body = detail::longest_body(body, request_for(each, options, UINT32_MAX));
    body_ = space.take<char>(body);
    effective_ = space.take<char>(options.effective_characters);
    scratch_ = space.take<double>(fixtures.size());
    const auto rows = space.take<request_values>(fixtures.size() * options.rounds);

    for (std::uint32_t i = 0; i < options.warmup; ++i) {
        const std::size_t which = i % fixtures.size();
        const std::int64_t round = -std::int64_t{i} - 1;
        auto wanted = request_for(fixtures[which], options, round_seed(options.seed_base, round));
        const auto prefix = warmup_prefix_for(i, [&](std::string_view first) {
            for (const fixture& each : fixtures) {
                if (begins_with(first, wanted.input, each.text)) return true;
            }
            return false;
        });
        wanted.input_prefix = prefix.view();
        if (const auto done = perform(wanted, {which, round, wanted.seed, true}, options); !done) return done.error();
    }

    std::size_t done = 0;
    for (std::uint32_t i = 0; i < options.rounds; ++i) {
        const std::int64_t index = options.first_round + i;
        const round_begin round{index, round_seed(options.seed_base, index)};
        if (sink_.on(round) == flow::stop) return error{error_code::stopped};
        for (std::size_t which = 0; which < fixtures.size(); ++which) {
            const auto values = perform(request_for(fixtures[which], options, round.seed), {which, index, round.seed, false}, options);
            if (!values) return values.error();
            rows[done++] = *values;
        }
        if (sink_.on(end_of_round(rows.subspan(done - fixtures.size(), fixtures.size()), round)) == flow::stop) {
            return error{error_code::stopped};
        }
    }
    const auto made = summarise(rows.first(done), options.limits, options.resampling, space.rest());
    if (made && sink_.on(*made) == flow::stop) return error{error_code::stopped};
    return made;
}

}  // namespace playhead::measure
