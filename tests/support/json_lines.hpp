#pragma once
// json_lines: the rows of a file in tests/data.
#include <nlohmann/json.hpp>

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace playhead::test {

// One JSON value a line. Throws where the file is missing or has no row: a test of nothing must not pass.
inline std::vector<nlohmann::json> rows_of(const std::string& name) {
    std::ifstream file{PLAYHEAD_TEST_DATA "/" + name, std::ios::binary};
    std::vector<nlohmann::json> rows;
    for (std::string line; std::getline(file, line);) {
        if (!line.empty()) rows.push_back(nlohmann::json::parse(line));
    }
    if (rows.empty()) throw std::runtime_error("no rows in " PLAYHEAD_TEST_DATA "/" + name);
    return rows;
}

// The reported cases that `computation` answers.
inline std::vector<nlohmann::json> reported_rows(const std::string& computation) {
    std::vector<nlohmann::json> rows;
    for (auto& row : rows_of("reported.jsonl")) {
        if (row.value("compute", "") == computation) rows.push_back(row);
    }
    if (rows.empty()) throw std::runtime_error("no reported case for " + computation);
    return rows;
}

}  // namespace playhead::test
