"""Train the same settings with several seeds side by side, then compare what came out.

`python -m experiments.replicate seeds=[0,1,2] train.decisions=500_000`: one process with one
thread for each seed, as many at once as there are cores. Started again with the same settings it
goes on: finished seeds are not trained again.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import signal
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from agents import checkpoint
from agents.ppo import PPOAgent
from configs.schema import CompareConfig, ConfigError, ReplicateConfig, RunConfig
from experiments import runs
from experiments.compare import compare, told_apart
from experiments.evaluate import play_arena
from experiments.launch import launch
from experiments.processes import ONE_THREAD, cores, variables
from experiments.progress import Display
from experiments.runs import RunFolder
from experiments.train import train

LOOK_EVERY = 1.0  # seconds


def run_config(config: ReplicateConfig, seed: int) -> RunConfig:
    """Return the settings of one seed's run, which lies in the folder of all."""
    return RunConfig(
        name=f"seed{seed}",
        seed=seed,
        folder=str(Path(config.folder) / config.name),
        env=config.env,
        agent=config.agent,
        train=replace(config.train, threads=1),
        evaluate=config.evaluate,
    )


# ---- how far a seed has come


def earlier(config: RunConfig) -> RunFolder | None:
    """Return the folder in which a run has come furthest, or None where none has saved anything.

    Raises:
        ConfigError: runs of this seed were made with other settings.
    """
    found = []
    for run in folders_of(config):
        there, here = told_apart(run.read_config()), told_apart(config)
        differ = [f"{k} ({there[k]!r} there, {v!r} here)" for k, v in here.items() if there[k] != v]
        if differ:
            raise ConfigError(
                f"name: {run.path} was made with other settings: {', '.join(differ)}; choose "
                "another name, or remove that folder"
            )
        if decisions_of(run):
            found.append(run)
    return max(found, key=decisions_of, default=None)


def folders_of(config: RunConfig) -> list[RunFolder]:
    """Return all folders of a run's name, whatever has come of them."""
    name = re.compile(rf".*_{re.escape(config.name)}(_\d+)?")
    parent = Path(config.folder).expanduser().resolve()
    paths = [path.parent for path in sorted(parent.glob("*/config.yaml"))]
    return [RunFolder(path) for path in paths if name.fullmatch(path.name)]


def decisions_of(run: RunFolder) -> int:
    """Return how many decisions a run's newest checkpoint has."""
    try:
        return checkpoint.read(checkpoint.find(run.path))["decisions"]
    except checkpoint.CheckpointError:
        return 0


def is_evaluated(run: RunFolder, config: RunConfig) -> bool:
    """Say whether a run's arena was played in full."""
    if not run.evaluation.is_file():
        return False
    found = json.loads(run.evaluation.read_text(encoding="utf-8"))
    return found["settings"] == asdict(config.evaluate)


def is_finished(config: RunConfig) -> bool:
    """Say whether nothing is left to do for a run."""
    run = earlier(config)
    done = run is not None and decisions_of(run) >= config.train.decisions
    return done and is_evaluated(run, config)


# ---- the processes


def work(config: RunConfig) -> None:
    """Train one seed to its end, from where an earlier process left it."""
    run = earlier(config)
    if run is None:
        train(config)
    elif decisions_of(run) < config.train.decisions:
        train(RunConfig(resume=str(run.path)))
    else:
        evaluate(config, run)


def evaluate(config: RunConfig, run: RunFolder) -> None:
    """Play the arena of a trained run."""
    game, card_set = runs.find_game(config)
    e = config.evaluate
    agent = PPOAgent.load(checkpoint.find(run.path), game=game, deterministic=e.deterministic)
    runs.write_json(run.evaluation, play_arena(agent, e, game, card_set))


def work_alone(config: RunConfig, log: str) -> None:
    """Do the work in a process of its own; what it says goes to a file."""
    if hasattr(os, "setpgrp"):
        os.setpgrp()  # Ctrl-C reaches the first process alone, which passes it on once
    with (
        Path(log).open("a", encoding="utf-8", buffering=1) as file,
        redirect_stdout(file),
        redirect_stderr(file),
    ):
        try:
            work(config)
        except ValueError as error:
            print(f"error: {error}", file=file)
            sys.exit(1)


