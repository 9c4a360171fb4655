#include "engine.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

extern char** environ;

namespace playhead::server {

namespace {

// A triangle wave, in integers: its phase is a fraction of 2^32.
class tone final : public pcm_source {
public:
    tone(const pcm_format& format, std::uint32_t seed, std::uint64_t frames)
        : format_{format}, left_{frames}, step_{static_cast<std::uint32_t>((std::uint64_t{220 + seed % 220} << 32) / format.sample_rate)} {}

    std::vector<std::byte> read(std::size_t frames) override {
        frames = static_cast<std::size_t>(std::min<std::uint64_t>(frames, left_));
        left_ -= frames;
        std::vector<std::byte> pcm;
        pcm.reserve(frames * format_.bytes_per_frame());
        for (std::size_t i = 0; i < frames; ++i) {
            phase_ += step_;
            for (std::uint32_t channel = 0; channel < format_.channels; ++channel) {
                const std::uint32_t turn = phase_ << channel;
                const auto up = static_cast<std::int32_t>((turn < 0x8000'0000U ? turn : ~turn) >> 17);  // 0 to 16383
                const auto sample = static_cast<std::uint16_t>(static_cast<std::int16_t>(up - 8192));
                pcm.push_back(static_cast<std::byte>(sample & 0xff));
                pcm.push_back(static_cast<std::byte>(sample >> 8));
            }
        }
        return pcm;
    }

private:
    pcm_format format_;
    std::uint64_t left_;
    std::uint32_t step_;
    std::uint32_t phase_ = 0;
};

// A file descriptor that closes itself.
class descriptor {
public:
    explicit descriptor(int fd = -1) noexcept : fd_{fd} {}
    descriptor(descriptor&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
    descriptor& operator=(descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~descriptor() { close(); }
    void close() noexcept {
        if (fd_ >= 0) ::close(std::exchange(fd_, -1));
    }
    [[nodiscard]] int get() const noexcept { return fd_; }

private:
    int fd_;
};

std::pair<descriptor, descriptor> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe for espeak-ng");
    return {descriptor{ends[0]}, descriptor{ends[1]}};
}

// espeak-ng writes a WAV whose header comes first and whose samples follow while it speaks.
class espeak final : public pcm_source {
public:
    espeak(const std::string& voice, std::string_view text) {
        auto [its_input, our_output] = make_pipe();
        auto [our_input, its_output] = make_pipe();
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, its_input.get(), STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, its_output.get(), STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        // The child must not inherit that stop signals wait for somebody else.
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
        std::array<std::string, 5> words{"espeak-ng", "--stdout", "-v", voice, "--stdin"};
        std::array<char*, 6> arguments{};
        for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
        const int failed = ::posix_spawnp(&child_, "espeak-ng", &actions, &attributes, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
        if (failed != 0) throw std::runtime_error("espeak-ng does not run; is it installed?");
        input_ = std::move(our_input);
        its_input.close();
        its_output.close();
        // A long text may fill the pipe while nobody reads what is said.
        writer_ = std::thread{[to = std::move(our_output), said = std::string{text}] {
            for (std::string_view rest{said}; !rest.empty();) {
                const ssize_t written = ::write(to.get(), rest.data(), rest.size());
                if (written < 0 && errno == EINTR) continue;
                if (written <= 0) return;
                rest.remove_prefix(static_cast<std::size_t>(written));
            }
        }};
        try {
            skip_header();
        } catch (...) {
            end();
            throw;
        }
    }
    ~espeak() override { end(); }
    espeak(const espeak&) = delete;
    espeak& operator=(const espeak&) = delete;

    std::vector<std::byte> read(std::size_t frames) override {
        std::vector<std::byte> pcm(frames * espeak_format.bytes_per_frame());
        pcm.resize(read_up_to(pcm.data(), pcm.size()) / espeak_format.bytes_per_frame() * espeak_format.bytes_per_frame());
        return pcm;
    }

private:
    std::size_t read_up_to(std::byte* to, std::size_t size) const {
        std::size_t done = 0;
        while (done < size) {
            const ssize_t read = ::read(input_.get(), to + done, size - done);
            if (read < 0 && errno == EINTR) continue;
            if (read <= 0) break;
            done += static_cast<std::size_t>(read);
        }
        return done;
    }

    [[nodiscard]] std::uint32_t read_number(std::size_t bytes) const {
        std::array<std::byte, 4> raw{};
        if (read_up_to(raw.data(), bytes) != bytes) throw std::runtime_error("espeak-ng said nothing; is the voice right?");
        std::uint32_t value = 0;
        for (std::size_t i = bytes; i > 0; --i) value = value << 8 | std::to_integer<std::uint32_t>(raw[i - 1]);
        return value;
    }

    // Up to the samples: the chunks before them, among them the format.
    void skip_header() const {
        constexpr std::uint32_t riff = 0x46464952, fmt = 0x20746d66, data = 0x61746164;
        if (read_number(4) != riff) throw std::runtime_error("espeak-ng did not write a WAV");
        static_cast<void>(read_number(4));
        static_cast<void>(read_number(4));
        for (;;) {
            const std::uint32_t id = read_number(4), size = read_number(4);
            if (id == data) return;
            if (id == fmt && size >= 16) {
                static_cast<void>(read_number(2));
                const std::uint32_t channels = read_number(2), rate = read_number(4);
                if (channels != espeak_format.channels || rate != espeak_format.sample_rate) {
                    throw std::runtime_error("espeak-ng speaks in another format than 22050 Hz, 1 channel");
                }
                for (std::uint32_t i = 8; i < size; ++i) static_cast<void>(read_number(1));
            } else {
                for (std::uint32_t i = 0; i < size; ++i) static_cast<void>(read_number(1));
            }
        }
    }

    void end() {
        ::kill(child_, SIGKILL);
        input_.close();
        if (writer_.joinable()) writer_.join();
        while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {}
    }

    pid_t child_ = -1;
    descriptor input_;
    std::thread writer_;
};

}  // namespace

std::unique_ptr<pcm_source> make_tone(const pcm_format& format, std::uint32_t seed, std::uint64_t frames) {
    return std::make_unique<tone>(format, seed, frames);
}

std::unique_ptr<pcm_source> make_espeak(const std::string& voice, std::string_view text) { return std::make_unique<espeak>(voice, text); }

void require_espeak() {
    const char* const path = std::getenv("PATH");
    std::string_view rest{path == nullptr ? "" : path};
    while (!rest.empty()) {
        const auto end = std::min(rest.find(':'), rest.size());
        const std::filesystem::path program = std::filesystem::path{rest.substr(0, end)} / "espeak-ng";
        if (::access(program.c_str(), X_OK) == 0) return;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    throw std::runtime_error("espeak-ng is not installed (Debian: apt-get install espeak-ng); --engine tone needs nothing");
}

std::uint64_t tone_frames_for(std::string_view text, std::uint32_t sample_rate) noexcept {
    const std::uint64_t characters = static_cast<std::uint64_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
    const std::uint64_t ms = std::clamp<std::uint64_t>(characters * 60, 400, 30'000);
    return (ms + 79) / 80 * codec_frame(sample_rate);
}

}  // namespace playhead::server
