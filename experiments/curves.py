"""The learning curve of a run as a picture."""

from __future__ import annotations

from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

PREFIX = "score_"


def draw(rows: list[dict[str, str]], picture: Path) -> None:
    """Draw the learner's scores in recent training games from rows of metrics.csv as a PNG."""
    figure = Figure(figsize=(7, 4.2), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for column in [name for name in (rows[0] if rows else {}) if name.startswith(PREFIX)]:
        points = [(int(row["decisions"]), float(row[column])) for row in rows if row[column]]
        if points:
            axes.plot(*zip(*points, strict=True), label=f"against {column[len(PREFIX) :]}")
    axes.axhline(0.5, color="0.7", linewidth=1, zorder=0)
    axes.set(ylim=(0, 1), xlabel="decisions of the learner", ylabel="score in recent games")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    if rows:
        axes.legend(loc="lower right")
    figure.savefig(picture, dpi=120)
