"""Sends the requests of a generated client over stdio.

The generator converts all names to snake case and expects servers to do the same. This transport
converts the names of parameters and results.
"""

import asyncio
import json
from typing import Any

import caseswitcher
from jsonrpc2pyclient.rpcclient import AsyncRPCClient


class StdioTransport(AsyncRPCClient):
    def __init__(self, process: asyncio.subprocess.Process, names: list[str]) -> None:
        super().__init__()
        self._process = process
        self._names = {caseswitcher.to_snake(name): name for name in names}

    async def _send_and_get_json(
        self, request_json: str, request_id: int, **kwargs: Any
    ) -> dict[str, Any]:
        request = json.loads(request_json)
        params = request.get("params") or {}
        request["params"] = {self._names[name]: value for name, value in params.items()}
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        response: dict[str, Any] = json.loads(await self._process.stdout.readline())
        if "result" in response:
            response["result"] = snake_case(response["result"])
        return response


def snake_case(value: Any) -> Any:
    if isinstance(value, list):
        return [snake_case(element) for element in value]
    if isinstance(value, dict):
        return {caseswitcher.to_snake(key): snake_case(member) for key, member in value.items()}
    return value
