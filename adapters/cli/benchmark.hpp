#pragma once
// benchmark: one benchmark as the program runs it: its arguments, its run, and what came of it.
#include "posix/fixture_file.hpp"

#include <playhead/measure/session.hpp>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace playhead::cli {

// The arguments of `bench`, checked.
struct benchmark_config {
    std::string base_url;  // never written anywhere
    bool endpoint_is_local = false;
    std::string model;
    std::string fixtures_path;
    std::string label = "audio";
    std::uint32_t rounds = 3;
    std::int64_t first_round = 0;
    std::uint32_t warmup = 1;
    std::int64_t seed_base = 0;
    pcm_format format{};
    std::string settings = "{}";
    std::string api_key;  // likewise
    std::string run_dir;  // empty: nothing is kept
    double timeout_s = 300;
    std::uint32_t resamples = 10'000;
    bool save_outputs = true;  // else hashes only
    measure::service_limits limits{};
};

// A warm-up request.
struct warmup_result {
    std::string error;  // empty where it is right
    std::optional<double> first_audio_ms;
    std::optional<double> complete_audio_ms;
};

// What came of it. Rows and rounds are JSON with the members that the files have.
struct benchmark_outcome {
    measure::summary summary{};
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    nlohmann::ordered_json rounds = nlohmann::ordered_json::array();
    nlohmann::ordered_json outputs = nlohmann::ordered_json::array();
    std::vector<warmup_result> warmups;
    std::uint64_t clumped_chunks = 0;  // that came within 1 ms of the one before
    std::uint64_t later_chunks = 0;    // that had one before
};

// Runs it: progress on stderr where that is a terminal, files in run_dir. Throws posix::file_failure; std::runtime_error.
[[nodiscard]] benchmark_outcome run_benchmark(const benchmark_config& config, const posix::fixture_set& fixtures);

// Shows it on stdout, as a table or as one JSON document, and returns the exit code: 1 where the verdict is FAIL, else 0.
[[nodiscard]] int show_benchmark(const benchmark_config& config, const posix::fixture_set& fixtures, const benchmark_outcome& outcome,
                                 bool as_json);

}  // namespace playhead::cli
