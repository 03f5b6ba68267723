"""Compile everything ahead of time: `python -m skirmish_env.warm`.

Compiled code is cached for later processes, so one call before several processes start at once
(parallel tests, sweeps) keeps each of them from compiling the same functions.
"""

from __future__ import annotations

import time

import numpy as np

from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK
from skirmish_env.vector_env import SkirmishVectorEnv


def warm() -> float:
    """Call every kernel and compiled policy once; return the seconds it took."""
    began = time.perf_counter()
    batch, rng = Batch(2), np.random.default_rng(0)
    batch.deal(np.arange(2))
    view = batch.view()
    view.redeal(rng)
    for policy in NEW_YORK.policies:
        actions = view.policy(policy, rng)
    batch.step(actions)
    batch.full()
    seen, mask = batch.observe()[0], batch.masks()[0]
    NEW_YORK.kernels.look_one(batch.states, batch.card_set.record, 0, seen, mask)
    _ = batch.rewards
    sets, rngs, episodes = np.zeros(2, np.int64), np.ones((2, 4), np.int64), np.zeros(2, np.int64)
    NEW_YORK.kernels.rollout(
        batch.states,
        batch.card_set.record,
        sets,
        rngs,
        episodes,
        1,
        batch.observe(),
        batch.masks(),
        True,
    )
    SkirmishVectorEnv(2).reset(seed=0)
    return time.perf_counter() - began


if __name__ == "__main__":
    print(f"compiled and cached in {warm():.1f} s")
