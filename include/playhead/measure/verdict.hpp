#pragma once
// verdict: what may be claimed of a measurement.
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace playhead::measure {

enum class verdict : std::uint8_t {
    pass,
    fail,
    unproven,  // not measured well enough to claim it
    not_run,   // not measured at all
};

[[nodiscard]] constexpr std::string_view name(verdict which) noexcept {
    switch (which) {
        case verdict::pass: return "PASS";
        case verdict::fail: return "FAIL";
        case verdict::unproven: return "UNPROVEN";
        case verdict::not_run: return "NOT RUN";
    }
    return "NOT RUN";
}

// FAIL if any is FAIL, else UNPROVEN if any is UNPROVEN, else PASS. What was not run takes no part.
[[nodiscard]] constexpr verdict combine(std::initializer_list<verdict> verdicts) noexcept {
    verdict combined = verdict::pass;
    for (const verdict each : verdicts) {
        if (each == verdict::fail) return verdict::fail;
        if (each == verdict::unproven) combined = verdict::unproven;
    }
    return combined;
}

}  // namespace playhead::measure
