"""Validates messages against the official MCP schemas. Each revision has its own schema."""

import json
from pathlib import Path

from jsonschema.validators import validator_for


class Revision:
    def __init__(self, path: Path):
        self._schema = json.loads(path.read_text())
        self._key = "$defs" if "$defs" in self._schema else "definitions"
        self._definitions = self._schema[self._key]

    def server_message_errors(self, message: dict) -> list[str]:
        """The errors of a request or notification from the server."""
        kind = "Request" if "id" in message else "Notification"
        errors = self._errors(f"JSONRPC{kind}", message)
        name = self._definition(f"Server{kind}", message["method"])
        return errors + (
            self._errors(name, message) if name else [f"no Server{kind} {message['method']}"]
        )

    def result_errors(self, method: str, message: dict) -> list[str]:
        """The errors of a result for a request of this method."""
        envelope = self._first_defined("JSONRPCResultResponse", "JSONRPCResponse")
        if errors := self._errors(envelope, message):
            return errors
        result = message["result"]
        request = self._definition("ClientRequest", method)
        if not request:
            return []
        name = request.replace("Request", "Result")
        response = json.dumps(self._definitions.get(f"{name}Response", {}))
        if result.get("resultType") == "input_required" and "/InputRequiredResult" in response:
            # This rule is only in a description in the schema.
            if not result.keys() & {"inputRequests", "requestState"}:
                return ["InputRequiredResult: neither inputRequests nor requestState"]
            return self._errors("InputRequiredResult", result)
        errors = self._errors(self._first_defined(name, "EmptyResult"), result)
        if "ResultType" in self._definitions and result.get("resultType", "complete") != "complete":
            errors.append(f"{name}: resultType {result['resultType']!r}")
        return errors

    def error_response_errors(self, message: dict) -> list[str]:
        """The errors of an error response."""
        if message.get("id") is None:
            # JSON-RPC requires null for a request that could not be parsed. MCP's schema rejects
            # null.
            message = message | {"id": 0}
        errors = self._errors(self._first_defined("JSONRPCErrorResponse", "JSONRPCError"), message)
        name = None if errors else self._error_definition(message["error"]["code"])
        return errors + (self._errors(name, message) if name else [])

    def _errors(self, name: str, value) -> list[str]:
        schema = self._schema | {"$ref": f"#/{self._key}/{name}"}
        validator = validator_for(schema)(schema)
        return [
            f"{name} {error.json_path}: {error.message[:200]}"
            for error in validator.iter_errors(value)
        ]

    def _first_defined(self, *names: str) -> str:
        return next(name for name in names if name in self._definitions)

    def _definition(self, union: str, method: str) -> str | None:
        """The name of the request or notification in `union` that has this method."""
        for reference in self._definitions.get(union, {}).get("anyOf", []):
            name = reference["$ref"].rpartition("/")[2]
            if self._definitions[name]["properties"]["method"]["const"] == method:
                return name
        return None

    def _error_definition(self, code: int) -> str | None:
        """The name of the definition for an error code, if the schema has one."""
        for name, definition in self._definitions.items():
            for part in definition.get("properties", {}).get("error", {}).get("allOf", []):
                if part.get("properties", {}).get("code", {}).get("const") == code:
                    return name
        return None


def load(folder: Path) -> dict[str, Revision]:
    """Loads each `<revision>/schema.json` in a folder."""
    return {path.parent.name: Revision(path) for path in folder.glob("*/schema.json")}
