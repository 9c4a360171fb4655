#pragma once
// request_recorder: hears one response: stamps each delivery, decodes and checks it, hashes the PCM, and keeps the listener's figures.
//
// A stamp is the first thing that happens in on_body, before any decoding; a chunk has the stamp of the delivery that brought its last
// byte. All stamps are time since the request's start on one monotonic clock. About 1.7 kB of state, no heap.
#include "../core/clock.hpp"
#include "../core/sink.hpp"
#include "../core/transport.hpp"
#include "../hash/sha256.hpp"
#include "../playback/timeline.hpp"
#include "../wire/bounded_text.hpp"
#include "../wire/speech_decoder.hpp"
#include "../wire/speech_protocol.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace playhead::measure {

// The next bytes of a chunk's PCM came, on approval: chunk_arrival or pcm_drop says what became of them.
struct pcm_piece {
    std::span<const std::byte> bytes;
};
struct pcm_drop {};

// A chunk is whole and right.
struct chunk_arrival {
    std::uint64_t index;  // from 0
    nanoseconds arrival;  // since the request's start
    std::uint64_t frames;
    std::uint64_t silent_frames;  // before the first non-zero sample; `frames` where it has none
    nanoseconds stall;            // that it ended, for a listener without any buffer
};

// What was heard of one response. Figures of a failed one are what it had when it failed.
struct request_figures {
    std::optional<error> failure{};      // none: the response is whole and right
    int status = 0;                      // 0: none came
    nanoseconds started{};               // the clock's time at the request's start, since the clock's epoch
    std::optional<nanoseconds> head{};   // since the start: the status came
    std::optional<nanoseconds> final{};  // the final event came
    nanoseconds ended{};                 // the body was consumed, or given up
    std::uint64_t body_bytes = 0;
    std::uint64_t clumped_chunks = 0;  // that came within 1 ms of the one before
    std::uint64_t leading_silent_frames = 0;
    playback::timeline heard{1};       // the listener's figures, of the chunks that are right
    hash::sha256_digest pcm_sha256{};  // of those chunks' PCM
    std::optional<connection_report> connection{};
    std::string_view effective{};       // the final event's settings, a JSON object; empty: none
    std::string_view server_message{};  // what the server said of its failure, the beginning of it

    [[nodiscard]] constexpr bool ok() const noexcept { return !failure; }
};

template <monotonic_clock Clock, sink<pcm_piece, pcm_drop, chunk_arrival> Sink>
class request_recorder {
public:
    //   clock, sink      used as long as the recorder lives
    //   effective_space  takes the final event's effective settings
    request_recorder(const Clock& clock, Sink& sink, wire::speech_protocol protocol, const wire::speech_expectation& asked,
                     std::span<char> effective_space) noexcept
        : clock_{clock}, sink_{sink}, protocol_{protocol}, asked_{asked}, decoder_{asked, effective_space} {
        figures_.heard = playback::timeline{asked.format.sample_rate};
        start();
    }
    request_recorder(const request_recorder&) = delete;
    request_recorder& operator=(const request_recorder&) = delete;

    // The request starts now; called right before the transport's perform().
    void start() noexcept { started_ = clock_.now(); }

    // What the transport calls.
    void on_connection(const connection_report& report) noexcept { figures_.connection = report; }
    flow on_status(int status) noexcept;
    flow on_header(std::string_view name, std::string_view value) noexcept;
    flow on_body(std::span<const std::byte> bytes) noexcept;

    // The transport's perform() has returned this. The figures are final; their texts live as long as the recorder and its space.
    const request_figures& finish(const result<void>& carried) noexcept;

    // The sink asked to stop.
    [[nodiscard]] bool stopped_by_sink() const noexcept { return stopped_; }

    // What the decoder calls.
    void on_pcm(std::span<const std::byte> bytes) noexcept {
        hash_.update(bytes);
        tell(pcm_piece{bytes});
    }
    void on_chunk(std::uint64_t frames, std::uint64_t silent_frames) noexcept;
    void on_drop() noexcept {
        hash_ = hash_so_far_;
        tell(pcm_drop{});
    }

private:
    [[nodiscard]] nanoseconds since_start() const noexcept { return time_between(started_, clock_.now()); }
    void check_head() noexcept;
    template <typename Event>
    void tell(const Event& event) noexcept {
        if (!stopped_ && sink_.on(event) == flow::stop) stopped_ = true;
    }

