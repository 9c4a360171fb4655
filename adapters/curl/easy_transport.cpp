#include "easy_transport.hpp"

#include <curl/curl.h>

#include <array>
#include <charconv>
#include <mutex>
#include <stdexcept>

namespace playhead::curl {

namespace {

using header_list = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

void append(header_list& list, const std::string& line) {
    curl_slist* const longer = curl_slist_append(list.get(), line.c_str());
    if (longer == nullptr) throw std::runtime_error("libcurl: out of memory");
    static_cast<void>(list.release());
    list.reset(longer);
}

error_code code_for(CURLcode code) noexcept {
    switch (code) {
        case CURLE_COULDNT_RESOLVE_HOST:
        case CURLE_COULDNT_RESOLVE_PROXY: return error_code::dns;
        case CURLE_COULDNT_CONNECT:
        case CURLE_INTERFACE_FAILED:
        case CURLE_PROXY: return error_code::connect;
        case CURLE_SSL_CONNECT_ERROR:
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_CERTPROBLEM:
        case CURLE_SSL_CIPHER:
        case CURLE_SSL_CACERT_BADFILE:
        case CURLE_SSL_CRL_BADFILE:
        case CURLE_SSL_ENGINE_INITFAILED:
        case CURLE_SSL_ENGINE_NOTFOUND:
        case CURLE_SSL_ENGINE_SETFAILED:
        case CURLE_SSL_INVALIDCERTSTATUS:
        case CURLE_SSL_ISSUER_ERROR:
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
        case CURLE_SSL_SHUTDOWN_FAILED:
        case CURLE_USE_SSL_FAILED: return error_code::tls;
        case CURLE_OPERATION_TIMEDOUT: return error_code::timeout;
        case CURLE_PARTIAL_FILE: return error_code::truncated;
        case CURLE_UNSUPPORTED_PROTOCOL:
        case CURLE_WEIRD_SERVER_REPLY: return error_code::http_status;
        case CURLE_WRITE_ERROR:
        case CURLE_ABORTED_BY_CALLBACK: return error_code::stopped;
        default: return error_code::reset;
    }
}

void check(CURLcode code) {
    if (code != CURLE_OK) throw std::runtime_error(std::string{"libcurl: "} + curl_easy_strerror(code));
}

std::string_view trimmed(std::string_view text) noexcept {
    const auto begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

}  // namespace

struct easy_transport::state {
    std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle{nullptr, &curl_easy_cleanup};
    std::string base_url;
    std::string api_key;
    std::array<char, CURL_ERROR_SIZE> message{};

    // Of the request in hand.
    erased_receiver* receiver = nullptr;
    enum class head : std::uint8_t { before, interim, final, over } head = head::before;
    bool stopped = false;

    [[nodiscard]] nanoseconds time_of(CURLINFO info) const noexcept {
        curl_off_t microseconds = 0;
        curl_easy_getinfo(handle.get(), info, &microseconds);
        return std::chrono::microseconds{microseconds};
    }

    void report_connection() const {
        long made = 0;
        curl_easy_getinfo(handle.get(), CURLINFO_NUM_CONNECTS, &made);
        connection_report report{.reused = made == 0};
        if (!report.reused) {
            report.name_lookup = time_of(CURLINFO_NAMELOOKUP_TIME_T);
            report.connected = time_of(CURLINFO_CONNECT_TIME_T);
            report.secured = time_of(CURLINFO_APPCONNECT_TIME_T);
        }
        receiver->on_connection(report);
    }

