#!/bin/sh
# Installs NovaBlend from the directory of this file, or removes it. `install.sh --help` prints the usage.
set -eu

usage() {
	cat <<-END
		usage: install.sh [PREFIX]
		       install.sh --uninstall [PREFIX]

		Installs NovaBlend in PREFIX, or removes it from there. PREFIX is ~/.local by default.
	END
}

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
new=.novablend-new
uninstall=false
case ${1-} in
-h | --help) usage; exit ;;
--uninstall) uninstall=true; shift ;;
-*) usage >&2; exit 64 ;;
esac
[ $# -le 1 ] || { usage >&2; exit 64; }
prefix=${1-${HOME:?"is not set: name a directory"}/.local}
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
# The names of all installed files, for the next version and for the removal.
installed=$prefix/lib/novablend/files

# Removes a file, and the directories that are empty without it.
remove() {
	rm -f -- "$prefix/$1"
	directory=$(dirname -- "$1")
	while [ "$directory" != . ] && rmdir -- "$prefix/$directory" 2>/dev/null; do
		directory=$(dirname -- "$directory")
	done
}

# Removes each file whose name is read and that the list $1 does not have.
remove_except() {
	while read -r file; do grep -qxF -- "$file" "$1" || remove "$file"; done
}

if $uninstall; then
	[ -e "$installed" ] || fail "NovaBlend is not installed in $prefix"
	files=$(cat "$installed")
	echo "$files" | remove_except /dev/null
	echo "Removed NovaBlend from $prefix. Settings, caches, and databases were not removed."
	exit
fi

cd "$here"
[ -e SHA256SUMS ] || fail "run it in the directory of the unpacked archive"
sha256sum --quiet --check SHA256SUMS || fail "the archive is damaged: unpack it again, or download it again"
bin/novablend --version >/dev/null && bin/novablend-backend --version >/dev/null ||
	fail "the programs do not run here: they need Linux on x86-64 with glibc 2.36 and libstdc++ 12 or newer"

# The names of the files to install, relative to the prefix. The other files of the archive are not installed.
files=$(find bin lib share -type f | sort)
files="$files
lib/novablend/files
lib/novablend/install.sh"

# Removes the new files that have not replaced earlier ones.
clean() {
	for file in $files; do remove "$file$new"; done
}

undo() {
	clean
	fail "could not write to $prefix: nothing was installed, and an earlier version was not changed"
}

# Writes the standard input to a new file. It replaces the earlier one only when all files have been written.
write() {
	mkdir -p -- "$(dirname -- "$prefix/$1")" && rm -f -- "$prefix/$1$new" && cat >"$prefix/$1$new"
}

trap 'clean; exit 130' INT HUP TERM
echo "Installing NovaBlend in $prefix."
for file in $files; do
	case $file in
	lib/novablend/files) echo "$files" | write "$file" || undo ;;
	lib/novablend/install.sh) write "$file" <install.sh && chmod 755 "$prefix/$file$new" || undo ;;
	bin/*) write "$file" <"$file" && chmod 755 "$prefix/$file$new" || undo ;;
	*) write "$file" <"$file" && chmod 644 "$prefix/$file$new" || undo ;;
	esac
done
# On some file systems, only this reports a full disk.
sync -f "$prefix" || undo
earlier=$([ -e "$installed" ] && cat "$installed" || :)
for file in $files; do
	mv -f -- "$prefix/$file$new" "$prefix/$file" ||
		fail "$prefix/$file could not be replaced: correct that, and run this again"
done
trap - INT HUP TERM
[ -z "$earlier" ] || echo "$earlier" | remove_except "$installed"

"$prefix/bin/novablend" --version
case :$PATH: in
*":$prefix/bin:"*) ;;
*) echo "Add $prefix/bin to PATH to run it by name." ;;
esac
echo "To remove it: $prefix/lib/novablend/install.sh --uninstall $prefix"
