#include <playhead/wire/speech_protocol.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>

using namespace playhead;
using wire::check_content_type;
using wire::speech_protocol;

TEST_SUITE("wire/speech_protocol") {
    TEST_CASE("the content type must agree with the protocol that was asked for") {
        struct row {
            std::string_view content_type;
            std::optional<error_code> failure;
        };
        for (const row& each : {
                 row{"application/x-ndjson", std::nullopt},
                 row{"application/ndjson", std::nullopt},
                 row{"application/jsonl", std::nullopt},
                 row{"Application/X-NDJSON", std::nullopt},
                 row{" application/x-ndjson ", std::nullopt},
                 row{"application/x-ndjson; charset=utf-8", std::nullopt},
                 row{"application/x-ndjson;charset=\"utf-8\";profile=x", std::nullopt},
                 row{"application/x-ndjson;", std::nullopt},
                 row{"application/x-ndjson; ;", std::nullopt},
                 row{"application/x-ndjson; q", std::nullopt},
                 row{"application/x-ndjson; rate=24000", std::nullopt},
                 row{"application/x-ndjson;rate=\"24000\";channels=2", std::nullopt},
                 row{"application/x-ndjson; Rate=24000; CHANNELS=2", std::nullopt},
                 row{"application/x-ndjson; rate = 24000 ; channels = 2 ", std::nullopt},
                 row{"application/x-ndjson; bitrate=8000", std::nullopt},
                 row{"application/x-ndjson; rate=24001", error_code::format_mismatch},
                 row{"application/x-ndjson; rate=2400", error_code::format_mismatch},
                 row{"application/x-ndjson; rate=-24000", error_code::format_mismatch},
                 row{"application/x-ndjson; rate=24000.0", error_code::format_mismatch},
                 row{"application/x-ndjson; rate=", error_code::format_mismatch},
                 row{"application/x-ndjson; rate=24000000000000000024000", error_code::format_mismatch},
                 row{"application/x-ndjson; channels=1", error_code::format_mismatch},
                 row{"application/x-ndjson; rate=24000; channels=6", error_code::format_mismatch},
                 row{"application/x-ndjson; rate=24000; rate=48000", error_code::format_mismatch},
                 row{"application/json", error_code::server_error},
                 row{"application/json; charset=utf-8", error_code::server_error},
                 row{"APPLICATION/JSON", error_code::server_error},
                 row{"", error_code::format_mismatch},
                 row{";", error_code::format_mismatch},
                 row{"text/event-stream", error_code::format_mismatch},
                 row{"text/html", error_code::format_mismatch},
                 row{"text/plain", error_code::format_mismatch},
                 row{"audio/wav", error_code::format_mismatch},
                 row{"audio/pcm", error_code::format_mismatch},
                 row{"application/octet-stream", error_code::format_mismatch},
                 row{"application/x-ndjsonx", error_code::format_mismatch},
                 row{"application/x-ndjson, text/html", error_code::format_mismatch},
                 row{"application/jsonx", error_code::format_mismatch},
                 row{"application/x-ndjson charset=utf-8", error_code::format_mismatch},
             }) {
            CAPTURE(each.content_type);
            const auto checked = check_content_type(speech_protocol::ndjson, each.content_type, {24'000, 2});
            CHECK((checked ? std::nullopt : std::optional{checked.error().code}) == each.failure);
        }
    }

    TEST_CASE("the path follows the base, which may end in /v1 already") {
        struct row {
            std::string_view base, path;
        };
        for (const row& each : {row{"http://localhost:8000", "/v1/audio/speech"}, row{"http://localhost:8000/", "/v1/audio/speech"},
                                row{"http://localhost:8000/v1", "/audio/speech"}, row{"http://localhost:8000/v1/", "/audio/speech"},
                                row{"http://localhost:8000/v1//", "/audio/speech"}, row{"https://host/tts/v1", "/audio/speech"},
                                row{"https://host/xv1", "/v1/audio/speech"}, row{"https://host/v1/tts", "/v1/audio/speech"},
                                row{"https://host/v2", "/v1/audio/speech"}, row{"", "/v1/audio/speech"}, row{"/", "/v1/audio/speech"}}) {
            CAPTURE(each.base);
            CHECK(wire::speech_path(each.base) == each.path);
        }
    }

    TEST_CASE("a protocol has a name, and asks for what it can read") {
        CHECK(name(speech_protocol::ndjson) == "ndjson");
        CHECK(accept(speech_protocol::ndjson) == "application/x-ndjson");
        static_assert(check_content_type(speech_protocol::ndjson, accept(speech_protocol::ndjson), {}).has_value());
    }
}
