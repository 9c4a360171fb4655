// A receiver's wish to stop is not dropped by accident.
// expect: nodiscard
#include <playhead/core/sink.hpp>

#ifdef RIGHT
bool f() { return playhead::null_sink{}.on(1) == playhead::flow::stop; }
#else
void f() { playhead::null_sink{}.on(1); }
#endif
