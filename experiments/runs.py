"""The folder that a run leaves behind; `python -m experiments.runs` lists all of a folder."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException
from yaml import YAMLError

from agents import checkpoint
from agents.base import Agent
from configs.schema import ConfigError, RunConfig
from experiments import environment, lock
from experiments.folders import make_dated
from experiments.launch import NO_ROOM, explain, launch
from experiments.metrics import Metrics
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK, CardSet, Game

GAMES = {game.name: game for game in (NEW_YORK,)}

GROUPS = ("env", "agent", "train", "evaluate")


class RunFolder:
    """Names and files of one run: `config.yaml`, `metrics.csv`, `checkpoints/` and results.

    Attributes:
        path: the folder; the others are what lies in it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config = path / "config.yaml"
        self.environment = path / "environment.json"
        self.metrics = path / "metrics.csv"
        self.curve = path / "learning_curve.png"
        self.evaluation = path / "evaluation.json"
        self.sample = path / "sample_game.json"
        self.checkpoints = path / checkpoint.FOLDER
        self._rows = Metrics(self.metrics)
        self._room = True  # for the last row

    @classmethod
    def create(cls, config: RunConfig) -> RunFolder:
        """Make `<folder>/<date>_<name>`, with a number behind it when that is taken.

        Raises:
            ConfigError: no folder can be made there.
        """
        run = cls(make_dated(config.folder, config.name, "runs"))
        run.checkpoints.mkdir()
        run.write_config(config)
        return run

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

    def lock(self) -> AbstractContextManager[str | None]:
        """Keep other processes from working on this run: see `lock.held`."""
        return lock.held(self.path)

    def write_config(self, config: RunConfig) -> None:
        """Write every setting down, as it takes effect."""
        text = OmegaConf.to_yaml(OmegaConf.structured(config))
        checkpoint.write_file(self.config, text.encode("utf-8"))

    def read_config(self, overrides: list[str] | None = None) -> RunConfig:
        """Return the settings that the run was made with, changed by overrides "key=value".

        Raises:
            ConfigError: an override names a whole group, or is no "key=value"; the file is
                damaged, or has settings that there are not.
        """
        for one in overrides or []:
            key, equals, _ = one.partition("=")
            if not equals or key in GROUPS or key.startswith(("+", "~")):
                raise ConfigError(
                    f"{one}: only single settings can change when a run goes on or is repeated"
                )
        try:
            of_file = OmegaConf.load(self.config)
            if not isinstance(of_file, DictConfig):
                raise ConfigError(f"{self.config}: is damaged: it holds no settings")
            config = OmegaConf.merge(OmegaConf.structured(RunConfig), of_file)
        except YAMLError as error:
            words = " ".join(str(error).split())
            raise ConfigError(f"{self.config}: is damaged: {words}") from error
        except OmegaConfBaseException as error:
            raise ConfigError(f"{self.config}: {explain(error, RunConfig)}") from error
        return OmegaConf.to_object(OmegaConf.merge(config, OmegaConf.from_dotlist(overrides or [])))

    # ---- environment.json

    def note_environment(self, start: dict[str, Any]) -> None:
        """Add what this start of the run is made with to environment.json."""
        starts = [*environment.read(self.environment), start]
        write_json(self.environment, {"starts": starts})

    # ---- metrics.csv

    def add_metrics(self, row: dict[str, Any]) -> None:
        """Append a row to metrics.csv; on a full disk it waits for the next one, and that is said.

        Raises:
            OSError: it cannot be written for another reason.
        """
        try:
            self._rows.add(row)
            self._room = True
        except OSError as error:
            if error.errno not in NO_ROOM:
                raise
            if self._room:
                print(f"{error.filename}: {error.strerror}; rows wait in memory.", flush=True)
            self._room = False

    def keep_metrics(self) -> None:
        """Bring all rows to the disk.

        Raises:
            OSError: there is no room.
        """
        self._rows.keep()

    def read_metrics(self) -> list[dict[str, str]]:
        """Return the whole rows of metrics.csv; none when there is no such file yet.

        Raises:
            ConfigError: a row is damaged; file and line are named.
        """
        return self._rows.read()

    def cut_metrics(self, decisions: int) -> list[str]:
        """Drop the rows of updates that come after so many decisions; return what to say."""
        return self._rows.cut(decisions)


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
    """Write readable JSON, in one step."""
    checkpoint.write_file(path, (json.dumps(data, indent=1) + "\n").encode("utf-8"))


def evaluated_at(run: RunFolder) -> int | None:
    """Return after how many decisions a run had its arena last; None when it had none.

    Raises:
        ConfigError: evaluation.json is damaged.
    """
    if not run.evaluation.exists():
        return None
    return int(read_results(run.evaluation).get("decisions", 0))


def read_results(path: Path) -> dict[str, Any]:
    """Read what an arena has left: `results` by opponent, `settings`, and more.

    Raises:
        ConfigError: the file is damaged; it is named.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        for one in data["results"]:
            str(one["opponent"]), float(one["score"])
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{path}: is damaged: {error!r}") from error
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


def main() -> None:
    """List runs with the settings of the command line."""
    from experiments.listing import show  # it knows this module by its own name

    launch(show, "runs")


if __name__ == "__main__":
    main()
