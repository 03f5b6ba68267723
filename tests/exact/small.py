"""Small games as trees: Kuhn poker, and games that can be worked by hand."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import permutations
from typing import Any

from experiments.exact.tree import CHANCE, OVER, Tree, make_tree


class Grown:
    """Collects the nodes of a game that is told move by move."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, int, Hashable, int, float, float, int]] = []

    def add(self, parent: int, seat: int, key: Hashable = None, label: int = 0,
            chance: float = 1.0, payoff: float = 0.0) -> int:  # fmt: skip
        level = self.rows[parent][6] + 1 if parent >= 0 else 0
        self.rows.append((parent, seat, key, label, chance, payoff, level))
        return len(self.rows) - 1

    def tree(self) -> Tree:
        return make_tree(*(list(column) for column in zip(*self.rows)))


PASS, BET = 0, 1


def kuhn() -> Tree:
    """Kuhn poker: three cards, one bet, and an equilibrium family that is known."""
    g = Grown()
    root = g.add(-1, CHANCE)
    for cards in permutations(range(3), 2):
        won = 1 if cards[0] > cards[1] else -1

        def open_node(parent: int, history: str, label: int, **more: Any) -> int:
            seat = len(history) % 2
            return g.add(parent, seat, (seat, cards[seat], history), label, **more)  # noqa: B023

        def end(parent: int, label: int, payoff: int) -> None:
            g.add(parent, OVER, None, label, payoff=payoff)

        start = open_node(root, "", 0, chance=1 / 6)
        passed, bet = open_node(start, "p", PASS), open_node(start, "b", BET)
        end(passed, PASS, won)
        end(bet, PASS, 1)
        end(bet, BET, 2 * won)
        raised = open_node(passed, "pb", BET)
        end(raised, PASS, -1)
        end(raised, BET, 2 * won)
    return g.tree()


def hidden_coin(weight: float) -> Tree:
    """A coin that only seat 0 sees; seat 0 may end the game, else seat 1 guesses it.

    Heads comes with probability `weight`. Ending gives 0. A right guess costs seat 0 one point,
    a wrong one brings one.
    """
    g = Grown()
    root = g.add(-1, CHANCE)
    for side, chance in ((0, weight), (1, 1 - weight)):
        see = g.add(root, 0, ("see", side), chance=chance)
        g.add(see, OVER, label=0, payoff=0)
        guess = g.add(see, 1, "guess", label=1)
        for said in (0, 1):
            g.add(guess, OVER, label=said, payoff=-1 if said == side else 1)
    return g.tree()


def rock_paper_scissors(double: float = 1.0) -> Tree:
    """Seat 1 does not see what seat 0 showed; scissors count `double`."""
    g = Grown()
    first = g.add(-1, 0, "first")
    for one in range(3):
        second = g.add(first, 1, "second", label=one)
        for other in range(3):
            result = (0, 1, -1)[(one - other) % 3]
            g.add(second, OVER, label=other, payoff=result * (double if one == 2 else 1))
    return g.tree()
