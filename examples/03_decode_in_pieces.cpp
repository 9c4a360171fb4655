// A response comes in pieces cut anywhere; what is right of it becomes PCM.
#include <playhead/wire/speech_decoder.hpp>

#include <array>
#include <cstdio>

struct printer {
    void on_pcm(std::span<const std::byte> bytes) { on_approval += bytes.size(); }
    void on_chunk(std::uint64_t frames, std::uint64_t silent) { std::printf("%d frames, %d silent\n", int(frames), int(silent)); }
    void on_drop() { on_approval = 0; }
    std::size_t on_approval = 0;
};

int main() {
    constexpr std::array<std::string_view, 4> deliveries{"{\"event\":\"audio\",\"pcm\":\"AAAA", "AAEAAgA=\"}\n{\"event\":\"fin",
                                                         "al\",\"sample_rate\":24000,\"channels\":1,\"encoding\":\"pcm_s16le\",",
                                                         "\"sample_count\":4,\"effective\":{}}\n"};
    std::array<char, 256> effective_space;
    playhead::wire::speech_decoder decoder{{.format = {.sample_rate = 24'000}}, effective_space};
    printer pcm;
    for (const auto delivery : deliveries) {
        if (const auto read = decoder.feed(delivery, pcm); !read) return 1;
    }
    const auto whole = decoder.finish(true, pcm);
    std::printf("%s, %d frames\n", whole ? "whole" : name(whole.error().code).data(), int(decoder.frames()));
}
