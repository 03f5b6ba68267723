"""What goes wrong in learning without a word: masks, minibatches, seats, copies."""

import io
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import SubprocVecEnv

from agents import checkpoint
from agents.base import load
from agents.network import MaskedPolicy
from agents.ppo import PPOAgent
from configs.schema import ConfigError, RunConfig, TrainConfig
from experiments.arena import play_pairs
from experiments.collected import Collected
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK
from skirmish_env.gym_env import SkirmishEnv

from .helpers import SMALL, environment, frozen, random_league
from .toy import TOY, stepping


class Nothing(BaseCallback):
    def _on_step(self):
        return True


def learner(env, steps, minibatch, **settings):
    torch.set_num_threads(1)
    model = MaskablePPO(
        MaskedPolicy, env, n_steps=steps, batch_size=minibatch, seed=0, device="cpu",
        policy_kwargs=SMALL.policy_kwargs(), rollout_buffer_class=Collected,
        **{"n_epochs": 2, **settings},
    )  # fmt: skip
    model.set_logger(Logger(None, []))
    return model


def collect(model):
    _, watched = model._setup_learn(10**6, Nothing())
    model.collect_rollouts(model.env, watched, model.rollout_buffer, model.n_steps)


def parameters(model):
    return torch.cat([p.detach().flatten() for p in model.policy.parameters()])


# ---------------------------------------------------------------------------------------------
# Advantages.

ORDER = (0, 0, 1, 0, 1, 1)  # both seats decide twice running, and three times in all
VALUES = (0.4, 0.2, -0.6)  # what the learner thinks at its first, second and third decision
BY_HAND = {  # advantages with gamma and lambda 1/2, by the game's result
    1.0: (-0.325, -0.1, 1.6),
    0.0: (-0.3875, -0.35, 0.6),
    -1.0: (-0.45, -0.6, -0.4),
}
CUT_OFF = (-0.425, -0.5)  # of a game whose third decision comes after the update


class Scripted:
    """Names the right colour in even games and a wrong one in odd ones, and values by `VALUES`."""

    def __init__(self, env):
        self.env = env

    def forward(self, obs, deterministic=False, action_masks=None):
        right = obs.numpy().argmax(axis=1)
        wrong = action_masks.copy()
        wrong[np.arange(len(wrong)), right] = 0
        actions = np.where(np.arange(len(right)) % 2 == 0, right, wrong.argmax(axis=1))
        return torch.from_numpy(actions), self.predict_values(obs), torch.zeros(len(right))

    def predict_values(self, obs):
        return torch.tensor(VALUES)[self.env.length][:, None]


def test_advantages_are_those_worked_by_hand_where_a_seat_decides_twice_running():
    """Third decision: the result minus -0.6. Second: half of -0.6 minus 0.2, and a quarter of the
    third's. First: half of 0.2 minus 0.4, and a quarter of the second's.
    """
    env = environment(16, game=replace(TOY, kernels=replace(TOY.kernels, step=stepping(ORDER))))
    model = learner(env, 14, 16, gamma=0.5, gae_lambda=0.5)
    script = Scripted(env)
    model.policy.forward, model.policy.predict_values = script.forward, script.predict_values
    collect(model)
    buffer = model.rollout_buffer
    results = buffer.rewards[2:12:3]
    assert not np.delete(buffer.rewards, slice(2, 12, 3), axis=0).any()
    for row, game in np.ndindex(results.shape):
        found = buffer.advantages[3 * row : 3 * row + 3, game]
        assert found == pytest.approx(BY_HAND[float(results[row, game])], abs=1e-6)
    for game in range(16):
        assert buffer.advantages[12:, game] == pytest.approx(CUT_OFF, abs=1e-6)
    assert buffer.returns == pytest.approx(buffer.advantages + buffer.values, abs=1e-6)
    for seat in (0, 1):  # game i begins in seat i modulo 2 and changes seats with every deal
        for right in (0, 1):
            mine = results[(seat + right) % 2 :: 2, right::2]
            assert (1 - 2 * right) in mine
            assert (2 * right - 1) not in mine


# ---------------------------------------------------------------------------------------------
# Minibatches.


def test_a_single_decision_left_over_leaves_the_network_finite():
    model = learner(environment(5, game=TOY), 5, 8)  # 25 decisions: 8, 8, 8 and one
    before = parameters(model)
    model.learn(25)
    assert torch.isfinite(parameters(model)).all()
    assert not torch.equal(parameters(model), before)


def test_minibatches_of_one_are_refused():
    with pytest.raises(ConfigError, match=r"train\.minibatch: must be 2 or more"):
        RunConfig(train=TrainConfig(minibatch=1))


@pytest.mark.parametrize("advantage", [0.0, 0.5])
def test_equal_advantages_leave_the_network_finite(advantage):
    model = learner(environment(4, game=TOY), 8, 16)
    collect(model)
    before = parameters(model)
    model.rollout_buffer.advantages[:] = advantage
    model.train()
    assert torch.isfinite(parameters(model)).all()
    assert not torch.equal(parameters(model), before)  # the values still learn


