"""The compiled policy branch says what torch says."""

import numpy as np
import pytest
import torch
from gymnasium import spaces

from agents.forward import Judge, Shape, answers, drawn, packed, probabilities
from agents.network import MaskedPolicy, NetworkSpec
from agents.ppo import PPOAgent, Team
from skirmish_env.batch import Batch

from .helpers import SMALL, frozen

OBSERVATION, ACTIONS = 13, 19
SPECS = [
    NetworkSpec([8], [16], [3]),
    NetworkSpec([24], [], [], "tanh"),
    NetworkSpec([], [12, 9], [4], "silu"),
    NetworkSpec([7, 30], [11], [5], "relu"),
]


def network(spec, seed=0):
    torch.manual_seed(seed)
    space = spaces.Box(-1, 1, (OBSERVATION,), np.float32), spaces.Discrete(ACTIONS)
    return MaskedPolicy(*space, lambda _: 0.0, ortho_init=False, **spec.policy_kwargs())


def rows(n, seed=0):
    """Observations, most of whose entries are zero, and masks with a legal action each."""
    rng = np.random.default_rng(seed)
    observations = rng.standard_normal((n, OBSERVATION)) * (rng.random((n, OBSERVATION)) < 0.4)
    masks = (rng.random((n, ACTIONS)) < 0.3).astype(np.int8)
    masks[np.arange(n), rng.integers(ACTIONS, size=n)] = 1
    return observations.astype(np.float32), masks


def torch_probabilities(policy, observations, masks):
    with torch.no_grad():
        features = policy.features_extractor(torch.from_numpy(observations))
        return torch.softmax(policy.logits(features, masks).double(), dim=-1).numpy()


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_every_interval_of_the_scale_is_an_action_of_torch(spec):
    """A mark in the middle of an action's share of the scale draws this action."""
    policy = network(spec)
    shape, layers = policy.move_layers()
    weights = packed(shape, layers)[None]
    observations, masks = rows(30)
    shares = torch_probabilities(policy, observations, masks)
    ends = shares.cumsum(axis=1)
    row, action = np.nonzero(shares > 1e-4)
    middles = ends[row, action] - shares[row, action] / 2
    which = np.zeros(len(row), np.int64)
    found = answers(shape, weights, which, observations[row], masks[row], middles)
    assert np.array_equal(found, action)
    assert len(set(found.tolist())) == ACTIONS
    best = answers(shape, weights, which[:30], observations, masks, None)
    assert np.array_equal(best, shares.argmax(axis=1))


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_the_probabilities_are_those_of_torch(spec):
    policy = network(spec)
    shape, layers = policy.move_layers()
    observations, masks = rows(30)
    shares = torch_probabilities(policy, observations, masks)
    given = shape, packed(shape, layers), observations, masks
    found = probabilities(*given, deterministic=False)
    assert found == pytest.approx(shares, abs=1e-6)
    assert (found[masks == 0] == 0).all()
    surest = probabilities(*given, deterministic=True)
    assert np.array_equal(surest, np.eye(ACTIONS)[shares.argmax(axis=1)])


def test_each_row_is_answered_by_its_own_network_whatever_stands_beside_it():
    policies = [network(SPECS[0], seed) for seed in (1, 2, 3)]
    shape, _ = policies[0].move_layers()
    weights = np.stack([packed(*policy.move_layers()) for policy in policies])
    observations, masks = rows(60)
    which = np.random.default_rng(5).integers(3, size=60)
    together = answers(shape, weights, which, observations, masks, None)
    for k in range(3):
        mine = which == k
        expected = torch_probabilities(policies[k], observations, masks).argmax(axis=1)
        assert np.array_equal(together[mine], expected[mine])
    apart = [
        answers(shape, weights, which[i : i + 1], observations[i : i + 1], masks[i : i + 1], None)
        for i in range(60)
    ]
    assert np.array_equal(together, np.concatenate(apart))


@pytest.mark.parametrize(
    ("mark", "action"), [(0.0, 1), (0.19, 1), (0.21, 3), (np.nextafter(0.7, 0), 3), (0.7, 3)]
)
def test_drawing_never_ends_on_weight_zero(mark, action):
    heights = np.array([0, 0.2, 0, 0.5, 0, 9], np.float32)
    assert drawn(np.array([1, 1, 1, 1, 1, 0], np.int8), heights, mark) == action


def test_rows_that_cannot_be_answered_are_told():
    policy = network(SPECS[0])
    shape, layers = policy.move_layers()
    observations, masks = rows(4)
    which = np.zeros(4, np.int64)
    weights = packed(shape, layers)[None]
    empty = masks.copy()
    empty[2] = 0
    with pytest.raises(ValueError, match="row 2: its viewer is not the one to decide"):
        answers(shape, weights, which, observations, empty, np.full(4, 0.5))
    wild = observations.copy()
    wild[1] = np.nan
    with pytest.raises(ValueError, match="row 1: the network's output is not finite"):
        answers(shape, weights, which, wild, masks, None)
    with pytest.raises(ValueError, match=r"layers: shapes .* are not those of widths \(13, 8, 5"):
        packed(Shape((13, 8, 5, 19), "relu"), layers)


def test_a_team_answers_as_its_members_do():
    batch = Batch(40)
    batch.deal(np.arange(40))
    agents = [frozen(seed=seed) for seed in (1, 2)]
    for agent in agents:
        agent.deterministic = True
    which = np.arange(40) % 2
    view = batch.view()
    team = Team(agents)
    together = team.answers(view.observation, view.mask, which, np.random.default_rng(0))
    for k, agent in enumerate(agents):
        mine = np.flatnonzero(which == k)
        alone = agent.act(batch.view(mine), np.random.default_rng(0))
        assert np.array_equal(together[mine], alone)
    assert (together[::2] != together[1::2]).any()


@pytest.mark.parametrize(
    "other", [frozen(spec=NetworkSpec([8], [16], [16])), PPOAgent(frozen().policy, name="b")]
)
def test_a_team_is_of_one_kind(other):
    other.deterministic = other.shape == frozen(spec=SMALL).shape
    with pytest.raises(ValueError, match="one kind, not of 2"):
        Team([frozen(), other])


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_policy_and_value_together_are_those_of_torch(spec):
    policy = network(spec)
    observations, masks = rows(30)
    priors, values = policy.judge()(observations, masks)
    shares = torch_probabilities(policy, observations, masks)
    with torch.no_grad():
        wanted = policy.predict_values(torch.from_numpy(observations))[:, 0].numpy()
    assert np.allclose(priors, shares, atol=1e-6)
    assert (priors[masks == 0] == 0).all()
    assert np.allclose(values, wanted, atol=1e-5)
    assert np.ptp(values) > 1e-3


def test_a_judge_keeps_its_weights_and_refuses_what_is_no_number():
    policy = network(SPECS[0])
    judge, (observations, masks) = policy.judge(), rows(3)
    before = judge(observations, masks)
    with torch.no_grad():
        for weights in policy.parameters():
            weights.fill_(float("nan"))
    assert all(np.array_equal(*pair) for pair in zip(before, judge(observations, masks)))
    with pytest.raises(ValueError, match="output is not finite"):
        policy.judge()(observations, masks)


def test_a_value_branch_that_does_not_fit_the_trunk_is_refused():
    parts = network(SPECS[0]).parts()
    with pytest.raises(ValueError, match=r"do not lead from the trunk's 8 to 1"):
        Judge({**parts, "value": parts["policy"]}, "relu")
    with pytest.raises(ValueError, match="this network has none"):
        Judge({**parts, "value": []}, "relu")
