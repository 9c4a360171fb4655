#include "benchmark.hpp"
#include "commands.hpp"
#include "curl/endpoint.hpp"
#include "posix/failure.hpp"
#include "posix/secrets.hpp"

#include <playhead/wire/json_value.hpp>
#include <playhead/wire/speech_request.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdlib>
#include <memory>

namespace playhead::cli {

namespace {

using posix::bad_input;

// The arguments as they stand on the command line.
struct bench_arguments {
    std::string base_url;
    std::string fixtures;
    std::string api_key_env;
    std::string save_outputs = "all";
    std::int64_t rounds = 3;
    std::int64_t warmup = 1;
    std::int64_t resamples = 10'000;
    std::int64_t sample_rate = 44'100;
    std::int64_t channels = 1;
    bool as_json = false;
    benchmark_config config;
};

void check_range(std::string_view argument, std::int64_t value, std::int64_t least, std::int64_t most) {
    if (value < least || value > most) throw bad_input(fmt::format("{} is {}; it must be {} to {}", argument, value, least, most));
}

void check_limit(std::string_view argument, double value) {
    if (!std::isfinite(value) || value <= 0) throw bad_input(fmt::format("{} is {}; it must be a finite number over 0", argument, value));
}

void check_settings(const std::string& settings) {
    if (const auto valid = wire::check_settings(settings); !valid) {
        const auto place = valid.error().place;
        switch (valid.error().code) {
            case error_code::out_of_range:
                throw bad_input(fmt::format(
                    "--settings: member {} is one that the request sets itself: model, input, seed, sample_rate, channels, encoding "
                    "or stream",
                    place + 1));
            case error_code::bad_event: throw bad_input(fmt::format("--settings: the name of member {} stands twice", place + 1));
            case error_code::too_large: throw bad_input("--settings: nested deeper than 64 levels");
            default:
                throw bad_input(fmt::format("--settings: not a JSON object (character {}), such as {{\"temperature\": 0.7}}", place + 1));
        }
    }
    const auto parsed = nlohmann::json::parse(settings, nullptr, false);
    if (parsed.is_discarded()) throw bad_input("--settings: a number is too large");
    if (const auto secret = posix::find_secret(parsed)) {
        throw bad_input(
            fmt::format("--settings: {} looks like a secret; name an environment variable with --api-key-env instead", *secret));
    }
}

bool is_utf8(const std::string& text) {
    try {
        static_cast<void>(nlohmann::json(text).dump());
        return true;
    } catch (const nlohmann::json::type_error&) {
        return false;
    }
}

std::string api_key_from(const std::string& variable) {
    if (variable.empty()) return {};
    const char* const key = std::getenv(variable.c_str());
    if (key == nullptr || *key == '\0') {
        throw bad_input(fmt::format("--api-key-env: the environment variable {} is not set", variable));
    }
    std::string text{key};
    if (text.find_first_of("\r\n") != std::string::npos) throw bad_input(fmt::format("--api-key-env: {} holds a line end", variable));
    return text;
}

benchmark_config checked(const bench_arguments& given) {
    benchmark_config config = given.config;
    check_range("--rounds", given.rounds, 1, 1'000'000);
    check_range("--first-round", config.first_round, 0, INT64_MAX / 2);
    check_range("--warmup", given.warmup, 0, 1'000'000);
    check_range("--resamples", given.resamples, 1, 10'000'000);
    check_range("--sample-rate", given.sample_rate, pcm_format::least_rate, pcm_format::most_rate);
    check_range("--channels", given.channels, 1, pcm_format::most_channels);
    check_limit("--timeout-s", config.timeout_s);
    check_limit("--slo-first-audio-p95-ms", config.limits.first_audio_p95_ms);
    check_limit("--slo-rtf", config.limits.rtf_max);
    if (config.timeout_s > 1'000'000) throw bad_input("--timeout-s: over 1000000 seconds");
    if (!posix::is_label(config.label)) {
        throw bad_input("--label: must be 1 to 64 letters, digits, '_', '.', '+' and '-', and begin with a letter or digit");
    }
    if (config.model.find_first_not_of(" \t\r\n") == std::string::npos) throw bad_input("--model: must not be empty");
    if (!is_utf8(config.model)) throw bad_input("--model: not UTF-8");
    check_settings(config.settings);
    try {
        const auto endpoint = curl::parse_endpoint(given.base_url);
        config.base_url = endpoint.url;
        config.endpoint_is_local = endpoint.is_local;
    } catch (const std::invalid_argument& wrong) {
        throw bad_input(fmt::format("--base-url: {}", wrong.what()));
    }
    config.api_key = api_key_from(given.api_key_env);
    config.rounds = static_cast<std::uint32_t>(given.rounds);
    config.warmup = static_cast<std::uint32_t>(given.warmup);
    config.resamples = static_cast<std::uint32_t>(given.resamples);
    config.format.sample_rate = static_cast<std::uint32_t>(given.sample_rate);
    config.format.channels = static_cast<std::uint32_t>(given.channels);
    config.save_outputs = given.save_outputs == "all";
    config.fixtures_path = given.fixtures;
    return config;
}

}  // namespace

command add_bench(CLI::App& program) {
    auto given = std::make_shared<bench_arguments>();
    CLI::App& bench = *program.add_subcommand("bench", "Measure a speech server: what its listeners hear, and how sure that is");
    bench.add_option("--base-url", given->base_url, "Root of the speech server, such as http://127.0.0.1:8000; never written anywhere")
        ->required();
    bench.add_option("--model", given->config.model, "Model identifier that is sent")->required();
    bench.add_option("--fixtures", given->fixtures, "JSON lines: id, text, reference_audio?, reference_text?, unseen?")->required();
    bench.add_option("--label", given->config.label, "Name of this configuration, in file names")->capture_default_str();
    bench.add_option("--rounds", given->rounds, "Timed passes over all fixtures")->capture_default_str();
    bench.add_option("--first-round", given->config.first_round, "Index of the first round")->capture_default_str();
    bench.add_option("--warmup", given->warmup, "Requests before, with other texts, in no figure")->capture_default_str();
    bench.add_option("--seed-base", given->config.seed_base, "What the rounds' seeds are made of")->capture_default_str();
    bench.add_option("--sample-rate", given->sample_rate, "Frames a second that the PCM must have (Hz)")->capture_default_str();
    bench.add_option("--channels", given->channels, "Channels that it must have")->capture_default_str();
    bench.add_option("--settings", given->config.settings, "JSON object of settings that are sent; the server must report each of them")
        ->capture_default_str();
    bench.add_option("--api-key-env", given->api_key_env, "Environment variable that holds the key; never the key itself");
    bench.add_option("--run-dir", given->config.run_dir, "Folder for requests.jsonl, the PCM, its index and the metrics");
    bench.add_option("--timeout-s", given->config.timeout_s, "Deadline of a whole response, name lookup to last byte (seconds)")
        ->capture_default_str();
    bench.add_option("--resamples", given->resamples, "Bootstrap draws where there are more than 10 rounds; up to 10 every draw is taken")
        ->capture_default_str();
    bench.add_option("--save-outputs", given->save_outputs, "Keep the PCM in the run folder, or its hashes only")
        ->check(CLI::IsMember({"all", "hash_only"}))
        ->capture_default_str();
    bench.add_option("--slo-first-audio-p95-ms", given->config.limits.first_audio_p95_ms, "Limit for the p95 of first audio (ms)")
        ->capture_default_str();
    bench.add_option("--slo-rtf", given->config.limits.rtf_max, "Limit for the largest real-time factor")->capture_default_str();
    bench.add_flag("--json", given->as_json, "Print one JSON document instead of the table");
    return [given] {
        const benchmark_config config = checked(*given);
        const auto fixtures = posix::load_fixtures(given->fixtures);
        return show_benchmark(config, fixtures, run_benchmark(config, fixtures), given->as_json);
    };
}

}  // namespace playhead::cli
