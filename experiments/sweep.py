"""Search for better settings: `python -m experiments.sweep trials=40 jobs=2`.

The story of a sweep: a study proposes settings, each proposal is a trial of one run for each seed,
the arena scores what they learnt on deals that all trials share, poor trials are ended early. The
study lies in the sweep's folder, so that a sweep can go on from wherever it stopped.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from functools import partial
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from hydra import compose, initialize_config_module
from hydra.core.config_store import ConfigStore
from hydra.core.global_hydra import GlobalHydra
from hydra.errors import HydraException
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from agents import checkpoint
from agents.ppo import PPOAgent
from configs.schema import ConfigError, EvaluateConfig, RunConfig, SweepConfig, search_space
from experiments import runs
from experiments import train as training
from experiments.launch import SCHEMAS, command_line, explain, launch
from experiments.progress import Display
from experiments.runs import RunFolder
from skirmish_env.warm import warm

try:
    import optuna
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "experiments.sweep needs optuna: pip install 'skirmish-env[train,sweep]'"
    ) from error

from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
)
from optuna.trial import FrozenTrial, TrialState

SCHEMAS["sweep"] = SweepConfig
ConfigStore.instance().store("sweep_schema", SweepConfig)

STUDY = "sweep"
MAY_CHANGE = ("trials", "minutes", "jobs", "failures")  # when a sweep goes on
LABELS = ("name", "folder", "resume")  # change nothing that is measured
ONE_THREAD = {
    "OMP_WAIT_POLICY": "PASSIVE",
    **dict.fromkeys(
        ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"
    ),
}
STOP = "stop"
FEW_FOR_IMPORTANCE = 4

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
    with alone(folder), open_study(config, folder, base) as study:
        print(f"Sweep folder: {folder.path}", flush=True)
        ongoing = Sweep(config, folder, study, objective)
        try:
            run_trials(ongoing)
        except KeyboardInterrupt:
            print(f"\nStopped; `resume={folder.path}` goes on from here.", flush=True)
        report(ongoing)
    print(f"Took {time.monotonic() - began:.0f} s. Everything is in {folder.path}", flush=True)
    return ongoing


# ---- settings


def composed(overrides: list[str]) -> RunConfig:
    """Return the settings of `experiments.train` with these overrides.

    Raises:
        ConfigError: there are no such settings.
    """
    try:
        if GlobalHydra.instance().is_initialized():
            return OmegaConf.to_object(compose("run", overrides))
        with initialize_config_module("configs", version_base="1.3"):
            return OmegaConf.to_object(compose("run", overrides))
    except (HydraException, OmegaConfBaseException) as error:
        raise ConfigError(explain(error, RunConfig)) from error


def as_text(value: Any) -> str:
    """Write a value as an override does: `0.001`, `[128,128]`, `null`."""
    if isinstance(value, str):
        return value if re.fullmatch(r"[A-Za-z_][\w.:/-]*", value) else json.dumps(value)
    if isinstance(value, list):
        return f"[{','.join(as_text(one) for one in value)}]"
    return repr(value) if isinstance(value, float) else json.dumps(value)


def overrides_of(params: dict[str, Any]) -> list[str]:
    """Return a proposal as overrides; choices are kept as the texts they are written with."""
    return [
        f"{key}={value if isinstance(value, str) else as_text(value)}"
        for key, value in params.items()
    ]


def distributions(config: SweepConfig) -> dict[str, BaseDistribution]:
    """Return what the study draws each key of the search space from."""
    found: dict[str, BaseDistribution] = {}
    for key, entry in search_space(config.space).items():
        if "choices" in entry:
            found[key] = CategoricalDistribution([as_text(one) for one in entry["choices"]])
        elif entry["kind"] is int:
            step = entry["step"] or 1
            found[key] = IntDistribution(entry["low"], entry["high"], log=entry["log"], step=step)
        else:
            low, high = float(entry["low"]), float(entry["high"])
            found[key] = FloatDistribution(low, high, log=entry["log"], step=entry["step"])
    return found


def ends(distribution: BaseDistribution) -> list[Any]:
    """Return the values of a distribution that show whether it is allowed: ends, or choices."""
    if isinstance(distribution, CategoricalDistribution):
        return list(distribution.choices)
    return [distribution.low, distribution.high]


def check(config: SweepConfig) -> RunConfig:
    """Compose the run that all trials vary; check that every end of the space is a setting.

    An end that only fits beside other searched settings may take their lowest or highest.

    Raises:
        ConfigError: names the key that is wrong.
    """
    space = distributions(config)
    if not space:
        raise ConfigError("space: names nothing to search, as train.learning_rate: {low, high}")
    try:
        base = composed(config.run)
    except ConfigError as error:
        raise ConfigError(f"run: {error}") from error
    training.find_deals(evaluation(config))
    game, _ = runs.find_game(base)
    training.find_opponents(evaluation(config), game)
    beside = [{}, *({key: ends(one)[at] for key, one in space.items()} for at in (0, -1))]
    for key, distribution in space.items():
        for value in ends(distribution):
            _check_end(config, key, value, beside)
    return base


def _check_end(config: SweepConfig, key: str, value: Any, beside: list[dict[str, Any]]) -> None:
    first: ConfigError | None = None
    for others in beside:
        try:
            run = composed([*config.run, *overrides_of(others | {key: value})])
        except ConfigError as error:
            first = first or error
            continue
        if config.pruner != "none" and not getattr(run.train.opponents, config.watch):
            raise ConfigError(
                f"watch: the pruner needs training games against {config.watch}, but with "
                f"{key}={value} train.opponents.{config.watch} is 0"
            )
        return
    raise ConfigError(f"space.{first}")


def evaluation(config: SweepConfig) -> EvaluateConfig:
    """Return the arena that scores every trial."""
    return EvaluateConfig(
        opponents=[config.opponent],
        deals=config.deals,
        first_deal=0 if isinstance(config.deals, str) else config.first_deal,
        deterministic=config.deterministic,
        seed=config.deals_seed,
    )


def run_config(config: SweepConfig, folder: SweepFolder, params: dict, name: str) -> RunConfig:
    """Return the settings of one run of a trial, but for its seed.

    Raises:
        ConfigError: the proposed values do not fit together.
    """
    run = composed([*config.run, *overrides_of(params)])
    run = replace(run, name=name, folder=str(folder.trials), evaluate=evaluation(config))
    return replace(run, train=replace(run.train, threads=1)) if config.jobs > 1 else run


# ---- the folder and the study in it


class SweepFolder:
    """Names and files of one sweep: `sweep.yaml`, `study.db`, `trials/` and what they came to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config = path / "sweep.yaml"
        self.study = path / "study.db"
        self.lock = path / "sweep.lock"
        self.trials = path / "trials"
        self.table = path / "trials.txt"
        self.best = path / "best.yaml"
        self.history = path / "history.png"

    @classmethod
    def create(cls, config: SweepConfig) -> SweepFolder:
        """Make `<folder>/<date>_<name>`, with a number behind it when that is taken."""
        parent = Path(config.folder).expanduser().resolve()
        stem = f"{datetime.now():%Y-%m-%d_%H-%M-%S}_{config.name}"
        for number in range(1, 1000):
            folder = cls(parent / (stem if number == 1 else f"{stem}_{number}"))
            try:
                folder.path.mkdir(parents=True)
            except FileExistsError:
                continue
            folder.trials.mkdir()
            folder.write_config(config)
            return folder
        raise ConfigError(f"name: there are too many sweeps called {stem}")

    @classmethod
    def open(cls, path: str | Path) -> SweepFolder:
        """Return the folder of an earlier sweep.

        Raises:
            ConfigError: it is not one.
        """
        folder = cls(Path(path).expanduser().resolve())
        if not folder.config.is_file():
            raise ConfigError(f"{path}: is no sweep folder (it has no {folder.config.name})")
        return folder

    def write_config(self, config: SweepConfig) -> None:
        """Write every setting down."""
        self.config.write_text(OmegaConf.to_yaml(OmegaConf.structured(config)), "utf-8")

    def read_config(self, overrides: list[str]) -> SweepConfig:
        """Return the sweep's settings with changes "key=value" that leave its trials comparable.

        Raises:
            ConfigError: a change would mix trials of different settings.
        """
        for one in overrides:
            key, equals, _ = one.partition("=")
            if not equals or key not in MAY_CHANGE:
                raise ConfigError(
                    f"{one}: trials of different settings cannot be mixed; a sweep that goes on "
                    f"may change {', '.join(MAY_CHANGE)}"
                )
        parts = [OmegaConf.structured(SweepConfig), OmegaConf.load(self.config)]
        try:
            merged = OmegaConf.merge(*parts, OmegaConf.from_dotlist(overrides))
            return OmegaConf.to_object(merged)
        except OmegaConfBaseException as error:
            raise ConfigError(explain(error, SweepConfig)) from error


