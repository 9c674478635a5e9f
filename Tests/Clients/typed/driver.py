"""Makes calls with the Python client. Reads them from standard input and writes their outcomes: JSON, one
object per line. The arguments are the path of `novablend` and its arguments."""

import asyncio
import dataclasses
import json
import re
import sys
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

from novablend.client import Event, NovaBlend, NovaBlendError, Time


async def main(program: str, *arguments: str) -> None:
    commands = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(commands)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    tasks: dict[int, asyncio.Task[None]] = {}
    client = NovaBlend(*arguments, program=program)
    try:
        while line := await commands.readline():
            command = json.loads(line)
            if "cancelled" in command:
                tasks[command["cancelled"]].cancel()
            else:
                tasks[command["id"]] = task = asyncio.create_task(run(client, **command))
                task.add_done_callback(partial(report_unstarted, command["id"]))
    finally:
        await client.close()


async def run(
    client: NovaBlend, id: int, method: str, params: dict[str, Any], timeout: float | None
) -> None:
    try:
        if method == "close":
            await client.close()
            write(id=id, result={})
        elif method == "changes":
            async with client.changes(params["resource"], timeout=timeout) as changes:
                write(id=id, result={})
                await follow(changes)
        elif hasattr(client, method):
            arguments = {snake_case(name): value for name, value in params.items()}
            result = await getattr(client, method)(**arguments, timeout=timeout)
            write(id=id, result=dataclasses.asdict(result))
        else:
            write(id=id, result=await client.call(method, params, timeout=timeout))
    except asyncio.CancelledError as cancelled:
        write(id=id, error=described(cancelled.__cause__))
    except (NovaBlendError, TypeError, ValueError) as error:
        write(id=id, error=described(error))


def report_unstarted(id: int, task: asyncio.Task[None]) -> None:
    """A task that is cancelled before it starts reports nothing by itself."""
    if task.cancelled():
        write(id=id, error=described(None))


async def follow(changes: AsyncIterator[Event]) -> None:
    try:
        async for change in changes:
            write(change=dataclasses.asdict(change))
    except NovaBlendError as error:
        write(changeError=described(error))


def described(error: BaseException | None) -> dict[str, Any]:
    if isinstance(error, (TypeError, ValueError)):
        return {"name": type(error).__name__, "message": str(error)}
    if not isinstance(error, NovaBlendError):
        return {"name": "cancelled"}
    return {
        "name": type(error).__name__, "message": str(error), "retryable": error.retryable,
        "key": error.idempotency_key, "data": getattr(error, "data", {}),
        "result": getattr(error, "result", None),
    }


def snake_case(name: str) -> str:
    return re.sub(r"(?=[A-Z])", "_", name).lower()


def write(**message: Any) -> None:
    print(json.dumps(message, default=text), flush=True)


def text(time: Time) -> str:
    return time.text


asyncio.run(main(*sys.argv[1:]))
