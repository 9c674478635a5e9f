"""The commands of docs/Operating.md lead from nothing to a backend behind haproxy.

machine.py describes what is different from a real machine: above all, systemd does not run."""

import json
import re
import socket
import threading
import time
from datetime import datetime, timedelta

import pytest

from environment import DEADLINE
from machine import Machine, blocks, is_possible

CURL = "curl --silent --show-error --cacert /etc/haproxy/novablend.pem"
# As a client that is not on loopback. Prints the body and then the status.
REMOTE = (
    f"{CURL} --interface 10.1.2.3 --resolve salons.example:443:10.1.2.3 --write-out ' %{{http_code}}'"
)
URL = "https://salons.example"

pytestmark = pytest.mark.skipif(not is_possible(), reason="namespaces cannot be created")


COMMANDS = [block.strip() for block in blocks("Ten commands", "sh")]


@pytest.fixture(scope="module")
def outputs():
    """The outputs of the ten commands."""
    return []


@pytest.fixture(scope="module")
def machine(tmp_path_factory, outputs):
    """A machine on which the ten commands have run."""
    machine = Machine(tmp_path_factory.mktemp("machine"))
    try:
        (salons,) = blocks("Ten commands", "csv")
        (machine.checkout / "salons.csv").write_text(salons)
        outputs += [machine.output(command) for command in COMMANDS]
        yield machine
    finally:
        machine.stop()


def test_there_are_ten_commands():
    assert len(COMMANDS) == 10
    assert not any("\n" in command for command in COMMANDS)


def test_the_commands_succeed(machine, outputs):
    assert " 0 newly installed" in outputs[0]
    assert "1 created" in outputs[3]
    assert '"name":"Atelier Nova"' in outputs[8]
    assert "novablend_http_requests_total" in outputs[8]
    assert machine.output("stat -c %a /etc/novablend/operator.token").strip() == "600"
    assert machine.output("stat -c %a /etc/haproxy/novablend.pem.key").strip() == "600"
    backups = machine.output("stat -c '%a %n' /var/lib/novablend-backups/*").strip().split("\n")
    assert [backup.split()[0] for backup in backups] == ["600"]
    assert re.search(r"/backend-\d{8}T\d{6}Z\.sqlite$", backups[0])


def status(machine, arguments):
    return machine.output(f"{REMOTE} {arguments}").split()[-1]


def test_the_public_sees_only_what_is_public(machine):
    assert status(machine, f"{URL}/salons") == "200"
    assert status(machine, f"{URL}/appointments") == "401"
    assert status(machine, f"{URL}/metrics") in ("401", "404")


@pytest.mark.parametrize(
    "fields",
    [
        ["X-Forwarded-For: 127.0.0.1"],
        ["Forwarded: for=127.0.0.1"],
        ["X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1;proto=http;host=evil.example"],
        ["X-Forwarded-Prefix: /evil", "X-Forwarded-Host: evil.example"],
    ],
)
def test_fields_of_a_client_are_not_believed(machine, fields):
    headers = " ".join(f"--header '{field}'" for field in fields)
    assert status(machine, f"{headers} {URL}/appointments") == "401"
    feed = machine.output(f"{REMOTE} {headers} {URL}/feed")
    urls = re.findall(r'"(https?://[^"]*)"', feed)
    assert urls and all(url.startswith(f"{URL}/images/") for url in urls)


def test_clients_reach_haproxy_by_ipv4_and_ipv6(machine):
    for address in ["127.0.0.1", "[::1]"]:
        resolve = f"--resolve salons.example:443:{address} --resolve salons.example:80:{address}"
        salons = f"{CURL} {resolve} --output /dev/null --write-out '%{{http_code}} %{{redirect_url}}'"
        assert machine.output(f"{salons} {URL}/salons") == "200 "
        plain = f"{salons} --request POST --data x 'http://salons.example/appointments?a=b'"
        assert machine.output(plain) == f"308 {URL}/appointments?a=b"


def test_only_certbot_is_served_without_encryption(machine):
    url = "http://localhost/.well-known/acme-challenge/token"
    arguments = "--output /dev/null --write-out '%{http_code}'"
    assert machine.output(f"{CURL} {arguments} {url}") == "503"
    certbot = f"""
        mkdir -p /var/tmp/certbot/.well-known/acme-challenge
        echo challenge >/var/tmp/certbot/.well-known/acme-challenge/token
        python3 -m http.server --directory /var/tmp/certbot --bind 127.0.0.1 8888 >/dev/null 2>&1 &
        while ! {CURL} --fail {url} 2>/dev/null; do :; done
        kill $!
    """
    assert machine.output(certbot) == "challenge\n"
    # With encryption, the path belongs to the backend.
    assert status(machine, f"{URL}/.well-known/acme-challenge/token") == "404"


def listed_tokens(machine):
    """The rows of the list of tokens."""
    lines = machine.output("sudo novablend-backend tokens list").strip().split("\n")
    return [line.split() for line in lines[1:]]


