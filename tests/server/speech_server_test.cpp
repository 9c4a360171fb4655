#include "../support/temporary_folder.hpp"
#include "plain_client.hpp"

#include <playhead/hash/sha256.hpp>
#include <playhead/wire/speech_decoder.hpp>

#include <server/speech_server.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <barrier>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using namespace playhead;
using namespace playhead::test;
using nlohmann::json;

namespace {

json request(const std::string& input, std::uint32_t seed = 1, std::uint32_t rate = 8000, std::uint32_t channels = 1) {
    return {{"model", "m"},         {"input", input},          {"seed", seed},  {"sample_rate", rate},
            {"channels", channels}, {"encoding", "pcm_s16le"}, {"stream", true}};
}

// What our own decoder makes of a response.
struct heard {
    std::vector<std::uint64_t> chunk_frames;
    std::string sha256;
    std::string error;
    std::string effective;
    std::uint64_t silent = 0;

    void on_pcm(std::span<const std::byte> bytes) { hash.update(bytes); }
    void on_chunk(std::uint64_t frames, std::uint64_t) { chunk_frames.push_back(frames); }
    void on_drop() {}
    hash::sha256 hash;
};

heard hear(const plain_response& response, std::uint32_t rate = 8000, std::uint32_t channels = 1) {
    heard made;
    std::vector<char> space(4096);
    wire::speech_decoder decoder{{.format = {.sample_rate = rate, .channels = channels}}, space};
    auto read = decoder.feed(std::string_view{response.body}, made);
    if (read) read = decoder.finish(true, made);
    if (!read) made.error = name(read.error().code);
    const auto hex = hash::to_hex(made.hash.digest());
    made.sha256 = {hex.data(), hex.size()};
    made.effective = decoder.effective();
    made.silent = decoder.leading_silent_frames();
    return made;
}

plain_response ask(const server::speech_server& server, const json& what) {
    plain_client client{server.port()};
    client.post(what.dump());
    return client.read_response();
}

std::vector<json> lines_of(const std::filesystem::path& path) {
    std::vector<json> lines;
    std::istringstream text{text_of(path)};
    for (std::string line; std::getline(text, line);) lines.push_back(json::parse(line));
    return lines;
}

// The message of a refusal.
std::string message_of(const plain_response& response) { return json::parse(response.body)["error"]["message"]; }

}  // namespace

