"""The answer to a call with a mistake lets a model succeed at its next attempt."""

import json
import re
from contextlib import ExitStack
from dataclasses import dataclass

import pytest

from backend import running_backend
from environment import BINARIES
from expectations import Never
from facts import facts, filled
from lines import Client
from relay import Fault, Relay
from samples import NOVA, visit
from sloppy import CALLS
from sloppy.call import BOOK, Outcome

SERVE = str(BINARIES / "novablend"), "serve", "--tools", "booking,admin"


@dataclass(frozen=True)
class Answer:
    succeeded: bool
    text: str


class World:
    """A program with a server. Values of earlier calls become facts."""

    def __init__(self, client, relay, values):
        self._client = client
        self._relay = relay
        self.facts = values
        self.schemas = {tool["name"]: tool["inputSchema"] for tool in self._tools()}

    def call(self, tool, arguments):
        response = self._client.call("tools/call", name=tool, arguments=arguments)
        if "error" in response:
            return Answer(False, json.dumps(response["error"], ensure_ascii=False))
        result = response["result"]
        text = "\n".join(item["text"] for item in result["content"])
        return Answer(not result.get("isError", False), text)

    def prepare(self, tool, arguments):
        answer = self.call(tool, filled(arguments, self.facts))
        assert answer.succeeded, answer.text
        result = json.loads(answer.text)
        if "appointment" in result:
            self.facts |= {"id": result["appointment"]["id"], "key": result["idempotencyKey"]}

    def leave_in_doubt(self):
        """Books, and loses the response and the connection."""
        self._relay.inject(Fault.CUT, "POST", count=1)
        answer = self.call(BOOK, filled(visit(NOVA, "{day}T12:30"), self.facts))
        self.facts["key"] = json.loads(answer.text)["error"]["data"]["idempotencyKey"]

    def _tools(self):
        return self._client.call("tools/list")["result"]["tools"]


@dataclass(frozen=True)
class Attempt:
    """What an expectation may look at."""

    world: World
    tool: str
    arguments: dict
    text: str

    @property
    def has_dry_run(self):
        return "dryRun" in self.world.schemas[self.tool]["properties"]

    def call(self, arguments):
        return self.world.call(self.tool, arguments)


@pytest.fixture
def start(tmp_path):
    """Starts a program in its own sandbox, or with a server whose responses can be lost."""
    with ExitStack() as stack:

        def start(is_in_doubt):
            relay, options = None, ["--sandbox"]
            if is_in_doubt:
                relay = Relay(stack.enter_context(running_backend(":memory:")))
                stack.callback(relay.stop)
                options = ["--base-url", relay.url]
                options += ["--cache-dir", tmp_path / "cache", "--state-dir", tmp_path / "state"]
            client = stack.enter_context(Client([*SERVE, *options]))
            world = World(client, relay, facts() | {"directory": str(tmp_path)})
            if is_in_doubt:
                world.leave_in_doubt()
            return world

        yield start


@pytest.mark.parametrize("call", CALLS, ids=[call.name for call in CALLS])
def test_answer_suffices(call, start):
    # If a day begins during the call, its answer may be about either day.
    world, attempt, succeeded = made(call, start)
    while not facts().items() <= world.facts.items():
        world, attempt, succeeded = made(call, start)
    said = f"{call.tool} {attempt.arguments}\n{attempt.text}"
    outcome = Outcome.SUCCEEDS if succeeded else Outcome.FAILS
    assert call.outcome in (outcome, Outcome.EITHER), said
    failed = [each for each in call.expectations if not holds(each, attempt)]
    assert not failed, f"{failed} in the answer to {said}"
    if not succeeded and attempt.tool in world.schemas:
        assert unlisted(attempt) == set(), f"the agent does not have all of these names: {said}"


def made(call, start):
    world = start(call.is_in_doubt)
    for tool, arguments in call.before:
        world.prepare(tool, arguments)
    arguments = filled(call.arguments, world.facts)
    answer = world.call(call.tool, arguments)
    return world, Attempt(world, call.tool, arguments, answer.text), answer.succeeded


def holds(expectation, attempt):
    if isinstance(expectation, Never):
        return not holds(expectation.expression, attempt)
    if isinstance(expectation, str):
        values = {name: re.escape(value) for name, value in attempt.world.facts.items()}
        return re.search(filled(expectation, values), attempt.text, re.DOTALL) is not None
    return expectation.holds(attempt)


def unlisted(attempt):
    """Names in the answer that the agent does not have: those of methods instead of tools, and
    those that it calls known although the schema does not list them."""
    message = json.loads(attempt.text)["error"]["message"]
    listed = set(re.findall(r"\w+", json.dumps(attempt.world.schemas[attempt.tool])))
    known = " ".join(re.findall(r"known: ([^.;)\n]*)", message))
    methods = {tool.replace("_", "/", 1) for tool in attempt.world.schemas}
    mentioned = {method for method in methods if re.search(rf"(?<![/\w]){method}\b", message)}
    return set(re.findall(r"\w+", known)) - listed | mentioned
