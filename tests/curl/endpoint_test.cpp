#include <curl/endpoint.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using playhead::curl::parse_endpoint;

TEST_SUITE("curl/endpoint") {
    TEST_CASE("an address is read, and told apart as local or not") {
        struct row {
            const char* text;
            const char* url;
            bool is_local;
        };
        for (const row& each :
             {row{"http://127.0.0.1:8000", "http://127.0.0.1:8000", true}, row{"127.0.0.1:8000", "http://127.0.0.1:8000", true},
              row{"http://localhost/", "http://localhost", true}, row{"http://[::1]:80/", "http://[::1]:80", true},
              row{"https://speech.example/v1/", "https://speech.example/v1", false},
              row{"http://speech.example:9/a/b", "http://speech.example:9/a/b", false}, row{"HTTP://x", "http://x", false}}) {
            CAPTURE(each.text);
            const auto endpoint = parse_endpoint(each.text);
            CHECK(endpoint.url == each.url);
            CHECK(endpoint.is_local == each.is_local);
        }
    }

    TEST_CASE("what is no address of a server is refused without being repeated") {
        for (const std::string text :
             {"", "http://", "ftp://host", "file:///etc/passwd", "http://user:secret@host", "http://user@host", "http://host?key=secret",
              "http://host/#secret", "http://host/?", "http://ho st", "http://host:99999", "http://host:secret", "\n"}) {
            CAPTURE(text);
            try {
                static_cast<void>(parse_endpoint(text));
                FAIL_CHECK("accepted");
            } catch (const std::invalid_argument& refusal) {
                CHECK(std::string{refusal.what()}.find("secret") == std::string::npos);
                CHECK(std::string{refusal.what()}.find('\n') == std::string::npos);
            }
        }
    }
}
