"""Measure speed: `python -m experiments.bench`.

Random play over legal moves, forced ones left out: many games through the batch kernel, and one
game through the PettingZoo and the Gymnasium environment, there always with mask and observation.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable

import gymnasium
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
    measures: dict[str, Callable[[], float]] = {}
    for threads in config.threads:
        if threads > numba.config.NUMBA_NUM_THREADS:
            print(f"{threads} threads: this process may use {numba.config.NUMBA_NUM_THREADS}")
            continue
        for look, words in ((True, "with mask and observation"), (False, "rules alone")):
            name = f"batch kernel, {config.games} games, threads: {threads}, {words}"
            measures[name] = functools.partial(
                batch_speed, config.games, config.decisions, threads, look
            )
    measures["PettingZoo in its wrapper, 1 game"] = functools.partial(aec_speed, config.steps)
    measures["Gymnasium against the heuristic, 1 game"] = functools.partial(gym_speed, config.steps)
    found: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(config.repeats):
        for name, measure in measures.items():
            found[name].append(measure())
    width = max(map(len, measures))
    print(f"{'decisions a second':{width}}  {'median':>12}  {'least':>12}  {'most':>12}")
    for name, speeds in found.items():
        middle = float(np.median(speeds))
        print(f"{name:{width}}  {middle:>12,.0f}  {min(speeds):>12,.0f}  {max(speeds):>12,.0f}")
    return [(name, float(np.median(speeds))) for name, speeds in found.items()]


def batch_speed(
    games: int, decisions: int, threads: int, look: bool, *, game: Game = NEW_YORK
) -> float:
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
    game.kernels.rollout(*arrays, 1, *seen, look)  # compiles, and wakes the threads
    began = time.perf_counter()
    game.kernels.rollout(*arrays, decisions, *seen, look)
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


def gym_speed(steps: int) -> float:
    """Return the learner's random steps a second against the compiled heuristic."""
    env = gymnasium.make("skirmish_env/Skirmish-v0", opponent="heuristic", side="random")
    rng = np.random.default_rng(0)
    _, info = env.reset(seed=0)
    began = time.perf_counter()
    for _ in range(steps):
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        _, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            _, info = env.reset()
    return steps / (time.perf_counter() - began)


def main() -> None:
    """Measure with the settings of the command line."""
    launch(bench, "bench")


if __name__ == "__main__":
    main()
