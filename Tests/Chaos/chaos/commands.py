"""Runs programs, those of PostgreSQL as the owner of its clusters."""

import asyncio
import os
from inspect import isawaitable
from pathlib import Path

DEADLINE = 60


async def run(*words, check: bool = True) -> str:
    """Runs a program until it ends, and returns its output."""
    process = await asyncio.create_subprocess_exec(
        *map(str, words),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(DEADLINE):
        output, _ = await process.communicate()
    if check and process.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}: {output.decode().strip()[-2_000:]}")
    return output.decode()


def as_owner(*words) -> list:
    """A command that does not run as root, because PostgreSQL rejects that."""
    if os.geteuid() != 0:
        return list(words)
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *words]


async def wait_until(condition, what: str):
    """Waits until a condition is true. It can be asynchronous."""
    try:
        async with asyncio.timeout(DEADLINE):
            while not (await result if isawaitable(result := condition()) else result):
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise RuntimeError(f"{what}: not within {DEADLINE} s") from None


def is_running(process: int) -> bool:
    """Whether a process exists and has not ended yet."""
    return state(process) not in (None, "Z")


def state(process: int) -> str | None:
    """The state of a process as in proc(5), such as T for a stopped one."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return stat[stat.rindex(")") + 2]
