#pragma once
// server_arguments: the arguments that say how the loopback server speaks, shared by `serve` and `demo`.
#include "server/speech_server.hpp"

namespace CLI {
class App;
}

namespace playhead::cli {

void add_server_arguments(CLI::App& command, server::server_options& options);

}  // namespace playhead::cli
