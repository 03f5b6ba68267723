"""The numbers of a run elsewhere: TensorBoard, Weights & Biases. metrics.csv stays the source.

A run that goes on continues the same log, and no point is there twice.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from configs.schema import ConfigError, RunConfig
from experiments.numbers import FIXED, SCORE, SHARE
from experiments.runs import RunFolder

TENSORBOARD = "tensorboard"  # folder inside the run folder
SENT = "wandb.json"

GROUPS = {SCORE: "score", FIXED: "eval", SHARE: "share"}

Row = dict[str, Any]


class Board(Protocol):
    """Whoever takes the rows of metrics.csv."""

    def write(self, row: Row) -> None:
        """Take the row of one update."""

    def close(self) -> None:
        """Write what is still kept back."""


def open_boards(config: RunConfig, run: RunFolder) -> list[Board]:
    """Open the logs that a config asks for, up to where the run's metrics.csv has come.

    Raises:
        ConfigError: a package is missing; names the extra that brings it.
    """
    check(config)
    boards: list[Board] = []
    if config.train.tensorboard:
        boards.append(TensorBoard(run.path / TENSORBOARD, run.read_metrics()))
    if config.train.wandb != "off":
        boards.append(WeightsAndBiases(config, run))
    return boards


def check(config: RunConfig) -> None:
    """Raise a ConfigError where a package that the config needs is missing."""
    if config.train.tensorboard:
        needed("tensorboard", "log", "train.tensorboard")
    if config.train.wandb != "off":
        needed("wandb", "wandb", "train.wandb")


def needed(package: str, extra: str, key: str) -> Any:
    """Return a package.

    Raises:
        ConfigError: it is not installed; names the extra.
    """
    try:
        return import_module(package)
    except ImportError as error:
        raise ConfigError(
            f"{key}: the package {package} is missing ({error}); "
            f"it comes with pip install 'skirmish-env[{extra}]'"
        ) from error


def points(row: Row) -> dict[str, float]:
    """Return the numbers of a row by tag, as in "eval/heuristic_heroes", decisions left out."""
    return {
        tag(column): float(value)
        for column, value in row.items()
        if column != "decisions" and value != ""
    }


def tag(column: str) -> str:
    """Return where boards show a column: "group/name"."""
    for beginning, group in GROUPS.items():
        if column.startswith(beginning):
            return f"{group}/{column.removeprefix(beginning)}"
    return f"train/{column}"


class TensorBoard:
    """Event files in a folder, always those of the metrics alone.

    What an earlier part of the run left there is written anew, so every reader finds every point
    once, and a log may begin later than its run. Wall times leave pauses out.

    Args:
        folder: for event files only.
        rows: of metrics.csv so far.
    """

    def __init__(self, folder: Path, rows: list[dict[str, str]]) -> None:
        from torch.utils.tensorboard import SummaryWriter

        for file in folder.glob("events.out.tfevents.*"):
            file.unlink()
        self._began = time.time() - (float(rows[-1]["seconds"]) if rows else 0.0)
        # A TensorBoard that is open forgets the points it has read: they come again.
        self._writer = SummaryWriter(folder, purge_step=0 if rows else None)
        for row in rows:
            self.write(row)

    def write(self, row: Row) -> None:
        """Write the numbers of one update."""
        at, wall = int(row["decisions"]), self._began + float(row["seconds"])
        for name, value in points(row).items():
            self._writer.add_scalar(name, value, at, walltime=wall)

    def close(self) -> None:
        """Write what is still kept back."""
        self._writer.close()


class WeightsAndBiases:
    """One run of Weights & Biases, named after the run folder and kept inside it.

    `train.wandb=offline` needs no network; `wandb sync` brings it there later. How far rows have
    been handed over is noted beside, and what was is not handed over again.

    Args:
        config: of the run; all settings go along.
        run: its folder.
    """

    def __init__(self, config: RunConfig, run: RunFolder) -> None:
        wandb = needed("wandb", "wandb", "train.wandb")
        self._note = run.path / SENT
        self._sent = 0
        if self._note.is_file():
            self._sent = json.loads(self._note.read_text(encoding="utf-8"))["decisions"]
        self._run = wandb.init(
            project=config.train.wandb_project,
            id=run.path.name,
            name=run.path.name,
            dir=str(run.path),
            config=asdict(config),
            mode=config.train.wandb,
            resume="allow",
        )
        for row in run.read_metrics():
            self.write(row)

    def write(self, row: Row) -> None:
        """Hand the numbers of one update over, unless they have been before."""
        decisions = int(row["decisions"])
        if decisions <= self._sent:
            return
        self._run.log(points(row), step=decisions)
        self._sent = decisions
        self._note.write_text(json.dumps({"decisions": decisions}) + "\n", encoding="utf-8")

    def close(self) -> None:
        """End this part of the run."""
        self._run.finish()
