"""Makes calls with the Python client. Reads them from standard input and writes their outcomes: JSON, one
object per line. The arguments are the path of `novablend` and its arguments."""

import asyncio
import dataclasses
import json
import re
import sys
from typing import Any

from novablend.client import NovaBlend, NovaBlendError


async def main(program: str, *arguments: str) -> None:
    commands = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(commands)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    tasks: dict[int, asyncio.Task[None]] = {}
    try:
        async with NovaBlend(*arguments, program=program) as client:
            while line := await commands.readline():
                command = json.loads(line)
                if "cancelled" in command:
                    tasks[command["cancelled"]].cancel()
                else:
                    tasks[command["id"]] = asyncio.create_task(run(client, **command))
    except NovaBlendError as error:
        write(id=1, error=described(error))


async def run(client: NovaBlend, id: int, method: str, params: dict[str, Any]) -> None:
    try:
        if method == "changes":
            async with client.changes(params["resource"]) as changes:
                write(id=id, result={})
                async for change in changes:
                    write(change=dataclasses.asdict(change))
        elif hasattr(client, method):
            arguments = {snake_case(name): value for name, value in params.items()}
            write(id=id, result=dataclasses.asdict(await getattr(client, method)(**arguments)))
        else:
            write(id=id, result=await client.call(method, params))
    except asyncio.CancelledError as cancelled:
        write(id=id, error=described(cancelled.__cause__))
    except NovaBlendError as error:
        write(id=id, error=described(error))


def described(error: BaseException | None) -> dict[str, Any]:
    if not isinstance(error, NovaBlendError):
        return {"name": "cancelled"}
    return {
        "name": type(error).__name__, "message": str(error), "retryable": error.retryable,
        "key": error.idempotency_key, "data": getattr(error, "data", {}),
    }


def snake_case(name: str) -> str:
    return re.sub(r"(?=[A-Z])", "_", name).lower()


def write(**message: Any) -> None:
    print(json.dumps(message), flush=True)


asyncio.run(main(*sys.argv[1:]))
