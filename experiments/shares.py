"""Measure where the time of a training goes: `python -m experiments.shares`.

A real run is watched: its calls are timed, each without what it calls of the others, so that the
parts add up to the whole. Settings are those of `experiments.train`; only the length is another.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import fields, replace
from functools import wraps
from typing import Any

from gymnasium.vector import AutoresetMode

from agents.network import SEEN, NetworkSpec
from agents.ppo import Team
from configs.schema import RunConfig
from experiments.launch import launch
from experiments.learning import learn
from experiments.runs import RunFolder
from experiments.session import make_learner, set_up
from experiments.side_by_side import CompiledVecEnv
from skirmish_env.game import Game
from skirmish_env.vector_env import SkirmishVectorEnv

UPDATES = 4

RULES = "rules, masks and observations"
ENV = "environment, the rest"
NETWORKS = "opponents: networks"
FORWARD = "learner: choosing moves"
BUFFER = "learner: collecting"
ADVANTAGES = "learner: advantages"
GRADIENTS = "learner: gradient steps"
OTHER = "snapshots, checkpoints, numbers"

ENVIRONMENT = (RULES, ENV, "opponents")  # what the floor of 15% counts, by how names begin


class Clock:
    """Time by part; while a part calls another, its own clock stands still.

    Attributes:
        seconds: by the clock on the wall.
        work: seconds of processors: more than `seconds` where several threads work, less where
            other programs took the processors away.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.work: dict[str, float] = {}
        self._open: list[str] = []
        self._mark = (0.0, 0.0)

    def _charge(self) -> None:
        now = time.perf_counter(), time.process_time()
        if self._open:
            part = self._open[-1]
            self.seconds[part] = self.seconds.get(part, 0.0) + now[0] - self._mark[0]
            self.work[part] = self.work.get(part, 0.0) + now[1] - self._mark[1]
        self._mark = now

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Charge what happens inside to a part."""
        self._charge()
        self._open.append(name)
        try:
            yield
        finally:
            self._charge()
            self._open.pop()

    def timed(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return the same function, its time charged to a part."""

        @wraps(call)
        def charged(*arguments: Any, **options: Any) -> Any:
            with self.part(name):
                return call(*arguments, **options)

        return charged


@contextmanager
def watching(clock: Clock, calls: list[tuple[Any, str, str]]) -> Iterator[None]:
    """Time methods (owner, name, part) as long as the block runs."""
    before = [(owner, name, vars(owner).get(name)) for owner, name, _ in calls]
    try:
        for owner, name, part in calls:
            setattr(owner, name, clock.timed(part, getattr(owner, name)))
        yield
    finally:
        for owner, name, method in before:
            if method is None:
                delattr(owner, name)
            else:
                setattr(owner, name, method)


def the_learners(model: Any) -> list[tuple[Any, str, str]]:
    """Calls of a learner: of its classes, because a checkpoint pickles what is its own."""
    return [
        (type(model.policy), "forward", FORWARD),
        (type(model.policy), "predict_values", FORWARD),
        (type(model), "collect_rollouts", BUFFER),
        (type(model.rollout_buffer), "compute_returns_and_advantage", ADVANTAGES),
        (type(model), "train", GRADIENTS),
    ]


def watched(game: Game, clock: Clock) -> Game:
    """Return a game whose compiled functions are timed."""
    kernels = {
        one.name: clock.timed(RULES, getattr(game.kernels, one.name))
        for one in fields(game.kernels)
        if callable(getattr(game.kernels, one.name))
    }
    policies = {name: clock.timed(f"opponents: {name}", p) for name, p in game.policies.items()}
    return replace(game, kernels=replace(game.kernels, **kernels), policies=policies)


def measure(config: RunConfig, decisions: int | None = None) -> dict[str, Any]:
    """Train for so many decisions, or for 4 updates; say where the time went.

    One update is made before, unmeasured. Returns `decisions`, `seconds`,
    `decisions_per_second`, `parts` (seconds of each), `work` (seconds of processors of each),
    `shares` (of all seconds) and `environment` (the share of games and opponents together).
    """
    config = deepcopy(config)
    update = config.train.games * config.train.steps
    with tempfile.TemporaryDirectory() as folder:
        config.folder = folder
        config.train.evaluate_every = 0
        session = set_up(config, RunFolder.create(config))
        session.config.train.decisions = update
        learn(session)
        session.config.train.decisions += decisions or UPDATES * update
        clock = Clock()
        session.env.game = session.env.batch.game = watched(session.game, clock)
        calls = [
            (session.env, "step_wait", ENV),
            (session.env, "action_masks", ENV),
            (Team, "answers", NETWORKS),
            *the_learners(session.model),
        ]
        with watching(clock, calls), clock.part(OTHER):
            learn(session)
    return summary(clock, session.model.num_timesteps - update)


def summary(clock: Clock, decisions: int) -> dict[str, Any]:
    """Turn a clock's seconds into shares."""
    whole = sum(clock.seconds.values())
    shares = {part: taken / whole for part, taken in clock.seconds.items()}
    return {
        "decisions": decisions,
        "seconds": whole,
        "decisions_per_second": decisions / whole,
        "parts": clock.seconds,
        "work": clock.work,
        "shares": shares,
        "environment": sum(s for part, s in shares.items() if part.startswith(ENVIRONMENT)),
    }


def measure_compiled(
    config: RunConfig, opponent: str = "heuristic", decisions: int | None = None
) -> dict[str, Any]:
    """Measure the same learner against one compiled opponent through `CompiledVecEnv`."""
    t = config.train
    update = t.games * t.steps
    envs = SkirmishVectorEnv(
        t.games, opponent=opponent, side="alternate", autoreset_mode=AutoresetMode.SAME_STEP
    )
    env: Any = CompiledVecEnv(envs, seed=config.seed)
    network = replace(NetworkSpec(**vars(config.agent)), critic=SEEN)  # all it shows
    model = make_learner(config, env, network, envs.game)
    model.learn(update)
    clock = Clock()
    calls = [
        (CompiledVecEnv, "step_wait", ENV),
        (CompiledVecEnv, "action_masks", ENV),
        (SkirmishVectorEnv, "step", ENV),
        (type(envs._engine), "_play", RULES),
        *the_learners(model),
    ]
    with watching(clock, calls), clock.part(OTHER):
        model.learn(decisions or UPDATES * update, reset_num_timesteps=False)
    return summary(clock, model.num_timesteps - update)


def table(found: dict[str, Any]) -> str:
    """Return a measurement as text."""
    width = max(map(len, found["parts"]))
    rows = sorted(found["parts"].items(), key=lambda one: -one[1])
    lines = [
        f"{part:{width}}  {s:7.2f} s  {s / found['seconds']:6.1%}  {found['work'][part]:7.2f} s"
        for part, s in rows
    ]
    return "\n".join([
        f"{'':{width}}  {'time':>9}  {'share':>6}  {'work':>9}",
        *lines,
        f"{found['decisions']:,} decisions in {found['seconds']:.1f} s: "
        f"{found['decisions_per_second']:,.0f} a second; games and opponents "
        f"{found['environment']:.1%}",
    ])  # fmt: skip


def shares(config: RunConfig) -> None:
    """Measure where the time of a training goes, and print it."""
    print(f"Self-play\n{table(measure(config))}\n")
    print(f"Against the heuristic alone, compiled\n{table(measure_compiled(config))}")


def main() -> None:
    """Measure with the settings of the command line."""
    launch(shares, "run")


if __name__ == "__main__":
    main()
