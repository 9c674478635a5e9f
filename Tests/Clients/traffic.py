"""Checks recorded traffic: every message that the server sent against the definition that its
revision of MCP has for it. What belongs to no revision is plain JSON-RPC and not looked at."""

import json

from schemas import Revision

VERSION = "io.modelcontextprotocol/protocolVersion"


class Conversation:
    """What was said on one connection. `violations` is what the server may not send; `checked`
    counts the messages that were looked at."""

    def __init__(self, revisions: dict[str, Revision]):
        self.violations: list[str] = []
        self.checked = 0
        self._revisions = revisions
        # What the handshake agreed on, and what the server's own messages are held to.
        self._agreed: str | None = None
        self._own: str | None = None
        self._pending: dict[str, tuple[str, str | None]] = {}

    def received(self, message: dict):
        method, params = message.get("method"), _object(message.get("params"))
        version = _object(params.get("_meta")).get(VERSION, self._agreed)
        if method == "initialize":
            version = params.get("protocolVersion")
        version = version if version is None else str(version)
        if version in self._revisions:
            self._own = version
        if method and "id" in message:
            self._pending[json.dumps(message["id"])] = method, version

    def sent(self, message: dict):
        if "method" in message:
            self._check(self._own, lambda revision: revision.own_errors(message))
        elif "error" in message and message.get("id") is None:
            self._check_error(self._own, message)
        elif (key := json.dumps(message.get("id"))) not in self._pending:
            self._check(self._own, lambda _: [f"nobody asked {key}"])
        else:
            method, version = self._pending.pop(key)
            if "error" in message:
                self._check_error(version, message)
                return
            if method == "initialize":
                version = _object(message.get("result")).get("protocolVersion", version)
                self._agreed = self._own = version
            self._check(version, lambda revision: revision.result_errors(method, message))

    def _check_error(self, version, message):
        if version is not None and version not in self._revisions:
            # So the server refuses a revision that nobody knows.
            version = max(self._revisions)
        self._check(version, lambda revision: revision.error_errors(message))

    def _check(self, version, errors):
        if version is None:
            return
        self.checked += 1
        if version in self._revisions:
            self.violations += [f"{version} {e}" for e in errors(self._revisions[version])]
        else:
            self.violations.append(f"there is no schema for {version}")


def check(trace: str, revisions: dict[str, Revision]) -> Conversation:
    """Reads lines `<time> --> <json>`, which the server received, and `<time> <-- <json>`."""
    conversation = Conversation(revisions)
    for line in filter(None, trace.split("\n")):
        _, direction, text = line.split(" ", 2)
        content = json.loads(text)
        for message in content if isinstance(content, list) else [content]:
            if direction == "<--" and not isinstance(message, dict):
                conversation.violations.append(f"no message: {text[:200]}")
            elif isinstance(message, dict):
                (conversation.sent if direction == "<--" else conversation.received)(message)
    return conversation


def _object(value) -> dict:
    return value if isinstance(value, dict) else {}
