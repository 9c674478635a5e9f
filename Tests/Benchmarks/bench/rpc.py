"""Measures JSON-RPC and MCP: startup, latency, throughput, and memory."""

from statistics import median

from .measure import OURS, Comparison, Metric
from .messages import (
    LSP,
    MCP,
    OFFLINE,
    UNKNOWN,
    cache_directory,
    fastmcp,
    language_servers,
    tool_call,
)
from .programs import Programs

CURL = "curl --version"
STARTUP_GOALS = {CURL: 0.45, "clangd": 1 / 5, "FastMCP": 1 / 50}
FEW_SALONS = 20
# A startup is so short that a single one varies too much.
STARTS = 5


def comparisons(programs: Programs) -> list[Comparison]:
    makers = startup, startup_with_list, sequential, pipelined, tool_calls
    return [make(programs) for make in makers]


def startup(programs: Programs) -> Comparison:
    ours = programs.novablend(programs.scratch / "no-cache")
    peers = language_servers(programs)

    def startup_and_idle(setup, command):
        # The server finishes its startup before its idle memory is read.
        idle = ["rpc", *setup, "--idle", 500, "--", *command]
        return lambda: programs.drive(*idle) | startup_time(programs, *setup, "--", *command)

    return Comparison(
        {
            OURS: startup_and_idle(LSP, ours),
            CURL: lambda: curl_startup_time(programs),
            **{name: startup_and_idle(LSP, command) for name, command in peers.items()},
            "FastMCP": startup_and_idle(MCP, fastmcp(programs, FEW_SALONS)),
        },
        [
            Metric("startup", "startup to the reply to `initialize`", "s", STARTUP_GOALS),
            Metric("idle_kib", "idle memory", "KiB", {"clangd": 1}),
        ],
    )


def startup_with_list(programs: Programs) -> Comparison:
    ours = programs.novablend(cache_directory(programs, 1_000))
    clangd = language_servers(programs)["clangd"]
    fastmcp_command = fastmcp(programs, 1_000)

    def fastmcp_list():
        call = tool_call("salons_list", limit=1_000)
        result = programs.drive("rpc", *MCP, *call, "--", *fastmcp_command)
        return {"startup": result["startup"] + result["first_call"]}

    return Comparison(
        {
            OURS: lambda: startup_time(programs, *OFFLINE, "--", *ours),
            CURL: lambda: curl_startup_time(programs),
            "clangd": lambda: startup_time(programs, *LSP, "--", *clangd),
            "FastMCP": fastmcp_list,
        },
        [
            Metric(
                "startup",
                "startup to a cached list of 1,000 salons",
                "s",
                STARTUP_GOALS | {CURL: 0.5},
            )
        ],
    )


def startup_time(programs: Programs, *arguments) -> dict[str, float]:
    """The median time from the start of a server to its first reply."""
    return {"startup": median(programs.drive("rpc", *arguments)["startup"] for _ in range(STARTS))}


def curl_startup_time(programs: Programs) -> dict[str, float]:
    runs = [programs.drive("run", "curl", "--version") for _ in range(STARTS)]
    return {"startup": median(run["seconds"] for run in runs)}


def sequential(programs: Programs) -> Comparison:
    count = programs.choose(5_000, 1_000)
    return Comparison(
        {
            name: lambda command=command: programs.drive(
                "rpc", *LSP, *UNKNOWN, "--count", count, "--", *command
            )
            for name, command in servers(programs).items()
        },
        [
            Metric("p50", "call of an unknown method, p50", "s", {"clangd": 1}),
            Metric("p99", "call of an unknown method, p99", "s", {"clangd": 1}),
        ],
    )


def pipelined(programs: Programs) -> Comparison:
    # The slower servers get fewer requests. A rate does not need as many.
    counts = {OURS: 10_000, "clangd": 10_000}

    def rate(name, command):
        count = counts.get(name, 1_000)
        arguments = [*LSP, *UNKNOWN, "--pipelined", "--count", count, "--", *command]
        return lambda: {"rate": count / programs.drive("rpc", *arguments)["total"]}

    return Comparison(
        {name: rate(name, command) for name, command in servers(programs).items()},
        [Metric("rate", "10,000 pipelined requests", "/s", {"clangd": 2}, more_is_better=True)],
    )


def servers(programs: Programs) -> dict[str, list]:
    return {OURS: programs.novablend(programs.scratch / "no-cache")} | language_servers(programs)


def tool_calls(programs: Programs) -> Comparison:
    ours = programs.novablend(cache_directory(programs, FEW_SALONS))
    theirs = fastmcp(programs, FEW_SALONS)
    count = ["--count", programs.choose(1_000, 100)]
    our_call = tool_call("salons_list", policy="cacheOnly")
    their_call = tool_call("salons_list")
    return Comparison(
        {
            OURS: lambda: programs.drive("rpc", *MCP, *our_call, *count, "--", *ours),
            "FastMCP": lambda: programs.drive("rpc", *MCP, *their_call, *count, "--", *theirs),
        },
        [
            Metric("p50", "`tools/call` for 20 cached salons, p50", "s", {"FastMCP": 1 / 20}),
            Metric("p99", "`tools/call` for 20 cached salons, p99", "s"),
        ],
    )
