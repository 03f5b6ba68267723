"""Two agents against each other: every deal is played twice, with seats swapped.

The two games of a deal are not independent, so intervals count deals, not games. A game depends on
its deal, on who sits where and on the seed; compiled players play whole games in one call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agents.base import Agent
from agents.expert import ExpertAgent
from agents.heuristic import HeuristicAgent
from agents.random import RandomAgent
from experiments.seeds import STREAMS, chosen_deals, stream
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK, CardSet, Game
from skirmish_env.opponents import CompiledOpponent
from skirmish_env.views import View

NORMAL_95 = 1.959964
SIDE_BY_SIDE = 1024  # games that agents are asked about together; other games if it changes
NO_MOVE = -1  # after the last move of a game
COMPILED = {RandomAgent: "random", HeuristicAgent: "heuristic", ExpertAgent: "expert"}

Tell = Callable[[int], object]


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
        moves: int16 (n, 2, longest), the actions taken where agents were asked, -1 after the last;
            forced decisions are left out. None where compiled players played.
    """

    a: str
    b: str
    seats: tuple[str, ...]
    deals: np.ndarray
    scores: np.ndarray
    turns: np.ndarray
    decisions: np.ndarray
    endings: np.ndarray
    moves: np.ndarray | None = None

    def flipped(self) -> Pairs:
        """Return the same games as agent `b` sees them."""
        of_b = (x[:, ::-1] for x in (1 - self.scores, self.turns, self.decisions, self.endings))
        moves = None if self.moves is None else self.moves[:, ::-1]
        return Pairs(self.b, self.a, self.seats, self.deals, *of_b, moves)

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
    games: int = 4096,
    game: Game = NEW_YORK,
    card_set: str | Path | CardSet | None = None,
    rules: dict[str, Any] | None = None,
    tell: Tell | None = None,
) -> Pairs:
    """Play every deal twice, `a` once in each seat.

    Swapped agents give the same games, and an agent against itself plays each deal once: with the
    seats swapped it would be the same game.

    Args:
        a, b: the agents.
        deals: seeds int (n,), or the name of a set as in "deals-v1" or "deals-v1:500".
        seed: of the players' own choices; the same arguments give the same games.
        games: how many compiled players play in one call; no result depends on it. Other agents
            are asked about `SIDE_BY_SIDE` games together.
        game, card_set, rules: as in `Batch`.
        tell: is called with the number of games that have ended since the last call.

    Raises:
        ValueError: the game has not two seats, there are no such deals, or an agent does not
            answer with one action for each row.
    """
    if len(game.seats) != 2:
        raise ValueError(f"{game.name} has {len(game.seats)} seats; pairs are for two")
    deals = np.asarray(chosen_deals(deals) if isinstance(deals, str) else deals, np.int64)
    if not len(deals):
        raise ValueError("deals: at least one is needed")
    if games < 1:
        raise ValueError(f"games: must be 1 or more, not {games}")
    cards = game.load(card_set, rules)

    def play(players: tuple[Agent, Agent]) -> _Games:
        names = tuple(compiled_name(agent, game) for agent in players)
        parts = []
        together = SIDE_BY_SIDE if None in names else games
        for at in range(0, len(deals), together):
            batch = Batch(len(deals[at : at + together]), card_set=cards, game=game)
            batch.deal(deals[at : at + together])
            moves = None
            if None in names:
                moves = _ask_to_the_end(batch, players, seed, int(deals[at]), tell)
            else:
                batch.playout(game_seeds(seed, deals[at : at + together]), names)
                if tell is not None:
                    tell(len(batch))
            parts.append(_Games.of(batch, moves))
        return _Games.joined(parts)

    first = play((a, b))
    second = first if a is b else play((b, a))
    scores = np.stack([first.scores[:, 0], second.scores[:, 1]], axis=1)
    lengths = [
        np.stack([getattr(one, key) for one in (first, second)], axis=1)
        for key in ("turns", "decisions", "endings")
    ]
    moves = None
    if first.moves is not None and second.moves is not None:
        moves = np.stack(_padded([first.moves, second.moves]), axis=1)
    return Pairs(a.name, b.name, game.seats, deals, scores, *lengths, moves)


