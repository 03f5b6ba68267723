"""The study of a sweep: what it searches, the folder it lies in, who proposes and who prunes."""

from __future__ import annotations

import fcntl
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from configs.schema import ConfigError, EvaluateConfig, RunConfig, SweepConfig, search_space
from experiments import runs
from experiments.evaluate import find_deals, find_opponents
from experiments.folders import make_dated
from experiments.launch import composed, explain

try:
    import optuna
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "a sweep needs optuna: pip install 'skirmish-env[train,sweep]'", name="optuna"
    ) from error

from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
)
from optuna.storages.journal import JournalFileBackend
from optuna.trial import FrozenTrial as FrozenTrial  # for the modules beside this one
from optuna.trial import TrialState

STUDY = "sweep"
MAY_CHANGE = ("trials", "minutes", "jobs", "failures")  # when a sweep goes on
LABELS = ("name", "folder", "resume")  # change nothing that is measured

# ---- settings


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
    find_deals(evaluation(config))
    game, _ = runs.find_game(base)
    find_opponents(evaluation(config), game)
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
    """Names and files of one sweep: `sweep.yaml`, `study.log`, `trials/` and what they came to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config = path / "sweep.yaml"
        self.study = path / "study.log"
        self.lock = path / "sweep.lock"
        self.trials = path / "trials"
        self.table = path / "trials.txt"
        self.best = path / "best.yaml"
        self.history = path / "history.png"

    @classmethod
    def create(cls, config: SweepConfig) -> SweepFolder:
        """Make `<folder>/<date>_<name>`, with a number behind it when that is taken."""
        folder = cls(make_dated(config.folder, config.name, "sweeps"))
        folder.trials.mkdir()
        folder.write_config(config)
        return folder

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
    with folder.lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConfigError(f"{folder.path}: another process runs this sweep") from None
        yield


def open_study(config: SweepConfig, folder: SweepFolder, base: RunConfig) -> optuna.Study:
    """Open the study in a folder that is held, or make it.

    Raises:
        ConfigError: the study was made with other settings.
    """
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    cut_half_line(folder.study)
    backend = JournalFileBackend(str(folder.study), lock_obj=HeldLock())
    study = optuna.create_study(
        storage=optuna.storages.JournalStorage(backend),
        study_name=STUDY,
        direction="maximize",
        pruner=make_pruner(config),
        load_if_exists=True,
    )
    settings = plain(fixed_settings(config, base))
    stored = study.user_attrs.get("settings")
    if stored is None:
        if config.baseline:
            enqueue_baseline(study, config, base)
        study.set_user_attr("settings", settings)
    refuse_others(stored or settings, settings)
    folder.write_config(replace(config, resume=None))
    return study


class HeldLock:
    """The lock of a journal whose folder is held: one of its own would outlive a killed process."""

    def acquire(self) -> bool:
        """Say that the lock is held."""
        return True

    def release(self) -> None:
        """Keep holding the folder."""


def cut_half_line(journal: Path) -> None:
    """Drop the end of a journal that a process was killed over while it wrote a line."""
    if journal.is_file():
        text = journal.read_bytes()
        whole = text.rfind(b"\n") + 1
        if whole < len(text):
            journal.write_bytes(text[:whole])


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
            found[key] = value if isinstance(value, str) else json.dumps(value)
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