class Team:
    """Processes, so many at once, of which each trains one seed.

    Args:
        configs: of the seeds.
        jobs: processes at once.
        folder: for what they say.
    """

    def __init__(self, configs: list[RunConfig], jobs: int, folder: Path) -> None:
        self.waiting = list(configs)
        self.jobs = jobs
        self.folder = folder
        self.running: dict[int, Any] = {}
        self.failed: list[int] = []
        self.stopped = False
        self._spawn = multiprocessing.get_context("spawn")

    def log(self, seed: int) -> Path:
        """Return where a seed's process writes what it says."""
        return self.folder / f"seed{seed}.log"

    def go_on(self) -> bool:
        """Start processes where there is room; return whether there is anything left to do."""
        for seed, process in list(self.running.items()):
            if process.exitcode is not None:
                del self.running[seed]
                self.failed += [seed] if process.exitcode else []
        while self.waiting and len(self.running) < self.jobs and not self.stopped:
            config = self.waiting.pop(0)
            arguments = (config, str(self.log(config.seed)))
            process = self._spawn.Process(target=work_alone, args=arguments)
            process.start()
            self.running[config.seed] = process
        return bool(self.running)

    def stop(self, number: int, frame: object = None) -> None:
        """Let every process save and end; the second time, end them at once."""
        print("\nStopping; the same command goes on from here.", flush=True)
        for process in self.running.values():
            (process.kill if self.stopped else process.terminate)()
        self.stopped = True


def train_all(config: ReplicateConfig, todo: list[RunConfig], folder: Path) -> str:
    """Train all seeds that are left; return why that ended early, or "".

    Raises:
        ConfigError: a process ended with an error; says where it is told.
    """
    goal = config.train.decisions
    everyone = [run_config(config, seed) for seed in config.seeds]
    team = Team(todo, config.jobs or cores(), folder)
    before = {n: signal.signal(n, team.stop) for n in (signal.SIGINT, signal.SIGTERM)}
    start = sum(progress(one) for one in everyone)
    try:
        with variables(ONE_THREAD), Display(goal * len(everyone), start) as display:
            while team.go_on():
                reached = {one.seed: progress(one) for one in everyone}
                notes = [f"seed {seed} {done / goal:.0%}" for seed, done in reached.items()]
                display.show(sum(reached.values()), {}, notes)
                time.sleep(LOOK_EVERY)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if team.failed and not team.stopped:
        where = ", ".join(str(team.log(seed)) for seed in team.failed)
        raise ConfigError(f"seeds: {len(team.failed)} did not end well; see {where}")
    return "on request" if team.stopped else ""


def progress(config: RunConfig) -> int:
    """Return how many decisions metrics.csv says, for the display."""
    rows = [rows[-1] for run in folders_of(config) if (rows := run.read_metrics())]
    return max((int(row["decisions"] or 0) for row in rows), default=0)


def train_seeds(config: ReplicateConfig) -> list[Path] | None:
    """Train what is left of all seeds; return their run folders, or None after a stop.

    Raises:
        ConfigError: a process ended with an error, or earlier runs had other settings.
    """
    everyone = [run_config(config, seed) for seed in config.seeds]
    folder = Path(everyone[0].folder).expanduser().resolve()
    folder.mkdir(parents=True, exist_ok=True)
    todo = [one for one in everyone if not is_finished(one)]
    print(f"{len(todo)} of {len(everyone)} seeds to train in {folder}", flush=True)
    if todo and train_all(config, todo, folder):
        return None
    return [earlier(one).path for one in everyone]


def replicate(config: ReplicateConfig) -> Path | None:
    """Train the same settings with several seeds, then compare; return the folder with results."""
    began = time.monotonic()
    paths = train_seeds(config)
    if paths is None:
        return None
    folder = str(paths[0].parent / "comparison")
    out = compare(CompareConfig(runs=[str(path) for path in paths], folder=folder))
    print(f"Took {time.monotonic() - began:.0f} s", flush=True)
    return out


def main() -> None:
    """Train and compare with the settings of the command line."""
    launch(replicate, "replicate")


if __name__ == "__main__":
    main()
