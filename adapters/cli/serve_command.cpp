#include "commands.hpp"
#include "posix/failure.hpp"
#include "server_arguments.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <memory>

namespace playhead::cli {

command add_serve(CLI::App& program) {
    auto given = std::make_shared<server::server_options>();
    CLI::App& serve = *program.add_subcommand("serve", "A speech server on this machine's loopback, to measure and to test against");
    serve.add_option("--port", given->port, "TCP port on 127.0.0.1; 0 takes a free one")->capture_default_str();
    add_server_arguments(serve, *given);
    serve.add_option(
        "--trace", given->trace_file,
        "Replay measured streams, JSON lines with chunks [{t_ms, samples}], sample_rate, t_final_ms, tail_samples: the number in a "
        "request's text names the line");
    serve.add_option("--log", given->log_file, "Write a JSON line a request: what was asked and when each event was flushed");
    return [given] {
        // Both signals are taken by sigwait below, so that the server is stopped in order.
        sigset_t stops;
        sigemptyset(&stops);
        sigaddset(&stops, SIGINT);
        sigaddset(&stops, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &stops, nullptr);
        try {
            server::speech_server server{*given};
            fmt::print("listening on {}\n", server.url());
            std::fflush(stdout);
            int signal = 0;
            sigwait(&stops, &signal);
            server.stop();
        } catch (const std::runtime_error& wrong) {
            throw posix::bad_input(fmt::format("serve: {}", wrong.what()));
        }
        return 0;
    };
}

}  // namespace playhead::cli
