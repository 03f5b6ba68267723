"""Whom to play next: the more often, the worse the learner does against them.

Prioritised fictitious self-play. In an uneven game one seat may be lost against somebody whom the
other seat beats, so each seat has its own scores and draws by them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

DOUBT = 10.0  # drawn games that every score is thought to begin with


class Standings:
    """The learner's score against each member of a league, in each seat; older games fade.

    Args:
        seats: how many there are.
        memory: games that a score looks back on: the weight of one halves about every
            0.7 x memory later ones.
    """

    def __init__(self, seats: int, memory: float) -> None:
        if seats < 1 or memory < 1:
            raise ValueError(f"standings: 1 seat and game or more, not {seats} and {memory}")
        self.seats = seats
        self.fading = 1.0 - 1.0 / memory
        self._points: dict[tuple[int, int], float] = {}
        self._games: dict[tuple[int, int], float] = {}

    def add(self, member: int, seat: int, points: float) -> None:
        """Count a game of the learner in a seat: 1 won, a half drawn, 0 lost."""
        key = member, seat
        self._points[key] = self.fading * self._points.get(key, 0.0) + points
        self._games[key] = self.fading * self._games.get(key, 0.0) + 1.0

    def scores(self, members: Sequence[int]) -> np.ndarray:
        """Return scores by seat and member, float64 (seats, n); few games say about one half."""
        keys = [(member, seat) for seat in range(self.seats) for member in members]
        points = np.array([self._points.get(key, 0.0) for key in keys])
        games = np.array([self._games.get(key, 0.0) for key in keys])
        scores = (points + DOUBT / 2) / (games + DOUBT)
        return scores.reshape(self.seats, len(members))

    def keep(self, members: Collection[int]) -> None:
        """Forget everybody else."""
        self._points = {key: one for key, one in self._points.items() if key[0] in members}
        self._games = {key: one for key, one in self._games.items() if key[0] in members}

    def state(self) -> list[tuple[int, int, float, float]]:
        """Return plain data from which `restore` continues: member, seat, points, games."""
        return [(*key, points, self._games[key]) for key, points in self._points.items()]

    def restore(self, state: list[Any]) -> None:
        """Continue from `state`."""
        self._points = {(member, seat): points for member, seat, points, _ in state}
        self._games = {(member, seat): games for member, seat, _, games in state}


def prioritised(shares: np.ndarray, scores: np.ndarray, hardness: float) -> np.ndarray:
    """Return chances float64 (seats, n): a share (n,) counts by how much of the score is missing.

    Args:
        shares: chances where nobody is preferred; they sum to 1.
        scores: the learner's, (seats, n), below 1.
        hardness: power of what a score lacks to 1; at 0 the chances are the shares.
    """
    weights = shares * (1.0 - scores) ** hardness
    return weights / weights.sum(axis=1, keepdims=True)
