#include <posix/secrets.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

using namespace playhead;
using nlohmann::json;

TEST_SUITE("posix/secrets") {
    TEST_CASE("settings that look like a secret are found, with their path") {
        struct row {
            const char* settings;
            const char* path;
        };
        for (const row& each : {
                 row{R"({"api_key":"x"})", "api_key"},
                 row{R"({"API-Key":"x"})", "API-Key"},
                 row{R"({"token":"x"})", "token"},
                 row{R"({"access_token":"x"})", "access_token"},
                 row{R"({"client_secret":"x"})", "client_secret"},
                 row{R"({"password":1234})", "password"},
                 row{R"({"Authorization":"x"})", "Authorization"},
                 row{R"({"credentials":{}})", "credentials"},
                 row{R"({"extra":{"deep":[1,{"my_token":["x"]}]}})", "extra.deep[1].my_token"},
                 row{R"({"header":"Bearer abc"})", "header"},
                 row{R"({"v":"  bearer abc"})", "v"},
                 row{R"({"v":"sk-abcdef"})", "v"},
                 row{R"({"v":["ok","ghp_abcdef"]})", "v[1]"},
                 row{R"({"v":"https://user:pass@host/x"})", "v"},
                 row{R"({"v":"http://user@host"})", "v"},
             }) {
            CAPTURE(each.settings);
            const auto found = posix::find_secret(json::parse(each.settings));
            REQUIRE(found);
            CHECK(*found == each.path);
        }
    }

    TEST_CASE("ordinary settings are none") {
        for (const char* settings : {R"({})", R"({"temperature":0.7,"top_p":null})", R"({"max_new_tokens":2048,"token_budget":null})",
                                     R"({"voice":"skyline","style":"sk"})", R"({"bear":"bearer"})", R"({"url":"https://host/a@b"})"}) {
            CAPTURE(settings);
            CHECK_FALSE(posix::find_secret(json::parse(settings)));
        }
    }

    TEST_CASE("texts lose keys, and nothing else") {
        CHECK(posix::redacted("no secret here", "") == "no secret here");
        CHECK(posix::redacted("skateboarding is fine, so is a bearer", "") == "skateboarding is fine, so is a bearer");
        CHECK(posix::redacted("key opensesame twice opensesame", "opensesame") == "key [redacted] twice [redacted]");
        CHECK(posix::redacted("Authorization: Bearer abc.def-ghi!", "").find("abc") == std::string::npos);
        CHECK(posix::redacted("incorrect key sk-proj-abcdef123 given", "") == "incorrect key [redacted] given");
        CHECK(posix::redacted("see https://me:pw@host/x now", "") == "see [redacted] now");
        CHECK(posix::redacted("\x1f\x8b\xff", "") == "\x1f\xef\xbf\xbd\xef\xbf\xbd");
    }
}
