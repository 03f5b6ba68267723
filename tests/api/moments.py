"""One moment of a game for every kind of question, in mid-effect where that can be."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from skirmish_env import skirmish_v0
from skirmish_env.game import NEW_YORK
from tests.api.helpers import FREE, ids, pick, position
from tests.rulebook.helpers import side

# Random games that ask, between them, everything but what the Eye of Agamotto asks.
SEEDS = (433, 196, 218)
FLAT = {"recruitment", "artifact window", "lead attack", "draw three"}  # no effect is under way


@dataclass(frozen=True)
class Moment:
    """A question, and how a game gets there.

    Attributes:
        question: its kind.
        agent: who is asked.
        seed, options: for the reset.
        actions: every decision so far.
        record: the game's record, array (1,).
    """

    question: str
    agent: str
    seed: int
    options: dict[str, Any] | None
    actions: tuple[int, ...]
    record: np.ndarray


def eye_of_agamotto() -> dict[str, Any]:
    """Using the Eye asks which of two artifacts the Heroes lose."""
    return position(
        villains=side(hand=[FREE, "ares_1", "zola_1"], artifacts=["eye_of_agamotto"]),
        heroes=side(hand=["thor_1"], artifacts=["cosmic_cube", "ten_rings"]),
    )


@functools.cache
def moments() -> tuple[Moment, ...]:
    """Moments in the order of the questions."""
    found: dict[str, Moment] = {}
    for seed in SEEDS:
        _collect(found, seed, None, np.random.default_rng(seed))
    eye = {"position": eye_of_agamotto()}
    _collect(found, 0, eye, np.random.default_rng(0), *ids("artifact eye_of_agamotto"))
    return tuple(found[question] for question in NEW_YORK.questions if question in found)


def _collect(
    found: dict[str, Moment],
    seed: int,
    options: dict[str, Any] | None,
    rng: np.random.Generator,
    *first: int,
) -> None:
    """Play a game, `first` and then at random, and keep the first moment of each new kind."""
    env, opening, actions = skirmish_v0.raw_env(), list(first), []
    env.reset(seed=seed, options=options)
    while not env.terminations[env.agent_selection]:
        g, agent = env._states[0], env.agent_selection
        question = NEW_YORK.questions[g["question"]]
        if question not in found and (g["depth"] > 0 or question in FLAT):
            record = env._states.copy()
            found[question] = Moment(question, agent, seed, options, tuple(actions), record)
        action = opening.pop(0) if opening else pick(env.mask(agent), rng)
        actions.append(action)
        env.step(action)
