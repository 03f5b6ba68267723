"""The folder of an arena: its settings, what it was made with, and the games of each pair.

A pair's file appears whole or not at all: it is written under another name and renamed. So what a
stopped arena leaves behind is right, and whoever resumes plays only the pairs that are missing.
"""

from __future__ import annotations

import csv
import json
import platform
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zipfile import BadZipFile

import numpy as np
from omegaconf import OmegaConf

import skirmish_env
from agents import checkpoint
from agents.base import Agent
from configs.schema import ArenaConfig, ConfigError
from experiments import environment
from experiments.folders import make_dated
from experiments.identity import identity, is_trained
from experiments.pairs import SIDE_BY_SIDE, Pairs
from experiments.ratings import MissingExtra
from skirmish_env.game import CardSet, Game

COLUMNS = {
    "agent": str,
    "opponent": str,
    "deal": int,
    "seat": str,
    "score": float,
    "turns": int,
    "decisions": int,
    "ending": str,
}
UNFINISHED = "."  # how the names of files begin while they are written
FORMAT_VERSION = 1

# What games depend on; who searches may change for agents that come later only.
FIXED = ("deals", "first_deal", "seed", "deterministic", "search_deals", "env")
FREE = ("reference", "resamples", "games", "jobs")


@dataclass(frozen=True)
class Speed:
    """What playing a pair took.

    Attributes:
        games, decisions: how many; forced decisions are counted.
        seconds: on the clock.
        cpu: seconds of processors; None in folders that do not tell it.
        asked: [answers, seconds of processors] of each agent that was asked.
    """

    games: int
    decisions: int
    seconds: float
    cpu: float | None = None
    asked: dict[str, list[float]] = field(default_factory=dict)