    const Clock& clock_;
    Sink& sink_;
    wire::speech_protocol protocol_;
    wire::speech_expectation asked_;
    wire::speech_decoder decoder_;
    request_figures figures_{};
    hash::sha256 hash_{};         // with the chunk on approval
    hash::sha256 hash_so_far_{};  // without it
    typename Clock::time_point started_{};
    nanoseconds delivery_{};  // stamp of the delivery in hand
    nanoseconds last_arrival_{};
    wire::bounded_text<160> content_type_{};
    wire::bounded_text<160> message_{};
    std::optional<error> head_error_{};  // the status or a header: the body is no audio
    bool encoded_ = false;
    bool head_checked_ = false;
    bool stopped_ = false;
};

// ---- how it works -------------------------------------------------------------------------------

template <monotonic_clock Clock, sink<pcm_piece, pcm_drop, chunk_arrival> Sink>
flow request_recorder<Clock, Sink>::on_status(int status) noexcept {
    figures_.head = since_start();
    figures_.status = status;
    return flow::go_on;
}

template <monotonic_clock Clock, sink<pcm_piece, pcm_drop, chunk_arrival> Sink>
flow request_recorder<Clock, Sink>::on_header(std::string_view name, std::string_view value) noexcept {
    if (wire::same_ignoring_case(name, "content-type")) {
        content_type_.clear();
        content_type_.append(value);
    } else if (wire::same_ignoring_case(name, "content-encoding")) {
        encoded_ = encoded_ || !wire::same_ignoring_case(wire::trimmed(value), "identity");
    }
    return flow::go_on;
}

template <monotonic_clock Clock, sink<pcm_piece, pcm_drop, chunk_arrival> Sink>
void request_recorder<Clock, Sink>::check_head() noexcept {
    if (head_checked_) return;
    head_checked_ = true;
    if (figures_.status != 200) {
        head_error_ = error{error_code::http_status, static_cast<std::uint64_t>(figures_.status)};
    } else if (encoded_ || content_type_.overflowed()) {
        head_error_ = error{error_code::format_mismatch};
    } else if (const auto fits = wire::check_content_type(protocol_, content_type_.view(), asked_.format); !fits) {
        head_error_ = fits.error();
    }
}

template <monotonic_clock Clock, sink<pcm_piece, pcm_drop, chunk_arrival> Sink>
flow request_recorder<Clock, Sink>::on_body(std::span<const std::byte> bytes) noexcept {
    delivery_ = since_start();
    figures_.body_bytes += bytes.size();
    check_head();
    if (head_error_) {
        // No audio, but perhaps the reason.
        message_.append({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        return message_.overflowed() ? flow::stop : flow::go_on;
    }
    const bool had_final = decoder_.has_final();
    const auto read = decoder_.feed(bytes, *this);
    if (!had_final && decoder_.has_final()) figures_.final = delivery_;
    return read && !stopped_ ? flow::go_on : flow::stop;
}

template <monotonic_clock Clock, sink<pcm_piece, pcm_drop, chunk_arrival> Sink>
void request_recorder<Clock, Sink>::on_chunk(std::uint64_t frames, std::uint64_t silent_frames) noexcept {
    using namespace std::chrono_literals;
    hash_so_far_ = hash_;
    const std::uint64_t index = figures_.heard.chunks();
    if (index > 0 && delivery_ - last_arrival_ <= 1ms) ++figures_.clumped_chunks;
    last_arrival_ = delivery_;
    const nanoseconds stall = figures_.heard.on_chunk(delivery_, frames, silent_frames);
    tell(chunk_arrival{index, delivery_, frames, silent_frames, stall});
}

template <monotonic_clock Clock, sink<pcm_piece, pcm_drop, chunk_arrival> Sink>
const request_figures& request_recorder<Clock, Sink>::finish(const result<void>& carried) noexcept {
    figures_.ended = since_start();
    figures_.started = std::chrono::duration_cast<nanoseconds>(started_.time_since_epoch());
    // Where the transport broke before the body, that is the reason, and not a header that did not come.
    if (figures_.status != 0 && (carried || figures_.status != 200)) check_head();
    if (head_error_) {
        figures_.failure = head_error_;
        figures_.server_message = message_.view();
    } else {
        // The last line may end with the body; then the body's last delivery, not its end, is its arrival.
        const bool had_final = decoder_.has_final();
        const auto decoded = decoder_.finish(carried.has_value(), *this);
        if (!had_final && decoder_.has_final()) figures_.final = delivery_;
        if (stopped_) {
            figures_.failure = error{error_code::stopped};
        } else if (!decoded) {
            // What broke the transport is the reason that the rest is missing.
            const bool cut = decoded.error().code == error_code::truncated && !carried && carried.error().code != error_code::stopped;
            figures_.failure = cut ? carried.error() : decoded.error();
        }
        figures_.server_message = decoder_.server_message();
    }
    figures_.effective = decoder_.effective();
    figures_.leading_silent_frames = decoder_.leading_silent_frames();
    figures_.pcm_sha256 = hash_so_far_.digest();
    return figures_;
}

}  // namespace playhead::measure
