#pragma once
// easy_transport: a playhead transport over libcurl, one stream at a time.
//
// One deadline covers the whole response: name, connection, head and body. Connections are kept between requests. Nothing is decoded,
// no redirect followed, no Expect header sent, and proxies from the environment are ignored unless asked for. A delivery is handed over
// in libcurl's own write callback: no copy, no thread between.
#include <playhead/core/transport.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace playhead::curl {

struct transport_options {
    std::string base_url;                        // http://host:port/prefix, without a query; the request's path comes behind it
    std::string api_key{};                       // goes into the Authorization header as a bearer token; empty: no such header
    std::chrono::milliseconds timeout{300'000};  // of a whole response
    bool environment_proxies = false;
};

class easy_transport {
public:
    // Throws std::runtime_error where libcurl cannot be set up.
    explicit easy_transport(const transport_options& options);
    ~easy_transport();
    easy_transport(const easy_transport&) = delete;
    easy_transport& operator=(const easy_transport&) = delete;

    // See the concept `transport`. A reply that is not HTTP is http_status with place 0.
    template <response_receiver Receiver>
    [[nodiscard]] result<void> perform(const http_request& request, Receiver& receiver) {
        receiver_adapter<Receiver> adapter{receiver};
        return perform_erased(request, adapter);
    }

    // What libcurl said of the last request that failed; for people, not for records: it may name the host.
    [[nodiscard]] std::string_view last_message() const noexcept;

private:
    // A receiver without its type, so that the rest is compiled once.
    struct erased_receiver {
        virtual void on_connection(const connection_report& report) = 0;
        virtual flow on_status(int status) = 0;
        virtual flow on_header(std::string_view name, std::string_view value) = 0;
        virtual flow on_body(std::span<const std::byte> bytes) = 0;

    protected:
        ~erased_receiver() = default;
    };
    template <typename Receiver>
    struct receiver_adapter final : erased_receiver {
        explicit receiver_adapter(Receiver& to_receiver) : to{to_receiver} {}
        void on_connection(const connection_report& report) override {
            if constexpr (requires { to.on_connection(report); }) to.on_connection(report);
        }
        flow on_status(int status) override { return to.on_status(status); }
        flow on_header(std::string_view name, std::string_view value) override { return to.on_header(name, value); }
        flow on_body(std::span<const std::byte> bytes) override { return to.on_body(bytes); }
        Receiver& to;
    };

    [[nodiscard]] result<void> perform_erased(const http_request& request, erased_receiver& receiver);

    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace playhead::curl
