import numpy as np
import pytest
import torch

from agents.network import NetworkSpec, build_policy
from agents.ppo import PPOAgent
from agents.random import RandomAgent
from experiments.league import League
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK

from .helpers import SMALL, frozen

VILLAINS, HEROES = 0, 1


def league(shares, keep=3, seed=0, **options):
    return League({"random": RandomAgent()}, shares, keep, np.random.default_rng(seed), **options)


def seats(n, seat=VILLAINS):
    return np.full(n, seat)


def test_a_snapshot_does_not_change_when_the_learner_does():
    learner = build_policy(NEW_YORK, SMALL)
    snapshot = PPOAgent.copy_of(learner, NEW_YORK, SMALL, "snapshot")
    snapshot.deterministic = True
    batch = Batch(64)
    batch.deal(np.arange(64))
    before = snapshot.act(batch.view(), np.random.default_rng(0))
    weights = {key: value.clone() for key, value in snapshot.policy.state_dict().items()}
    with torch.no_grad():
        for parameter in learner.parameters():
            parameter.mul_(-1.5).add_(0.1)
    assert np.array_equal(snapshot.act(batch.view(), np.random.default_rng(0)), before)
    for key, value in snapshot.policy.state_dict().items():
        assert torch.equal(value, weights[key])
    assert not np.shares_memory(snapshot.weights, next(learner.parameters()).detach().numpy())
    changed = PPOAgent(learner, deterministic=True)
    assert not np.array_equal(changed.act(batch.view(), np.random.default_rng(0)), before)


def test_shares_are_kept():
    pool = league({"random": 1, "latest": 2, "past": 1})
    for decisions in (0, 10, 20):
        pool.add_snapshot(frozen(), decisions)
    drawn = pool.draw(seats(4000))
    counts = {member: (drawn == member).mean() for member in np.unique(drawn)}
    latest = pool.snapshots[-1]
    assert counts[0] == pytest.approx(0.25, abs=0.03)
    assert counts[latest] == pytest.approx(0.5, abs=0.03)
    assert sum(counts[m] for m in pool.snapshots[:-1]) == pytest.approx(0.25, abs=0.03)


def test_the_latest_stands_in_for_a_past_that_is_not_there():
    pool = league({"past": 1})
    with pytest.raises(ValueError, match="no snapshot"):
        pool.draw(seats(1))
    first = pool.add_snapshot(frozen(), 0)
    assert set(pool.draw(seats(10))) == {first}


def test_the_league_thins_out_evenly_and_keeps_first_and_latest():
    pool = league({"latest": 1}, keep=4)
    for decisions in range(0, 900, 100):
        pool.add_snapshot(frozen(), decisions)
    at = [pool.members[member].decisions for member in pool.snapshots]
    assert len(at) == 4
    assert (at[0], at[-1]) == (0, 800)
    assert max(np.diff(at)) <= 500


def test_a_dropped_snapshot_stays_as_long_as_a_game_needs_it():
    pool = league({"latest": 1}, keep=2)
    members = [pool.add_snapshot(frozen(seed=k), k) for k in range(3)]
    assert pool.snapshots == [members[0], members[2]]
    pool.forget(np.array([members[1], 0]))
    assert members[1] in pool.members
    assert pool.kind(members[1]) == "past"
    pool.forget(np.array([0]))
    assert set(pool.members) == {0, members[0], members[2]}
    assert pool.places.tolist() == [-1, 0, -1, 1]
    for member in pool.snapshots:
        weights = pool.members[member].agent.weights
        assert np.array_equal(pool.team.weights[pool.places[member]], weights)


def test_scores_count_half_the_draws():
    pool = league({"random": 1})
    for reward in (1.0, 0.0, -1.0, 1.0):
        pool.record(0, VILLAINS, reward)
    assert pool.scores()["random"] == pytest.approx(0.625)
    assert np.isnan(pool.scores()["latest"])
    assert pool.games == {"random": 4, "latest": 0, "past": 0}


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ({"heuristics": 1}, "nobody is called heuristics"),
        ({"random": -1, "latest": 2}, "none may be negative"),
        ({"random": 0}, "one must be positive"),
    ],
)
def test_wrong_shares_are_refused(shares, words):
    with pytest.raises(ValueError, match=words):
        league(shares)


