"""Draws plots as PNG."""

import textwrap
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter


def ratios(title: str, rows: list[dict], file: Path):
    """Draws how many times as good as each peer we are, with the middle half of the rounds. A
    vertical stroke marks the goal."""
    peers = list(dict.fromkeys(peer for row in rows for peer in row["ratios"]))
    figure = Figure(figsize=(9, 2 + 0.5 * len(rows)), dpi=110, layout="constrained")
    axes = figure.subplots()
    for position, row in enumerate(rows):
        for index, (peer, ratio) in enumerate(row["ratios"].items()):
            # Peers of the same row would hide each other.
            y = position + 0.15 * (index - (len(row["ratios"]) - 1) / 2)
            color = f"C{peers.index(peer)}"
            low, median, high, goal = goodness(row, ratio)
            axes.plot([low, high], [y, y], color=color, linewidth=2)
            axes.plot([median], [y], "o", color=color, label=peer)
            if goal:
                axes.plot([goal, goal], [y - 0.18, y + 0.18], color=color, linewidth=2)
    axes.axvline(1, color="gray", linewidth=1)
    axes.set_xscale("log")
    # Also if all ratios are close to 1, there are labels on both sides.
    low, high = axes.get_xlim()
    low, high = min(low, 0.45), max(high, 2.2)
    axes.set_xlim(low, high)
    # More labels would overlap.
    label_powers(axes.xaxis, subs=(1, 2, 5) if high < 1_000 * low else (1,))
    names = [textwrap.fill(row["id"].replace("`", ""), 44) for row in rows]
    axes.set_yticks(range(len(rows)), names)
    axes.invert_yaxis()
    axes.set_xlabel("times as good as (right is better)")
    axes.set_title(title)
    axes.grid(axis="x", color="#dddddd")
    axes.set_axisbelow(True)
    handles, labels = axes.get_legend_handles_labels()
    by_peer = dict(zip(labels, handles))
    figure.legend(by_peer.values(), by_peer, loc="outside lower center", ncols=4, frameon=False)
    figure.savefig(file)


def label_powers(axis, subs=(1,)):
    """Labels the powers of ten of a logarithmic axis, times each of `subs`."""
    axis.set_major_locator(LogLocator(subs=subs))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axis.set_minor_formatter(NullFormatter())


def goodness(row: dict, ratio: dict) -> list[float | None]:
    """The low, median, and high ratio, and the goal, as factors by which we are better."""
    values = [ratio[name] for name in ("low", "median", "high", "goal")]
    if row["more_is_better"]:
        return values
    return [value and 1 / value for value in values]


def lines(
    title: str,
    series: dict[str, list[tuple[float, float]]],
    file: Path,
    unit: str = "salons",
):
    """Draws one line per series. The horizontal axis counts `unit`."""
    figure = Figure(figsize=(6.4, 4), dpi=110, layout="constrained")
    axes = figure.subplots()
    for name, points in series.items():
        axes.plot(*zip(*points), "o-", label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    axes.set_ylim(low / 2, high * 2)
    label_powers(axes.xaxis)
    label_powers(axes.yaxis, subs=(1, 2, 5))
    axes.set_xlabel(unit)
    axes.set_title(title)
    axes.grid(color="#dddddd")
    axes.legend(frameon=False)
    figure.savefig(file)