@contextmanager
def alone(folder: SweepFolder) -> Iterator[None]:
    """Hold the folder: two processes would take each other's running trials for lost ones.

    The system lets go of the lock when the process ends, however it ends.

    Raises:
        ConfigError: another process holds it.
    """
    import fcntl  # where there is none, everything else here still imports

    with folder.lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConfigError(f"{folder.path}: another process runs this sweep") from None
        yield


@contextmanager
def open_study(
    config: SweepConfig, folder: SweepFolder, base: RunConfig
) -> Iterator[optuna.Study]:
    """Open the study in the folder, or make it; lost trials are enqueued again.

    Raises:
        ConfigError: the study was made with other settings.
    """
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    storage = optuna.storages.RDBStorage(f"sqlite:///{folder.study}")
    try:
        study = optuna.create_study(
            storage=storage,
            study_name=STUDY,
            direction="maximize",
            pruner=make_pruner(config),
            load_if_exists=True,
        )
        settings = plain(fixed_settings(config, base))
        stored = study.user_attrs.get("settings")
        if stored is None:
            study.set_user_attr("settings", settings)
            if config.baseline:
                enqueue_baseline(study, config, base)
        refuse_others(stored or settings, settings)
        folder.write_config(replace(config, resume=None))
        enqueue_lost(study, distributions(config))
        yield study
    finally:
        storage.remove_session()
        storage.engine.dispose()


