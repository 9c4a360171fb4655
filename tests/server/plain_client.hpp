#pragma once
// plain_client: the client's end of a TCP connection, for requests that no HTTP library would send.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace playhead::test {

struct plain_response {
    int status = 0;
    std::string head;
    std::string body;                 // chunks put together
    std::vector<std::string> chunks;  // one by one
};

class plain_client {
public:
    explicit plain_client(std::uint16_t port) : socket_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(port);
        if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) throw std::runtime_error("not connected");
    }
    ~plain_client() { ::close(socket_); }
    plain_client(const plain_client&) = delete;
    plain_client& operator=(const plain_client&) = delete;

    void send(std::string_view bytes) const {
        while (!bytes.empty()) {
            const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0) return;
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
    }

    // A request for speech.
    void post(std::string_view body, std::string_view more_headers = "", std::string_view target = "/v1/audio/speech") const {
        send("POST " + std::string{target} + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
             std::string{more_headers} + "\r\n" + std::string{body});
    }

    // The next response, whole; status 0 where the connection ended first.
    plain_response read_response() {
        plain_response response;
        const auto head = read_until("\r\n\r\n");
        if (head.empty()) return response;
        response.head = head;
        response.status = std::atoi(head.c_str() + 9);
        if (response.status == 100) return response;
        if (head.find("Transfer-Encoding: chunked") != std::string::npos) {
            for (;;) {
                const std::string size = read_until("\r\n");
                if (size.empty()) return {};
                const auto bytes = std::strtoul(size.c_str(), nullptr, 16);
                const std::string chunk = read(bytes + 2);
                if (chunk.size() < bytes + 2) return {};
                if (bytes == 0) return response;
                response.chunks.push_back(chunk.substr(0, bytes));
                response.body += response.chunks.back();
            }
        }
        const auto length = head.find("Content-Length: ");
        if (length != std::string::npos) response.body = read(std::strtoul(head.c_str() + length + 16, nullptr, 10));
        return response;
    }

    // Bytes up to and with `end`; nothing where the connection ends first.
    std::string read_until(std::string_view end) {
        std::size_t at = 0;
        while ((at = unread_.find(end)) == std::string::npos) {
            if (!more()) return {};
        }
        return take(at + end.size());
    }
    std::string read(std::size_t size) {
        while (unread_.size() < size && more()) {}
        return take(std::min(size, unread_.size()));
    }
    // What was read is read again.
    void put_back(const std::string& bytes) { unread_ = bytes + unread_; }

private:
    bool more() {
        char bytes[4096];
        const ssize_t read = ::recv(socket_, bytes, sizeof bytes, 0);
        if (read > 0) unread_.append(bytes, static_cast<std::size_t>(read));
        return read > 0;
    }
    std::string take(std::size_t size) {
        std::string taken = unread_.substr(0, size);
        unread_.erase(0, size);
        return taken;
    }

    int socket_;
    std::string unread_;
};

}  // namespace playhead::test
