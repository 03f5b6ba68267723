"""Compile everything ahead of time: `python -m skirmish_env.warm`.

Compiled code is kept for later processes, so one call before several processes start at once
(parallel tests, sweeps) spares each of them the work. Two processes share it: what one of them has
compiled, the other loads.
"""

from __future__ import annotations

import multiprocessing
import os
import time

import numpy as np

from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK
from skirmish_env.vector_env import SkirmishVectorEnv

KERNELS, NONE = NEW_YORK.kernels, np.zeros(0, np.int64)

# Most kernels are called for no game at all: that compiles them, and does nothing else.


def rules() -> None:
    """Deal, step, and what a single game shows."""
    batch = Batch(1)
    batch.deal([0])
    KERNELS.copy(batch.states, NONE, batch.states, NONE)
    KERNELS.look_one(
        batch.states, batch.card_set.record, 0, batch.observe()[0], batch.masks()[0]
    )
    batch.step(batch.view().policy("random", np.random.default_rng(0)))
    _ = batch.rewards


def looks() -> None:
    """Observations and masks of many games."""
    batch = Batch(1)
    batch.observe([], [])
    batch.masks([], [])
    batch.full([])


def players() -> None:
    """The policies: the scripted players share their code."""
    batch = Batch(1)
    for policy in NEW_YORK.policies.values():
        policy(batch.states, batch.card_set.record, NONE, NONE, NONE, NONE)


def vector() -> None:
    """The vector environment."""
    envs = SkirmishVectorEnv(1)
    envs.reset(seed=0)
    envs.action_space.sample()


def search() -> None:
    """Trees over redealt games: one simulation."""
    batch = Batch(1)
    batch.deal([0])
    seeds = np.zeros(1, np.int64)
    guess = batch.view().redeal(seeds)
    NEW_YORK.search(1).run(
        guess.states, batch.card_set.record, guess.set_of_game, seeds, np.ones(1, np.int64)
    )


def rollouts() -> None:
    """Random play in one call."""
    batch, rngs = Batch(1), np.zeros((1, 4), np.int64)
    seen = np.zeros((1, NEW_YORK.observation_size), np.float32)
    masks = np.zeros((1, NEW_YORK.action_count), np.int8)
    sets, episodes = np.zeros((2, 1), np.int64)
    KERNELS.rollout(
        batch.states, batch.card_set.record, sets, rngs, episodes, 0, seen, masks, True
    )


def redeals() -> None:
    """Hidden cards dealt anew."""
    Batch(1).view([], []).redeal(np.random.default_rng(0))


# The longest first, and nothing before what it shares code with.
DOORS = (rules, looks, players, search, vector, rollouts, redeals)


def warm(jobs: int = 1) -> float:
    """Compile every kernel and compiled policy; return the seconds it took.

    More than one job starts new processes, from which a script must guard its main part.
    """
    began = time.perf_counter()
    if jobs == 1:
        for door in DOORS:
            door()
    else:
        with multiprocessing.get_context("spawn").Pool(jobs) as pool:
            for done in [pool.apply_async(door) for door in DOORS]:
                done.get()
    return time.perf_counter() - began


if __name__ == "__main__":
    print(f"compiled and cached in {warm(min(2, os.cpu_count() or 1)):.1f} s")
