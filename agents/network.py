"""The network of a trained agent: a shared trunk, then one branch for moves and one for value."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from agents import forward
from skirmish_env.game import Game

ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh, "silu": nn.SiLU}
CRITICS = SEEN, FULL = ("seen", "full")
ILLEGAL = -1e9  # a logit so low that its probability is exactly zero in float32


@dataclass(frozen=True)
class NetworkSpec:
    """Widths of the hidden layers, what stands between them, and what the value is made of.

    Where `critic` is "full", the value has a trunk of its own, as wide as the other, over the
    full-information vector (see `agents.critic`); it takes part in learning only.
    """

    trunk: list[int] = field(default_factory=lambda: [256])
    policy: list[int] = field(default_factory=lambda: [256])
    value: list[int] = field(default_factory=lambda: [256])
    activation: str = "relu"
    critic: str = SEEN

    def __post_init__(self) -> None:
        if self.critic not in CRITICS:
            raise ValueError(f"critic: {self.critic!r} is unknown; there are {', '.join(CRITICS)}")
        if self.activation not in ACTIVATIONS:
            known = ", ".join(ACTIVATIONS)
            raise ValueError(f"activation: {self.activation!r} is unknown; there are {known}")
        for name in ("trunk", "policy", "value"):
            if any(width < 1 for width in getattr(self, name)):
                raise ValueError(f"{name}: every layer needs a width of 1 or more")

    def as_dict(self) -> dict[str, Any]:
        """Return plain data that `NetworkSpec(**data)` takes back."""
        return asdict(self)

    def policy_kwargs(self) -> dict[str, Any]:
        """Arguments of `MaskedPolicy`, as stable-baselines3 passes them on."""
        value = list(self.value) if self.critic == SEEN else []
        return {
            "net_arch": {"pi": list(self.policy), "vf": value},
            "activation_fn": ACTIVATIONS[self.activation],
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {
                "widths": list(self.trunk),
                "activation": ACTIVATIONS[self.activation],
            },
        }


class Trunk(BaseFeaturesExtractor):
    """Layers that both branches share: the wide first one is paid for once.

    Args:
        observation_space: of the rows.
        widths, activation: of the layers.
        seen: entries of a row that it reads, the first ones; None is all of them.
    """

    def __init__(
        self,
        observation_space: spaces.Box,
        widths: list[int],
        activation: type[nn.Module],
        seen: int | None = None,
    ) -> None:
        entries = int(observation_space.shape[0]) if seen is None else seen
        sizes = [entries, *widths]
        super().__init__(observation_space, features_dim=sizes[-1])
        self.seen = entries
        self.layers = layered(sizes, activation)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return features (n, last width) of observations (n, D), or of longer rows."""
        return self.layers(observations[:, : self.seen])


def layered(sizes: list[int], activation: type[nn.Module]) -> nn.Sequential:
    """Return linear layers between these sizes, each with its activation."""
    layers: list[nn.Module] = []
    for size, width in pairwise(sizes):
        layers += [nn.Linear(size, width), activation()]
    return nn.Sequential(*layers)


