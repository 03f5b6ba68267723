"""The tree of the game itself, grown from the rules core through its common interface.

Chance deals once, at the root; after that a game follows from its decisions. What a seat knows at
a node is the sequence of all it could see since the start: its knowledge (`game.checks.known_each`)
after every decision of either seat, and its own answers. So nobody forgets anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from experiments.exact.deals import every_deal
from experiments.exact.tree import CHANCE, OVER, Tree, make_tree
from skirmish_env.batch import Batch
from skirmish_env.game import CardSet, Game

MOST_NODES = 5_000_000
DIGEST = 16  # bytes


@dataclass(frozen=True, eq=False)
class GameTree:
    """A game's tree, with one game for each information set.

    Attributes:
        tree: the nodes; labels are action ids.
        games: Batch (m,): game i is some node of information set i.
        forced: questions with one answer, which are no nodes.
    """

    tree: Tree
    games: Batch
    forced: int


@dataclass
class _Front:
    """Nodes whose games are at hand: row by row parent, action, chance and what both seats saw."""

    games: Batch
    parent: np.ndarray
    label: np.ndarray
    chance: np.ndarray
    seen: np.ndarray  # uint8 (n, 2, DIGEST)

    def rows(self, rows: np.ndarray) -> _Front:
        return _Front(
            self.games.copy(rows),
            self.parent[rows],
            self.label[rows],
            self.chance[rows],
            self.seen[rows],
        )


def grow(game: Game, card_set: CardSet) -> GameTree:
    """Grow the whole tree of a card set.

    Raises:
        ValueError: it has too many deals or nodes to be solved.
    """
    return _Grower(game, card_set).grow()


class _Grower:
    def __init__(self, game: Game, card_set: CardSet) -> None:
        self.game = game
        self.card_set = card_set
        self.nodes = 1
        self.forced = 0
        self.columns: dict[str, list[np.ndarray]] = {
            name: [] for name in ("parent", "seat", "label", "chance", "payoff", "level")
        }
        self.keys: list[bytes] = [b""]
        self.examples: dict[bytes, np.ndarray] = {}
        self.waiting: dict[int, list[_Front]] = {}

    def grow(self) -> GameTree:
        self._write(-1, CHANCE, 0, 1.0, 0.0, -1)
        deals, chances = every_deal(self.game, self.card_set)
        n = len(deals)
        start = _Front(
            deals, np.zeros(n, np.int64), np.zeros(n, np.int64), chances,
            np.zeros((n, 2, DIGEST), np.uint8),
        )  # fmt: skip
        self._arrive(start, np.full(n, -1), np.zeros(n, np.int64))
        while self.waiting:
            for front in self.waiting.pop(min(self.waiting)):
                self._open(front)
        tree = make_tree(
            *(np.concatenate(self.columns[name]) for name in ("parent", "seat")),
            self.keys,
            *(np.concatenate(self.columns[n]) for n in ("label", "chance", "payoff", "level")),
        )
        return GameTree(tree, self._games(tree), self.forced)

    def _write(self, *row: object) -> None:
        for column, values in zip(self.columns.values(), row, strict=True):
            column.append(np.atleast_1d(values))

    def _arrive(self, front: _Front, seat: np.ndarray, action: np.ndarray) -> None:
        """Let both seats see what came of an action; answer forced questions; sort by level."""
        self._see(front, seat, action)
        while True:
            forced = np.flatnonzero(front.games.states["option_count"] == 1)
            if not len(forced):
                break
            self.forced += len(forced)
            answers = front.games.states["options"][forced, 0].astype(np.int64)
            asked = front.games.seat[forced]
            front.games.step(answers, forced)
            part = front.rows(forced)
            self._see(part, asked, answers)
            front.seen[forced] = part.seen
        levels = front.games.decisions
        for level in np.unique(levels):
            rows = np.flatnonzero(levels == level)
            self.waiting.setdefault(int(level), []).append(front.rows(rows))

    def _see(self, front: _Front, seat: np.ndarray, action: np.ndarray) -> None:
        for viewer in range(2):
            known = self.game.proof.known_each(front.games.states, viewer)
            own = np.where(seat == viewer, action, -1)[:, None].astype(np.int16)
            words = np.concatenate([front.seen[:, viewer], known, own.view(np.uint8)], axis=1)
            digests = b"".join(
                blake2b(row, digest_size=DIGEST).digest() for row in np.ascontiguousarray(words)
            )
            front.seen[:, viewer] = np.frombuffer(digests, np.uint8).reshape(-1, DIGEST)

    def _open(self, front: _Front) -> None:
        """Write nodes down, and play every action of theirs."""
        games, n = front.games, len(front.games)
        seats = games.seat
        at = self.nodes
        self.nodes += n
        if self.nodes > MOST_NODES:
            raise ValueError(f"{self.card_set.name}: more than {MOST_NODES:,} nodes")
        over = games.over
        self._write(
            front.parent, np.where(over, OVER, seats), front.label, front.chance,
            games.rewards[:, 0].astype(np.float64), games.decisions.astype(np.int64),
        )  # fmt: skip
        for row in range(n):
            key = bytes([seats[row] & 1]) + front.seen[row, seats[row]].tobytes()
            self.keys.append(b"" if over[row] else key)
            if not over[row] and key not in self.examples:
                self.examples[key] = games.states[row : row + 1].copy()
        counts = games.states["option_count"].astype(np.int64) * ~over
        rows = np.repeat(np.arange(n), counts)
        if not len(rows):
            return
        slot = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        actions = games.states["options"][rows, slot].astype(np.int64)
        after = _Front(games.copy(rows), at + rows, actions, np.ones(len(rows)), front.seen[rows])
        after.games.step(actions)
        self._arrive(after, seats[rows], actions)

    def _games(self, tree: Tree) -> Batch:
        """Put one game of each information set side by side, in the tree's order."""
        games = Batch(len(tree.owner), card_set=self.card_set, game=self.game, skip_forced=False)
        games.states = np.concatenate(list(self.examples.values()))
        return games
