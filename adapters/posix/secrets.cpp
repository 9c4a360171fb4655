#include "secrets.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <regex>

namespace playhead::posix {

namespace {

using nlohmann::json;

std::string lower_case(std::string_view text) {
    std::string lower{text};
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c); });
    return lower;
}

bool is_secret_name(std::string_view name, const json& value) {
    constexpr std::array<std::string_view, 5> words{"key", "secret", "password", "authorization", "credential"};
    const std::string lower = lower_case(name);
    if (std::any_of(words.begin(), words.end(), [&](std::string_view word) { return lower.find(word) != std::string::npos; })) return true;
    return lower.find("token") != std::string::npos && !value.is_number() && !value.is_boolean() && !value.is_null();
}

// The values that give themselves away, as one pattern: a bearer token, a provider's key, an address with credentials.
const std::regex& secret_value() {
    static const std::regex pattern{
        R"(\bbearer\s+[^\s"']+|\b(sk|pk|rk|hf|ghp|gho|ghs|ghu|xai|gsk|nvapi|glpat|xoxb|xoxp)[-_][-_A-Za-z0-9]{6,}|\b(AIza|AKIA)[-_A-Za-z0-9]{12,}|[a-z][a-z0-9+.-]*://[^\s/@"']+@[^\s"']*)",
        std::regex::ECMAScript | std::regex::icase | std::regex::optimize};
    return pattern;
}

// A value is judged by how it begins; "skyline" is a word, "sk-..." a key.
bool is_secret_value(const std::string& value) {
    static const std::regex beginning{
        R"(^\s*(bearer\s+\S|(sk|pk|rk|hf|ghp|gho|ghs|ghu|xai|gsk|nvapi|glpat|xoxb|xoxp)[-_]\S|AIza\S|AKIA[0-9A-Z]|[a-z][a-z0-9+.-]*://[^\s/@]+@))",
        std::regex::ECMAScript | std::regex::icase | std::regex::optimize};
    return std::regex_search(value, beginning);
}

std::optional<std::string> find_in(const json& value, const std::string& path) {
    if (value.is_object()) {
        for (const auto& [name, member] : value.items()) {
            const std::string here = path.empty() ? name : path + "." + name;
            if (is_secret_name(name, member)) return here;
            if (auto found = find_in(member, here)) return found;
        }
    } else if (value.is_array()) {
        for (std::size_t i = 0; i < value.size(); ++i) {
            if (auto found = find_in(value[i], path + "[" + std::to_string(i) + "]")) return found;
        }
    } else if (value.is_string() && is_secret_value(value.get_ref<const std::string&>())) {
        return path;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> find_secret(const json& settings) { return find_in(settings, ""); }

std::string redacted(std::string_view text, std::string_view api_key) {
    constexpr std::string_view instead = "[redacted]";
    // The JSON library's own repair of UTF-8, there and back.
    std::string clean = json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace));
    if (!api_key.empty()) {
        for (std::size_t at = 0; (at = clean.find(api_key, at)) != std::string::npos; at += instead.size())
            clean.replace(at, api_key.size(), instead);
    }
    return std::regex_replace(clean, secret_value(), std::string{instead});
}

}  // namespace playhead::posix
