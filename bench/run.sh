#!/bin/bash
# Runs the benches and writes docs/PERFORMANCE.md: each figure beside its peer's, from the same run.
# Installs what is missing (Debian, as root). Usage: bench/run.sh [BUILD_FOLDER]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build-bench}
"$root/tools/install_missing.sh" "$root/examples/packages.txt"
"$root/tools/install_missing.sh" "$root/bench/packages.txt"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
[ -f "$build/build.ninja" ] || meson setup "$build" "$root" --buildtype=release -Dtests=disabled -Dexamples=disabled -Dbench=enabled > "$log" 2>&1 || { cat "$log" >&2; exit 1; }
ninja -C "$build" > "$log" 2>&1 || { cat "$log" >&2; exit 1; }
python3 "$root/bench/report.py" "$root" "$build"
