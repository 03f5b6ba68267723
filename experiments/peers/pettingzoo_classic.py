"""PettingZoo's classic card games in their wrappers: `last`, a choice, `step`."""

from __future__ import annotations

import copy
import functools
import importlib
from typing import Any

from serving import MICROSECONDS, Play, Row, calling, draw, serve

GAMES = ["hanabi_v5", "texas_holdem_v4", "texas_holdem_no_limit_v6", "leduc_holdem_v4"]


def made(name: str) -> Any:
    """Return a game's environment after its first deal."""
    env = importlib.import_module(f"pettingzoo.classic.{name}").env()
    env.reset(seed=1)
    return env


def stepping(name: str) -> Play:
    """Play at random."""
    env = made(name)

    def play(decisions: int) -> int:
        done = 0
        while done < decisions:
            observation, _, termination, truncation, info = env.last()
            if termination or truncation:
                env.reset()
                continue
            masked = observation if "action_mask" in observation else info
            legal = masked["action_mask"].nonzero()[0]
            done += len(legal) > 1
            env.step(int(draw(legal)))
        return done

    return play


def cloning(name: str) -> Play:
    """Copy an environment, which has no copy of its own."""
    env = made(name)
    return calling(lambda: copy.deepcopy(env))


def rows(name: str) -> list[Row]:
    """Return what is measured of a game."""
    return [
        Row(name, "step", functools.partial(stepping, name)),
        Row(name, "clone", functools.partial(cloning, name), MICROSECONDS, note="copy.deepcopy"),
    ]


if __name__ == "__main__":
    packages = ["pettingzoo", "rlcard", "open_spiel", "numpy"]
    serve(packages, [row for name in GAMES for row in rows(name)])
