#include "scripted_server.hpp"

#include <curl/easy_transport.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <vector>

using namespace playhead;
using namespace playhead::test;

namespace {

// Writes down what it is given, in order, and stops at the call it is told to.
struct listing_receiver {
    std::vector<std::string> calls;
    std::string body;
    std::optional<connection_report> connection;
    std::size_t stop_at = SIZE_MAX;  // the number of the call, from 0, that is answered with stop
    std::function<void()> after_body = [] {};

    flow note(std::string call) {
        calls.push_back(std::move(call));
        return calls.size() > stop_at ? flow::stop : flow::go_on;
    }
    void on_connection(const connection_report& report) { connection = report; }
    flow on_status(int status) { return note("status " + std::to_string(status)); }
    flow on_header(std::string_view name, std::string_view value) { return note(std::string{name} + "=" + std::string{value}); }
    flow on_body(std::span<const std::byte> bytes) {
        const std::string text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
        body += text;
        const flow answer = note("body " + text);
        after_body();
        return answer;
    }
};

http_request request_of(std::string_view body) {
    return {.path = "/v1/audio/speech",
            .content_type = "application/json",
            .accept = "application/x-ndjson",
            .body = std::as_bytes(std::span{body.data(), body.size()})};
}

curl::easy_transport transport_to_server(const scripted_server& server) {
    return curl::easy_transport{{.base_url = server.url(), .timeout = std::chrono::seconds{20}}};
}

const std::string chunked_head = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n";

std::string chunk(const std::string& text) {
    char size[16];
    std::snprintf(size, sizeof size, "%zx\r\n", text.size());
    return size + text + "\r\n";
}

// The result of one request against one script, as its error's name; "ok" without one.
std::string outcome_of(script what, listing_receiver& receiver, std::chrono::milliseconds timeout = std::chrono::seconds{20}) {
    scripted_server server{{std::move(what)}};
    curl::easy_transport transport{{.base_url = server.url(), .timeout = timeout}};
    const auto done = transport.perform(request_of("{}"), receiver);
    return done ? "ok" : std::string{name(done.error().code)};
}

}  // namespace

