"""Many games side by side behind numpy arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


def load_each(
    game: Game, card_set: Any, rules: Any, size: int
) -> tuple[tuple[CardSet, ...], np.ndarray]:
    """Load one card set for all games, or one for each; return those in use, and whose is which.

    Args:
        card_set, rules: as `game.load` takes them, or a list or tuple of `size` such values.

    Returns:
        The different card sets (S,), and int64 (size,): the number of each game's.

    Raises:
        ValueError: a list of another length, or a card set that does not load: of which game.
    """
    if not isinstance(card_set, (list, tuple)) and not isinstance(rules, (list, tuple)):
        return (game.load(card_set, rules),), np.zeros(size, np.int64)
    columns = []
    for name, values in (("card_set", card_set), ("rules", rules)):
        if not isinstance(values, (list, tuple)):
            values = [values] * size
        if len(values) != size:
            raise ValueError(f"{name}: one for each of {size} games, not {len(values)}")
        columns.append(values)
    numbers: dict[Any, int] = {}
    loaded: list[CardSet] = []
    sets = np.zeros(size, np.int64)
    for i, (one, options) in enumerate(zip(*columns, strict=True)):
        if not isinstance(options, (dict, type(None))):
            raise ValueError(f"rules of game {i}: a dictionary or None, not {options!r}")
        which = id(one) if isinstance(one, CardSet) else one and str(one)
        key = which, repr(sorted((options or {}).items()))
        if key not in numbers:
            numbers[key] = len(loaded)
            try:
                loaded.append(game.load(one, options))
            except ValueError as error:
                raise ValueError(f"card set of game {i}: {error}") from error
        sets[i] = numbers[key]
    return tuple(loaded), sets


class Batch:
    """N games side by side. Index arguments name games; left out they mean all of them.

    Args:
        size: N.
        card_set, rules: as in `Table.new`; or a list of N, one for each game.
        skip_forced: answer questions with one legal answer without asking.
        game: the game to play.

    Attributes:
        game, skip_forced: as given.
        card_sets: the different card sets; `set_of_game` int64 (N,) numbers each game's. A copy
            of some games has them all.
        states: structured array (N,) of the game's `state_dtype`: copying it copies the games.

    Every other array that comes out is the caller's own copy.
    """

    def __init__(
        self,
        size: int,
        *,
        card_set: str | Path | CardSet | list[Any] | tuple[Any, ...] | None = None,
        rules: dict[str, Any] | list[Any] | tuple[Any, ...] | None = None,
        skip_forced: bool = True,
        game: Game = NEW_YORK,
    ) -> None:
        if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < 1:
            raise ValueError(f"a batch holds 1 game or more, not {size!r}")
        card_sets, sets = load_each(game, card_set, rules, int(size))
        states = np.zeros(size, game.state_dtype)
        states["asked"] = states["winner"] = -1  # not dealt yet
        self._hold(states, card_sets, sets, bool(skip_forced), game)

    def _hold(
        self,
        states: np.ndarray,
        card_sets: tuple[CardSet, ...],
        sets: np.ndarray,
        skip_forced: bool,
        game: Game,
    ) -> None:
        self.game = game
        self.skip_forced = skip_forced
        self.card_sets = card_sets
        self._sets = sets
        self.states = states
        only = len(card_sets) == 1
        self._cards = card_sets[0].record if only else np.concatenate(
            [one.record for one in card_sets]
        )
        self._engine: Any = None

    @property
    def card_set(self) -> CardSet:
        """The card set of all games; ValueError where they differ."""
        if (self._sets != self._sets[0]).any():
            raise ValueError("card_set: these games differ in it; see card_sets and set_of_game")
        return self.card_sets[self._sets[0]]

    @property
    def set_of_game(self) -> np.ndarray:
        """Number of each game's card set in `card_sets`, int64 (N,)."""
        return self._sets.copy()

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
        if found.dtype.kind == "u" and n and found.max() > np.iinfo(np.int64).max:
            raise ValueError(f"{what}: {found.max()} is above 2**63 - 1")
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
        numbers = self._seeds(seeds, len(games))
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

    def stride(self, actions: Any, index: Any = None) -> None:
        """Go on by the smallest step of the rules in each game meant, none twice.

        Where a question is open, forced ones too, its decision (n,) is taken first; elsewhere the
        action does not count. Games go the way that `step` takes them, and stop on it wherever an
        attack or a phase begins, so that everything can be watched.

        Raises:
            IllegalAction: names game, move and legal moves; no game has changed.
            ValueError: a game is meant twice, is over or was never dealt, shapes do not fit, or
                the game brings no such kernel.
        """
        if self.game.kernels.stride is None:
            raise ValueError(f"stride: the game {self.game.name!r} brings no kernel for it")
        games = self._each_once(index)
        numbers = self._whole(actions, len(games), "actions")
        resting = (self.states["ending"][games] != 0) | (self.states["turn"][games] == 0)
        if resting.any():
            raise ValueError(f"stride: game {games[resting][0]} is over or was never dealt")
        asking = self.states["asked"][games] >= 0
        self.check(numbers[asking], games[asking])
        self.game.kernels.stride(self.states, self._cards, self._sets, games, numbers)

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

    @property
    def states(self) -> np.ndarray:
        """Records (N,) of the game's `state_dtype`; others of the same shape may take their place.

        Raises:
            ValueError: on assignment of an array of another length or dtype.
        """
        return self._states

    @states.setter
    def states(self, records: np.ndarray) -> None:
        if records.shape != self._sets.shape or records.dtype != self.game.state_dtype:
            raise ValueError(
                f"states: {len(self._sets)} records of this game, not shape {records.shape} of "
                f"{records.dtype}"
            )
        self._states = np.ascontiguousarray(records)

    # -----------------------------------------------------------------------------------------
    # What search needs: games copied, dealt again, played out, as bytes.

    def _rows(self, games: np.ndarray) -> np.ndarray:
        """Copy records: as plain bytes, which is many times as fast as field by field."""
        size = self.states.dtype.itemsize
        return self.states.view(f"V{size}")[games].view(self.states.dtype)

    def copy(self, index: Any = None) -> Batch:
        """Return a batch of copies; `index` may name a game several times."""
        games = self._index(index)
        other = Batch.__new__(type(self))
        other._hold(
            self._rows(games), self.card_sets, self._sets[games], self.skip_forced, self.game
        )
        return other

    def redeal(self, seeds: Any, index: Any = None, viewer: Any = None) -> None:
        """Deal anew, in place, all that each viewer (n,) cannot know, from seeds (n,).

        The default viewer is the seat to decide. `View.redeal` says what stays.

        Raises:
            ValueError: a seed is negative or no whole number, or a game is meant twice.
        """
        games = self._each_once(index)
        numbers = self._seeds(seeds, len(games))
        viewers = self._viewers(viewer, games)
        self.game.kernels.redeal(self.states, self._cards, self._sets, games, viewers, numbers)

    def playout(
        self, seeds: Any, players: Sequence[str] | str = "random", index: Any = None
    ) -> np.ndarray:
        """Play games to their ends, in place, and return their rewards by seat float32 (n, seats).

        One compiled call on all threads: later processes must be spawned, not forked. What happens
        in a game depends on its record, its rules and its seed alone.

        Args:
            seeds: whole numbers (n,) from 0, which the players of each game draw from.
            players: name of a compiled player ("random", "heuristic", "expert"), or one for each
                seat.

        Raises:
            ValueError: a name or seed that does not exist, a game meant twice or never dealt.
        """
        games, numbers, names = self._compiled("playout", seeds, players, index)
        return self._engine.play_out(games, numbers, names)

    def players(
        self, seeds: Any, players: Sequence[str] | str = "random", index: Any = None
    ) -> Callable[[Any], np.ndarray]:
        """Return the players of `playout`, who say what they would do and do not do it.

        The function that comes back takes an index of games and returns the actions int64 (m,) of
        the players to decide there. A game comes out as `playout` plays it, and can be watched on
        the way, where each decision of two or more options is asked for once and taken. Only the
        function asked for last knows its players.

        Args:
            seeds, players, index: as in `playout`.

        Raises:
            ValueError: as `playout`; the function, for a game that was not in `index` or is over.
        """
        games, numbers, names = self._compiled("players", seeds, players, index)
        engine = self._engine
        engine.seat_players(games, numbers, names)

        def answers(of: Any = None) -> np.ndarray:
            rows = self._each_once(of)
            if engine.states is not self.states or not np.isin(rows, games).all():
                raise ValueError("players: these games were not given to them")
            if (self.states["asked"][rows] < 0).any():
                raise ValueError("players: one of these games asks nobody")
            return engine.answers(rows)

        return answers

    def _compiled(
        self, what: str, seeds: Any, players: Any, index: Any
    ) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
        """Check what compiled players need, and have their engine ready."""
        if self.game.engine is None:
            raise ValueError(f"{what}: the game {self.game.name!r} brings no compiled engine")
        games = self._each_once(index)
        numbers = self._seeds(seeds, len(games))
        names = self._players(players)
        undealt = (self.states["asked"][games] < 0) & (self.states["ending"][games] == 0)
        if undealt.any():
            raise ValueError(f"{what}: game {games[undealt][0]} was never dealt")
        if self._engine is None or self._engine.states is not self.states:
            self._engine = self.game.engine(self.states, self._cards, self._sets)
        return games, numbers, names

    def _players(self, players: Any) -> tuple[str, ...]:
        seats, known = len(self.game.seats), self.game.engine.players
        if isinstance(players, str):
            players = (players,) * seats
        if (
            not isinstance(players, (list, tuple))
            or len(players) != seats
            or not all(isinstance(name, str) and name in known for name in players)
        ):
            raise ValueError(
                f"players: one of {', '.join(known)} for each of {seats} seats, not {players!r}"
            )
        return tuple(players)

    def pack(self, i: int) -> bytes:
        """Return a game as bytes, for `unpack` under the same version and card set."""
        if not 0 <= i < len(self.states):
            self._no_game(i)
        return self.states[i : i + 1].tobytes()

    def unpack(self, i: int, data: bytes) -> None:
        """Put a game in place i, from the bytes that `pack` gave. They are trusted like code.

        Raises:
            ValueError: no such place, or bytes of another length.
        """
        if not 0 <= i < len(self):
            self._no_game(i)
        if len(data) != self.states.dtype.itemsize:
            raise ValueError(
                f"unpack: {len(data)} bytes; a record has {self.states.dtype.itemsize}"
            )
        self.states[i : i + 1] = np.frombuffer(data, self.states.dtype)

    def _no_game(self, i: int) -> None:
        raise ValueError(f"games are 0 to {len(self) - 1}, not {i}")

    def _seeds(self, seeds: Any, n: int) -> np.ndarray:
        numbers = self._whole(seeds, n, "seeds")
        if n and numbers.min() < 0:
            raise ValueError(f"seeds: {numbers.min()} is negative")
        return numbers

    def view(self, index: Any = None, viewer: Any = None) -> View:
        """Return what the viewers may know, as agents get it; later steps do not change it."""
        games = self._index(index)
        viewers = self._viewers(viewer, games)
        kept = self.copy(games)
        asked = kept.seat

        def redeal(rows: np.ndarray, seeds: np.ndarray) -> Batch:
            guess = kept.copy(rows)
            guess.redeal(seeds, viewer=viewers[rows])
            return guess

        def policy(rows: np.ndarray, name: str, rng: np.random.Generator) -> np.ndarray:
            choose = compiled_policy(self.game, name)
            if not np.array_equal(viewers[rows], asked[rows]):
                raise ValueError("a viewer in these rows is not the one to decide")
            out = np.empty(len(rows), np.int64)
            seeds = rng.integers(0, 2**62, len(rows))
            choose(kept.states, kept._cards, kept._sets, rows, seeds, out)
            return out

        return View(
            kept.observe(viewer=viewers),
            kept.masks(viewer=viewers),
            viewers.astype(np.int8),
            redeal,
            policy,
        )
