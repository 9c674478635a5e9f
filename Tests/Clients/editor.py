"""Runs an editor with a client script.

The script prints each step and waits for a line before it goes on: `hold` before the request that
must stall, `reached` before it cancels that request, and `closed` afterward. Its last line has the
results as JSON."""

import json
import os
import subprocess
import threading

from environment import DEADLINE


def run_client(command, server, stalling_server, booking):
    process = subprocess.Popen(
        command,
        env=os.environ | {"SERVER": json.dumps(server.command), "BOOKING": json.dumps(booking)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = threading.Timer(4 * DEADLINE, process.kill)
    deadline.start()
    try:
        await_step(process, "hold")
        stalling_server.hold()
        resume(process)
        await_step(process, "reached")
        assert stalling_server.reached.wait(DEADLINE)
        resume(process)
        await_step(process, "closed")
        assert stalling_server.closed.wait(DEADLINE)
        output, errors = process.communicate("\n")
        assert process.returncode == 0, errors
        return json.loads(output.splitlines()[-1])
    finally:
        deadline.cancel()
        process.kill()
        process.wait()


def await_step(process, step):
    line = process.stdout.readline().strip()
    assert line == step, f"{line}\n{process.communicate()[1]}"


def resume(process):
    process.stdin.write("\n")
    process.stdin.flush()