def fixed_settings(config: SweepConfig, base: RunConfig) -> dict[str, Any]:
    """Return all that trials of one study have in common."""
    free = (*MAY_CHANGE, *LABELS, "space", "run")
    found = {key: value for key, value in asdict(config).items() if key not in free}
    found["jobs"] = "above 1" if config.jobs > 1 else "1"  # the threads of a run follow from it
    found["space"] = {
        key: {part: value for part, value in entry.items() if part != "kind"}
        for key, entry in search_space(config.space).items()
    }
    own = ("seed", "evaluate", *LABELS)
    found["run"] = {key: value for key, value in asdict(base).items() if key not in own}
    return found


def plain(settings: dict[str, Any]) -> dict[str, Any]:
    """Return dotted keys to texts, which compare alike after any way of storing them."""
    found = {}
    for key, value in settings.items():
        if isinstance(value, dict) and value:
            found |= {f"{key}.{inside}": text for inside, text in plain(value).items()}
        else:
            found[key] = value if isinstance(value, str) else as_text(value) if value != {} else "{}"
    return found


def refuse_others(stored: dict[str, str], settings: dict[str, str]) -> None:
    """Raise a ConfigError where a study's settings are not those of its sweep."""
    for key in sorted(stored.keys() | settings.keys()):
        was, now = stored.get(key, "nothing"), settings.get(key, "nothing")
        if was != now:
            raise ConfigError(
                f"{key}: the trials of this study were made with {was}, not {now}; they cannot "
                "be mixed, so begin another sweep"
            )


def enqueue_baseline(study: optuna.Study, config: SweepConfig, base: RunConfig) -> None:
    """Make the base's own values the first trial, as far as they lie in the space."""
    params = {}
    for key, distribution in distributions(config).items():
        value: Any = base
        for name in key.split("."):
            value = getattr(value, name)
        if isinstance(distribution, CategoricalDistribution):
            text = as_text(value) if not hasattr(value, "__dataclass_fields__") else None
            inside, value = text in distribution.choices, text
        else:
            inside = distribution.low <= value <= distribution.high
        if inside:
            params[key] = value
    if params:
        study.enqueue_trial(params, user_attrs={"baseline": len(params) == len(config.space)})


def enqueue_lost(study: optuna.Study, space: dict[str, BaseDistribution]) -> None:
    """Mark trials that a killed process left running as failed, and enqueue them again."""
    for lost in study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
        study.tell(lost.number, state=TrialState.FAIL)
        if lost.params.keys() == space.keys():  # half a proposal is made again in the same way
            study.enqueue_trial(lost.params, user_attrs={"repeats": lost.number})
            print(f"Trial {lost.number} was cut off; it is tried again", flush=True)


def make_pruner(config: SweepConfig) -> optuna.pruners.BasePruner:
    """Make the pruner; its steps are decisions."""
    if config.pruner == "median":
        return optuna.pruners.MedianPruner(config.prune_after_trials, config.prune_after)
    if config.pruner == "halving":
        first = max(config.report_every, config.prune_after)
        return optuna.pruners.SuccessiveHalvingPruner(min_resource=first)
    return optuna.pruners.NopPruner()


