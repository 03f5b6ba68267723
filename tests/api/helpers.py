"""Positions, whole games and comparisons that the adapter tests share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from skirmish_env import move_to_action
from skirmish_env.batch import Batch
from tests.rulebook.helpers import side, table

AGENTS = ("villains", "heroes")
FREE = "hydra_agents_yellow"  # costs nothing: whoever holds it has a choice
HERO_PAIRS = ("thor_1", "hulk_1"), ("hawkeye_1", "ant_man_2")  # one in hand, the other in the deck


def position(**words: Any) -> dict[str, Any]:
    """A whole position: what is left out is filled up without chance."""
    return table(**words).position()


def winning_attack() -> dict[str, Any]:
    """The Villains are one free attack away from their ninth point."""
    return position(
        victory=8,
        villains=side(slots={1: "hydra_agents_blue"}, hand=[FREE]),
        heroes=side(slots={2: "thor_1"}, hand=["hulk_1"]),
    )


def last_draw() -> dict[str, Any]:
    """The Villains draw their last card with the marker on 0."""
    return position(villains=side(hand=[FREE], deck=["zola_1"]))


def asking_the_other() -> dict[str, Any]:
    """Playing the blue Hydra asks the Heroes, out of their turn, whether they draw."""
    return position(
        villains=side(hand=["hydra_agents_blue", "ares_1", FREE]),
        heroes=side(hand=["thor_1"]),
    )


def twins() -> tuple[dict[str, Any], dict[str, Any]]:
    """Two positions that the Villains cannot tell apart: the Heroes' hand and deck differ."""
    hands = list(HERO_PAIRS)
    shared = {
        "villains": side(
            hand=["hydra_agents_blue", "ares_1", "ares_2", "taskmaster_1", FREE],
            slots={2: "ultron_1", 3: "modok_1:1"},
        )
    }
    one, other = (
        position(
            **shared,
            heroes=side(
                hand=[*mine, "nick_fury_1"],
                deck=[*theirs, "war_machine_1", "war_machine_2"],
                slots={2: "captain_marvel_1"},
            ),
        )
        for mine, theirs in (hands, hands[::-1])
    )
    return one, other


def ids(*moves: str) -> list[int]:
    """Action ids of moves in words."""
    return [move_to_action(move) for move in moves]


def legal(mask: np.ndarray) -> list[int]:
    """Ids that a mask allows."""
    return np.flatnonzero(mask).tolist()


def pick(mask: np.ndarray, rng: np.random.Generator) -> int:
    """Draw a legal id."""
    return int(rng.choice(np.flatnonzero(mask)))


def draw_legal(games: Batch, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw a legal action for each running game of a batch; return them and the games' numbers."""
    live = np.flatnonzero(~games.over)
    states = games.states[live]
    return states["options"][np.arange(len(live)), rng.integers(states["option_count"])], live


def play(env: Any, rng: np.random.Generator, decisions: int | None = None) -> list[int]:
    """Play legal actions at random, to the end or so many; return them, dead steps left out."""
    chosen: list[int] = []
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
        else:
            chosen.append(pick(observation["action_mask"], rng))
            env.step(chosen[-1])
        if len(chosen) == decisions:
            break
    return chosen


def is_over(env: Any) -> bool:
    """Whether nobody is asked any more."""
    return any(env.terminations.values()) or any(env.truncations.values())


def decisions(env: Any, rng: np.random.Generator) -> Iterator[str]:
    """Play to the end at random, yielding the agent before each decision."""
    while not is_over(env):
        yield env.agent_selection
        env.step(pick(env.observe(env.agent_selection)["action_mask"], rng))


def snapshot(env: Any) -> dict[str, Any]:
    """Everything that an AEC environment shows, for comparisons."""
    raw = env.unwrapped
    return {
        "selection": env.agent_selection,
        "agents": list(env.agents),
        "rewards": dict(env.rewards),
        "cumulative": dict(env._cumulative_rewards),
        "terminations": dict(env.terminations),
        "truncations": dict(env.truncations),
        "infos": {agent: dict(info) for agent, info in env.infos.items()},
        "state": env.state().tobytes(),
        "record": raw._states.tobytes(),
        "seen": {
            agent: {key: array.tobytes() for key, array in env.observe(agent).items()}
            for agent in AGENTS
        },
        "generator": raw.np_random.bit_generator.state,
    }
