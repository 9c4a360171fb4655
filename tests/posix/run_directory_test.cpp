#include "../support/temporary_folder.hpp"

#include <posix/failure.hpp>
#include <posix/run_directory.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

using namespace playhead;

TEST_SUITE("posix/run_directory") {
    TEST_CASE("files appear whole, in folders that are made, and replace older ones") {
        const test::temporary_folder folder;
        const posix::run_directory directory{folder.path() / "a" / "b"};
        directory.write("outputs/x/r0/one.pcm", std::string_view{"first"});
        directory.write("outputs/x/r0/one.pcm", std::string_view{"second"});
        CHECK(test::text_of(directory.root() / "outputs/x/r0/one.pcm") == "second");
        std::size_t files = 0;
        for (const auto& each : std::filesystem::recursive_directory_iterator{folder.path()}) files += each.is_regular_file() ? 1 : 0;
        CHECK(files == 1);
    }

    TEST_CASE("a place where no file can be is one clear line, and leaves nothing behind") {
        const test::temporary_folder folder;
        folder.file("taken", "x");
        CHECK_THROWS_AS(posix::run_directory{folder.path() / "taken"}, posix::file_failure);
        const posix::run_directory directory{folder.path()};
        CHECK_THROWS_AS(directory.write("taken/below", std::string_view{"y"}), posix::file_failure);
        std::filesystem::create_directory(folder.path() / "folder");
        try {
            directory.write("folder", std::string_view{"y"});
            FAIL_CHECK("written over a folder");
        } catch (const posix::file_failure& failure) {
            const std::string what = failure.what();
            CHECK(what.find((folder.path() / "folder").string()) != std::string::npos);
            CHECK(what.find('\n') == std::string::npos);
        }
        CHECK(test::text_of(folder.path() / "taken") == "x");
        CHECK_FALSE(std::filesystem::exists(folder.path() / "folder.part"));
    }
}
