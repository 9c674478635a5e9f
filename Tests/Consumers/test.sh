#!/bin/bash
# Builds and runs a consumer of each library as other projects use it: from a git URL and a version.
# Then checks that these programs, and the programs given as arguments, do not link libcurl or libpq.
set -euo pipefail
root=$(realpath "$(dirname "$0")/../..")
build=${BUILD:-$root/.build}/Consumers
swift=${SWIFT:-swift}

fail() {
	echo "$*" >&2
	exit 1
}

for library in $(sed -n 's/.*\.library(name: "\([^"]*\)".*/\1/p' "$root/Package.swift"); do
	[ -d "$root/Tests/Consumers/Sources/${library}Consumer" ] || fail "$library has no consumer"
done

# Creates a repository of the working tree, including uncommitted changes. SwiftPM remembers the commit
# of each tag, so this uses new caches and deletes everything of an earlier run.
rm -rf "$build"
mkdir -p "$build"
cp -r "$root/Tests/Consumers" "$build/package"
repository=$build/NovaBlend.git
git init --quiet --bare "$repository"
in_repository() {
	git --git-dir="$repository" --work-tree="$root" -c user.name=Test -c user.email=test@example.com \
		-c commit.gpgsign=false -c core.hooksPath=/dev/null "$@"
}
in_repository add --all
in_repository commit --quiet --message "Snapshot"
in_repository tag 1.0.0

export NOVABLEND_URL=file://$repository
"$swift" build --package-path "$build/package" --scratch-path "$build/scratch" \
	--cache-path "$build/cache" --config-path "$build/config" --security-path "$build/security" \
	--explicit-target-dependency-import-check error --quiet

for consumer in "$build"/package/Sources/*; do
	program=$build/scratch/debug/$(basename "$consumer")
	"$program" </dev/null || fail "$(basename "$consumer") failed"
	set -- "$@" "$program"
done

for program in "$@"; do
	needed=$(readelf --dynamic "$program" | grep NEEDED)
	! grep -E 'libcurl|libpq' <<<"$needed" || fail "$program links a library that is loaded by name"
done
