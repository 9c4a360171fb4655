// A result whose value is an error could not tell one from the other.
// expect: cannot tell its value from its error
#include <playhead/core/result.hpp>

#ifdef RIGHT
playhead::result<int> f() { return 1; }
#else
playhead::result<playhead::error> f() { return playhead::error{}; }
#endif
