"""An agent's policy on a whole tree: asked at every information set that its own play can reach.

An agent sees a view, as everywhere. One that can say how likely it plays what (`probabilities`) is
known exactly. Any other is asked many times at each information set, and its policy is estimated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.base import Agent, Stochastic
from experiments.exact.grow import GameTree
from experiments.exact.solve import best_response, exploitability, value
from experiments.exact.tree import Tree
from skirmish_env.views import View

ROWS = 8192  # decisions that an agent is asked about together


@dataclass(frozen=True, eq=False)
class Played:
    """An agent's policy on a tree.

    Attributes:
        policy: float64 (a,); uniform in sets that the agent never comes to.
        halves: float64 (2, a), the policies of the first and of the second half of the answers;
            None where the policy is exact.
        samples: how often it was asked at each set; 0 where the policy is exact.
        asked: in how many information sets.
    """

    policy: np.ndarray
    halves: np.ndarray | None
    samples: int
    asked: int


def ask(
    agent: Agent,
    grown: GameTree,
    rng: np.random.Generator,
    *,
    samples: int = 64,
    tell: Callable[[int], object] | None = None,
) -> Played:
    """Find an agent's policy on a tree.

    Args:
        agent: in both seats.
        grown: the tree with its games.
        rng: what the agent draws from.
        samples: how often an agent is asked that cannot say its probabilities; even.
        tell: is called with the number of information sets that were asked since the last call.

    Raises:
        ValueError: `samples` is odd or below 2, or the agent answers with an illegal action.
    """
    if samples < 2 or samples % 2:
        raise ValueError(f"samples: must be even and 2 or more, not {samples}")
    tree, exact = grown.tree, isinstance(agent, Stochastic)
    parts = np.repeat(tree.uniform()[None], 1 if exact else 2, axis=0)
    reached = np.zeros(len(tree.owner), bool)
    depth = _own_depth(tree)
    for wave in range(depth.max() + 1):
        here = np.flatnonzero(depth == wave)
        before = tree.before[here]
        coming = (before < 0) | (
            reached[tree.set_of_action[before]] & (parts[:, before] > 0).any(axis=0)
        )
        here = here[coming]
        reached[here] = True
        together = ROWS if exact else max(1, ROWS // samples)
        for at in range(0, len(here), together):
            sets = here[at : at + together]
            view = grown.games.view(sets)
            actions = _actions_of(tree, sets)
            if exact:
                parts[0, actions] = _said(agent, tree, sets, view)
            else:
                parts[:, actions] = _counted(agent, tree, sets, view, rng, samples)
            if tell is not None:
                tell(len(sets))
    halves = None if exact else parts
    return Played(parts.mean(axis=0), halves, 0 if exact else samples, int(reached.sum()))


def _own_depth(tree: Tree) -> np.ndarray:
    """How many decisions of its own a seat makes before each information set, int64 (m,)."""
    depth = np.zeros(len(tree.owner), np.int64)
    set_of_action = tree.set_of_action
    for i, before in enumerate(tree.before):
        if before >= 0:
            depth[i] = depth[set_of_action[before]] + 1
    return depth


def _actions_of(tree: Tree, sets: np.ndarray) -> np.ndarray:
    """Return the flat actions of some sets, one set's after the other's."""
    return np.concatenate([np.arange(tree.first[i], tree.first[i + 1]) for i in sets])


def _said(agent: Stochastic, tree: Tree, sets: np.ndarray, view: View) -> np.ndarray:
    """Return the probabilities that an agent says."""
    rows = np.repeat(np.arange(len(sets)), tree.sizes[sets])
    found = np.asarray(agent.probabilities(view), np.float64)
    found = found[rows, tree.label[_actions_of(tree, sets)]]
    totals = np.bincount(rows, found)
    if np.abs(totals - 1).max() > 1e-4:
        raise ValueError(f"{agent.name}: the probabilities of legal actions do not sum to 1")
    return found / totals[rows]


def _counted(
    agent: Agent,
    tree: Tree,
    sets: np.ndarray,
    view: View,
    rng: np.random.Generator,
    samples: int,
) -> np.ndarray:
    """Return how often an agent chose what, in both halves of its answers."""
    answers = np.asarray(agent.act(view[np.repeat(np.arange(len(sets)), samples)], rng))
    labels = tree.label[_actions_of(tree, sets)]
    rows = np.repeat(np.arange(len(sets)), tree.sizes[sets])
    chosen = answers.reshape(len(sets), 2, -1)[rows] == labels[:, None, None]
    if chosen.sum() != len(sets) * samples:
        raise ValueError(f"{agent.name}: answered with an illegal action")
    return chosen.mean(axis=2).T


def measured(tree: Tree, played: Played, game_value: float) -> dict[str, Any]:
    """Return what a perfect opponent makes of an agent, in points.

    `exploitability` is the mean of both seats. `loses` is by how much the agent, in each seat,
    stays below the value of the game against such an opponent. Where the policy is an estimate
    these numbers are too high on average, because the answer fits chance in the sample too;
    `at_least` are the same numbers with answers to one half of the sample played against the other
    half, which are too low on average.
    """
    found = exploitability(tree, played.policy)
    row: dict[str, Any] = {
        "value": found.value,
        **_numbers(found.best, game_value),
        "samples": played.samples,
        "asked": played.asked,
    }
    if played.halves is not None:
        row["at_least"] = _numbers(_crossed(tree, played.halves), game_value)
    return row


def _numbers(best: tuple[float, float], game_value: float) -> dict[str, Any]:
    return {
        "exploitability": (best[0] + best[1]) / 2,
        "loses": [best[1] + game_value, best[0] - game_value],
    }


def _crossed(tree: Tree, halves: np.ndarray) -> tuple[float, float]:
    """What best responses in each seat to one half get against the other, mean of both ways."""
    best = []
    for seat in (0, 1):
        own = np.repeat(tree.owner == seat, tree.sizes)
        points = [
            value(tree, np.where(own, best_response(tree, halves[one], seat)[1], halves[1 - one]))
            for one in (0, 1)
        ]
        best.append(float(np.mean(points)) * (1 if seat == 0 else -1))
    return best[0], best[1]
