#!/bin/bash
# Copies the program $1 to $2 without debug information, which goes to $2.debug. A debugger finds it there by the
# build id, or by the name that the program contains.
set -euo pipefail
new=$2.new
objcopy --only-keep-debug "$1" "$2.debug"
chmod 644 "$2.debug"
objcopy --strip-all --add-gnu-debuglink="$2.debug" "$1" "$new"
# A program that is running cannot be overwritten.
mv "$new" "$2"
