// A workspace is only given back as a whole: what lies in it has no destructor to run.
// expect: never runs destructors
#include <playhead/core/workspace.hpp>

#include <span>

struct owner {
    ~owner() {}
};

#ifdef RIGHT
auto f(playhead::workspace& memory) { return memory.take<double>(3); }
#else
auto f(playhead::workspace& memory) { return memory.take<owner>(3); }
#endif
