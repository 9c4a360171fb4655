// A definition made before the first include is the one that counts; so this file includes nothing else of the library.
namespace {
int refusals = 0;
}
#define PLAYHEAD_ASSERT(condition) ((condition) ? static_cast<void>(0) : static_cast<void>(++refusals))
#include <playhead/core/assert.hpp>

#include <doctest/doctest.h>

TEST_SUITE("core/assert") {
    TEST_CASE("assertions go where an earlier definition sends them") {
        int looked_at = 0;
        PLAYHEAD_ASSERT(++looked_at == 1);
        CHECK(refusals == 0);
        PLAYHEAD_ASSERT(++looked_at == 1);
        CHECK(refusals == 1);
        CHECK(looked_at == 2);
    }
}
