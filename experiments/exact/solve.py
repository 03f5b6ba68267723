"""An equilibrium of a tree by counterfactual regret minimisation, and exact best responses.

The solver is CFR+ (Tammelin 2014): regrets below zero are forgotten, the seats learn by turns, and
later policies count more in the average. Values are points of the game, to the seat that is named.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from experiments.exact.tree import CHANCE, OVER, Tree
from skirmish_env.common.jit import compiled

GAP = 1e-9  # best responses take the first of actions that differ by less


@dataclass(frozen=True)
class Exploitability:
    """What a policy of both seats is worth, and what perfect opponents make of it.

    Attributes:
        value: of the policy against itself, to seat 0.
        best: what a best response in each seat gets against the policy's other seat.
    """

    value: float
    best: tuple[float, float]

    @property
    def nash_conv(self) -> float:
        """What both best responses gain together; 0 in equilibrium."""
        return self.best[0] + self.best[1]

    @property
    def exploitability(self) -> float:
        """Half of `nash_conv`: what an opponent who answers perfectly wins on average."""
        return self.nash_conv / 2

    @property
    def value_bounds(self) -> tuple[float, float]:
        """Between what lies the value of the game, to seat 0."""
        return -self.best[1], self.best[0]


@dataclass(frozen=True)
class Solution:
    """An approximate equilibrium.

    Attributes:
        policy: float64 (a,), the average policy of both seats.
        found: its exploitability.
        curve: rows of (iterations, seconds, exploitability).
    """

    policy: np.ndarray
    found: Exploitability
    curve: list[tuple[int, float, float]]


def solve(
    tree: Tree,
    *,
    target: float = 1e-3,
    iterations: int = 100_000,
    look_every: float = 1.3,
    tell: Callable[[int, float, float], object] | None = None,
) -> Solution:
    """Run CFR+ until the average policy is close enough to an equilibrium.

    Args:
        tree: the game.
        target: exploitability that is enough, in points.
        iterations: stop after so many all the same.
        look_every: exploitability is measured after 1 iteration and at every multiple by this.
        tell: is called with each row of the curve.
    """
    regrets, totals = np.zeros(len(tree.label)), np.zeros(len(tree.label))
    current, curve, began = tree.uniform(), [], time.perf_counter()
    look_at, arrays = 1.0, _arrays(tree)
    for done in range(1, iterations + 1):
        for seat in (0, 1):
            cfr_pass(*arrays, tree.chance, tree.payoff, seat, current, regrets, totals, float(done))
        if done >= look_at or done == iterations:
            look_at = max(done + 1, done * look_every)
            policy = average(tree, totals)
            found = exploitability(tree, policy)
            curve.append((done, time.perf_counter() - began, found.exploitability))
            if tell is not None:
                tell(*curve[-1])
            if found.exploitability <= target:
                break
    return Solution(policy, found, curve)


def average(tree: Tree, totals: np.ndarray) -> np.ndarray:
    """Return totals (a,) as a policy; uniform where there are none."""
    sums = np.add.reduceat(totals, tree.first[:-1])
    whole = np.repeat(sums, tree.sizes)
    return np.where(whole > 0, totals / np.where(whole > 0, whole, 1.0), tree.uniform())


def exploitability(tree: Tree, policy: np.ndarray) -> Exploitability:
    """Return exactly what best responses make of a policy (a,) of both seats.

    Raises:
        ValueError: it is no policy of this tree.
    """
    policy = tree.checked(policy)
    best = tuple(best_response(tree, policy, seat)[0] for seat in (0, 1))
    return Exploitability(value(tree, policy), (best[0], best[1]))


def value(tree: Tree, policy: np.ndarray) -> float:
    """Return what seat 0 gets when both seats follow a policy (a,)."""
    return float((reach(tree, policy) * tree.payoff).sum())


def reach(tree: Tree, policy: np.ndarray) -> np.ndarray:
    """Return how probable each node is when both seats follow a policy, float64 (n,)."""
    ways = np.where(tree.edge >= 0, policy[np.maximum(tree.edge, 0)], tree.chance)
    return products(tree.parent, ways)


def clairvoyant(tree: Tree, policy: np.ndarray, seat: int) -> float:
    """Return what a seat could get against the other's policy (a,) if nothing were hidden from it.

    It then chooses at each node for itself, knowing every card dealt and yet to be drawn.
    """
    nodes, (children, first_child) = len(tree), tree.children
    edge = np.full(nodes, -1, np.int32)
    edge[children] = np.arange(nodes - 1)
    alone, choice = np.arange(nodes, dtype=np.int32), np.full(nodes, -1, np.int32)
    weights = _worth(tree, policy, seat)
    return float(
        respond(
            tree.parent, tree.seat, edge, alone, first_child, children, first_child,
            seat, weights, choice,
        )
    )  # fmt: skip


def best_response(tree: Tree, policy: np.ndarray, seat: int) -> tuple[float, np.ndarray]:
    """Return what a seat can get against the other seat's policy (a,), and how.

    Returns:
        Points to `seat`, and the policy with the seat's own part exchanged: in every information
        set one action.
    """
    weights = _worth(tree, policy, seat)
    choice = np.full(len(tree.owner), -1, np.int32)
    children, first_child = tree.children
    best = respond(*_arrays(tree), children, first_child, seat, weights, choice)
    answer = np.where(np.repeat(tree.owner == seat, tree.sizes), 0.0, policy)
    answer[choice[tree.owner == seat]] = 1.0
    return float(best), answer


def _worth(tree: Tree, policy: np.ndarray, seat: int) -> np.ndarray:
    """What each end is worth to a seat that goes there for certain, float64 (n,)."""
    others = np.where(np.repeat(tree.owner == seat, tree.sizes), 1.0, policy)
    return reach(tree, others) * (tree.payoff if seat == 0 else -tree.payoff)


def _arrays(tree: Tree) -> tuple[np.ndarray, ...]:
    return tree.parent, tree.seat, tree.edge, tree.infoset, tree.first


@compiled
def products(parent, ways):
    """Product of the ways from the root to each node, float64 (n,)."""
    out = np.ones(len(parent))
    for n in range(1, len(parent)):
        out[n] = out[parent[n]] * ways[n]
    return out


@compiled
def respond(parent, seat, edge, infoset, first, children, first_child, player, values, choice):
    """Write a best action of each of a player's information sets; return the root's value.

    `values` (n,) holds payoff times the others' and chance's reach where the game is over; it is
    used up. Going backwards through the levels, all that follows on a set's actions is counted
    when the first of its nodes comes.
    """
    totals = np.zeros(first[-1])
    for n in range(len(parent) - 1, -1, -1):
        if seat[n] == player:
            i = infoset[n]
            if choice[i] < 0:
                choice[i] = highest(totals, first[i], first[i + 1])
            for c in children[first_child[n] : first_child[n + 1]]:
                if edge[c] == choice[i]:
                    values[n] = values[c]
        elif seat[n] != OVER:
            for c in children[first_child[n] : first_child[n + 1]]:
                values[n] += values[c]
        if n > 0 and seat[parent[n]] == player:
            totals[edge[n]] += values[n]
    return values[0]


@compiled
def highest(values, start, end):
    """First entry from start to end that is as high as any."""
    best = start
    for a in range(start + 1, end):
        if values[a] > values[best] + GAP:
            best = a
    return best


@compiled
def cfr_pass(
    parent, seat, edge, infoset, first, chance, payoff, player, current, regrets, totals, weight
):
    """One player learns from one walk through the tree: see `solve`. All in place."""
    nodes, sets = len(parent), len(first) - 1
    own, others, reached = np.ones(nodes), np.ones(nodes), np.zeros(sets)
    if seat[0] == player:
        reached[infoset[0]] = 1.0
    for n in range(1, nodes):
        p = parent[n]
        own[n], others[n] = own[p], others[p]
        if seat[p] == player:
            own[n] *= current[edge[n]]
        else:
            others[n] *= chance[n] if seat[p] == CHANCE else current[edge[n]]
        if seat[n] == player:
            reached[infoset[n]] = own[n]
    values, gains = np.zeros(nodes), np.zeros(len(current))
    for n in range(nodes - 1, 0, -1):
        p = parent[n]
        if seat[n] == OVER:
            values[n] = payoff[n] if player == 0 else -payoff[n]
        if seat[p] == player:
            gains[edge[n]] += others[n] * values[n]
        values[p] += values[n] * (chance[n] if seat[p] == CHANCE else current[edge[n]])
    for i in range(sets):
        learn(first[i], first[i + 1], reached[i] * weight, current, gains, regrets, totals)


@compiled
def learn(start, end, weight, current, gains, regrets, totals):
    """Add one walk's policy to the average and its regrets to the sum; match regrets from now on.

    In the sets of the other player gains and weight are zero: nothing changes there.
    """
    mean = 0.0
    for a in range(start, end):
        mean += current[a] * gains[a]
    whole = 0.0
    for a in range(start, end):
        totals[a] += weight * current[a]
        regrets[a] = max(0.0, regrets[a] + gains[a] - mean)
        whole += regrets[a]
    for a in range(start, end):
        current[a] = regrets[a] / whole if whole > 0 else 1.0 / (end - start)
