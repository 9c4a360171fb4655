#pragma once
// summary_text: a benchmark as a table that people read on a terminal.
#include <playhead/measure/metrics.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace playhead::report {

// A request that is in no figure.
struct warmup_line {
    std::optional<double> first_audio_ms;
    std::optional<double> complete_audio_ms;
    std::string error;  // empty where it is right
};

struct benchmark_view {
    std::string label;
    std::string model;
    std::string_view protocol;
    pcm_format format{};
    std::size_t rounds = 0;
    std::size_t fixtures = 0;
    std::int64_t seed_base = 0;
    measure::service_limits limits{};
    measure::summary summary{};
    std::vector<warmup_line> warmups;
    std::vector<std::string> failures;  // "round 0, hello: truncated: ..."
    std::vector<std::string> notes;     // limitations of this very run
};

// The table, several lines with their ends. Units are ms but for rtf, which is a ratio.
[[nodiscard]] std::string summary_text(const benchmark_view& of);

}  // namespace playhead::report
