#pragma once
#include <cstdint>
#include <span>

struct hearing {
    double gapless_start_ms;
    std::uint64_t underruns;
    double median_ms;
};

hearing hear(std::span<double> arrivals_ms, std::uint64_t frames_each);
