"""Search for better settings: `python -m experiments.sweep trials=40 jobs=2`.

The story of a sweep: a study proposes settings, each proposal is a trial of one run for each seed,
the arena scores what they learnt on deals that all trials share, poor trials are ended early. The
study lies in the sweep's folder, so that a sweep can go on from wherever it stopped.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from agents import checkpoint
from agents.ppo import PPOAgent
from configs.schema import RunConfig, SweepConfig
from experiments import runs
from experiments.evaluate import play_arena
from experiments.launch import command_line, launch
from experiments.learning import Loop
from experiments.progress import Display
from experiments.runs import RunFolder
from experiments.saving import save
from experiments.session import set_up
from experiments.sweep_report import report
from experiments.sweep_study import (
    SweepFolder,
    alone,
    check,
    distributions,
    enqueue_lost,
    open_study,
)
from experiments.sweep_trials import Objective, Outcome, Report, Sweep, run_trials


def sweep(config: SweepConfig) -> Path:
    """Search for the settings of a run that score best; return the sweep's folder."""
    done = search(config, partial(train_and_rate, watch=config.watch))
    if done.failed >= done.config.failures or done.best is None:
        sys.exit(1)
    return done.folder.path


def search(config: SweepConfig, objective: Objective) -> Sweep:
    """Make or go on with a sweep, run its trials, and leave tables and pictures in its folder.

    Raises:
        ConfigError: the settings fit neither a run nor the study that shall go on.
    """
    began = time.monotonic()
    if config.resume:
        folder = SweepFolder.open(config.resume)
        config = folder.read_config([o for o in command_line() if not o.startswith("resume=")])
        base = check(config)
    else:
        base = check(config)
        folder = SweepFolder.create(config)
    with alone(folder):
        study = open_study(config, folder, base)
        print(f"Sweep folder: {folder.path}", flush=True)
        enqueue_lost(study, distributions(config))
        ongoing = Sweep(config, folder, study, objective)
        try:
            run_trials(ongoing)
        except KeyboardInterrupt:
            print(f"\nStopped; `resume={folder.path}` goes on from here.", flush=True)
        report(ongoing)
    print(f"Took {time.monotonic() - began:.0f} s. Everything is in {folder.path}", flush=True)
    return ongoing


# ---- a run of a trial


class Quiet(Display):
    """Measures speed and shows nothing."""

    def show(self, *arguments: Any, **more: Any) -> None:
        """Show nothing."""


def train_and_rate(config: RunConfig, hear: Report, watch: str) -> Outcome:
    """Train as `experiments.train` does, and score what was learnt in the config's arena.

    Args:
        config: of the run.
        hear: takes the score in recent training games after each update.
        watch: the kind of opponent whose games these are.
    """
    session = set_up(config, RunFolder.create(config))
    model, run = session.model, session.run

    def stop_requested() -> str:
        stop = hear(model.num_timesteps, session.league.scores()[watch])
        return "pruned" if stop else ""

    loop = Loop(session, Quiet(config.train.decisions), stop_requested)
    model.learn(config.train.decisions, callback=loop, log_interval=None)
    if loop.stopped == "pruned":
        return Outcome(None, str(run.path))
    loop.close_iteration(last=True)
    save(session, checkpoint.FINAL)
    agent = PPOAgent.copy_of(model.policy, session.game, session.network, "ppo")
    agent.deterministic = config.evaluate.deterministic
    results = play_arena(agent, config.evaluate, session.game, session.card_set)
    runs.write_json(run.evaluation, results)
    return Outcome(results["results"][0]["score"], str(run.path))


def main() -> None:
    """Search with the settings of the command line."""
    launch(sweep, "sweep")


if __name__ == "__main__":
    main()
