"""Twin games: they differ in what one player cannot know, so that player must not tell them apart.

`check_no_leak` works on this package's environments and on wrappers around them, yours included.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from skirmish_env.game import Game

ONLY = np.zeros(1, np.int64)
WRONG_IDS: tuple[Any, ...] = (-1, None, 1.5)
REDEAL_SEED = 7  # any number: the same one for both twins


class Leak(AssertionError):
    """A player can tell two games apart that differ only in what that player cannot know."""


def check_no_leak(
    env_factory: Callable[[], Any], *, games: int = 2, seed: int = 0, every: int = 1
) -> int:
    """Play random games; at every decision compare all that each viewer can fetch with a twin's.

    `env_factory` makes a PettingZoo AEC or a Gymnasium environment of this package, wrapped or
    not. A twin is a deep copy whose hidden cards are dealt anew for one viewer. Compared are
    observation, mask, infos, rewards, selection, positions and drawings, error texts, and what
    a view offers: right away, after the same next step where the viewer still cannot know the
    difference, and after a reset to a twin position. `every` looks at each so-many-th decision.

    Returns:
        The number of comparisons made.

    Raises:
        Leak: names the viewer, the moment and what differs.
    """
    count = 0
    for number in range(games):
        env = env_factory()
        kind = _AecPair if hasattr(env, "possible_agents") else _GymPair
        count += kind(env_factory, seed + number).walk(every)
    return count


def record_of(env: Any) -> np.ndarray:
    """Return the record array (1,) inside an environment of this package, not a copy."""
    raw = env.unwrapped
    states = getattr(raw, "_states", None)
    if states is None and hasattr(raw, "_table"):
        states = getattr(raw._table, "_states", None)
    if states is None:
        raise TypeError(f"{env!r} is no environment of this package and wraps none")
    return states


class _Pair:
    """What both kinds of environments share: twins, comparison, and the walk through a game."""

    def __init__(self, env_factory: Callable[[], Any], seed: int) -> None:
        self.env_factory = env_factory
        self.seed = seed
        self.rng = np.random.default_rng(seed)
        self.env = env_factory()
        self.count = 0
        self.start()
        raw = self.env.unwrapped
        self.game: Game = raw.game
        self.card_set = getattr(raw, "_table", raw)._cards

    def start(self) -> None:
        raise NotImplementedError

    def viewers(self) -> list[str]:
        raise NotImplementedError

    def shown(self, env: Any, viewer: str) -> dict[str, Any]:
        raise NotImplementedError

    def go(self, env: Any, action: Any) -> Any:
        raise NotImplementedError

    def is_open(self) -> bool:
        raise NotImplementedError

    def walk(self, every: int) -> int:
        decision = 0
        while True:
            running = self.is_open()
            if decision % every == 0 or not running:
                for viewer in self.viewers():
                    self.compare_now(viewer, decision)
                    if running:
                        self.compare_after_a_step(viewer, decision)
                        self.compare_after_a_reset(viewer, decision)
            if not running:
                return self.count
            self.go(self.env, self.any_legal(self.env))
            decision += 1

    def any_legal(self, env: Any) -> int:
        g = record_of(env)[0]
        return int(self.rng.choice(g["options"][: g["option_count"]]))

    def twin_of(self, states: np.ndarray, viewer: str) -> np.ndarray:
        twin = states.copy()
        seat, seeds = self.game.seats.index(viewer), self.rng.integers(0, 2**31, 1)
        self.game.kernels.redeal(twin, self.card_set.record, ONLY, np.array([seat]), seeds)
        return twin

    def pair(self, viewer: str) -> tuple[Any, Any]:
        """Return two copies of the environment, the second with a twin of the game."""
        one, other = copy.deepcopy(self.env), copy.deepcopy(self.env)
        record_of(other)[:] = self.twin_of(record_of(self.env), viewer)
        return one, other

    def equal_knowledge(self, one: Any, other: Any, viewer: str) -> bool:
        seat = self.game.seats.index(viewer)
        return self.game.known(record_of(one), 0, seat) == self.game.known(
            record_of(other), 0, seat
        )

    def compare_now(self, viewer: str, decision: int) -> None:
        one, other = self.pair(viewer)
        self.compare(self.shown(one, viewer), self.shown(other, viewer), viewer, decision, "")

    def compare_after_a_step(self, viewer: str, decision: int) -> None:
        one, other = self.pair(viewer)
        action = self.any_legal(one)
        g = record_of(other)[0]
        if action not in g["options"][: g["option_count"]]:
            return
        first = {"step": self.go(one, action)}
        second = {"step": self.go(other, action)}
        if self.equal_knowledge(one, other, viewer):
            first |= self.shown(one, viewer)
            second |= self.shown(other, viewer)
            self.compare(first, second, viewer, decision, " after the next step")

    def compare_after_a_reset(self, viewer: str, decision: int) -> None:
        states = record_of(self.env)
        pair = []
        for record in (states, self.twin_of(states, viewer)):
            position = self.game.describe(record, 0, self.card_set)
            env = self.env_factory()
            try:
                told = env.reset(seed=self.seed, options={"position": position})
            except ValueError:  # this moment cannot be put into words
                return
            pair.append((env, {"reset": told}))
        (one, first), (other, second) = pair
        if self.equal_knowledge(one, other, viewer) and viewer in self.viewers_of(one):
            first |= self.shown(one, viewer)
            second |= self.shown(other, viewer)
            self.compare(first, second, viewer, decision, " after a reset to its position")

    def viewers_of(self, env: Any) -> list[str]:
        raise NotImplementedError

    def compare(
        self, first: dict[str, Any], second: dict[str, Any], viewer: str, decision: int, when: str
    ) -> None:
        self.count += 1
        for name, one in first.items():
            if _bare(one) != _bare(second[name]):
                g = record_of(self.env)[0]
                question = self.game.questions[g["question"]] or "the end of the game"
                raise Leak(
                    f"{viewer} can tell twins apart by `{name}`{when}: game of seed {self.seed}, "
                    f"decision {decision} ({question}): {one!r} is not {second[name]!r}"
                )

    def complaints(self, env: Any, legal: set[int]) -> Iterator[str]:
        """Error texts of a step with ids that are not legal, or no ids at all."""
        masked = [a for a in range(self.game.action_count) if a not in legal]
        for wrong in (masked[0], masked[len(masked) // 2], masked[-1], *WRONG_IDS):
            try:
                env.step(wrong)
            except Exception as error:  # whatever text a step answers with is compared
                yield f"{type(error).__name__}: {error}"
            else:
                raise AssertionError(f"a step with {wrong!r}, which is not legal, was taken")


class _AecPair(_Pair):
    def start(self) -> None:
        self.env.reset(seed=self.seed)

    def viewers(self) -> list[str]:
        return list(self.env.possible_agents)

    def viewers_of(self, env: Any) -> list[str]:
        return list(env.possible_agents)

    def is_open(self) -> bool:
        raw = self.env.unwrapped
        return not any((*raw.terminations.values(), *raw.truncations.values()))

    def go(self, env: Any, action: Any) -> Any:
        env.step(action)

    def shown(self, env: Any, viewer: str) -> dict[str, Any]:
        raw = env.unwrapped
        decides = env.agent_selection == viewer
        found = {
            "observe": env.observe(viewer),
            "agent_selection": env.agent_selection,
            "rewards": env.rewards[viewer],
            "cumulative rewards": raw._cumulative_rewards[viewer],
            "terminations": env.terminations,
            "truncations": env.truncations,
            "infos": env.infos[viewer],
            "spaces": repr((env.observation_space(viewer), env.action_space(viewer))),
            "repr": (str(env), repr(raw).partition(" at ")[0]),
            "position": [raw.position(one) for one in (None, viewer)],
            "text": [raw.text(one) for one in (None, viewer)],
        }
        if decides:
            found["last"] = env.last()
        if env.render_mode == "ansi" and raw.render_viewer in (None, viewer):
            found["render"] = env.render()
        return {**found, **self.view(raw, viewer), **self.errors(env, viewer)}

    def view(self, raw: Any, viewer: str) -> dict[str, Any]:
        view = raw.view(viewer)
        guess = view.redeal(np.random.default_rng(REDEAL_SEED))
        found = {
            "view": (view.observation, view.mask, view.viewer),
            "redeal": guess.states.tobytes(),
        }
        if raw.agent_selection == viewer and self.is_open_in(raw):
            for policy in self.game.policies:
                rng = np.random.default_rng(REDEAL_SEED)
                found[f"policy {policy}"] = view.policy(policy, rng)
        return found

    def is_open_in(self, raw: Any) -> bool:
        return not any((*raw.terminations.values(), *raw.truncations.values()))

    def errors(self, env: Any, viewer: str) -> dict[str, Any]:
        raw = env.unwrapped
        if raw.agent_selection != viewer or not self.is_open_in(raw):
            return {}
        legal = set(np.flatnonzero(env.observe(viewer)["action_mask"]).tolist())
        return {"error texts": list(self.complaints(env, legal))}


class _GymPair(_Pair):
    def start(self) -> None:
        self.over = False
        self.env.reset(seed=self.seed)

    def viewers(self) -> list[str]:
        return self.viewers_of(self.env)

    def viewers_of(self, env: Any) -> list[str]:
        return [env.unwrapped.side]

    def is_open(self) -> bool:
        return not self.over

    def go(self, env: Any, action: Any) -> Any:
        told = env.step(action)
        if env is self.env:
            self.over = told[2] or told[3]
        return told

    def shown(self, env: Any, viewer: str) -> dict[str, Any]:
        raw = env.unwrapped
        found = {
            "action_masks": raw.action_masks(),
            "position": raw.position(),
            "side": raw.side,
            "spaces": repr((env.observation_space, env.action_space)),
            "repr": str(env),
        }
        if env.render_mode == "ansi":
            found["render"] = env.render()
        if raw.action_masks().any():
            legal = set(np.flatnonzero(raw.action_masks()).tolist())
            found["error texts"] = list(self.complaints(env, legal))
        return found


def _bare(value: Any) -> Any:
    """Turn nested results into something that compares by every byte."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return {key: _bare(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_bare(one) for one in value]
    return value
