"""Evaluations during training."""

import numpy as np
import pytest
import torch

from agents.base import load
from configs.schema import ConfigError
from experiments import numbers
from experiments import train as training
from experiments.numbers import Yardstick, due
from experiments.runs import RunFolder
from experiments.session import set_up
from skirmish_env.game import NEW_YORK
from tests.curves.helpers import policy_of, small


@pytest.mark.parametrize(
    ("before", "now", "every", "right"),
    [(0, 512, 1024, False), (512, 1024, 1024, True), (1024, 1536, 1024, False),
     (900, 2100, 1000, True), (0, 4096, 0, False)],
)  # fmt: skip
def test_when_an_evaluation_is_due(before, now, every, right):
    assert due(before, now, every) is right


def test_evaluations_leave_training_as_it_was(watched, tmp_path):
    """Bit by bit the same weights, and the same numbers, with and without."""
    without = RunFolder(training.train(small(tmp_path, evaluate_every=0)))
    left, right = policy_of(watched.path), policy_of(without.path)
    assert all(torch.equal(value, right[key]) for key, value in left.items())
    ours = [name for name in watched.read_metrics()[0] if name.startswith(("score_", "entropy"))]
    for one, other in zip(watched.read_metrics(), without.read_metrics()):
        assert [one[name] for name in ours] == [other[name] for name in ours]
        assert other["eval_random"] == ""


def test_an_evaluation_repeats_and_leaves_all_generators_alone(tmp_path):
    config = small(tmp_path)
    session = set_up(config, RunFolder.create(config))
    before = torch.get_rng_state(), np.random.get_state(legacy=False), session.env.state()
    first = session.yardstick.measure(session.model.policy)
    assert first == session.yardstick.measure(session.model.policy)
    assert set(first) == set(session.yardstick.nothing())
    after = torch.get_rng_state(), np.random.get_state(legacy=False), session.env.state()
    assert torch.equal(before[0], after[0])
    assert np.array_equal(before[1]["state"]["key"], after[1]["state"]["key"])
    assert before[1]["state"]["pos"] == after[1]["state"]["pos"]
    assert before[2]["deals"] == after[2]["deals"]
    assert before[2]["moves"] == after[2]["moves"]


def test_an_evaluation_is_the_arenas(tmp_path):
    """The columns are the arena's numbers of a deterministic agent."""
    yardstick = Yardstick({"it": load("random")}, np.arange(6), NEW_YORK, NEW_YORK.load(None, None))
    config = small(tmp_path)
    session = set_up(config, RunFolder.create(config))
    agent = numbers.PPOAgent(session.model.policy, deterministic=True)
    found = numbers.arena.play_pairs(agent, load("random"), np.arange(6))
    villains, heroes = found.scores.mean(axis=0)
    assert yardstick.measure(session.model.policy) == {
        "eval_it": numbers.short(found.scores.mean()),
        "eval_it_villains": numbers.short(villains),
        "eval_it_heroes": numbers.short(heroes),
        "eval_it_draws": numbers.short((found.scores == 0.5).mean()),
    }


def test_wrong_opponents_of_evaluations_are_told_before_training(tmp_path):
    with pytest.raises(ConfigError, match=r"train\.evaluate_opponents: .*nobody"):
        training.train(small(tmp_path, evaluate_opponents=["nobody"]))
    with pytest.raises(ConfigError, match="two are called 'random'"):
        training.train(small(tmp_path, evaluate_opponents=["random", "random"]))
    with pytest.raises(ConfigError, match=r"train\.evaluate_deals: must be from 1"):
        small(tmp_path, evaluate_deals=0)
