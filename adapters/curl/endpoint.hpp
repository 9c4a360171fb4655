#pragma once
// endpoint: the address of a speech server as a person gives it, checked.
#include <string>
#include <string_view>

namespace playhead::curl {

struct endpoint {
    std::string url;  // scheme://host[:port][/prefix], no slash at its end
    bool is_local;    // the host is this machine's loopback
};

// Reads `text`; without a scheme it is http.
// Throws std::invalid_argument with one line where it is no http or https address, or holds credentials, a query or a fragment. The
// line never repeats the address, which may hold a secret.
[[nodiscard]] endpoint parse_endpoint(std::string_view text);

}  // namespace playhead::curl
