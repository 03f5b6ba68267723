"""The solver and best responses: on Kuhn poker, on games worked by hand, against enumeration."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from experiments.exact.grow import grow
from experiments.exact.solve import (
    average,
    best_response,
    clairvoyant,
    exploitability,
    reach,
    solve,
    value,
)
from experiments.exact.tree import CHANCE, OVER, Tree
from skirmish_env.game import NEW_YORK
from tests.exact.small import BET, PASS, hidden_coin, kuhn, rock_paper_scissors
from tests.exact.test_tree import SMALLEST

JACK, QUEEN, KING = range(3)


@pytest.fixture(scope="module")
def poker() -> Tree:
    return kuhn()


@pytest.fixture(scope="module")
def smallest() -> Tree:
    return grow(NEW_YORK, NEW_YORK.load("tiny", SMALLEST)).tree


def in_kuhn(tree: Tree, seat: int, card: int, history: str) -> slice:
    """Actions of an information set, found by the way to it rather than by its number."""
    for node in np.flatnonzero((tree.seat == seat) & (tree.infoset >= 0)):
        path, at = "", int(node)
        while tree.parent[at] > 0:
            path = "pb"[tree.label[tree.edge[at]]] + path
            at = int(tree.parent[at])
        deal = int(np.flatnonzero(np.flatnonzero(tree.parent == 0) == at)[0])
        cards = [(a, b) for a in range(3) for b in range(3) if a != b][deal]
        if path == history and cards[seat] == card:
            i = tree.infoset[node]
            return slice(tree.first[i], tree.first[i + 1])
    raise LookupError((seat, card, history))


# ---------------------------------------------------------------------------------------------
# Kuhn poker.


def test_kuhn_has_its_value_and_an_equilibrium_of_the_known_family(poker):
    """Kuhn 1950: seat 0 bets a jack with a, a king with 3a, and calls with a queen at a + 1/3."""
    found = solve(poker, target=1e-4)
    low, high = found.found.value_bounds
    assert low <= -1 / 18 <= high
    assert high - low < 3e-4

    def bets(seat: int, card: int, history: str) -> float:
        return float(found.policy[in_kuhn(poker, seat, card, history)][BET])

    a = bets(0, JACK, "")
    assert -0.01 < a < 1 / 3 + 0.01
    assert bets(0, KING, "") == pytest.approx(3 * a, abs=0.03)
    assert bets(0, QUEEN, "") == pytest.approx(0, abs=0.01)
    assert bets(0, QUEEN, "pb") == pytest.approx(a + 1 / 3, abs=0.03)
    assert [bets(0, card, "pb") for card in (JACK, KING)] == pytest.approx([0, 1], abs=0.01)
    assert bets(1, JACK, "p") == pytest.approx(1 / 3, abs=0.03)
    assert bets(1, QUEEN, "b") == pytest.approx(1 / 3, abs=0.03)
    assert [bets(1, QUEEN, "p"), bets(1, JACK, "b")] == pytest.approx([0, 0], abs=0.01)
    assert [bets(1, KING, "p"), bets(1, KING, "b")] == pytest.approx([1, 1], abs=0.01)


def kuhn_equilibrium(tree: Tree, a: float) -> np.ndarray:
    """One of the family, written down by hand."""
    policy = np.zeros(len(tree.label))
    bets = {
        (0, JACK, ""): a, (0, QUEEN, ""): 0, (0, KING, ""): 3 * a,
        (0, JACK, "pb"): 0, (0, QUEEN, "pb"): a + 1 / 3, (0, KING, "pb"): 1,
        (1, JACK, "p"): 1 / 3, (1, QUEEN, "p"): 0, (1, KING, "p"): 1,
        (1, JACK, "b"): 0, (1, QUEEN, "b"): 1 / 3, (1, KING, "b"): 1,
    }  # fmt: skip
    for where, bet in bets.items():
        policy[in_kuhn(tree, *where)] = 1 - bet, bet
    return policy


@pytest.mark.parametrize("a", [0, 0.2, 1 / 3])
def test_nobody_gains_against_an_equilibrium_written_by_hand(poker, a):
    found = exploitability(poker, kuhn_equilibrium(poker, a))
    assert found.value == pytest.approx(-1 / 18)
    assert found.best == pytest.approx((-1 / 18, 1 / 18))
    assert found.exploitability == pytest.approx(0, abs=1e-12)


def test_who_always_passes_is_bluffed_out_of_every_pot(poker):
    """Against passing, seat 0 always bets and wins 1; seat 1 too, whatever the cards."""
    passes = np.tile([1.0, 0.0], len(poker.owner))
    assert PASS == 0
    assert exploitability(poker, passes).best == pytest.approx((1, 1))


# ---------------------------------------------------------------------------------------------
# Games worked by hand.


@pytest.mark.parametrize("weight", [0.5, 0.75])
def test_a_hidden_coin_is_worth_nothing_to_who_may_end_the_game(weight):
    """The guesser says heads and tails equally often; then going on gives 0 as well."""
    found = solve(hidden_coin(weight), target=1e-4).found
    assert found.value == pytest.approx(0, abs=3e-4)


def test_chance_inside_the_tree_is_weighed():
    """Seat 0 goes on with either side; heads, three in four, is guessed: -3/4 + 1/4."""
    tree = hidden_coin(0.75)
    goes_on = np.zeros(len(tree.label))
    goes_on[tree.label == 1] = 1
    guess = int(tree.infoset[np.flatnonzero(tree.seat == 1)[0]])
    goes_on[tree.first[guess] : tree.first[guess + 1]] = 1, 0
    assert value(tree, goes_on) == pytest.approx(-0.5)
    assert best_response(tree, goes_on, 0)[0] == pytest.approx(0.25)
    assert clairvoyant(tree, goes_on, 1) == pytest.approx(1)


def test_rock_paper_scissors_is_played_equally_often():
    found = solve(rock_paper_scissors(), target=1e-5)
    assert found.policy == pytest.approx(np.full(6, 1 / 3), abs=1e-3)


def test_scissors_that_count_twice_are_shown_half_as_often():
    """Seat 0's scissors win and lose double: x0 = x1 = 2 x2, and the value is 0."""
    found = solve(rock_paper_scissors(double=2.0), target=1e-5)
    assert found.policy[:3] == pytest.approx([0.4, 0.4, 0.2], abs=1e-3)
    assert found.policy[3:] == pytest.approx(np.full(3, 1 / 3), abs=1e-3)
    assert found.found.value == pytest.approx(0, abs=1e-4)


