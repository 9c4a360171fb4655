#include "speech_asked.hpp"

#include "http_connection.hpp"

#include <playhead/wire/base64.hpp>
#include <playhead/wire/speech_request.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace playhead::server {

namespace {

using nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& what) { throw refusal(400, what); }

std::string text_of(const ordered_json& request, const char* name) {
    if (!request.contains(name) || !request[name].is_string() || request[name].get_ref<const std::string&>().empty()) {
        refuse(fmt::format("{} must be a text that is not empty", name));
    }
    return request[name];
}

std::uint32_t number_of(const ordered_json& request, const char* name, std::uint32_t least, std::uint32_t most) {
    if (!request.contains(name) || !request[name].is_number_unsigned() || request[name].get<std::uint64_t>() < least ||
        request[name].get<std::uint64_t>() > most) {
        refuse(fmt::format("{} must be a whole number from {} to {}", name, least, most));
    }
    return request[name];
}

}  // namespace

speech_asked read_speech_asked(std::string_view body) {
    const auto request = ordered_json::parse(body, nullptr, false);
    if (!request.is_object()) refuse("the request body must be a JSON object");
    speech_asked asked;
    asked.model = text_of(request, "model");
    asked.input = text_of(request, "input");
    asked.seed = number_of(request, "seed", 0, 0x7fff'ffff);
    asked.format.sample_rate = number_of(request, "sample_rate", pcm_format::least_rate, pcm_format::most_rate);
    asked.format.channels = number_of(request, "channels", 1, pcm_format::most_channels);
    if (text_of(request, "encoding") != name(asked.format.encoding)) refuse("encoding must be pcm_s16le");
    if (!request.contains("stream") || request["stream"] != true) refuse("stream must be true");
    if (request.contains("reference_audio")) {
        const std::string encoded = text_of(request, "reference_audio");
        std::vector<std::byte> audio(wire::max_bytes_in_base64(encoded.size()));
        const auto decoded = wire::decode_base64(encoded, audio);
        if (!decoded) refuse("reference_audio must be base64");
        asked.reference_audio_bytes = *decoded;
        static_cast<void>(text_of(request, "reference_text"));
    }
    for (const auto& [name, value] : request.items()) {
        const bool ours = std::find(wire::reserved_settings.begin(), wire::reserved_settings.end(), name) != wire::reserved_settings.end();
        if (!ours && name != "reference_audio" && name != "reference_text") asked.settings[name] = value;
    }
    return asked;
}

}  // namespace playhead::server
