#!/bin/bash
# Copies the program $1 to $2 without debug information, which goes to $2.debug. A debugger finds it there by the
# build id, or by the name that the program contains. The copy states its version, commit, and date (BuildStamp.swift).
set -euo pipefail
new=$2.new
stamp=$(mktemp)
trap 'rm -f "$stamp"' EXIT
root=$(dirname "$0")/../..
version=$(<"$root/VERSION")
# Without a repository, as in an archive of the sources, there is only a version.
if commit=$(git -C "$root" describe --always --abbrev=12 --exclude='*' --dirty=-modified 2>/dev/null); then
	version+=" ($commit, $(TZ=UTC git -C "$root" log -1 --format=%cd --date=format-local:%F))"
fi
printf %s "$version" >"$stamp"
truncate --size=128 "$stamp"
objcopy --only-keep-debug "$1" "$2.debug"
chmod 644 "$2.debug"
objcopy --strip-all --remove-section .comment --add-gnu-debuglink="$2.debug" \
	--update-section novablend_stamp="$stamp" "$1" "$new"
# A program that is running cannot be overwritten.
mv "$new" "$2"
