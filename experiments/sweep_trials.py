"""The trials of a sweep: proposed, run here or in processes, and told to the study."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Protocol

import numpy as np
import torch

from configs.schema import ConfigError, RunConfig, SweepConfig
from experiments.processes import Member
from experiments.sweep_study import (
    FrozenTrial,
    SweepFolder,
    TrialState,
    distributions,
    make_sampler,
    optuna,
    overrides_of,
    run_config,
)
from skirmish_env.warm import warm

STOP = "stop"

Report = Callable[[int, float], bool]


@dataclass(frozen=True)
class Outcome:
    """What one run of a trial came to.

    Attributes:
        score: from 0 to 1; None: the run was stopped early, or failed.
        run: its folder.
        failure: why there is no score, or "".
    """

    score: float | None
    run: str = ""
    failure: str = ""


class Objective(Protocol):
    """Runs one seed of a trial; `report(decisions, score)` says whether to stop early."""

    def __call__(self, config: RunConfig, report: Report) -> Outcome:
        """Return what the run came to."""
        ...


@dataclass
class Attempt:
    """A trial whose runs are waiting or running."""

    trial: optuna.Trial
    config: RunConfig
    waiting: list[int]
    outcomes: dict[int, Outcome] = field(default_factory=dict)
    step: int = 0
    over: bool = False


@dataclass(frozen=True)
class Task:
    """One run of an attempt."""

    attempt: Attempt
    config: RunConfig


@dataclass
class Sweep:
    """Proposes trials, hears their runs, and tells the study what they came to."""

    config: SweepConfig
    folder: SweepFolder
    study: optuna.Study
    objective: Objective
    began: float = field(default_factory=time.monotonic)
    attempts: list[Attempt] = field(default_factory=list)
    space: dict[str, optuna.distributions.BaseDistribution] = field(init=False)

    def __post_init__(self) -> None:
        self.space = distributions(self.config)
        if self.proposed >= self.config.trials:
            raise ConfigError(
                f"trials: {self.proposed} are made already, not fewer than {self.config.trials}"
            )

    @property
    def trials(self) -> list[FrozenTrial]:
        """Trials that ended by themselves or run now; lost ones left out."""
        return [
            one
            for one in self.study.get_trials(deepcopy=False)
            if one.state not in (TrialState.WAITING, TrialState.FAIL) or "failure" in one.user_attrs
        ]

    @property
    def proposed(self) -> int:
        """How many trials of the whole number are begun."""
        return len(self.trials)

    @property
    def failed(self) -> int:
        """How many trials failed of themselves."""
        return sum(one.state == TrialState.FAIL for one in self.trials)

    @property
    def best(self) -> FrozenTrial | None:
        """The trial of the highest score, or None before the first."""
        complete = [one for one in self.trials if one.state == TrialState.COMPLETE]
        return max(complete, key=lambda one: one.value) if complete else None

    def next_task(self) -> Task | None:
        """Return the next run to make, proposing a trial where none waits; None: nothing left."""
        while True:
            for attempt in self.attempts:
                if attempt.waiting:
                    seed = attempt.waiting.pop(0)
                    name = f"{attempt.config.name}_seed_{seed}"
                    return Task(attempt, replace(attempt.config, seed=seed, name=name))
            if not self._may_propose():
                return None
            self._propose()

    def _may_propose(self) -> bool:
        late = self.config.minutes is not None and (
            time.monotonic() - self.began > 60 * self.config.minutes
        )
        enough = self.proposed >= self.config.trials
        return not (late or enough or self.failed >= self.config.failures)

    def _propose(self) -> None:
        self.study.sampler = make_sampler(self.config, self.proposed)
        trial = self.study.ask(self.space)
        print(f"Trial {trial.number}: {' '.join(overrides_of(trial.params))}", flush=True)
        twin = self._twin(trial)
        if twin is not None:
            trial.set_user_attr("same_as", twin.number)
            trial.set_user_attr("scores", twin.user_attrs["scores"])
            self._tell(trial, twin.value, f"the same as trial {twin.number}")
            return
        try:
            name = f"trial_{trial.number:03d}"
            config = run_config(self.config, self.folder, trial.params, name)
        except ConfigError as error:
            self._fail(trial, str(error))
            return
        self.attempts.append(Attempt(trial, config, list(self.config.seeds)))

    def _twin(self, trial: optuna.Trial) -> FrozenTrial | None:
        """Return a finished trial of the same settings: the same seeds would score the same."""
        for one in self.trials:
            if one.state == TrialState.COMPLETE and one.params == trial.params:
                return one
        return None

    def heard(self, task: Task, decisions: int, score: float) -> bool:
        """Take a score during training; return whether the run shall stop.

        Pruning looks at the first seed alone, so that it depends on no order of runs and compares
        trials on the same seed. Steps are multiples of `report_every`.
        """
        attempt, every = task.attempt, self.config.report_every
        step = decisions // every * every
        if attempt.over or task.config.seed != self.config.seeds[0] or score != score:
            return attempt.over
        if step > attempt.step:
            attempt.step = step
            attempt.trial.report(score, step)
            if attempt.trial.should_prune():
                self._close(attempt)
                self.study.tell(attempt.trial, state=TrialState.PRUNED)
                print(f"Trial {attempt.trial.number}: pruned after {decisions:,} decisions")
        return attempt.over

    def finished(self, task: Task, outcome: Outcome) -> None:
        """Take the end of a run; the last one of a trial ends the trial."""
        attempt = task.attempt
        if attempt.over:
            return
        attempt.outcomes[task.config.seed] = outcome
        trial = attempt.trial
        if outcome.score is None:
            self._close(attempt)
            self._fail(trial, outcome.failure or "it stopped without a score")
        elif len(attempt.outcomes) == len(self.config.seeds):
            self._close(attempt)
            by_seed = [attempt.outcomes[seed] for seed in self.config.seeds]
            trial.set_user_attr("scores", [one.score for one in by_seed])
            trial.set_user_attr("runs", [one.run for one in by_seed])
            self._tell(trial, float(np.mean([one.score for one in by_seed])))

    def _close(self, attempt: Attempt) -> None:
        attempt.over = True
        attempt.waiting.clear()
        self.attempts.remove(attempt)

    def _tell(self, trial: optuna.Trial, score: float, why: str = "") -> None:
        self.study.tell(trial, score)
        print(f"Trial {trial.number}: {score:.1%}{', ' if why else ''}{why}", flush=True)

    def _fail(self, trial: optuna.Trial, why: str) -> None:
        trial.set_user_attr("failure", why)
        self.study.tell(trial, state=TrialState.FAIL)
        print(f"Trial {trial.number}: failed: {why}", file=sys.stderr, flush=True)


def run_trials(ongoing: Sweep) -> None:
    """Run trials until there are enough: here, or in processes when there are several jobs."""
    if ongoing.config.jobs > 1:
        run_in_processes(ongoing)
        return
    while (task := ongoing.next_task()) is not None:
        outcome = attempted(ongoing.objective, task.config, partial(ongoing.heard, task))
        ongoing.finished(task, outcome)


def attempted(objective: Objective, config: RunConfig, report: Report) -> Outcome:
    """Run an objective; an error in it is shown, and fails the trial instead of the sweep."""
    try:
        return objective(config, report)
    except Exception as error:
        traceback.print_exc()
        return Outcome(None, failure=f"{type(error).__name__}: {error}")


# ---- processes


class Worker(Member):
    """A process that makes one run after the other."""

    def __init__(self, objective: Objective) -> None:
        super().__init__(work, objective)

    def give(self, task: Task) -> None:
        """Let it make a run."""
        self.task = task
        self.send(task.config)

    def send(self, message: RunConfig | str) -> None:
        """Send a message; that a process is no more, `listen` finds out."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self.pipe.send(message)


