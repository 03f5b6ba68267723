"""Settings of several trainings: one for each seed, variants, the trials of a sweep."""

# ruff: noqa: RUF009  (`setting` makes a field, and a fresh list or dictionary for each object)

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from configs.schema.base import ConfigError, check_seeds, require, setting
from configs.schema.run import (
    AgentConfig,
    EnvConfig,
    EvaluateConfig,
    OpponentsConfig,
    TrainConfig,
    check_agent,
    check_evaluate,
    check_train,
)
from configs.schema.space import OWN, search_space

SAMPLERS = ("tpe", "random")
PRUNERS = ("median", "halving", "none")


@dataclass
class ReplicateConfig:
    """One run of `experiments.replicate`."""

    seeds: list[int] = setting([0, 1, 2], "One run for each.")
    jobs: int = setting(0, "Processes at once, one thread each; 0 is one for each core.")
    name: str = setting("curves", "Name of the folder that holds all of them.")
    folder: str = setting("runs", "Where that folder lies; relative to where you are.")
    env: EnvConfig = field(default_factory=EnvConfig, metadata={"help": "The game."})
    agent: AgentConfig = field(default_factory=AgentConfig, metadata={"help": "The network."})
    train: TrainConfig = field(default_factory=TrainConfig, metadata={"help": "The training."})
    evaluate: EvaluateConfig = field(
        default_factory=EvaluateConfig, metadata={"help": "The arena at the end."}
    )

    def __post_init__(self) -> None:
        check_seeds(self.seeds)
        require(self.jobs >= 0, "jobs", self.jobs, "0 or more")
        require(bool(self.name) and "/" not in self.name, "name", self.name, "one word")
        check_agent(self.agent)
        check_train(self.train)
        check_evaluate(self.evaluate)


@dataclass
class AblateConfig:
    """One run of `experiments.ablate`."""

    variants: dict[str, list[str]] = setting({}, "Names and overrides of a run that make each.")
    run: list[str] = setting([], "Overrides of `experiments.train` that all variants share.")
    seeds: list[int] = setting([0, 1, 2], "One run of every variant for each.")
    jobs: int = setting(1, "Processes at once, one thread each; 0 is one for each core.")
    name: str = setting("ablations", "Name of the folder that holds all runs.")
    folder: str = setting("runs", "Where that folder lies; relative to where you are.")
    write: str = setting("docs", "Folder for the page and its picture; relative to where you are.")

    def __post_init__(self) -> None:
        require(bool(self.variants), "variants", self.variants, "one or more, as in {large: [...]}")
        check_seeds(self.seeds)
        require(self.jobs >= 0, "jobs", self.jobs, "0 or more")
        for name in (self.name, *self.variants):
            require(bool(name) and "/" not in name, "name", name, "one word")
        for override in self.run:
            _check_shared(override, "run", "an ablation")
        for name, overrides in self.variants.items():
            for override in overrides:
                _check_shared(override, f"variants.{name}", "an ablation")


@dataclass
class SweepConfig:
    """One search of `experiments.sweep` for better settings of a run."""

    name: str = setting("sweep", "Last part of the sweep folder's name.")
    seed: int = setting(0, "The proposals follow from this number and from the results.")
    folder: str = setting("runs", "Where sweep folders lie; relative to where you start it.")
    resume: str | None = setting(None, "Sweep folder to go on with; its settings stay.")
    run: list[str] = setting([], "Overrides of `experiments.train` that all trials share.")
    space: dict[str, Any] = setting({}, "What is searched: a range or choices for each key.")
    trials: int = setting(20, "Trials in all, those of a sweep that goes on included.")
    minutes: float | None = setting(None, "No trial begins after this long.")
    baseline: bool = setting(True, "First try what the settings are without a sweep.")
    seeds: list[int] = setting([0], "Seeds of a trial's runs; its score is their mean.")
    jobs: int = setting(1, "Processes; more than one gives each a single thread.")
    sampler: str = setting("tpe", "Where proposals come from: tpe or random.")
    random_trials: int = setting(10, "Trials drawn at random before tpe learns from them.")
    opponent: str = setting("heuristic", "Name or run to score against at a run's end.")
    deals: int | str = setting(500, "Deals of that score: a number, or a set (deals-v1).")
    first_deal: int = setting(1_000_000, "Seed of the first deal, where `deals` is a number.")
    deterministic: bool = setting(True, "Score with the most probable moves, not drawn ones.")
    deals_seed: int = setting(0, "Seed of the players' own choices in these deals.")
    pruner: str = setting("median", "How poor trials are ended early: median, halving, none.")
    watch: str = setting("heuristic", "Kind of opponent whose training score the pruner sees.")
    report_every: int = setting(65_536, "Decisions between two looks of the pruner.")
    prune_after: int = setting(0, "Decisions that every trial may make unpruned.")
    prune_after_trials: int = setting(5, "Finished trials before the median pruner begins.")
    failures: int = setting(3, "Trials that fail of themselves before the sweep stops.")

    def __post_init__(self) -> None:
        require(bool(self.name) and "/" not in self.name, "name", self.name, "one word")
        for key in ("seed", "random_trials", "deals_seed", "prune_after", "prune_after_trials"):
            require(getattr(self, key) >= 0, key, getattr(self, key), "0 or more")
        for key in ("trials", "jobs", "report_every", "failures"):
            require(getattr(self, key) > 0, key, getattr(self, key), "above 0")
        require(self.minutes is None or self.minutes > 0, "minutes", self.minutes, "above 0")
        different = len(set(self.seeds)) == len(self.seeds) > 0 and min(self.seeds) >= 0
        require(different, "seeds", self.seeds, "different numbers, each 0 or more")
        require(self.sampler in SAMPLERS, "sampler", self.sampler, " or ".join(SAMPLERS))
        require(self.pruner in PRUNERS, "pruner", self.pruner, " or ".join(PRUNERS))
        kinds = [one.name for one in fields(OpponentsConfig)]
        require(self.watch in kinds, "watch", self.watch, " or ".join(kinds))
        if isinstance(self.deals, int):
            require(self.deals > 0, "deals", self.deals, "above 0")
            inside = self.first_deal >= 0 and self.first_deal + self.deals <= 2**32
            require(inside, "first_deal", self.first_deal, "0 or more, all deals below 2**32")
        for override in self.run:
            _check_shared(override, "run", "a sweep")
        search_space(self.space)


def _check_shared(override: str, where: str, who: str) -> None:
    """Refuse an override for many runs that is theirs to set who start them, or no "key=value"."""
    key, equals, _ = override.partition("=")
    require(bool(key and equals), where, override, '"key=value", as experiments.train takes it')
    for own in ("seed", "name", "folder", "resume"):
        if key.lstrip("+~") == own:
            raise ConfigError(f"{where}: {override}: {who} sets this itself; see its {OWN[own]}")
