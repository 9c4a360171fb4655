#include "benchmark.hpp"
#include "commands.hpp"
#include "server_arguments.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <array>
#include <cstdio>
#include <memory>

namespace playhead::cli {

namespace {

posix::fixture_set demo_fixtures() {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> texts{{
        {"greeting", "Good morning. The first sound should come soon, and then go on without a gap."},
        {"numbers", "The train from platform seven leaves at nine forty-two and arrives at half past eleven."},
        {"question", "Did you hear a pause in the middle of this sentence, or did it play from start to end?"},
        {"story", "A small boat crossed the bay at dawn. Nobody saw it leave, but everybody heard the bell."},
        {"advice", "Measure what the listener hears, not when the first byte arrives."},
    }};
    std::vector<posix::speech_fixture> fixtures;
    for (const auto& [id, text] : texts) {
        posix::speech_fixture fixture;
        fixture.id = id;
        fixture.text = text;
        fixture.text_sha256 = posix::sha256_hex(text);
        fixtures.push_back(std::move(fixture));
    }
    return posix::make_fixtures(std::move(fixtures));
}

}  // namespace

command add_demo(CLI::App& program) {
    struct arguments {
        server::server_options server{};
        benchmark_config config{};
        bool as_json = false;
    };
    auto given = std::make_shared<arguments>();
    // A machine that makes speech four times as fast as it plays, in a ramp of chunks that never lets the listener wait.
    given->server.engine = server::engine_kind::espeak;
    given->server.pacing = {.ramp = {2, 4, 8, 16, 25}, .frame_cost_ms = 20, .first_ms = 80, .jitter_ms = 15};
    given->config.label = "demo";
    given->config.run_dir = "playhead-demo";
    CLI::App& demo = *program.add_subcommand("demo", "Start a speech server on this machine, measure it, show what its listener hears");
    add_server_arguments(demo, given->server);
    demo.add_option("--rounds", given->config.rounds, "Timed passes over five texts")->check(CLI::Range(1, 1000))->capture_default_str();
    demo.add_option("--run-dir", given->config.run_dir, "Folder for requests.jsonl, the PCM, its index and the metrics")
        ->capture_default_str();
    demo.add_flag("--json", given->as_json, "Print one JSON document instead of the table");
    return [given] {
        benchmark_config config = given->config;
        const server::speech_server server{given->server};
        config.base_url = server.url();
        config.endpoint_is_local = true;
        const bool speech = given->server.engine == server::engine_kind::espeak;
        config.model = speech ? "espeak-ng" : "tone";
        config.format.sample_rate = speech ? 22'050 : 24'000;
        const auto fixtures = demo_fixtures();
        const auto outcome = run_benchmark(config, fixtures);
        const int exit_code = show_benchmark(config, fixtures, outcome, given->as_json);
        if (!outcome.outputs.empty()) {
            const std::string first = outcome.outputs[0]["path"];
            fmt::print(stderr,
                       "kept in {}: {} recordings and requests.jsonl; to hear the first: play -r {} -e signed -b 16 -c {} -t raw {}/{}\n",
                       config.run_dir, outcome.outputs.size(), config.format.sample_rate, config.format.channels, config.run_dir, first);
        }
        return exit_code;
    };
}

}  // namespace playhead::cli
