#pragma once
// benchmark_document: a benchmark as JSON: what programs read and what is kept.
#include "benchmark.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace playhead::cli {

// The figures, rounds, verdicts and definitions.
[[nodiscard]] nlohmann::ordered_json benchmark_data(const benchmark_config& config, const posix::fixture_set& fixtures,
                                                    const benchmark_outcome& outcome);

// The whole document: what was asked, data, metrics, and what they do not show.
[[nodiscard]] nlohmann::ordered_json benchmark_document(const benchmark_config& config, const posix::fixture_set& fixtures,
                                                        const benchmark_outcome& outcome);

// The limitations of this very run, which people should see beside its figures.
[[nodiscard]] std::vector<std::string> run_limitations(const benchmark_config& config, const benchmark_outcome& outcome);

}  // namespace playhead::cli
