"""Trees: what they refuse, counts and chances of the small game, and who knows what in it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from experiments.exact import deals
from experiments.exact.deals import every_deal, piles
from experiments.exact.grow import grow
from experiments.exact.tree import CHANCE, OVER
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK
from tests.exact.small import Grown, kuhn

# The small game, made smaller still: one slot a side and no decks to speak of.
SMALLEST = {"manhattan_slots": 1, "villains_opening_hand": 3, "heroes_opening_hand": 2,
            "cards_removed": 1, "civilian_floor": -1}  # fmt: skip


@pytest.fixture(scope="module")
def smallest():
    return grow(NEW_YORK, NEW_YORK.load("tiny", SMALLEST))


# ---------------------------------------------------------------------------------------------
# Trees of any game.


def test_kuhn_has_the_known_counts():
    tree = kuhn()
    assert len(tree) == 1 + 6 * 9
    assert (tree.seat == OVER).sum() == 6 * 5
    assert np.bincount(tree.owner).tolist() == [6, 6]
    assert len(tree.label) == 24


def test_nodes_stand_behind_their_parents_level_by_level():
    tree = kuhn()
    assert (tree.parent[1:] < np.arange(1, len(tree))).all()
    assert (np.diff(tree.level) >= 0).all()
    children, first = tree.children
    for node in range(len(tree)):
        assert (tree.parent[children[first[node] : first[node + 1]]] == node).all()
    assert sorted(children.tolist()) == list(range(1, len(tree)))


def two_steps(second_key: str) -> Grown:
    """One seat decides twice; the second question is known by `second_key` after both answers."""
    g = Grown()
    root = g.add(-1, 0, "first")
    for one in (0, 1):
        node = g.add(root, 0, second_key.format(one), label=one)
        for other in (0, 1):
            g.add(node, OVER, label=other, payoff=one + other)
    return g


def test_who_forgets_an_own_answer_is_refused():
    assert np.bincount(two_steps("after {}").tree().owner).tolist() == [3]
    with pytest.raises(ValueError, match="forgets what it did or knew"):
        two_steps("second").tree()


def test_chances_that_do_not_sum_to_1_are_refused():
    g = Grown()
    root = g.add(-1, CHANCE)
    for chance in (0.5, 0.4):
        g.add(root, OVER, chance=chance)
    with pytest.raises(ValueError, match=r"node 0: its chances sum to 0\.9"):
        g.tree()


def test_different_actions_in_one_information_set_are_refused():
    g = Grown()
    root = g.add(-1, CHANCE)
    for actions in ((0, 1), (0, 2)):
        node = g.add(root, 0, "same", chance=0.5)
        for action in actions:
            g.add(node, OVER, label=action)
    with pytest.raises(ValueError, match="different actions"):
        g.tree()


def test_a_policy_must_sum_to_1():
    tree = kuhn()
    with pytest.raises(ValueError, match="expected shape"):
        tree.checked(np.ones(3))
    with pytest.raises(ValueError, match=r"do not sum to 1, but to 2\.0"):
        tree.checked(np.ones(len(tree.label)))


# ---------------------------------------------------------------------------------------------
# Deals.


def test_deals_with_copies_are_counted_as_by_hand():
    """Two a and one b: the hand is a in two of three cases, then comes a or b; or b, then a."""
    found = {(p.hand, p.deck): Fraction(p.chance).limit_denominator(100)
             for p in piles({"a": 2, "b": 1}, 1, 1)}  # fmt: skip
    third = Fraction(1, 3)
    assert found == {(("a",), ("a",)): third, (("a",), ("b",)): third, (("b",), ("a",)): third}


@pytest.mark.parametrize("removed", [0, 1])
def test_chances_of_all_deals_sum_to_1(removed):
    card_set = NEW_YORK.load("tiny", {"cards_removed": removed})
    games, chances = every_deal(NEW_YORK, card_set)
    assert len(games) == len(chances)
    assert chances.sum() == pytest.approx(1, abs=1e-12)
    assert len(np.unique(games.states)) == len(games)


def test_the_deals_are_those_of_the_game_as_often_as_they_come():
    """Shuffled games are among the deals to the byte, and no deal comes too often or too rarely."""
    card_set = NEW_YORK.load("tiny")
    games, chances = every_deal(NEW_YORK, card_set)
    number = {games.states[i].tobytes(): i for i in range(len(games))}
    dealt = Batch(20_000, card_set=card_set, skip_forced=False)
    dealt.deal(np.arange(len(dealt)))
    dealt.states["rng"] = games.states["rng"][0]
    came = Counter(number[dealt.states[i].tobytes()] for i in range(len(dealt)))
    expected = chances * len(dealt)
    found = np.array([came[i] for i in range(len(games))])
    chi_square = ((found - expected) ** 2 / expected).sum()
    freedom = len(games) - 1
    assert abs(chi_square - freedom) < 4 * (2 * freedom) ** 0.5


def test_a_game_too_large_is_refused_at_once(monkeypatch):
    with pytest.raises(ValueError, match="battlegrounds in hidden order"):
        grow(NEW_YORK, NEW_YORK.load())
    monkeypatch.setattr(deals, "MOST_DEALS", 100)
    with pytest.raises(ValueError, match="231 deals; exact work takes 100"):
        grow(NEW_YORK, NEW_YORK.load("tiny"))


# ---------------------------------------------------------------------------------------------
# The tree of the game itself.


def walk(batch: Batch) -> tuple[int, int, int]:
    """Decisions with a choice, ends, and all nodes below: counted one game after the other."""
    if batch.over[0]:
        return 0, 1, 1
    count = int(batch.states["option_count"][0])
    below = []
    for action in batch.states["options"][0, :count]:
        after = batch.copy()
        after.step([int(action)])
        below.append(walk(after))
    choices, ends, nodes = (sum(column) for column in zip(*below))
    return (choices + 1, ends, nodes + 1) if count > 1 else (choices, ends, nodes)


def test_the_tree_has_the_nodes_that_a_plain_walk_counts(smallest):
    tree = smallest.tree
    games, _ = every_deal(NEW_YORK, smallest.games.card_set)
    one_each = [walk(games.copy([i])) for i in range(0, len(games), 20)]
    top = np.flatnonzero(tree.parent == 0)
    assert len(top) == len(games)
    below = np.ones(len(tree), np.int64)
    for node in range(len(tree) - 1, 0, -1):
        below[tree.parent[node]] += below[node]
    assert below[top[::20]].tolist() == [nodes for *_, nodes in one_each]


def test_chances_sum_to_1_and_payoffs_are_results(smallest):
    tree = smallest.tree
    assert tree.chance[tree.parent == 0].sum() == pytest.approx(1, abs=1e-12)
    assert (tree.seat == CHANCE).sum() == 1
    assert {0.0, 1.0} <= set(tree.payoff[tree.seat == OVER]) <= {-1.0, 0.0, 1.0}
    assert (tree.payoff[tree.seat != OVER] == 0).all()


def test_both_players_have_choices_and_the_labels_are_legal_moves(smallest):
    tree, games = smallest.tree, smallest.games
    assert set(tree.owner) == {0, 1}
    assert tree.sizes.min() >= 2
    assert games.seat.tolist() == tree.owner.tolist()
    for i in range(0, len(games), 7):
        legal = np.flatnonzero(games.masks([i])[0])
        assert tree.label[tree.first[i] : tree.first[i + 1]].tolist() == legal.tolist()


def replayed(tree, node: int) -> list[int]:
    """Actions that lead to a node, behind the number of its deal."""
    path = []
    while tree.parent[node] > 0:
        path.append(int(tree.label[tree.edge[node]]))
        node = int(tree.parent[node])
    return [node, *reversed(path)]


def play(games: Batch, deal: int, actions: list[int]) -> Batch:
    batch = games.copy([deal])
    for action in actions:
        answer_forced(batch)
        batch.step([action])
    answer_forced(batch)
    return batch


def answer_forced(batch: Batch) -> None:
    while batch.states["option_count"][0] == 1:
        batch.step([int(batch.states["options"][0, 0])])


def test_twins_share_an_information_set_and_others_do_not(smallest):
    """All nodes of a set look the same to its seat, and to no other set's example."""
    tree, known = smallest.tree, NEW_YORK.proof.known
    games, _ = every_deal(NEW_YORK, smallest.games.card_set)
    top = np.flatnonzero(tree.parent == 0).tolist()
    rng = np.random.default_rng(0)
    twins = 0
    for i in rng.permutation(len(tree.owner))[:60]:
        nodes = np.flatnonzero(tree.infoset == i)
        looks, hidden = set(), set()
        for node in nodes[:12].tolist():
            first, *actions = replayed(tree, node)
            batch = play(games, top.index(first), actions)
            looks.add(known(batch.states, 0, int(tree.owner[i])))
            hidden.add(batch.states[0].tobytes())
            assert batch.observe().tobytes() == smallest.games.observe([i]).tobytes()
        assert len(looks) == 1
        twins += len(hidden) > 1
    assert twins > 10


def test_forced_questions_are_no_nodes(smallest):
    assert smallest.forced > 0
    assert (smallest.games.states["option_count"] > 1).all()
