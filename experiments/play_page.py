"""How agents play and win, as tables and pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from experiments.arena_plots import short_names
from experiments.leaderboard_page import new_figure, rows_of
from experiments.pairs import lay_out
from experiments.seat_games import FEW, Play, SeatGames, Share

PAGE = "play.md"
PICTURES = ("play_endings.png", "play_lengths.png", "play_cards.png")
RESULTS = (("won", 1.0), ("drawn", 0.5), ("lost", 0.0))
OPENINGS = 4  # first cards that the page lists
SHADES = {
    ("won", "victory"): "#1b7837", ("won", "civilians"): "#5aae61", ("won", "deck"): "#a6dba0",
    ("lost", "victory"): "#762a83", ("lost", "civilians"): "#9970ab", ("lost", "deck"): "#c2a5cf",
}  # fmt: skip

Rows = list[tuple[str, ...]]


def text(play: Play) -> str:
    """Lay the first tables out as text."""
    parts = [lay_out(course_rows(play)), lay_out(ending_rows(play)), lay_out(opening_rows(play))]
    return "\n\n".join([f"{play.where}.", *parts])


def write(play: Play, folder: Path) -> Path:
    """Write the page and its pictures; return the page."""
    folder.mkdir(parents=True, exist_ok=True)
    draw(play, folder)
    path = folder / PAGE
    path.write_text(markdown(play), "utf-8")
    return path


def markdown(play: Play) -> str:
    """Return the page."""
    endings, lengths, cards = PICTURES
    parts = [
        "# How agents play and win",
        "Written by `python -m experiments.play_stats arena=arenas/<folder>`: games of an arena, "
        "played again move by move and watched.",
        f"{play.where}. Scores: wins and half the draws; intervals: 95%, by deal. `*` marks what "
        f"rests on fewer than {FEW} games; rows in which all do are left out.",
        "## The course of a game",
        rows_of(course_rows(play)),
        "Means of a game, of the agent in that seat; turns are both sides'. A *bonus* is that of a "
        "location where nobody stood opposite the attacker: in Manhattan a victory point for the "
        "Villains, and a civilian, or then a point, for the Heroes; in the Sanctum a step of the "
        "artifact marker; in the Tower a battleground. It counts even where it changed nothing.",
        "## Endings",
        f"![How games ended]({endings})",
        rows_of(ending_rows(play)),
        f"![How long games were]({lengths})",
        "## Openings",
        "The card that was played first, how often, and the score then.",
        rows_of(opening_rows(play)),
        "## Artifacts",
        "Share of games in which the agent gained it, and its score then.",
        *(part for s in range(len(play.seats)) for part in artifact_parts(play, s)),
        "## Cards",
        "A score with a card is **association, not cause**: who is ahead has the means and the "
        "time to play more, and a long game sees more cards than a short one. The page shows, for "
        "each agent, the share of games in which it played the card at least once, and its score "
        "in these; in brackets its score where each game counts as often as the card was played. "
        "`play/cards.csv` in the arena's folder has intervals, and scores without the card.",
        f"![Score with a card less score without]({cards})",
        *(part for s in range(len(play.seats)) for part in card_parts(play, s)),
    ]
    return "\n\n".join(parts) + "\n"


def percent(share: Share, *, interval: bool = True) -> str:
    """Return a share in words, marked where few games are behind it."""
    if not share.games:
        return "-"
    mark = "*" if share.few else ""
    ends = f" ({share.low:.1%} to {share.high:.1%})" if interval else ""
    return f"{share.mean:.1%}{mark}{ends}"


def each(play: Play) -> list[tuple[str, str, SeatGames]]:
    """Return (agent, seat, games), seat by seat."""
    return [
        (name, seat, play.games[name, s])
        for s, seat in enumerate(play.seats)
        for name in play.agents
    ]


# ---- tables


def course_rows(play: Play) -> Rows:
    """Return score and what happened in a mean game."""
    head = ["seat", "agent", "games", "score", "turns", "cards played"]
    head += [f"bonuses: {name}" for name in play.words.locations]
    rows: Rows = [(*head, "artifacts", "civilians")]
    for name, seat, games in each(play):
        counts = [games.turns, games.plays.sum(axis=1), *games.bonuses.T]
        counts += [games.artifacts.sum(axis=1), games.civilians]
        means = [f"{count.mean():.1f}" for count in counts]
        rows.append((seat, name, f"{len(games.deals):,}", percent(games.score()), *means))
    return rows


def ending_rows(play: Play) -> Rows:
    """Return how games ended: won, drawn and lost."""
    endings = sorted({str(word) for *_, games in each(play) for word in np.unique(games.endings)})
    kinds = [(word, score, ending) for word, score in RESULTS for ending in endings]
    kinds = [
        kind for kind in kinds
        if any(games.ended(kind[2], kind[1]).mean for *_, games in each(play))
    ]  # fmt: skip
    rows: Rows = [("seat", "agent", *(f"{word}: {ending}" for word, _, ending in kinds))]
    for name, seat, games in each(play):
        cells = [percent(games.ended(ending, score), interval=False) for _, score, ending in kinds]
        rows.append((seat, name, *cells))
    return rows


def opening_rows(play: Play) -> Rows:
    """Return the commonest first cards."""
    rows: Rows = [("seat", "agent", "first card", "games", "score")]
    for name, seat, games in each(play):
        for card, share, score in games.openings()[:OPENINGS]:
            word = play.words.cards[card] if card >= 0 else "none"
            rows.append((seat, name, word, percent(share, interval=False), percent(score)))
    return rows


def artifact_parts(play: Play, seat: int) -> list[str]:
    """Return the table of the artifacts that were gained in a seat, with its title."""

    def cell(games: SeatGames, artifact: int) -> str:
        gained = games.artifacts[:, artifact] > 0
        share = percent(games.share(gained.astype(float)), interval=False)
        return f"{share}: {percent(games.share(games.scores, gained))}" if gained.any() else "-"

    return _things(play, seat, play.words.artifacts, lambda games: games.artifacts, cell)


def card_parts(play: Play, seat: int) -> list[str]:
    """Return the table of the cards that were played in a seat, with its title."""

    def cell(games: SeatGames, card: int) -> str:
        played = games.plays[:, card] > 0
        if not played.any():
            return "-"
        by_copy = games.score_by_copy(card).mean
        share = percent(games.share(played.astype(float)), interval=False)
        return f"{share}: {percent(games.score_with(card))} [{by_copy:.1%}]"

    return _things(play, seat, play.words.cards, lambda games: games.plays, cell)


def _things(
    play: Play,
    seat: int,
    names: tuple[str, ...],
    counts: Callable[[SeatGames], np.ndarray],
    cell: Callable[[SeatGames, int], str],
) -> list[str]:
    """Return a table with a row for each thing that somebody had in enough games of a seat."""
    games = [play.games[name, seat] for name in play.agents]
    seen = [
        n for n in range(len(names)) if any((counts(one)[:, n] > 0).sum() >= FEW for one in games)
    ]
    rows: Rows = [(play.seats[seat], *play.agents)]
    rows += [(names[n], *(cell(one, n) for one in games)) for n in seen]
    return [f"### {play.seats[seat].title()}", rows_of(rows)]


# ---- pictures


def draw(play: Play, folder: Path) -> None:
    """Write the pictures `PICTURES`."""
    endings, lengths, cards = (folder / name for name in PICTURES)
    k, n = len(play.agents), len(play.seats)

    figure = new_figure(9, 1.6 + 0.32 * k * n)
    draw_endings(figure.subplots(), play)
    figure.savefig(endings, dpi=110)

    figure = new_figure(9, 3.4)
    for s, axes in enumerate(figure.subplots(1, n, sharey=True)):
        draw_lengths(axes, play, s)
    figure.savefig(lengths, dpi=110)

    figure = new_figure(5.5 * n, 8)
    for s, axes in enumerate(figure.subplots(1, n)):
        draw_cards(axes, play, s)
    figure.savefig(cards, dpi=110)


def draw_endings(axes: Axes, play: Play) -> None:
    """Draw how each agent's games ended in each seat, as bars of the whole."""
    labels = short_names(play.agents)
    names = []
    for name, seat, games in each(play):
        left = 0.0
        for (word, ending), shade in SHADES.items():
            share = games.ended(ending, dict(RESULTS)[word]).mean
            label = f"{word}: {ending}" if not names else None
            axes.barh(len(names), share, left=left, color=shade, label=label)
            left += share
        names.append(f"{labels[name]}, {seat}")
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set(xlim=(0, 1), xlabel="share of games (the rest are draws)")
    axes.figure.legend(loc="outside upper center", ncols=6, fontsize="small")


