"""The opponents of a learner: frozen copies of itself, and baselines."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.base import Agent
from agents.ppo import PPOAgent, Team
from experiments.matchmaking import Standings, prioritised

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
    """Draws an opponent for every game, and counts results against each kind and member.

    Args:
        baselines: agents by name.
        shares: how often each kind is drawn: the baselines' names, "latest" and "past" (any
            older snapshot). They are scaled to sum to 1. Without an older snapshot the latest
            takes its share.
        keep: snapshots to draw from; when there is one too many, one of the two closest to
            each other (by decisions) goes, the first and the latest excepted.
        rng: draws the opponents.
        recent: finished games of a kind that its score looks back on.
        hardness: how much those are preferred whom the learner does badly against (see
            `experiments.matchmaking`); the share of "latest" stays what it is. 0 keeps all shares.
        memory: games against a member that its score for `hardness` looks back on.
        seats: of the game.

    Attributes:
        members: all that play in some game or can be drawn, by id; ids only grow.
        baselines: agents by id.
        snapshots: ids of the snapshots to draw from, oldest first.
        standings: the learner's scores against each member, by seat.
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
        *,
        hardness: float = 0.0,
        memory: float = 200.0,
        seats: int = 2,
    ) -> None:
        unknown = sorted(set(shares) - {*baselines, LATEST, PAST})
        if unknown:
            raise ValueError(f"shares: nobody is called {', '.join(unknown)}")
        if min(shares.values()) < 0 or sum(shares.values()) <= 0:
            raise ValueError("shares: none may be negative, and one must be positive")
        if keep < 2:
            raise ValueError(f"keep: a league holds 2 snapshots or more, not {keep}")
        if hardness < 0:
            raise ValueError(f"hardness: 0 or more, not {hardness}")
        self.hardness = hardness
        self.standings = Standings(seats, memory)
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
        self.standings.keep(self.members)
        self._gather()

    def _gather(self) -> None:
        """Make the team of all snapshots."""
        networks = [member for member, o in self.members.items() if o.kind == "snapshot"]
        self.team = Team([self.members[m].agent for m in networks]) if networks else None
        self.places = np.full(self._next, -1)
        self.places[networks] = np.arange(len(networks))

    def draw(self, seats: np.ndarray) -> np.ndarray:
        """Draw the opponents of games in which the learner has the seats int64 (n,).

        Returns:
            Member ids, int64 (n,).
        """
        members, chances = self.chances()
        ends = np.cumsum(chances, axis=1)[seats]
        marks = self.rng.random(len(seats)) * ends[:, -1]
        return np.array(members)[(ends[:, :-1] <= marks[:, None]).sum(axis=1)]

    def chances(self) -> tuple[list[int], np.ndarray]:
        """Return who can be drawn, and their chances by the learner's seat, float64 (seats, n).

        Raises:
            ValueError: a snapshot could be drawn, and there is none yet.
        """
        shares, latest = self._shares()
        members = list(shares)
        wanted = np.array(list(shares.values())) / (sum(shares.values()) + latest)
        chances = np.tile(wanted, (self.standings.seats, 1))
        if members:
            scores = self.standings.scores(members)
            chances = wanted.sum() * prioritised(wanted / wanted.sum(), scores, self.hardness)
        if latest:
            rest = np.full((len(chances), 1), 1.0 - wanted.sum())
            members, chances = [*members, self.snapshots[-1]], np.hstack([chances, rest])
        return members, chances

    def _shares(self) -> tuple[dict[int, float], float]:
        """Return the share of each member but the latest snapshot, and that one's."""
        given = {kind: share for kind, share in self.shares.items() if share > 0}
        latest, older = given.pop(LATEST, 0.0), given.pop(PAST, 0.0)
        if (latest or older) and not self.snapshots:
            raise ValueError("the league has no snapshot to draw yet")
        shares = {self._baselines[kind]: share for kind, share in given.items()}
        past = self.snapshots[:-1] if older else []
        shares |= dict.fromkeys(past, older / max(len(past), 1))
        return shares, latest if past else latest + older

    def kind(self, member: int) -> str:
        """Say which kind a member counts as now."""
        kind = self.members[member].kind
        if kind != "snapshot":
            return kind
        return LATEST if member == self.snapshots[-1] else PAST

    def record(self, member: int, seat: int, reward: float) -> None:
        """Count a finished game: the learner's seat and reward (1 won, 0 drawn, -1 lost)."""
        kind, points = self.kind(member), (1.0 + reward) / 2
        self.games[kind] += 1
        self._recent[kind].append(points)
        self.standings.add(member, seat, points)

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
            "standings": self.standings.state(),
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
        self.standings.restore(state["standings"])
        self.rng.bit_generator.state = state["rng"]
