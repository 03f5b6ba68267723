"""What stable-baselines3 asks of many games that are one object, without a list of environments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from skirmish_env.vector_env import SkirmishVectorEnv


class SideBySide(VecEnv):
    """N games whose masks come as one array (N, A) from `env_method("action_masks")`."""

    def action_masks(self) -> np.ndarray:
        """Legal actions of the learner, int8 (N, A)."""
        raise NotImplementedError

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> Any:
        """Call a method; "action_masks" answers for all games with one array (N, A)."""
        if method_name != "action_masks":
            raise AttributeError(f"games have no method {method_name!r}, only 'action_masks'")
        masks = self.action_masks()
        return masks if indices is None else masks[self._rows(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of this environment once for each game meant."""
        value = None if attr_name == "render_mode" else getattr(self, attr_name)
        return [value] * len(self._rows(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refuse: games side by side share their attributes."""
        raise AttributeError(f"{attr_name!r} cannot be set for single games")

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """No game is wrapped."""
        return [False] * len(self._rows(indices))

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Do nothing: the generators given at the start decide the games."""
        return [None] * self.num_envs

    def close(self) -> None:
        """Nothing is open."""

    def _rows(self, indices: Any) -> np.ndarray:
        return np.arange(self.num_envs) if indices is None else np.atleast_1d(indices)


class CompiledVecEnv(SideBySide):
    """A learner against a compiled opponent: `SkirmishVectorEnv` as stable-baselines3 has it.

    `infos` of ended games hold `terminal_observation`, `TimeLimit.truncated` and `episode` (`r`,
    `l`), those of running games are empty.

    Args:
        envs: handed over; with AutoresetMode.SAME_STEP, and with `copy`, because learners keep the
            last observations while the next ones are made.
        seed: of all games to come.

    Raises:
        ValueError: `envs` was made otherwise.
    """

    def __init__(self, envs: SkirmishVectorEnv, seed: int | None = None) -> None:
        if envs.autoreset_mode is not AutoresetMode.SAME_STEP or not envs.copy:
            raise ValueError("envs: made with AutoresetMode.SAME_STEP and copy=True")
        self.envs = envs
        self._seed = seed
        self._masks = np.zeros((envs.num_envs, envs.game.action_count), np.int8)
        self._actions = np.zeros(envs.num_envs, np.int64)
        self._length = np.zeros(envs.num_envs, np.int64)
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> np.ndarray:
        """Deal all games; observations float32 (N, D)."""
        observations, infos = self.envs.reset(seed=self._seed)
        self._seed = None
        self._masks = infos["action_mask"]
        self._length[:] = 0
        return observations

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Let the next reset take this seed."""
        self._seed = seed
        return [seed] * self.num_envs

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the learner's actions (N,) for `step_wait`."""
        self._actions = np.asarray(actions, np.int64)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play the learner's actions and all that the opponents then decide."""
        observations, rewards, ends, cuts, shown = self.envs.step(self._actions)
        self._masks = shown["action_mask"]
        self._length += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(ends | cuts).tolist():
            infos[i] = {
                "terminal_observation": shown["final_obs"][i],
                "TimeLimit.truncated": bool(cuts[i]),
                "episode": {"r": float(rewards[i]), "l": int(self._length[i])},
            }
            self._length[i] = 0
        return observations, rewards.astype(np.float32), ends | cuts, infos

    def action_masks(self) -> np.ndarray:
        """Legal actions of the learner, int8 (N, A)."""
        return self._masks
