#!/bin/bash
# Builds and runs a consumer of each library as other projects use it: from a git URL and a version. One
# more has modules with the same names as ours. Then checks that these programs, and the programs given
# as arguments, do not link libcurl or libpq.
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
programs=("$@")
# Builds the package in a directory with the options, and runs its programs.
run_consumers() {
	local scratch consumer program
	scratch=$build/scratch-$(basename "$1")
	"$swift" build --package-path "$1" --scratch-path "$scratch" \
		--cache-path "$build/cache" --config-path "$build/config" --security-path "$build/security" \
		"${@:2}" --quiet
	for consumer in "$1"/Sources/*; do
		program=$scratch/debug/$(basename "$consumer")
		"$program" </dev/null || fail "$(basename "$consumer") failed"
		programs+=("$program")
	done
}
run_consumers "$build/package" --explicit-target-dependency-import-check error
# Without the check of imports, which does not know that a module has a different name.
run_consumers "$build/package/Aliases"

for program in "${programs[@]}"; do
	needed=$(readelf --dynamic "$program" | grep NEEDED)
	! grep -E 'libcurl|libpq' <<<"$needed" || fail "$program links a library that is loaded by name"
done
