"""The opponents of a learner: frozen copies of itself, and baselines."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.base import Agent
from agents.ppo import PPOAgent, Team

LATEST, PAST = "latest", "past"


@dataclass
class Opponent:
    """One member of the league.

    Attributes:
        agent: who plays.
        kind: a baseline's name, or "snapshot".
        decisions: how far training had come when the snapshot was taken; 0 for baselines.
    """

    agent: Agent
    kind: str
    decisions: int = 0


class League:
    """Draws an opponent for every game, and counts results against each kind.

    Args:
        baselines: agents by name.
        shares: how often each kind is drawn: the baselines' names, "latest" and "past" (any
            older snapshot). They are scaled to sum to 1. Without an older snapshot the latest
            takes its share.
        keep: snapshots to draw from; when there is one too many, one of the two closest to
            each other (by decisions) goes, the first and the latest excepted.
        rng: draws the opponents.
        recent: finished games of a kind that its score looks back on.

    Attributes:
        members: all that play in some game or can be drawn, by id; ids only grow.
        baselines: agents by id.
        snapshots: ids of the snapshots to draw from, oldest first.
        team: all snapshots among the members, to be asked together; None without any.
        places: each id's place in the team, int64; -1 for who is not in it.
        games: finished games against each kind.
    """

    def __init__(
        self,
        baselines: dict[str, Agent],
        shares: dict[str, float],
        keep: int,
        rng: np.random.Generator,
        recent: int = 1000,
    ) -> None:
        unknown = sorted(set(shares) - {*baselines, LATEST, PAST})
        if unknown:
            raise ValueError(f"shares: nobody is called {', '.join(unknown)}")
        if min(shares.values()) < 0 or sum(shares.values()) <= 0:
            raise ValueError("shares: none may be negative, and one must be positive")
        if keep < 2:
            raise ValueError(f"keep: a league holds 2 snapshots or more, not {keep}")
        self.shares = shares
        self.keep = keep
        self.rng = rng
        self.members: dict[int, Opponent] = {}
        self.snapshots: list[int] = []
        self._next = 0
        self._baselines = {name: self._add(Opponent(a, name)) for name, a in baselines.items()}
        self.baselines = {member: o.agent for member, o in self.members.items()}
        self._gather()
        kinds = [*baselines, LATEST, PAST]
        self._recent = {kind: deque(maxlen=recent) for kind in kinds}
        self.games = dict.fromkeys(kinds, 0)

    def _add(self, opponent: Opponent) -> int:
        self.members[self._next] = opponent
        self._next += 1
        return self._next - 1

    def add_snapshot(self, agent: PPOAgent, decisions: int) -> int:
        """Take a frozen copy of the learner in; it is the latest from now on."""
        self.snapshots.append(self._add(Opponent(agent, "snapshot", decisions)))
        if len(self.snapshots) > self.keep:
            at = [self.members[member].decisions for member in self.snapshots]
            gaps = [at[i + 1] - at[i - 1] for i in range(1, len(at) - 1)]
            del self.snapshots[1 + int(np.argmin(gaps))]
        self._gather()
        return self.snapshots[-1]

    def forget(self, in_use: np.ndarray) -> None:
        """Drop snapshots that are neither drawn any more nor in one of the games `in_use`."""
        kept = {*self._baselines.values(), *self.snapshots, *in_use.tolist()}
        self.members = {member: o for member, o in self.members.items() if member in kept}
        self._gather()

    def _gather(self) -> None:
        """Make the team of all snapshots."""
        networks = [member for member, o in self.members.items() if o.kind == "snapshot"]
        self.team = Team([self.members[m].agent for m in networks]) if networks else None
        self.places = np.full(self._next, -1)
        self.places[networks] = np.arange(len(networks))

    def draw(self, n: int) -> np.ndarray:
        """Draw opponents for n games: member ids, int64 (n,)."""
        kinds = list(self.shares)
        weights = np.array([self.shares[kind] for kind in kinds], float)
        ends = np.cumsum(weights)
        chosen = np.searchsorted(ends[:-1], self.rng.random(n) * ends[-1], side="right")
        past = self.snapshots[:-1] or self.snapshots
        out = np.empty(n, np.int64)
        for k, kind in enumerate(kinds):
            rows = np.flatnonzero(chosen == k)
            if not len(rows):
                continue
            if kind in self._baselines:
                out[rows] = self._baselines[kind]
            elif not self.snapshots:
                raise ValueError("the league has no snapshot to draw yet")
            elif kind == LATEST:
                out[rows] = self.snapshots[-1]
            else:
                out[rows] = self.rng.choice(past, len(rows))
        return out

    def kind(self, member: int) -> str:
        """Say which kind a member counts as now."""
        kind = self.members[member].kind
        if kind != "snapshot":
            return kind
        return LATEST if member == self.snapshots[-1] else PAST

    def record(self, member: int, reward: float) -> None:
        """Count a finished game: the learner's reward (1 won, 0 drawn, -1 lost)."""
        kind = self.kind(member)
        self.games[kind] += 1
        self._recent[kind].append((1.0 + reward) / 2)

    def scores(self) -> dict[str, float]:
        """Learner's score (wins and half the draws) in recent games by kind; nan without any."""
        return {kind: float(np.mean(r)) if r else float("nan") for kind, r in self._recent.items()}

    def state(self, weights: Callable[[PPOAgent], Any]) -> dict[str, Any]:
        """Return plain data from which `restore` continues; `weights` turns snapshots to data."""
        return {
            "next": self._next,
            "snapshots": list(self.snapshots),
            "members": [
                {"id": member, "decisions": o.decisions, "weights": weights(o.agent)}
                for member, o in self.members.items()
                if o.kind == "snapshot"
            ],
            "games": dict(self.games),
            "recent": {kind: list(results) for kind, results in self._recent.items()},
            "rng": self.rng.bit_generator.state,
        }

    def restore(self, state: dict[str, Any], agent: Callable[[Any], PPOAgent]) -> None:
        """Continue from `state`; `agent` turns its data back to snapshots."""
        self.members = {member: self.members[member] for member in self._baselines.values()}
        for one in state["members"]:
            frozen = Opponent(agent(one["weights"]), "snapshot", one["decisions"])
            self.members[one["id"]] = frozen
        self._next = state["next"]
        self._gather()
        self.snapshots = list(state["snapshots"])
        self.games.update(state["games"])
        for kind, results in state["recent"].items():
            self._recent[kind].extend(results)
        self.rng.bit_generator.state = state["rng"]
