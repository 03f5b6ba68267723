"""The folder that a run leaves behind, and how to continue from it."""

from __future__ import annotations

import csv
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import torch
from omegaconf import OmegaConf

from agents import checkpoint
from agents.base import Agent
from configs.schema import ConfigError, RunConfig
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK, CardSet, Game

GAMES = {game.name: game for game in (NEW_YORK,)}

GROUPS = ("env", "agent", "train", "evaluate")


class RunFolder:
    """Names and files of one run: `config.yaml`, `metrics.csv`, `checkpoints/` and results."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config = path / "config.yaml"
        self.metrics = path / "metrics.csv"
        self.curve = path / "learning_curve.png"
        self.evaluation = path / "evaluation.json"
        self.sample = path / "sample_game.json"
        self.checkpoints = path / checkpoint.FOLDER

    @classmethod
    def create(cls, config: RunConfig) -> RunFolder:
        """Make `<folder>/<date>_<name>`, with a number behind it when that is taken."""
        parent = Path(config.folder).expanduser().resolve()
        stem = f"{datetime.now():%Y-%m-%d_%H-%M-%S}_{config.name}"
        for number in range(1, 1000):
            path = parent / (stem if number == 1 else f"{stem}_{number}")
            try:
                path.mkdir(parents=True)
            except FileExistsError:
                continue
            run = cls(path)
            run.checkpoints.mkdir()
            run.write_config(config)
            return run
        raise ConfigError(f"name: there are too many runs called {stem}")

    @classmethod
    def open(cls, path: str | Path) -> RunFolder:
        """Return the folder of an earlier run.

        Raises:
            ConfigError: it is not one.
        """
        run = cls(Path(path).expanduser().resolve())
        if not run.config.is_file():
            raise ConfigError(f"{path}: is no run folder (it has no {run.config.name})")
        return run

    def write_config(self, config: RunConfig) -> None:
        """Write every setting down, as it takes effect."""
        self.config.write_text(OmegaConf.to_yaml(OmegaConf.structured(config)), "utf-8")

    def read_config(self, overrides: list[str] | None = None) -> RunConfig:
        """Return the settings that the run was made with, changed by overrides "key=value".

        Raises:
            ConfigError: an override names a whole group, or is no "key=value".
        """
        for one in overrides or []:
            key, equals, _ = one.partition("=")
            if not equals or key in GROUPS or key.startswith(("+", "~")):
                raise ConfigError(f"{one}: only single settings can change when a run goes on")
        parts = [OmegaConf.structured(RunConfig), OmegaConf.load(self.config)]
        parts.append(OmegaConf.from_dotlist(overrides or []))
        return OmegaConf.to_object(OmegaConf.merge(*parts))

    def add_metrics(self, row: dict[str, Any]) -> None:
        """Append a row to metrics.csv; the first one brings the header."""
        new = not self.metrics.exists()
        with self.metrics.open("a", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(row))
            if new:
                writer.writeheader()
            writer.writerow(row)

    def read_metrics(self) -> list[dict[str, str]]:
        """Return the rows of metrics.csv; none when there is no such file yet."""
        if not self.metrics.exists():
            return []
        with self.metrics.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def cut_metrics(self, decisions: int) -> None:
        """Drop the rows of updates that come after so many decisions."""
        kept = [row for row in self.read_metrics() if int(row["decisions"]) <= decisions]
        self.metrics.unlink(missing_ok=True)
        for row in kept:
            self.add_metrics(row)


def find_game(config: RunConfig) -> tuple[Game, CardSet]:
    """Return the game and the card set that a config names.

    Raises:
        ConfigError: there is no such game, card set or rules option.
    """
    if config.env.game not in GAMES:
        raise ConfigError(f"env.game: {config.env.game!r} is unknown; there is {', '.join(GAMES)}")
    game = GAMES[config.env.game]
    try:
        return game, game.load(config.env.card_set, config.env.rules)
    except (ValueError, OSError) as error:
        raise ConfigError(f"env: {error}") from error


def write_json(path: Path, data: Any) -> None:
    """Write readable JSON."""
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


# ---- the state of training beside a checkpoint's weights


def state_file(zip_file: Path) -> Path:
    """Return where the state of training of a checkpoint lies."""
    return zip_file.with_suffix(".state.pt")


def save_state(zip_file: Path, state: dict[str, Any]) -> None:
    """Save plain data, numpy arrays and tensors: no code is stored or run by loading."""
    torch.save(_with_tensors(state), state_file(zip_file))


def load_state(zip_file: Path) -> dict[str, Any]:
    """Load what `save_state` saved; arrays come back as arrays.

    Raises:
        CheckpointError: the file is missing.
    """
    path = state_file(zip_file)
    if not path.is_file():
        raise checkpoint.CheckpointError(f"{path}: is missing, so this run cannot be continued")
    return _with_arrays(torch.load(path, weights_only=True))


def _with_tensors(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _with_tensors(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_with_tensors(value) for value in data]
    if isinstance(data, np.ndarray):
        return {"array": torch.from_numpy(data.copy())}
    return data


def _with_arrays(data: Any) -> Any:
    if isinstance(data, dict):
        if set(data) == {"array"}:
            return data["array"].numpy()
        return {key: _with_arrays(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_with_arrays(value) for value in data]
    return data


# ---- a game to look at


def play_at_table(
    agents: dict[str, Agent], seed: int, game: Game, card_set: CardSet, rng: np.random.Generator
) -> Any:
    """Play one game move by move at a Table, which can be saved as a replay.

    Args:
        agents: who has which seat.
        seed: of the deal.
        game, card_set: what is played.
        rng: of the players' own choices.
    """
    table = game.table.new(seed=seed, card_set=card_set)
    batch = Batch(1, card_set=card_set, skip_forced=False, game=game)
    while table.to_move is not None:
        batch.states[:] = table.states
        action = agents[table.to_move].act(batch.view(), rng)[0]
        table.play(game.action_to_move(action))
    return table
