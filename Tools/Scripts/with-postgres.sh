#!/bin/bash
# Runs a command with a throwaway cluster of PostgreSQL, which is deleted afterwards.
#
# Usage: with-postgres.sh COMMAND...
#
# NOVABLEND_POSTGRES is a directory for the command. The cluster in its subdirectory `main` runs, and
# listens only on a socket there. `template` is a cluster that does not run, to be copied.
set -euo pipefail

bin=$(find /usr/lib/postgresql -maxdepth 2 -name bin | sort -V | tail -n 1)
[ -n "$bin" ] || { echo "PostgreSQL is not installed" >&2; exit 1; }

# The server does not run as root.
as_owner() {
	if [ "$(id -u)" = 0 ]; then
		(cd "$directory" && setpriv --reuid=postgres --regid=postgres --clear-groups "$@")
	else
		"$@"
	fi
}

directory=$(mktemp -d /tmp/novablend-postgres.XXXXXX)
stop() {
	for cluster in "$directory"/*/; do
		if [ -e "$cluster/postmaster.pid" ]; then
			as_owner "$bin/pg_ctl" stop --pgdata "$cluster" --mode immediate --silent || true
		fi
	done
	rm -rf "$directory"
}
trap stop EXIT
chmod 755 "$directory"
if [ "$(id -u)" = 0 ]; then chown postgres: "$directory"; fi
ln -s "$bin" "$directory/bin"

as_owner "$bin/initdb" --pgdata "$directory/template" --username novablend --auth trust \
	--encoding UTF8 --no-locale >/dev/null
cat >>"$directory/template/postgresql.conf" <<-SETTINGS
	listen_addresses = ''
	max_connections = 200
	shared_buffers = 64MB
SETTINGS
as_owner cp -a "$directory/template" "$directory/main"
as_owner "$bin/pg_ctl" start --pgdata "$directory/main" --wait --silent \
	--log "$directory/main/log" --options "-k $directory/main"
NOVABLEND_POSTGRES=$directory "$@"
