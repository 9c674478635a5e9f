"""What is said to servers, and the servers it is said to."""

import json
import shutil
from pathlib import Path

from .payloads import salons
from .programs import Programs, file_server

FIRST_SALON = "5a100000-0000-4000-8000-000000000000"
CLIENT = {"clientInfo": {"name": "bench", "version": "1"}}
# The driver puts a number in the place of this.
ID = "%d"


def request(method: str, **params) -> str:
    text = json.dumps({"jsonrpc": "2.0", "id": 0, "method": method, "params": params})
    return text.replace('"id": 0', f'"id": {ID}')


def notification(method: str) -> str:
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": {}})


LSP = ["--headers"]
LSP += ["--open", request("initialize", processId=None, rootUri=None, capabilities={})]
LSP += ["--open", notification("initialized")]
MCP = [
    "--open",
    request("initialize", protocolVersion="2025-06-18", capabilities={}, **CLIENT),
    "--open",
    notification("notifications/initialized"),
]
OFFLINE = ["--ask", request("salons/list", policy="cacheOnly"), "--expect", FIRST_SALON]
ONLINE = ["--ask", request("salons/list"), "--expect", FIRST_SALON]
UNKNOWN = ["--ask", request("no/such/method"), "--expect", "-32601"]


def tool(name: str, **arguments) -> list[str]:
    return ["--ask", request("tools/call", name=name, arguments=arguments), "--expect", FIRST_SALON]


def language_servers(programs: Programs) -> dict[str, list]:
    """Commands of servers that speak LSP; Debian's clangd, not the toolchain's."""
    lsp = shutil.which("sourcekit-lsp")
    servers = {"clangd": [shutil.which("clangd", path="/usr/bin") or "clangd", "--log=error"]}
    if lsp:
        servers["sourcekit-lsp"] = [lsp]
    return servers | {"pygls": programs.script("pygls_server.py")}


def fastmcp(programs: Programs, count: int) -> list:
    return programs.script("fastmcp_server.py", salons(count, programs.scratch))


def cached(programs: Programs, count: int) -> Path:
    """A cache that the program itself filled from a server that is gone by now."""
    cache = programs.scratch / f"cache-{count}"
    if not has_salons(cache):
        cache = programs.fresh(cache.name)
        with file_server(programs, salons=salons(count, programs.scratch)) as server:
            command = programs.novablend(cache, "--base-url", server.url)
            programs.drive("ask", *ONLINE, "--", *command)
            # A cache is its server's: without the server, its URL still names the account.
            (cache / programs.SERVER_URL).write_text(server.url)
        if not has_salons(cache):
            raise RuntimeError(f"{count} salons were not cached")
    return cache


def has_salons(cache: Path) -> bool:
    """Whether an account in this cache directory has salons."""
    return any(cache.glob("accounts/*/salons.snapshot"))
