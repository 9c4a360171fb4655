#pragma once
// temporary_folder: a folder of a test's own, gone with it.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace playhead::test {

class temporary_folder {
public:
    temporary_folder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "playhead-test-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path_ = pattern;
    }
    ~temporary_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

    // Writes a file in it and returns where it is.
    std::filesystem::path file(const std::string& name, const std::string& text) const {
        const auto where = path_ / name;
        std::filesystem::create_directories(where.parent_path());
        std::ofstream{where, std::ios::binary} << text;
        return where;
    }

private:
    std::filesystem::path path_;
};

// A file's bytes.
inline std::string text_of(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace playhead::test