TEST_SUITE("curl/easy_transport") {
    TEST_CASE("status, headers and body come in order, and the request is as it was asked") {
        scripted_server server{{{{send_bytes("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: 5\r\n\r\nhello")}}}};
        auto transport = transport_to_server(server);
        listing_receiver receiver;
        REQUIRE(transport.perform(request_of("{\"input\":\"x\"}"), receiver));
        CHECK(receiver.calls ==
              std::vector<std::string>{"status 200", "Content-Type=application/x-ndjson", "Content-Length=5", "body hello"});
        REQUIRE(server.requests().size() == 1);
        const std::string sent = server.requests()[0];
        CHECK(sent.starts_with("POST /v1/audio/speech HTTP/1.1\r\n"));
        CHECK(sent.find("Content-Type: application/json\r\n") != std::string::npos);
        CHECK(sent.find("Accept: application/x-ndjson\r\n") != std::string::npos);
        CHECK(sent.ends_with("\r\n\r\n{\"input\":\"x\"}"));
        CHECK(sent.find("Accept-Encoding") == std::string::npos);
        CHECK(sent.find("Authorization") == std::string::npos);
    }

    TEST_CASE("interim responses and trailers are not part of the response") {
        scripted_server server{
            {{{send_bytes("HTTP/1.1 103 Early Hints\r\nContent-Type: text/plain\r\n\r\n"),
               send_bytes("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\nTrailer: "
                          "Content-Type\r\n\r\n"),
               send_bytes(chunk("abc") + "0\r\nContent-Type: text/html\r\n\r\n")}}}};
        auto transport = transport_to_server(server);
        listing_receiver receiver;
        REQUIRE(transport.perform(request_of("{}"), receiver));
        CHECK(receiver.calls == std::vector<std::string>{"status 200", "Content-Type=application/x-ndjson", "Transfer-Encoding=chunked",
                                                         "Trailer=Content-Type", "body abc"});
    }

    TEST_CASE("a delivery is handed over before the next one is sent") {
        // The server goes on only when the client has had the piece before: a transport that held bytes back would never end.
        scripted_server server{{{{send_bytes(chunked_head + chunk("one")), wait_for_client(), send_bytes(chunk("two")), wait_for_client(),
                                  send_bytes(chunk("three")), wait_for_client(), send_bytes("0\r\n\r\n")}}}};
        auto transport = transport_to_server(server);
        listing_receiver receiver;
        receiver.after_body = [&] { server.go_on(); };
        REQUIRE(transport.perform(request_of("{}"), receiver));
        CHECK(receiver.body == "onetwothree");
        CHECK(receiver.calls.size() == 6);
    }

    TEST_CASE("a long body is sent at once, without asking for permission") {
        scripted_server server{{{{send_bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")}}}};
        auto transport = transport_to_server(server);
        listing_receiver receiver;
        const std::string body(20'000, 'x');
        REQUIRE(transport.perform(request_of(body), receiver));
        CHECK(server.requests()[0].find("Expect") == std::string::npos);
        CHECK(server.requests()[0].ends_with(body));
    }

    TEST_CASE("the second request uses the first one's connection, and says so") {
        const script answer{{send_bytes(chunked_head + chunk("x") + "0\r\n\r\n")}};
        scripted_server server{{answer, answer}};
        auto transport = transport_to_server(server);
        listing_receiver first, second;
        REQUIRE(transport.perform(request_of("{}"), first));
        REQUIRE(transport.perform(request_of("{}"), second));
        CHECK(server.connections() == 1);
        REQUIRE(first.connection);
        REQUIRE(second.connection);
        CHECK_FALSE(first.connection->reused);
        CHECK(first.connection->connected > nanoseconds::zero());
        CHECK(second.connection->reused);
        CHECK(second.connection->connected == nanoseconds::zero());
    }

    TEST_CASE("a key goes into the Authorization header and nowhere else") {
        scripted_server server{{{{send_bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")}}}};
        curl::easy_transport transport{{.base_url = server.url(), .api_key = "opensesame", .timeout = std::chrono::seconds{20}}};
        listing_receiver receiver;
        REQUIRE(transport.perform(request_of("{}"), receiver));
        const std::string sent = server.requests()[0];
        CHECK(sent.find("Authorization: Bearer opensesame\r\n") != std::string::npos);
        CHECK(sent.find("opensesame") == sent.rfind("opensesame"));
    }

    TEST_CASE("a prefix of the address stands before the path, a slash at its end does not double") {
        scripted_server server{{{{send_bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")}}}};
        curl::easy_transport transport{{.base_url = server.url() + "/tts/", .timeout = std::chrono::seconds{20}}};
        listing_receiver receiver;
        REQUIRE(transport.perform(request_of("{}"), receiver));
        CHECK(server.requests()[0].starts_with("POST /tts/v1/audio/speech HTTP/1.1\r\n"));
    }

    TEST_CASE("what breaks a response has the name of its cause") {
        listing_receiver receiver;
        SUBCASE("the body is shorter than its length") {
            CHECK(outcome_of({{send_bytes("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"), close_connection()}}, receiver) ==
                  "truncated");
            CHECK(receiver.body == "hello");
        }
        SUBCASE("chunks end without the last one") {
            CHECK(outcome_of({{send_bytes(chunked_head + chunk("hello")), close_connection()}}, receiver) == "truncated");
            CHECK(receiver.body == "hello");
        }
        SUBCASE("the connection is reset") {
            // The client has the first chunk before the reset; a reset throws away what was not read yet.
            scripted_server server{{{{send_bytes(chunked_head + chunk("hello")), wait_for_client(), reset_connection()}}}};
            auto transport = transport_to_server(server);
            receiver.after_body = [&] { server.go_on(); };
            const auto done = transport.perform(request_of("{}"), receiver);
            REQUIRE_FALSE(done);
            CHECK(done.error().code == error_code::reset);
            CHECK(receiver.body == "hello");
            CHECK_FALSE(transport.last_message().empty());
        }
        SUBCASE("the connection is closed without an answer") { CHECK(outcome_of({{close_connection()}}, receiver) == "reset"); }
        SUBCASE("nothing is answered") {
            CHECK(outcome_of({{say_nothing()}}, receiver, std::chrono::milliseconds{200}) == "timeout");
            CHECK(receiver.calls.empty());
        }
        SUBCASE("the body never ends") {
            CHECK(outcome_of({{send_bytes(chunked_head + chunk("hello")), say_nothing()}}, receiver, std::chrono::milliseconds{300}) ==
                  "timeout");
            CHECK(receiver.body == "hello");
        }
        SUBCASE("the answer is no HTTP") {
            CHECK(outcome_of({{send_bytes("220 ready when you are\r\n"), close_connection()}}, receiver) == "http_status");
            CHECK(receiver.calls.empty());
        }
        SUBCASE("nobody listens") {
            int port = 0;
            {
                const scripted_server gone{{}};
                port = gone.port();
            }
            curl::easy_transport transport{{.base_url = "http://127.0.0.1:" + std::to_string(port), .timeout = std::chrono::seconds{20}}};
            const auto done = transport.perform(request_of("{}"), receiver);
            REQUIRE_FALSE(done);
            CHECK(done.error().code == error_code::connect);
        }
        SUBCASE("the name has no address") {
            curl::easy_transport transport{{.base_url = "http://no-such-host.invalid", .timeout = std::chrono::seconds{60}}};
            const auto done = transport.perform(request_of("{}"), receiver);
            REQUIRE_FALSE(done);
            CHECK(done.error().code == error_code::dns);
        }
        SUBCASE("the server does not speak TLS") {
            scripted_server server{{{{send_bytes("HTTP/1.1 400 Bad Request\r\n\r\n"), say_nothing()}}},
                                   scripted_server::plays::for_each_connection};
            curl::easy_transport transport{
                {.base_url = "https://127.0.0.1:" + std::to_string(server.port()), .timeout = std::chrono::seconds{20}}};
            const auto done = transport.perform(request_of("{}"), receiver);
            REQUIRE_FALSE(done);
            CHECK(done.error().code == error_code::tls);
        }
    }

    TEST_CASE("after a broken response the next request works") {
        scripted_server server{
            {{{send_bytes(chunked_head + chunk("hel")), close_connection()}}, {{send_bytes(chunked_head + chunk("hello") + "0\r\n\r\n")}}}};
        auto transport = transport_to_server(server);
        listing_receiver broken, whole;
        CHECK_FALSE(transport.perform(request_of("{}"), broken));
        CHECK(transport.perform(request_of("{}"), whole));
        CHECK(whole.body == "hello");
    }

    TEST_CASE("a receiver that stops is asked no more, at whatever call it stops") {
        for (std::size_t stop_at = 0; stop_at < 4; ++stop_at) {
            CAPTURE(stop_at);
            listing_receiver receiver;
            receiver.stop_at = stop_at;
            CHECK(outcome_of({{send_bytes(chunked_head + chunk("one") + chunk("two") + "0\r\n\r\n")}}, receiver) == "stopped");
            CHECK(receiver.calls.size() == stop_at + 1);
        }
    }

    TEST_CASE("other statuses are delivered, and no redirect is followed") {
        scripted_server server{{{{send_bytes("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")}},
                                {{send_bytes("HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nlate")}}}};
        auto transport = transport_to_server(server);
        listing_receiver found, busy;
        REQUIRE(transport.perform(request_of("{}"), found));
        CHECK(found.calls[0] == "status 302");
        REQUIRE(transport.perform(request_of("{}"), busy));
        CHECK(busy.calls[0] == "status 503");
        CHECK(busy.body == "late");
        CHECK(server.requests().size() == 2);
    }

    TEST_CASE("proxies from the environment are ignored") {
        scripted_server server{{{{send_bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")}}}};
        ::setenv("http_proxy", "http://127.0.0.1:1", 1);
        ::setenv("all_proxy", "http://127.0.0.1:1", 1);
        auto transport = transport_to_server(server);
        listing_receiver receiver;
        const auto done = transport.perform(request_of("{}"), receiver);
        ::unsetenv("http_proxy");
        ::unsetenv("all_proxy");
        CHECK(done);
    }
}
