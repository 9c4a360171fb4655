#pragma once
// speech_response: speech that goes out over a connection, chunk by chunk at its times, and what is written down of it.
#include "engine.hpp"
#include "http_connection.hpp"
#include "pacing.hpp"
#include "speech_asked.hpp"
#include "trace_file.hpp"

#include <playhead/hash/sha256.hpp>

#include <atomic>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace playhead::server {

// One response in the NDJSON protocol.
class speech_response {
public:
    //   start  when the request was read, on CLOCK_MONOTONIC; what is due counts from there
    //   stop   true when the server stops
    speech_response(http_connection& connection, const speech_asked& asked, nanoseconds start, const std::atomic<bool>& stop)
        : connection_{connection}, asked_{asked}, start_{start}, stop_{stop} {}

    // Sends the head, each chunk when it is due, and the final event; the body is not ended yet. Throw connection_gone.
    void send_paced(pcm_source& source, const pacing_options& pacing);
    void send_traced(pcm_source& source, const traced_stream& stream);

    // What was sent so far: frames, pcm_sha256, chunks [{frames, flush_ns}], final_ns.
    [[nodiscard]] nlohmann::ordered_json log() const;

private:
    void send_audio(const std::vector<std::byte>& pcm, nanoseconds due);
    void send_final(nanoseconds due);
    // Sends a line when it is due; returns the time right before.
    std::int64_t send_line(std::string_view line, nanoseconds due);

    http_connection& connection_;
    const speech_asked& asked_;
    nanoseconds start_;
    const std::atomic<bool>& stop_;
    std::uint64_t frames_ = 0;
    hash::sha256 hash_{};
    nlohmann::ordered_json chunks_ = nlohmann::ordered_json::array();
    nlohmann::ordered_json final_ns_ = nullptr;
};

}  // namespace playhead::server
