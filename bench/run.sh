#!/bin/sh
# Runs the benches and writes docs/PERFORMANCE.md: each figure beside its peer's, from the same run.
# usage: bench/run.sh [BUILD_FOLDER]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build-bench}
if [ ! -f "$build/build.ninja" ]; then
    meson setup "$build" "$root" --buildtype=release -Dtests=disabled -Dexamples=disabled > /dev/null
fi
ninja -C "$build" > /dev/null
exec python3 "$root/bench/report.py" "$root" "$build"
