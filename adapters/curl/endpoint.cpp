#include "endpoint.hpp"

#include <curl/curl.h>

#include <memory>
#include <stdexcept>

namespace playhead::curl {

namespace {

using url_handle = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

// A part of the address; empty where it has none.
std::string part(const url_handle& url, CURLUPart which) {
    char* text = nullptr;
    if (curl_url_get(url.get(), which, &text, 0) != CURLUE_OK || text == nullptr) return {};
    std::string copy{text};
    curl_free(text);
    return copy;
}

}  // namespace

endpoint parse_endpoint(std::string_view text) {
    const url_handle url{curl_url(), &curl_url_cleanup};
    if (!url) throw std::runtime_error("libcurl: out of memory");
    std::string full{text};
    if (full.find("://") == std::string::npos) full = "http://" + full;
    if (full.find_first_of(" \t\r\n") != std::string::npos || curl_url_set(url.get(), CURLUPART_URL, full.c_str(), 0) != CURLUE_OK) {
        throw std::invalid_argument("not an address; it should look like http://127.0.0.1:8000 or https://host/prefix");
    }
    const std::string scheme = part(url, CURLUPART_SCHEME), host = part(url, CURLUPART_HOST);
    if (scheme != "http" && scheme != "https") throw std::invalid_argument("the scheme must be http or https");
    if (!part(url, CURLUPART_USER).empty() || !part(url, CURLUPART_PASSWORD).empty()) {
        throw std::invalid_argument("credentials do not belong into an address; name an environment variable with --api-key-env");
    }
    // An empty query or fragment is one too.
    if (full.find_first_of("?#") != std::string::npos) throw std::invalid_argument("an address has no query or fragment");

    std::string address = scheme + "://" + host;
    if (const std::string port = part(url, CURLUPART_PORT); !port.empty()) address += ":" + port;
    address += part(url, CURLUPART_PATH);
    while (address.ends_with('/')) address.pop_back();
    const bool local = host == "localhost" || host == "[::1]" || host.starts_with("127.");
    return {address, local};
}

}  // namespace playhead::curl
