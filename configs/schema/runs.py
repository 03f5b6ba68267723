"""Settings of what is done with trainings: they are listed, rated, exported, compared."""

# ruff: noqa: RUF009  (`setting` makes a field, and a fresh list or dictionary for each object)

from __future__ import annotations

import re
from dataclasses import dataclass

from configs.schema.base import require, setting


@dataclass
class RunsConfig:
    """One listing of `experiments.runs`."""

    folder: str = setting("runs", "Where run folders lie; relative to where you are.")
    format: str = setting("table", "How they are shown: table, csv or json.")
    sort: str = setting("name", "What comes first: name, decisions, strength or seconds.")

    def __post_init__(self) -> None:
        for key, known in (
            ("format", ("table", "csv", "json")),
            ("sort", ("name", "decisions", "strength", "seconds")),
        ):
            value = getattr(self, key)
            require(value in known, key, value, " or ".join(known))


@dataclass
class EvaluationConfig:
    """One run of `experiments.evaluate`."""

    run: str | None = setting(None, "Folder of the run.")
    checkpoint: str = setting("final", "Which checkpoint of the folder, by name.")
    deals: int | str | None = setting(None, "Deals, as in evaluate.deals; none is as in the run.")
    first_deal: int | None = setting(None, "Seed of the first deal; none is as in the run.")
    opponents: list[str] | None = setting(None, "Names or runs; none is as in the run.")
    deterministic: bool | None = setting(None, "Most probable moves; none is as in the run.")
    seed: int | None = setting(None, "Seed of the players' choices; none is as in the run.")


@dataclass
class ExportConfig:
    """One run of `experiments.export`."""

    run: str | None = setting(None, "Folder of the run whose weights are exported.")
    checkpoint: str = setting("final", "Which checkpoint of the folder, by name.")
    name: str | None = setting(None, "Name of the agent and of its files, as in ppo-v1.")
    folder: str | None = setting(None, "Where the files go; none is the package itself.")
    card: str | None = setting(None, "Folder of the model card; none is docs/models or `folder`.")
    weaknesses: str | None = setting(None, "File with the card's text about known weaknesses.")
    decisions: int = setting(10_000, "Decisions on which file and checkpoint are compared.")
    overwrite: bool = setting(False, "Replace files of this name that are there already.")
    unfinished: bool = setting(False, "Take weights from before the end of the schedules.")

    def __post_init__(self) -> None:
        right = self.name is None or bool(re.fullmatch(r"[a-z0-9][a-z0-9._-]*", self.name))
        require(right, "name", self.name, "made of a-z, 0-9, dots and dashes")
        require(self.decisions > 0, "decisions", self.decisions, "above 0")


@dataclass
class CompareConfig:
    """One run of `experiments.compare`."""

    runs: list[str] = setting([], "Run folders, or folders that hold run folders.")
    by: str = setting("config", "One group is: config, equal but for the seed; or name.")
    folder: str | None = setting(None, "Where results go; none is beside the first run.")
    resamples: int = setting(2000, "Resamples of the bootstrap.")
    resample: str = setting("runs", "Drawn again: whole runs, or runs for each of the tasks.")
    seed: int = setting(0, "Seed of the bootstrap.")

    def __post_init__(self) -> None:
        require(bool(self.runs), "runs", self.runs, "one folder or more, as in runs=[runs/a]")
        require(self.by in ("config", "name"), "by", self.by, "config or name")
        require(self.resamples > 0, "resamples", self.resamples, "above 0")
        known = ("runs", "tasks")
        require(self.resample in known, "resample", self.resample, " or ".join(known))
        require(self.seed >= 0, "seed", self.seed, "0 or more")
