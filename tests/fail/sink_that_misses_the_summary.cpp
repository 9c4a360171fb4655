// A session's sink takes each of its events; one that misses the summary is named when the session is made.
// expect: session_sink|sink_for
#include <playhead/measure/session.hpp>

struct deaf {
    template <typename Event>
    playhead::flow on(const Event&) {
        return playhead::flow::go_on;
    }
    playhead::flow on(const playhead::measure::summary&) = delete;
};

#ifdef RIGHT
static_assert(playhead::measure::session_sink<playhead::null_sink>);
#else
static_assert(playhead::measure::session_sink<deaf>);
#endif
