"""A trained agent: the policy branch of a network, on the CPU."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from stable_baselines3.common.save_util import load_from_zip_file

from agents import checkpoint
from agents.forward import Judge, answers, packed, probabilities
from agents.network import MaskedPolicy, NetworkSpec, build_policy, playing_weights
from agents.search.network import SearchAgent
from skirmish_env.game import NEW_YORK, Game
from skirmish_env.views import View


class PPOAgent:
    """Plays a trained network's policy.

    Args:
        policy: the network; its weights are read now, later changes do not count.
        name: how tables call it.
        deterministic: play the most probable move instead of drawing one.

    Attributes:
        policy: the network, left alone from now on.
        shape, weights: the policy's part of it as compiled code reads it (`agents.forward`).
    """

    def __init__(
        self, policy: MaskedPolicy, *, name: str = "ppo", deterministic: bool = False
    ) -> None:
        self.policy = policy
        self.name = name
        self.deterministic = deterministic
        policy.set_training_mode(False)
        self.shape, layers = policy.move_layers()
        self.weights = packed(self.shape, layers)

    @property
    def sha256(self) -> str:
        """Hash of all weights of its network, those of the value branch among them."""
        found = hashlib.sha256(self.policy.activation.encode())
        for part, layers in self.policy.parts().items():
            for numbers in (one for layer in layers for one in layer):
                found.update(f"{part} {numbers.shape} {numbers.dtype}".encode())
                found.update(numbers.tobytes())
        return found.hexdigest()

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        game: Game = NEW_YORK,
        deterministic: bool = False,
        threads: int | None = None,
    ) -> PPOAgent:
        """Load a checkpoint: a run folder, a checkpoint folder, or a checkpoint file.

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
        _, parameters, _ = load_from_zip_file(zip_file, load_data=False, device="cpu")
        agent = cls.of_weights(parameters["policy"], game, NetworkSpec(**data["network"]), "ppo")
        agent.deterministic = deterministic
        return agent

    @classmethod
    def of_weights(
        cls, weights: dict[str, torch.Tensor], game: Game, spec: NetworkSpec, name: str
    ) -> PPOAgent:
        """Make an agent of a network's weights (its `state_dict`), which are copied.

        The weights of a critic that reads hidden cards are left out.
        """
        policy = build_policy(game, spec)
        policy.load_state_dict(playing_weights(weights, spec))
        return cls(policy, name=name)

    @classmethod
    def copy_of(cls, policy: MaskedPolicy, game: Game, spec: NetworkSpec, name: str) -> PPOAgent:
        """Freeze a network as it is now: later training does not change the copy."""
        return cls.of_weights(policy.state_dict(), game, spec, name)

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """Choose one legal action in every row, int64 (n,).

        Raises:
            ValueError: a viewer is not the one to decide.
        """
        which = np.zeros(len(view), np.int64)
        return Team([self]).answers(view.observation, view.mask, which, rng)

    def judge(self) -> Judge:
        """Return policy and value of the network, for a search that it guides.

        Raises:
            ValueError: the network has no value branch.
        """
        return self.policy.judge()

    def with_search(self, *, game: Game = NEW_YORK) -> SearchAgent:
        """Return a search that this network guides: who plays as "NAME+search".

        Raises:
            ValueError: the network has no value branch.
        """
        return SearchAgent.of(self, game=game)

    def probabilities(self, view: View) -> np.ndarray:
        """Probabilities of all actions as `act` plays them, float64 (n, A); 0 for illegal ones.

        Raises:
            ValueError: a viewer is not the one to decide, or the network's output is not finite.
        """
        return probabilities(
            self.shape, self.weights, view.observation, view.mask,
            deterministic=self.deterministic,
        )  # fmt: skip


class Team:
    """Agents whose networks have one shape: rows of all of them are answered in one call.

    Args:
        agents: all deterministic, or none.

    Raises:
        ValueError: they are not alike.
    """

    def __init__(self, agents: Sequence[PPOAgent]) -> None:
        alike = {(agent.shape, agent.deterministic) for agent in agents}
        if len(alike) != 1:
            raise ValueError(f"agents: a team is made of one kind, not of {len(alike)}")
        ((self.shape, self.deterministic),) = alike
        self.weights = (
            agents[0].weights[None]
            if len(agents) == 1
            else np.stack([agent.weights for agent in agents])
        )

    def answers(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        which: np.ndarray,
        rng: np.random.Generator,
    ) -> np.ndarray:
        """Choose one legal action in every row, int64 (n,).

        Args:
            observations: float32 (n, D).
            masks: int8 (n, A); 0 is illegal.
            which: the agent of each row, int64 (n,).
            rng: the only source of randomness.

        Raises:
            ValueError: a viewer is not the one to decide, or a network's output is not finite.
        """
        marks = None if self.deterministic else rng.random(len(which))
        return answers(self.shape, self.weights, which, observations, masks, marks)
