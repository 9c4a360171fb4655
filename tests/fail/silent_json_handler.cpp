// A handler takes every kind of token.
// expect: json_handler|on_literal
#include <playhead/wire/json_tokenizer.hpp>

struct counter {
    int tokens = 0;
    void on_object_begin() { ++tokens; }
    void on_object_end() { ++tokens; }
    void on_array_begin() { ++tokens; }
    void on_array_end() { ++tokens; }
    void on_name(std::string_view, bool) { ++tokens; }
    void on_string(std::string_view, bool) { ++tokens; }
    void on_number(std::string_view, bool) { ++tokens; }
#ifdef RIGHT
    void on_literal(playhead::wire::json_literal) { ++tokens; }
#endif
};

bool f(std::string_view text) {
    counter handler{};
    playhead::wire::json_tokenizer reader{};
    return reader.feed(text, handler).has_value();
}
