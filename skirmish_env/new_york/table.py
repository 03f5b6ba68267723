"""The Table: one game in words, for people, tests and scripts."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np

from skirmish_env.common import replay as replays
from skirmish_env.new_york import ids, notation
from skirmish_env.new_york import rules as _rules
from skirmish_env.new_york.actions import MOVES, IllegalAction, move_to_action
from skirmish_env.new_york.cards import CardSet, load
from skirmish_env.new_york.draw import board_text
from skirmish_env.new_york.state import STATE, copied

RULES_VERSION = "1"
BYTES_TAG = f"skirmish-new-york-{RULES_VERSION}:".encode()
ONE_SET = np.zeros(1, np.int64)


def checked_seed(seed: Any) -> int:
    """Return a seed as an int; 0 is a seed like any other."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**63:
        raise ValueError(f"a seed is a whole number from 0 to 2**63 - 1, not {seed!r}")
    return int(seed)


class Table:
    """One game: read it and play it in the words of docs/notation.md.

    Build it with `Table.new`, `Table.from_position` or `Table.replay`.
    """

    def __init__(
        self,
        states: np.ndarray,
        card_set: CardSet,
        skip_forced: bool,
        start: notation.Position | None,
    ) -> None:
        self._states = states
        self._card_set = card_set
        self._skip_forced = bool(skip_forced)
        self._start = start
        self._log: list[str] = []

    @classmethod
    def new(
        cls,
        seed: int = 0,
        skip_forced: bool = False,
        card_set: str | Path | CardSet | None = None,
        rules: dict[str, Any] | None = None,
    ) -> Table:
        """Set a new game up; the same seed deals the same game everywhere."""
        cards = load(card_set, rules)
        states = np.zeros(1, STATE)
        _rules.new_game(states, 0, cards.record, ONE_SET, checked_seed(seed), 0)
        table = cls(states, cards, skip_forced, notation.describe(states, 0, cards))
        table._skip()
        return table

    @classmethod
    def from_position(
        cls,
        position: notation.Position,
        seed: int = 0,
        skip_forced: bool = False,
        card_set: str | Path | CardSet | None = None,
        rules: dict[str, Any] | None = None,
    ) -> Table:
        """Start from a position; left-out decks and stacks are shuffled by `seed`.

        Raises:
            ValueError: the position cannot be; says what and where.
        """
        cards = load(card_set, rules)
        states = notation.build(position, cards, checked_seed(seed))
        table = cls(states, cards, skip_forced, notation.describe(states, 0, cards))
        _rules.start(states, 0, cards.record, ONE_SET)
        table._skip()
        return table

    @property
    def to_move(self) -> str | None:
        """Side that must decide; None when the game is over."""
        asked = int(self._states[0].asked)
        return ids.SIDES[asked] if asked >= 0 else None

    @property
    def question(self) -> str | None:
        """What is asked (`ids.QUESTIONS`); None when the game is over."""
        return ids.QUESTIONS[self._states[0].question] or None

    @property
    def question_source(self) -> str | None:
        """Card or artifact that asks; None where the phase itself does."""
        source = int(self._states[0].source)
        if source < 0:
            return None
        return (*self._card_set.ids, *ids.ARTIFACT_IDS)[source]

    @property
    def winner(self) -> str | None:
        """"villains", "heroes" or "draw"; None while the game runs."""
        g = self._states[0]
        if g.phase != ids.OVER:
            return None
        return ids.SIDES[g.winner] if g.winner >= 0 else "draw"

    @property
    def ending(self) -> str | None:
        """"victory", "civilians" or "deck"; None while the game runs."""
        return ids.ENDINGS[self._states[0].ending] or None

    @property
    def log(self) -> list[str]:
        """The moves so far, forced ones included."""
        return list(self._log)

    @property
    def card_set(self) -> CardSet:
        """The card set and rules options of this game."""
        return self._card_set

    @property
    def states(self) -> np.ndarray:
        """A copy of the record: array of length 1, dtype `state.STATE`."""
        return copied(self._states)

    def legal(self) -> list[str]:
        """Legal moves in action-id order; empty when the game is over."""
        g = self._states[0]
        return [MOVES[a] for a in g.options[: g.option_count]]

    def play(self, *moves: str) -> Table:
        """Play moves in order, all of them or none.

        Raises:
            IllegalAction: names the first move that is not legal, and those that are.
        """
        kept, length = self._states.tobytes(), len(self._log)
        try:
            for move in moves:
                self._play_one(move)
        except BaseException:
            self._states = np.frombuffer(bytearray(kept), STATE)
            del self._log[length:]
            raise
        return self

    def _play_one(self, move: str) -> None:
        try:
            self._answer(move_to_action(move))
        except ValueError:  # the rules themselves refuse: looking first would cost as much again
            if isinstance(move, str) and move in self.legal():
                raise
            self._refuse(move)
        self._skip()

    def _refuse(self, move: str) -> None:
        """Say why a move is not legal.

        Raises:
            IllegalAction: always.
        """
        if self.winner is not None:
            raise IllegalAction(f"{move!r}: the game is over") from None
        move_to_action(move)
        raise IllegalAction(
            f"{move!r} is not legal for {self.to_move} ({self.question}); "
            f"legal: {', '.join(self.legal())}"
        ) from None

    def _answer(self, action: int) -> None:
        _rules.step(self._states, 0, self._card_set.record, ONE_SET, action)
        self._log.append(MOVES[action])

    def _skip(self) -> None:
        """Answer questions with one legal move, where the table was told to."""
        while self._skip_forced and self._states[0].option_count == 1:
            self._answer(int(self._states[0].options[0]))

    def position(self, viewer: str | None = None) -> notation.Position:
        """Describe the position; with `viewer`, only what that side may know."""
        return notation.describe(self._states, 0, self._card_set, _seat(viewer))

    def clone(self) -> Table:
        """Make an independent copy, in any moment of the game."""
        twin = Table(copied(self._states), self._card_set, self._skip_forced, self._start)
        twin._log = list(self._log)
        return twin

    def __copy__(self) -> Table:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        return self.clone()

    def to_bytes(self) -> bytes:
        """Return the record as bytes; `Table.from_bytes` brings it back in mid-effect too."""
        return BYTES_TAG + self._states.tobytes()

    @classmethod
    def from_bytes(
        cls,
        data: bytes,
        skip_forced: bool = False,
        card_set: str | Path | CardSet | None = None,
        rules: dict[str, Any] | None = None,
    ) -> Table:
        """Rebuild a game from `to_bytes`; its log starts empty and it saves no replay.

        Raises:
            ValueError: the bytes are not one record of this version.
        """
        if len(data) != len(BYTES_TAG) + STATE.itemsize or not data.startswith(BYTES_TAG):
            raise ValueError(f"these bytes are no game of rules version {RULES_VERSION}")
        states = np.frombuffer(bytearray(data[len(BYTES_TAG) :]), STATE)
        states["skip_forced"] = 0
        return cls(states, load(card_set, rules), skip_forced, None)

    def text(self, viewer: str | None = None) -> str:
        """Draw the board as text; with `viewer`, only what that side may know."""
        return board_text(self.position(viewer), self._card_set, self.question)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Table turn {self._states[0].turn}, {self.to_move} to move, {self.question}>"

    # -----------------------------------------------------------------------------------------
    # Replays.

    def replay_data(self, viewer: str | None = None) -> dict[str, Any]:
        """Return the game so far as a JSON-safe replay.

        With `viewer` and the game not over: only what that side saw, so it cannot be replayed.

        Raises:
            ValueError: the game was rebuilt from bytes, so its start cannot be put into words.
        """
        if self._start is None:
            raise ValueError("a game rebuilt from bytes has no start in words: no replay")
        over = self.winner is not None
        partial = viewer is not None and not over
        start = copy.deepcopy(self._start)
        if partial:
            built = notation.build(self._start, self._card_set)
            start = notation.describe(built, 0, self._card_set, _seat(viewer))
        return _replay(
            self._card_set,
            viewer if partial else None,
            start,
            self.log,
            {"winner": self.winner, "ending": self.ending} if over else None,
        )

    def save(self, path: str | Path, viewer: str | None = None) -> None:
        """Write a replay file (see `replay_data`)."""
        replays.write(path, self.replay_data(viewer))

    @classmethod
    def replay(
        cls, file: str | Path | dict[str, Any], card_set: str | Path | CardSet | None = None
    ) -> Table:
        """Play a replay file again, checking every move and the result.

        Raises:
            ValueError: another game, rules version or card set (named), a viewer's partial
                replay, or a game that comes out differently.
        """
        data = replays.read(file)
        if data["game"] != "new_york":
            raise ValueError(f"a replay of {data['game']!r}; this table plays 'new_york'")
        if data["rules_version"] != RULES_VERSION:
            raise ValueError(
                f"a replay of rules version {data['rules_version']!r}; this is {RULES_VERSION!r}"
            )
        if data["viewer"] is not None:
            raise ValueError(
                f"a replay as {data['viewer']} saw a running game: hidden cards are not in it"
            )
        cards = _matching_set(data, card_set)
        table = cls.from_position(data["start"], card_set=cards)
        for number, move in enumerate(data["moves"]):
            try:
                table.play(move)
            except IllegalAction as error:
                raise ValueError(f"replay: move {number + 1}: {error}") from error
        result = data["result"]
        if result is not None and result != {"winner": table.winner, "ending": table.ending}:
            raise ValueError(f"replay: ends with {table.winner!r}, the file says {result!r}")
        return table