@dataclass(frozen=True)
class _Games:
    """Ended games: scores float64 (n, 2) by seat, turns and decisions int64 (n,), endings (n,).

    moves: int16 (n, longest), -1 after the last, or None.
    """

    scores: np.ndarray
    turns: np.ndarray
    decisions: np.ndarray
    endings: np.ndarray
    moves: np.ndarray | None

    @classmethod
    def of(cls, batch: Batch, moves: np.ndarray | None) -> _Games:
        scores = (1 + batch.rewards.astype(np.float64)) / 2
        endings = np.array(batch.game.endings)[batch.ending]
        turns, decisions = batch.turns.astype(np.int64), batch.decisions.astype(np.int64)
        return cls(scores, turns, decisions, endings, moves)

    @classmethod
    def joined(cls, parts: list[_Games]) -> _Games:
        keys = ("scores", "turns", "decisions", "endings")
        moves = [part.moves for part in parts if part.moves is not None]
        return cls(
            *(np.concatenate([getattr(part, key) for part in parts]) for key in keys),
            np.concatenate(_padded(moves)) if moves else None,
        )


def _padded(parts: list[np.ndarray]) -> list[np.ndarray]:
    """Bring moves (n, length) of several games to one length."""
    longest = max(part.shape[1] for part in parts)
    return [
        np.pad(part, ((0, 0), (0, longest - part.shape[1])), constant_values=NO_MOVE)
        for part in parts
    ]


def compiled_name(agent: Agent, game: Game) -> str | None:
    """Return the name under which the game plays this agent without asking it, or None."""
    if game.engine is None:
        return None
    name = agent.name if type(agent) is CompiledOpponent else COMPILED.get(type(agent))
    return name if name in game.engine.players else None


def game_seeds(seed: int, deals: np.ndarray) -> np.ndarray:
    """Return what the players of each deal draw from, int64 (n,): of seed and deal alone."""
    key = STREAMS.index("arena")
    drawn = [
        np.random.SeedSequence(seed, spawn_key=(key, deal)).generate_state(1, np.uint64)[0]
        for deal in deals.tolist()
    ]
    return (np.array(drawn, np.uint64) >> np.uint64(2)).astype(np.int64)


def _ask_to_the_end(
    batch: Batch, players: tuple[Agent, Agent], seed: int, first_deal: int, tell: Tell | None
) -> np.ndarray:
    """Play dealt games to their ends; each seat has its player and its stream.

    Returns the moves int16 (n, longest), -1 after the last of a game.
    """
    rngs = [stream(seed, "arena", first_deal, seat) for seat in (0, 1)]
    live = np.arange(len(batch))
    steps = []
    while live.size:
        to_move = batch.seat[live]
        actions = np.empty(len(live), np.int64)
        for seat, (agent, rng) in enumerate(zip(players, rngs, strict=True)):
            rows = np.flatnonzero(to_move == seat)
            if rows.size:
                actions[rows] = _answers(agent, batch.view(live[rows]), rng)
        batch.step(actions, live)
        steps.append(np.full(len(batch), NO_MOVE, np.int16))
        steps[-1][live] = actions
        still = live[~batch.over[live]]
        if tell is not None:
            tell(len(live) - len(still))
        live = still
    return np.stack(steps, axis=1) if steps else np.empty((len(batch), 0), np.int16)


def _answers(agent: Agent, view: View, rng: np.random.Generator) -> np.ndarray:
    actions = np.asarray(agent.act(view, rng))
    if actions.shape != (len(view),) or actions.dtype.kind not in "iu":
        raise ValueError(
            f"{agent.name}: must answer with {len(view)} whole numbers, one for each row, not with "
            f"shape {actions.shape} of {actions.dtype}"
        )
    return actions


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
    deals = ", ".join(sorted({str(result["deals"]) for result in results}))
    note = f"Score: wins and half the draws; {deals} deals, each played twice with seats swapped."
    return f"{lay_out(rows)}\n{note}"


def lay_out(rows: list[tuple[str, ...]]) -> str:
    """Put rows of words below each other in columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
    return "\n".join(lines)
