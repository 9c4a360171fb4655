#include "benchmark.hpp"

#include "benchmark_document.hpp"
#include "benchmark_sink.hpp"
#include "curl/easy_transport.hpp"
#include "posix/failure.hpp"
#include "report/summary_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

namespace playhead::cli {

benchmark_outcome run_benchmark(const benchmark_config& config, const posix::fixture_set& fixtures) {
    std::optional<posix::run_directory> directory;
    if (!config.run_dir.empty()) directory.emplace(config.run_dir);

    const std::chrono::steady_clock clock{};
    curl::easy_transport transport{
        {.base_url = config.base_url,
         .api_key = config.api_key,
         .timeout = std::chrono::milliseconds{std::max<std::int64_t>(1, std::llround(config.timeout_s * 1000))}}};
    benchmark_outcome outcome;
    benchmark_sink sink{config, fixtures, directory ? &*directory : nullptr, outcome};

    const auto views = fixtures.views();
    const measure::session_options options{.rounds = config.rounds,
                                           .first_round = config.first_round,
                                           .warmup = config.warmup,
                                           .seed_base = config.seed_base,
                                           .model = config.model,
                                           .format = config.format,
                                           .settings = config.settings,
                                           .path = wire::speech_path(config.base_url),
                                           .limits = config.limits,
                                           .resampling = {.resamples = config.resamples},
                                           .effective_characters = 65'536};
    using session = measure::session<std::chrono::steady_clock, benchmark_sink, curl::easy_transport>;
    std::vector<std::byte> memory(session::workspace_size(views, options));
    session run{clock, transport, sink, memory};
    const auto measured = run.measure(views, options);
    sink.rethrow();
    if (!measured) throw std::runtime_error(fmt::format("the benchmark could not be run: {}", error_text(measured.error())));
    if (directory) {
        directory->write("metrics/" + config.label + ".audio.json", json_text(benchmark_data(config, fixtures, outcome), 2) + "\n");
    }
    return outcome;
}

int show_benchmark(const benchmark_config& config, const posix::fixture_set& fixtures, const benchmark_outcome& outcome, bool as_json) {
    if (as_json) {
        fmt::print("{}\n", json_text(benchmark_document(config, fixtures, outcome), 2));
    } else {
        report::benchmark_view view{.label = config.label,
                                    .model = config.model,
                                    .protocol = name(wire::speech_protocol::ndjson),
                                    .format = config.format,
                                    .rounds = outcome.rounds.size(),
                                    .fixtures = fixtures.fixtures.size(),
                                    .seed_base = config.seed_base,
                                    .limits = config.limits,
                                    .summary = outcome.summary,
                                    .warmups = {},
                                    .failures = {},
                                    .notes = run_limitations(config, outcome)};
        for (const auto& each : outcome.warmups) view.warmups.push_back({each.first_audio_ms, each.complete_audio_ms, each.error});
        constexpr std::size_t most_failures = 10;
        for (const auto& row : outcome.rows) {
            if (row["ok"]) continue;
            if (view.failures.size() == most_failures) {
                view.failures.push_back(fmt::format("and {} more", outcome.summary.failed - most_failures));
                break;
            }
            std::string line = fmt::format("round {}, {}: {}", row["round"].get<std::int64_t>(), row["id"].get<std::string>(),
                                           row["error"].get<std::string>());
            if (!row["server_message"].is_null()) line += fmt::format("; the server said {}", row["server_message"].dump());
            view.failures.push_back(std::move(line));
        }
        fmt::print("{}", report::summary_text(view));
    }
    std::fflush(stdout);
    return outcome.summary.combined == measure::verdict::fail ? 1 : 0;
}

}  // namespace playhead::cli
