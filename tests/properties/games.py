"""Games in mid-play for the property tests: random ones, seeded or driven by Hypothesis."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from skirmish_env.new_york import ids, rules
from skirmish_env.new_york.cards import CardSet, load
from skirmish_env.new_york.state import STATE

ONE_SET = np.zeros(1, np.int64)
CARD_SETS = [load(rules={"attack_effect": word}) for word in ("once_per_phase", "each_attack")]


def dealt(seed: int, card_set: CardSet = CARD_SETS[0], skip_forced: int = 0) -> np.ndarray:
    """A new game as a record array of length 1."""
    states = np.zeros(1, STATE)
    rules.new_game(states, 0, card_set.record, ONE_SET, seed, skip_forced)
    return states


def step(states: np.ndarray, action: int, card_set: CardSet = CARD_SETS[0]) -> None:
    rules.step(states, 0, card_set.record, ONE_SET, action)


def moments(
    seed: int, card_set: CardSet = CARD_SETS[0], skip_forced: int = 0
) -> Iterator[np.ndarray]:
    """Every moment of a random game, the end included, always in the same array."""
    states = dealt(seed, card_set, skip_forced)
    chooser = random.Random(seed)
    yield states
    while states[0].phase != ids.OVER:
        step(states, chooser.choice(legal(states)), card_set)
        yield states


def legal(states: np.ndarray) -> list[int]:
    g: Any = states[0]
    return [int(action) for action in g.options[: g.option_count]]
