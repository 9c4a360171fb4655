// sha256: how fast PCM is hashed while it is heard; 48 kB a second is what one stream of 24 kHz speech needs.
#include <playhead/hash/sha256.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

void sha256(benchmark::State& state) {
    const std::vector<std::byte> bytes(static_cast<std::size_t>(state.range(0)), std::byte{0x5a});
    for (auto _ : state) {
        playhead::hash::sha256 hash;
        hash.update(bytes);
        benchmark::DoNotOptimize(hash.digest());
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * state.range(0));
}

}  // namespace

BENCHMARK(sha256)->Arg(3'840)->Arg(1 << 20);
