#pragma once
// engine: where the loopback server's PCM comes from: real speech from espeak-ng, or a tone of any format.
#include <playhead/core/pcm_format.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace playhead::server {

enum class engine_kind { espeak, tone };

// The samples of one utterance, as they come.
class pcm_source {
public:
    virtual ~pcm_source() = default;
    // Up to `frames` frames, s16le; fewer only at the end, none when it is over. Waits for them.
    [[nodiscard]] virtual std::vector<std::byte> read(std::size_t frames) = 0;
};

// A tone whose pitch depends on the seed, each channel another octave: the same for the same arguments on every machine.
//   frames  its length
[[nodiscard]] std::unique_ptr<pcm_source> make_tone(const pcm_format& format, std::uint32_t seed, std::uint64_t frames);

// `text` said by espeak-ng, which runs while this lives; 22050 Hz, one channel. Throws std::runtime_error where it does not run.
[[nodiscard]] std::unique_ptr<pcm_source> make_espeak(const std::string& voice, std::string_view text);
inline constexpr pcm_format espeak_format{.sample_rate = 22'050, .channels = 1};

// Throws std::runtime_error with one line where espeak-ng is not installed.
void require_espeak();

// How long the tone for a text is: 60 ms a character, at least 400 ms and at most 30 s, in whole codec frames.
[[nodiscard]] std::uint64_t tone_frames_for(std::string_view text, std::uint32_t sample_rate) noexcept;

// The frames of a codec frame, 80 ms.
[[nodiscard]] constexpr std::uint64_t codec_frame(std::uint32_t sample_rate) noexcept { return sample_rate * std::uint64_t{80} / 1000; }

}  // namespace playhead::server
