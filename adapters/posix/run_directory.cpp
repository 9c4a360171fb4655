#include "run_directory.hpp"

#include "failure.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace playhead::posix {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view doing, int reason) {
    throw file_failure(fmt::format("{}: cannot {}: {}", path.string(), doing, std::generic_category().message(reason)));
}

void make_folder(const std::filesystem::path& path) {
    std::error_code reason;
    std::filesystem::create_directories(path, reason);
    if (reason) throw file_failure(fmt::format("{}: cannot make the folder: {}", path.string(), reason.message()));
}

// An open file that closes itself, and takes its name away again where it was not finished.
class unfinished_file {
public:
    explicit unfinished_file(std::filesystem::path path)
        : path_{std::move(path)}, descriptor_{::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)} {
        if (descriptor_ < 0) fail(path_, "write", errno);
    }
    ~unfinished_file() {
        if (descriptor_ < 0) return;
        ::close(descriptor_);
        ::unlink(path_.c_str());
    }
    unfinished_file(const unfinished_file&) = delete;
    unfinished_file& operator=(const unfinished_file&) = delete;

    void append(std::span<const std::byte> bytes) const {
        while (!bytes.empty()) {
            const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) fail(path_, "write", errno);
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
    }
    void finish_as(const std::filesystem::path& name) {
        if (::fsync(descriptor_) != 0) fail(path_, "write", errno);
        if (::close(std::exchange(descriptor_, -1)) != 0 || ::rename(path_.c_str(), name.c_str()) != 0) {
            const int reason = errno;
            ::unlink(path_.c_str());
            fail(name, "write", reason);
        }
    }

private:
    std::filesystem::path path_;
    int descriptor_;
};

}  // namespace

run_directory::run_directory(std::filesystem::path root) : root_{std::move(root)} { make_folder(root_); }

void run_directory::write(const std::filesystem::path& relative, std::span<const std::byte> bytes) const {
    const auto target = root_ / relative;
    make_folder(target.parent_path());
    unfinished_file file{std::filesystem::path{target} += ".part"};
    file.append(bytes);
    file.finish_as(target);
}

void run_directory::write(const std::filesystem::path& relative, std::string_view text) const {
    write(relative, std::as_bytes(std::span{text.data(), text.size()}));
}

}  // namespace playhead::posix
