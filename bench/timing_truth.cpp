// timing_truth: how much later than the server's flush is our stamp, beside a bare libcurl client in the same run.
//
// A loopback server flushes 40 chunks, one every 5 ms; it logs the time right before each send. Both clients take turns, request by
// request; a lag is a client's stamp less the server's, on the one monotonic clock of the machine. Prints one JSON object.
#include <curl/easy_transport.hpp>
#include <server/speech_server.hpp>

#include <playhead/measure/request_recorder.hpp>
#include <playhead/stats/percentile.hpp>
#include <playhead/wire/speech_request.hpp>

#include <curl/curl.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace playhead;
using steady = std::chrono::steady_clock;

std::int64_t now_ns() { return std::chrono::duration_cast<nanoseconds>(steady::now().time_since_epoch()).count(); }

// The stamps of a response's audio events, in nanoseconds of the clock.
using stamps = std::vector<std::int64_t>;

struct arrival_sink {
    std::vector<nanoseconds> arrivals;
    flow on(const measure::pcm_piece&) noexcept { return flow::go_on; }
    flow on(const measure::pcm_drop&) noexcept { return flow::go_on; }
    flow on(const measure::chunk_arrival& chunk) noexcept {
        arrivals.push_back(chunk.arrival);
        return flow::go_on;
    }
};

class our_client {
public:
    explicit our_client(const std::string& url) : transport_{{.base_url = url}} {}

    stamps request(const std::string& body, const pcm_format& format) {
        const steady clock{};
        arrival_sink sink;
        sink.arrivals.reserve(64);
        std::vector<char> space(4096);
        measure::request_recorder recorder{clock, sink, wire::speech_protocol::ndjson, {format, "{}"}, space};
        recorder.start();
        const auto& heard = recorder.finish(transport_.perform({.path = "/v1/audio/speech",
                                                                .content_type = "application/json",
                                                                .accept = "application/x-ndjson",
                                                                .body = std::as_bytes(std::span{body.data(), body.size()})},
                                                               recorder));
        if (!heard.ok()) throw std::runtime_error(std::string{name(heard.failure->code)});
        stamps list;
        for (const auto arrival : sink.arrivals) list.push_back((heard.started + arrival).count());
        return list;
    }

private:
    curl::easy_transport transport_;
};

// As small as a client with libcurl can be: a stamp for each line end in the write callback.
class bare_client {
public:
    explicit bare_client(const std::string& url) : handle_{curl_easy_init()} {
        curl_easy_setopt(handle_, CURLOPT_URL, (url + "/v1/audio/speech").c_str());
        curl_easy_setopt(handle_, CURLOPT_WRITEFUNCTION, &bare_client::on_bytes);
        curl_easy_setopt(handle_, CURLOPT_WRITEDATA, this);
        curl_easy_setopt(handle_, CURLOPT_PROXY, "");
    }
    ~bare_client() { curl_easy_cleanup(handle_); }
    bare_client(const bare_client&) = delete;
    bare_client& operator=(const bare_client&) = delete;

    stamps request(const std::string& body) {
        lines_.clear();
        lines_.reserve(64);
        curl_easy_setopt(handle_, CURLOPT_POSTFIELDS, body.c_str());
        if (curl_easy_perform(handle_) != CURLE_OK) throw std::runtime_error("bare client failed");
        lines_.pop_back();  // the final event
        return lines_;
    }

private:
    static std::size_t on_bytes(char* data, std::size_t one, std::size_t size, void* self) {
        const std::int64_t now = now_ns();
        for (std::size_t i = 0; i < one * size; ++i) {
            if (data[i] == '\n') static_cast<bare_client*>(self)->lines_.push_back(now);
        }
        return one * size;
    }

    CURL* handle_;
    stamps lines_;
};

nlohmann::ordered_json summary(std::vector<double>& lags_ms) {
    std::sort(lags_ms.begin(), lags_ms.end());
    const auto at = [&](double percent) { return *stats::percentile_of_sorted(lags_ms, percent); };
    return {{"chunks", lags_ms.size()}, {"median_ms", at(50)}, {"p99_ms", at(99)}, {"max_ms", at(100)}};
}

}  // namespace

int main(int argc, char** argv) {
    const int requests = argc > 1 ? std::atoi(argv[1]) : 100;
    const auto log = std::filesystem::temp_directory_path() / ("playhead-timing-" + std::to_string(now_ns()) + ".jsonl");
    server::server_options options;
    options.engine = server::engine_kind::tone;
    options.pacing = {.ramp = {1}, .frame_cost_ms = 5};
    options.log_file = log.string();
    std::vector<stamps> ours, bare;
    {
        server::speech_server server{options};
        const pcm_format format{.sample_rate = 24'000};
        const std::string text(54, 'x');  // 60 ms of tone a character: 40 frames of 80 ms or a little more
        std::string body(4096, ' ');
        body.resize(*wire::write_speech_request({.model = "m", .input = text, .seed = 1, .format = format}, body));
        our_client first{server.url()};
        bare_client second{server.url()};
        for (int i = 0; i < requests; ++i) {
            ours.push_back(first.request(body, format));
            bare.push_back(second.request(body));
        }
    }
    std::vector<double> our_lags, bare_lags;
    std::ifstream lines{log};
    std::string line;
    for (std::size_t i = 0; std::getline(lines, line); ++i) {
        const auto sent = nlohmann::json::parse(line)["chunks"];
        const stamps& heard = (i % 2 == 0 ? ours : bare)[i / 2];
        if (heard.size() != sent.size()) throw std::runtime_error("a chunk is missing");
        for (std::size_t c = 0; c < heard.size(); ++c) {
            (i % 2 == 0 ? our_lags : bare_lags).push_back(static_cast<double>(heard[c] - sent[c]["flush_ns"].get<std::int64_t>()) / 1e6);
        }
    }
    std::filesystem::remove(log);
    nlohmann::ordered_json result{{"playhead", summary(our_lags)}, {"bare libcurl", summary(bare_lags)}};
    for (const char* which : {"median", "p99"}) {
        const std::string key = std::string{which} + "_ms";
        result[std::string{which} + "_ratio"] = result["playhead"][key].get<double>() / result["bare libcurl"][key].get<double>();
    }
    std::printf("%s\n", result.dump().c_str());
}
