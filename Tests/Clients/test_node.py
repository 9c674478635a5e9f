"""Node.js 24, where `readline` also ends a line at U+2028 and U+2029."""

import json
import subprocess

import pytest

from environment import BINARIES, DEADLINE, NODE_24

NOTES = "first\u2028second\u2029third"

# Sends each message of its argument after the answer to the previous one, and prints every line.
PROGRAM = """
const { spawn } = require('node:child_process');
const [messages, ...command] = JSON.parse(process.argv[1]);
const server = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
const next = () => messages.length ? server.stdin.write(messages.shift() + '\\n') : server.stdin.end();
require('node:readline').createInterface({ input: server.stdout }).on('line', (line) => {
  console.log(JSON.stringify(line));
  next();
});
next();
"""


def request(number, method, **params):
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(message, ensure_ascii=False)


@pytest.fixture
def lines(backend, tmp_path):
    """Runs the program, and returns the lines that `readline` found."""

    def lines(*messages):
        command = [
            str(BINARIES / "novablend"), "serve", "--base-url", backend,
            "--cache-dir", str(tmp_path / "cache"), "--state-dir", str(tmp_path / "state"),
        ]
        result = subprocess.run(
            [NODE_24, "-e", PROGRAM, json.dumps([list(messages), *command])],
            capture_output=True, text=True, timeout=DEADLINE)
        assert result.returncode == 0, result.stderr
        return [json.loads(json.loads(line)) for line in result.stdout.split("\n") if line]

    return lines


def test_version():
    version = subprocess.run([NODE_24, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout.startswith("v24.")


def test_notes(lines, booking):
    call = {"name": "appointments_list", "arguments": {}}
    messages = lines(
        request(1, "appointments/book", **booking, notes=NOTES),
        request(2, "appointments/list"),
        request(3, "tools/call", **call),
        request("4\u2028", "no\u2029method"),
    )
    booked, listed, tool, error = messages
    assert booked["result"]["appointment"]["notes"] == NOTES
    assert listed["result"]["appointments"][0]["notes"] == NOTES
    [block] = tool["result"]["content"]
    assert json.loads(block["text"])["appointments"][0]["notes"] == NOTES
    assert error["id"] == "4\u2028" and error["error"]["code"] == -32601


def test_offline(lines, booking):
    """The cached bytes have the characters themselves."""
    lines(request(1, "appointments/book", **booking, notes=NOTES), request(2, "appointments/list"))
    [cached] = lines(request(1, "appointments/list", policy="cacheOnly"))
    assert cached["result"]["provenance"]["source"] == "cache"
    assert cached["result"]["appointments"][0]["notes"] == NOTES
