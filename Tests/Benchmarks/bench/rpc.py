"""JSON-RPC and MCP: how soon, how fast, in how much memory."""

from statistics import median

from .measure import OURS, Figure, Work
from .programs import Programs
from .talk import LSP, MCP, OFFLINE, UNKNOWN, cached, fastmcp, language_servers, tool

CURL = "curl --version"
START_GOALS = {CURL: 0.6, "clangd": 1 / 5, "FastMCP": 1 / 50}
SMALL = 20
# A start takes so little that a single one tells more of the machine than of the program.
STARTS = 5


def works(programs: Programs) -> list[Work]:
    makers = starting, starting_with_a_list, one_at_a_time, pipelined, tool_calls
    return [make(programs) for make in makers]


def starting(programs: Programs) -> Work:
    ours = programs.novablend(programs.scratch / "no-cache")
    peers = language_servers(programs)

    def idle(opening, command):
        # Long enough for a server to have settled.
        settled = ["ask", *opening, "--idle", 500, "--", *command]
        return lambda: programs.drive(*settled) | started(programs, *opening, "--", *command)

    return Work(
        {
            OURS: idle(LSP, ours),
            CURL: lambda: first_of_curl(programs),
            **{name: idle(LSP, command) for name, command in peers.items()},
            "FastMCP": idle(MCP, fastmcp(programs, SMALL)),
        },
        [
            Figure("first", "spawn to `initialize`", "s", START_GOALS),
            Figure("idle_kib", "idle memory", "KiB", {"clangd": 1}),
        ],
    )


def starting_with_a_list(programs: Programs) -> Work:
    ours = programs.novablend(cached(programs, 1_000))
    theirs = fastmcp(programs, 1_000)

    def listing():
        result = programs.drive("ask", *MCP, *tool("salons_list", limit=1_000), "--", *theirs)
        return {"first": result["first"] + result["one"]}

    clangd = language_servers(programs)["clangd"]
    return Work(
        {
            OURS: lambda: started(programs, *OFFLINE, "--", *ours),
            CURL: lambda: first_of_curl(programs),
            "clangd": lambda: started(programs, *LSP, "--", *clangd),
            "FastMCP": listing,
        },
        [Figure("first", "spawn to an offline list of 1,000", "s", START_GOALS)],
    )


def started(programs: Programs, *asking) -> dict[str, float]:
    """How soon a server answers first, of a few starts."""
    return {"first": median(programs.drive("ask", *asking)["first"] for _ in range(STARTS))}


def first_of_curl(programs: Programs) -> dict[str, float]:
    runs = [programs.drive("run", "curl", "--version") for _ in range(STARTS)]
    return {"first": median(run["seconds"] for run in runs)}


def one_at_a_time(programs: Programs) -> Work:
    count = programs.choose(5_000, 1_000)
    return Work(
        {
            name: lambda command=command: programs.drive(
                "ask", *LSP, *UNKNOWN, "--count", count, "--", *command
            )
            for name, command in servers(programs).items()
        },
        [
            Figure("p50", "unknown method, p50", "s", {"clangd": 1}),
            Figure("p99", "unknown method, p99", "s", {"clangd": 1}),
        ],
    )


def pipelined(programs: Programs) -> Work:
    # The slow ones need not do as many for a rate.
    many = {OURS: 10_000, "clangd": 10_000}

    def rate(name, command):
        count = many.get(name, 1_000)
        asking = [*LSP, *UNKNOWN, "--pipelined", "--count", count]
        return lambda: {"rate": count / programs.drive("ask", *asking, "--", *command)["total"]}

    return Work(
        {name: rate(name, command) for name, command in servers(programs).items()},
        [Figure("rate", "10,000 pipelined requests", "/s", {"clangd": 2}, more_is_better=True)],
    )


def servers(programs: Programs) -> dict[str, list]:
    return {OURS: programs.novablend(programs.scratch / "no-cache")} | language_servers(programs)


def tool_calls(programs: Programs) -> Work:
    ours = programs.novablend(cached(programs, SMALL))
    theirs = fastmcp(programs, SMALL)
    count = ["--count", programs.choose(1_000, 100)]
    call = tool("salons_list", policy="cacheOnly")
    return Work(
        {
            OURS: lambda: programs.drive("ask", *MCP, *call, *count, "--", *ours),
            "FastMCP": lambda: programs.drive(
                "ask", *MCP, *tool("salons_list"), *count, "--", *theirs
            ),
        },
        [
            Figure("p50", "`tools/call` of 20 cached salons, p50", "s", {"FastMCP": 1 / 20}),
            Figure("p99", "`tools/call` of 20 cached salons, p99", "s"),
        ],
    )
