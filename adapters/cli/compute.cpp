#include "compute.hpp"

#include <playhead/measure/round_seed.hpp>
#include <playhead/playback/timeline.hpp>
#include <playhead/stats/cluster_bootstrap.hpp>
#include <playhead/stats/percentile.hpp>
#include <playhead/wire/json_value.hpp>

#include <fmt/format.h>

#include <cmath>
#include <istream>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>
#include <vector>

namespace playhead::cli {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

template <typename... Parts>
[[noreturn]] void refuse(fmt::format_string<Parts...> format, Parts&&... parts) {
    throw std::invalid_argument(fmt::format(format, std::forward<Parts>(parts)...));
}

// Looks members up and says what is wrong with them.
const json& member(const json& row, const char* name) {
    const auto found = row.find(name);
    if (found == row.end()) refuse("member {} is missing", name);
    return *found;
}

const json& array_of(const json& row, const char* name) {
    const json& values = member(row, name);
    if (!values.is_array()) refuse("{} must be an array", name);
    return values;
}

double finite(const json& value, const std::string& what) {
    if (!value.is_number() || !std::isfinite(value.get<double>())) refuse("{} must be a finite number", what);
    return value.get<double>();
}

std::int64_t whole(const json& value, const std::string& what, std::int64_t least, std::int64_t most) {
    const bool fits = value.is_number_integer() && !(value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX);
    if (!fits || value.get<std::int64_t>() < least || value.get<std::int64_t>() > most) {
        refuse("{} must be a whole number from {} to {}", what, least, most);
    }
    return value.get<std::int64_t>();
}

std::vector<double> numbers(const json& row, const char* name) {
    std::vector<double> values;
    for (const json& each : array_of(row, name)) values.push_back(finite(each, fmt::format("{}[{}]", name, values.size())));
    return values;
}

std::vector<double> percents(const json& row, std::vector<double> otherwise) {
    if (!row.contains("percentiles")) return otherwise;
    auto list = numbers(row, "percentiles");
    for (const double percent : list) {
        if (percent < 0 || percent > 100) refuse("percentiles must be from 0 to 100, {} is not", percent);
    }
    return list;
}

// 95, 99.9: as a name.
std::string percent_name(double percent) {
    return json(percent == std::floor(percent) ? json(std::llround(percent)) : json(percent)).dump();
}

ordered_json ms_or_null(const std::optional<nanoseconds>& time) { return time ? ordered_json(to_ms(*time)) : ordered_json(nullptr); }

std::uint32_t sample_rate_of(const json& row) {
    return static_cast<std::uint32_t>(whole(member(row, "sample_rate"), "sample_rate", 1, 1'000'000'000));
}

// Gives each chunk with samples to take(arrival, frames), in order.
template <typename Take>
void for_each_chunk(const json& row, Take take) {
    constexpr double most_ms = 1e12;  // 31 years
    std::optional<nanoseconds> last;
    std::size_t at = 0;
    for (const json& chunk : array_of(row, "chunks")) {
        const std::string here = fmt::format("chunks[{}]", at++);
        if (!chunk.is_object()) refuse("{} must be an object with t_ms and samples", here);
        const auto frames = whole(member(chunk, "samples"), here + ".samples", 0, 10'000'000'000'000);
        const double t_ms = finite(member(chunk, "t_ms"), here + ".t_ms");
        if (std::abs(t_ms) > most_ms) refuse("{}.t_ms must be within {} ms of zero", here, most_ms);
        if (frames == 0) continue;
        const nanoseconds arrival{std::llround(t_ms * 1e6)};
        if (last && arrival < *last) refuse("{}.t_ms is earlier than that of the chunk before", here);
        last = arrival;
        take(arrival, static_cast<std::uint64_t>(frames));
    }
}

ordered_json compute_playback(const json& row) {
    playback::timeline listener{sample_rate_of(row)};
    ordered_json stalls = ordered_json::array();
    for_each_chunk(row, [&](nanoseconds arrival, std::uint64_t frames) {
        const std::uint64_t index = listener.chunks();
        const nanoseconds stall = listener.on_chunk(arrival, frames);
        if (stall > nanoseconds::zero()) stalls.push_back({index, to_ms(stall)});
    });
    return {{"ttfa_ms", ms_or_null(listener.first_pcm())},
            {"playback_start_ms", ms_or_null(listener.gapless_start())},
            {"underruns", listener.underruns().count},
            {"underrun_ms", to_ms(listener.underruns().length)},
            {"max_stream_gap_ms", ms_or_null(listener.longest_gap())},
            {"stalls", stalls},
            {"audio_ms", to_ms(listener.audio())}};
}

ordered_json compute_onset(const json& row) {
    playback::timeline listener{sample_rate_of(row)};
    auto silent = static_cast<std::uint64_t>(whole(member(row, "leading_silent_frames"), "leading_silent_frames", 0, INT64_MAX));
    for_each_chunk(row, [&](nanoseconds arrival, std::uint64_t frames) {
        const std::uint64_t here = std::min(silent, frames);
        listener.on_chunk(arrival, frames, here);
        silent -= here;
    });
    return {{"first_pcm_ms", ms_or_null(listener.first_pcm())},
            {"first_signal_ms", ms_or_null(listener.first_signal())},
            {"first_audio_ms", ms_or_null(listener.first_audio())}};
}

ordered_json compute_percentile(const json& row) {
    auto values = numbers(row, "values");
    if (values.empty()) refuse("values must not be empty");
    std::sort(values.begin(), values.end());
    ordered_json linear = ordered_json::object(), nearest = ordered_json::object();
    for (const double percent : percents(row, {0, 1, 5, 25, 50, 75, 90, 95, 99, 99.9, 100})) {
        linear[percent_name(percent)] = *stats::percentile_of_sorted(values, percent);
    }
    for (const double percent : percents(row, {1, 5, 25, 50, 75, 90, 95, 99, 100})) {
        nearest[percent_name(percent)] = *stats::percentile_of_sorted(values, percent, stats::percentile_method::nearest_rank);
    }
    return {{"linear", linear}, {"nearest_rank", nearest}};
}

ordered_json compute_bootstrap(const json& row) {
    const auto values = numbers(row, "values");
    if (values.empty()) refuse("values must not be empty");
    std::vector<std::int64_t> units;
    for (const json& each : array_of(row, "units")) {
        units.push_back(whole(each, fmt::format("units[{}]", units.size()), INT64_MIN, INT64_MAX));
    }
    if (units.size() != values.size()) refuse("units must be as many as values: {} are not {}", units.size(), values.size());
    const stats::resampling how{
        .resamples = static_cast<std::uint32_t>(row.contains("resamples") ? whole(row["resamples"], "resamples", 1, 10'000'000) : 10'000),
        .seed = static_cast<std::uint64_t>(row.contains("seed") ? whole(row["seed"], "seed", 0, INT64_MAX) : 0)};
    const std::set<std::int64_t> rounds{units.begin(), units.end()};
    std::vector<std::byte> memory(stats::cluster_bootstrap::workspace_size(values.size(), rounds.size(), how));
    const auto bootstrap = stats::cluster_bootstrap::prepare(values, units, memory, how);
    if (!bootstrap) refuse("{}", message(bootstrap.error().code));
    ordered_json made = ordered_json::object();
    for (const double percent : percents(row, {50, 95})) {
        const auto estimate = *bootstrap->percentile(percent);
        const std::string name = "p" + percent_name(percent);
        made[name] = estimate.value;
        made["ci95_" + name] = {estimate.percentile_interval.low, estimate.percentile_interval.high};
    }
    return made;
}

ordered_json compute_round_seed(const json& row) {
    const auto any = [&](const char* name) { return whole(member(row, name), name, INT64_MIN, INT64_MAX); };
    return {{"seed", measure::round_seed(any("seed_base"), any("round_index"))}};
}

}  // namespace

const std::map<std::string, computation>& computations() {
    static const std::map<std::string, computation> all{
        {"playback", {"chunks [{t_ms, samples}], sample_rate: when playback starts and where it stalls", compute_playback}},
        {"onset", {"the same and leading_silent_frames: when the first sound is heard", compute_onset}},
        {"percentile", {"values, percentiles?: by linear interpolation (type 7) and by nearest rank", compute_percentile}},
        {"bootstrap", {"values, units, percentiles?, resamples?, seed?: 95 % intervals over units", compute_bootstrap}},
        {"round-seed", {"seed_base, round_index: the seed that a round's requests carry", compute_round_seed}}};
    return all;
}

int compute_lines(const computation& what, std::istream& lines, std::FILE* out) {
    int exit_code = 0;
    std::string line;
    for (std::size_t number = 1; std::getline(lines, line); ++number) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        ordered_json answer;
        try {
            if (const auto valid = wire::check_json(line); !valid) refuse("not JSON at character {}", valid.error().place + 1);
            const json row = json::parse(line);
            if (!row.is_object()) refuse("a line must be a JSON object");
            answer = what.of(row);
        } catch (const std::exception& wrong) {
            answer = {{"error", wrong.what()}, {"line", number}};
            exit_code = 2;
        }
        fmt::print(out, "{}\n", answer.dump());
    }
    std::fflush(out);
    return exit_code;
}

}  // namespace playhead::cli
