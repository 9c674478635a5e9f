"""A client without a library, for messages that the libraries do not send. It frames by lines."""

import json
import subprocess
import threading

from environment import DEADLINE


class Client:
    """Runs a server. The client accepts every elicitation, or declines all. `bytes` counts both
    directions."""

    def __init__(self, command, meta=None, consents=True):
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._deadline = threading.Timer(4 * DEADLINE, self._process.kill)
        self._meta = {"_meta": meta} if meta else {}
        self._id = 0
        self.bytes = 0
        self.consents = consents

    def __enter__(self):
        self._deadline.start()
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait(DEADLINE)
        self._process.stdout.close()
        self._deadline.cancel()

    def call(self, method, **params):
        """Sends a request and returns the response."""
        self._id += 1
        self._send(id=self._id, method=method, params=self._meta | params)
        for line in self._process.stdout:
            self.bytes += len(line.encode())
            message = json.loads(line)
            if message.get("id") == self._id and "method" not in message:
                return message
            if "method" in message and "id" in message:
                self._send(id=message["id"], result=self._answer())
        raise EOFError(f"no response to {method}")

    def _answer(self):
        if not self.consents:
            return {"action": "decline"}
        return {"action": "accept", "content": {"confirm": True}}

    def notify(self, method):
        self._send(method=method)

    def _send(self, **message):
        line = json.dumps({"jsonrpc": "2.0"} | message) + "\n"
        self.bytes += len(line)
        self._process.stdin.write(line)
        self._process.stdin.flush()
