#pragma once
// archetypes: the least types that fulfil the library's concepts. They offer nothing that their concept does not ask for: no default
// construction, no copies, no moves. Whatever takes a concept must compile, and run, with its archetype.
#include <playhead/playhead.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace playhead::test {

// What every archetype begins with: it is made from something, stays where it is, and goes.
class least {
public:
    least() = delete;
    least(const least&) = delete;
    least& operator=(const least&) = delete;

protected:
    struct made {};
    explicit constexpr least(made) noexcept {}
    ~least() = default;
};

// A clock of coarse steps whose time is a number that somebody else moves.
class least_clock : least {
public:
    using time_point = std::chrono::time_point<least_clock, std::chrono::duration<std::int32_t, std::milli>>;

    explicit constexpr least_clock(const std::int32_t& milliseconds) noexcept : least{made{}}, milliseconds_{milliseconds} {}
    [[nodiscard]] constexpr time_point now() const noexcept { return time_point{typename time_point::duration{milliseconds_}}; }

private:
    const std::int32_t& milliseconds_;
};

class least_receiver : least {
public:
    explicit constexpr least_receiver(flow answer) noexcept : least{made{}}, answer_{answer} {}
    constexpr flow on_status(int) { return answer_; }
    constexpr flow on_header(std::string_view, std::string_view) { return answer_; }
    constexpr flow on_body(std::span<const std::byte>) { return answer_; }

private:
    flow answer_;
};

// Answers every request with one body.
class least_transport : least {
public:
    explicit constexpr least_transport(std::string_view body) noexcept : least{made{}}, body_{body} {}

    template <response_receiver Receiver>
    result<void> perform(const http_request&, Receiver& receiver) {
        const bool goes_on = receiver.on_status(200) == flow::go_on &&
                             receiver.on_header("content-type", "application/x-ndjson") == flow::go_on &&
                             (body_.empty() || receiver.on_body(std::as_bytes(std::span{body_})) == flow::go_on);
        if (!goes_on) return error{error_code::stopped};
        return {};
    }

private:
    std::string_view body_;
};

// The sink of a session: one function for each event, and no other.
class least_sink : least {
public:
    explicit constexpr least_sink(flow answer) noexcept : least{made{}}, answer_{answer} {}
    flow on(const measure::request_begin&) { return answer_; }
    flow on(const measure::pcm_piece&) { return answer_; }
    flow on(const measure::pcm_drop&) { return answer_; }
    flow on(const measure::chunk_arrival&) { return answer_; }
    flow on(const measure::request_row&) { return answer_; }
    flow on(const measure::round_begin&) { return answer_; }
    flow on(const measure::round_end&) { return answer_; }
    flow on(const measure::summary&) { return answer_; }

private:
    flow answer_;
};

class least_json_handler : least {
public:
    explicit constexpr least_json_handler(std::size_t& tokens) noexcept : least{made{}}, tokens_{tokens} {}
    constexpr void on_object_begin() { ++tokens_; }
    constexpr void on_object_end() { ++tokens_; }
    constexpr void on_array_begin() { ++tokens_; }
    constexpr void on_array_end() { ++tokens_; }
    constexpr void on_name(std::string_view, bool last) { tokens_ += last ? 1 : 0; }
    constexpr void on_string(std::string_view, bool last) { tokens_ += last ? 1 : 0; }
    constexpr void on_number(std::string_view, bool last) { tokens_ += last ? 1 : 0; }
    constexpr void on_literal(wire::json_literal) { ++tokens_; }

private:
    std::size_t& tokens_;
};

class least_ndjson_handler : public least_json_handler {
public:
    explicit constexpr least_ndjson_handler(std::size_t& tokens, std::size_t& lines) noexcept : least_json_handler{tokens}, lines_{lines} {}
    constexpr result<void> on_line_end(std::uint64_t) {
        ++lines_;
        return {};
    }

private:
    std::size_t& lines_;
};

class least_pcm_receiver : least {
public:
    explicit constexpr least_pcm_receiver(std::uint64_t& frames) noexcept : least{made{}}, frames_{frames} {}
    constexpr void on_pcm(std::span<const std::byte>) {}
    constexpr void on_chunk(std::uint64_t frames, std::uint64_t) { frames_ += frames; }
    constexpr void on_drop() {}

private:
    std::uint64_t& frames_;
};

}  // namespace playhead::test
