#pragma once
// compute: the library's functions on JSON, for other languages: an object in, an object out.
#include <nlohmann/json.hpp>

#include <cstdio>
#include <functional>
#include <iosfwd>
#include <map>
#include <string>

namespace playhead::cli {

struct computation {
    std::string help;
    // Throws std::invalid_argument with one line that says which member is wrong and what would be right.
    std::function<nlohmann::ordered_json(const nlohmann::json&)> of;
};

// By name.
[[nodiscard]] const std::map<std::string, computation>& computations();

// Each line of `lines` through `what`, a line each to `out`. Returns the exit code: 2 where a line was bad.
[[nodiscard]] int compute_lines(const computation& what, std::istream& lines, std::FILE* out);

}  // namespace playhead::cli
