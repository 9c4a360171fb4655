// A result is not dropped by accident.
// expect: nodiscard
#include <playhead/core/result.hpp>

playhead::result<void> send();

#ifdef RIGHT
bool f() { return send().has_value(); }
#else
void f() { send(); }
#endif
