// playhead: the program. It reads the arguments and hands them to one command.
#include "commands.hpp"
#include "posix/failure.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <array>
#include <cstdio>
#include <exception>
#include <string_view>
#include <utility>

namespace {

constexpr int wrong_input = 2, file_failed = 3;

int complain(int code, std::string_view what) {
    fmt::print(stderr, "playhead: {}\n", what);
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace playhead;
    CLI::App program{"Measure streamed speech as a listener hears it.", "playhead"};
    program.set_version_flag("--version", "playhead " PLAYHEAD_VERSION);
    program.require_subcommand(1);
    program.footer(
        "Results go to stdout, progress and notes to stderr.\n"
        "Exit codes: 0 done and the verdict is not FAIL, 1 the verdict is FAIL, 2 wrong arguments or input (nothing was sent),\n"
        "3 a file failed.");
    const std::array<std::pair<const char*, cli::command>, 4> commands{{{"demo", cli::add_demo(program)},
                                                                        {"bench", cli::add_bench(program)},
                                                                        {"serve", cli::add_serve(program)},
                                                                        {"compute", cli::add_compute(program)}}};
    try {
        program.parse(argc, argv);
    } catch (const CLI::Success& asked_for_help) {
        return program.exit(asked_for_help);
    } catch (const CLI::ParseError& wrong) {
        return complain(wrong_input, fmt::format("{}; see playhead --help", wrong.what()));
    }
    try {
        for (const auto& [name, run] : commands) {
            if (program.got_subcommand(name)) return run();
        }
        return complain(wrong_input, "no command given; see playhead --help");
    } catch (const posix::bad_input& wrong) {
        return complain(wrong_input, wrong.what());
    } catch (const posix::file_failure& failure) {
        return complain(file_failed, failure.what());
    } catch (const std::exception& failure) {
        return complain(file_failed, failure.what());
    }
}
