#pragma once
// scripted_server: a TCP server on loopback that answers each request with a script: bytes, waits for the client, a reset.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace playhead::test {

// What the server does with one request.
struct script {
    struct step {
        enum class kind { send, wait_for_client, reset, close, silence } what;
        std::string bytes{};
    };
    std::vector<step> steps;
};

inline script::step send_bytes(std::string bytes) { return {script::step::kind::send, std::move(bytes)}; }
// Until the test calls go_on().
inline script::step wait_for_client() { return {script::step::kind::wait_for_client}; }
inline script::step reset_connection() { return {script::step::kind::reset}; }
inline script::step close_connection() { return {script::step::kind::close}; }
// Until the client goes away.
inline script::step say_nothing() { return {script::step::kind::silence}; }

class scripted_server {
public:
    // One script a request, in order, whatever connections they come over; or one a connection, played without reading a request.
    enum class plays { for_each_request, for_each_connection };
    explicit scripted_server(std::vector<script> scripts, plays when = plays::for_each_request)
        : scripts_{std::move(scripts)}, when_{when} {
        listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (listener_ < 0 || ::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener_, 8) != 0 ||
            ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
            throw std::runtime_error("no loopback socket");
        }
        port_ = ntohs(address.sin_port);
        thread_ = std::thread{[this] { serve(); }};
    }
    ~scripted_server() {
        stopping_ = true;
        go_on();
        ::shutdown(listener_, SHUT_RDWR);
        if (const int open = connection_; open >= 0) ::shutdown(open, SHUT_RDWR);
        thread_.join();
        ::close(listener_);
    }
    scripted_server(const scripted_server&) = delete;
    scripted_server& operator=(const scripted_server&) = delete;

    [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
    [[nodiscard]] int port() const { return port_; }

    // The client has seen what it waited for.
    void go_on() {
        const std::lock_guard lock{mutex_};
        ++allowed_;
        changed_.notify_all();
    }

    // The requests so far, heads and bodies, as they came; and how many connections brought them.
    [[nodiscard]] std::vector<std::string> requests() {
        const std::lock_guard lock{mutex_};
        return requests_;
    }
    [[nodiscard]] int connections() const { return connections_; }

private:
    void serve() {
        for (std::size_t next = 0; next < scripts_.size() && !stopping_;) {
            const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
            if (client < 0) return;
            ++connections_;
            connection_ = client;
            std::string unread;
            while (next < scripts_.size() && (when_ == plays::for_each_connection || read_request(client, unread))) {
                if (!run(client, scripts_[next++]) || when_ == plays::for_each_connection) break;
            }
            connection_ = -1;
            ::close(client);
        }
    }

    bool read_request(int client, std::string& unread) {
        const auto more = [&] {
            char bytes[4096];
            const ssize_t read = ::recv(client, bytes, sizeof bytes, 0);
            if (read > 0) unread.append(bytes, static_cast<std::size_t>(read));
            return read > 0;
        };
        std::size_t head = 0;
        while ((head = unread.find("\r\n\r\n")) == std::string::npos) {
            if (!more()) return false;
        }
        std::string lower = unread.substr(0, head);
        std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        const auto length = lower.find("content-length:");
        const std::size_t whole = head + 4 + (length == std::string::npos ? 0 : std::stoul(lower.substr(length + 15)));
        while (unread.size() < whole) {
            if (!more()) return false;
        }
        const std::lock_guard lock{mutex_};
        requests_.push_back(unread.substr(0, whole));
        unread.erase(0, whole);
        return true;
    }

    // False where the connection is over.
    bool run(int client, const script& what) {
        for (const auto& step : what.steps) {
            switch (step.what) {
                case script::step::kind::send:
                    for (std::string_view rest{step.bytes}; !rest.empty();) {
                        const ssize_t sent = ::send(client, rest.data(), rest.size(), MSG_NOSIGNAL);
                        if (sent <= 0) return false;
                        rest.remove_prefix(static_cast<std::size_t>(sent));
                    }
                    break;
                case script::step::kind::wait_for_client: {
                    std::unique_lock lock{mutex_};
                    changed_.wait(lock, [this] { return allowed_ > 0; });
                    --allowed_;
                    break;
                }
                case script::step::kind::reset: {
                    const linger at_once{1, 0};
                    ::setsockopt(client, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
                    return false;
                }
                case script::step::kind::close: return false;
                case script::step::kind::silence: {
                    char byte;
                    while (::recv(client, &byte, 1, 0) > 0) {}
                    return false;
                }
            }
        }
        return true;
    }

    std::vector<script> scripts_;
    plays when_;
    int listener_ = -1;
    int port_ = 0;
    std::atomic<int> connection_{-1};
    std::atomic<int> connections_{0};
    std::atomic<bool> stopping_{false};
    std::mutex mutex_;
    std::condition_variable changed_;
    int allowed_ = 0;
    std::vector<std::string> requests_;
    std::thread thread_;
};

}  // namespace playhead::test
