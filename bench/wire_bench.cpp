// wire: from the bytes of an NDJSON audio event to PCM, in GB of input a second.
#include <playhead/wire/speech_decoder.hpp>

#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace {

std::string base64_of(std::size_t bytes) {
    std::mt19937_64 random{1};
    std::vector<std::byte> pcm(bytes);
    for (auto& each : pcm) each = static_cast<std::byte>(random());
    std::string text(playhead::wire::base64_characters_for(bytes), ' ');
    static_cast<void>(playhead::wire::encode_base64(pcm, text));
    return text;
}

struct ignoring_receiver {
    std::size_t bytes = 0;
    void on_pcm(std::span<const std::byte> piece) { bytes += piece.size(); }
    void on_chunk(std::uint64_t, std::uint64_t) {}
    void on_drop() {}
};

void base64(benchmark::State& state) {
    const auto text = base64_of(static_cast<std::size_t>(state.range(0)));
    std::vector<std::byte> out(playhead::wire::max_bytes_in_base64(text.size()));
    for (auto _ : state) {
        benchmark::DoNotOptimize(playhead::wire::decode_base64(text, out));
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(text.size()));
}

void audio_event(benchmark::State& state) {
    const std::string line = "{\"event\":\"audio\",\"pcm\":\"" + base64_of(static_cast<std::size_t>(state.range(0))) + "\"}\n";
    std::array<char, 256> space{};
    playhead::wire::speech_decoder decoder{{.format = {.sample_rate = 24'000}}, space};
    ignoring_receiver receiver;
    for (auto _ : state) {
        auto again = decoder;  // a response may not be longer than 1 GiB
        const bool read = again.feed(std::string_view{line}, receiver).has_value();
        if (!read) state.SkipWithError("refused");
        benchmark::DoNotOptimize(receiver);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(line.size()));
}

}  // namespace

BENCHMARK(base64)->Arg(3'840)->Arg(48'000);
BENCHMARK(audio_event)->Arg(3'840)->Arg(48'000);
