"""Checkpoints: the weights of a run in one file, and beside it what they fit to.

A checkpoint is `NAME.zip` (as stable-baselines3 saves) and `NAME.json`. The JSON names the game,
the versions and sizes of both layouts, the network, and how far training had come; `check`
refuses weights that belong to anything else.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from skirmish_env.game import Game

FORMAT = "skirmish-checkpoint"
FORMAT_VERSION = 1
FOLDER = "checkpoints"
FINAL = "final"
UNFINISHED = "."  # how names begin while a checkpoint is being written
SUFFIXES = (".zip", ".state.pt", ".json")  # the JSON comes last: without it there is no checkpoint


class CheckpointError(ValueError):
    """A checkpoint that is missing, damaged, or made for another game or layout."""


def layouts(game: Game) -> dict[str, Any]:
    """What a network's input and output depend on."""
    return {
        "game": game.name,
        "observation_version": game.observation_version,
        "observation_size": game.observation_size,
        "action_version": game.action_version,
        "action_count": game.action_count,
    }


def find(path: str | Path) -> Path:
    """Return the zip file that a path means: a run folder, a checkpoint folder or a file.

    A folder means its checkpoint with the most decisions, among equals the final one.

    Raises:
        CheckpointError: nothing there.
    """
    path = Path(path).expanduser()
    if path.is_dir():
        folder = path / FOLDER if (path / FOLDER).is_dir() else path
        found = [
            file
            for file in folder.glob("*.zip")
            if file.with_suffix(".json").is_file() and not file.name.startswith(UNFINISHED)
        ]
        if not found:
            raise CheckpointError(f"{path}: no checkpoint in this folder")
        return max(found, key=lambda file: (read(file)["decisions"], file.stem == FINAL))
    zip_file = path.with_suffix(".zip")
    if not zip_file.is_file():
        raise CheckpointError(f"{path}: no such checkpoint")
    return zip_file


def write(zip_file: Path, game: Game, **details: Any) -> None:
    """Write the JSON beside a checkpoint's zip."""
    data = {"format": FORMAT, "format_version": FORMAT_VERSION, **layouts(game), **details}
    text = json.dumps(data, indent=1) + "\n"
    zip_file.with_suffix(".json").write_text(text, encoding="utf-8")


def finish(folder: Path, name: str) -> None:
    """Give a checkpoint that is written in full its name; until then the older one counts."""
    (folder / f"{name}.json").unlink(missing_ok=True)
    for suffix in SUFFIXES:
        part = folder / f"{UNFINISHED}{name}{suffix}"
        if part.exists():
            part.replace(folder / f"{name}{suffix}")


def read(zip_file: Path) -> dict[str, Any]:
    """Read the JSON beside a checkpoint's zip.

    Raises:
        CheckpointError: it is missing, no JSON, or of another format version.
    """
    path = zip_file.with_suffix(".json")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise CheckpointError(f"{path}: is missing beside {zip_file.name}") from error
    except json.JSONDecodeError as error:
        raise CheckpointError(f"{path}: not valid JSON: {error}") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise CheckpointError(f"{path}: does not describe a checkpoint")
    if data.get("format_version") != FORMAT_VERSION:
        raise CheckpointError(
            f"{path}: checkpoint format {data.get('format_version')!r}; "
            f"this version reads {FORMAT_VERSION}"
        )
    return data


def check(data: dict[str, Any], game: Game, where: str | Path) -> None:
    """Refuse weights of another game or layout.

    Raises:
        CheckpointError: names every difference and what would be right.
    """
    wrong = [
        f"{key.replace('_', ' ')} {data.get(key)!r} where this is {value!r}"
        for key, value in layouts(game).items()
        if data.get(key) != value
    ]
    if wrong:
        raise CheckpointError(
            f"{where}: trained for {', '.join(wrong)}; use the version of the environment that "
            "it was trained with, or train again"
        )
