#pragma once
// assert: the check for the caller's mistakes, without <cassert>.
//
// <cassert> brings stdio, a locale and the heap into a firmware image. PLAYHEAD_ASSERT stops at the faulty line with a trap, and is
// gone where NDEBUG is defined. Define PLAYHEAD_ASSERT(condition) before the first include to send it elsewhere. It guards against
// programming errors only: bad input is always an error value (result.hpp).

#ifndef PLAYHEAD_ASSERT
#ifdef NDEBUG
#define PLAYHEAD_ASSERT(condition) static_cast<void>(0)
#else
#define PLAYHEAD_ASSERT(condition) ((condition) ? static_cast<void>(0) : __builtin_trap())
#endif
#endif
