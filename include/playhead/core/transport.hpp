#pragma once
// transport: how a request gets to a server and its response back, without a word on any HTTP library.
#include "flow.hpp"
#include "result.hpp"
#include "time.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace playhead {

// One POST request. It views memory of the caller, which outlives the call of perform().
struct http_request {
    std::string_view path{};          // below the server's base, with its leading slash
    std::string_view content_type{};  // of the body
    std::string_view accept{};        // what may come back
    std::span<const std::byte> body{};
};

// How the connection of a request came about. Times are from the request's start; zero where there was nothing to do.
struct connection_report {
    bool reused = false;        // an earlier request's connection was used again
    nanoseconds name_lookup{};  // the host's name was resolved
    nanoseconds connected{};    // the host was reached
    nanoseconds secured{};      // the secure channel stood
};

// A receiver takes one response, in this order:
//   r.on_status(int)                  once: the final response's status, no interim (1xx) one
//   r.on_header(name, value)          for each header of the final response; no trailer; views end with the call
//   r.on_body(span of bytes)          for each delivery, none of them empty; the view ends with the call
// Each answers flow::go_on or flow::stop. After stop nothing more is delivered and perform() returns error_code::stopped.
// A receiver may also have r.on_connection(connection_report): called at most once, before on_status.
template <typename R>
concept response_receiver = requires(R& r, int status, std::string_view text, std::span<const std::byte> bytes) {
    { r.on_status(status) } -> std::same_as<flow>;
    { r.on_header(text, text) } -> std::same_as<flow>;
    { r.on_body(bytes) } -> std::same_as<flow>;
};

// A transport carries requests one after another.
//   t.perform(request, receiver)   result<void>   returns when the whole body was delivered, or with the error that ended it
//   errors   dns, connect, tls, timeout, reset, truncated (the body ended before its framing said so), stopped
// It delivers bytes as soon as it has them, holds none back, decodes no content encoding, and keeps to one deadline for the whole.
// Not asked: threads, retries, redirects. Fulfilled by curl::easy_transport (adapters); least: tests/archetypes.hpp.
template <typename T, typename Receiver>
concept transport_to = response_receiver<Receiver> && requires(T& t, const http_request& request, Receiver& receiver) {
    { t.perform(request, receiver) } -> std::same_as<result<void>>;
};

// A receiver that takes everything and keeps nothing: the measure for `transport`.
struct null_receiver {
    constexpr flow on_status(int) noexcept { return flow::go_on; }
    constexpr flow on_header(std::string_view, std::string_view) noexcept { return flow::go_on; }
    constexpr flow on_body(std::span<const std::byte>) noexcept { return flow::go_on; }
};

template <typename T>
concept transport = transport_to<T, null_receiver>;

}  // namespace playhead
