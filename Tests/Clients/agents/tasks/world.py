"""The world of a task: a backend, the network, and the command of the program."""

import json
import re
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from backend import running_backend_with_metrics
from environment import BINARIES
from facts import PARIS, facts, filled
from lines import Client
from relay import Fault, Relay
from samples import OWL
from tasks.task import Network

# The number of requests that are lost after a lost response: more than the lookups of one call send, with their
# retries, so that the call ends in doubt.
CUT_REQUESTS = 20
# All other salons of the tasks have the clock of Paris.
ZONES = {OWL: ZoneInfo("Europe/Dublin")}


@dataclass(frozen=True)
class World:
    backend: str
    metrics: str
    command: list
    facts: dict
    trace: Path

    def appointments(self):
        return self.send("GET", "/appointments")["appointments"]

    def holds(self):
        with urllib.request.urlopen(self.metrics) as response:
            text = response.read().decode()
        return int(re.search(r"^novablend_active_holds (\d+)", text, re.MULTILINE)[1])

    def calls(self):
        """The names and arguments of all calls. Personal data are hidden."""
        lines = self.trace.read_text().splitlines() if self.trace.exists() else []
        messages = [json.loads(line.split(" ", 2)[2]) for line in lines if " --> " in line]
        calls = [message for message in messages if message.get("method") == "tools/call"]
        return [(call["params"]["name"], call["params"].get("arguments", {})) for call in calls]

    def send(self, method, path, body=None, **headers):
        """Sends a request to the backend, without the program."""
        data = json.dumps(body).encode() if body else None
        headers = {"Content-Type": "application/json"} | headers
        request = urllib.request.Request(self.backend + path, data, headers, method=method)
        with urllib.request.urlopen(request) as response:
            return json.loads(response.read())


@contextmanager
def running_world(task, directory):
    """Uses an empty directory."""
    with running_backend_with_metrics(":memory:") as (backend, metrics):
        relay = Relay(backend, CUT_REQUESTS)
        try:
            trace = directory / "trace"
            command = program(relay.url, directory)
            values = facts() | {"directory": str(directory)}
            world = World(backend, metrics, [*command, "--trace", str(trace)], values, trace)
            prepare(task, world)
            prepare_network(task, relay, command)
            yield world
        finally:
            relay.stop()


def program(url, directory):
    directories = "--cache-dir", str(directory / "cache"), "--state-dir", str(directory / "state")
    return [str(BINARIES / "novablend"), "serve", "--base-url", url, *directories]


def instant(appointment):
    """The time of an appointment, which is on the salon's clock if it has no offset."""
    time = datetime.fromisoformat(appointment["appointmentTime"])
    return time if time.tzinfo else time.replace(tzinfo=ZONES.get(appointment["salonId"], PARIS))


def prepare(task, world):
    for salon in task.salons:
        world.send("PUT", f"/salons/{salon['id']}", salon, **{"If-None-Match": "*"})
    for path, name, visits in (
        ("/appointments", "appointment", task.existing),
        ("/holds", "hold", task.held),
    ):
        for visit in visits:
            body = filled(visit, world.facts)
            body["appointmentTime"] = f"{instant(body):%Y-%m-%dT%H:%M:%S%z}"
            world.facts[name] = world.send("POST", path, body)["id"]


def prepare_network(task, relay, command):
    if task.network == Network.LOSES_RESPONSES:
        relay.inject(Fault.CUT, "POST", "PATCH", "DELETE", count=1)
    if task.network == Network.IS_DOWN:
        with Client(command) as client:
            for tool in "salons_list", "appointments_list":
                client.call("tools/call", name=tool, arguments={})
        relay.inject(Fault.LOSE_REQUEST, "GET", "POST", "PATCH", "DELETE")
