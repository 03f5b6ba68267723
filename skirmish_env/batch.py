"""Many games side by side behind numpy arrays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from skirmish_env.game import NEW_YORK, CardSet, Game, IllegalAction
from skirmish_env.views import View


def compiled_policy(game: Game, name: str) -> Callable[..., Any]:
    """Return a compiled policy of the game.

    Raises:
        ValueError: there is none of this name; says which there are.
    """
    if name not in game.policies:
        known = ", ".join(sorted(game.policies))
        raise ValueError(f"no compiled policy {name!r}; there are {known}")
    return game.policies[name]


class Batch:
    """N games of one card set. Index arguments name games; left out they mean all of them.

    Attributes:
        game, card_set, skip_forced: as given.
        states: structured array (N,) of the game's `state_dtype`: copying it copies the games.

    Every other array that comes out is the caller's own copy.
    """

    def __init__(
        self,
        size: int,
        *,
        card_set: str | Path | CardSet | None = None,
        rules: dict[str, Any] | None = None,
        skip_forced: bool = True,
        game: Game = NEW_YORK,
    ) -> None:
        if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < 1:
            raise ValueError(f"a batch holds 1 game or more, not {size!r}")
        self.game = game
        self.card_set = game.load(card_set, rules)
        self.skip_forced = bool(skip_forced)
        self.states = np.zeros(size, game.state_dtype)
        self.states["asked"] = self.states["winner"] = -1  # not dealt yet
        self._sets = np.zeros(size, np.int64)
        self._cards = self.card_set.record

    def __len__(self) -> int:
        return len(self.states)

    def _index(self, index: Any) -> np.ndarray:
        if index is None:
            return np.arange(len(self), dtype=np.int64)
        found = np.asarray(index)
        if found.dtype == bool:
            if found.shape != (len(self),):
                raise ValueError(f"a boolean index has shape ({len(self)},), not {found.shape}")
            return np.flatnonzero(found)
        if found.ndim != 1 or (len(found) and found.dtype.kind not in "iu"):
            raise ValueError("index: expected a one-dimensional array of whole numbers")
        found = found.astype(np.int64)
        if len(found) and not (found.min() >= 0 and found.max() < len(self)):
            raise ValueError(f"index: games are 0 to {len(self) - 1}, not {found.min()} to "
                             f"{found.max()}")  # fmt: skip
        return found

    def _each_once(self, index: Any) -> np.ndarray:
        games = self._index(index)
        if len(np.unique(games)) != len(games):
            raise ValueError("index: a game is meant twice")
        return games

    def _whole(self, values: Any, n: int, what: str) -> np.ndarray:
        found = np.asarray(values)
        if found.shape != (n,) or (n and found.dtype.kind not in "iu"):
            raise ValueError(
                f"{what}: expected {n} whole numbers, not shape {found.shape} of {found.dtype}"
            )
        return found.astype(np.int64)

    def _viewers(self, viewer: Any, index: np.ndarray) -> np.ndarray:
        if viewer is None:
            return np.maximum(self.states["asked"][index].astype(np.int64), 0)
        found = self._whole(viewer, len(index), "viewer")
        if len(found) and not (found.min() >= 0 and found.max() < len(self.game.seats)):
            raise ValueError(f"viewer: seats are 0 to {len(self.game.seats) - 1}")
        return found

    def deal(self, seeds: Any, index: Any = None) -> None:
        """Set games up from seeds (n,), each up to its first question.

        Raises:
            ValueError: a seed is negative or no whole number, or a game is meant twice.
        """
        games = self._each_once(index)
        numbers = self._whole(seeds, len(games), "seeds")
        if len(numbers) and numbers.min() < 0:
            raise ValueError(f"seeds: {numbers.min()} is negative")
        self.game.kernels.deal(
            self.states, self._cards, self._sets, games, numbers, int(self.skip_forced)
        )

    def step(self, actions: Any, index: Any = None) -> None:
        """Take one decision (n,) in each game meant, none twice.

        Raises:
            IllegalAction: names game, move and legal moves; no game has changed.
            ValueError: a game is meant twice, or shapes do not fit.
        """
        games = self._each_once(index)
        numbers = self.check(actions, games)
        self.game.kernels.step(self.states, self._cards, self._sets, games, numbers)

    def check(self, actions: Any, index: Any = None) -> np.ndarray:
        """Return actions (n,) as int64 where each is legal in its game.

        Raises:
            IllegalAction: names game, move and legal moves.
            ValueError: shapes do not fit.
        """
        games = self._index(index)
        numbers = self._whole(actions, len(games), "actions")
        wrong = self.game.kernels.first_illegal(self.states, games, numbers)
        if wrong >= 0:
            raise IllegalAction(self._complaint(int(games[wrong]), int(numbers[wrong])))
        return numbers

    def _complaint(self, i: int, action: int) -> str:
        g, moves = self.states[i], self.game.moves
        words = repr(moves[action]) if 0 <= action < len(moves) else f"action {action}"
        if g["asked"] < 0:
            return f"game {i}: {words}: the game is over or was never dealt"
        legal = ", ".join(moves[a] for a in g["options"][: g["option_count"]])
        return (
            f"game {i}: {words} is not legal for {self.game.seats[g['asked']]} "
            f"({self.game.questions[g['question']]}); legal: {legal}"
        )

    @property
    def seat(self) -> np.ndarray:
        """Seat to decide, int8 (N,); -1 when the game is over."""
        return self.states["asked"].copy()

    @property
    def over(self) -> np.ndarray:
        """Whether the game has ended, bool (N,)."""
        return self.states["ending"] != 0

    @property
    def rewards(self) -> np.ndarray:
        """Rewards by seat, float32 (N, seats): zero until the game is over."""
        out = np.zeros((len(self), len(self.game.seats)), np.float32)
        self.game.kernels.outcomes(self.states, self._index(None), out)
        return out

    @property
    def winner(self) -> np.ndarray:
        """Winning seat, int8 (N,); -1 for a draw or a running game."""
        return self.states["winner"].copy()

    @property
    def ending(self) -> np.ndarray:
        """Index into `game.endings`, int8 (N,); 0 while the game runs."""
        return self.states["ending"].copy()

    @property
    def turns(self) -> np.ndarray:
        """Turn number, int16 (N,)."""
        return self.states["turn"].copy()

    @property
    def marker(self) -> np.ndarray:
        """Victory marker, int16 (N,); positive towards seat 0's win."""
        return self.states["victory"].astype(np.int16)

    @property
    def decisions(self) -> np.ndarray:
        """Decisions so far, forced ones included, int32 (N,)."""
        return self.states["decisions"].copy()

    def observe(self, index: Any = None, viewer: Any = None) -> np.ndarray:
        """Observations float32 (n, D); the default viewer is the seat to decide, else seat 0."""
        games = self._index(index)
        out = np.empty((len(games), self.game.observation_size), np.float32)
        viewers = self._viewers(viewer, games)
        self.game.kernels.observe(self.states, self._cards, self._sets, games, viewers, out)
        return out

    def masks(self, index: Any = None, viewer: Any = None) -> np.ndarray:
        """Action masks int8 (n, A); all zero for a viewer who does not decide."""
        games = self._index(index)
        out = np.empty((len(games), self.game.action_count), np.int8)
        self.game.kernels.masks(self.states, games, self._viewers(viewer, games), out)
        return out

    def full(self, index: Any = None) -> np.ndarray:
        """Full-information vectors float32 (n, F), for critics only."""
        games = self._index(index)
        out = np.empty((len(games), self.game.full_observation_size), np.float32)
        self.game.kernels.full(self.states, self._cards, self._sets, games, out)
        return out

    def view(self, index: Any = None, viewer: Any = None) -> View:
        """Return what the viewers may know, as agents get it; later steps do not change it."""
        games = self._index(index)
        viewers = self._viewers(viewer, games)
        states, asked = self.states[games], self.states["asked"][games]

        def redeal(rows: np.ndarray, rng: np.random.Generator) -> Batch:
            guess = self._like(states[rows])
            seeds = rng.integers(0, 2**62, len(rows))
            self.game.kernels.redeal(guess.states, guess._cards, guess._sets, viewers[rows], seeds)
            return guess

        def policy(rows: np.ndarray, name: str, rng: np.random.Generator) -> np.ndarray:
            choose = compiled_policy(self.game, name)
            check_deciding(rows)
            out = np.empty(len(rows), np.int64)
            seeds = rng.integers(0, 2**62, len(rows))
            sets = np.zeros(len(states), np.int64)
            choose(states, self._cards, sets, rows, seeds, out)
            return out

        def check_deciding(rows: np.ndarray) -> None:
            if not np.array_equal(viewers[rows], asked[rows]):
                raise ValueError("a viewer in these rows is not the one to decide")

        return View(
            self.observe(games, viewers),
            self.masks(games, viewers),
            viewers.astype(np.int8),
            redeal,
            policy,
        )

    def _like(self, states: np.ndarray) -> Batch:
        """Make a batch of other games under the same card set."""
        other = Batch(1, card_set=self.card_set, skip_forced=self.skip_forced, game=self.game)
        other.states, other._sets = states.copy(), np.zeros(len(states), np.int64)
        return other