def draw_lengths(axes: Axes, play: Play, seat: int) -> None:
    """Draw how many turns games had."""
    labels = short_names(play.agents)
    most = max(int(games.turns.max()) for *_, games in each(play))
    for name in play.agents:
        turns = play.games[name, seat].turns
        shares = np.bincount(turns, minlength=most + 1) / len(turns)
        axes.plot(np.cumsum(shares), label=labels[name])
    axes.set(xlabel="turns", title=f"as {play.seats[seat]}")
    axes.grid(alpha=0.3)
    if seat == 0:
        axes.set_ylabel("share of games that have ended")
        axes.legend(fontsize="small")


def draw_cards(axes: Axes, play: Play, seat: int) -> None:
    """Draw, for the cards of a seat, the score with a card less the score without it."""
    labels = short_names(play.agents)
    leads = {name: card_leads(play.games[name, seat]) for name in play.agents}
    found = np.array([*leads.values()])
    seen = np.flatnonzero(~np.isnan(found).all(axis=0))
    order = seen[np.argsort(np.nanmean(found[:, seen], axis=0))]
    for number, name in enumerate(play.agents):
        axes.plot(
            leads[name][order], range(len(order)), "o", color=f"C{number}", label=labels[name]
        )
    axes.set_yticks(range(len(order)), [play.words.cards[card] for card in order], fontsize=7)
    axes.axvline(0, color="0.7", linewidth=1, zorder=0)
    axes.grid(axis="y", alpha=0.2)
    axes.set(xlabel="points", title=f"score with less score without, as {play.seats[seat]}")
    axes.legend(fontsize="small")


def card_leads(games: SeatGames) -> np.ndarray:
    """Return score with a card less score without, in points, float64 (cards,).

    NaN where either rests on few games.
    """
    found = np.full(games.plays.shape[1], np.nan)
    for card in range(len(found)):
        one, other = games.score_with(card), games.score_without(card)
        if not one.few and not other.few:
            found[card] = 100 * (one.mean - other.mean)
    return found