def test_who_beats_the_learner_is_drawn_more_in_that_seat_alone():
    """Hand-worked: 10 drawn games are counted in, and the shares of both opponents are equal.

    As Villains the learner won 10 games against random and lost 10 against the older snapshot:
    scores (10 + 5) / 20 = 3/4 and 5 / 20 = 1/4, so at hardness 2 they count (1/4)^2 and (3/4)^2.
    """
    pool = league({"random": 1, "past": 1, "latest": 2}, hardness=2.0, memory=1e12)
    older, latest = (pool.add_snapshot(frozen(), decisions) for decisions in (0, 10))
    for _ in range(10):
        pool.record(0, VILLAINS, 1.0)
        pool.record(older, VILLAINS, -1.0)
        pool.record(latest, HEROES, -1.0)  # latest has its share, whatever happens
    members, chances = pool.chances()
    assert members == [0, older, latest]
    assert chances[VILLAINS] == pytest.approx([0.5 / 10, 0.5 * 9 / 10, 0.5])
    assert chances[HEROES] == pytest.approx([0.25, 0.25, 0.5])
    drawn = pool.draw(np.repeat([VILLAINS, HEROES], 4000))
    for seat, part in enumerate(np.split(drawn, 2)):
        found = [(part == member).mean() for member in members]
        assert found == pytest.approx(chances[seat], abs=0.03)


def test_a_share_counts_before_the_scores():
    """Hand-worked: 5 won and 5 drawn of 10 are (7.5 + 5) / 20 = 5/8, nothing played is 1/2."""
    pool = league({"random": 3, "past": 2}, hardness=1.0, memory=1e12)
    older = [pool.add_snapshot(frozen(), decisions) for decisions in (0, 10, 20)][:-1]
    for _ in range(5):
        pool.record(0, HEROES, 1.0)
        pool.record(0, HEROES, 0.0)
    _, chances = pool.chances()
    weights = np.array([3 * 3 / 8, 1 * 1 / 2, 1 * 1 / 2])
    assert pool.chances()[0] == [0, *older]
    assert chances[HEROES] == pytest.approx(weights / weights.sum())
    assert chances[VILLAINS] == pytest.approx([3 / 5, 1 / 5, 1 / 5])


def test_without_hardness_results_do_not_matter():
    pool = league({"random": 1, "past": 1}, hardness=0.0)
    pool.add_snapshot(frozen(), 0)
    for _ in range(50):
        pool.record(0, VILLAINS, 1.0)
    assert pool.chances()[1] == pytest.approx(np.full((2, 2), 0.5))


def test_old_results_fade():
    """Hand-worked: with a memory of two games each one halves what was before."""
    pool = league({"random": 1}, memory=2)
    for reward in (1.0, 1.0, -1.0):
        pool.record(0, VILLAINS, reward)
    points, games = 0.25 + 0.5, 0.25 + 0.5 + 1
    expected = (points + 5) / (games + 10)
    assert pool.standings.scores([0])[:, 0] == pytest.approx([expected, 0.5])


def test_nobody_remembers_a_snapshot_that_has_gone():
    pool = league({"latest": 1, "random": 1}, keep=2)
    members = [pool.add_snapshot(frozen(), k) for k in range(3)]
    for member in (*members, 0):
        pool.record(member, VILLAINS, 1.0)
    pool.forget(np.array([0]))
    assert {member for member, *_ in pool.standings.state()} == {0, members[0], members[2]}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"hardness": -1.0}, "hardness: 0 or more, not -1.0"),
        ({"memory": 0.5}, "1 seat and game or more, not 2 and 0.5"),
    ],
)
def test_wrong_matchmaking_is_refused(options, words):
    with pytest.raises(ValueError, match=words):
        league({"random": 1}, **options)


def test_state_and_restore_bring_the_same_league_back():
    pool = league({"random": 1, "latest": 1, "past": 1}, hardness=2.0)
    for decisions in (0, 10, 20):
        pool.add_snapshot(frozen(seed=decisions), decisions)
    for member, reward in [(0, 1.0)] * 9 + [(pool.snapshots[0], -1.0)] * 5:
        pool.record(member, HEROES, reward)
    state = pool.state(lambda agent: agent.policy.state_dict())

    def thaw(weights):
        policy = build_policy(NEW_YORK, NetworkSpec([16], [16], [16]))
        policy.load_state_dict(weights)
        return PPOAgent(policy)

    again = league({"random": 1, "latest": 1, "past": 1}, seed=77, hardness=2.0)
    again.restore(state, thaw)
    assert again.snapshots == pool.snapshots
    assert again.scores()["random"] == 1.0
    assert np.array_equal(again.chances()[1], pool.chances()[1])
    assert np.array_equal(again.draw(seats(50, HEROES)), pool.draw(seats(50, HEROES)))
    for member in pool.snapshots:
        left, right = pool.members[member].agent, again.members[member].agent
        for key, value in left.policy.state_dict().items():
            assert torch.equal(value, right.policy.state_dict()[key])
    assert np.array_equal(again.places, pool.places)
    assert np.array_equal(again.team.weights, pool.team.weights)
