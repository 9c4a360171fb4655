#pragma once
// speech_streams: NDJSON speech responses made by hand, and what a decoder hears of them.
#include "cuts.hpp"

#include <playhead/hash/sha256.hpp>
#include <playhead/wire/base64.hpp>
#include <playhead/wire/speech_decoder.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace playhead::test {

inline std::string base64_of(std::string_view bytes) {
    std::string text(wire::base64_characters_for(bytes.size()), '?');
    text.resize(wire::encode_base64(bytes_of(bytes), text).value_or(0));
    return text;
}

// Samples as PCM.
inline std::string pcm(const std::vector<int>& samples) {
    std::string bytes;
    for (const int sample : samples) {
        bytes += static_cast<char>(sample & 0xff);
        bytes += static_cast<char>(sample >> 8 & 0xff);
    }
    return bytes;
}

inline std::string audio_line(std::string_view bytes, std::string_view members = "") {
    return R"({"event":"audio")" + std::string{members} + R"(,"pcm":")" + base64_of(bytes) + "\"}\n";
}

inline std::string final_line(std::uint64_t frames, std::string_view effective = "{}", std::uint32_t rate = 24'000,
                              std::uint32_t channels = 1) {
    return R"({"event":"final","sample_rate":)" + std::to_string(rate) + R"(,"channels":)" + std::to_string(channels) +
           R"(,"encoding":"pcm_s16le","sample_count":)" + std::to_string(frames) + R"(,"effective":)" + std::string{effective} + "}\n";
}

// All that is to be known of a response.
struct hearing {
    std::optional<error> failure;
    std::vector<std::uint64_t> chunks;  // frames of each
    std::vector<std::uint64_t> silent;  // leading silent frames of each
    std::uint64_t frames = 0;
    std::uint64_t leading_silent_frames = 0;
    std::uint64_t bytes = 0;
    std::string pcm;  // of the chunks
    std::string effective;
    std::string server_message;
    bool has_final = false;

    friend bool operator==(const hearing&, const hearing&) = default;
};

// Keeps the PCM that counts. (Its functions are called from where nothing may be thrown: CHECK, not REQUIRE.)
class pcm_collector {
public:
    explicit pcm_collector(const pcm_format& format) : format_{format} {}

    void on_pcm(std::span<const std::byte> bytes) {
        CHECK_FALSE(bytes.empty());
        on_approval_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    void on_chunk(std::uint64_t frames, std::uint64_t silent) {
        CHECK(on_approval_.size() == frames * format_.bytes_per_frame());
        heard.pcm += on_approval_;
        heard.chunks.push_back(frames);
        heard.silent.push_back(silent);
        on_approval_.clear();
    }
    void on_drop() { on_approval_.clear(); }

    [[nodiscard]] bool is_settled() const { return on_approval_.empty(); }

    hearing heard;

private:
    pcm_format format_;
    std::string on_approval_;
};

// Hears a response in these deliveries.
inline hearing hear(const pieces& deliveries, const pcm_format& format = {24'000, 1}, std::string_view settings = "{}",
                    bool complete = true, std::size_t effective_characters = 512) {
    std::string space(effective_characters, '\0');
    wire::speech_decoder decoder{{format, settings}, space};
    pcm_collector collector{format};
    hearing& heard = collector.heard;
    for (const auto delivery : deliveries) {
        const auto read = decoder.feed(bytes_of(delivery), collector);
        if (!read) {
            heard.failure = read.error();
            // it stays with its first error
            REQUIRE(decoder.feed(" \n", collector).error() == *heard.failure);
            break;
        }
    }
    const auto ended = decoder.finish(complete, collector);
    if (heard.failure) {
        REQUIRE(ended.error() == *heard.failure);
    } else if (!ended) {
        heard.failure = ended.error();
    }
    // whatever happened, nothing is left on approval
    REQUIRE(collector.is_settled());
    heard.frames = decoder.frames();
    heard.leading_silent_frames = decoder.leading_silent_frames();
    heard.bytes = decoder.bytes();
    heard.effective = decoder.effective();
    heard.server_message = decoder.server_message();
    heard.has_final = decoder.has_final();
    REQUIRE(decoder.chunks() == heard.chunks.size());
    return std::move(heard);
}

}  // namespace playhead::test
