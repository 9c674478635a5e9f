"""The service reaches a PostgreSQL database on the same machine, as docs/Operating.md describes.

systemd does not run there, so a file stands for what it knows about the user of the service."""

import json
from pathlib import Path

import pytest

from machine import DOCUMENT, Machine, blocks, is_possible
from service import UNIT, settings

pytestmark = [
    pytest.mark.skipif(not is_possible(), reason="namespaces cannot be created"),
    pytest.mark.skipif(
        not Path("/usr/lib/postgresql").exists(), reason="PostgreSQL is not installed"
    ),
]

USER = {"userName": UNIT.stem, "uid": 61999, "gid": 61999, "disposition": "dynamic"}
SERVER = """
bin=$(find /usr/lib/postgresql -maxdepth 2 -name bin | sort -V | tail -n 1)
data=/var/lib/postgresql/test
cd /
install -d -o postgres "$data" /run/postgresql
sudo -u postgres "$bin/initdb" --pgdata "$data/main" --auth peer
sudo -u postgres "$bin/pg_ctl" start --pgdata "$data/main" --wait --silent --log "$data/log" \
    --options "-k /run/postgresql -h ''"
"""


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    """A machine with the service, its user, and a server of PostgreSQL."""
    machine = Machine(tmp_path_factory.mktemp("machine"))
    try:
        for command in blocks("Ten commands", "sh")[1:3]:
            machine.output(command)
        users = machine.root / "run/userdb"
        users.mkdir(exist_ok=True)
        (users / f"{USER['userName']}.user").write_text(json.dumps(USER))
        (users / f"{USER['uid']}.user").symlink_to(f"{USER['userName']}.user")
        machine.output(SERVER)
        yield machine
    finally:
        machine.stop()


def test_the_service_is_identified_by_its_user(machine):
    assert settings("DynamicUser") == ["yes"]
    commands, imports = blocks("PostgreSQL and several instances", "sh")
    install, *create = commands.strip().split("\n")
    assert " 0 newly installed" in machine.output(install)
    assert "libnss-systemd" in install
    for command in create:
        machine.output(command)
    configuration = machine.root / "etc/novablend/backend.conf"
    lines = configuration.read_text().split("\n")
    (index,) = [i for i, line in enumerate(lines) if line.startswith("database = ")]
    lines[index] = "database = postgresql:///salons"
    configuration.write_text("\n".join(lines))
    listed = "sudo -u novablend-backend novablend-backend tokens list"
    assert listed in DOCUMENT.read_text()
    assert machine.output(listed) == "no tokens\n"
    (salons,) = blocks("Ten commands", "csv")
    (machine.checkout / "salons.csv").write_text(salons)
    assert "1 created" in machine.output(imports)
    token = machine.output("cat /etc/novablend/operator.token")
    assert token.startswith("nvb_") and token.split("_")[1] in machine.output(listed)
    assert machine.output("stat -c %a /etc/novablend/operator.token").strip() == "600"

    # Without the package, the server does not know the name of the user.
    machine.output("sed -i 's/ systemd//' /etc/nsswitch.conf")
    words = f"PGUSER={USER['userName']} setpriv --reuid {USER['uid']} --regid {USER['gid']}"
    result = machine.run(f"env {words} --clear-groups novablend-backend tokens list")
    assert result.returncode != 0 and "Peer authentication failed" in result.stderr, result.stderr
