"""RLCard's card games: `step` of its environment, which makes the observation."""

from __future__ import annotations

import copy
import functools
from typing import Any

import numpy as np
import rlcard
from serving import MICROSECONDS, Play, Row, calling, draw, serve

GAMES = ["gin-rummy", "uno", "doudizhu", "limit-holdem", "leduc-holdem"]


def stepping(name: str) -> Play:
    """Play at random; the mask is written from the legal actions that come with the state."""
    env: Any = rlcard.make(name, config={"seed": 1})
    state, _ = env.reset()

    def play(decisions: int) -> int:
        nonlocal state
        done = 0
        while done < decisions:
            legal = list(state["legal_actions"])
            if len(legal) > 1:
                mask = np.zeros(env.num_actions, np.int8)
                mask[legal] = 1
                done += 1
            state, _ = env.step(draw(legal))
            if env.is_over():
                state, _ = env.reset()
        return done

    return play


def cloning(name: str) -> Play:
    """Copy the game behind an environment, which has no copy of its own."""
    env: Any = rlcard.make(name, config={"seed": 1})
    env.reset()
    return calling(lambda: copy.deepcopy(env.game))


def rows(name: str) -> list[Row]:
    """Return what is measured of a game."""
    return [
        Row(name, "step", functools.partial(stepping, name)),
        Row(name, "clone", functools.partial(cloning, name), MICROSECONDS, note="copy.deepcopy"),
    ]


if __name__ == "__main__":
    serve(["rlcard", "numpy"], [row for name in GAMES for row in rows(name)])
