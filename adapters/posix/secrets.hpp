#pragma once
// secrets: keeps what looks like a key or a password out of settings and out of what is written.
#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace playhead::posix {

// Where `settings`, an object, holds something that looks like a secret: the path of its first such member, none where it holds none.
// A name that contains key, token, secret, password, authorization or credential is one, but for numbers under a name with "token",
// which count something (max_tokens); so is a value that begins like a bearer token or a provider's key, or an address with credentials.
[[nodiscard]] std::optional<std::string> find_secret(const nlohmann::json& settings);

// `text` with `api_key` and everything that looks like a secret value replaced by "[redacted]"; what is no UTF-8 in it becomes U+FFFD.
[[nodiscard]] std::string redacted(std::string_view text, std::string_view api_key);

}  // namespace playhead::posix
