#!/bin/bash
# Lists the changes that break the public API since the last version. Fails if there are any, unless that
# version is before 0.1.0.
#
# Usage: api-breaks.sh SCRATCH
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! version=$(git describe --tags --match '[0-9]*' --abbrev=0 2>/dev/null); then
	echo "no version has been tagged, so there is nothing to compare with"
	exit
fi
echo "comparing with $version"
if "${SWIFT:-swift}" package --scratch-path "$1" diagnose-api-breaking-changes "$version"; then
	exit
fi
case $version in
	0.0.* | *-*) echo "the API may change before 0.1.0" ;;
	*) exit 1 ;;
esac
