#!/bin/bash
# Builds everything and passes every test, then again under AddressSanitizer and UndefinedBehaviorSanitizer.
# Installs what is missing (Debian, as root). Safe to run twice, from any folder. Ends with `N passed, N failed`.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/tools/install_missing.sh" "$root/examples/packages.txt"
"$root/tools/install_missing.sh" "$root/tests/packages.txt"
cd "$root"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

build() { # folder, options: configures it with the options, whatever it was before, and builds it
    local folder=$1
    shift
    [ -f "$folder/build.ninja" ] && set -- --reconfigure "$@"
    if ! { meson setup "$folder" "$@" && ninja -C "$folder"; } > "$log" 2>&1; then
        cat "$log"
        echo "0 passed, 1 failed"
        exit 1
    fi
}

build build -Dtests=enabled -Dexamples=enabled
build build-sanitize -Doptimization=1 -Dtests=enabled -Dexamples=enabled -Dbench=disabled -Db_sanitize=address,undefined -Db_lundef=false
meson test -C build --no-rebuild > "$log" 2>&1 || true
meson test -C build-sanitize --no-rebuild --no-suite rules > "$log" 2>&1 || true
exec python3 tests/sum.py build build-sanitize
