"""Measure speed: `python -m experiments.bench`.

Random play, with the mask and the observation of every decision: many games through the batch
kernel, and one game through the wrapped PettingZoo environment.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numba
import numpy as np

from configs.schema import BenchConfig
from experiments.launch import launch
from skirmish_env import skirmish_v0
from skirmish_env.batch import Batch
from skirmish_env.common.rng import POLICY_STREAM, seed_rng
from skirmish_env.game import NEW_YORK, Game


def bench(config: BenchConfig) -> list[tuple[str, float]]:
    """Measure random play, print decisions a second, and return them."""
    rows = []
    for threads in config.threads:
        if threads > numba.config.NUMBA_NUM_THREADS:
            print(f"{threads} threads: this process may use {numba.config.NUMBA_NUM_THREADS}")
            continue
        speed = best(lambda n=threads: batch_speed(config.games, config.decisions, n), config)
        name = f"batch kernel, {config.games} games, {threads} thread{'s'[: threads > 1]}"
        rows.append((name, speed))
    rows.append(("PettingZoo, 1 game", best(lambda: aec_speed(config.steps), config)))
    width = max(len(name) for name, _ in rows)
    for name, speed in rows:
        print(f"{name:{width}}  {speed:>12,.0f} decisions/s")
    return rows


def best(measure: Callable[[], float], config: BenchConfig) -> float:
    """Return the highest of several measurements: others use the machine too."""
    return max(measure() for _ in range(config.repeats))


def batch_speed(games: int, decisions: int, threads: int, *, game: Game = NEW_YORK) -> float:
    """Return decisions a second of random play through the batch kernel."""
    numba.set_num_threads(threads)
    batch = Batch(games, game=game)
    batch.deal(np.arange(games))
    rngs = np.zeros((games, 4), np.int64)
    for i in range(games):
        seed_rng(rngs[i], i, POLICY_STREAM)
    arrays = (
        batch.states,
        batch.card_set.record,
        np.zeros(games, np.int64),
        rngs,
        np.zeros(games, np.int64),
    )
    seen = (
        np.zeros((games, game.observation_size), np.float32),
        np.zeros((games, game.action_count), np.int8),
    )
    game.kernels.rollout(*arrays, 1, *seen, True)  # compiles, and wakes the threads
    began = time.perf_counter()
    game.kernels.rollout(*arrays, decisions, *seen, True)
    return games * decisions / (time.perf_counter() - began)


def aec_speed(steps: int) -> float:
    """Return steps a second of random play through the wrapped PettingZoo environment."""
    env = skirmish_v0.env()
    rng = np.random.default_rng(0)
    env.reset(seed=0)
    began = time.perf_counter()
    done = 0
    while done < steps:
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
                continue
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
            done += 1
            if done == steps:
                break
        env.reset(seed=done)
    return steps / (time.perf_counter() - began)


def main() -> None:
    """Measure with the settings of the command line."""
    launch(bench, "bench")


if __name__ == "__main__":
    main()
