#include "archetypes.hpp"

#include <playhead/core/transport.hpp>

#include <doctest/doctest.h>

using namespace playhead;

namespace {

struct receiver_without_status {
    flow on_header(std::string_view, std::string_view) { return flow::go_on; }
    flow on_body(std::span<const std::byte>) { return flow::go_on; }
};
struct receiver_without_answer {
    void on_status(int) {}
    flow on_header(std::string_view, std::string_view) { return flow::go_on; }
    flow on_body(std::span<const std::byte>) { return flow::go_on; }
};
struct receiver_with_a_bool {
    flow on_status(int) { return flow::go_on; }
    bool on_header(std::string_view, std::string_view) { return true; }
    flow on_body(std::span<const std::byte>) { return flow::go_on; }
};
struct receiver_of_writable_bytes {
    flow on_status(int) { return flow::go_on; }
    flow on_header(std::string_view, std::string_view) { return flow::go_on; }
    flow on_body(std::span<std::byte>) { return flow::go_on; }
};

// Carries to one kind of receiver only.
struct transport_to_one {
    result<void> perform(const http_request&, test::least_receiver&) { return {}; }
};
struct transport_without_result {
    template <typename Receiver>
    void perform(const http_request&, Receiver&) {}
};
struct transport_that_may_lie {
    template <typename Receiver>
    bool perform(const http_request&, Receiver&) {
        return true;
    }
};

// Truth tables.
static_assert(response_receiver<test::least_receiver>);
static_assert(response_receiver<null_receiver>);
static_assert(response_receiver<measure::request_recorder<test::least_clock, test::least_sink>>);
static_assert(!response_receiver<int>);
static_assert(!response_receiver<receiver_without_status>);
static_assert(!response_receiver<receiver_without_answer>);
static_assert(!response_receiver<receiver_with_a_bool>);
static_assert(!response_receiver<receiver_of_writable_bytes>);
static_assert(!response_receiver<const test::least_receiver>);

static_assert(transport<test::least_transport>);
static_assert(transport_to<test::least_transport, test::least_receiver>);
static_assert(transport_to<transport_to_one, test::least_receiver>);
static_assert(!transport<transport_to_one>);
static_assert(!transport_to<test::least_transport, int>);
static_assert(!transport<transport_without_result>);
static_assert(!transport<transport_that_may_lie>);
static_assert(!transport<int>);
static_assert(!transport<null_receiver>);

}  // namespace

TEST_SUITE("core/transport") {
    TEST_CASE("a response goes to the least receiver, and one that stops ends it") {
        test::least_transport server{"body"};
        test::least_receiver patient{flow::go_on};
        CHECK(server.perform({}, patient).has_value());
        test::least_receiver impatient{flow::stop};
        CHECK(server.perform({}, impatient).error() == error{error_code::stopped});
    }

    TEST_CASE("the null receiver takes everything") {
        test::least_transport server{"body"};
        null_receiver receiver;
        CHECK(server.perform({.path = "/", .content_type = "text/plain", .accept = "*/*", .body = {}}, receiver).has_value());
        static_assert(null_receiver{}.on_status(503) == flow::go_on);
    }

    TEST_CASE("a connection report that nobody filled says that nothing was to be done") {
        const connection_report none;
        CHECK_FALSE(none.reused);
        CHECK(none.name_lookup == nanoseconds::zero());
        CHECK(none.connected == nanoseconds::zero());
        CHECK(none.secured == nanoseconds::zero());
    }
}
