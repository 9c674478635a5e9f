"""Results as text: a line while it runs, and a page of Markdown with plots beside it."""

from pathlib import Path

from . import plot
from .measure import OURS

UNITS = {"s": [(1, "s"), (1e3, "ms"), (1e6, "µs")], "KiB": [(1 / 1024, "MiB")]}


def line(row: dict) -> str:
    ratios = ", ".join(
        f"{ratio['median']:.3g} x {peer}{verdict(ratio)}" for peer, ratio in row["ratios"].items()
    )
    return f"{row['id']}: {amount(row['values'][OURS]['median'], row['unit'])}; {ratios}"


def verdict(ratio: dict) -> str:
    return {None: "", True: " (met)", False: " (MISSED)"}[ratio["met"]]


def amount(value: float, unit: str) -> str:
    if unit == "/s":
        return f"{value:,.0f}/s"
    for factor, name in UNITS[unit]:
        if value * factor >= 1 or name == UNITS[unit][-1][1]:
            break
    return f"{value * factor:.3g} {name}"


def write(results: dict, folder: Path):
    rows, growth = results["rows"], results["growth"]
    (folder / "ratios.svg").write_text(plot.ratios(rows))
    (folder / "growth-time.svg").write_text(
        plot.lines("seconds", series(growth, lambda point: point["seconds"]["median"]))
    )
    (folder / "growth-memory.svg").write_text(
        plot.lines("peak MiB", series(growth, lambda point: point["peak_kib"] / 1024))
    )
    about = ", ".join(
        f"{name} {value:.2f}" if isinstance(value, float) else f"{name} {value}"
        for name, value in results["machine"].items()
    )
    text = [
        "# Side by side",
        "",
        f"Measured in {results['seconds']} s, {results['rounds']} rounds; {about}."
        + " Quick." * results["quick"],
        "",
        "Ratios are ours to theirs in the same round: median, and the middle half of the rounds.",
        "",
        "| work | NovaBlend | peer | its figure | ratio | goal | |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *(cells for row in rows for cells in table(row)),
        "",
        "![ratios](ratios.svg)",
        "",
        "| salons | payload | " + " | ".join(growth) + " |",
        "| --- " * (2 + len(growth)) + "|",
        *grown(growth),
        "",
        "![time](growth-time.svg) ![memory](growth-memory.svg)",
        "",
    ]
    (folder / "results.md").write_text("\n".join(text))


def table(row: dict):
    unit = row["unit"]
    for peer, ratio in row["ratios"].items():
        goal = ratio["goal"]
        limit = "" if goal is None else f"{'≥' if row['more_is_better'] else '≤'} {goal:.3g}"
        told = {None: "", True: "met", False: "missed"}[ratio["met"]]
        yield (
            f"| {row['id']} | {amount(row['values'][OURS]['median'], unit)} | {peer}"
            f" | {amount(row['values'][peer]['median'], unit)}"
            f" | {ratio['median']:.3g} ({ratio['low']:.3g} to {ratio['high']:.3g})"
            f" | {limit} | {told} |"
        )
    if not row["ratios"]:
        value = row["values"][OURS]
        spread = f"{amount(value['low'], unit)} to {amount(value['high'], unit)}"
        yield f"| {row['id']} | {amount(value['median'], unit)} ({spread}) | | | | | |"


def grown(growth: dict):
    for points in zip(*growth.values()):
        size = max(point.get("payload_kib", 0) for point in points)
        cells = [
            "refused"
            if "refused" in point
            else f"{amount(point['seconds']['median'], 's')}, {amount(point['peak_kib'], 'KiB')}"
            for point in points
        ]
        yield f"| {points[0]['salons']:,} | {amount(size, 'KiB')} | " + " | ".join(cells) + " |"


def series(growth: dict, value) -> dict[str, list[tuple[float, float]]]:
    return {
        name: [(point["salons"], value(point)) for point in points if "refused" not in point]
        for name, points in growth.items()
    }
