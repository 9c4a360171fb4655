#include "server_arguments.hpp"

#include <CLI/CLI.hpp>

#include <map>
#include <string>

namespace playhead::cli {

void add_server_arguments(CLI::App& command, server::server_options& options) {
    const std::map<std::string, server::engine_kind> engines{{"espeak", server::engine_kind::espeak}, {"tone", server::engine_kind::tone}};
    command.add_option("--engine", options.engine, "espeak: real speech (espeak-ng, 22050 Hz, 1 channel); tone: any rate and channels")
        ->transform(CLI::CheckedTransformer(engines, CLI::ignore_case))
        ->default_str(options.engine == server::engine_kind::espeak ? "espeak" : "tone");
    command.add_option("--voice", options.voice, "Voice of espeak-ng, which takes its default where it does not know the voice")
        ->capture_default_str();
    command.add_option("--ramp", options.pacing.ramp, "Codec frames of 80 ms in each chunk; the last number repeats")
        ->delimiter(',')
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
    command.add_option("--frame-cost-ms", options.pacing.frame_cost_ms, "Time that producing a codec frame takes (ms)")
        ->check(CLI::Range(0.0, 60'000.0))
        ->capture_default_str();
    command.add_option("--first-ms", options.pacing.first_ms, "Time before the first chunk, beside its frames (ms)")
        ->check(CLI::Range(0.0, 3'600'000.0))
        ->capture_default_str();
    command.add_option("--jitter-ms", options.pacing.jitter_ms, "Each chunk is late by up to this (ms), by the request's seed")
        ->check(CLI::Range(0.0, 60'000.0))
        ->capture_default_str();
}

}  // namespace playhead::cli
