// Your own way to the server: a transport hands a response over, a session measures it.
#include <playhead/measure/session.hpp>

#include <array>
#include <cstdio>

using namespace playhead;

struct canned_transport {  // a real one would open a socket here
    manual_clock& clock;
    template <response_receiver Receiver>
    result<void> perform(const http_request&, Receiver& receiver) {
        using namespace std::chrono_literals;
        if (receiver.on_status(200) == flow::stop) return error{error_code::stopped};
        if (receiver.on_header("Content-Type", "application/x-ndjson") == flow::stop) return error{error_code::stopped};
        for (const std::string_view line : {"{\"event\":\"audio\",\"pcm\":\"AQACAAMABAA=\"}\n",
                                            "{\"event\":\"final\",\"sample_rate\":8000,\"channels\":1,\"encoding\":\"pcm_s16le\",\"sample_"
                                            "count\":4,\"effective\":{}}\n"}) {
            clock.advance(150ms);
            if (receiver.on_body(std::as_bytes(std::span{line})) == flow::stop) return error{error_code::stopped};
        }
        return {};
    }
};

int main() {
    manual_clock clock;
    canned_transport transport{clock};
    null_sink sink;
    std::array<std::byte, 16'384> memory;
    measure::session run{clock, transport, sink, memory};
    constexpr std::array fixtures{measure::fixture{.id = "hello", .text = "Hello."}};
    const auto summary = run.measure(fixtures, {.rounds = 3, .warmup = 1, .format = {.sample_rate = 8'000}});
    if (!summary) return 1;
    std::printf("first audio %.0f ms, %d of %d failed\n", summary->figures[0].median->value, int(summary->failed), int(summary->requests));
}
