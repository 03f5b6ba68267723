"""Flat Monte Carlo search: every legal move is played out often, and the best mean wins."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from agents.search.rows import SEEDS, best, generators, only_moves
from skirmish_env.views import View

TOGETHER = 16_384  # games held at a time, about 20 MB; one decision may need more


class FlatMonteCarlo:
    """Plays the move whose playouts end best.

    For a decision with more than one legal move, the hidden cards are dealt anew `playouts` times
    (`View.redeal`). Every legal move is tried in each of these same deals, once, and both seats go
    on with `players` to the end of the game. The move with the highest mean reward of the seat
    that decides is played; equal ones draw lots. With the defaults this is `mc100`, a yardstick:
    100 uniformly random playouts for each move, and nothing else.

    Args:
        playouts: for each legal move.
        players: the compiled player of both seats in playouts, as in `Batch.playout`.

    Raises:
        ValueError: no playouts.
    """

    def __init__(self, playouts: int = 100, players: str = "random") -> None:
        if playouts < 1:
            raise ValueError(f"playouts: 1 or more, not {playouts}")
        self.playouts = playouts
        self.players = players
        self.name = f"mc{playouts}" if players == "random" else f"mc{playouts}-{players}"

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """Choose one legal action in every row, int64 (n,).

        Raises:
            ValueError: a viewer is not the one to decide, or no such compiled player.
        """
        lots = generators(view, rng)
        chosen, open_rows = only_moves(view)
        for rows in self._chunks(view, open_rows):
            for row, (actions, totals) in zip(rows, self._totals(view, rows, lots), strict=True):
                chosen[row] = actions[best(totals, lots[row])]
        return chosen

    def _chunks(self, view: View, rows: np.ndarray) -> Iterator[list[int]]:
        """Yield rows whose playouts fit into memory together."""
        together: list[int] = []
        size = 0
        for row in rows.tolist():
            games = self.playouts * int(view.mask[row].sum())
            if together and size + games > TOGETHER:
                yield together
                together, size = [], 0
            together.append(row)
            size += games
        if together:
            yield together

    def _totals(
        self, view: View, rows: list[int], lots: list[np.random.Generator]
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return, for each of these rows, its legal actions and the sum of rewards of each."""
        n = self.playouts
        options = [np.flatnonzero(view.mask[row]) for row in rows]
        deals = [lots[row].integers(SEEDS, size=n) for row in rows]
        seeds = [
            lots[row].integers(SEEDS, size=n * len(o)) for row, o in zip(rows, options, strict=True)
        ]
        guesses = view.redeal(np.concatenate(deals), np.repeat(rows, n))
        tried = [at * n + np.tile(np.arange(n), len(o)) for at, o in enumerate(options)]
        games = guesses.copy(np.concatenate(tried))
        games.step(np.concatenate([np.repeat(o, n) for o in options]))
        rewards = games.playout(np.concatenate(seeds), self.players)
        seats = np.repeat(view.viewer[rows], [len(t) for t in tried])
        own = rewards[np.arange(len(games)), seats]
        ends = np.cumsum([len(t) for t in tried])[:-1]
        return [
            (o, outcomes.reshape(len(o), n).sum(axis=1))
            for o, outcomes in zip(options, np.split(own, ends), strict=True)
        ]
