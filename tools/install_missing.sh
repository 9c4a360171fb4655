#!/bin/bash
# Installs the Debian packages of a list that this machine lacks. Quiet when nothing is missing or all went well.
# Usage: install_missing.sh LIST, where each line is `package: command-or-file [alternatives...]` and one of them there is enough.
set -eu
missing=()
while IFS=: read -r package proofs; do
    [ -n "$package" ] || continue
    found=no
    for proof in $proofs; do
        case $proof in
            /*) [ -e "$proof" ] && found=yes ;;
            *) command -v "$proof" > /dev/null && found=yes ;;
        esac
    done
    [ "$found" = yes ] || missing+=("$package")
done < "$1"
[ ${#missing[@]} -gt 0 ] || exit 0
if ! command -v apt-get > /dev/null || [ "$(id -u)" != 0 ]; then
    echo "missing: ${missing[*]}; on Debian, as root: apt-get install ${missing[*]}" >&2
    exit 1
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
install() { apt-get install -y --no-install-recommends "${missing[@]}"; }
echo "installing ${missing[*]}" >&2
if ! install > "$log" 2>&1 && ! { apt-get update && install; } > "$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
