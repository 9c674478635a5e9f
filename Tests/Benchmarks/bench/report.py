"""Reports results: a line per metric during the run, and a Markdown page with plots at the end."""

from pathlib import Path

from . import plot, postgres, scheduling
from .measure import OURS

# The titles of the pictures of ratios.
AREAS = {
    "program": "Startup, memory, and calls of the program",
    "lists": "Lists and JSON",
    "components": "HTTP requests and files",
    "backend": "Backend",
    "live": "Changes of a followed list",
    "scheduling": "Free times and large databases",
    "growth": "Growth of requests to the backend",
    "postgres": "Backend with PostgreSQL",
}

UNITS = {"s": [(1, "s"), (1e3, "ms"), (1e6, "µs")], "KiB": [(1 / 1024, "MiB"), (1, "KiB")]}


def line(row: dict) -> str:
    ratios = ", ".join(
        f"{ratio['median']:.3g} x {peer}{verdict(ratio)}" for peer, ratio in row["ratios"].items()
    )
    return f"{row['id']}: {format_value(row['values'][OURS]['median'], row['unit'])}; {ratios}"


def verdict(ratio: dict) -> str:
    return {None: "", True: " (met)", False: " (MISSED)"}[ratio["met"]]


def format_value(value: float, unit: str) -> str:
    if unit in ("", "/s"):
        return f"{value:,.0f}{unit}"
    for factor, name in UNITS[unit]:
        if value * factor >= 1 or name == UNITS[unit][-1][1]:
            break
    return f"{value * factor:.3g} {name}"


def write(results: dict, folder: Path):
    rows, growth = results["rows"], results["growth"]
    pictures = []
    for area, title in AREAS.items():
        compared = [row for row in rows if row["area"] == area and row["ratios"]]
        if compared:
            plot.ratios(title, compared, folder / f"ratios-{area}.png")
            pictures.append(f"![{title}](ratios-{area}.png)")
    seconds = series(growth, lambda point: point["seconds"]["median"])
    plot.lines("seconds", seconds, folder / "growth-time.png")
    memory = series(growth, lambda point: point["peak_kib"] / 1024)
    plot.lines("peak MiB", memory, folder / "growth-memory.png")
    for name, title in ("bookings", scheduling.TITLE), ("postgres", postgres.TITLE):
        bookings = scheduling.growth_lines(rows, title)
        if bookings:
            plot.lines("p99 in ms", bookings, folder / f"growth-{name}.png", "stored bookings")
    machine = ", ".join(
        f"{name} {value:.2f}" if isinstance(value, float) else f"{name} {value}"
        for name, value in results["machine"].items()
    )
    text = [
        "# Benchmark results",
        "",
        f"Measured in {results['seconds']} s, {results['rounds']} rounds; {machine}."
        + " This was a quick run." * results["quick"],
        "",
        "A ratio divides our value by the peer's value in the same round. The table shows the"
        " median and, in parentheses, the middle half of the rounds.",
        "",
        "| task | NovaBlend | peer | peer's value | ratio | goal | result |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *(line for row in rows for line in ratio_table(row)),
        "",
        *pictures,
        "",
        "| salons | payload | " + " | ".join(growth) + " |",
        "| --- " * (2 + len(growth)) + "|",
        *growth_table(growth),
        "",
        "![time](growth-time.png) ![memory](growth-memory.png)",
        "",
        "![p99 of the backend](growth-bookings.png) ![p99 with PostgreSQL](growth-postgres.png)",
        "",
    ]
    (folder / "results.md").write_text("\n".join(text))


def ratio_table(row: dict):
    unit = row["unit"]
    for peer, ratio in row["ratios"].items():
        goal = ratio["goal"]
        limit = "" if goal is None else f"{'≥' if row['more_is_better'] else '≤'} {goal:.3g}"
        result = {None: "", True: "met", False: "missed"}[ratio["met"]]
        yield (
            f"| {row['id']} | {format_value(row['values'][OURS]['median'], unit)} | {peer}"
            f" | {format_value(row['values'][peer]['median'], unit)}"
            f" | {ratio['median']:.3g} ({ratio['low']:.3g} to {ratio['high']:.3g})"
            f" | {limit} | {result} |"
        )
    if not row["ratios"]:
        value = row["values"][OURS]
        spread = f"{format_value(value['low'], unit)} to {format_value(value['high'], unit)}"
        yield f"| {row['id']} | {format_value(value['median'], unit)} ({spread}) | | | | | |"


def growth_table(growth: dict):
    for points in zip(*growth.values()):
        size = max(point.get("payload_kib", 0) for point in points)
        cells = [
            "failed"
            if "error" in point
            else format_value(point["seconds"]["median"], "s")
            + ", "
            + format_value(point["peak_kib"], "KiB")
            for point in points
        ]
        values = " | ".join(cells)
        yield f"| {points[0]['salons']:,} | {format_value(size, 'KiB')} | {values} |"


def series(growth: dict, value) -> dict[str, list[tuple[float, float]]]:
    return {
        name: [(point["salons"], value(point)) for point in points if "error" not in point]
        for name, points in growth.items()
    }
