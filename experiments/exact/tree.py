"""The whole tree of a two-player zero-sum game with chance, as arrays.

Nodes stand level by level, so every node comes after its parent, and the nodes of an information
set have one level. A policy is one flat array: a probability for each action of each information
set, of both seats.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

CHANCE, OVER = 2, -1  # in the place of a seat


@dataclass(frozen=True, eq=False)
class Tree:
    """A game's nodes (n,), its information sets (m,), and their actions (a,).

    Attributes:
        parent: int32 (n,); -1 for the root.
        seat: int8 (n,), who decides: 0 or 1, `CHANCE`, or `OVER`.
        chance: float64 (n,), probability of the way from the parent where chance decides, else 1.
        edge: int32 (n,), the action that leads here from the parent; -1 where chance does.
        infoset: int32 (n,), of a node where a seat decides; else -1.
        payoff: float64 (n,), to seat 0, of nodes where the game is over.
        level: int32 (n,), ascending.
        owner: int8 (m,), seat of each information set.
        first: int32 (m + 1,); the actions of information set i are first[i] to first[i + 1].
        label: int64 (a,), what the game calls each action.
        before: int32 (m,), the seat's own action on the way to the set; -1 for its first decision.
        example: int32 (m,), one node of each information set.
    """

    parent: np.ndarray
    seat: np.ndarray
    chance: np.ndarray
    edge: np.ndarray
    infoset: np.ndarray
    payoff: np.ndarray
    level: np.ndarray
    owner: np.ndarray
    first: np.ndarray
    label: np.ndarray
    before: np.ndarray
    example: np.ndarray

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def children(self) -> tuple[np.ndarray, np.ndarray]:
        """Children of all nodes one after the other, int32 (n - 1,), and where each node's begin.

        The children of node i are those from first[i] to first[i + 1], int32 (n + 1,).
        """
        order = 1 + np.argsort(self.parent[1:], kind="stable").astype(np.int32)
        first = np.searchsorted(self.parent[order], np.arange(len(self) + 1)).astype(np.int32)
        return order, first

    @property
    def sizes(self) -> np.ndarray:
        """Number of actions of each information set, int64 (m,)."""
        return np.diff(self.first).astype(np.int64)

    @property
    def set_of_action(self) -> np.ndarray:
        """Information set of each action, int64 (a,)."""
        return np.repeat(np.arange(len(self.owner)), self.sizes)

    def uniform(self) -> np.ndarray:
        """Return the policy that plays every action equally often."""
        return np.repeat(1 / self.sizes, self.sizes)

    def checked(self, policy: np.ndarray) -> np.ndarray:
        """Return a policy as float64 (a,).

        Raises:
            ValueError: wrong shape, or the probabilities of a set are negative or do not sum to 1.
        """
        found = np.ascontiguousarray(policy, np.float64)
        if found.shape != self.label.shape:
            raise ValueError(f"policy: expected shape {self.label.shape}, not {found.shape}")
        totals = np.add.reduceat(found, self.first[:-1])
        if found.min() < 0 or np.abs(totals - 1).max() > 1e-9:
            wrong = int(np.abs(totals - 1).argmax())
            raise ValueError(
                f"policy: the probabilities of information set {wrong} are negative or do not sum "
                f"to 1, but to {totals[wrong]}"
            )
        return found


def make_tree(
    parent: Sequence[int] | np.ndarray,
    seat: Sequence[int] | np.ndarray,
    key: Sequence[Hashable],
    label: Sequence[int] | np.ndarray,
    chance: Sequence[float] | np.ndarray,
    payoff: Sequence[float] | np.ndarray,
    level: Sequence[int] | np.ndarray,
) -> Tree:
    """Make a tree of its nodes, the root first and each node after its parent.

    Args:
        parent: of each node; -1 for the root.
        seat: who decides at each node.
        key: what the deciding seat knows there; equal keys are one information set.
        label: the action that leads to a node whose parent is a seat's; else 0.
        chance: probability of the way to a node whose parent is chance; else 1.
        payoff: to seat 0, where the game is over; else 0.
        level: grows from parent to child, and is the same for all nodes of an information set.

    Raises:
        ValueError: a seat forgets what it did or knew (no perfect recall), an information set has
            different actions, levels or seats, or chances do not sum to 1.
    """
    order = np.argsort(np.asarray(level), kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    above = np.asarray(parent)[order]
    above = np.where(above < 0, -1, place[above]).astype(np.int32)
    seat, label = np.asarray(seat, np.int8)[order], np.asarray(label, np.int64)[order]
    chance, payoff = (np.asarray(x, np.float64)[order] for x in (chance, payoff))
    level = np.asarray(level, np.int32)[order]
    if (above[1:] < 0).any() or (level[above[1:]] >= level[1:]).any():
        raise ValueError("level: must grow from parent to child, and there is one root")
    infoset, example = _numbered(seat, key, order)
    _check_alike(infoset, seat, "seats", example)
    _check_alike(infoset, level, "levels", example)
    first, actions, edge = _actions(above, seat, infoset, label, example)
    before = _own_past(above, seat, infoset, edge, example)
    _check_chances(above, seat, chance)
    return Tree(
        above, seat, chance, edge, infoset, payoff, level,
        seat[example], first, actions, before, example.astype(np.int32),
    )  # fmt: skip


def _numbered(
    seat: np.ndarray, key: Sequence[Hashable], order: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Number the information sets in the order of their first nodes."""
    infoset = np.full(len(seat), -1, np.int32)
    numbers: dict[Hashable, int] = {}
    example = []
    for node in np.flatnonzero((seat == 0) | (seat == 1)):
        found = numbers.setdefault(key[order[node]], len(numbers))
        if found == len(example):
            example.append(node)
        infoset[node] = found
    return infoset, np.array(example, np.int64)


