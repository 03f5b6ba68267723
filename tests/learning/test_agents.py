import numpy as np
import pytest

from agents.base import Agent, load
from agents.checkpoint import CheckpointError
from agents.ppo import PPOAgent
from experiments.identity import identity
from skirmish_env.batch import Batch

from .helpers import frozen


def middle_games(n=40, moves=30, seed=0):
    rng = np.random.default_rng(seed)
    batch = Batch(n)
    batch.deal(np.arange(n))
    for _ in range(moves):
        live = np.flatnonzero(~batch.over)
        batch.step(batch.view(live).policy("random", rng), live)
    return batch, np.flatnonzero(~batch.over)


@pytest.mark.parametrize("agent", [load("random"), load("heuristic"), frozen()])
def test_every_action_is_legal_and_follows_the_generator(agent):
    assert isinstance(agent, Agent)
    batch, live = middle_games()
    view = batch.view(live)
    actions = agent.act(view, np.random.default_rng(1))
    assert actions.dtype == np.int64
    assert actions.shape == (len(live),)
    assert view.mask[np.arange(len(live)), actions].all()
    assert np.array_equal(actions, agent.act(view, np.random.default_rng(1)))
    assert len(agent.act(view[np.arange(0)], np.random.default_rng(1))) == 0


def test_drawing_and_the_most_probable_move():
    batch, live = middle_games()
    agent = frozen()
    drawn = [agent.act(batch.view(live), np.random.default_rng(seed)) for seed in (1, 2)]
    assert not np.array_equal(*drawn)
    agent.deterministic = True
    fixed = [agent.act(batch.view(live), np.random.default_rng(seed)) for seed in (1, 2)]
    assert np.array_equal(*fixed)


def test_a_trained_agent_only_answers_for_the_one_to_decide():
    batch, live = middle_games()
    other = 1 - batch.seat[live].astype(int)
    with pytest.raises(ValueError, match="not the one to decide"):
        frozen().act(batch.view(live, other), np.random.default_rng(0))


@pytest.mark.parametrize("part", ["trunk", "policy", "value"])
def test_other_weights_anywhere_make_another_agent(part):
    """Of the value branch too: in a search it judges the leaves."""
    one, other = frozen(), frozen()
    assert one.sha256 == other.sha256
    weights, _ = other.policy.parts()[part][-1]
    weights[0, 0] += 1  # shares the network's memory
    assert one.sha256 != other.sha256
    assert identity("mine", one) == f"ppo {one.sha256[:16]}"
    for agent in (one, other):
        assert f"guide=ppo {agent.sha256[:16]}," in identity("mine", agent.with_search())


def test_an_unknown_agent_is_refused_by_name(tmp_path):
    with pytest.raises(ValueError, match=r"did you mean .random.*heuristic, .*random.*run folder"):
        load("randon")
    with pytest.raises(CheckpointError, match="no checkpoint in this folder"):
        load(tmp_path)
    with pytest.raises(CheckpointError, match="no such checkpoint"):
        PPOAgent.load(tmp_path / "final.zip")
