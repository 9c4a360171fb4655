#pragma once
// scripted_transport: a server whose every delivery, and its time, is written down; and a sink that writes down every event.
#include "support/cuts.hpp"

#include <playhead/core/clock.hpp>
#include <playhead/core/transport.hpp>
#include <playhead/hash/sha256.hpp>
#include <playhead/measure/session.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace playhead::test {

// What a server does, at a time since the request's start.
struct connects {
    connection_report report;
};
struct answers {
    int status;
};
struct says {
    std::string name, value;
};
struct sends {
    std::string bytes;
};
struct step {
    nanoseconds at;
    std::variant<connects, answers, says, sends> what;
};
struct script {
    std::vector<step> steps;
    nanoseconds ends{};
    result<void> end{};
};

// Plays one script a request, the last of them again and again, on a clock that it moves.
class scripted_transport {
public:
    scripted_transport(manual_clock& clock, std::vector<script> scripts) : clock_{clock}, scripts_{std::move(scripts)} {}

    struct request {
        std::string path, content_type, accept, body;
    };
    std::vector<request> requests;
    bool was_stopped = false;

    template <response_receiver Receiver>
    result<void> perform(const http_request& wanted, Receiver& receiver) {
        const script& plays = scripts_[std::min(requests.size(), scripts_.size() - 1)];
        requests.push_back({std::string{wanted.path},
                            std::string{wanted.content_type},
                            std::string{wanted.accept},
                            {reinterpret_cast<const char*>(wanted.body.data()), wanted.body.size()}});
        const nanoseconds start = clock_.now().time_since_epoch();
        for (const step& each : plays.steps) {
            clock_.advance_to(start + each.at);
            if (play(each.what, receiver) == flow::stop) {
                was_stopped = true;
                return error{error_code::stopped};
            }
        }
        clock_.advance_to(start + plays.ends);
        return plays.end;
    }

private:
    template <typename Receiver>
    static flow play(const std::variant<connects, answers, says, sends>& what, Receiver& receiver) {
        if (const auto* connection = std::get_if<connects>(&what)) {
            if constexpr (requires { receiver.on_connection(connection->report); }) receiver.on_connection(connection->report);
            return flow::go_on;
        }
        if (const auto* status = std::get_if<answers>(&what)) return receiver.on_status(status->status);
        if (const auto* header = std::get_if<says>(&what)) return receiver.on_header(header->name, header->value);
        return receiver.on_body(bytes_of(std::get<sends>(what).bytes));
    }

    manual_clock& clock_;
    std::vector<script> scripts_;
};

// A response of status 200 and the protocol's content type at `head`, then these deliveries.
inline script speech(nanoseconds head, std::vector<std::pair<nanoseconds, std::string>> deliveries, nanoseconds ends,
                     result<void> end = {}) {
    script made{{{head, answers{200}}, {head, says{"Content-Type", "application/x-ndjson"}}}, ends, end};
    for (auto& [at, bytes] : deliveries) made.steps.push_back({at, sends{std::move(bytes)}});
    return made;
}

// Writes down a word for each event, and keeps the figures of each row. Stops at event number `stop_at`, counted from 1.
class recording_sink {
public:
    explicit recording_sink(std::size_t stop_at = 0) : stop_at_{stop_at} {}

    struct row {
        measure::request_begin request;
        measure::request_figures figures;  // its views are in the two texts
        std::string effective, server_message;
    };
    std::vector<std::string> events;
    std::vector<row> rows;
    std::vector<measure::chunk_arrival> chunks;
    std::vector<measure::round_end> rounds;
    std::optional<measure::summary> summary;
    std::string pcm;  // of chunks that count
    std::string on_approval;

    flow on(const measure::request_begin& event) {
        on_approval.clear();
        return put("request " + std::to_string(event.fixture) + " of round " + std::to_string(event.round));
    }
    flow on(const measure::pcm_piece& event) {
        on_approval.append(reinterpret_cast<const char*>(event.bytes.data()), event.bytes.size());
        return put("pcm " + std::to_string(event.bytes.size()));
    }
    flow on(const measure::pcm_drop&) {
        on_approval.clear();
        return put("drop");
    }
    flow on(const measure::chunk_arrival& event) {
        pcm += on_approval;
        on_approval.clear();
        chunks.push_back(event);
        return put("chunk " + std::to_string(event.index));
    }
    flow on(const measure::request_row& event) {
        rows.push_back({event.request, event.figures, std::string{event.figures.effective}, std::string{event.figures.server_message}});
        return put(event.figures.ok() ? "row" : "row " + std::string{name(event.figures.failure->code)});
    }
    flow on(const measure::round_begin& event) { return put("round " + std::to_string(event.index)); }
    flow on(const measure::round_end& event) {
        rounds.push_back(event);
        return put("end of round " + std::to_string(event.index));
    }
    flow on(const measure::summary& event) {
        summary = event;
        return put("summary");
    }

private:
    flow put(std::string event) {
        events.push_back(std::move(event));
        return events.size() == stop_at_ ? flow::stop : flow::go_on;
    }

    std::size_t stop_at_;
};

}  // namespace playhead::test