# ---------------------------------------------------------------------------------------------
# Copies.


def test_a_snapshot_in_the_league_stays_while_the_learner_learns():
    league = random_league()
    env = environment(8, game=TOY, league=league)
    model = learner(env, 16, 32, learning_rate=0.01)
    for decisions in (0, 1):
        league.add_snapshot(PPOAgent.copy_of(model.policy, TOY, SMALL, "snapshot"), decisions)
    league.shares = {"latest": 1.0, "past": 1.0}
    begin = league.team.weights.copy()
    assert np.array_equal(begin[0], PPOAgent(model.policy).weights)
    model.learn(256)
    assert np.array_equal(league.team.weights, begin)
    for member in league.snapshots:
        assert np.array_equal(league.members[member].agent.weights, begin[0])
    assert np.abs(PPOAgent(model.policy).weights - begin[0]).max() > 0.01
    assert league.games["latest"] > 0


# ---------------------------------------------------------------------------------------------
# Masks, held against a network that wants one move always, legal or not.

WANTED = NEW_YORK.moves.index("play ares_1")


def obsess(policy):
    """Make a network want the lowest id, whatever it sees; else the next, and so on."""
    with torch.no_grad():
        policy.action_net.weight.zero_()
        policy.action_net.bias.copy_(-20.0 * torch.arange(NEW_YORK.action_count))
    return policy


def obsessed():
    return PPOAgent(obsess(frozen().policy))


def saved(model, folder):
    file = folder / "final.zip"
    weights = io.BytesIO()
    model.save(weights)
    details = {"decisions": 0, "network": SMALL.as_dict()}
    checkpoint.write_file(file, checkpoint.pack(weights, {}, NEW_YORK, **details))
    return file


def check_collected(buffer):
    taken = buffer.actions.astype(int)
    assert np.take_along_axis(buffer.action_masks, taken, -1).all()
    assert 0 < (taken == WANTED).mean() < 0.5  # it plays its move where it may, and only there
    assert np.array_equal(taken[..., 0] == WANTED, buffer.action_masks[..., WANTED])


def test_masks_hold_in_training_and_in_the_league(monkeypatch):
    assert WANTED == 0
    league = random_league()
    league.shares = {"latest": 1.0}
    league.add_snapshot(obsessed(), 0)
    env, answered = environment(8, league=league), []
    answers = env._answers

    def check(index):
        actions = answers(index)
        answered.append(env.batch.check(actions, index))
        assert np.array_equal(actions == WANTED, env.batch.masks(index)[:, WANTED] == 1)
        return actions

    monkeypatch.setattr(env, "_answers", check)
    model = learner(env, 64, 64, learning_rate=1e-6)
    obsess(model.policy)
    model.learn(512)
    check_collected(model.rollout_buffer)
    assert np.unique(np.concatenate(answered)).size > 20


def test_masks_hold_in_evaluation_and_for_a_reloaded_model(tmp_path):
    model = learner(environment(2), 2, 2)
    obsess(model.policy)
    file = saved(model, tmp_path)
    reloaded, agent = load(file), obsessed()
    deals = np.arange(6)
    games = play_pairs(reloaded, load("random"), deals)  # an illegal move would raise
    assert (games.decisions > 20).all()
    assert games.rows() == play_pairs(PPOAgent.load(file), load("random"), deals).rows()
    batch = Batch(200)
    batch.deal(np.arange(200))
    for player in (reloaded, PPOAgent.load(file, deterministic=True), agent):
        view = batch.view()
        actions = player.act(view, np.random.default_rng(0))
        assert view.mask[np.arange(200), actions].all()
        assert np.array_equal(actions, view.mask.argmax(axis=1))  # the first legal id


def against(file):
    return SkirmishEnv(opponent=str(file), side="alternate")


@pytest.mark.parametrize("start", ["spawn", "forkserver"])
def test_masks_hold_in_other_processes(start, tmp_path):
    """The games of two processes, opponents reloaded there, are those of one process."""
    model = learner(environment(2), 2, 2)
    obsess(model.policy)
    file = saved(model, tmp_path)
    envs = SubprocVecEnv([partial(against, file)] * 2, start_method=start)
    try:
        model = learner(envs, 96, 64, learning_rate=1e-6)
        obsess(model.policy)
        model.learn(192)
    finally:
        envs.close()
    buffer = model.rollout_buffer
    check_collected(buffer)
    ended = 0
    for i in range(2):
        env = against(file)
        observation, info = env.reset(seed=i)
        for step in range(96):
            assert np.array_equal(buffer.observations[step, i], observation)
            assert np.array_equal(buffer.action_masks[step, i], info["action_mask"] == 1)
            action = int(buffer.actions[step, i, 0])
            observation, reward, over, _, info = env.step(action)
            assert buffer.rewards[step, i] == reward
            if over:
                observation, info = env.reset()
                ended += 1
    assert ended > 1
