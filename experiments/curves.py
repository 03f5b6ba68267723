"""Learning curves and comparisons as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from experiments.measures import Interval
from experiments.numbers import FIXED, SCORE

LINES = ("-", "--", ":", "-.")  # the seats
DECISIONS = "decisions of the learner"

# Title of its panel, group, name within the group, decisions (n,), an interval of (n,) arrays.
Curve = tuple[str, str, str, Sequence[int], Interval]


def draw(rows: list[dict[str, str]], picture: Path) -> None:
    """Draw a run from rows of metrics.csv as a PNG.

    Left the scores in training games, whose opponents change; right those on fixed deals against
    fixed opponents, by seat, where there were evaluations.
    """
    names = list(rows[0]) if rows else []
    kinds = [n for n in names if n.startswith(SCORE) and f"{SCORE}{_seatless(n, names)}" == n]
    fixed = [name for name in names if name.startswith(FIXED) and not name.endswith("_draws")]
    fixed = [n for n in fixed if f"{n}_draws" not in names and any(row[n] for row in rows)]
    figure, axes = _page(1 + bool(fixed))
    for column in kinds:
        _line(axes[0], rows, column, label=f"against {column.removeprefix(SCORE)}")
    _scores(axes[0], "score in recent training games")
    for column in fixed:
        opponent, _, seat = column.removeprefix(FIXED).rpartition("_")
        seats = list(dict.fromkeys(n.rpartition("_")[2] for n in fixed))
        opponents = list(dict.fromkeys(n.removeprefix(FIXED).rpartition("_")[0] for n in fixed))
        color = f"C{opponents.index(opponent)}"
        line = LINES[seats.index(seat) % len(LINES)]
        label = f"{opponent}, as {seat}"
        _line(axes[1], rows, column, label=label, color=color, linestyle=line)
    if fixed:
        _scores(axes[1], "score on fixed deals")
    figure.savefig(picture, dpi=120)


def _seatless(column: str, names: list[str]) -> str:
    """Return the kind of opponent that a column is about, its seat left out."""
    kind = column.removeprefix(SCORE)
    above = kind.rpartition("_")[0]
    return above if above and f"{SCORE}{above}" in names else kind


def _line(axes: Any, rows: list[dict[str, str]], column: str, **style: Any) -> None:
    points = [(int(row["decisions"]), float(row[column])) for row in rows if row[column]]
    if points:
        axes.plot(*zip(*points, strict=True), **style)


def _page(panels: int, width: float = 6.0, height: float = 4.2) -> tuple[Figure, list[Any]]:
    figure = Figure(figsize=(width * panels, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, list(figure.subplots(1, panels, squeeze=False)[0])


def _scores(axes: Any, words: str) -> None:
    axes.axhline(0.5, color="0.7", linewidth=1, zorder=0)
    axes.set(ylim=(0, 1), xlabel=DECISIONS, ylabel=words)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="best", fontsize="small")


def draw_curves(curves: Sequence[Curve], picture: Path) -> None:
    """Draw learning curves with intervals as a PNG.

    Each title has a panel, each group a colour, each name a kind of line.
    """
    titles = list(dict.fromkeys(title for title, *_ in curves))
    groups = list(dict.fromkeys(group for _, group, *_ in curves))
    figure, axes = _page(len(titles), 4.6)
    for panel, title in zip(axes, titles, strict=True):
        names = list(dict.fromkeys(name for at, _, name, *_ in curves if at == title))
        for at, group, name, decisions, found in curves:
            if at != title:
                continue
            color = f"C{groups.index(group) % 10}"
            line = LINES[names.index(name) % len(LINES)]
            label = ", ".join(words for words in (group, name) if words)
            panel.plot(decisions, found.value, color=color, linestyle=line, label=label)
            panel.fill_between(decisions, found.low, found.high, color=color, alpha=0.15, lw=0)
        _scores(panel, title)
    figure.savefig(picture, dpi=120)


def draw_intervals(panels: dict[str, dict[str, Interval]], picture: Path) -> None:
    """Draw measures with intervals as a PNG: a panel for each measure, a bar for each name."""
    rows = max(len(found) for found in panels.values())
    figure, axes = _page(len(panels), 4.6, 1.4 + 0.4 * rows)
    for panel, (title, found) in zip(axes, panels.items(), strict=True):
        for at, one in enumerate(found.values()):
            panel.barh(at, one.high - one.low, left=one.low, height=0.5, color=f"C{at % 10}",
                       alpha=0.4)  # fmt: skip
            panel.plot([one.value, one.value], [at - 0.25, at + 0.25], color="black", linewidth=2)
        panel.set(title=title, yticks=range(len(found)), yticklabels=list(found))
        panel.set_xlim(0, 1)
        panel.invert_yaxis()
    figure.savefig(picture, dpi=120)
