"""The page of the leaderboard, from what an arena's folder holds."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from experiments import arena_plots
from experiments.arena_report import (
    NOTE,
    Standings,
    cycles_text,
    deals_words,
    fit_text,
    lengths,
    milliseconds,
    percent,
    ratings_rows,
)
from experiments.bench.page import describe
from experiments.floors import HEAD, floors_rows
from experiments.pairs import SIDE_BY_SIDE, Pairs, estimate

PAGE = "leaderboard.md"
PICTURES = ("leaderboard.png", "leaderboard_seats.png", "leaderboard_cost.png")


def write(found: Standings, starts: list[dict[str, Any]], folder: Path) -> Path:
    """Write the page and its pictures of standings with ratings; return the page."""
    folder.mkdir(parents=True, exist_ok=True)
    draw(found, folder)
    path = folder / PAGE
    path.write_text(markdown(found, starts), "utf-8")
    return path


def markdown(found: Standings, starts: list[dict[str, Any]]) -> str:
    """Return the page."""
    cross, seats, cost = PICTURES
    parts = [
        "# Leaderboard",
        "Written by `python -m experiments.leaderboard`; "
        "`report=arenas/<folder>` writes it again from an arena's files.",
        made_words(found, starts),
        f"![Scores and ratings]({cross})",
        "## Ratings",
        rows_of([("rating", "95% interval", "mean score", "agent"), *ratings_rows(found)]),
        f"Bradley-Terry on the Elo scale, {found.ratings.reference} at 0; intervals by bootstrap "
        "over deals. Every game counts alike, so pairs that played fewer deals weigh less.",
        "## Everybody against everybody",
        cross_table(found),
        f"{NOTE} {deals_words(found)}",
        "## Does one number say it all?",
        f"{fit_text(found)}\n\n{cycles_text(found)}".replace("\n", "  \n"),
        "## By seat",
        f"![Scores by seat]({seats})",
        seats_table(found),
        "*Itself*: what each makes of that seat against itself, on the same deals.",
        mirror_table(found),
        "## Draws and length",
        lengths_table(found),
        "Turns and decisions: means of a game, forced decisions counted.",
        "## Cost of a move",
        f"![Rating over cost]({cost})",
        costs_table(found),
        COST,
        "## Floors",
        "What each step of the ladder should reach:",
        rows_of([HEAD, *floors_rows(found)]),
        "## Who plays",
        rows_of([("agent", "class, settings and hashes of weights"), *settings_rows(found)]),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


COST = f"""\
Milliseconds of one processor. *Asked*: time inside the agent, divided by the decisions that it was
asked for, in the games against agents that are not compiled; up to {SIDE_BY_SIDE:,} games are asked
about together, forced decisions never. *Compiled*: all of a compiled game of the agent against
itself, rules included, divided by all its decisions."""


def made_words(found: Standings, starts: list[dict[str, Any]]) -> str:
    """Say what was played, when, where and with which command."""
    made, config = found.made_with, found.config
    moves = "their most probable move" if config.deterministic else "moves drawn from their policy"
    what = (
        f"Played on `{config.deals}` with seed {config.seed}, the card set "
        f"{made['card_set']['name']} {made['card_set']['version']}, skirmish-env "
        f"{made['skirmish_env']}; trained agents play {moves}."
    )
    if not starts:
        return f"{what} When and on which machine was not noted."
    first, last = starts[0], starts[-1]
    days = sorted({one["time"][:10] for one in (first, last)})
    seconds = sum(speed.cpu or 0 for speed in found.speeds.values() if speed)
    took = f"{seconds / 60:.0f} minutes" if seconds > 120 else f"{seconds:.0f} seconds"
    where = f"{' to '.join(days)}; {describe(first['machine'])}"
    how = f"{first['jobs']} processes of one thread" if first["jobs"] > 1 else "one process"
    command = "\n".join(f"    {words}" for words in commands(starts))
    return f"{what}\n\n{where}; {how}; {took} of processor time.\n\n{command}".rstrip()


def commands(starts: list[dict[str, Any]]) -> list[str]:
    """Return the command line of each start, those from within a program left out."""
    return [shlex.join(one["command"]) for one in starts if one["command"]]


# ---- tables


def rows_of(rows: list[tuple[str, ...]]) -> str:
    """Return rows of words as a table; the first one is its head."""
    head, *rest = rows
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rest)])


def cross_table(found: Standings) -> str:
    """Return everybody's score against everybody."""
    rows = [("", *found.agents)]
    for a in found.agents:
        cells = [percent(estimate(found.pairs[a, b].scores)) if a != b else "-"
                 for b in found.agents]  # fmt: skip
        rows.append((a, *cells))
    return rows_of(rows)


