"""Runs contenders in turn, and tells medians, spreads and ratios."""

from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median


@dataclass
class Figure:
    """One thing that runs tell: `goals` has the ratio to each peer that is wanted."""

    key: str
    title: str
    unit: str
    goals: dict[str, float] = field(default_factory=dict)
    more_is_better: bool = False


@dataclass
class Work:
    """What contenders do side by side, ours first. A run gives some of the figures, by key."""

    contenders: dict[str, Callable[[], dict[str, float]]]
    figures: list[Figure]


@dataclass
class Spread:
    median: float
    low: float
    high: float

    @staticmethod
    def of(values: list[float]) -> "Spread":
        """The middle half, which one disturbed run does not widen."""
        ordered = sorted(values)
        quarter = len(ordered) // 4
        return Spread(median(ordered), ordered[quarter], ordered[-1 - quarter])


OURS = "NovaBlend"


def run(work: Work, rounds: int) -> list[dict]:
    """A row for each figure. All take part in every round, so that a ratio compares runs that
    followed each other; the first round warms up and is not counted."""
    names = list(work.contenders)
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    for number in range(rounds + 1):
        # Nobody always follows the same neighbour.
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            result = work.contenders[name]()
            if number > 0:
                runs[name].append(result)
    return [row(figure, runs) for figure in work.figures]


def row(figure: Figure, runs: dict[str, list[dict[str, float]]]) -> dict:
    values = {
        name: [result[figure.key] for result in results]
        for name, results in runs.items()
        if results and figure.key in results[0]
    }
    ours = values[OURS]
    ratios = {}
    for peer, theirs in values.items():
        if peer == OURS:
            continue
        spread = Spread.of([a / b for a, b in zip(ours, theirs)])
        goal = figure.goals.get(peer)
        ratios[peer] = vars(spread) | {"goal": goal, "met": met(spread.median, goal, figure)}
    return {
        "id": figure.title,
        "unit": figure.unit,
        "more_is_better": figure.more_is_better,
        "values": {name: vars(Spread.of(each)) for name, each in values.items()},
        "ratios": ratios,
    }


def met(ratio: float, goal: float | None, figure: Figure) -> bool | None:
    if goal is None:
        return None
    return ratio >= goal if figure.more_is_better else ratio <= goal
