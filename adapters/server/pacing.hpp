#pragma once
// pacing: when each chunk is due, and waiting until then.
#include <playhead/core/time.hpp>

#include <atomic>
#include <cstdint>
#include <vector>

namespace playhead::server {

// A machine that produces codec frames of 80 ms one after another and ships them in chunks.
struct pacing_options {
    std::vector<std::uint32_t> ramp{1, 6, 25};  // codec frames in each chunk; the last number repeats
    double frame_cost_ms = 0;                   // producing one codec frame
    double first_ms = 0;                        // before the first chunk, beside its frames' cost
    double jitter_ms = 0;                       // each chunk is late by up to this, uniform, from the request's seed
};

class pacer {
public:
    pacer(const pacing_options& options, std::uint32_t seed) : options_{options}, seed_{seed} {}

    // Codec frames of the next chunk.
    [[nodiscard]] std::uint32_t next_size() const noexcept;
    // The next chunk has `codec_frames`: when it is due, since the request's start.
    [[nodiscard]] nanoseconds next_due(std::uint64_t codec_frames) noexcept;

private:
    const pacing_options& options_;
    std::uint32_t seed_;
    std::uint64_t chunk_ = 0;
    std::uint64_t produced_ = 0;  // codec frames
};

// Now on CLOCK_MONOTONIC, which is std::chrono::steady_clock's.
[[nodiscard]] nanoseconds monotonic_now() noexcept;

// Waits until that time on CLOCK_MONOTONIC, or until `stop` is true; returns false then.
[[nodiscard]] bool wait_until(nanoseconds when, const std::atomic<bool>& stop) noexcept;

// Lets the calling thread be woken as exactly as the kernel can.
void wake_exactly() noexcept;

}  // namespace playhead::server
