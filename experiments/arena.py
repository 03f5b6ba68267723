"""Two agents against each other: every deal is played twice, with seats swapped.

The two games of a deal are not independent, so intervals count deals, not games.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agents.base import Agent
from experiments.seeds import chosen_deals, stream
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK, CardSet, Game

NORMAL_95 = 1.959964


@dataclass(frozen=True)
class Pairs:
    """The games of agent `a` against agent `b`; column s of an array: `a` had seat s.

    Attributes:
        a, b: names.
        seats: names of the seats.
        deals: int64 (n,) seeds.
        scores: float64 (n, 2), of `a`: 1 won, 0.5 drawn, 0 lost.
        turns, decisions: int64 (n, 2), length of the games (forced decisions included).
        endings: str (n, 2), how they ended.
    """

    a: str
    b: str
    seats: tuple[str, ...]
    deals: np.ndarray
    scores: np.ndarray
    turns: np.ndarray
    decisions: np.ndarray
    endings: np.ndarray

    def rows(self) -> list[dict[str, Any]]:
        """Return one row for each game."""
        return [
            {
                "agent": self.a,
                "opponent": self.b,
                "deal": int(deal),
                "seat": self.seats[seat],
                "score": float(self.scores[row, seat]),
                "turns": int(self.turns[row, seat]),
                "decisions": int(self.decisions[row, seat]),
                "ending": str(self.endings[row, seat]),
            }
            for row, deal in enumerate(self.deals)
            for seat in (0, 1)
        ]

    def summary(self) -> dict[str, Any]:
        """Return score, 95% interval by deal and draw rate: of both seats, then of each."""
        both = {"agent": self.a, "opponent": self.b, "deals": len(self.deals)}
        by_seat = {seat: estimate(self.scores[:, [s]]) for s, seat in enumerate(self.seats)}
        return {**both, **estimate(self.scores), "seats": by_seat}


def estimate(scores: np.ndarray) -> dict[str, float]:
    """Mean of scores (deals, games of a deal), its 95% interval by deal, and the draw rate.

    The interval is the mean of the deals' mean scores plus and minus 1.96 standard errors, cut to
    [0, 1]. Where all deals were won, or all lost, they do not spread: there the open end is the
    exact one for a coin that fell the same way n times. One deal says nothing: [0, 1].
    """
    per_deal = scores.mean(axis=1)
    mean, n = float(per_deal.mean()), len(per_deal)
    margin = NORMAL_95 * float(per_deal.std(ddof=1)) / n**0.5 if n > 1 else 1.0
    low, high = max(0.0, mean - margin), min(1.0, mean + margin)
    if n > 1 and mean == 1:
        low = 0.025 ** (1 / n)
    if n > 1 and mean == 0:
        high = 1 - 0.025 ** (1 / n)
    draws = float((scores == 0.5).mean())
    return {"score": mean, "low": low, "high": high, "draws": draws}


def play_pairs(
    a: Agent,
    b: Agent,
    deals: np.ndarray | str,
    *,
    seed: int = 0,
    games: int = 1024,
    game: Game = NEW_YORK,
    card_set: str | Path | CardSet | None = None,
    rules: dict[str, Any] | None = None,
) -> Pairs:
    """Play every deal twice, `a` once in each seat.

    Args:
        a, b: the agents.
        deals: seeds int (n,), or the name of a set as in "deals-v1" or "deals-v1:500".
        seed: of the players' own choices; the same arguments give the same games.
        games: how many run side by side.
        game, card_set, rules: as in `Batch`.

    Raises:
        ValueError: the game has not two seats, or there are no such deals.
    """
    if len(game.seats) != 2:
        raise ValueError(f"{game.name} has {len(game.seats)} seats; pairs are for two")
    deals = np.asarray(chosen_deals(deals) if isinstance(deals, str) else deals, np.int64)
    if not len(deals):
        raise ValueError("deals: at least one is needed")
    cards = game.load(card_set, rules)
    together = max(1, games // 2)
    parts = [
        _play_part(a, b, deals[at : at + together], stream(seed, "arena", at), game, cards)
        for at in range(0, len(deals), together)
    ]
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return Pairs(a.name, b.name, game.seats, deals, *columns)


def _play_part(
    a: Agent, b: Agent, deals: np.ndarray, rng: np.random.Generator, game: Game, cards: CardSet
) -> tuple[np.ndarray, ...]:
    """Play some deals side by side: scores, turns, decisions, endings, each (n, 2)."""
    n = len(deals)
    batch = Batch(2 * n, card_set=cards, game=game)
    batch.deal(np.concatenate([deals, deals]))
    a_seat = np.repeat([0, 1], n)
    while (live := np.flatnonzero(~batch.over)).size:
        by_a = batch.seat[live] == a_seat[live]
        actions = np.empty(len(live), np.int64)
        for agent, rows in ((a, np.flatnonzero(by_a)), (b, np.flatnonzero(~by_a))):
            if len(rows):
                actions[rows] = agent.act(batch.view(live[rows]), rng)
        batch.step(actions, live)
    rewards = batch.rewards[np.arange(2 * n), a_seat].astype(np.float64)
    endings = np.array(game.endings)[batch.ending]
    columns = ((1 + rewards) / 2, batch.turns.astype(np.int64), batch.decisions, endings)
    return tuple(column.reshape(2, n).T for column in columns)


def evaluate(
    agent: Agent, opponents: list[Agent], deals: np.ndarray | str, **options: Any
) -> list[dict[str, Any]]:
    """Play an agent against others; `mirror` is each opponent's score by seat against itself.

    Without the mirror a score in one seat says little: the seats are not equally strong.
    """
    results = []
    for opponent in opponents:
        summary = play_pairs(agent, opponent, deals, **options).summary()
        summary["mirror"] = play_pairs(opponent, opponent, deals, **options).summary()["seats"]
        results.append(summary)
    return results


def table(results: list[dict[str, Any]]) -> str:
    """Lay results out as text."""
    head = ("opponent", "seat", "score", "95% interval", "draws", "opponent itself")
    rows = [head]
    for result in results:
        lines = [("both", result, None)]
        lines += [(seat, found, result["mirror"][seat]) for seat, found in result["seats"].items()]
        for seat, found, mirror in lines:
            interval = f"{found['low']:.1%} to {found['high']:.1%}"
            other = f"{mirror['score']:.1%}" if mirror else ""
            score, draws = f"{found['score']:.1%}", f"{found['draws']:.1%}"
            rows.append((result["opponent"], seat, score, interval, draws, other))
    widths = [max(len(row[c]) for row in rows) for c in range(len(head))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) for row in rows]
    deals = ", ".join(sorted({str(result["deals"]) for result in results}))
    note = f"Score: wins and half the draws; {deals} deals, each played twice with seats swapped."
    return "\n".join([*(line.rstrip() for line in lines), note])
