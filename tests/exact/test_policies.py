"""What an agent's policy is on a tree, and what a perfect opponent makes of it."""

from __future__ import annotations

import numpy as np
import pytest

from agents.base import Stochastic, load
from agents.network import NetworkSpec, build_policy
from agents.ppo import PPOAgent
from agents.random import RandomAgent
from experiments.exact.grow import grow
from experiments.exact.policies import Played, ask, measured
from experiments.exact.solve import exploitability, solve, value
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK
from tests.exact.small import kuhn
from tests.exact.test_solve import kuhn_equilibrium
from tests.exact.test_tree import SMALLEST


@pytest.fixture(scope="module")
def smallest():
    return grow(NEW_YORK, NEW_YORK.load("tiny", SMALLEST))


class Drawing:
    """Plays at random, and does not say how."""

    name = "drawing"

    def act(self, view, rng):
        return RandomAgent().act(view, rng)


class First:
    """Plays the first legal action."""

    name = "first"

    def act(self, view, rng):
        return view.mask.argmax(axis=1)


class Of:
    """Plays a policy of the tree, which it finds by what it sees."""

    name = "of the tree"

    def __init__(self, grown, policy):
        tree, seen = grown.tree, grown.games.observe()
        chances = np.zeros((len(seen), NEW_YORK.action_count))
        chances[tree.set_of_action, tree.label] = policy
        self.known = {row.tobytes(): chance for row, chance in zip(seen, chances)}

    def act(self, view, rng):
        ends = self.probabilities(view).cumsum(axis=1)
        return (rng.random((len(view), 1)) < ends).argmax(axis=1)

    def probabilities(self, view):
        return np.array([self.known[row.tobytes()] for row in view.observation])


def rng():
    return np.random.default_rng(0)


def test_the_random_agent_is_the_uniform_policy(smallest):
    played = ask(RandomAgent(), smallest, rng())
    assert played.policy == pytest.approx(smallest.tree.uniform())
    assert played.halves is None
    assert played.asked == len(smallest.tree.owner)


def test_who_always_plays_the_first_action_is_found_out_by_asking_twice(smallest):
    tree = smallest.tree
    played = ask(First(), smallest, rng(), samples=2)
    sets = np.flatnonzero(np.maximum.reduceat(played.policy, tree.first[:-1]) == 1)
    assert (played.policy[tree.first[sets]] == 1).all()
    assert 0 < played.asked == len(sets) < len(tree.owner)
    assert np.array_equal(played.halves[0], played.halves[1])


def test_sets_that_an_agent_never_comes_to_do_not_count(smallest):
    """Whatever stands there, a perfect opponent wins the same."""
    tree = smallest.tree
    played = ask(First(), smallest, rng(), samples=2)
    best = np.maximum.reduceat(played.policy, tree.first[:-1])
    elsewhere = np.repeat(best < 1, tree.sizes)
    other = played.policy.copy()
    other[elsewhere] = 0
    other[tree.first[1:][best < 1] - 1] = 1
    assert not np.array_equal(other, played.policy)
    assert exploitability(tree, other).best == exploitability(tree, played.policy).best


def sampled(tree, policy, samples, rng):
    """What asking somebody who plays a policy would bring."""
    halves = np.zeros((2, len(policy)))
    for first, end in zip(tree.first, tree.first[1:]):
        halves[:, first:end] = rng.multinomial(samples // 2, policy[first:end], size=2)
    halves /= samples // 2
    return Played(halves.mean(axis=0), halves, samples, len(tree.owner))


def test_estimates_lie_on_both_sides_of_the_truth_and_close_in():
    """Of an equilibrium player, who loses nothing, a small sample seems to lose something.

    On average the whole sample shows too much, and a half against the other not more than there is.
    """
    tree = kuhn()
    policy, gaps = kuhn_equilibrium(tree, 0.2), []
    for samples in (8, 128):
        rows = [measured(tree, sampled(tree, policy, samples, np.random.default_rng(n)), -1 / 18)
                for n in range(100)]  # fmt: skip
        low = np.array([row["at_least"]["exploitability"] for row in rows])
        high = np.array([row["exploitability"] for row in rows])
        assert high.min() > 0
        assert low.mean() < 3 * low.std() / len(low) ** 0.5
        gaps.append(high.mean() - low.mean())
    assert gaps[1] < gaps[0] / 2


def test_an_equilibrium_player_loses_nothing(smallest):
    """The sets of this game have observations of their own, so a policy can be played by them."""
    tree = smallest.tree
    found = solve(tree, target=1e-3)
    player = Of(smallest, found.policy)
    assert isinstance(player, Stochastic)
    row = measured(tree, ask(player, smallest, rng()), found.found.value)
    assert row["exploitability"] == pytest.approx(found.found.exploitability, abs=5e-3)
    assert min(row["loses"]) > -5e-3
    assert sum(row["loses"]) / 2 == pytest.approx(row["exploitability"])


@pytest.mark.parametrize("deterministic", [False, True])
def test_a_network_says_how_it_plays(smallest, deterministic):
    policy = build_policy(NEW_YORK, NetworkSpec([8], [8], [8], "relu"))
    for weights in policy.parameters():
        weights.data.normal_(0, 0.5)
    agent = PPOAgent(policy, deterministic=deterministic)
    view = smallest.games.view(np.arange(5))
    said = agent.probabilities(view)
    assert said.sum(axis=1) == pytest.approx(np.ones(5), abs=1e-6)
    assert (said[view.mask == 0] == 0).all()
    n = 2000
    drawn = agent.act(view[np.repeat(np.arange(5), n)], rng()).reshape(5, n)
    counts = np.stack([np.bincount(row, minlength=said.shape[1]) for row in drawn]) / n
    assert counts == pytest.approx(said, abs=4 * 0.5 / n**0.5)
    assert ((said == 1).any(axis=1) == deterministic).all()


def test_scripted_players_are_worth_what_many_games_say(smallest):
    """The tree's value of a policy against itself is the mean of games played."""
    played = ask(load("heuristic"), smallest, rng(), samples=64)
    games = Batch(4_000, card_set=smallest.games.card_set)
    games.deal(np.arange(len(games)))
    points = games.playout(np.arange(len(games)), "heuristic")[:, 0].astype(float)
    margin = 4 * points.std() / len(games) ** 0.5
    assert value(smallest.tree, played.policy) == pytest.approx(points.mean(), abs=margin + 0.01)


def test_wrong_answers_and_numbers_are_refused(smallest):
    class Wrong:
        name = "wrong"

        def act(self, view, rng):
            return np.zeros(len(view), np.int64)

    with pytest.raises(ValueError, match="wrong: answered with an illegal action"):
        ask(Wrong(), smallest, rng())
    for samples in (0, 3):
        with pytest.raises(ValueError, match="samples: must be even and 2 or more"):
            ask(First(), smallest, rng(), samples=samples)
