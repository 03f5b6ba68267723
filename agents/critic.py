"""A critic that reads what is hidden, for learning only: the moves of its policy never do.

Hidden cards decide much of a result. A critic that knows them tells luck and play apart better,
which is fair in training: whoever plays the agent later needs the moves and not the values.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from agents.network import SEEN, MaskedPolicy, NetworkSpec, layered
from skirmish_env.game import Game


class FullCritic(nn.Module):
    """Values of full-information vectors: one for each seat, of which a row names its own."""

    def __init__(
        self, size: int, widths: list[int], activation: type[nn.Module], seats: int
    ) -> None:
        super().__init__()
        self.size = size
        hidden = layered([size, *widths], activation)
        self.layers = nn.Sequential(*hidden, nn.Linear([size, *widths][-1], seats))

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Return values (n, 1) of rows (n, F + seats): full information, then a seat one-hot."""
        full, seat = rows[:, : self.size], rows[:, self.size :]
        return (self.layers(full) * seat).sum(dim=-1, keepdim=True)


class FullCriticPolicy(MaskedPolicy):
    """The policy that learns where `NetworkSpec.critic` is "full".

    Its rows are float32 (n, D + F + seats): what the seat to decide sees, the full-information
    vector, and that seat as one-hot. Moves depend on the first D entries, values on the others.
    """

    def __init__(self, *arguments: Any, critic: list[int], seats: int, **options: Any) -> None:
        self.critic_widths = critic
        self.seats = seats
        super().__init__(*arguments, **options)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.seen = self.features_extractor.seen
        size = int(self.observation_space.shape[0]) - self.seen - self.seats
        self.value_net = FullCritic(size, self.critic_widths, self.activation_fn, self.seats)
        if self.ortho_init:
            self.value_net.layers[:-1].apply(lambda part: self.init_weights(part, 2**0.5))
            self.init_weights(self.value_net.layers[-1], 1.0)
        rate = lr_schedule(1)
        self.optimizer = self.optimizer_class(self.parameters(), lr=rate, **self.optimizer_kwargs)

    def values(self, rows: torch.Tensor, features: torch.Tensor | None) -> torch.Tensor:
        """Return values (n, 1); the trunk's features are of no use here."""
        return self.value_net(rows[:, self.seen :])

    def predict_values(self, obs: torch.Tensor) -> torch.Tensor:
        """Return values (n, 1)."""
        return self.values(obs, None)


def learning_policy(spec: NetworkSpec, game: Game) -> tuple[type[MaskedPolicy], dict[str, Any]]:
    """Return the class of a network while it learns, and what stable-baselines3 makes it with."""
    kwargs = spec.policy_kwargs()
    if spec.critic == SEEN:
        return MaskedPolicy, kwargs
    kwargs["features_extractor_kwargs"]["seen"] = game.observation_size
    return FullCriticPolicy, {
        **kwargs, "critic": [*spec.trunk, *spec.value], "seats": len(game.seats),
    }  # fmt: skip
