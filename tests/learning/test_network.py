import numpy as np
import pytest
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from agents.network import MaskedPolicy, NetworkSpec, draw

OBSERVATION, ACTIONS = 7, 9


@pytest.fixture
def policies():
    """Ours and sb3-contrib's with the same weights."""
    space = spaces.Box(-1, 1, (OBSERVATION,), np.float32), spaces.Discrete(ACTIONS)
    kwargs = NetworkSpec([8], [8], [8], "tanh").policy_kwargs()
    ours = MaskedPolicy(*space, lambda _: 0.0, **kwargs)
    theirs = MaskableActorCriticPolicy(*space, lambda _: 0.0, **kwargs)
    theirs.load_state_dict(ours.state_dict())
    return ours, theirs


def rows(n, seed=0):
    rng = np.random.default_rng(seed)
    observations = torch.as_tensor(rng.standard_normal((n, OBSERVATION)), dtype=torch.float32)
    masks = rng.random((n, ACTIONS)) < 0.4
    masks[:, 3] = True
    return observations, masks, torch.as_tensor([rng.choice(np.flatnonzero(m)) for m in masks])


def test_numbers_are_those_of_sb3_contrib(policies):
    ours, theirs = policies
    observations, masks, actions = rows(50)
    found = ours.evaluate_actions(observations, actions, torch.as_tensor(masks))
    expected = theirs.evaluate_actions(observations, actions, torch.as_tensor(masks))
    for mine, other in zip(found, expected):
        torch.testing.assert_close(mine, other)
    torch.testing.assert_close(
        ours.predict_values(observations), theirs.predict_values(observations)
    )
    chosen, _, log_p = ours(observations, deterministic=True, action_masks=masks)
    expected, _, expected_log_p = theirs(observations, deterministic=True, action_masks=masks)
    assert torch.equal(chosen, expected)
    torch.testing.assert_close(log_p, expected_log_p)


def test_gradients_are_those_of_sb3_contrib(policies):
    observations, masks, actions = rows(50)
    for policy in policies:
        values, log_p, entropy = policy.evaluate_actions(
            observations, actions, torch.as_tensor(masks)
        )
        (values.sum() + log_p.sum() + entropy.sum()).backward()
    for mine, other in zip(policies[0].parameters(), policies[1].parameters()):
        torch.testing.assert_close(mine.grad, other.grad)


def test_a_drawn_action_is_legal_and_as_probable_as_it_says(policies):
    ours, _ = policies
    observations, masks, _ = rows(1)
    torch.manual_seed(0)
    many = observations.repeat(20_000, 1)
    chosen, _, log_p = ours(many, action_masks=masks.repeat(20_000, axis=0))
    assert masks[0][chosen].all()
    for action in np.flatnonzero(masks[0]):
        drawn = chosen == action
        if drawn.any():
            assert drawn.float().mean().item() == pytest.approx(
                log_p[drawn][0].exp().item(), abs=0.015
            )


@pytest.mark.parametrize("height", [0.0, -80.0])
def test_the_only_legal_action_has_probability_one_and_finite_gradients(policies, height):
    """Among actions that the network likes far better, too."""
    ours, _ = policies
    observations, masks, _ = rows(20)
    with torch.no_grad():
        ours.action_net.bias[4] = height
    masks[:] = np.arange(ACTIONS) == 4
    chosen, _, log_p = ours(observations, action_masks=masks)
    assert (chosen == 4).all()
    assert (log_p == 0).all()
    values, log_p, entropy = ours.evaluate_actions(observations, chosen, torch.as_tensor(masks))
    assert (log_p == 0).all()
    assert (entropy == 0).all()
    (values.sum() + log_p.exp().sum() + entropy.sum()).backward()
    gradients = [parameter.grad for parameter in ours.parameters()]
    assert all(torch.isfinite(gradient).all() for gradient in gradients)
    assert not ours.action_net.weight.grad.any()  # nothing else could be chosen
    assert ours.value_net.weight.grad.any()


@pytest.mark.parametrize("mark", [0.0, 1 - 2.0**-53])
def test_drawing_never_ends_on_weight_zero(mark, monkeypatch):
    monkeypatch.setattr(torch, "rand", lambda *_, **__: torch.full((1, 1), mark).double())
    assert draw(torch.tensor([[-1e9, 0.0, -1e9, 1.0, -1e9]]))[0] == (1 if mark == 0 else 3)


def test_widths_and_activations_are_checked():
    with pytest.raises(ValueError, match="activation: 'gelu' is unknown; there are relu"):
        NetworkSpec(activation="gelu")
    with pytest.raises(ValueError, match="policy: every layer"):
        NetworkSpec(policy=[32, 0])
