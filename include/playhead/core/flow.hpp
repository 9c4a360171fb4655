#pragma once
// flow: how the receiver of a stream answers its giver: go on, or stop.

namespace playhead {

enum class [[nodiscard]] flow : bool{stop, go_on};

}  // namespace playhead
