#pragma once
// fixture_file: what a benchmark says, read from JSON lines and checked.
//
//     {"id":"hello","text":"Hello there.","reference_audio":"voice.wav","reference_text":"Said in it.","unseen":true}
//
// id and text are needed; reference_audio is a file beside the fixture file and needs reference_text; unseen is an attestation.
#include <playhead/measure/session.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace playhead::posix {

struct speech_fixture {
    std::string id;
    std::string text;
    std::string text_sha256;
    std::vector<std::byte> reference_audio;
    std::optional<std::string> reference_sha256;
    std::string reference_text;
    std::optional<std::string> reference_text_sha256;
    bool declared_unseen = false;
};

struct fixture_set {
    std::vector<speech_fixture> fixtures;
    std::string sha256;  // of their identities: ids, and hashes of texts and references, whatever the files are called

    // Views of them for a session; they live as long as this does.
    [[nodiscard]] std::vector<measure::fixture> views() const;
};

// Reads a file. Throws bad_input with one line that names the file, the line in it, and what would be right.
[[nodiscard]] fixture_set load_fixtures(const std::filesystem::path& path);

// A set from texts in memory, as the demo has them.
[[nodiscard]] fixture_set make_fixtures(std::vector<speech_fixture> fixtures);

// The lower-case hexadecimal SHA-256 of `text`.
[[nodiscard]] std::string sha256_hex(std::string_view text);

// May `text` be an id or a label: a letter or digit, then up to 63 letters, digits, '_', '.', '+' and '-'?
[[nodiscard]] bool is_label(std::string_view text) noexcept;

}  // namespace playhead::posix
