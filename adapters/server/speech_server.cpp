#include "speech_server.hpp"

#include "http_connection.hpp"
#include "speech_asked.hpp"
#include "speech_response.hpp"
#include "trace_file.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <list>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace playhead::server {

using nlohmann::ordered_json;

class speech_server::state {
public:
    explicit state(const server_options& options) : options_{options} {
        if (options_.pacing.ramp.empty()) options_.pacing.ramp.push_back(1);
        if (!options_.trace_file.empty()) {
            traces_ = load_traces(options_.trace_file);
        } else if (options_.engine == engine_kind::espeak) {
            require_espeak();
        }
        if (!options_.log_file.empty()) {
            log_ = ::open(options_.log_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
            if (log_ < 0) fail(fmt::format("{}: cannot write the log", options_.log_file));
        }
        listen();
        acceptor_ = std::thread{[this] { accept_all(); }};
    }

    ~state() {
        stop();
        ::close(listener_);
        if (log_ >= 0) ::close(log_);
    }
    state(const state&) = delete;
    state& operator=(const state&) = delete;

    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

    void stop() noexcept {
        if (stop_.exchange(true)) return;
        ::shutdown(listener_, SHUT_RDWR);
        acceptor_.join();
        {
            const std::lock_guard lock{mutex_};
            for (auto& each : connections_) each.connection.interrupt();
        }
        for (auto& each : connections_) each.thread.join();
        connections_.clear();
    }

private:
    // A connection and the thread that serves it.
    struct served {
        served(int socket, std::uint64_t with_number) : connection{socket}, number{with_number} {}
        http_connection connection;
        std::uint64_t number;
        std::atomic<bool> done{false};
        std::thread thread;
    };

    [[noreturn]] static void fail(const std::string& what) {
        throw std::runtime_error(fmt::format("{}: {}", what, std::generic_category().message(errno)));
    }

    void listen() {
        listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const int on = 1;
        ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(options_.port);
        socklen_t size = sizeof address;
        auto* const at = reinterpret_cast<sockaddr*>(&address);
        if (listener_ < 0 || ::bind(listener_, at, size) != 0 || ::listen(listener_, 512) != 0 ||
            ::getsockname(listener_, at, &size) != 0) {
            fail(fmt::format("port {} cannot be listened on", options_.port));
        }
        port_ = ntohs(address.sin_port);
    }

    void accept_all() {
        while (!stop_.load()) {
            const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
            if (socket < 0) {
                if (errno == EINTR || errno == ECONNABORTED) continue;
                if (errno != EMFILE && errno != ENFILE) return;
                std::this_thread::sleep_for(std::chrono::milliseconds{10});  // until a connection ends
                continue;
            }
            const std::lock_guard lock{mutex_};
            for (auto each = connections_.begin(); each != connections_.end();) {
                if (each->done.load()) {
                    each->thread.join();
                    each = connections_.erase(each);
                } else {
                    ++each;
                }
            }
            served& fresh = connections_.emplace_back(socket, ++accepted_);
            fresh.thread = std::thread{[this, &fresh] { serve(fresh); }};
        }
    }

    void serve(served& one) {
        wake_exactly();
        try {
            for (std::uint64_t number = 1; !stop_.load(); ++number) {
                try {
                    const auto request = one.connection.read_request();
                    if (!request) break;
                    answer(one, *request, number);
                } catch (const refusal& why) {
                    const ordered_json body{{"error", {{"message", why.what()}}}};
                    one.connection.respond(why.status, "application/json",
                                           body.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
                    if (!one.connection.may_go_on()) break;
                }
            }
        } catch (const connection_gone&) {
            // Nobody is there to be told.
        }
        one.connection.interrupt();
        one.done.store(true);
    }

    void answer(served& one, const received_request& request, std::uint64_t number) {
        const nanoseconds start = monotonic_now();
        if (request.target == "/health") {
            if (request.method != "GET") throw refusal(405, "GET /health");
            one.connection.respond(200, "text/plain", "ok\n");
            return;
        }
        if (request.target != "/v1/audio/speech") throw refusal(404, "there are POST /v1/audio/speech and GET /health");
        if (request.method != "POST") throw refusal(405, "POST /v1/audio/speech");
        const speech_asked asked = read_speech_asked(request.body);
        speech_response response{one.connection, asked, start, stop_};
        bool aborted = false;
        try {
            say(asked, response);
        } catch (const connection_gone&) {
            aborted = true;
        }
        // Written before the body ends, so that whoever has heard the end can read it.
        write_log(one, request, number, asked, response, aborted);
        if (aborted) throw connection_gone{};
        one.connection.end_chunks();
    }

    void say(const speech_asked& asked, speech_response& response) {
        if (!options_.trace_file.empty()) {
            const traced_stream& stream = traced(asked);
            std::uint64_t frames = 0;
            for (const auto& chunk : stream.chunks) frames += chunk.frames;
            response.send_traced(*make_tone(asked.format, asked.seed, frames), stream);
        } else if (options_.engine == engine_kind::espeak) {
            if (asked.format != espeak_format)
                throw refusal(400, "espeak speaks 22050 Hz, 1 channel; ask for sample_rate 22050, channels 1");
            try {
                const auto speech = make_espeak(options_.voice, asked.input);
                response.send_paced(*speech, options_.pacing);
            } catch (const std::runtime_error& silent) {
                throw refusal(500, silent.what());
            }
        } else {
            response.send_paced(*make_tone(asked.format, asked.seed, tone_frames_for(asked.input, asked.format.sample_rate)),
                                options_.pacing);
        }
    }

    // The stream that a request's text names.
    [[nodiscard]] const traced_stream& traced(const speech_asked& asked) const {
        const auto line = last_number_in(asked.input);
        if (!line || *line == 0 || *line > traces_.size()) {
            throw refusal(400, fmt::format("input must name a stream from 1 to {}, such as \"stream 1\"", traces_.size()));
        }
        const traced_stream& stream = traces_[static_cast<std::size_t>(*line - 1)];
        if (asked.format.sample_rate != stream.sample_rate || asked.format.channels != 1) {
            throw refusal(400, fmt::format("stream {} has {} Hz, 1 channel", *line, stream.sample_rate));
        }
        return stream;
    }

    void write_log(const served& one, const received_request& request, std::uint64_t number, const speech_asked& asked,
                   const speech_response& response, bool aborted) {
        if (log_ < 0) return;
        ordered_json headers = ordered_json::object();
        for (const auto& [name, value] : request.headers) headers[name] = name == "authorization" ? "<redacted>" : value;
        ordered_json entry{{"input", asked.input},
                           {"model", asked.model},
                           {"seed", asked.seed},
                           {"sample_rate", asked.format.sample_rate},
                           {"channels", asked.format.channels},
                           {"settings", asked.settings},
                           {"reference_audio_bytes", asked.reference_audio_bytes},
                           {"status", 200},
                           {"connection", one.number},
                           {"request_on_connection", number},
                           {"expect_continue", request.expected_continue},
                           {"headers", headers},
                           {"aborted", aborted}};
        entry.update(response.log());
        const std::string line = entry.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
        // One write to a file opened for appending: lines of several threads do not mix.
        if (::write(log_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
            fmt::print(stderr, "serve: a log line was lost\n");
    }

    server_options options_;
    std::vector<traced_stream> traces_;
    int log_ = -1;
    int listener_ = -1;
    std::uint16_t port_ = 0;
    std::atomic<bool> stop_{false};
    std::mutex mutex_;  // of connections_ while the acceptor runs
    std::list<served> connections_;
    std::uint64_t accepted_ = 0;
    std::thread acceptor_;
};

speech_server::speech_server(const server_options& options) : state_{std::make_unique<state>(options)} {}
speech_server::~speech_server() = default;
std::uint16_t speech_server::port() const noexcept { return state_->port(); }
std::string speech_server::url() const { return fmt::format("http://127.0.0.1:{}", state_->port()); }
void speech_server::stop() noexcept { state_->stop(); }

}  // namespace playhead::server
