// Chunks arrived; what did the listener hear?
#include <playhead/playback/timeline.hpp>

#include <cstdio>

int main() {
    using namespace std::chrono_literals;
    using playhead::to_ms;
    // [shown]
    playhead::playback::timeline listener{24'000};  // frames a second
    listener.on_chunk(30ms, 1'920);                 // arrival since the request's start, frames
    listener.on_chunk(199ms, 48'000);
    const auto [count, length, longest] = listener.underruns();
    std::printf("%d stall of %.0f ms, none from %.0f ms on\n", int(count), to_ms(length), to_ms(*listener.gapless_start()));
    // [/shown]
}
