"""Tree search over redealt games, one tree for all that a seat knows (docs/search.md)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.search.rows import SEEDS, generators, only_moves
from skirmish_env.game import NEW_YORK, Game
from skirmish_env.views import View

SIMULATIONS = 300
MOST_TREES = 256  # grown side by side
MOST_GAMES = 2048  # redealt games held at a time; with their trees some 10 MB
BETWEEN_LOOKS = 32  # simulations of a tree between two looks at the clock

Judge = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


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
    """Plays the move that most simulations began with; equal ones by mean outcome, then by lot.

    Args:
        simulations: for each decision; 300 if neither budget is given.
        seconds: for each decision, instead. How many simulations these are depends on the machine,
            so games repeat only where `simulations` are given.
        trees: independent trees for each decision, whose visits are added up. Threads share trees
            out among them; how many threads there are changes no result.
        judge: gives priors float32 (n, A) and values float32 (n,) of leaves to the seat that
            decides there, from observations (n, D) and masks (n, A). None: a compiled player
            plays on from leaves.
        name: how tables call it.
        game: whose search engine is used.
        settings: the engine's (`skirmish_env/new_york/search.py`).

    Attributes:
        settings: all that the engine goes by, what was left at its defaults too.

    Raises:
        ValueError: a budget or number of trees that is too small, both budgets, a game without
            search, or a setting that the engine refuses.
    """

    def __init__(
        self,
        simulations: int | None = None,
        *,
        seconds: float | None = None,
        trees: int = 4,
        judge: Judge | None = None,
        name: str = "search",
        game: Game = NEW_YORK,
        **settings: Any,
    ) -> None:
        if game.search is None:
            raise ValueError(f"game: {game.name!r} brings no search")
        if simulations is not None and seconds is not None:
            raise ValueError("simulations, seconds: one budget, not both")
        if simulations is not None and simulations < 1:
            raise ValueError(f"simulations: 1 or more, not {simulations}")
        if seconds is not None and not seconds > 0:
            raise ValueError(f"seconds: more than 0, not {seconds}")
        if trees < 1:
            raise ValueError(f"trees: 1 or more, not {trees}")
        self.name = name
        self.simulations = None if seconds else simulations or SIMULATIONS
        self.seconds = seconds
        self.trees = trees
        self.judge = judge
        self.game = game
        self.settings = settings
        self.settings = self._engine(1).settings  # refuses wrong ones now, not in the first game

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
            keys = lots[row].random(len(legal)), roots.values[n, legal], roots.visits[n, legal]
            chosen[row] = legal[np.lexsort(keys)[-1]]
        return chosen

    def look(self, view: View, rng: np.random.Generator) -> Roots:
        """Return what `act` rests on, in every row; rows with one legal move are searched, too.

        Raises:
            ValueError: a viewer is not the one to decide.
        """
        return self._search(view, np.arange(len(view)), generators(view, rng))

    def _engine(self, trees: int) -> Any:
        return self.game.search(trees, outside=self.judge is not None, **self.settings)

    def _search(self, view: View, rows: np.ndarray, lots: list[np.random.Generator]) -> Roots:
        size = max(1, MOST_TREES // self.trees)
        nothing = np.zeros((0, self.game.action_count))
        visits, values = [nothing.astype(np.int64)], [nothing]
        for at in range(0, len(rows), size):
            roots = self._grow(view, rows[at : at + size], lots)
            visits.append(roots.visits)
            values.append(roots.values)
        return Roots(np.concatenate(visits), np.concatenate(values))

    def _grow(self, view: View, rows: np.ndarray, lots: list[np.random.Generator]) -> Roots:
        """Grow the trees of these rows side by side."""
        engine = self._engine(len(rows) * self.trees)
        for number in self._rounds(len(rows)):
            self._simulate(view, rows, lots, engine, number)
        return self._roots(view.viewer[rows], engine)

    def _rounds(self, rows: int) -> Iterator[int]:
        """Yield how many simulations of each row come next, until the budget is used up.

        Where leaves are judged from outside, the first simulation of a tree does no more than
        judge its root: it comes on top.
        """
        most = max(1, MOST_GAMES // (rows * self.trees)) * self.trees
        left = self.trees if self.judge is not None else 0
        if self.simulations is not None:
            left += self.simulations
            while left > 0:
                yield min(most, left)
                left -= most
            return
        ends_at = time.monotonic() + self.seconds * rows
        yield self.trees + left
        while time.monotonic() < ends_at:
            yield min(most, BETWEEN_LOOKS * self.trees)

    def _simulate(
        self,
        view: View,
        rows: np.ndarray,
        lots: list[np.random.Generator],
        engine: Any,
        number: int,
    ) -> None:
        """Run so many simulations of each row: the i-th in tree i modulo the number of trees."""
        of_tree = np.arange(number) % self.trees
        order = np.argsort(of_tree, kind="stable")
        seeds = np.concatenate([lots[row].integers(SEEDS, size=number)[order] for row in rows])
        guesses = view.redeal(seeds, np.repeat(rows, number))
        counts = np.tile(np.bincount(of_tree, minlength=self.trees), len(rows))
        cards = np.concatenate([one.record for one in guesses.card_sets])
        engine.run(guesses.states, cards, guesses.set_of_game, seeds, counts, self.judge)

    def _roots(self, seats: np.ndarray, engine: Any) -> Roots:
        """Add up the trees of each row; `seats` (n,) decide there."""
        shape = (len(seats), self.trees, self.game.action_count)
        visits, worth = engine.roots()
        visits = visits.reshape(shape).sum(axis=1)
        worth = worth.reshape(*shape, -1).sum(axis=1)[np.arange(len(seats)), :, seats]
        return Roots(visits, worth / np.maximum(visits, 1))


class ISMCTS(TreeSearch):
    """Information-set Monte Carlo tree search with the expert as prior, playout and forecast.

    Args:
        simulations, seconds, trees, settings: as in `TreeSearch`.
        turns: how many turns the expert plays on from a leaf until the forecast decides; None: to
            the end of the game.
        sharpness: how much the expert's opinion counts as prior; 0: not at all.
    """

    def __init__(
        self,
        simulations: int | None = None,
        *,
        seconds: float | None = None,
        trees: int = 4,
        turns: int | None = 2,
        sharpness: float = 4.0,
        **settings: Any,
    ) -> None:
        super().__init__(
            simulations, seconds=seconds, trees=trees, name="ismcts", turns=turns,
            sharpness=sharpness, **settings,
        )  # fmt: skip
