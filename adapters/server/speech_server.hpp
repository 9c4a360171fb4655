#pragma once
// speech_server: a speech server on this machine's loopback, to measure and to test against.
//
// A thread a connection, so that streams do not wait for each other; chunks at absolute times, each with one send; nothing else is
// reachable than 127.0.0.1. POST /v1/audio/speech answers with NDJSON (docs/figures.md), GET /health with "ok".
#include "engine.hpp"
#include "pacing.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace playhead::server {

struct server_options {
    std::uint16_t port = 0;  // 0: any free one
    engine_kind engine = engine_kind::tone;
    pacing_options pacing{};
    std::string trace_file{};  // replay its streams instead of an engine; the last number in a request's text is the line, from 1
    std::string log_file{};    // JSON lines, one a request for speech, with what was asked and when each event was sent
    std::string voice = "en";  // of espeak-ng
};

class speech_server {
public:
    // Listens when it returns. Throws std::runtime_error with one line where something of the options cannot be had.
    explicit speech_server(const server_options& options);
    // Stops.
    ~speech_server();
    speech_server(const speech_server&) = delete;
    speech_server& operator=(const speech_server&) = delete;

    [[nodiscard]] std::uint16_t port() const noexcept;
    [[nodiscard]] std::string url() const;

    // Ends all connections and waits for their threads. Further calls do nothing.
    void stop() noexcept;

private:
    class state;
    std::unique_ptr<state> state_;
};

}  // namespace playhead::server
