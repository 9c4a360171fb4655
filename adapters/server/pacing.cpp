#include "pacing.hpp"

#include <playhead/stats/philox.hpp>

#include <sys/prctl.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

namespace playhead::server {

std::uint32_t pacer::next_size() const noexcept {
    const std::size_t at = std::min<std::size_t>(static_cast<std::size_t>(chunk_), options_.ramp.size() - 1);
    return options_.ramp[at];
}

nanoseconds pacer::next_due(std::uint64_t codec_frames) noexcept {
    produced_ += codec_frames;
    const double chance = static_cast<double>(stats::philox{seed_}.at(0, chunk_)) / 4'294'967'296.0;
    ++chunk_;
    const double ms = options_.first_ms + options_.frame_cost_ms * static_cast<double>(produced_) + options_.jitter_ms * chance;
    return nanoseconds{std::llround(ms * 1e6)};
}

nanoseconds monotonic_now() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::chrono::seconds{now.tv_sec} + nanoseconds{now.tv_nsec};
}

bool wait_until(nanoseconds when, const std::atomic<bool>& stop) noexcept {
    using namespace std::chrono_literals;
    for (;;) {
        if (stop.load()) return false;
        const nanoseconds now = monotonic_now();
        if (now >= when) return true;
        // In slices, so that a stop is noticed; the last one ends exactly at `when`.
        const nanoseconds slice = std::min<nanoseconds>(when, now + 50ms);
        const timespec end{slice.count() / 1'000'000'000, slice.count() % 1'000'000'000};
        while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, nullptr) == EINTR) {}
    }
}

void wake_exactly() noexcept { ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); }

}  // namespace playhead::server
