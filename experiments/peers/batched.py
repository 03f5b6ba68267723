"""What the scripts of JAX environments share: many games a call, and rollouts in one scan.

A game is given as `reset(key) -> state`, `mask(state)` and `step(state, action, key) -> (state,
ended, observation)`, for one game. A finished game goes on from one of the states that were dealt
before the clock started: dealing inside every step would cost most of the time. This favours the
peer. All cores are used.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from serving import Play, Row

THREADS = os.cpu_count() or 1
SCAN = 64

class Game(NamedTuple):
    """Functions of one game; `step` does not restart it."""

    reset: Callable[[Any], Any]
    mask: Callable[[Any], Any]
    step: Callable[[Any, Any, Any], Any]


def rows(name: str, make: Callable[[], Game], games: int) -> list[Row]:
    """Return the two doors of a game: a call for each step, and a scan over many."""
    name = f"{name}, {games:,} games"
    return [
        Row(name, "batch", lambda: playing(make(), games, 1), threads=THREADS),
        Row(name, "rollout", lambda: playing(make(), games, SCAN), threads=THREADS),
    ]


def playing(game: Game, games: int, steps: int) -> Play:
    """Return a play whose every call of compiled code takes so many steps in all games."""
    dealt = jax.jit(jax.vmap(game.reset))(jax.random.split(jax.random.PRNGKey(0), games))

    def once(carry: Any) -> Any:
        """Look, choose, step and restart; return how many had a choice, and what they saw."""
        state, key = carry
        key, choose, chance, shift = jax.random.split(key, 4)
        mask = jax.vmap(game.mask)(state)
        actions = jax.random.categorical(choose, jnp.where(mask, 0.0, -jnp.inf), axis=-1)
        keys = jax.random.split(chance, games)
        state, ended, observation = jax.vmap(game.step)(state, actions, keys)
        others = (jnp.arange(games) + jax.random.randint(shift, (), 0, games)) % games

        def restarted(fresh: Any, kept: Any) -> Any:
            return jnp.where(ended.reshape(-1, *[1] * (kept.ndim - 1)), fresh[others], kept)

        state = jax.tree.map(restarted, dealt, state)
        return (state, key), jnp.sum(jnp.sum(mask, axis=-1) > 1), observation

    def observed(carry: Any, _: Any) -> Any:
        """Add up what was seen: every observation of a rollout is made, and none is kept."""
        carry, free, observation = once(carry)
        return carry, (free, sum(jnp.sum(part) for part in jax.tree.leaves(observation)))

    def scanned(carry: Any) -> Any:
        carry, (free, observation) = jax.lax.scan(observed, carry, None, steps)
        return carry, jnp.sum(free), observation

    call = jax.jit(once if steps == 1 else scanned)
    carry = (dealt, jax.random.PRNGKey(1))

    def play(decisions: int) -> int:
        nonlocal carry
        done = 0
        while done < decisions:
            carry, free, observation = call(carry)
            jax.block_until_ready(observation)
            done += int(free)
        return done

    return play
