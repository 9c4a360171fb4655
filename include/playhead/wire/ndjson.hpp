#pragma once
// ndjson: a stream of lines, each one JSON value, in pieces cut anywhere.
//
// A line ends with LF or with the stream; CR before it is white space. Empty lines are skipped. A line may be 16 MiB long and needs no
// memory: its tokens go straight to the handler. Each byte is looked at once. 48 bytes of state. Source: github.com/ndjson/ndjson-spec.
#include "../core/result.hpp"
#include "json_tokenizer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace playhead::wire {

// A json_handler that is told where values begin and end:
//   h.on_line_end(first_byte)   result<void>   a line's value was whole; an error ends the reading
//     first_byte  of the line, counted from the start of the stream
template <typename H>
concept ndjson_handler = json_handler<H> && requires(H& h, std::uint64_t first_byte) {
    { h.on_line_end(first_byte) } -> std::same_as<result<void>>;
};

class ndjson_reader {
public:
    static constexpr std::uint64_t most_line_bytes = std::uint64_t{16} * 1024 * 1024;  // its end not counted

    // Reads all of `text`. After an error it is not called again.
    //   errors  bad_json   place: byte of the stream
    //           too_large  a line is longer, or nested deeper, than allowed; place: the first byte too much
    //           what on_line_end returned
    template <ndjson_handler Handler>
    [[nodiscard]] constexpr result<void> feed(std::string_view text, Handler& handler) noexcept;

    // The stream has ended; a last line without line end counts.
    //   errors  truncated  the last line's value is not whole; place: bytes of the stream
    //           what on_line_end returned
    template <ndjson_handler Handler>
    [[nodiscard]] constexpr result<void> finish(Handler& handler) noexcept;

    // Bytes read so far.
    [[nodiscard]] constexpr std::uint64_t bytes() const noexcept { return bytes_; }
    // The first byte of the line that is being read.
    [[nodiscard]] constexpr std::uint64_t line_begin() const noexcept { return line_begin_; }

private:
    template <typename Handler>
    [[nodiscard]] constexpr result<void> end_line(Handler& handler) noexcept;

    json_tokenizer tokenizer_{json_tokenizer::line_ends::refused};
    std::uint64_t bytes_ = 0;
    std::uint64_t line_begin_ = 0;
};

// ---- how it works -------------------------------------------------------------------------------

template <typename Handler>
constexpr result<void> ndjson_reader::end_line(Handler& handler) noexcept {
    const bool empty = tokenizer_.is_empty();
    const bool whole = tokenizer_.finish(handler);
    tokenizer_.reset();
    const std::uint64_t begin = line_begin_;
    line_begin_ = bytes_ + 1;
    if (empty) return {};
    if (!whole) return error{error_code::bad_json, bytes_};
    return handler.on_line_end(begin);
}

template <ndjson_handler Handler>
constexpr result<void> ndjson_reader::feed(std::string_view text, Handler& handler) noexcept {
    while (!text.empty()) {
        if (text.front() == '\n') {
            if (const auto ended = end_line(handler); !ended) return ended;
            ++bytes_;
            text.remove_prefix(1);
            continue;
        }
        const std::uint64_t room = line_begin_ + most_line_bytes - bytes_;
        if (room == 0) return error{error_code::too_large, bytes_};
        std::size_t read = 1;
        const char c = text.front();
        const bool space = c == ' ' || c == '\t' || c == '\r';
        if (tokenizer_.is_done() || (space && tokenizer_.is_empty())) {
            if (!space) return error{error_code::bad_json, bytes_};
        } else {
            const auto fed =
                tokenizer_.feed(part_of(text, 0, static_cast<std::size_t>(std::min<std::uint64_t>(room, text.size()))), handler);
            if (!fed) {
                bytes_ += fed.error().place;
                return error{fed.error().code, bytes_};
            }
            read = *fed;
        }
        bytes_ += read;
        text.remove_prefix(read);
    }
    return {};
}

template <ndjson_handler Handler>
constexpr result<void> ndjson_reader::finish(Handler& handler) noexcept {
    const bool empty = tokenizer_.is_empty();
    const bool whole = tokenizer_.finish(handler);
    tokenizer_.reset();
    if (empty) return {};
    if (!whole) return error{error_code::truncated, bytes_};
    return handler.on_line_end(line_begin_);
}

}  // namespace playhead::wire
