"""The entry for the registry of MCP servers."""

import json

# The owner replaces `example` and the URL before the first release: docs/Releasing.md.
NAME = "io.github.example/novablend"
HOME = "https://example.com/NovaBlend"
SUMMARY = "Finds salons and free times, and books, moves, and cancels appointments"
SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"


def make(release, dist):
    """Writes server.json, which names the wheel. Clients start it with `uvx novablend`."""
    package = {
        "registryType": "pypi",
        "identifier": "novablend",
        "version": release.version,
        "runtimeHint": "uvx",
        "transport": {"type": "stdio"},
        "packageArguments": [
            {"type": "positional", "value": "serve"},
            {
                "type": "named",
                "name": "--base-url",
                "description": "The URL of the server with the salons and appointments",
                "format": "string",
                "isRequired": True,
                "placeholder": "https://salons.example",
            },
        ],
        "environmentVariables": [
            {
                "name": "NOVABLEND_TOKEN",
                "description": "The token for this server, if it requires one",
                "format": "string",
                "isSecret": True,
            },
        ],
    }
    server = {
        "$schema": SCHEMA,
        "name": NAME,
        "title": "NovaBlend",
        "description": SUMMARY,
        "websiteUrl": HOME,
        "version": release.version,
        "packages": [package],
    }
    (dist / "server.json").write_text(json.dumps(server, indent=2) + "\n")
