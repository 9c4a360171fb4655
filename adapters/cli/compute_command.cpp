#include "commands.hpp"
#include "compute.hpp"
#include "posix/failure.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

namespace playhead::cli {

command add_compute(CLI::App& program) {
    struct arguments {
        std::string name;
        std::string input = "-";
    };
    auto given = std::make_shared<arguments>();
    CLI::App& compute = *program.add_subcommand("compute", "The library by JSON lines: a line in, a line out");
    std::string names;
    for (const auto& [name, of] : computations()) names += fmt::format("\n  {:<12}{}", name, of.help);
    compute.add_option("name", given->name, "What to compute")->required();
    compute.add_option("input", given->input, "File of JSON lines; - is standard input")->capture_default_str();
    compute.footer("NAME is one of" + names +
                   "\nA bad line gives {\"error\": ..., \"line\": n} in its place, and exit code 2 at the end. Empty lines are skipped.");
    return [given] {
        const auto found = computations().find(given->name);
        if (found == computations().end()) {
            std::string known;
            for (const auto& each : computations()) known += (known.empty() ? "" : ", ") + each.first;
            throw posix::bad_input(fmt::format("compute: {} is not one of {}", given->name, known));
        }
        if (given->input == "-") return compute_lines(found->second, std::cin, stdout);
        std::ifstream file{given->input};
        if (!file) throw posix::bad_input(fmt::format("{}: cannot be read", given->input));
        return compute_lines(found->second, file, stdout);
    };
}

}  // namespace playhead::cli