class ArenaFolder:
    """Names and files of one arena."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config = path / "config.yaml"
        self.made_with = path / "made_with.json"
        self.environment = path / "environment.json"
        self.games = path / "games"
        self.moves = path / "moves"
        self.speeds = path / "speed.json"
        self.summary = path / "summary.json"
        self.report = path / "report.txt"

    @classmethod
    def create(cls, config: ArenaConfig, made_with: dict[str, Any]) -> ArenaFolder:
        """Make `<folder>/<date>_<name>`, with a number behind it when that is taken."""
        arena = cls(make_dated(config.folder, config.name, "arenas"))
        arena.games.mkdir()
        arena.write_settings(config, made_with)
        return arena

    @classmethod
    def open(cls, path: str | Path) -> ArenaFolder:
        """Return the folder of an earlier arena.

        Raises:
            ConfigError: it is not one, or it was written in another format.
        """
        arena = cls(Path(path).expanduser().resolve())
        lacking = [file.name for file in (arena.config, arena.made_with) if not file.is_file()]
        if lacking:
            raise ConfigError(f"{path}: is no arena folder (it has no {' and no '.join(lacking)})")
        found = arena.read_made_with().get("format")
        if found != FORMAT_VERSION:
            raise ConfigError(f"{path}: has format {found!r}; this version reads {FORMAT_VERSION}")
        return arena

    def write_settings(self, config: ArenaConfig, made_with: dict[str, Any]) -> None:
        """Write down every setting, as it takes effect, and what the games depend on beside."""
        standard = {one.name: getattr(config, one.name) for one in fields(ArenaConfig)}
        kept = ArenaConfig(**{**standard, "resume": None, "report": None})
        write_whole(self.made_with, json.dumps(made_with, indent=1) + "\n")
        write_whole(self.config, OmegaConf.to_yaml(OmegaConf.structured(kept)))

    def read_config(self) -> ArenaConfig:
        """Return the settings that the arena was made with."""
        parts = [OmegaConf.structured(ArenaConfig), OmegaConf.load(self.config)]
        return OmegaConf.to_object(OmegaConf.merge(*parts))

    def read_made_with(self) -> dict[str, Any]:
        """Return what the games depend on beside the settings."""
        return json.loads(self.made_with.read_text("utf-8"))

    def note_start(self, start: dict[str, Any]) -> None:
        """Add what this start of the arena is made with to environment.json."""
        starts = [*self.read_starts(), start]
        write_whole(self.environment, json.dumps({"starts": starts}, indent=1) + "\n")

    def read_starts(self) -> list[dict[str, Any]]:
        """Return what was noted at each start; nothing where that was not yet done."""
        return environment.read(self.environment)

    # ---- games

    def file_of(self, a: str, b: str) -> Path:
        """Return where the games of a pair lie; the two names may come in any order."""
        return self.games / f"{_stem(a, b)}.{self.read_made_with()['files']}"

    def moves_file_of(self, a: str, b: str) -> Path:
        """Return where the moves of a pair lie, if they had to be kept."""
        return self.moves / f"{_stem(a, b)}.npz"

    def write_pairs(self, pairs: Pairs, speed: Speed) -> None:
        """Keep the games of a pair; an agent's games against itself once for each deal."""
        if pairs.a > pairs.b:
            pairs = pairs.flipped()
        rows = pairs.rows()
        if pairs.a == pairs.b:
            rows = [row for row in rows if row["seat"] == pairs.seats[0]]
        path = self.file_of(pairs.a, pairs.b)
        speeds = {**self._read_speeds(), path.stem: asdict(speed)}
        write_whole(self.speeds, json.dumps(speeds, indent=1) + "\n")
        if pairs.moves is not None:
            self._write_moves(self.moves_file_of(pairs.a, pairs.b), pairs.moves)
        part = path.with_name(f"{UNFINISHED}{path.name}")
        WRITERS[path.suffix](part, {key: [row[key] for row in rows] for key in COLUMNS})
        part.replace(path)

    def read_pairs(self, a: str, b: str, game: Game, deals: np.ndarray) -> Pairs | None:
        """Return the games of a pair as `a` sees them, or None where they are not played.

        Raises:
            ConfigError: the file is damaged, or holds other games.
            MissingExtra: it cannot be read without a library that is not installed.
        """
        path = self.file_of(a, b)
        if not path.is_file():
            return None
        first, second = sorted((a, b))
        try:
            table = READERS[path.suffix](path)
            found = _as_pairs(table, first, second, game, deals)
        except (ValueError, KeyError, OSError) as error:
            raise ConfigError(
                f"{path}: does not hold the games of {first} against {second} on these deals "
                f"({error}); move it away, and resume={self.path} plays them again"
            ) from error
        return found if a == first else found.flipped()

    def _write_moves(self, path: Path, moves: np.ndarray) -> None:
        self.moves.mkdir(exist_ok=True)
        part = path.with_name(f"{UNFINISHED}{path.name}")
        with part.open("wb") as file:  # given a path, numpy adds a suffix
            np.savez_compressed(file, moves=moves)
        part.replace(path)

    def read_moves(self, a: str, b: str) -> np.ndarray | None:
        """Return `Pairs.moves` of a pair as `a` sees them, or None where none were kept.

        Raises:
            ConfigError: the file is damaged.
        """
        path = self.moves_file_of(a, b)
        if not path.is_file():
            return None
        try:
            with np.load(path) as kept:
                moves = kept["moves"]
        except (ValueError, KeyError, OSError, BadZipFile) as error:
            raise ConfigError(f"{path}: does not hold moves ({error})") from error
        return moves if a <= b else moves[:, ::-1]

    def speed_of(self, a: str, b: str) -> Speed | None:
        """Return what playing a pair took."""
        found = self._read_speeds().get(self.file_of(a, b).stem)
        return Speed(**found) if found else None

    def _read_speeds(self) -> dict[str, Any]:
        return json.loads(self.speeds.read_text("utf-8")) if self.speeds.exists() else {}


def _stem(a: str, b: str) -> str:
    first, second = sorted((a, b))
    return f"{quote(first, safe='')}__{quote(second, safe='')}"


def write_whole(path: Path, text: str) -> None:
    """Write a file so that there is the old one or the new one, never half of it."""
    part = path.with_name(f"{UNFINISHED}{path.name}")
    part.write_text(text, "utf-8")
    part.replace(path)


def _as_pairs(
    table: dict[str, list[Any]], a: str, b: str, game: Game, deals: np.ndarray
) -> Pairs:
    seats = game.seats[:1] if a == b else game.seats
    expected = {
        "agent": [a] * len(deals) * len(seats),
        "opponent": [b] * len(deals) * len(seats),
        "deal": np.repeat(deals, len(seats)).tolist(),
        "seat": list(seats) * len(deals),
    }
    for key, values in expected.items():
        if table[key] != values:
            raise ValueError(f"column {key} is another")
    kinds = {"score": np.float64, "turns": np.int64, "decisions": np.int64, "ending": str}
    columns = [np.array(table[key], kind).reshape(len(deals), -1) for key, kind in kinds.items()]
    if a == b:
        columns = [np.repeat(column, 2, axis=1) for column in columns]
        columns[0][:, 1] = 1 - columns[0][:, 0]
    return Pairs(a, b, game.seats, deals, *columns)


# ---- kinds of files