def _replay(
    card_set: CardSet,
    viewer: str | None,
    start: notation.Position,
    moves: list[str],
    result: dict[str, str | None] | None,
) -> dict[str, Any]:
    return {
        "format": replays.FORMAT,
        "format_version": replays.FORMAT_VERSION,
        "game": "new_york",
        "rules_version": RULES_VERSION,
        "card_set": {
            "name": card_set.name,
            "version": card_set.version,
            "hash": card_set.hash,
        },
        "rules": dict(card_set.rules),
        "viewer": viewer,
        "start": start,
        "moves": moves,
        "result": result,
    }


def replay_of(start: notation.Position, actions: list[int], card_set: CardSet) -> dict[str, Any]:
    """Return the replay of a game that was not played to its end: a start and action ids."""
    return _replay(card_set, None, start, [MOVES[action] for action in actions], None)


def _matching_set(data: dict[str, Any], card_set: str | Path | CardSet | None) -> CardSet:
    wanted = data["card_set"]
    source = card_set if card_set is not None else wanted["name"]
    cards = source if isinstance(source, CardSet) else load(source, data["rules"])
    found = {"name": cards.name, "version": cards.version, "hash": cards.hash}
    if found != wanted:
        raise ValueError(
            f"a replay of card set {wanted['name']!r} version {wanted['version']} "
            f"({wanted['hash']}); here is {found['name']!r} version {found['version']} "
            f"({found['hash']})"
        )
    if cards.rules != data["rules"]:
        raise ValueError(f"a replay with rules options {data['rules']}; here are {cards.rules}")
    return cards


def _seat(viewer: str | None) -> int | None:
    if viewer is None:
        return None
    if viewer not in ids.SIDES:
        raise ValueError(f"viewer must be 'villains' or 'heroes', not {viewer!r}")
    return ids.SIDES.index(viewer)

