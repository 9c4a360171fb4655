#include "trace_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <fstream>
#include <stdexcept>

namespace playhead::server {

namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

nanoseconds time_of(const json& value, const char* name) {
    if (!value.is_number() || value.get<double>() < 0 || value.get<double>() > 1e9) refuse(fmt::format("{} must be 0 to 1e9 ms", name));
    return nanoseconds{std::llround(value.get<double>() * 1e6)};
}

std::uint64_t frames_of(const json& value, const char* name) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 100'000'000) refuse(fmt::format("{} must be 0 to 100000000", name));
    return value.get<std::uint64_t>();
}

traced_stream read_stream(const json& row) {
    traced_stream stream;
    if (!row.is_object() || !row.contains("chunks") || !row["chunks"].is_array()) refuse("chunks must be an array of {t_ms, samples}");
    stream.sample_rate = static_cast<std::uint32_t>(frames_of(row.value("sample_rate", json{}), "sample_rate"));
    nanoseconds last{};
    for (const json& chunk : row["chunks"]) {
        if (!chunk.is_object()) refuse("chunks must be an array of {t_ms, samples}");
        const traced_stream::chunk read{time_of(chunk.value("t_ms", json{}), "t_ms"), frames_of(chunk.value("samples", json{}), "samples")};
        if (read.at < last) refuse("t_ms must not go back");
        last = read.at;
        if (read.frames > 0) stream.chunks.push_back(read);
    }
    stream.final = row.contains("t_final_ms") ? time_of(row["t_final_ms"], "t_final_ms") : last;
    if (stream.final < last) refuse("t_final_ms must not be before the last chunk");
    const std::uint64_t tail = row.contains("tail_samples") ? frames_of(row["tail_samples"], "tail_samples") : 0;
    if (tail > 0) stream.chunks.push_back({stream.final, tail});
    if (stream.chunks.empty()) refuse("there must be a chunk with samples");
    return stream;
}

}  // namespace

std::vector<traced_stream> load_traces(const std::string& path) {
    std::ifstream file{path};
    if (!file) throw std::runtime_error(fmt::format("{}: cannot be read; it should hold JSON lines of measured streams", path));
    std::vector<traced_stream> streams;
    std::string line;
    for (std::size_t number = 1; std::getline(file, line); ++number) {
        try {
            const json row = json::parse(line, nullptr, false);
            if (row.is_discarded()) refuse("not JSON");
            streams.push_back(read_stream(row));
        } catch (const std::invalid_argument& wrong) {
            throw std::runtime_error(fmt::format("{}:{}: {}", path, number, wrong.what()));
        }
    }
    if (streams.empty()) throw std::runtime_error(fmt::format("{}: holds no stream", path));
    return streams;
}

std::optional<std::uint64_t> last_number_in(std::string_view text) noexcept {
    const auto end = text.find_last_of("0123456789");
    if (end == std::string_view::npos) return std::nullopt;
    auto begin = text.find_last_not_of("0123456789", end);
    begin = begin == std::string_view::npos ? 0 : begin + 1;
    std::uint64_t number = 0;
    const auto [stop, wrong] = std::from_chars(text.data() + begin, text.data() + end + 1, number);
    if (wrong != std::errc{} || stop != text.data() + end + 1) return std::nullopt;
    return number;
}

}  // namespace playhead::server
