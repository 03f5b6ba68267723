"""Pictures of an arena: the cross table, the ratings, scores by seat beside mirror scores."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from experiments.arena_report import Standings
from experiments.pairs import estimate

PICTURES = ("cross_table.png", "ratings.png", "seats.png")
MIDDLE = {"color": "0.7", "linewidth": 1, "zorder": 0}


def draw(found: Standings, folder: Path) -> None:
    """Write the pictures `PICTURES` of standings with ratings into a folder."""
    labels = short_names(found.agents)
    k = len(labels)
    sizes = ((2.5 + 0.9 * k, 1.8 + 0.8 * k), (7, 1.5 + 0.45 * k), (8, 2 + 0.28 * k * (k - 1)))
    for name, size, fill in zip(PICTURES, sizes, (cross, ratings, seats), strict=True):
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        fill(figure.subplots(), found, labels)
        figure.savefig(folder / name, dpi=120)


def short_names(agents: tuple[str, ...]) -> dict[str, str]:
    """Return what to call agents in a picture: the last part of a path where that is enough."""
    last = [Path(name).name for name in agents]
    return {
        name: short if last.count(short) == 1 else name
        for name, short in zip(agents, last, strict=True)
    }


def cross(axes: Axes, found: Standings, labels: dict[str, str]) -> None:
    """Draw everybody's score against everybody."""
    k = len(labels)
    scores = np.full((k, k), np.nan)
    for i, a in enumerate(labels):
        for j, b in enumerate(labels):
            if i != j:
                scores[i, j] = found.pairs[a, b].scores.mean()
                bright = abs(scores[i, j] - 0.5) > 0.35
                axes.text(
                    j, i, f"{100 * scores[i, j]:.1f}", ha="center", va="center",
                    color="white" if bright else "black",
                )  # fmt: skip
    picture = axes.imshow(100 * scores, vmin=0, vmax=100, cmap="RdBu")
    axes.set_xticks(range(k), labels.values(), rotation=45, ha="right")
    axes.set_yticks(range(k), labels.values())
    axes.set(xlabel="against", title="score of the row, percent")
    axes.figure.colorbar(picture, ax=axes, shrink=0.8)


def ratings(axes: Axes, found: Standings, labels: dict[str, str]) -> None:
    """Draw ratings with intervals; an open end is an arrow."""
    rows = found.ratings.rows()
    ends = [row[key] for row in rows for key in ("low", "elo", "high")]
    known = [end for end in ends if end is not None]
    far = 0.1 * max(max(known) - min(known), 1)
    for at, row in enumerate(rows):
        low = min(known) - far if row["low"] is None else row["low"]
        high = max(known) + far if row["high"] is None else row["high"]
        axes.plot([low, high], [at, at], color="C0")
        axes.plot(row["elo"], at, "o", color="C0")
        for end, x, mark in (("low", low, "<"), ("high", high, ">")):
            if row[end] is None:
                axes.plot(x, at, mark, color="C0")
    axes.axvline(0, **MIDDLE)
    axes.set_yticks(range(len(rows)), [labels[row["agent"]] for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set(xlabel=f"Elo above {labels[found.ratings.reference]}, with 95% intervals")


def seats(axes: Axes, found: Standings, labels: dict[str, str]) -> None:
    """Draw scores by seat, and what the opponent makes of the seat against itself."""
    names = []
    for one in found.met():
        for s, seat in enumerate(found.seats):
            at = len(names)
            names.append(f"{labels[one.a]} against {labels[one.b]}, {seat}")
            score = estimate(one.scores[:, [s]])
            axes.plot([score["low"], score["high"]], [at, at], color=f"C{s}")
            axes.plot(score["score"], at, "o", color=f"C{s}", label=None if at > s else seat)
            mirror = found.mirror_score(one.b, s, len(one.deals))
            if mirror is not None:
                label = None if at else "the opponent against itself"
                axes.plot(mirror["score"], at, "|", color="black", markersize=14, label=label)
    axes.axvline(0.5, **MIDDLE)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set(xlim=(-0.02, 1.02), xlabel="score in that seat, with 95% intervals")
    axes.figure.legend(loc="outside upper center", ncols=3)
