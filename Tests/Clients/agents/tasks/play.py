"""Plays a script in place of a model."""

import json
from dataclasses import dataclass

from lines import Client


@dataclass(frozen=True)
class Played:
    """`list_bytes` is the size of the request and the response of tools/list, and `call_bytes` that
    of all calls together."""

    answer: str
    calls: int
    list_bytes: int
    call_bytes: int


def play(script, world):
    """Makes the calls that the generator yields, sends it their results, and returns its answer."""
    with Client(world.command) as client:
        client.call("tools/list")
        list_bytes, calls, steps, result = client.bytes, 0, script(world.facts), None
        while True:
            try:
                tool, arguments = steps.send(result)
            except StopIteration as stop:
                return Played(stop.value, calls, list_bytes, client.bytes - list_bytes)
            calls += 1
            response = client.call("tools/call", name=tool, arguments=arguments)
            result = json.loads(response["result"]["content"][0]["text"])
