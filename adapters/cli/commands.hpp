#pragma once
// commands: what `playhead` can do, a function each: it adds its command to the program and returns how to run it.
#include <functional>

namespace CLI {
class App;
}

namespace playhead::cli {

// Runs a command whose arguments were read; returns the program's exit code. Throws posix::bad_input (2) and posix::file_failure (3).
using command = std::function<int()>;

[[nodiscard]] command add_demo(CLI::App& program);
[[nodiscard]] command add_bench(CLI::App& program);
[[nodiscard]] command add_serve(CLI::App& program);
[[nodiscard]] command add_compute(CLI::App& program);

}  // namespace playhead::cli
