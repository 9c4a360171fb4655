#pragma once
// progress_line: how far a benchmark has come, on one line of a terminal; nothing where stderr is none.
#include <cstddef>
#include <string_view>

namespace playhead::cli {

class progress_line {
public:
    //   total  the requests that will be sent
    explicit progress_line(std::size_t total) noexcept;
    ~progress_line() { clear(); }
    progress_line(const progress_line&) = delete;
    progress_line& operator=(const progress_line&) = delete;

    // `done` requests are done; `doing` says what goes on.
    void show(std::size_t done, std::string_view doing) noexcept;
    // Takes the line away.
    void clear() noexcept;

private:
    std::size_t total_;
    bool is_terminal_;
    bool is_shown_ = false;
};

}  // namespace playhead::cli