TEST_SUITE("server/speech_server") {
    TEST_CASE("speech comes event by event, as the log says") {
        const temporary_folder folder;
        const auto log = folder.path() / "log.jsonl";
        const server::speech_server server{
            {.pacing = {.ramp = {1, 2, 4}, .frame_cost_ms = 1, .first_ms = 3, .jitter_ms = 2}, .log_file = log.string()}};
        for (const auto& [rate, channels] : {std::pair{8000U, 1U}, std::pair{44100U, 2U}, std::pair{192000U, 8U}}) {
            CAPTURE(rate);
            const auto response = ask(server, request("a text of more than a few frames", 7, rate, channels));
            REQUIRE(response.status == 200);
            CHECK(response.head.find("Content-Type: application/x-ndjson\r\n") != std::string::npos);
            const auto got = hear(response, rate, channels);
            CHECK(got.error == "");
            // an HTTP chunk for each event, and the final one
            CHECK(response.chunks.size() == got.chunk_frames.size() + 1);
            const std::uint64_t unit = rate * 80 / 1000;
            REQUIRE(got.chunk_frames.size() >= 3);
            CHECK(got.chunk_frames[0] == unit);
            CHECK(got.chunk_frames[1] == 2 * unit);
            CHECK(got.chunk_frames[2] == 4 * unit);
            const json entry = lines_of(log).back();
            CHECK(entry["pcm_sha256"] == got.sha256);
            CHECK(entry["seed"] == 7);
            std::vector<std::uint64_t> logged;
            std::int64_t last = 0;
            for (const auto& chunk : entry["chunks"]) {
                logged.push_back(chunk["frames"]);
                CHECK(chunk["flush_ns"].get<std::int64_t>() >= last);
                last = chunk["flush_ns"];
            }
            CHECK(logged == got.chunk_frames);
            CHECK(entry["final_ns"].get<std::int64_t>() >= last);
        }
    }

    TEST_CASE("nothing is sent before it is due") {
        const temporary_folder folder;
        const auto log = folder.path() / "log.jsonl";
        const server::speech_server server{{.pacing = {.ramp = {1}, .frame_cost_ms = 4, .first_ms = 6}, .log_file = log.string()}};
        const auto before = std::chrono::steady_clock::now().time_since_epoch();
        CHECK(hear(ask(server, request("eight codec frames"))).error == "");
        const json entry = lines_of(log).back();
        for (std::size_t i = 0; i < entry["chunks"].size(); ++i) {
            const auto due = before + std::chrono::milliseconds{6 + 4 * (i + 1)};
            CHECK(entry["chunks"][i]["flush_ns"].get<std::int64_t>() >= std::chrono::duration_cast<nanoseconds>(due).count());
        }
    }

    TEST_CASE("the same request gives the same sound, another seed another") {
        const server::speech_server server{{}};
        const auto first = hear(ask(server, request("hello there", 5))), again = hear(ask(server, request("hello there", 5))),
                   other = hear(ask(server, request("hello there", 6)));
        CHECK(first.sha256 == again.sha256);
        CHECK(first.sha256 != other.sha256);
    }

    TEST_CASE("settings are reported as they were sent") {
        const server::speech_server server{{}};
        json with = request("hello");
        with["temperature"] = 0.5;
        with["deep"] = {{"a", {1, "x", nullptr}}};
        with["reference_audio"] = "AQID";
        with["reference_text"] = "said";
        const auto got = hear(ask(server, with));
        CHECK(got.error == "");
        CHECK(json::parse(got.effective) == json{{"temperature", 0.5}, {"deep", {{"a", {1, "x", nullptr}}}}});
    }

    TEST_CASE("a connection serves one request after another") {
        const temporary_folder folder;
        const auto log = folder.path() / "log.jsonl";
        const server::speech_server server{{.log_file = log.string()}};
        plain_client client{server.port()};
        for (int i = 0; i < 3; ++i) {
            client.post(request("again and again").dump());
            CHECK(hear(client.read_response()).error == "");
        }
        // two at once, one behind the other
        client.post(request("one").dump());
        client.post(request("two").dump());
        CHECK(hear(client.read_response()).error == "");
        CHECK(hear(client.read_response()).error == "");
        std::set<int> connections, numbers;
        for (const auto& entry : lines_of(log)) {
            connections.insert(entry["connection"].get<int>());
            numbers.insert(entry["request_on_connection"].get<int>());
        }
        CHECK(connections.size() == 1);
        CHECK(numbers == std::set<int>{1, 2, 3, 4, 5});
    }

    TEST_CASE("what is wrong with a request is said, and the connection goes on where it can") {
        const server::speech_server server{{}};
        plain_client client{server.port()};
        client.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
        CHECK(client.read_response().body == "ok\n");
        client.send("GET /v1/audio/speech HTTP/1.1\r\nHost: x\r\n\r\n");
        CHECK(client.read_response().status == 405);
        client.post("{}", "", "/v1/elsewhere");
        CHECK(client.read_response().status == 404);
        struct row {
            json changed;
            const char* message;
        };
        for (const row& each :
             {row{{{"model", ""}}, "model must be"}, row{{{"input", 7}}, "input must be"}, row{{{"seed", -1}}, "seed must be"},
              row{{{"seed", 4294967296}}, "seed must be"}, row{{{"sample_rate", 7999}}, "sample_rate must be"},
              row{{{"channels", 9}}, "channels must be"}, row{{{"encoding", "pcm_f32le"}}, "encoding must be"},
              row{{{"stream", false}}, "stream must be"}, row{{{"reference_audio", "x"}}, "reference_audio must be"},
              row{{{"reference_audio", "AQID"}}, "reference_text must be"}}) {
            json wrong = request("hello");
            wrong.update(each.changed);
            CAPTURE(wrong.dump());
            client.post(wrong.dump());
            const auto response = client.read_response();
            CHECK(response.status == 400);
            CHECK(message_of(response).find(each.message) != std::string::npos);
        }
        for (const char* body : {"", "[]", "{", "\xff"}) {
            client.post(body);
            CHECK(client.read_response().status == 400);
        }
        client.post(request("still here").dump());
        CHECK(hear(client.read_response()).error == "");
    }

    TEST_CASE("a request that cannot be read to its end closes the connection") {
        const server::speech_server server{{}};
        struct row {
            std::string bytes;
            int status;
        };
        for (const row& each : {row{"hello\r\n\r\n", 400}, row{"POST /v1/audio/speech HTTP/1.1\r\nno colon\r\n\r\n", 400},
                                row{"POST /v1/audio/speech HTTP/1.1\r\n\r\n", 411},
                                row{"POST /v1/audio/speech HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411},
                                row{"POST /v1/audio/speech HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400},
                                row{"POST /v1/audio/speech HTTP/1.1\r\nContent-Length: 67108865\r\n\r\n", 413},
                                row{"POST / HTTP/1.1\r\nx: " + std::string(70'000, 'y'), 431}}) {
            CAPTURE(each.status);
            plain_client client{server.port()};
            client.send(each.bytes);
            const auto response = client.read_response();
            CHECK(response.status == each.status);
            CHECK(response.head.find("Connection: close") != std::string::npos);
        }
    }

    TEST_CASE("a client that asks for permission gets it") {
        const server::speech_server server{{}};
        plain_client client{server.port()};
        const std::string body = request("hello").dump();
        client.send("POST /v1/audio/speech HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: " + std::to_string(body.size()) +
                    "\r\n\r\n");
        CHECK(client.read_response().status == 100);
        client.send(body);
        CHECK(hear(client.read_response()).error == "");
    }

    TEST_CASE("a key is not written into the log") {
        const temporary_folder folder;
        const auto log = folder.path() / "log.jsonl";
        const server::speech_server server{{.log_file = log.string()}};
        plain_client client{server.port()};
        client.post(request("hello").dump(), "AUTHORIZATION: Bearer opensesame\r\n");
        CHECK(client.read_response().status == 200);
        CHECK(text_of(log).find("opensesame") == std::string::npos);
        CHECK(lines_of(log)[0]["headers"]["authorization"] == "<redacted>");
    }

    TEST_CASE("many streams at once do not wait for each other") {
        // No client asks for more before all have their first event: a server that let streams wait would never end this test.
        const server::speech_server server{{.pacing = {.ramp = {1}, .frame_cost_ms = 5}}};
        std::vector<std::string> errors(32, "not run");
        std::barrier all_have_begun{static_cast<std::ptrdiff_t>(errors.size())};
        std::vector<std::thread> clients;
        for (std::size_t i = 0; i < errors.size(); ++i) {
            clients.emplace_back([&, i] {
                plain_client client{server.port()};
                client.post(request("stream of a second", static_cast<std::uint32_t>(i)).dump());
                const std::string beginning = client.read_until("\"index\":0");
                all_have_begun.arrive_and_wait();
                client.put_back(beginning);
                errors[i] = hear(client.read_response()).error;
            });
        }
        for (auto& each : clients) each.join();
        CHECK(errors == std::vector<std::string>(32, ""));
    }

    TEST_CASE("streams of measured chunks have their sizes and are never early") {
        const temporary_folder folder;
        const auto log = folder.path() / "log.jsonl";
        const auto traces =
            folder.file("traces.jsonl",
                        "{\"chunks\":[{\"t_ms\":5,\"samples\":100},{\"t_ms\":6.5,\"samples\":0},{\"t_ms\":20,\"samples\":300}],"
                        "\"sample_rate\":8000,\"t_final_ms\":31.5,\"tail_samples\":50}\n"
                        "{\"chunks\":[{\"t_ms\":1,\"samples\":7}],\"sample_rate\":16000,\"t_final_ms\":2,\"tail_samples\":0}\n");
        const server::speech_server server{{.trace_file = traces.string(), .log_file = log.string()}};
        const auto before = std::chrono::duration_cast<nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
        CHECK(hear(ask(server, request("Warmup 0. stream 1"))).chunk_frames == std::vector<std::uint64_t>{100, 300, 50});
        const json entry = lines_of(log).back();
        CHECK(entry["chunks"][0]["flush_ns"].get<std::int64_t>() - before >= 5'000'000);
        CHECK(entry["chunks"][1]["flush_ns"].get<std::int64_t>() - before >= 20'000'000);
        CHECK(entry["chunks"][2]["flush_ns"].get<std::int64_t>() - before >= 31'500'000);
        CHECK(hear(ask(server, request("2", 1, 16000)), 16000).chunk_frames == std::vector<std::uint64_t>{7});
        CHECK(message_of(ask(server, request("no number"))).find("1 to 2") != std::string::npos);
        CHECK(message_of(ask(server, request("stream 3"))).find("1 to 2") != std::string::npos);
        CHECK(message_of(ask(server, request("stream 99999999999999999999999"))).find("1 to 2") != std::string::npos);
        CHECK(message_of(ask(server, request("stream 2"))).find("16000 Hz") != std::string::npos);
    }

    TEST_CASE("wrong traces are refused with their line") {
        const temporary_folder folder;
        for (const auto& [text, message] :
             {std::pair{"", "holds no stream"}, std::pair{"x\n", ":1: not JSON"},
              std::pair{"{\"chunks\":[],\"sample_rate\":8000}\n", ":1: there must be a chunk"},
              std::pair{"{\"chunks\":[{\"t_ms\":-1,\"samples\":1}],\"sample_rate\":8000}\n", ":1: t_ms must be"},
              std::pair{"{\"chunks\":[{\"t_ms\":2,\"samples\":1},{\"t_ms\":1,\"samples\":1}],\"sample_rate\":8000}\n",
                        ":1: t_ms must not go back"}}) {
            CAPTURE(text);
            const auto file = folder.file("traces.jsonl", text);
            try {
                const server::speech_server server{{.trace_file = file.string()}};
                FAIL_CHECK("accepted");
            } catch (const std::runtime_error& wrong) {
                CHECK(std::string{wrong.what()}.find(message) != std::string::npos);
            }
        }
    }

    TEST_CASE("espeak speaks, the same each time, in its own format only") {
        const server::speech_server server{{.engine = server::engine_kind::espeak}};
        const auto first = hear(ask(server, request("Hello there, how are you?", 1, 22050)), 22050);
        CHECK(first.error == "");
        std::uint64_t frames = 0;
        for (const auto each : first.chunk_frames) frames += each;
        CHECK(frames > 22050 / 2);
        CHECK(frames < 22050 * 10);
        CHECK(first.silent < frames / 2);
        CHECK(hear(ask(server, request("Hello there, how are you?", 2, 22050)), 22050).sha256 == first.sha256);
        const auto refused = ask(server, request("Hello.", 1, 24000));
        CHECK(refused.status == 400);
        CHECK(message_of(refused).find("22050") != std::string::npos);
    }

    TEST_CASE("a client that goes away, and a server that stops, end streams at once") {
        const temporary_folder folder;
        const auto log = folder.path() / "log.jsonl";
        server::speech_server server{{.pacing = {.ramp = {1}, .frame_cost_ms = 20}, .log_file = log.string()}};
        {
            plain_client leaver{server.port()};
            leaver.post(request(std::string(500, 'x')).dump());
            CHECK(leaver.read_until("\r\n\r\n").find("200 OK") != std::string::npos);
        }
        plain_client stayer{server.port()};
        stayer.post(request(std::string(500, 'x')).dump());
        CHECK(stayer.read_until("\"index\":1").find("\"index\":0") != std::string::npos);
        server.stop();
        CHECK(stayer.read_response().status == 0);
        server.stop();
        for (const auto& entry : lines_of(log)) CHECK(entry["aborted"] == true);
        CHECK(lines_of(log).size() == 2);
    }

    TEST_CASE("a port that is taken is one clear line") {
        const server::speech_server first{{}};
        try {
            const server::speech_server second{{.port = first.port()}};
            FAIL_CHECK("took a port twice");
        } catch (const std::runtime_error& wrong) {
            CHECK(std::string{wrong.what()}.find(std::to_string(first.port())) != std::string::npos);
        }
    }
}
