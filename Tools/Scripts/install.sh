#!/bin/bash
# Installs Debian packages without starting the services in them, now or when the machine starts, and
# without creating a PostgreSQL database.
set -euo pipefail

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

enabled_services() {
	if [ -d /run/systemd/system ]; then
		systemctl list-unit-files --type=service --state=enabled --no-legend | cut -d ' ' -f 1 | sort
	fi
}

# Package scripts ask this program before they start a service (invoke-rc.d(8)).
policy=/usr/sbin/policy-rc.d
temporary=()
trap 'as_root rm -f "${temporary[@]}"' EXIT
if [ ! -e $policy ]; then
	printf '#!/bin/sh\nexit 101\n' | as_root install -m 755 /dev/stdin $policy
	temporary+=($policy)
fi
# The package of the server reads this (pg_createcluster(8)).
no_cluster=/etc/postgresql-common/createcluster.d/novablend.conf
if [[ " $* " == *" postgresql "* ]]; then
	echo 'create_main_cluster = false' | as_root install -D -m 644 /dev/stdin $no_cluster
	temporary+=($no_cluster)
fi

before=$(enabled_services)
as_root apt-get update -qq
# On a machine that has just been started, an automatic upgrade can hold the lock.
as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq \
	--no-install-recommends "$@" >/dev/null
for service in $(comm -13 <(echo "$before") <(enabled_services)); do
	as_root systemctl disable --quiet "$service"
done
