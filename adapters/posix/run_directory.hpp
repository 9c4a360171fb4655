#pragma once
// run_directory: the folder that takes a benchmark's files. Each appears whole under its name, or not at all.
#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace playhead::posix {

class run_directory {
public:
    // Makes the folder where it is missing. Throws file_failure.
    explicit run_directory(std::filesystem::path root);

    // Writes a file below the folder, and the folders on its way: under another name first, synced, then renamed.
    // Throws file_failure, which names the file and the reason.
    void write(const std::filesystem::path& relative, std::span<const std::byte> bytes) const;
    void write(const std::filesystem::path& relative, std::string_view text) const;

    [[nodiscard]] const std::filesystem::path& root() const noexcept { return root_; }

private:
    std::filesystem::path root_;
};

}  // namespace playhead::posix
