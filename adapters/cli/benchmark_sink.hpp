#pragma once
// benchmark_sink: takes a session's events: makes the rows, keeps the PCM, shows the progress.
#include "benchmark.hpp"
#include "posix/run_directory.hpp"
#include "progress_line.hpp"

#include <playhead/measure/session.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <vector>

namespace playhead::cli {

// The session calls from code that lets no exception through: what is thrown here stops it, and rethrow() brings it out.
class benchmark_sink {
public:
    benchmark_sink(const benchmark_config& config, const posix::fixture_set& fixtures, const posix::run_directory* directory,
                   benchmark_outcome& outcome);

    template <typename Event>
    flow on(const Event& event) noexcept {
        try {
            take(event);
        } catch (...) {
            failure_ = std::current_exception();
        }
        return failure_ ? flow::stop : flow::go_on;
    }

    // Throws what was thrown while an event was taken.
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    void take(const measure::request_begin& begin);
    void take(const measure::pcm_piece& piece);
    void take(const measure::pcm_drop& drop);
    void take(const measure::chunk_arrival& chunk);
    void take(const measure::request_row& row);
    void take(const measure::round_begin& round);
    void take(const measure::round_end& round);
    void take(const measure::summary& summary);

    void keep_pcm(const measure::request_row& row, const std::string& sha256);

    const benchmark_config& config_;
    const posix::fixture_set& fixtures_;
    const posix::run_directory* directory_;  // none: no files
    benchmark_outcome& outcome_;
    progress_line progress_;
    std::size_t done_ = 0;
    std::vector<std::byte> pcm_;   // of the request in hand
    std::size_t pcm_certain_ = 0;  // its bytes in chunks that count
    bool keeps_pcm_ = false;
    nlohmann::ordered_json chunks_ = nlohmann::ordered_json::array();
    std::chrono::system_clock::time_point round_began_{};
    std::exception_ptr failure_{};
};

// A document as text. What is no UTF-8 in it, as in a server's message, becomes U+FFFD.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& document, int indent = -1);

// "code: message", with the place where it has one.
[[nodiscard]] std::string error_text(const error& what);

}  // namespace playhead::cli