def make_sampler(config: SweepConfig, proposal: int) -> optuna.samplers.BaseSampler:
    """Make the sampler of one proposal: a sweep that goes on proposes as if it had not stopped."""
    seed = int(np.random.SeedSequence([config.seed, proposal]).generate_state(1)[0])
    if config.sampler == "random":
        return optuna.samplers.RandomSampler(seed=seed)
    return optuna.samplers.TPESampler(
        n_startup_trials=config.random_trials, constant_liar=config.jobs > 1, seed=seed
    )


# ---- trials


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
    """Run an objective; an error in it is an outcome, told with its kind."""
    try:
        return objective(config, report)
    except Exception as error:
        return Outcome(None, failure=f"{type(error).__name__}: {error}")


# ---- processes


class Worker:
    """A process that makes one run after the other, with one thread."""

    def __init__(self, objective: Objective) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs, objective), daemon=True)
        with environment(ONE_THREAD):  # libraries read it when they are imported
            self.process.start()
        theirs.close()
        self.task: Task | None = None

    def give(self, task: Task) -> None:
        """Let it make a run."""
        self.task = task
        self.pipe.send(task.config)

    def close(self) -> None:
        """End it, whatever it does."""
        self.process.terminate()
        self.process.join()
        self.process.close()
        self.pipe.close()


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
    except EOFError:
        worker.process.join()
        code = worker.process.exitcode
        ongoing.finished(task, Outcome(None, failure=f"its process ended with code {code}"))
        return False
    if isinstance(message, Outcome):
        worker.task = None
        ongoing.finished(task, message)
    elif ongoing.heard(task, *message):
        worker.pipe.send(STOP)
    return True