def _check_alike(infoset: np.ndarray, values: np.ndarray, what: str, example: np.ndarray) -> None:
    nodes = np.flatnonzero(infoset >= 0)
    wrong = nodes[values[nodes] != values[example[infoset[nodes]]]]
    if len(wrong):
        raise ValueError(f"information set {infoset[wrong[0]]}: its nodes have different {what}")


def _actions(
    parent: np.ndarray,
    seat: np.ndarray,
    infoset: np.ndarray,
    label: np.ndarray,
    example: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Number the actions set by set, each set's in ascending order; find every node's."""
    nodes = 1 + np.flatnonzero(infoset[parent[1:]] >= 0)
    sets = infoset[parent[nodes]].astype(np.int64)
    pairs, number, times = np.unique(
        np.stack([sets, label[nodes]], axis=1), axis=0, return_inverse=True, return_counts=True
    )
    edge = np.full(len(parent), -1, np.int32)
    edge[nodes] = number.ravel()
    members = np.bincount(infoset[infoset >= 0], minlength=len(example))
    wrong = np.flatnonzero(times != members[pairs[:, 0]])
    if len(wrong) or len(np.unique(pairs[:, 0])) != len(example):
        raise ValueError("an information set has nodes with different actions, or with none")
    first = np.searchsorted(pairs[:, 0], np.arange(len(example) + 1)).astype(np.int32)
    return first, pairs[:, 1].copy(), edge


def _own_past(
    parent: np.ndarray, seat: np.ndarray, infoset: np.ndarray, edge: np.ndarray, example: np.ndarray
) -> np.ndarray:
    """Find the last own action before each information set, one for all its nodes."""
    last = np.full((len(parent), 2), -1, np.int32)
    for level in _generations(parent):
        above = parent[level]
        last[level] = last[above]
        for player in (0, 1):
            own = level[seat[above] == player]
            last[own, player] = edge[own]
    nodes = np.flatnonzero(infoset >= 0)
    own = last[nodes, seat[nodes]]
    before = np.full(len(example), -1, np.int32)
    before[infoset[nodes]] = own
    wrong = np.flatnonzero(before[infoset[nodes]] != own)
    if len(wrong):
        raise ValueError(
            f"information set {infoset[nodes[wrong[0]]]}: its seat forgets what it did or knew"
        )
    return before


def _generations(parent: np.ndarray) -> list[np.ndarray]:
    """Nodes by their distance from the root, without the root."""
    depth = np.zeros(len(parent), np.int32)
    for node in range(1, len(parent)):
        depth[node] = depth[parent[node]] + 1
    order = np.argsort(depth, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(depth[order])) + 1)[1:]


def _check_chances(parent: np.ndarray, seat: np.ndarray, chance: np.ndarray) -> None:
    by_chance = seat[parent[1:]] == CHANCE
    totals = np.bincount(parent[1:][by_chance], chance[1:][by_chance], minlength=len(parent))
    wrong = np.flatnonzero((seat == CHANCE) & (np.abs(totals - 1) > 1e-9))
    if len(wrong):
        raise ValueError(f"node {wrong[0]}: its chances sum to {totals[wrong[0]]}, not to 1")
    if (chance[1:][~by_chance] != 1).any() or chance.min() <= 0:
        raise ValueError("chance: above 0, and 1 where a seat decides")
