#include "hearing.hpp"

#include <playhead/playhead.hpp>

hearing hear(std::span<double> arrivals_ms, std::uint64_t frames_each) {
    playhead::playback::timeline listener{24'000};
    for (const double arrival : arrivals_ms) {
        listener.on_chunk(playhead::nanoseconds{static_cast<std::int64_t>(arrival * 1e6)}, frames_each);
    }
    return {playhead::to_ms(listener.gapless_start().value_or(playhead::nanoseconds{})), listener.underruns().count,
            playhead::stats::percentile(arrivals_ms, 50).value_or(-1)};
}
