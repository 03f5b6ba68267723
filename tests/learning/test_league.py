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


def league(shares, keep=3, seed=0):
    return League({"random": RandomAgent()}, shares, keep, np.random.default_rng(seed))


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
    drawn = pool.draw(4000)
    counts = {member: (drawn == member).mean() for member in np.unique(drawn)}
    latest = pool.snapshots[-1]
    assert counts[0] == pytest.approx(0.25, abs=0.03)
    assert counts[latest] == pytest.approx(0.5, abs=0.03)
    assert sum(counts[m] for m in pool.snapshots[:-1]) == pytest.approx(0.25, abs=0.03)


def test_the_latest_stands_in_for_a_past_that_is_not_there():
    pool = league({"past": 1})
    with pytest.raises(ValueError, match="no snapshot"):
        pool.draw(1)
    first = pool.add_snapshot(frozen(), 0)
    assert set(pool.draw(10)) == {first}


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
        pool.record(0, reward)
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


def test_state_and_restore_bring_the_same_league_back():
    pool = league({"random": 1, "latest": 1, "past": 1})
    for decisions in (0, 10, 20):
        pool.add_snapshot(frozen(seed=decisions), decisions)
    pool.record(0, 1.0)
    state = pool.state(lambda agent: agent.policy.state_dict())

    def thaw(weights):
        policy = build_policy(NEW_YORK, NetworkSpec([16], [16], [16]))
        policy.load_state_dict(weights)
        return PPOAgent(policy)

    again = league({"random": 1, "latest": 1, "past": 1}, seed=77)
    again.restore(state, thaw)
    assert again.snapshots == pool.snapshots
    assert again.scores()["random"] == 1.0
    assert np.array_equal(again.draw(50), pool.draw(50))
    for member in pool.snapshots:
        left, right = pool.members[member].agent, again.members[member].agent
        for key, value in left.policy.state_dict().items():
            assert torch.equal(value, right.policy.state_dict()[key])
    assert np.array_equal(again.places, pool.places)
    assert np.array_equal(again.team.weights, pool.team.weights)