def work(pipe: Connection, objective: Objective) -> None:
    """Make the runs that come through a pipe, until it closes or its other end is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    torch.set_num_threads(1)

    def report(decisions: int, score: float) -> bool:
        pipe.send((decisions, score))
        return pipe.poll() and pipe.recv() == STOP

    try:
        while True:
            config = pipe.recv()
            if config != STOP:  # that came too late for the run before
                pipe.send(attempted(objective, config, report))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


@contextmanager
def environment(changes: dict[str, str]) -> Iterator[None]:
    """Set environment variables for processes started here, and put them back."""
    before = {key: os.environ.get(key) for key in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for key, value in before.items():
            if value is None:
                del os.environ[key]
            else:
                os.environ[key] = value


# ---- a run of a trial


class Quiet(Display):
    """Measures speed and shows nothing."""

    def show(self, decisions: int, scores: dict[str, float], *, last: bool = False) -> None:
        """Show nothing."""


def train_and_rate(config: RunConfig, report: Report, watch: str) -> Outcome:
    """Train as `experiments.train` does, and score what was learnt in the config's arena.

    Args:
        config: of the run.
        report: hears the score in recent training games after each update.
        watch: the kind of opponent whose games these are.
    """
    session = training.set_up(config, RunFolder.create(config))
    model, run = session.model, session.run

    def stop_requested() -> str:
        stop = report(model.num_timesteps, session.league.scores()[watch])
        return "pruned" if stop else ""

    loop = training.Loop(session, Quiet(config.train.decisions), stop_requested)
    model.learn(config.train.decisions, callback=loop, log_interval=None)
    if loop.stopped == "pruned":
        return Outcome(None, str(run.path))
    loop.close_iteration(last=True)
    training.save(session, checkpoint.FINAL)
    agent = PPOAgent.copy_of(model.policy, session.game, session.network, "ppo")
    agent.deterministic = config.evaluate.deterministic
    results = training.play_arena(agent, config.evaluate, session.game, session.card_set)
    runs.write_json(run.evaluation, results)
    return Outcome(results["results"][0]["score"], str(run.path))


# ---- report


def report(ongoing: Sweep) -> None:
    """Print the trials and the best settings, and write them down."""
    text = table(ongoing)
    best = ongoing.best
    if best is not None:
        text += "\n\n" + best_settings(ongoing, best)
    print(f"\n{text}", flush=True)
    ongoing.folder.table.write_text(f"{text}\n", "utf-8")
    draw_history(ongoing.trials, ongoing.folder.history)


def table(ongoing: Sweep) -> str:
    """Lay the trials out as text, the best first."""
    seeds = ongoing.config.seeds
    head = ["trial", "score", *(f"seed {seed}" for seed in seeds if len(seeds) > 1), "seconds", ""]
    keys = list(ongoing.space)
    rows = [[*head, *keys]]
    order = {TrialState.COMPLETE: 0, TrialState.PRUNED: 1}
    for one in sorted(ongoing.trials, key=lambda t: (order.get(t.state, 2), -(t.value or 0))):
        complete = one.state == TrialState.COMPLETE
        scores = [f"{score:.1%}" for score in one.user_attrs.get("scores", [])]
        lines = [str(one.number), f"{one.value:.1%}" if complete else ""]
        lines += (scores or [""] * len(seeds)) if len(seeds) > 1 else []
        lines += [f"{one.duration.total_seconds():.0f}" if one.duration else "", _note(one)]
        rows.append([*lines, *(_short(one.params.get(key, "")) for key in keys)])
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) for row in rows]
    deals = len(training.find_deals(evaluation(ongoing.config)))
    note = (
        f"Score: wins and half the draws against {ongoing.config.opponent}; {deals} deals, each "
        "played twice with seats swapped"
    )
    note += f"; mean over {len(seeds)} seeds." if len(seeds) > 1 else "."
    return "\n".join([*(line.rstrip() for line in lines), note])


def _note(trial: FrozenTrial) -> str:
    if trial.state == TrialState.PRUNED:
        return f"pruned at {trial.last_step:,}, {trial.intermediate_values[trial.last_step]:.0%}"
    if "failure" in trial.user_attrs:
        return "failed"
    if "same_as" in trial.user_attrs:
        return f"as trial {trial.user_attrs['same_as']}"
    if trial.state == TrialState.RUNNING:
        return "cut off"
    return "baseline" if trial.user_attrs.get("baseline") else ""


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def best_settings(ongoing: Sweep, best: FrozenTrial) -> str:
    """Write the best settings to best.yaml; return them as commands, with importances."""
    overrides = [*ongoing.config.run, *overrides_of(best.params)]
    settings = asdict(composed(overrides))
    for key in ("seed", "resume", "folder"):
        del settings[key]
    folder = ongoing.folder
    start = shlex.join(["--config-dir", str(folder.path), "--config-name", folder.best.stem])
    words = [
        f"# The settings of trial {best.number}, score {best.value:.4f}. Use:",
        "# python -m experiments.train --config-dir FOLDER --config-name best seed=1",
        "defaults: [run, _self_]",
        OmegaConf.to_yaml(OmegaConf.create(settings)),
    ]
    folder.best.write_text("\n".join(words), "utf-8")
    lines = [
        f"Best: trial {best.number}, {best.value:.1%}. Chosen among {len(ongoing.trials)} trials, "
        "so expect less of it on other deals and seeds:",
        f"python -m experiments.train {shlex.join(overrides)} seed=1",
        f"python -m experiments.train {start} seed=1",
    ]
    weights = importances(ongoing)
    if weights:
        shares = ", ".join(f"{key} {weight:.0%}" for key, weight in weights.items())
        lines.append(f"How much each setting mattered (PED-ANOVA): {shares}")
    return "\n".join(lines)


def importances(ongoing: Sweep) -> dict[str, float]:
    """Return how much each setting mattered, the shares sum to 1; {} with too few trials."""
    scores = [one.value for one in ongoing.trials if one.state == TrialState.COMPLETE]
    if len(scores) < FEW_FOR_IMPORTANCE or len(ongoing.space) < 2 or len(set(scores)) < 2:
        return {}
    evaluator = optuna.importance.PedAnovaImportanceEvaluator()
    return optuna.importance.get_param_importances(ongoing.study, evaluator=evaluator)


def draw_history(trials: list[FrozenTrial], picture: Path) -> None:
    """Draw the scores of trials in their order, and what the pruner saw of each, as a PNG."""
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    complete = [one for one in trials if one.state == TrialState.COMPLETE]
    if complete:
        numbers, scores = [one.number for one in complete], [one.value for one in complete]
        left.plot(numbers, scores, "o", label="trial")
        left.step(numbers, np.maximum.accumulate(scores), where="post", label="best so far")
        left.legend(loc="lower right")
    left.set(xlabel="trial", ylabel="score on the shared deals")
    left.xaxis.get_major_locator().set_params(integer=True)
    for one in trials:
        steps = sorted(one.intermediate_values)
        pruned = one.state == TrialState.PRUNED
        color = "0.6" if pruned else None
        values = [one.intermediate_values[step] for step in steps]
        right.plot(steps, values, color=color, marker="x" if pruned else ".", linewidth=1)
    right.set(xlabel="decisions of the learner", ylabel="score in recent training games")
    right.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    right.xaxis.get_major_locator().set_params(nbins=5)
    figure.savefig(picture, dpi=120)


def main() -> None:
    """Search with the settings of the command line."""
    launch(sweep, "sweep")


if __name__ == "__main__":
    main()