    // One line of a head. libcurl brings those of interim (1xx) responses and of trailers too.
    [[nodiscard]] flow on_head_line(std::string_view line) {
        if (line.starts_with("HTTP/")) {
            int status = 0;
            const auto space = line.find(' ');
            if (space != std::string_view::npos) std::from_chars(line.data() + space + 1, line.data() + line.size(), status);
            head = status < 200 ? head::interim : head::final;
            if (head == head::interim) return flow::go_on;
            report_connection();
            return receiver->on_status(status);
        }
        if (trimmed(line).empty()) {
            head = head == head::final ? head::over : head::before;
            return flow::go_on;
        }
        const auto colon = line.find(':');
        if (head != head::final || colon == std::string_view::npos) return flow::go_on;
        return receiver->on_header(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
    }

    // What a callback tells libcurl: all was taken, or another number to stop.
    [[nodiscard]] std::size_t answer(flow how, std::size_t size) noexcept {
        if (how == flow::go_on) return size;
        stopped = true;
        return size == 0 ? 1 : 0;
    }

    static std::size_t on_head(char* data, std::size_t one, std::size_t size, void* self) {
        auto& it = *static_cast<state*>(self);
        return it.answer(it.on_head_line({data, one * size}), one * size);
    }
    static std::size_t on_body(char* data, std::size_t one, std::size_t size, void* self) {
        auto& it = *static_cast<state*>(self);
        if (one * size == 0) return 0;
        return it.answer(it.receiver->on_body(std::as_bytes(std::span{data, one * size})), one * size);
    }
};

easy_transport::easy_transport(const transport_options& options) : state_{std::make_unique<state>()} {
    static std::once_flag once;
    std::call_once(once, [] { check(curl_global_init(CURL_GLOBAL_DEFAULT)); });
    CURL* const handle = curl_easy_init();
    if (handle == nullptr) throw std::runtime_error("libcurl: cannot be set up");
    state_->handle.reset(handle);
    state_->base_url = options.base_url;
    while (state_->base_url.ends_with('/')) state_->base_url.pop_back();
    state_->api_key = options.api_key;

    const auto timeout = static_cast<long>(options.timeout.count());
    check(curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, state_->message.data()));
    check(curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https"));
    check(curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L));
    check(curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, timeout));
    check(curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, timeout));
    check(curl_easy_setopt(handle, CURLOPT_TCP_NODELAY, 1L));
    check(curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L));
    check(curl_easy_setopt(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L));
    check(curl_easy_setopt(handle, CURLOPT_USERAGENT, "playhead/" PLAYHEAD_VERSION));
    if (!options.environment_proxies) check(curl_easy_setopt(handle, CURLOPT_PROXY, ""));
    check(curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, &state::on_head));
    check(curl_easy_setopt(handle, CURLOPT_HEADERDATA, state_.get()));
    check(curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &state::on_body));
    check(curl_easy_setopt(handle, CURLOPT_WRITEDATA, state_.get()));
}

easy_transport::~easy_transport() = default;

std::string_view easy_transport::last_message() const noexcept { return state_->message.data(); }

result<void> easy_transport::perform_erased(const http_request& request, erased_receiver& receiver) {
    CURL* const handle = state_->handle.get();
    state_->receiver = &receiver;
    state_->head = state::head::before;
    state_->stopped = false;
    state_->message.front() = '\0';

    header_list headers{nullptr, &curl_slist_free_all};
    append(headers, "Content-Type: " + std::string{request.content_type});
    append(headers, "Accept: " + std::string{request.accept});
    append(headers, "Expect:");  // never wait for 100 Continue
    if (!state_->api_key.empty()) append(headers, "Authorization: Bearer " + state_->api_key);
    const std::string url = state_->base_url + std::string{request.path};
    check(curl_easy_setopt(handle, CURLOPT_URL, url.c_str()));
    check(curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers.get()));
    check(curl_easy_setopt(handle, CURLOPT_POST, 1L));
    check(curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request.body.data()));
    check(curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size())));

    const CURLcode done = curl_easy_perform(handle);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, nullptr);
    if (state_->stopped) return error{error_code::stopped};
    if (done != CURLE_OK) return error{code_for(done)};
    return {};
}

}  // namespace playhead::curl
