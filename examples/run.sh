#!/bin/bash
# Builds the program and runs the main job: a speech server on this machine, measured as its listener hears it.
# Installs what is missing (Debian, as root). Safe to run twice, from any folder.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/tools/install_missing.sh" "$root/examples/packages.txt"
cd "$root"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! {
    [ -f build/build.ninja ] || meson setup build -Dtests=disabled -Dbench=disabled -Dexamples=disabled
    ninja -C build playhead
} > "$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
exec build/playhead demo --run-dir "$root/out/demo"
