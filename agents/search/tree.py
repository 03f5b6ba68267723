"""Tree search over redealt games: one tree for what the seat that decides knows (docs/search.md)."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.search.rows import SEEDS, generators, only_moves
from skirmish_env.game import NEW_YORK, Game
from skirmish_env.views import View

MOST_TREES = 256  # grown side by side
MOST_GAMES = 8192  # redealt games held at a time, about 10 MB


@dataclass(frozen=True)
class Roots:
    """What simulations found out about the moves of n decisions.

    Attributes:
        visits: int64 (n, A), simulations that began with each move.
        values: float64 (n, A), their mean outcome to the seat that decides, -1 to 1; 0 unvisited.
    """

    visits: np.ndarray
    values: np.ndarray


class TreeSearch:
    """Plays the move that most simulations chose.

    Args:
        simulations: for each decision.
        seconds: for each decision instead; how many simulations fit in depends on the machine.
        trees: independent trees for each decision, whose visits are added up. Any number of
            threads up to rows times trees is of use, and none changes a result.
        game: whose search engine is used.
        name: how tables call it.
        settings: the engine's, as in `skirmish_env/new_york/search.py`.

    Raises:
        ValueError: a budget or number of trees below 1, both budgets, or a game without search.
    """

    def __init__(
        self,
        simulations: int | None = None,
        *,
        seconds: float | None = None,
        trees: int = 4,
        game: Game = NEW_YORK,
        name: str = "ismcts",
        **settings: Any,
    ) -> None:
        self.name = name
        self.simulations = 1000 if simulations is None else simulations
        self.seconds = seconds
        self.trees = trees
        self.game = game
        self.settings = settings

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """Choose one legal action in every row, int64 (n,).

        Raises:
            ValueError: a viewer is not the one to decide.
        """
        lots = generators(view, rng)
        chosen, rows = only_moves(view)
        roots = self._search(view, rows, lots)
        for n, row in enumerate(rows):
            legal = np.flatnonzero(view.mask[row])
            visits, values = roots.visits[n, legal], roots.values[n, legal]
            order = np.lexsort((lots[row].random(len(legal)), values, visits))
            chosen[row] = legal[order[-1]]
        return chosen

    def look(self, view: View, rng: np.random.Generator) -> Roots:
        """Return what the search finds in every row, one legal move or more."""
        lots = generators(view, rng)
        return self._search(view, np.arange(len(view)), lots)

    def _search(self, view: View, rows: np.ndarray, lots: list[np.random.Generator]) -> Roots:
        at_once = max(1, MOST_TREES // self.trees)
        parts = [
            self._grow(view, rows[at : at + at_once], lots) for at in range(0, len(rows), at_once)
        ]
        empty = np.zeros((0, self.game.action_count))
        return Roots(
            np.concatenate([part.visits for part in parts] or [empty.astype(np.int64)]),
            np.concatenate([part.values for part in parts] or [empty]),
        )

    def _grow(self, view: View, rows: np.ndarray, lots: list[np.random.Generator]) -> Roots:
        trees = self.trees
        search = self.game.search(len(rows) * trees, **self.settings)
        most = max(1, MOST_GAMES // (len(rows) * trees)) * trees
        ends_at = None if self.seconds is None else time.monotonic() + self.seconds * len(rows)
        done = 0
        while True:
            if ends_at is None:
                now = min(most, self.simulations - done)
            else:
                now = min(most, 32 * trees)
            if now <= 0 or (ends_at is not None and done and time.monotonic() > ends_at):
                break
            self._simulate(view, rows, lots, search, now)
            done += now
        return self._roots(view, rows, search)

    def _simulate(self, view, rows, lots, search, number):
        """Run so many simulations for each row, the i-th in tree i modulo the number of trees."""
        of_tree = np.arange(number) % self.trees
        order = np.argsort(of_tree, kind="stable")
        seeds = np.stack([lots[row].integers(SEEDS, size=number)[order] for row in rows])
        guesses = view.redeal(seeds.ravel(), np.repeat(rows, number))
        counts = np.tile(np.bincount(of_tree, minlength=self.trees), len(rows))
        ends = np.cumsum(counts)
        cards = np.concatenate([one.record for one in guesses.card_sets])
        search.run(
            guesses.states, cards, guesses.set_of_game, seeds.ravel(), ends - counts, ends
        )

    def _roots(self, view: View, rows: np.ndarray, search: Any) -> Roots:
        shape = (len(rows), self.trees, self.game.action_count)
        visits, values = search.roots()
        visits, values = visits.reshape(shape).sum(axis=1), values.reshape(*shape, -1).sum(axis=1)
        own = np.take_along_axis(values, view.viewer[rows].astype(int)[:, None, None], 2)[:, :, 0]
        return Roots(visits, own / np.maximum(visits, 1))


class ISMCTS(TreeSearch):
    """Information-set Monte Carlo tree search."""