class NoValue(nn.Module):
    """What stands in the critic's place where an agent whose critic was "full" plays."""

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Refuse: no value can be had from what a seat sees.

        Raises:
            ValueError: always.
        """
        raise ValueError("value: this agent's critic read hidden cards; it only has moves")


class MaskedPolicy(MaskableActorCriticPolicy):
    """The policy of sb3-contrib with the masked distribution computed once and unchecked.

    The same numbers as its parent's at a fraction of the cost: the parent normalises the logits
    twice, validates them every time, and samples slowly.
    """

    def logits(self, features: torch.Tensor, masks: Any) -> torch.Tensor:
        """Logits (n, A) from the trunk's features; those of illegal actions are `ILLEGAL`."""
        logits = self.action_net(self.mlp_extractor.forward_actor(features))
        if masks is not None:
            illegal = torch.as_tensor(masks).reshape(logits.shape) == 0
            logits = logits.masked_fill_(illegal, ILLEGAL)
        return logits

    def parts(self) -> dict[str, forward.Layers]:
        """Return weights and biases by layer of trunk, policy and value branch; no copies."""
        branches = self.mlp_extractor
        modules = {
            "trunk": self._linear(self.features_extractor),
            "policy": self._linear(branches.policy_net, self.action_net),
            "value": self._linear(branches.value_net, self.value_net),
        }
        return {
            part: [(m.weight.detach().numpy(), m.bias.detach().numpy()) for m in found]
            for part, found in modules.items()
        }

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return actions (n,), values (n, 1) and log-probabilities (n,) of the actions."""
        features = self.features_extractor(obs)
        logits = self.logits(features, action_masks)
        actions = logits.argmax(dim=-1) if deterministic else draw(logits)
        values = self.values(obs, features)
        return actions, values, _chosen(torch.log_softmax(logits, dim=-1), actions)

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return values (n, 1), log-probabilities (n,) of the actions, and entropies (n,)."""
        features = self.features_extractor(obs)
        logits = self.logits(features, action_masks)
        log_p = torch.log_softmax(logits, dim=-1)
        # Not log_p.exp(): the exponential of numbers this low is some forty times slower.
        entropy = -(torch.softmax(logits, dim=-1) * log_p).sum(dim=-1)
        values = self.values(obs, features)
        return values, _chosen(log_p, actions.long()), entropy

    def move_layers(self) -> tuple[forward.Shape, forward.Layers]:
        """Return the shape, and weights and biases by layer, of trunk and policy; no copies."""
        parts = self.parts()
        layers = [*parts["trunk"], *parts["policy"]]
        return forward.Shape.of(layers, self.activation), layers

    def judge(self) -> forward.Judge:
        """Return policy and value as compiled code computes them; its weights are copies.

        Raises:
            ValueError: the network has no value branch.
        """
        return forward.Judge(self.parts(), self.activation)

    @property
    def activation(self) -> str:
        """Name of what stands between layers, one of `ACTIVATIONS`."""
        (name,) = (key for key, kind in ACTIVATIONS.items() if kind is self.activation_fn)
        return name

    @staticmethod
    def _linear(*parts: nn.Module) -> list[nn.Linear]:
        modules = (module for part in parts for module in part.modules())
        return [module for module in modules if isinstance(module, nn.Linear)]

    def predict_values(self, obs: torch.Tensor) -> torch.Tensor:
        """Return values (n, 1)."""
        return self.values(obs, self.features_extractor(obs))

    def values(self, rows: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
        """Return values (n, 1) of rows, of which the trunk has made features."""
        return self.value_net(self.mlp_extractor.forward_critic(features))


def draw(logits: torch.Tensor) -> torch.Tensor:
    """Draw an action in every row of logits (n, A), never one whose probability is zero."""
    heights = torch.softmax(logits, dim=-1).cumsum(dim=-1, dtype=torch.float64)
    total = heights[:, -1:]
    marks = torch.rand(len(logits), 1, dtype=torch.float64) * total
    marks = torch.minimum(marks, torch.nextafter(total, torch.zeros_like(total)))  # if rounded up
    return torch.searchsorted(heights, marks, right=True).squeeze(-1)


def _chosen(log_p: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
    return log_p.gather(-1, actions[:, None]).squeeze(-1)


def observation_space(game: Game) -> spaces.Box:
    """Return the space of a game's observations."""
    return spaces.Box(game.low, game.high, (game.observation_size,), np.float32)


def build_policy(game: Game, spec: NetworkSpec) -> MaskedPolicy:
    """Make a network that plays a game, whose weights are still to be loaded."""
    policy = MaskedPolicy(
        observation_space(game),
        spaces.Discrete(game.action_count),
        lr_schedule=lambda _: 0.0,
        ortho_init=False,  # slow, and overwritten anyway
        **spec.policy_kwargs(),
    )
    if spec.critic == FULL:
        policy.value_net = NoValue()
    return policy


def playing_weights(weights: dict[str, torch.Tensor], spec: NetworkSpec) -> dict[str, torch.Tensor]:
    """Return those weights of a network that `build_policy` has a place for."""
    if spec.critic == SEEN:
        return weights
    return {key: one for key, one in weights.items() if not key.startswith("value_net.")}
