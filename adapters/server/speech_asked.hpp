#pragma once
// speech_asked: a request for speech as the server understands it.
#include <playhead/core/pcm_format.hpp>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace playhead::server {

struct speech_asked {
    std::string model;
    std::string input;
    std::uint32_t seed = 0;
    pcm_format format{};
    nlohmann::ordered_json settings = nlohmann::ordered_json::object();  // every other member, as it was sent
    std::size_t reference_audio_bytes = 0;
};

// Reads a request's body. Throws refusal with status 400 that says what would be right.
[[nodiscard]] speech_asked read_speech_asked(std::string_view body);

}  // namespace playhead::server
