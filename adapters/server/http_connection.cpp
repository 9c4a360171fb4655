#include "http_connection.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

namespace playhead::server {

namespace {

constexpr std::size_t most_head_bytes = 64 * std::size_t{1024};
constexpr std::size_t most_body_bytes = 64 * std::size_t{1024} * 1024;

std::string lower_case(std::string_view text) {
    std::string lower{text};
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    return lower;
}

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

std::string_view reason(int status) {
    switch (status) {
        case 100: return "Continue";
        case 200: return "OK";
        case 400: return "Bad Request";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 411: return "Length Required";
        case 413: return "Content Too Large";
        case 431: return "Request Header Fields Too Large";
        case 500: return "Internal Server Error";
        default: return "Status";
    }
}

// The first line and the headers, without the blank line.
received_request parse_head(std::string_view head) {
    received_request request;
    bool first = true;
    while (!head.empty()) {
        const auto end = std::min(head.find("\r\n"), head.size());
        const std::string_view line = head.substr(0, end);
        head.remove_prefix(std::min(end + 2, head.size()));
        if (first) {
            const auto space = line.find(' '), last = line.rfind(' ');
            if (space == std::string_view::npos || last == space || !line.substr(last + 1).starts_with("HTTP/1.")) {
                throw refusal(400, "not an HTTP/1.1 request line");
            }
            request.method = line.substr(0, space);
            request.target = line.substr(space + 1, last - space - 1);
            first = false;
            continue;
        }
        const auto colon = line.find(':');
        if (colon == std::string_view::npos || colon == 0) throw refusal(400, "a header line has no name and colon");
        request.headers[lower_case(line.substr(0, colon))] = trimmed(line.substr(colon + 1));
    }
    return request;
}

std::size_t content_length(const received_request& request) {
    if (request.headers.contains("transfer-encoding")) throw refusal(411, "send the request body with a Content-Length, not in chunks");
    const auto found = request.headers.find("content-length");
    if (found == request.headers.end()) {
        if (request.method == "POST" || request.method == "PUT") throw refusal(411, "a Content-Length is missing");
        return 0;
    }
    std::size_t length = 0;
    const std::string& text = found->second;
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (wrong != std::errc{} || end != text.data() + text.size()) throw refusal(400, "Content-Length is not a number");
    if (length > most_body_bytes) throw refusal(413, fmt::format("the request body is over {} bytes", most_body_bytes));
    return length;
}

}  // namespace

http_connection::http_connection(int socket) : socket_{socket} {
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

http_connection::~http_connection() { ::close(socket_); }

void http_connection::interrupt() noexcept { ::shutdown(socket_, SHUT_RDWR); }

bool http_connection::receive() {
    std::array<char, 16 * 1024> bytes;
    for (;;) {
        const ssize_t read = ::recv(socket_, bytes.data(), bytes.size(), 0);
        if (read < 0 && errno == EINTR) continue;
        if (read <= 0) return false;
        unread_.append(bytes.data(), static_cast<std::size_t>(read));
        return true;
    }
}

std::optional<received_request> http_connection::read_request() {
    may_go_on_ = false;
    std::size_t head = 0;
    while ((head = unread_.find("\r\n\r\n")) == std::string::npos) {
        if (unread_.size() > most_head_bytes) throw refusal(431, fmt::format("the request head is over {} bytes", most_head_bytes));
        const bool nothing_yet = unread_.empty();
        if (receive()) continue;
        if (nothing_yet) return std::nullopt;
        throw connection_gone{};
    }
    if (head > most_head_bytes) throw refusal(431, fmt::format("the request head is over {} bytes", most_head_bytes));
    received_request request = parse_head(std::string_view{unread_}.substr(0, head));
    unread_.erase(0, head + 4);
    const std::size_t length = content_length(request);
    if (const auto expect = request.headers.find("expect");
        expect != request.headers.end() && lower_case(expect->second) == "100-continue") {
        request.expected_continue = true;
        if (unread_.size() < length) send("HTTP/1.1 100 Continue\r\n\r\n");
    }
    while (unread_.size() < length) {
        if (!receive()) throw connection_gone{};
    }
    request.body = unread_.substr(0, length);
    unread_.erase(0, length);
    may_go_on_ = true;
    return request;
}

void http_connection::respond(int status, std::string_view content_type, std::string_view body) {
    send(fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}\r\n{}", status, reason(status), content_type,
                     body.size(), may_go_on_ ? "" : "Connection: close\r\n", body));
}

void http_connection::begin_chunks(std::string_view content_type) {
    send(fmt::format("HTTP/1.1 200 OK\r\nContent-Type: {}\r\nTransfer-Encoding: chunked\r\n\r\n", content_type));
}

std::string http_connection::chunk(std::string_view text) { return fmt::format("{:x}\r\n{}\r\n", text.size(), text); }

void http_connection::end_chunks() { send("0\r\n\r\n"); }

void http_connection::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) throw connection_gone{};
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

}  // namespace playhead::server