def seats_table(found: Standings) -> str:
    """Return scores by seat beside those of the mirror matches."""
    rows = [("agent", "opponent", "seat", "score (95% interval)", "opponent itself", "itself")]
    for one in found.met():
        for s, seat in enumerate(found.seats):
            mirrors = [found.mirror_score(name, s, len(one.deals)) for name in (one.b, one.a)]
            words = [f"{mirror['score']:.1%}" if mirror else "-" for mirror in mirrors]
            rows.append((one.a, one.b, seat, percent(estimate(one.scores[:, [s]])), *words))
    return rows_of(rows)


def mirror_table(found: Standings) -> str:
    """Return what each agent makes of each seat against itself, on all deals that it played."""
    rows = [("against itself", "deals", *found.seats)]
    for one in found.mirrors():
        scores = [percent(estimate(one.scores[:, [s]])) for s in range(len(found.seats))]
        rows.append((one.a, f"{len(one.deals):,}", *scores))
    return rows_of(rows)


def lengths_table(found: Standings) -> str:
    """Return games, draws, turns and decisions of each pair, and how its games ended."""
    everyone: list[Pairs] = [*found.met(), *found.mirrors()]
    told = [lengths(found, one) for one in everyone]
    endings = sorted({ending for one in told for ending in one["endings"]})
    rows = [("agent", "opponent", "games", "draws", "turns", "decisions", *endings)]
    for one, data in zip(everyone, told, strict=True):
        means = (f"{data['turns']:.1f}", f"{data['decisions']:.1f}")
        ended = [f"{data['endings'].get(ending, 0):.1%}" for ending in endings]
        rows.append((one.a, one.b, f"{data['games']:,}", f"{data['draws']:.1%}", *means, *ended))
    return rows_of(rows)


def costs_table(found: Standings) -> str:
    """Return what each agent's decisions cost."""
    rows = [("agent", "asked", "decisions asked for", "compiled")]
    for name, cost in found.costs().items():
        costs = milliseconds(cost.asked), f"{cost.answers:,}", milliseconds(cost.compiled)
        rows.append((name, *costs))
    return rows_of(rows)


def settings_rows(found: Standings) -> list[tuple[str, str]]:
    """Return each agent's class and settings, as the arena's folder notes them."""
    return [(name, f"`{found.made_with['agents'][name]}`") for name in found.agents]


# ---- pictures


def draw(found: Standings, folder: Path) -> None:
    """Write the pictures `PICTURES` of standings with ratings into a folder."""
    labels = arena_plots.short_names(found.agents)
    k = len(labels)
    cross, seats, cost = (folder / name for name in PICTURES)

    figure = new_figure(4.5 + 1.5 * k, 1.8 + 0.6 * k)
    left, right = figure.subplots(1, 2, width_ratios=[1.2, 1])
    arena_plots.cross(left, found, labels)
    arena_plots.ratings(right, found, labels)
    figure.savefig(cross, dpi=110)

    figure = new_figure(8, 2 + 0.28 * k * (k - 1))
    arena_plots.seats(figure.subplots(), found, labels)
    figure.savefig(seats, dpi=100)

    figure = new_figure(7, 4.2)
    draw_costs(figure.subplots(), found, labels)
    figure.savefig(cost, dpi=110)


def new_figure(width: float, height: float) -> Figure:
    """Return a figure that draws into memory, whatever screen there is."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def draw_costs(axes: Axes, found: Standings, labels: dict[str, str]) -> None:
    """Draw ratings over what a decision costs: asked where that is known, else compiled."""
    elo = {row["agent"]: row for row in found.ratings.rows()}
    for name, cost in found.costs().items():
        asked = cost.asked is not None
        x = cost.asked if asked else cost.compiled
        if x is None:
            continue
        row = elo[name]
        ends = [row["elo"] if row[key] is None else row[key] for key in ("low", "high")]
        axes.plot([x, x], ends, color="C0")
        axes.plot(x, row["elo"], "o" if asked else "s", color="C0")
        axes.annotate(
            labels[name] if asked else f"{labels[name]} (compiled)",
            (x, row["elo"]), xytext=(6, 4), textcoords="offset points",
        )  # fmt: skip
    axes.set_xscale("log")
    axes.margins(x=0.2)
    axes.grid(alpha=0.3)
    axes.set(
        xlabel="milliseconds of one processor for a decision",
        ylabel=f"Elo above {labels[found.ratings.reference]}, 95% intervals",
    )
