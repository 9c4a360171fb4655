// A result is a union: what it holds must be trivially copyable.
// expect: trivially copyable values only
#include <playhead/core/result.hpp>

struct owner {
    owner() = default;
    owner(const owner&) {}
};

#ifdef RIGHT
playhead::result<const char*> f() { return "text"; }
#else
playhead::result<owner> f() { return owner{}; }
#endif