def test_the_token_of_the_operator_expires_and_is_renewed(machine):
    """The list has the columns ID, ROLE, STATE, NAME, CREATED, and EXPIRES, because FOR is empty."""
    ((first, *row),) = listed_tokens(machine)
    assert row[:2] == ["administrator", "valid"] and "operator" in row
    created, expires = [datetime.fromisoformat(time) for time in row[-2:]]
    assert expires - created == timedelta(days=365)
    (commands,) = blocks("Tokens", "sh")
    machine.output(commands)
    second = machine.output("cut -d _ -f 2 /etc/novablend/operator.token").strip()
    assert machine.output("stat -c %a /etc/novablend/operator.token").strip() == "600"
    states = {row[0]: row[2] for row in listed_tokens(machine)}
    assert states == {first: "revoked", second: "valid"}
    machine.output(COMMANDS[8])


def test_a_command_that_fails_leaves_no_token(machine):
    failing = COMMANDS[4].replace("operator.token", "none.token")
    failing = failing.replace("create", "create --database /proc/none")
    assert machine.run(failing).returncode != 0
    assert machine.run("test -e /etc/novablend/none.token").returncode == 1


def test_a_request_gets_an_id_from_haproxy(machine):
    fields = machine.output(f"{REMOTE} --head --header 'X-Request-Id: 4930555' {URL}/salons")
    (request_id,) = re.findall(r"(?mi)^x-request-id: (.*?)\r?$", fields)
    assert re.fullmatch("[0-9a-f-]{36}", request_id)
    assert "strict-transport-security" in fields.lower()


def test_haproxy_waits_longer_than_clients_that_follow_changes(machine):
    text = (machine.root / "etc/haproxy/haproxy.cfg").read_text()
    for name in ["client", "server"]:
        (seconds,) = re.findall(rf"(?m)^ *timeout {name} (\d+)s$", text)
        assert int(seconds) > 25


def test_the_configuration_of_the_service_is_not_that_of_a_sandbox(machine):
    listed = machine.output("novablend salons --sandbox --json")
    assert "Night Owl Barbers" in listed and "Atelier Nova" in listed


def test_a_backup_is_restored(machine):
    machine.output("sudo systemctl start novablend-backup")
    machine.output("rm /var/lib/novablend/backend.sqlite")
    (commands,) = [b for b in blocks("Backup and restore", "sh") if "novablend-backups" in b]
    for command in commands.strip().split("\n"):
        machine.output(command)
    wait_until_ready(machine, 1)
    listed = machine.output(f"{CURL} --fail-with-body https://localhost/salons")
    assert [salon["name"] for salon in json.loads(listed)["salons"]] == ["Atelier Nova"]


class Visitor(threading.Thread):
    """Sends one request after the other until it is stopped."""

    def __init__(self, machine):
        super().__init__()
        self._machine = machine
        self._is_stopping = False
        self.results = []

    def run(self):
        while not self._is_stopping:
            self.results.append(status(self._machine, f"{URL}/salons"))

    def stop(self):
        self._is_stopping = True
        self.join()


def test_no_request_fails_while_instances_are_restarted_one_after_the_other(machine):
    etc = machine.root / "etc"
    first = etc / "novablend/backend.conf"
    # The visitor is faster than the rate limit allows.
    first.write_text(first.read_text() + "rate-limit = 0\n")
    second = first.read_text()
    for old, new in [("port = 8080", "port = 8081"), (":9464", ":9465")]:
        assert old in second
        second = second.replace(old, new)
    (etc / "novablend/second.conf").write_text(second)
    unit = machine.root / "usr/local/lib/systemd/system/novablend-backend.service"
    (etc / "systemd/system/second.service").write_text(
        unit.read_text().replace("backend.conf", "second.conf")
    )
    proxy = etc / "haproxy/haproxy.cfg"
    line = "server one 127.0.0.1:8080\n"
    assert line in proxy.read_text()
    proxy.write_text(proxy.read_text().replace(line, f"{line} server two 127.0.0.1:8081\n"))
    machine.output("systemctl restart novablend-backend haproxy && systemctl start second")
    wait_until_ready(machine, 2)
    (commands,) = blocks("Upgrades", "sh")
    migrate, restart = commands.strip().split("\n")
    assert "up to date" in machine.output(migrate)
    visitor = Visitor(machine)
    visitor.start()
    try:
        machine.output(restart)
        wait_until_ready(machine, 2)
        machine.output(restart.replace("novablend-backend", "second"))
        wait_until_ready(machine, 2)
    finally:
        visitor.stop()
    assert set(visitor.results) == {"200"}


def wait_until_ready(machine, count):
    """Waits until haproxy sends requests to `count` instances."""
    end = time.monotonic() + DEADLINE
    while states(machine) != ["2"] * count:
        assert time.monotonic() < end, "an instance is not ready"
        time.sleep(0.05)


def states(machine):
    """The operational state of each server of haproxy; 2 is running."""
    with socket.socket(socket.AF_UNIX) as admin:
        admin.connect(str(machine.root / "run/haproxy/admin.sock"))
        admin.sendall(b"show servers state novablend\n")
        lines = admin.makefile().read().split("\n")
    servers = [line.split() for line in lines if " novablend " in line]
    return [server[5] for server in servers]
