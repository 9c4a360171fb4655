#include "speech_response.hpp"

#include <playhead/wire/base64.hpp>

#include <fmt/format.h>

namespace playhead::server {

using nlohmann::ordered_json;

std::int64_t speech_response::send_line(std::string_view line, nanoseconds due) {
    const std::string chunk = http_connection::chunk(line);
    if (!wait_until(start_ + due, stop_)) throw connection_gone{};
    const std::int64_t now = monotonic_now().count();
    connection_.send(chunk);
    return now;
}

void speech_response::send_audio(const std::vector<std::byte>& pcm, nanoseconds due) {
    std::string line = fmt::format("{{\"event\":\"audio\",\"index\":{},\"pcm\":\"", chunks_.size());
    const std::size_t begin = line.size();
    line.resize(begin + wire::base64_characters_for(pcm.size()));
    static_cast<void>(wire::encode_base64(pcm, std::span{line}.subspan(begin)));
    line += "\"}\n";
    const std::uint64_t frames = pcm.size() / asked_.format.bytes_per_frame();
    const std::int64_t flushed = send_line(line, due);
    hash_.update(pcm);
    frames_ += frames;
    chunks_.push_back({{"frames", frames}, {"flush_ns", flushed}});
}

void speech_response::send_final(nanoseconds due) {
    const ordered_json event{{"event", "final"},
                             {"sample_rate", asked_.format.sample_rate},
                             {"channels", asked_.format.channels},
                             {"encoding", std::string{name(asked_.format.encoding)}},
                             {"sample_count", frames_},
                             {"effective", asked_.settings}};
    final_ns_ = send_line(event.dump() + "\n", due);
}

void speech_response::send_paced(pcm_source& source, const pacing_options& pacing) {
    const std::uint64_t unit = codec_frame(asked_.format.sample_rate);
    pacer when{pacing, asked_.seed};
    connection_.begin_chunks("application/x-ndjson");
    for (;;) {
        const auto pcm = source.read(static_cast<std::size_t>(when.next_size() * unit));
        if (pcm.empty()) break;
        const std::uint64_t frames = pcm.size() / asked_.format.bytes_per_frame();
        send_audio(pcm, when.next_due((frames + unit - 1) / unit));
    }
    send_final(nanoseconds::zero());
}

void speech_response::send_traced(pcm_source& source, const traced_stream& stream) {
    connection_.begin_chunks("application/x-ndjson");
    for (const auto& chunk : stream.chunks) send_audio(source.read(static_cast<std::size_t>(chunk.frames)), chunk.at);
    send_final(stream.final);
}

ordered_json speech_response::log() const {
    const auto hex = hash::to_hex(hash_.digest());
    return {{"frames", frames_}, {"pcm_sha256", std::string{hex.data(), hex.size()}}, {"chunks", chunks_}, {"final_ns", final_ns_}};
}

}  // namespace playhead::server
