#pragma once
// sink: where what was heard goes: a file, a progress bar, a list, or nowhere.
#include "flow.hpp"

#include <concepts>

namespace playhead {

// A sink for events of type Event.
//   s.on(event)   flow   takes the event; what it views ends with the call; flow::stop ends the measurement
// Not asked: that it is quick. It is called after the stamps of the event were taken, but time spent in it is time not spent reading.
template <typename S, typename Event>
concept sink_for = requires(S& s, const Event& event) {
    { s.on(event) } -> std::same_as<flow>;
};

// A sink takes each of Events. The events of a measurement are listed in measure/session.hpp.
template <typename S, typename... Events>
concept sink = (sink_for<S, Events> && ...);

// Takes every event, keeps none.
struct null_sink {
    template <typename Event>
    constexpr flow on(const Event&) noexcept {
        return flow::go_on;
    }
};

}  // namespace playhead
