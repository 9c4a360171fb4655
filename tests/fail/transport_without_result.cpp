// A transport says how a request ended.
// expect: transport
#include <playhead/core/transport.hpp>

template <typename Answer>
struct pipe {
    template <playhead::response_receiver Receiver>
    Answer perform(const playhead::http_request&, Receiver&) {
        return Answer();
    }
};

template <playhead::transport T>
void measure(const T&) {}

#ifdef RIGHT
void f() { measure(pipe<playhead::result<void>>{}); }
#else
void f() { measure(pipe<void>{}); }
#endif
