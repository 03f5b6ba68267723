"""Measure speed: `python -m experiments.bench`.

Random play over legal moves, forced ones left out: many games through the batch kernel, and one
game through each of the other doors. PettingZoo and Gymnasium always give mask and observation;
the chooser is as cheap as one can be, so that the environment is measured and not numpy.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numba
import numpy as np

from configs.schema import BenchConfig
from experiments.launch import launch
from skirmish_env import Table, skirmish_v0
from skirmish_env.batch import Batch
from skirmish_env.common.rng import POLICY_STREAM, seed_rng
from skirmish_env.game import NEW_YORK, Game
from skirmish_env.views import View


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
    steps = config.steps
    measures["PettingZoo in its wrapper, 1 game"] = lambda: aec_speed(skirmish_v0.env(), steps)
    measures["PettingZoo raw, 1 game"] = lambda: aec_speed(skirmish_v0.raw_env(), steps)
    for name in ("heuristic", "random"):
        words = f"Gymnasium against {name}, 1 game"
        measures[f"{words}, the learner's decisions"] = functools.partial(gym_speed, name, steps)
        measures[f"{words}, both sides' decisions"] = functools.partial(
            gym_speed, name, steps, both=True
        )
    measures["Table.play, 1 game"] = functools.partial(table_speed, steps)
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


def cheap_choice(mask: np.ndarray, lots: Iterator[float]) -> int:
    """Draw a legal action in as little time as numpy and one lot allow."""
    legal = mask.nonzero()[0]
    return int(legal[int(next(lots) * len(legal))])


def drawn(seed: int) -> Iterator[float]:
    """Yield numbers in [0, 1), drawn many at a time."""
    rng = np.random.default_rng(seed)
    while True:
        yield from rng.random(1000).tolist()


def aec_speed(env: Any, steps: int) -> float:
    """Return decisions a second through a PettingZoo environment: `last`, a choice, `step`."""
    lots = drawn(0)
    env.reset(seed=0)
    env.step(cheap_choice(env.last()[0]["action_mask"], lots))  # compiles
    began, done = time.perf_counter(), 0
    while done < steps:
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.reset(seed=done)
            continue
        env.step(cheap_choice(observation["action_mask"], lots))
        done += 1
    return steps / (time.perf_counter() - began)


def gym_speed(opponent: str, steps: int, *, both: bool = False) -> float:
    """Return the learner's, or both sides', decisions a second against a compiled opponent."""
    gym_seconds(opponent, 1)  # compiles
    taken, answers = gym_seconds(opponent, steps), 0
    if both:

        def counted(view: View, rng: np.random.Generator) -> np.ndarray:
            nonlocal answers
            answers += 1
            return view.policy(opponent, rng)

        gym_seconds(counted, steps)  # the same games, in calls that can be counted
    return (steps + answers) / taken


def gym_seconds(opponent: Any, steps: int) -> float:
    """Return how long random play takes through the Gymnasium environment."""
    env = gymnasium.make("skirmish_env/Skirmish-v0", opponent=opponent, side="random")
    lots = drawn(0)
    _, info = env.reset(seed=0)
    began = time.perf_counter()
    for _ in range(steps):
        _, _, terminated, truncated, info = env.step(cheap_choice(info["action_mask"], lots))
        if terminated or truncated:
            _, info = env.reset()
    return time.perf_counter() - began


def table_speed(steps: int) -> float:
    """Return moves a second through `Table.play`, the choice of the move left aside."""
    lots, taken = drawn(0), 0.0
    table = Table.new(0, skip_forced=True)
    for number in range(steps):
        legal = table.legal()
        move = legal[int(next(lots) * len(legal))]
        began = time.perf_counter()
        table.play(move)
        taken += time.perf_counter() - began
        if table.winner is not None:
            table = Table.new(number, skip_forced=True)
    return steps / taken


def main() -> None:
    """Measure with the settings of the command line."""
    launch(bench, "bench")


if __name__ == "__main__":
    main()
