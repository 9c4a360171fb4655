// Every public template, instantiated with the least types that its concept allows. Compiled for a Cortex-M4, where the object may ask
// for nothing but arithmetic. Functions are named, so that each stays in the object.
#include "../archetypes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace playhead::test {

// ---- core ---------------------------------------------------------------------------------------

static_assert(monotonic_clock<least_clock> && monotonic_clock<manual_clock>);
static_assert(response_receiver<least_receiver> && response_receiver<null_receiver>);
static_assert(transport<least_transport> && transport_to<least_transport, least_receiver>);
static_assert(sink_for<least_sink, measure::summary> && sink<least_sink, measure::pcm_piece, measure::pcm_drop>);
static_assert(sink<null_sink, int, double> && measure::session_sink<least_sink>);
static_assert(wire::json_handler<least_json_handler> && wire::ndjson_handler<least_ndjson_handler>);
static_assert(wire::pcm_receiver<least_pcm_receiver>);

result<int> decode(std::span<const std::byte> bytes) {
    if (bytes.empty()) return error{error_code::truncated};
    return static_cast<int>(bytes.size());
}

result<int> use_result(std::span<const std::byte> bytes) {
    const auto frame = decode(bytes);
    if (!frame) return frame.error();
    return *frame + frame.value_or(0) + frame.value();
}

result<void> use_result_of_nothing(bool good) {
    const result<void> done = good ? result<void>{} : result<void>{error{error_code::stopped}};
    return done.has_value() ? done : result<void>{done.error()};
}

nanoseconds use_clock(const std::int32_t& milliseconds) {
    const least_clock clock{milliseconds};
    return time_between(clock.now(), clock.now());
}

double* use_workspace(std::span<std::byte> memory) {
    workspace space{memory};
    return memory.size() < bytes_needed_for<double>(2) ? nullptr : space.take<double>(2).data();
}

flow use_null_sink() { return null_sink{}.on(1); }

result<void> use_transport(std::string_view body) {
    least_transport wire{body};
    least_receiver receiver{flow::go_on};
    return wire.perform(http_request{}, receiver);
}

// ---- hash, stats, playback ----------------------------------------------------------------------

char use_sha256(std::string_view text) { return hash::to_hex(hash::sha256_of(text)).front(); }

result<double> use_percentile(std::span<double> values) { return stats::percentile(values, 95, stats::percentile_method::nearest_rank); }

std::uint64_t use_resamples(std::span<std::uint32_t> weights) {
    std::uint64_t sum = 0;
    stats::for_each_resample(
        weights, {}, [&](std::span<const std::uint32_t> resample, std::uint64_t multiplicity) { sum += resample.front() * multiplicity; });
    return sum;
}

result<stats::bootstrap_estimate> use_bootstrap(std::span<const double> values, std::span<const std::int64_t> round_of,
                                                std::span<std::byte> memory) {
    const auto bootstrap = stats::cluster_bootstrap::prepare(values, round_of, memory);
    if (!bootstrap) return bootstrap.error();
    if (bootstrap->share_at_most(100).value > 0.5) return bootstrap->percentile(95);
    return bootstrap->share_at_most(200);
}

std::int64_t use_timeline(nanoseconds arrival, std::uint64_t frames) {
    playback::timeline listener{24'000};
    listener.on_chunk(arrival, frames, 3);
    const auto start = listener.gapless_start();
    return start ? start->count() + static_cast<std::int64_t>(listener.underruns().count) : 0;
}

// ---- wire ---------------------------------------------------------------------------------------

bool use_bounded_text(std::string_view text) {
    wire::bounded_text<8> some{};
    some.append(text);
    return some.is("eight");
}

std::size_t use_json_string(std::string_view text) {
    wire::json_string_reader reader{};
    std::size_t at = 0, size = 0;
    const auto end = reader.read(text, at, [&](std::string_view piece, bool) { size += piece.size(); });
    return end == wire::json_string_reader::progress::ended ? size : 0;
}

bool use_json_tokenizer(std::string_view text) {
    std::size_t tokens = 0;
    least_json_handler handler{tokens};
    wire::json_tokenizer reader{};
    return reader.feed(text, handler) && reader.finish(handler);
}

result<void> use_ndjson(std::string_view text) {
    std::size_t tokens = 0, lines = 0;
    least_ndjson_handler handler{tokens, lines};
    wire::ndjson_reader reader{};
    if (const auto fed = reader.feed(text, handler); !fed) return fed;
    return reader.finish(handler);
}

bool use_json_value(std::string_view a, std::string_view b) { return wire::check_json(a) && wire::check_json(b) && wire::json_equal(a, b); }

result<void> use_speech_decoder(std::span<const std::byte> body, std::span<char> space) {
    std::uint64_t frames = 0;
    least_pcm_receiver receiver{frames};
    wire::speech_decoder decoder{{.format = {}, .settings = "{}"}, space};
    if (const auto fed = decoder.feed(body, receiver); !fed) return fed;
    return decoder.finish(true, receiver);
}

result<std::size_t> use_speech_request(std::span<char> out) { return wire::write_speech_request({.model = "m", .input = "Hello."}, out); }

// ---- measure ------------------------------------------------------------------------------------

result<measure::summary> use_session(const std::int32_t& milliseconds, std::string_view body, std::span<std::byte> memory) {
    const least_clock clock{milliseconds};
    least_transport transport{body};
    least_sink sink{flow::go_on};
    const std::array fixtures{measure::fixture{.id = "a", .text = "Hello."}};
    measure::session run{clock, transport, sink, memory};
    if (memory.size() < run.workspace_size(fixtures, {.rounds = 3, .warmup = 1})) return error{error_code::too_large};
    const auto summary = run.measure(fixtures, {.rounds = 3, .warmup = 1});
    return summary;
}

bool use_request_recorder(const std::int32_t& milliseconds, std::string_view body, std::span<char> space) {
    const least_clock clock{milliseconds};
    least_transport transport{body};
    least_sink sink{flow::go_on};
    measure::request_recorder recorder{clock, sink, wire::speech_protocol::ndjson, {}, space};
    return recorder.finish(transport.perform(http_request{}, recorder)).ok();
}

std::size_t use_warmup_prefix(std::uint64_t number) {
    return measure::warmup_prefix_for(number, [](std::string_view) { return false; }).view().size();
}

std::uint32_t use_round_seed(std::int64_t base) { return measure::round_seed(base, 1); }

}  // namespace playhead::test