def file_kind() -> str:
    """Return the kind of file that games are written to here: parquet, or csv without pyarrow."""
    return "parquet" if find_spec("pyarrow") else "csv"


def _parquet() -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra(
            "these games lie in Parquet files, which need pyarrow: "
            "pip install 'skirmish-env[arena]'"
        ) from error
    return pyarrow


def _write_parquet(path: Path, table: dict[str, list[Any]]) -> None:
    arrow = _parquet()
    arrow.parquet.write_table(arrow.table(table), path)


def _read_parquet(path: Path) -> dict[str, list[Any]]:
    with path.open("rb") as file:  # a path would make it look for partitions in folders' names
        return _parquet().parquet.read_table(file).to_pydict()


def _write_csv(path: Path, table: dict[str, list[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table)
        writer.writerows(zip(*table.values(), strict=True))


def _read_csv(path: Path) -> dict[str, list[Any]]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {key: [kind(row[key]) for row in rows] for key, kind in COLUMNS.items()}


WRITERS: dict[str, Callable[[Path, dict[str, list[Any]]], None]] = {
    ".parquet": _write_parquet,
    ".csv": _write_csv,
}
READERS: dict[str, Callable[[Path], dict[str, list[Any]]]] = {
    ".parquet": _read_parquet,
    ".csv": _read_csv,
}


# ---- what games depend on


def made_with(
    game: Game, card_set: CardSet, agents: dict[str, Agent], files: str
) -> dict[str, Any]:
    """Return all that the games of these agents depend on, settings aside."""
    libraries = ["numpy", "numba"]
    if any(is_trained(agent) for agent in agents.values()):
        libraries.append("torch")
    return {
        "format": FORMAT_VERSION,
        "files": files,
        "skirmish_env": skirmish_env.__version__,
        "python": ".".join(platform.python_version_tuple()[:2]),
        **{name: version(name) for name in libraries},
        **checkpoint.layouts(game),
        "card_set": {key: getattr(card_set, key) for key in ("name", "version", "hash")},
        "side_by_side": SIDE_BY_SIDE,
        "agents": {name: identity(name, agent) for name, agent in agents.items()},
    }


def differences(old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    """Say in words what two arenas were made with differently; agents of one only do not count."""
    for key in sorted(old.keys() | new.keys()):
        left, right = old.get(key), new.get(key)
        if key == "agents":
            for name in left.keys() & right.keys():
                if left[name] != right[name]:
                    yield f"agent {name} was {left[name]} and is {right[name]}"
        elif key == "torch" and None in (left, right):
            continue  # the first trained agent came later
        elif left != right:
            yield f"{key} was {left} and is {right}"


def given(config: ArenaConfig, command_line: list[str]) -> set[str]:
    """Return the settings that somebody chose, be it to choose the default."""
    standard = type(config)()
    chosen = {
        one.name
        for one in fields(config)
        if getattr(config, one.name) != getattr(standard, one.name)
    }
    words = {word.lstrip("+~").partition("=")[0].partition(".")[0] for word in command_line}
    return chosen | (words & {one.name for one in fields(config)})


def going_on(arena: ArenaFolder, config: ArenaConfig, chosen: set[str]) -> ArenaConfig:
    """Return the settings with which an arena goes on: its own, and what may change.

    Raises:
        ConfigError: a setting that its games depend on would change, or an agent be left out.
    """
    kept = arena.read_config()
    for key in ("name", "folder"):
        if key in chosen:
            raise ConfigError(f"{key}: {arena.path} has its place and name already; leave it out")
    for key in FIXED:
        old, new = getattr(kept, key), getattr(config, key)
        if key in chosen and old != new:
            raise ConfigError(
                f"{key}: {arena.path} was played with {old!r}, not with {new!r}; leave it out, or "
                "start another arena"
            )
    free: dict[str, Any] = {key: getattr(config, key) for key in FREE if key in chosen}
    if "agents" in chosen:
        without = [name for name in kept.agents if name not in config.agents]
        if without:
            raise ConfigError(
                f"agents: {arena.path} holds games of {', '.join(without)} too; agents can be "
                "added, not left out"
            )
        free["agents"] = config.agents
        later = [name for name in config.searching if name not in kept.agents]
        free["searching"] = [*kept.searching, *later]
    if "searching" in chosen:
        for name in kept.agents:
            if (name in kept.searching) != (name in config.searching):
                raise ConfigError(
                    f"searching: {arena.path} was played with {kept.searching!r}; only for agents "
                    f"that come later it may change, not for {name}"
                )
        free["searching"] = config.searching
    return replace(kept, **free)
