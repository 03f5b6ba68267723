"""stable-baselines3 over the compiled engine: the games of the vector environment."""

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks

from experiments.side_by_side import CompiledVecEnv
from skirmish_env.vector_env import SkirmishVectorEnv


def made(n: int = 3, **settings) -> SkirmishVectorEnv:
    usual = {"opponent": "random", "autoreset_mode": AutoresetMode.SAME_STEP, "max_turns": 3}
    return SkirmishVectorEnv(n, **{**usual, **settings})


def test_it_shows_the_games_of_the_vector_environment():
    envs, plain = CompiledVecEnv(made(), seed=5), made()
    plain.action_space.seed(2)
    assert (envs.reset() == plain.reset(seed=5)[0]).all()
    length, ended = np.zeros(3, int), 0
    for _ in range(40):
        actions = plain.action_space.sample()
        observations, rewards, dones, infos = envs.step(actions)
        seen, results, ends, cuts, shown = plain.step(actions)
        length += 1
        assert (observations == seen).all()
        assert (rewards == results).all()
        assert (dones == ends | cuts).all()
        assert (get_action_masks(envs) == shown["action_mask"]).all()
        for i in range(3):
            assert bool(infos[i]) == dones[i]
            if dones[i]:
                assert (infos[i]["terminal_observation"] == shown["final_obs"][i]).all()
                assert infos[i]["TimeLimit.truncated"] == cuts[i]
                assert infos[i]["episode"] == {"r": results[i], "l": length[i]}
                length[i], ended = 0, ended + 1
    assert ended


def test_a_masked_learner_collects_only_legal_actions():
    learner = MaskablePPO(
        "MlpPolicy", CompiledVecEnv(made(), seed=1), n_steps=16, batch_size=48, n_epochs=1,
        device="cpu", seed=0,
    )  # fmt: skip
    learner.learn(48)  # an illegal action would raise
    buffer = learner.rollout_buffer
    taken = buffer.actions.astype(int).reshape(-1)
    assert buffer.action_masks.reshape(len(taken), -1)[np.arange(len(taken)), taken].all()


@pytest.mark.parametrize("settings", [{"copy": False}, {"autoreset_mode": AutoresetMode.NEXT_STEP}])
def test_arrays_that_would_change_under_the_learner_are_refused(settings):
    with pytest.raises(ValueError, match="SAME_STEP and copy"):
        CompiledVecEnv(made(**settings))
