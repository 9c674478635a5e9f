"""Runs an editor's script, which asks over its standard output and waits for a line each time:
`hold` before the request that shall stall, `reached` before it cancels that, `closed` afterwards.
Its last line says in JSON what it saw."""

import json
import os
import subprocess
import threading

from conftest import DEADLINE


def converse(command, server, stalling_server, booking):
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
        expect(process, "hold")
        stalling_server.hold()
        proceed(process)
        expect(process, "reached")
        assert stalling_server.reached.wait(DEADLINE)
        proceed(process)
        expect(process, "closed")
        assert stalling_server.closed.wait(DEADLINE)
        output, errors = process.communicate("\n")
        assert process.returncode == 0, errors
        return json.loads(output.splitlines()[-1])
    finally:
        deadline.cancel()
        process.kill()
        process.wait()


def expect(process, question):
    line = process.stdout.readline().strip()
    assert line == question, f"{line}\n{process.communicate()[1]}"


def proceed(process):
    process.stdin.write("\n")
    process.stdin.flush()
