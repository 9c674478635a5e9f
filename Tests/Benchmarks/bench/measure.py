"""Runs contenders in turn, and calculates medians, spreads, and ratios."""

from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median


@dataclass
class Metric:
    """A value that each run measures. `goals` has the desired ratio of ours to each peer's."""

    key: str
    title: str
    unit: str
    goals: dict[str, float] = field(default_factory=dict)
    more_is_better: bool = False


@dataclass
class Comparison:
    """Compares contenders, ours first. A contender is a function that runs once and returns its
    metrics by key. It may omit some of them."""

    contenders: dict[str, Callable[[], dict[str, float]]]
    metrics: list[Metric]

    @staticmethod
    def with_limit(
        ours: Callable[[], dict[str, float]], key: str, title: str, seconds: float, name: str
    ) -> "Comparison":
        """Compares a time with a limit."""
        metric = Metric(key, title, "s", {name: 1})
        return Comparison({OURS: ours, name: lambda: {key: seconds}}, [metric])


@dataclass
class Spread:
    median: float
    low: float
    high: float

    @staticmethod
    def of(values: list[float]) -> "Spread":
        """The middle half of the values, so that a single disturbed run does not matter."""
        ordered = sorted(values)
        quarter = len(ordered) // 4
        return Spread(median(ordered), ordered[quarter], ordered[-1 - quarter])


OURS = "NovaBlend"


def run(comparison: Comparison, rounds: int) -> list[dict]:
    """Returns a row for each metric. All contenders run in every round, so that a ratio compares
    runs that followed each other. The first round warms up and is not counted."""
    names = list(comparison.contenders)
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    for number in range(rounds + 1):
        # Rotate, so that each contender takes each position.
        first = number % len(names)
        for name in names[first:] + names[:first]:
            result = comparison.contenders[name]()
            if number > 0:
                runs[name].append(result)
    return [row(metric, runs) for metric in comparison.metrics]


def row(metric: Metric, runs: dict[str, list[dict[str, float]]]) -> dict:
    values = {
        name: [result[metric.key] for result in results]
        for name, results in runs.items()
        if results and metric.key in results[0]
    }
    ours = values[OURS]
    ratios = {}
    for peer, theirs in values.items():
        if peer == OURS:
            continue
        spread = Spread.of([a / b for a, b in zip(ours, theirs)])
        goal = metric.goals.get(peer)
        ratios[peer] = vars(spread) | {"goal": goal, "met": met(spread.median, goal, metric)}
    return {
        "id": metric.title,
        "unit": metric.unit,
        "more_is_better": metric.more_is_better,
        "values": {name: vars(Spread.of(each)) for name, each in values.items()},
        "ratios": ratios,
    }


def met(ratio: float, goal: float | None, metric: Metric) -> bool | None:
    if goal is None:
        return None
    return ratio >= goal if metric.more_is_better else ratio <= goal
