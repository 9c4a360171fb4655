#include "progress_line.hpp"

#include <unistd.h>

#include <cstdio>
#include <string>

namespace playhead::cli {

progress_line::progress_line(std::size_t total) noexcept : total_{total}, is_terminal_{isatty(STDERR_FILENO) == 1} {}

void progress_line::show(std::size_t done, std::string_view doing) noexcept {
    if (!is_terminal_ || total_ == 0) return;
    constexpr std::size_t width = 30;
    const std::size_t filled = width * done / total_;
    const std::string bar = std::string(filled, '#') + std::string(width - filled, '.');
    std::fprintf(stderr, "\r\033[K[%s] %zu of %zu  %.*s", bar.c_str(), done, total_, static_cast<int>(doing.size()), doing.data());
    std::fflush(stderr);
    is_shown_ = true;
}

void progress_line::clear() noexcept {
    if (!is_shown_) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
    is_shown_ = false;
}

}  // namespace playhead::cli
