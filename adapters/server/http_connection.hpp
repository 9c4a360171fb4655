#pragma once
// http_connection: the server's end of an HTTP/1.1 connection: requests in, responses out, every byte under control.
//
// The one place where playhead speaks HTTP by hand: a server for measurements must pace to the microsecond and break the protocol on
// purpose, which libraries for correct servers do not let one do.
#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace playhead::server {

struct received_request {
    std::string method;
    std::string target;
    std::map<std::string, std::string> headers;  // names in lower case
    std::string body;
    bool expected_continue = false;
};

// What is wrong with a request, for an answer with this status.
struct refusal : std::runtime_error {
    refusal(int with_status, const std::string& why) : std::runtime_error(why), status{with_status} {}
    int status;
};

// The client has gone, or the server stops.
struct connection_gone {};

class http_connection {
public:
    // Takes the socket over.
    explicit http_connection(int socket);
    ~http_connection();
    http_connection(const http_connection&) = delete;
    http_connection& operator=(const http_connection&) = delete;

    // The next request; none where the client has closed the connection in between.
    // Throws refusal (then close() must follow where may_go_on() is false) and connection_gone.
    [[nodiscard]] std::optional<received_request> read_request();
    // The refused request was read to its end: the connection can be used again.
    [[nodiscard]] bool may_go_on() const noexcept { return may_go_on_; }

    // A whole response with a body. Throws connection_gone, as all that send do.
    void respond(int status, std::string_view content_type, std::string_view body);
    // The head of a response whose body comes in chunks.
    void begin_chunks(std::string_view content_type);
    // A chunk as it goes onto the wire, for send().
    [[nodiscard]] static std::string chunk(std::string_view text);
    void end_chunks();
    // Bytes as they are, in one go.
    void send(std::string_view bytes);

    // Makes whoever waits on this connection, in whatever thread, find it gone.
    void interrupt() noexcept;

private:
    bool receive();

    int socket_;
    std::string unread_;
    bool may_go_on_ = true;
};

}  // namespace playhead::server
