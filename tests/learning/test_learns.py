import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger

from agents.network import MaskedPolicy, NetworkSpec
from agents.ppo import PPOAgent
from agents.random import RandomAgent
from experiments.arena import play_pairs

from .helpers import environment
from .toy import TOY


@pytest.mark.learning
def test_ppo_learns_a_toy_game():
    torch.set_num_threads(1)
    env = environment(32, game=TOY)
    spec = NetworkSpec([32], [32], [32])
    model = MaskablePPO(
        MaskedPolicy,
        env,
        n_steps=32,
        batch_size=256,
        n_epochs=6,
        learning_rate=3e-3,
        gamma=1.0,
        policy_kwargs=spec.policy_kwargs(),
        seed=0,
        device="cpu",
    )
    model.set_logger(Logger(None, []))
    before = PPOAgent.copy_of(model.policy, TOY, spec, "before")
    model.learn(16_000, log_interval=None)
    after = PPOAgent.copy_of(model.policy, TOY, spec, "after")

    deals = np.arange(100)
    assert play_pairs(before, RandomAgent(), deals, game=TOY).summary()["score"] < 0.65
    learnt = play_pairs(after, RandomAgent(), deals, game=TOY).summary()
    assert learnt["seats"]["first"]["score"] > 0.9
    assert learnt["seats"]["second"]["score"] > 0.9