# ---------------------------------------------------------------------------------------------
# Against enumeration.


def plain_value(tree: Tree, policy: np.ndarray, node: int = 0) -> float:
    """The same as `value`, by recursion."""
    if tree.seat[node] == OVER:
        return float(tree.payoff[node])
    total = 0.0
    for child in np.flatnonzero(tree.parent == node):
        way = tree.chance[child] if tree.seat[node] == CHANCE else policy[tree.edge[child]]
        total += way * plain_value(tree, policy, int(child))
    return total


def pure(tree: Tree, policy: np.ndarray, seat: int):
    """Yield the policy with each pure strategy of a seat in its place."""
    own = np.flatnonzero(tree.owner == seat)
    for choice in product(*(range(tree.sizes[i]) for i in own)):
        changed = policy.copy()
        for i, chosen in zip(own, choice):
            changed[tree.first[i] : tree.first[i + 1]] = 0
            changed[tree.first[i] + chosen] = 1
        yield changed


@pytest.mark.parametrize("seed", [None, 0, 1])
def test_best_responses_are_the_best_of_all_pure_strategies(poker, seed):
    """None is the uniform policy, whose two best responses gain 11/12 in Kuhn poker."""
    policy = poker.uniform()
    if seed is not None:
        policy = average(poker, np.random.default_rng(seed).random(len(policy)))
    for seat, sign in ((0, 1), (1, -1)):
        points, answer = best_response(poker, policy, seat)
        best = max(sign * value(poker, one) for one in pure(poker, policy, seat))
        assert points == pytest.approx(best)
        assert sign * plain_value(poker, answer) == pytest.approx(best)
    if seed is None:
        assert exploitability(poker, policy).nash_conv == pytest.approx(11 / 12)


def answered(tree: Tree, policy: np.ndarray, seat: int) -> float:
    """A best response by another way: sets in order of how late they come, values by recursion."""
    chosen: dict[int, int] = {}
    ways = np.where(tree.edge >= 0, policy[np.maximum(tree.edge, 0)], tree.chance)
    below: dict[int, list[int]] = {}
    for child in range(1, len(tree)):
        below.setdefault(int(tree.parent[child]), []).append(child)

    def worth(node: int) -> float:
        if tree.seat[node] == OVER:
            return float(tree.payoff[node]) * (1 if seat == 0 else -1)
        if tree.seat[node] == seat:
            return worth(next(c for c in below[node] if tree.edge[c] == chosen[tree.infoset[node]]))
        return sum(ways[c] * worth(c) for c in below[node])

    others = np.where(np.repeat(tree.owner == seat, tree.sizes), 1.0, policy)
    come = reach(tree, others)
    for i in np.flatnonzero(tree.owner == seat)[::-1]:
        totals = np.zeros(tree.first[-1])
        for node in np.flatnonzero(tree.infoset == i):
            for child in below[int(node)]:
                totals[tree.edge[child]] += come[node] * worth(child)
        actions = np.arange(tree.first[i], tree.first[i + 1])
        chosen[int(i)] = int(actions[totals[actions].argmax()])
    return worth(0)


def test_the_uniform_player_of_the_game_itself_loses_what_plain_python_says(smallest):
    policy = smallest.uniform()
    assert value(smallest, policy) == pytest.approx(plain_value(smallest, policy))
    found = exploitability(smallest, policy)
    assert found.best == pytest.approx([answered(smallest, policy, seat) for seat in (0, 1)])
    assert found.exploitability > 0.1


def test_the_solver_closes_in_on_the_value_of_the_game_itself(smallest):
    found = solve(smallest, target=1e-3)
    assert found.found.exploitability <= 1e-3
    low, high = found.found.value_bounds
    assert low - 1e-9 <= found.found.value <= high + 1e-9
    again = solve(smallest, target=1e-4).found.value_bounds
    assert low - 1e-9 <= again[0] <= again[1] <= high + 1e-9
    assert found.curve[0][2] > 10 * found.curve[-1][2]


def test_who_sees_everything_gets_no_less(smallest):
    policy = solve(smallest, target=1e-3).policy
    for seat in (0, 1):
        assert clairvoyant(smallest, policy, seat) >= best_response(smallest, policy, seat)[0]
