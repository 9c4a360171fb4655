#pragma once
// failure: how adapters say that they cannot go on: the kinds that the program's exit codes tell apart.
#include <stdexcept>

namespace playhead::posix {

// What was given is wrong; nothing was sent. Exit code 2.
struct bad_input : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A file could not be written or read. Exit code 3.
struct file_failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace playhead::posix
