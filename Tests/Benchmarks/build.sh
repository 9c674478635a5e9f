#!/bin/bash
# Builds the driver and the peers into $BUILD/bench. The Makefile sets BUILD, CLANG, and SWIFT.
set -euo pipefail
cd "$(dirname "$0")"
out=$BUILD/bench
mkdir -p "$out"
warnings="-Wall -Wextra -Werror"
c="$CLANG -std=c11 -D_GNU_SOURCE -O2 $warnings"
$c -o "$out/drive" driver/*.c
$c -o "$out/curl_get" peers/c/curl_get.c -lcurl
$c -o "$out/sqlite_alone" peers/c/sqlite_alone.c -lsqlite3
"${CLANG}++" -std=c++17 -O2 $warnings -o "$out/fetch" peers/c/fetch.cpp -lcurl -lsimdjson
[ -x "$out/venv/bin/python" ] || python3 -m venv "$out/venv"
"$out/venv/bin/pip" install --quiet --disable-pip-version-check -r requirements.txt
"$SWIFT" build --package-path peers/swift --scratch-path "$BUILD/peers" "$@"
