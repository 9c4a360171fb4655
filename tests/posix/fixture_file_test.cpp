#include "../support/temporary_folder.hpp"

#include <posix/failure.hpp>
#include <posix/fixture_file.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace playhead;

namespace {

// The message that refuses `text`, without the name of the file; "accepted" where it is not refused.
std::string refusal_of(const std::string& text) {
    const test::temporary_folder folder;
    const auto file = folder.file("texts.jsonl", text);
    folder.file("empty.wav", "");
    try {
        static_cast<void>(posix::load_fixtures(file));
    } catch (const posix::bad_input& refusal) {
        const std::string what = refusal.what();
        CHECK(what.find('\n') == std::string::npos);
        REQUIRE(what.starts_with(file.string() + ":"));
        return what.substr(file.string().size() + 1);
    }
    return "accepted";
}

}  // namespace

TEST_SUITE("posix/fixture_file") {
    TEST_CASE("rows are read in order, with their hashes") {
        const test::temporary_folder folder;
        folder.file("voices/one.wav", "RIFFsomething");
        const auto set = posix::load_fixtures(folder.file("texts.jsonl",
                                                          "{\"id\":\"a\",\"text\":\"abc\"}\r\n"
                                                          "\n  \n"
                                                          "{\"id\":\"b-2.0+x_\",\"text\":\"Zwölf\\u2028Boxkämpfer\",\"unseen\":true,"
                                                          "\"reference_audio\":\"voices/one.wav\",\"reference_text\":\"abc\"}"));
        REQUIRE(set.fixtures.size() == 2);
        CHECK(set.fixtures[0].id == "a");
        CHECK(set.fixtures[0].text_sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        CHECK_FALSE(set.fixtures[0].reference_sha256);
        CHECK_FALSE(set.fixtures[0].declared_unseen);
        CHECK(set.fixtures[1].text ==
              "Zw\xc3\xb6lf\xe2\x80\xa8"
              "Boxk\xc3\xa4mpfer");
        CHECK(set.fixtures[1].declared_unseen);
        CHECK(set.fixtures[1].reference_audio.size() == 13);
        CHECK(set.fixtures[1].reference_text_sha256 == set.fixtures[0].text_sha256);
        REQUIRE(set.views().size() == 2);
        CHECK(set.views()[1].id == "b-2.0+x_");
        CHECK(set.views()[1].reference_audio.size() == 13);
    }

    TEST_CASE("a set's hash depends on what is said, not on where its files are") {
        const test::temporary_folder folder;
        folder.file("one.wav", "voice");
        folder.file("elsewhere/two.wav", "voice");
        const auto of = [&](const std::string& audio, const std::string& text) {
            return posix::load_fixtures(folder.file("t.jsonl", "{\"id\":\"a\",\"text\":\"" + text + "\",\"reference_audio\":\"" + audio +
                                                                   "\",\"reference_text\":\"x\"}"))
                .sha256;
        };
        CHECK(of("one.wav", "Hello.") == of("elsewhere/two.wav", "Hello."));
        CHECK(of("one.wav", "Hello.") != of("one.wav", "Hello!"));
    }

    TEST_CASE("each wrong row is refused with its line and what would be right") {
        struct row {
            const char* text;
            const char* message;
        };
        for (const row& each : {
                 row{"", " holds no fixture"},
                 row{"\n \n", " holds no fixture"},
                 row{"{\"id\":\"a\",\"text\":\"x\"}\nhello", "2: not JSON at character 1"},
                 row{"[1]", "1: not an object"},
                 row{"{\"id\":\"a\",\"text\":\"x\",}", "1: not JSON at character 22"},
                 row{"{\"id\":\"a\",\"text\":\"\xff\"}", "1: not JSON at character 19"},
                 row{"{\"text\":\"x\"}", "1: id must be"},
                 row{"{\"id\":7,\"text\":\"x\"}", "1: id must be"},
                 row{"{\"id\":\"\",\"text\":\"x\"}", "1: id must be"},
                 row{"{\"id\":\"../x\",\"text\":\"x\"}", "1: id must be"},
                 row{"{\"id\":\"a b\",\"text\":\"x\"}", "1: id must be"},
                 row{"{\"id\":\"a\"}", "1: text must be"},
                 row{"{\"id\":\"a\",\"text\":\" \\n\"}", "1: text must be"},
                 row{"{\"id\":\"a\",\"text\":5}", "1: text must be"},
                 row{"{\"id\":\"a\",\"text\":\"x\",\"speed\":1}", "1: unknown member \"speed\""},
                 row{"{\"id\":\"a\",\"text\":\"x\",\"id\":\"b\"}", "1: member \"id\" stands twice"},
                 row{"{\"id\":\"a\",\"text\":\"x\",\"unseen\":1}", "1: unseen must be true or false"},
                 row{"{\"id\":\"a\",\"text\":\"x\"}\n\n{\"id\":\"a\",\"text\":\"y\"}", "3: id a stands in an earlier line too"},
                 row{"{\"id\":\"a\",\"text\":\"x\",\"reference_text\":\"y\"}", "1: reference_text needs reference_audio"},
                 row{"{\"id\":\"a\",\"text\":\"x\",\"reference_audio\":\"none.wav\"}", "1: reference_audio needs reference_text"},
                 row{"{\"id\":\"a\",\"text\":\"x\",\"reference_audio\":7,\"reference_text\":\"y\"}", "1: reference_audio must be the name"},
                 row{"{\"id\":\"a\",\"text\":\"x\",\"reference_audio\":\"none.wav\",\"reference_text\":\"y\"}", "cannot be read"},
                 row{"{\"id\":\"a\",\"text\":\"x\",\"reference_audio\":\"empty.wav\",\"reference_text\":\"y\"}", "is empty"},
             }) {
            CAPTURE(each.text);
            const std::string refusal = refusal_of(each.text);
            CAPTURE(refusal);
            CHECK(refusal.find(each.message) != std::string::npos);
        }
    }

    TEST_CASE("a file that is none is refused") {
        const test::temporary_folder folder;
        CHECK_THROWS_AS(static_cast<void>(posix::load_fixtures(folder.path() / "missing.jsonl")), posix::bad_input);
        CHECK_THROWS_AS(static_cast<void>(posix::load_fixtures(folder.path())), posix::bad_input);
    }

    TEST_CASE("labels are short and safe as names of files") {
        CHECK(posix::is_label("a"));
        CHECK(posix::is_label("9.A_b+c-d"));
        CHECK(posix::is_label(std::string(64, 'a')));
        for (const std::string bad : {"", "-a", ".a", "a/b", "a b", "\xc3\xa4", "a\n"}) {
            CAPTURE(bad);
            CHECK_FALSE(posix::is_label(bad));
        }
        CHECK_FALSE(posix::is_label(std::string(65, 'a')));
    }
}
