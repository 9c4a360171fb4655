#pragma once
// trace_file: measured streams to replay: when each chunk came, and how many samples it had.
#include <playhead/core/time.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace playhead::server {

struct traced_stream {
    struct chunk {
        nanoseconds at;
        std::uint64_t frames;
    };
    std::uint32_t sample_rate = 0;
    std::vector<chunk> chunks;  // the tail, which came with the final message, is the last
    nanoseconds final{};
};

// Reads JSON lines with chunks [{t_ms, samples}], sample_rate, t_final_ms and tail_samples.
// Throws std::runtime_error with one line that names the file, the line in it and what would be right.
[[nodiscard]] std::vector<traced_stream> load_traces(const std::string& path);

// The last whole number in `text`; none without one.
[[nodiscard]] std::optional<std::uint64_t> last_number_in(std::string_view text) noexcept;

}  // namespace playhead::server
