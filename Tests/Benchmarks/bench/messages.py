"""The messages that the driver sends, and the servers that it sends them to."""

import json
import shutil
from pathlib import Path

from .payloads import salons
from .programs import Programs, file_server

FIRST_SALON = "5a100000-0000-4000-8000-000000000000"
CLIENT = {"clientInfo": {"name": "bench", "version": "1"}}
# The driver replaces this by a number.
ID = "%d"


def request(method: str, **params) -> str:
    text = json.dumps({"jsonrpc": "2.0", "id": 0, "method": method, "params": params})
    return text.replace('"id": 0', f'"id": {ID}')


def notification(method: str) -> str:
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": {}})


LSP = ["--headers"]
LSP += ["--setup", request("initialize", processId=None, rootUri=None, capabilities={})]
LSP += ["--setup", notification("initialized")]
MCP = [
    "--setup",
    request("initialize", protocolVersion="2025-06-18", capabilities={}, **CLIENT),
    "--setup",
    notification("notifications/initialized"),
]
OFFLINE = ["--request", request("salons/list", policy="cacheOnly"), "--expect", FIRST_SALON]
ONLINE = ["--request", request("salons/list"), "--expect", FIRST_SALON]
UNKNOWN = ["--request", request("no/such/method"), "--expect", "-32601"]


def tool_call(name: str, **arguments) -> list[str]:
    call = request("tools/call", name=name, arguments=arguments)
    return ["--request", call, "--expect", FIRST_SALON]


def language_servers(programs: Programs) -> dict[str, list]:
    """Commands of language servers. clangd is Debian's, not the toolchain's."""
    sourcekit_lsp = shutil.which("sourcekit-lsp")
    servers = {"clangd": [shutil.which("clangd", path="/usr/bin") or "clangd", "--log=error"]}
    if sourcekit_lsp:
        servers["sourcekit-lsp"] = [sourcekit_lsp]
    return servers | {"pygls": programs.script("pygls_server.py")}


def fastmcp(programs: Programs, count: int) -> list:
    return programs.script("fastmcp_server.py", salons(count, programs.scratch))


def cache_directory(programs: Programs, count: int) -> Path:
    """A directory with cached salons. NovaBlend loaded them from a server that no longer runs."""
    cache = programs.scratch / f"cache-{count}"
    if not has_salons(cache):
        cache = programs.empty_directory(cache.name)
        with file_server(programs, salons=salons(count, programs.scratch)) as server:
            command = programs.novablend(cache, "--base-url", server.url)
            programs.drive("rpc", *ONLINE, "--", *command)
            # A cache belongs to an account, which its server's URL identifies.
            (cache / programs.SERVER_URL).write_text(server.url)
        if not has_salons(cache):
            raise RuntimeError(f"{count} salons were not cached")
    return cache


def has_salons(cache: Path) -> bool:
    """Whether any account in this cache directory has salons."""
    return any(cache.glob("accounts/*/salons.snapshot"))