def run_in_processes(ongoing: Sweep) -> None:
    """Keep so many workers busy until no run is left."""
    warm()  # or each of them would compile the same functions
    workers = [Worker(ongoing.objective) for _ in range(ongoing.config.jobs)]
    try:
        while True:
            for worker in workers:
                if worker.task is None and (task := ongoing.next_task()) is not None:
                    worker.give(task)
            busy = {worker.pipe: worker for worker in workers if worker.task is not None}
            if not busy:
                return
            for pipe in wait(list(busy)):
                if not listen(ongoing, busy[pipe]):
                    workers[workers.index(busy[pipe])] = Worker(ongoing.objective)
                    busy[pipe].close()
    finally:
        for worker in workers:
            worker.close()


def listen(ongoing: Sweep, worker: Worker) -> bool:
    """Take one message of a worker; return False when the worker is no more."""
    task = worker.task
    try:
        message = worker.pipe.recv()
    except (EOFError, ConnectionResetError):
        failure = f"its process ended with code {worker.exit_code()}"
        ongoing.finished(task, Outcome(None, failure=failure))
        return False
    if isinstance(message, Outcome):
        worker.task = None
        ongoing.finished(task, message)
    elif ongoing.heard(task, *message):
        worker.send(STOP)
    return True


def work(pipe: Connection, objective: Objective) -> None:
    """Make the runs that come through a pipe, with one thread, until it closes."""
    torch.set_num_threads(1)

    def report(decisions: int, score: float) -> bool:
        pipe.send((decisions, score))
        return pipe.poll() and pipe.recv() == STOP

    while True:
        config = pipe.recv()
        if config != STOP:  # that came too late for the run before
            pipe.send(attempted(objective, config, report))
