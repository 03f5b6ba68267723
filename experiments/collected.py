"""What a learner has collected between two updates, without stable-baselines3's copies of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples


class Collected(MaskableRolloutBuffer):
    """The arrays of its parent, (steps, games, ...), in memory that is used again.

    The parent takes new memory for every update, copies all of it to another order before the
    first gradient step, and every minibatch twice. A minibatch here is a copy as well, so nothing
    that the environment or a gradient step does changes what lies in the buffer. Masks are bool.
    """

    def reset(self) -> None:
        """Forget what was collected."""
        if not hasattr(self, "action_masks"):
            super().reset()
            self.action_masks = self.action_masks.astype(bool)
        self.pos, self.full = 0, False

    def add(
        self,
        obs: np.ndarray,
        action: np.ndarray,
        reward: np.ndarray,
        episode_start: np.ndarray,
        value: torch.Tensor,
        log_prob: torch.Tensor,
        action_masks: np.ndarray | None = None,
    ) -> None:
        """Copy one step of all games in: see the parent."""
        here = self.pos
        self.observations[here] = obs
        self.actions[here] = action.reshape(self.actions.shape[1:])
        self.rewards[here] = reward
        self.episode_starts[here] = episode_start
        self.values[here] = value.numpy().reshape(-1)
        self.log_probs[here] = log_prob.numpy()
        self.action_masks[here] = True if action_masks is None else action_masks
        self.pos += 1
        self.full = self.pos == self.buffer_size

    def get(self, batch_size: int | None = None) -> Iterator[MaskableRolloutBufferSamples]:
        """Yield all decisions in random order, so many at a time.

        One that is left over joins the last minibatch: a single advantage has no spread, which
        the learner divides by.
        """
        if not self.full:
            raise ValueError(f"{self.pos} of {self.buffer_size} steps are collected")
        count = self.buffer_size * self.n_envs
        order = torch.from_numpy(np.random.permutation(count))
        rows = [torch.from_numpy(array.reshape(count, -1)) for array in self._arrays()]
        size = batch_size or count
        for start, end in pairwise([*range(0, count - 1, size), count]):
            chosen = order[start:end]
            obs, actions, *numbers, masks = (row.index_select(0, chosen) for row in rows)
            numbers = [number.flatten() for number in numbers]
            yield MaskableRolloutBufferSamples(obs, actions, *numbers, masks)

    def _arrays(self) -> list[Any]:
        """Arrays in the order of a minibatch."""
        return [
            self.observations, self.actions, self.values, self.log_probs, self.advantages,
            self.returns, self.action_masks,
        ]  # fmt: skip
