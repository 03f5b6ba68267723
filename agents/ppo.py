"""A trained agent: the policy branch of a network, on the CPU."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from stable_baselines3.common.save_util import load_from_zip_file

from agents import checkpoint
from agents.network import MaskedPolicy, NetworkSpec, build_policy
from skirmish_env.game import NEW_YORK, Game
from skirmish_env.views import View


class PPOAgent:
    """Plays a trained network's policy.

    Args:
        policy: the network; the agent owns it from now on.
        name: how tables call it.
        deterministic: play the most probable move instead of drawing one.
    """

    def __init__(
        self, policy: MaskedPolicy, *, name: str = "ppo", deterministic: bool = False
    ) -> None:
        self.policy = policy
        self.name = name
        self.deterministic = deterministic
        policy.set_training_mode(False)

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        game: Game = NEW_YORK,
        deterministic: bool = False,
        threads: int | None = None,
    ) -> PPOAgent:
        """Load a checkpoint: a run folder, a checkpoint folder, or one of its two files.

        Args:
            path: where it lies.
            game: the game that is to be played.
            deterministic: play the most probable move instead of drawing one.
            threads: threads of torch in this whole process; None leaves them as they are.

        Raises:
            CheckpointError: nothing there, or it belongs to another game or layout.
        """
        if threads is not None:
            torch.set_num_threads(threads)
        zip_file = checkpoint.find(path)
        data = checkpoint.read(zip_file)
        checkpoint.check(data, game, zip_file)
        policy = build_policy(game, NetworkSpec(**data["network"]))
        _, parameters, _ = load_from_zip_file(zip_file, load_data=False, device="cpu")
        policy.load_state_dict(parameters["policy"])
        return cls(policy, deterministic=deterministic)

    @classmethod
    def copy_of(cls, policy: MaskedPolicy, game: Game, spec: NetworkSpec, name: str) -> PPOAgent:
        """Freeze a network as it is now: later training does not change the copy."""
        twin = build_policy(game, spec)
        twin.load_state_dict({key: value.clone() for key, value in policy.state_dict().items()})
        return cls(twin, name=name)

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """Choose one legal action in every row, int64 (n,).

        Raises:
            ValueError: a viewer is not the one to decide.
        """
        if not view.mask.any(axis=1).all():
            raise ValueError("a viewer in these rows is not the one to decide")
        with torch.inference_mode():
            features = self.policy.features_extractor(torch.from_numpy(view.observation))
            logits = self.policy.logits(features, view.mask)
            if self.deterministic:
                return logits.argmax(dim=-1).numpy()
            weights = torch.softmax(logits, dim=-1).numpy()
        return draw(weights, rng)


def draw(weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw one column for each row of non-negative weights (n, A); never one of weight zero."""
    heights = np.cumsum(weights, axis=1, dtype=np.float64)
    total = heights[:, -1]
    marks = np.minimum(rng.random(len(weights)) * total, np.nextafter(total, 0))  # if rounded up
    return (heights > marks[:, None]).argmax(axis=1)
