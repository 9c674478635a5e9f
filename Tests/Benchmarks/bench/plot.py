"""Draws plots as SVG, on logarithmic axes."""

from html import escape
from math import ceil, floor, log10

COLORS = ["#1f5fa8", "#c4501b", "#3a7d34", "#7a4fa3"]


class Drawing:
    def __init__(self, width: int, height: int):
        self._size = width, height
        self._parts = []

    def line(self, x1, y1, x2, y2, color="#ccc", width=1):
        self._parts.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
            f' stroke="{color}" stroke-width="{width}"/>'
        )

    def dot(self, x, y, color):
        self._parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{color}"/>')

    def text(self, x, y, text, anchor="start", color="#222"):
        self._parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}">'
            f"{escape(text)}</text>"
        )

    def __str__(self):
        width, height = self._size
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
            f' viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
            f'<rect width="{width}" height="{height}" fill="white"/>'
            + "".join(self._parts)
            + "</svg>\n"
        )


class Axis:
    """A logarithmic axis between two coordinates. It covers the powers of ten around `values`."""

    def __init__(self, values, start: float, end: float):
        self._low = floor(log10(min(values)))
        self._high = max(ceil(log10(max(values))), self._low + 1)
        self._start, self._end = start, end

    def position(self, value: float) -> float:
        fraction = (log10(value) - self._low) / (self._high - self._low)
        return self._start + fraction * (self._end - self._start)

    def ticks(self):
        return [10.0**power for power in range(self._low, self._high + 1)]


def ratios(rows: list[dict]) -> str:
    """Draws each ratio with its spread. A stroke marks the goal."""
    entries = [(row, peer, ratio) for row in rows for peer, ratio in row["ratios"].items()]
    height, left, right = 22 * len(entries) + 60, 420, 960
    ends = [ratio[end] for _, _, ratio in entries for end in ("low", "high")]
    goals = [ratio["goal"] for _, _, ratio in entries if ratio["goal"]]
    axis = Axis(ends + goals, left, right)
    drawing = Drawing(1000, height)
    for tick in axis.ticks():
        x = axis.position(tick)
        drawing.line(x, 20, x, height - 30, "#888" if tick == 1 else "#ddd")
        drawing.text(x, height - 12, f"{tick:g}", "middle")
    for index, (row, peer, ratio) in enumerate(entries):
        y = 36 + 22 * index
        color = {None: "#777", True: COLORS[2], False: COLORS[1]}[ratio["met"]]
        drawing.text(left - 10, y + 4, f"{row['id'].replace('`', '')} / {peer}", "end")
        drawing.line(axis.position(ratio["low"]), y, axis.position(ratio["high"]), y, color, 3)
        drawing.dot(axis.position(ratio["median"]), y, color)
        if ratio["goal"]:
            x = axis.position(ratio["goal"])
            drawing.line(x, y - 8, x, y + 8, "#222", 2)
    return str(drawing)


def lines(title: str, series: dict[str, list[tuple[float, float]]], unit: str = "salons") -> str:
    """Draws one line per series. The horizontal axis counts `unit`."""
    points = [point for each in series.values() for point in each]
    x = Axis([point[0] for point in points], 70, 470)
    y = Axis([point[1] for point in points], 340, 40)
    drawing = Drawing(640, 390)
    drawing.text(70, 24, title)
    for tick in x.ticks():
        drawing.line(x.position(tick), 40, x.position(tick), 340)
        drawing.text(x.position(tick), 360, f"{tick:,.0f}", "middle")
    for tick in y.ticks():
        drawing.line(70, y.position(tick), 470, y.position(tick))
        drawing.text(62, y.position(tick) + 4, f"{tick:g}", "end")
    drawing.text(270, 382, unit, "middle")
    for index, (name, each) in enumerate(series.items()):
        color = COLORS[index % len(COLORS)]
        for (x1, y1), (x2, y2) in zip(each, each[1:]):
            drawing.line(x.position(x1), y.position(y1), x.position(x2), y.position(y2), color, 2)
        for a, b in each:
            drawing.dot(x.position(a), y.position(b), color)
        drawing.text(485, 60 + 20 * index, name, color=color)
    return str(drawing)
