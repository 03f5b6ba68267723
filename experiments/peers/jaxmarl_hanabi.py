"""JaxMARL's Hanabi on the CPU, batched and scanned."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import jaxmarl
from batched import Game, rows
from serving import serve


def made() -> Game:
    """Return the functions of the game of two, in which each step shows both players theirs."""
    env: Any = jaxmarl.make("hanabi")

    def mask(state: Any) -> Any:
        masks = env.get_legal_moves(state)
        seat = jnp.argmax(state.cur_player_idx)
        return jnp.stack([masks[agent] for agent in env.agents])[seat] > 0

    def step(state: Any, action: Any, key: Any) -> Any:
        actions = dict.fromkeys(env.agents, action)
        observation, state, _, ended, _ = env.step_env(key, state, actions)
        return state, ended["__all__"], observation

    return Game(lambda key: env.reset(key)[1], mask, step)


if __name__ == "__main__":
    serve(["jaxmarl", "jax", "jaxlib"], rows("hanabi", made, 1024))
