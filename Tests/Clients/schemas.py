"""The official MCP schemas, one a revision, and what they say about a message."""

import json
from pathlib import Path

from jsonschema.validators import validator_for


class Revision:
    def __init__(self, path: Path):
        self._schema = json.loads(path.read_text())
        self._key = "$defs" if "$defs" in self._schema else "definitions"
        self._definitions = self._schema[self._key]

    def own_errors(self, message: dict) -> list[str]:
        """What is wrong with a request or notification that the server sent by itself."""
        kind = "Request" if "id" in message else "Notification"
        errors = self._errors(f"JSONRPC{kind}", message)
        name = self._member(f"Server{kind}", message["method"])
        return errors + (
            self._errors(name, message) if name else [f"no Server{kind} {message['method']}"]
        )

    def result_errors(self, method: str, message: dict) -> list[str]:
        """What is wrong with an answer to a request of this method."""
        envelope = self._either("JSONRPCResultResponse", "JSONRPCResponse")
        if errors := self._errors(envelope, message):
            return errors
        result = message["result"]
        request = self._member("ClientRequest", method)
        if not request:
            return []
        name = request.replace("Request", "Result")
        response = json.dumps(self._definitions.get(f"{name}Response", {}))
        if result.get("resultType") == "input_required" and "/InputRequiredResult" in response:
            # This rule is in the schema's text alone.
            if not result.keys() & {"inputRequests", "requestState"}:
                return ["InputRequiredResult: neither inputRequests nor requestState"]
            return self._errors("InputRequiredResult", result)
        errors = self._errors(self._either(name, "EmptyResult"), result)
        if "ResultType" in self._definitions and result.get("resultType", "complete") != "complete":
            errors.append(f"{name}: resultType {result['resultType']!r}")
        return errors

    def error_errors(self, message: dict) -> list[str]:
        """What is wrong with an answer that is an error."""
        if message.get("id") is None:
            # JSON-RPC wants null where the request could not be read; MCP's schema has no word.
            message = message | {"id": 0}
        errors = self._errors(self._either("JSONRPCErrorResponse", "JSONRPCError"), message)
        name = None if errors else self._error_definition(message["error"]["code"])
        return errors + (self._errors(name, message) if name else [])

    def _errors(self, name: str, value) -> list[str]:
        schema = self._schema | {"$ref": f"#/{self._key}/{name}"}
        validator = validator_for(schema)(schema)
        return [f"{name} {e.json_path}: {e.message[:200]}" for e in validator.iter_errors(value)]

    def _either(self, *names: str) -> str:
        return next(name for name in names if name in self._definitions)

    def _member(self, union: str, method: str) -> str | None:
        """The request or notification of `union` that has this method."""
        for reference in self._definitions.get(union, {}).get("anyOf", []):
            name = reference["$ref"].rpartition("/")[2]
            if self._definitions[name]["properties"]["method"]["const"] == method:
                return name
        return None

    def _error_definition(self, code: int) -> str | None:
        """The definition of an error that has more than a code and a message."""
        for name, definition in self._definitions.items():
            for part in definition.get("properties", {}).get("error", {}).get("allOf", []):
                if part.get("properties", {}).get("code", {}).get("const") == code:
                    return name
        return None


def load(folder: Path) -> dict[str, Revision]:
    """The revisions below a folder, each in `<revision>/schema.json`."""
    return {path.parent.name: Revision(path) for path in folder.glob("*/schema.json")}
