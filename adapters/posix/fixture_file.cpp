#include "fixture_file.hpp"

#include "failure.hpp"

#include <playhead/hash/sha256.hpp>
#include <playhead/wire/json_value.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

namespace playhead::posix {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 5> known_members{"id", "text", "reference_audio", "reference_text", "unseen"};

std::optional<std::string> read_file(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    if (!file || std::filesystem::is_directory(path)) return std::nullopt;
    std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    if (file.bad()) return std::nullopt;
    return bytes;
}

bool is_blank(std::string_view text) noexcept { return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos; }

json identity(const speech_fixture& fixture) {
    const auto or_null = [](const std::optional<std::string>& text) { return text ? json(*text) : json(nullptr); };
    return {{"id", fixture.id},
            {"text_sha256", fixture.text_sha256},
            {"reference_sha256", or_null(fixture.reference_sha256)},
            {"reference_text_sha256", or_null(fixture.reference_text_sha256)},
            {"declared_unseen", fixture.declared_unseen}};
}

// One row of a file, and where it is.
class row_reader {
public:
    row_reader(const std::filesystem::path& path, std::size_t line) : path_{path}, line_{line} {}

    [[nodiscard]] speech_fixture read(std::string_view text) const {
        if (const auto valid = wire::check_json(text); !valid) {
            fail(fmt::format("not JSON at character {}; each line is an object with id and text", valid.error().place + 1));
        }
        const json row = json::parse(text);
        if (!row.is_object()) fail("not an object; each line is an object with id and text");
        for (const auto& [name, value] : row.items()) {
            if (std::find(known_members.begin(), known_members.end(), name) == known_members.end()) {
                fail(fmt::format("unknown member {}; known are id, text, reference_audio, reference_text and unseen", json(name).dump()));
            }
            if (wire::json_find(text, json(name).dump()).count > 1) fail(fmt::format("member {} stands twice", json(name).dump()));
        }
        speech_fixture fixture;
        if (!row.contains("id") || !row["id"].is_string() || !is_label(row["id"].get_ref<const std::string&>())) {
            fail("id must be a text of 1 to 64 letters, digits, '_', '.', '+' and '-' that begins with a letter or digit");
        }
        fixture.id = row["id"];
        if (!row.contains("text") || !row["text"].is_string() || is_blank(row["text"].get_ref<const std::string&>())) {
            fail("text must be a text that is not empty");
        }
        fixture.text = row["text"];
        fixture.text_sha256 = sha256_hex(fixture.text);
        if (row.contains("unseen")) {
            if (!row["unseen"].is_boolean()) fail("unseen must be true or false");
            fixture.declared_unseen = row["unseen"];
        }
        if (row.contains("reference_audio")) {
            read_reference(row, fixture);
        } else if (row.contains("reference_text")) {
            fail("reference_text needs reference_audio, the file in which it is said");
        }
        return fixture;
    }

    [[noreturn]] void fail(std::string_view what) const { throw bad_input(fmt::format("{}:{}: {}", path_.string(), line_, what)); }

private:
    void read_reference(const json& row, speech_fixture& fixture) const {
        if (!row["reference_audio"].is_string()) fail("reference_audio must be the name of a file");
        if (!row.contains("reference_text") || !row["reference_text"].is_string() ||
            is_blank(row["reference_text"].get_ref<const std::string&>())) {
            fail("reference_audio needs reference_text, what is said in it");
        }
        const auto file = path_.parent_path() / row["reference_audio"].get<std::string>();
        const auto bytes = read_file(file);
        if (!bytes) fail(fmt::format("reference_audio {} cannot be read", file.string()));
        if (bytes->empty()) fail(fmt::format("reference_audio {} is empty", file.string()));
        const auto view = std::as_bytes(std::span{bytes->data(), bytes->size()});
        fixture.reference_audio.assign(view.begin(), view.end());
        fixture.reference_sha256 = sha256_hex(*bytes);
        fixture.reference_text = row["reference_text"];
        fixture.reference_text_sha256 = sha256_hex(fixture.reference_text);
    }

    const std::filesystem::path& path_;
    std::size_t line_;
};

}  // namespace

std::string sha256_hex(std::string_view text) {
    hash::sha256 hash;
    hash.update(std::as_bytes(std::span{text.data(), text.size()}));
    const auto hex = hash::to_hex(hash.digest());
    return {hex.data(), hex.size()};
}

bool is_label(std::string_view text) noexcept {
    const auto is_plain = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
    if (text.empty() || text.size() > 64 || !is_plain(text.front())) return false;
    return std::all_of(text.begin(), text.end(),
                       [&](char c) { return is_plain(c) || std::string_view{"_.+-"}.find(c) != std::string_view::npos; });
}

std::vector<measure::fixture> fixture_set::views() const {
    std::vector<measure::fixture> views;
    for (const auto& each : fixtures) views.push_back({each.id, each.text, each.reference_audio, each.reference_text});
    return views;
}

fixture_set make_fixtures(std::vector<speech_fixture> fixtures) {
    fixture_set set{std::move(fixtures), {}};
    json identities = json::array();
    for (const auto& each : set.fixtures) identities.push_back(identity(each));
    // Sorted names, no white space, texts as they are: the canonical form for objects of plain texts and booleans.
    set.sha256 = sha256_hex(identities.dump());
    return set;
}

fixture_set load_fixtures(const std::filesystem::path& path) {
    const auto text = read_file(path);
    if (!text) throw bad_input(fmt::format("{}: cannot be read; it should be a file of JSON lines with id and text", path.string()));
    std::vector<speech_fixture> fixtures;
    std::set<std::string> ids;
    std::size_t line = 0;
    for (std::string_view rest{*text}; !rest.empty();) {
        const auto end = std::min(rest.find('\n'), rest.size());
        const std::string_view row = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++line;
        if (is_blank(row)) continue;
        const row_reader reader{path, line};
        auto fixture = reader.read(row);
        if (!ids.insert(fixture.id).second) reader.fail(fmt::format("id {} stands in an earlier line too", fixture.id));
        fixtures.push_back(std::move(fixture));
    }
    if (fixtures.empty()) throw bad_input(fmt::format("{}: holds no fixture; each line is an object with id and text", path.string()));
    return make_fixtures(std::move(fixtures));
}

}  // namespace playhead::posix
