"""What the learner learns from: the decisions as they were taken, each with its own mask."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from agents.network import MaskedPolicy
from experiments.collected import Collected

from .helpers import SMALL, environment
from .toy import TOY

STEPS, GAMES, GAMMA, LAMBDA = 24, 6, 0.9, 0.8


class Watched(BaseCallback):
    """Keeps copies of what passes between the games and the learner."""

    def __init__(self):
        super().__init__()
        self.steps = []

    def _on_step(self):
        seen = self.locals
        self.steps.append({
            "observations": self.model._last_obs.copy(),
            "masks": seen["action_masks"].copy(),
            "actions": seen["actions"].copy(),
            "rewards": seen["rewards"].copy(),
            "values": seen["values"].numpy().copy().reshape(-1),
            "starts": np.array(self.model._last_episode_starts, bool),
            "dones": seen["dones"].copy(),
            "last": [info.get("terminal_observation") for info in seen["infos"]],
        })  # fmt: skip
        return True


@pytest.fixture
def collected():
    """A learner after one rollout of the toy game, and what passed by."""
    env = environment(GAMES, game=TOY)
    model = MaskablePPO(
        MaskedPolicy, env, n_steps=STEPS, batch_size=36, n_epochs=2, gamma=GAMMA,
        gae_lambda=LAMBDA, policy_kwargs=SMALL.policy_kwargs(), seed=0, device="cpu",
        rollout_buffer_class=Collected,
    )  # fmt: skip
    model.set_logger(Logger(None, []))
    watched = Watched()
    model._setup_learn(STEPS * GAMES, watched)
    watched.init_callback(model)
    model.collect_rollouts(env, watched, model.rollout_buffer, STEPS)
    return model, watched.steps


def test_the_buffer_holds_what_passed_and_nothing_that_came_later(collected):
    model, steps = collected
    buffer = model.rollout_buffer
    for k, step in enumerate(steps):
        assert np.array_equal(buffer.observations[k], step["observations"])
        assert np.array_equal(buffer.action_masks[k], step["masks"] == 1)
        assert np.array_equal(buffer.actions[k, :, 0], step["actions"])
        assert np.array_equal(buffer.rewards[k], step["rewards"])
        assert np.array_equal(buffer.values[k], step["values"])
        assert np.array_equal(buffer.episode_starts[k], step["starts"])
    before = buffer.observations.copy()
    model._last_obs[:] = 7
    model.env.step(np.array([row.argmax() for row in model.env.action_masks()]))
    assert np.array_equal(buffer.observations, before)


def test_a_mask_belongs_to_its_observation(collected):
    """The toy game shows the colour to name, which is always legal; others often are not."""
    model, _ = collected
    buffer = model.rollout_buffer
    asked = buffer.observations.argmax(axis=-1)
    assert (buffer.observations.sum(axis=-1) == 1).all()
    assert np.take_along_axis(buffer.action_masks, asked[..., None], -1).all()
    assert (buffer.action_masks.sum(axis=-1) == 4).all()
    assert np.take_along_axis(buffer.action_masks, buffer.actions, -1).all()


def test_last_observations_of_games_are_never_learnt_from(collected):
    """A game that ends is dealt anew at once: its row is the learner's last decision in it."""
    model, steps = collected
    ends = np.array([step["dones"] for step in steps])
    assert ends.sum() > 2 * GAMES
    assert np.array_equal(model.rollout_buffer.episode_starts[1:].astype(bool), ends[:-1])
    for step, later in pairwise(steps):
        for i in np.flatnonzero(step["dones"]):
            assert not step["last"][i].any()  # nobody is asked
            assert later["observations"][i].any()
    assert (model.rollout_buffer.rewards[~ends] == 0).all()
    assert (model.rollout_buffer.rewards[ends] != 0).any()


def test_advantages_stop_at_the_end_of_a_game(collected):
    model, steps = collected
    buffer = model.rollout_buffer
    with torch.no_grad():
        last = model.policy.predict_values(torch.from_numpy(model._last_obs)).numpy().reshape(-1)
    for i in range(GAMES):
        ahead, value = 0.0, float(last[i])
        for k in reversed(range(STEPS)):
            goes_on = not steps[k]["dones"][i]
            gain = steps[k]["rewards"][i] + GAMMA * value * goes_on - steps[k]["values"][i]
            ahead = gain + GAMMA * LAMBDA * ahead * goes_on
            value = float(steps[k]["values"][i])
            assert buffer.advantages[k, i] == pytest.approx(ahead, abs=1e-5)
            assert buffer.returns[k, i] == pytest.approx(ahead + value, abs=1e-5)


def test_a_pass_visits_every_decision_once_with_all_that_belongs_to_it(collected):
    model, _ = collected
    buffer = model.rollout_buffer
    buffer.values[:] = np.arange(STEPS * GAMES).reshape(STEPS, GAMES)  # a name for each
    np.random.seed(3)
    parts = list(buffer.get(36))
    assert [len(part.actions) for part in parts] == [36, 36, 36, 36]
    names = torch.cat([part.old_values for part in parts]).numpy().astype(int)
    assert sorted(names.tolist()) == list(range(STEPS * GAMES))
    assert names.tolist() != sorted(names.tolist())
    step, game = np.divmod(names, GAMES)
    for name, array in (
        ("observations", buffer.observations), ("actions", buffer.actions),
        ("old_log_prob", buffer.log_probs), ("advantages", buffer.advantages),
        ("returns", buffer.returns), ("action_masks", buffer.action_masks),
    ):  # fmt: skip
        found = torch.cat([getattr(part, name) for part in parts]).numpy()
        assert np.array_equal(found, array[step, game]), name
    parts[0].observations[:] = 9
    assert not (buffer.observations == 9).any()


def test_a_buffer_that_is_not_full_is_not_learnt_from(collected):
    model, _ = collected
    memory = model.rollout_buffer.observations
    model.rollout_buffer.reset()
    assert model.rollout_buffer.observations is memory
    with pytest.raises(ValueError, match=f"0 of {STEPS} steps"):
        next(model.rollout_buffer.get(36))
