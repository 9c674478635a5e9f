"""Checks recorded traffic.

Each message from the server must match its definition in the schema of the MCP revision in use.
Messages without a revision are plain JSON-RPC and are not checked."""

import json

from schemas import Revision

VERSION = "io.modelcontextprotocol/protocolVersion"


class ConnectionChecker:
    """Checks the messages of one connection. `violations` describes invalid messages from the
    server, and `checked` counts the messages that were checked."""

    def __init__(self, revisions: dict[str, Revision]):
        self.violations: list[str] = []
        self.checked = 0
        self._revisions = revisions
        # The revision of the handshake, and the revision for messages that belong to no request.
        self._negotiated: str | None = None
        self._current: str | None = None
        self._pending: dict[str, tuple[str, str | None]] = {}

    def received(self, message: dict):
        method, params = message.get("method"), _object(message.get("params"))
        version = _object(params.get("_meta")).get(VERSION, self._negotiated)
        if method == "initialize":
            version = params.get("protocolVersion")
        version = version if version is None else str(version)
        if version in self._revisions:
            self._current = version
        if method and "id" in message:
            self._pending[json.dumps(message["id"])] = method, version

    def sent(self, message: dict):
        if "method" in message:
            self._check(self._current, lambda revision: revision.server_message_errors(message))
        elif "error" in message and message.get("id") is None:
            self._check_error(self._current, message)
        elif (key := json.dumps(message.get("id"))) not in self._pending:
            if is_about_unreadable(message):
                self._check_error(self._current, message)
                return
            self._check(self._current, lambda _: [f"there was no request {key}"])
        else:
            method, version = self._pending.pop(key)
            if "error" in message:
                self._check_error(version, message)
                return
            if method == "initialize":
                version = _object(message.get("result")).get("protocolVersion", version)
                self._negotiated = self._current = version
            self._check(version, lambda revision: revision.result_errors(method, message))

    def _check_error(self, version, message):
        if version is not None and version not in self._revisions:
            # The server rejects an unknown revision. The newest schema defines that error.
            version = max(self._revisions)
        self._check(version, lambda revision: revision.error_response_errors(message))

    def _check(self, version, errors):
        if version is None:
            return
        self.checked += 1
        if version in self._revisions:
            self.violations += [f"{version} {error}" for error in errors(self._revisions[version])]
        else:
            self.violations.append(f"there is no schema for {version}")


def check(trace: str, revisions: dict[str, Revision]) -> ConnectionChecker:
    """Checks a trace. Its lines are `<time> --> <json>` for messages that the server received, and
    `<time> <-- <json>` for messages that it sent."""
    checker = ConnectionChecker(revisions)
    for line in filter(None, trace.split("\n")):
        _, direction, text = line.split(" ", 2)
        content = json.loads(text)
        for message in content if isinstance(content, list) else [content]:
            if direction == "<--" and not isinstance(message, dict):
                checker.violations.append(f"not a message: {text[:200]}")
            elif isinstance(message, dict):
                (checker.sent if direction == "<--" else checker.received)(message)
    return checker


def is_about_unreadable(message: dict) -> bool:
    """Whether a response may be to a request that is not valid JSON, which the trace omits."""
    return _object(message.get("error")).get("code") in (-32700, -32602)


def _object(value) -> dict:
    return value if isinstance(value, dict) else {}
