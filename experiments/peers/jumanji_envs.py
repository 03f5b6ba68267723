"""Jumanji on the CPU: two puzzles with masks, batched and scanned. It has no card game."""

from __future__ import annotations

import functools
from typing import Any

import jax.numpy as jnp
import jumanji
from batched import Game, rows
from serving import serve

GAMES = {"Game2048-v1": 1024, "Minesweeper-v0": 1024}


def made(name: str) -> Game:
    """Return a game's functions; its state here holds the mask, one entry for each action."""
    env: Any = jumanji.make(name)
    axes = tuple(int(n) for n in jnp.atleast_1d(env.action_spec.num_values))

    def reset(key: Any) -> Any:
        state, first = env.reset(key)
        return state, first.observation.action_mask.reshape(-1)

    def step(state: Any, action: Any, key: Any) -> Any:
        if len(axes) > 1:
            action = jnp.stack(jnp.unravel_index(action, axes))
        inner, seen = env.step(state[0], action)
        mask = seen.observation.action_mask.reshape(-1)
        return (inner, mask), seen.last(), seen.observation

    return Game(reset, lambda state: state[1], step)


if __name__ == "__main__":
    measured = [
        row for name, n in GAMES.items() for row in rows(name, functools.partial(made, name), n)
    ]
    serve(["jumanji", "jax", "jaxlib"], measured)
