"""A critic that reads hidden cards: it helps to learn, and nothing of it reaches a move."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger

from agents import checkpoint
from agents.critic import learning_policy
from agents.network import FULL, NetworkSpec
from agents.ppo import PPOAgent
from configs.schema import AgentConfig, EvaluateConfig, RunConfig, TrainConfig
from experiments import train as training
from experiments.collected import Collected
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK

from .helpers import SMALL, any_legal, environment
from .toy import TOY

SPEC = replace(SMALL, critic=FULL)
SEEN, HIDDEN = NEW_YORK.observation_size, NEW_YORK.full_observation_size


def learner(game, env, spec=SPEC, seed=0, **options):
    """A PPO learner whose critic reads everything."""
    policy, kwargs = learning_policy(spec, game)
    model = MaskablePPO(
        policy, env, policy_kwargs=kwargs, rollout_buffer_class=Collected, seed=seed, device="cpu",
        **options,
    )  # fmt: skip
    model.set_logger(Logger(None, []))
    return model


@pytest.fixture(scope="module")
def played():
    """A learner, and what it was told in its games after a while."""
    env = environment(16, full=True)
    model = learner(NEW_YORK, env, n_steps=4, batch_size=32)
    rows, rng = env.reset(), np.random.default_rng(0)
    for _ in range(20):
        rows, *_ = env.step(any_legal(env.action_masks(), rng))
    return model, env, rows


def test_a_row_is_what_is_seen_then_what_is_hidden_then_the_seat(played):
    _, env, rows = played
    assert rows.shape == (16, SEEN + HIDDEN + 2)
    assert np.array_equal(rows[:, :SEEN], env.batch.observe())
    assert np.array_equal(rows[:, SEEN:-2], env.batch.full())
    assert np.array_equal(rows[:, -2:].argmax(axis=1), env.seat)
    assert {0, 1} == set(env.seat.tolist())


def test_moves_do_not_depend_on_what_is_hidden_and_values_do(played):
    model, env, rows = played
    rng, other = np.random.default_rng(1), rows.copy()
    other[:, SEEN:] += rng.standard_normal(other[:, SEEN:].shape).astype(np.float32)
    told, perturbed = torch.from_numpy(rows), torch.from_numpy(other)
    masks = torch.from_numpy(env.action_masks())
    actions = torch.as_tensor(any_legal(env.action_masks(), rng))
    values, log_p, entropy = model.policy.evaluate_actions(told, actions, masks)
    others, other_log_p, other_entropy = model.policy.evaluate_actions(perturbed, actions, masks)
    assert torch.equal(log_p, other_log_p)
    assert torch.equal(entropy, other_entropy)
    assert not torch.isclose(values, others).any()
    torch.manual_seed(0)
    drawn, *_ = model.policy(told, action_masks=masks)
    torch.manual_seed(0)
    assert torch.equal(drawn, model.policy(perturbed, action_masks=masks)[0])


def test_gradients_of_moves_and_values_keep_apart(played):
    model, env, rows = played
    told = torch.from_numpy(rows).requires_grad_()
    values, log_p, _ = model.policy.evaluate_actions(
        told,
        torch.as_tensor(env.action_masks().argmax(axis=1)),
        torch.from_numpy(env.action_masks()),
    )
    (by_moves,) = torch.autograd.grad(log_p.sum(), told, retain_graph=True)
    (by_values,) = torch.autograd.grad(values.sum(), told)
    assert by_moves[:, :SEEN].any()
    assert not by_moves[:, SEEN:].any()
    assert by_values[:, SEEN:].any()
    assert not by_values[:, :SEEN].any()


def test_each_seat_has_a_value_of_its_own(played):
    model, _, rows = played
    told = torch.from_numpy(rows)
    swapped = told.clone()
    swapped[:, -2:] = told[:, -2:].flip(-1)
    with torch.no_grad():
        both = model.policy.value_net.layers(told[:, SEEN:-2])
        seats = told[:, -2:].argmax(dim=-1, keepdim=True)
        assert torch.equal(model.policy.predict_values(told), both.gather(1, seats))
        assert torch.equal(model.policy.predict_values(swapped), both.gather(1, 1 - seats))


def test_the_agent_plays_from_a_view_without_its_critic(played):
    model, _, _ = played
    agent = PPOAgent.copy_of(model.policy, NEW_YORK, SPEC, "copy")
    assert not any("value" in key for key in agent.policy.state_dict())
    batch = Batch(32)
    batch.deal(np.arange(32))
    view, rng = batch.view(), np.random.default_rng(0)
    actions = agent.act(view, rng)
    assert view.mask[np.arange(32), actions].all()
    with pytest.raises(ValueError, match="read hidden cards; it only has moves"):
        agent.policy.predict_values(torch.from_numpy(view.observation))
    # The network that learns gives the same chances to the same moves.
    told = torch.from_numpy(np.hstack([batch.observe(), batch.full(), np.eye(2)[batch.seat]]))
    masks, moves = torch.from_numpy(view.mask), torch.from_numpy(actions)
    features = agent.policy.features_extractor(torch.from_numpy(view.observation))
    log_p = torch.log_softmax(agent.policy.logits(features, masks), dim=-1)
    _, learners, _ = model.policy.evaluate_actions(told.float(), moves, masks)
    assert torch.equal(log_p.gather(1, moves[:, None])[:, 0], learners)


def test_a_run_with_it_is_played_rated_and_continued(tmp_path):
    config = RunConfig(
        folder=str(tmp_path),
        agent=AgentConfig([16], [16], [16], critic=FULL),
        train=TrainConfig(
            decisions=512, games=16, steps=16, minibatch=128, snapshot_every=256,
            checkpoint_every=256, threads=1, evaluate_deals=2,
        ),
        evaluate=EvaluateConfig(opponents=["random"], deals=2),
    )  # fmt: skip
    run = training.train(config)
    zip_file = checkpoint.find(run)
    assert checkpoint.read(zip_file)["network"]["critic"] == FULL
    agent = PPOAgent.load(run)
    batch = Batch(4)
    batch.deal(np.arange(4))
    assert batch.masks()[np.arange(4), agent.act(batch.view(), np.random.default_rng(0))].all()
    training.train(RunConfig(resume=str(run), checkpoint="decisions_000000256"))
    once, again = (checkpoint.read_state(file) for file in (zip_file, checkpoint.find(run)))
    assert np.array_equal(once["env"]["states"], again["env"]["states"])


def test_an_unknown_critic_is_refused():
    with pytest.raises(ValueError, match="critic: 'all' is unknown; there are seen, full"):
        NetworkSpec(critic="all")


@pytest.mark.learning
def test_the_critic_learns_what_only_it_can_see():
    """In the toy game the lead decides, and no seat sees it: a critic of views knows nothing."""
    torch.set_num_threads(1)
    explained = {}
    for critic in ("seen", FULL):
        env = environment(32, game=TOY, full=critic == FULL)
        spec = NetworkSpec([32], [32], [32], critic=critic)
        model = learner(
            TOY, env, spec, n_steps=32, batch_size=128, n_epochs=6, learning_rate=3e-3, gamma=1.0,
            gae_lambda=1.0,
        )  # fmt: skip
        model.learn(2048)
        explained[critic] = model.logger.name_to_value["train/explained_variance"]
    assert explained[FULL] > 0.2
    assert explained["seen"] < 0.1
