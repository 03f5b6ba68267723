"""Pgx on the CPU: batched steps and scanned rollouts."""

from __future__ import annotations

import functools
from typing import Any

import pgx
from batched import Game, rows
from serving import serve

GAMES = {
    "sparrow_mahjong": 1024, "backgammon": 1024, "leduc_holdem": 4096, "kuhn_poker": 4096,
}  # fmt: skip


def made(name: str) -> Game:
    """Return a game's functions."""
    env: Any = pgx.make(name)

    def step(state: Any, action: Any, key: Any) -> Any:
        state = env.step(state, action, key)
        return state, state.terminated | state.truncated, state.observation

    return Game(env.init, lambda state: state.legal_action_mask, step)


if __name__ == "__main__":
    measured = [
        row for name, n in GAMES.items() for row in rows(name, functools.partial(made, name), n)
    ]
    serve(["pgx", "jax", "jaxlib"], measured)
