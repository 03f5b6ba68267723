"""Checkpoints: one file that holds all of a moment of training, or is refused.

`NAME.zip` is what stable-baselines3 saves (weights and optimiser) with two more members:
`checkpoint.json` names the game, the versions and sizes of both layouts, the network, and how far
training had come; `state.pt` is the rest of a run. The last bytes of the file, where a zip has its
comment, are the SHA-256 of all bytes before them. A file gets its name when its bytes are on the
disk, so either all of a checkpoint is there, or the one before.

Format version 1 had the JSON beside the zip and no checksum. It still loads for play.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from skirmish_env.game import Game

FORMAT = "skirmish-checkpoint"
FORMAT_VERSION = 2
WITHOUT_CHECKSUM = 1  # the format version that is only read
FOLDER = "checkpoints"
FINAL = "final"
WEIGHTS = "policy.pth"  # as stable-baselines3 names them
DETAILS, STATE = "checkpoint.json", "state.pt"
CHECKSUM = 64  # hexadecimal digits
UNFINISHED = ".part"  # how names end while a file is being written


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


# ---- files that are there in full or not at all


def put(descriptor: int, data: bytes) -> None:
    """Write all bytes to an open file."""
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def write_file(path: Path, data: bytes) -> None:
    """Write a file in one step: at any moment the old content is there, or all of the new.

    Raises:
        OSError: it names the file; the old content stays.
    """
    part = path.with_name(f".{path.name}{UNFINISHED}")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        try:
            put(descriptor, data)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):  # the error that counts is the first one
            part.unlink(missing_ok=True)
        raise type(error)(error.errno, error.strerror, str(path)) from error
    _keep_names(path.parent)


def _keep_names(folder: Path) -> None:
    """Bring the names in a folder to the disk; only POSIX systems open folders for that."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def clear_unfinished(folder: Path) -> None:
    """Remove what a killed process was about to write."""
    for part in folder.glob(f".*{UNFINISHED}"):
        part.unlink()


# ---- write


def pack(weights: io.BytesIO, state: dict[str, Any], game: Game, **details: Any) -> bytes:
    """Return the bytes of a checkpoint.

    Args:
        weights: the zip that stable-baselines3 writes; it is used up.
        state: plain data, numpy arrays and tensors: no code is stored, or run by loading.
        game: whose layouts the weights fit to.
        details: what else the JSON tells, `decisions` among it.
    """
    import torch

    data = {"format": FORMAT, "format_version": FORMAT_VERSION, **layouts(game), **details}
    rest = io.BytesIO()
    torch.save(_with_tensors(state), rest)
    with zipfile.ZipFile(weights, "a") as archive:
        archive.writestr(DETAILS, json.dumps(data, indent=1) + "\n")
        archive.writestr(STATE, rest.getvalue())
    return sealed(weights)


def sealed(archive: io.BytesIO) -> bytes:
    """Return a zip's bytes with their checksum as its comment."""
    with zipfile.ZipFile(archive, "a") as names:
        names.comment = bytes(CHECKSUM)
    with archive.getbuffer() as whole:
        whole[-CHECKSUM:] = hashlib.sha256(whole[:-CHECKSUM]).hexdigest().encode()
        return bytes(whole)


# ---- find


def find(path: str | Path) -> Path:
    """Return the zip file that a path means: a run folder, a checkpoint folder or a file.

    A folder means its undamaged checkpoint with the most decisions, among equals the final one;
    damaged ones that would come first are named in a warning.

    Raises:
        CheckpointError: nothing there, or nothing undamaged.
    """
    path = Path(path).expanduser()
    if path.is_dir():
        folder = path / FOLDER if (path / FOLDER).is_dir() else path
        found, damage = newest(folder)
        if found is None:
            raise CheckpointError("; ".join(damage) or f"{path}: no checkpoint in this folder")
        for one in damage:
            warnings.warn(f"{one}; {found.name} is used instead", stacklevel=2)
        return found
    zip_file = path.with_suffix(".zip")
    if not zip_file.is_file():
        other = path.is_file()
        words = "is no checkpoint: their names end in .zip" if other else "no such checkpoint"
        raise CheckpointError(f"{path}: {words}")
    verify(zip_file)
    return zip_file


def newest(folder: Path) -> tuple[Path | None, list[str]]:
    """Return the undamaged checkpoint with the most decisions, and what is wrong with others.

    Only damage that may have hidden a newer one is told: of files that cannot be read at all,
    and of those with as many decisions or more.
    """
    damage, readable = [], []
    for zip_file in listed(folder):
        try:
            readable.append((read(zip_file)["decisions"], zip_file.stem == FINAL, zip_file))
        except CheckpointError as error:
            damage.append(str(error))
    for _, _, zip_file in sorted(readable, reverse=True):
        try:
            verify(zip_file)
        except CheckpointError as error:
            damage.append(str(error))
        else:
            return zip_file, damage
    return None, damage


def listed(folder: Path) -> list[Path]:
    """Return all zip files of a folder in the order of their names, damaged ones included."""
    return sorted(file for file in folder.glob("*.zip") if not file.name.startswith("."))


def good(folder: Path) -> Iterator[tuple[int, Path]]:
    """Yield (decisions, file) of every undamaged checkpoint of a folder."""
    for zip_file in listed(folder):
        with suppress(CheckpointError):
            verify(zip_file)
            yield read(zip_file)["decisions"], zip_file


# ---- read


def verify(zip_file: Path) -> None:
    """Read a checkpoint in full and compare its checksum.

    Raises:
        CheckpointError: names the file and what is wrong with it.
    """
    if beside(zip_file).is_file():
        _verify_first_format(zip_file)
        return
    data = zip_file.read_bytes()
    given = data[-CHECKSUM:]
    if len(given) < CHECKSUM or not set(given) <= set(b"0123456789abcdef"):
        _member(zip_file, DETAILS)  # it names what is wrong with a file that is no checkpoint
        raise CheckpointError(f"{zip_file}: is damaged (it does not end with its checksum)")
    if hashlib.sha256(data[:-CHECKSUM]).hexdigest().encode() != given:
        raise CheckpointError(f"{zip_file}: is damaged (its content does not fit its checksum)")


def _verify_first_format(zip_file: Path) -> None:
    _member(zip_file, WEIGHTS)
    with zipfile.ZipFile(zip_file) as archive:
        broken = archive.testzip()
    if broken is not None:
        raise CheckpointError(f"{zip_file}: is damaged ({broken} in it)")


def beside(zip_file: Path) -> Path:
    """Return where format version 1 had its JSON."""
    return zip_file.with_suffix(".json")


def read(zip_file: Path) -> dict[str, Any]:
    """Read what a checkpoint says about itself, without reading all of it.

    Raises:
        CheckpointError: it does not, is damaged, or of another format version.
    """
    path = beside(zip_file) if beside(zip_file).is_file() else zip_file
    try:
        data = json.loads(path.read_bytes() if path != zip_file else _member(zip_file, DETAILS))
    except ValueError as error:
        if isinstance(error, CheckpointError):
            raise
        raise CheckpointError(f"{path}: not valid JSON: {error}") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise CheckpointError(f"{path}: does not describe a checkpoint")
    if data.get("format_version") not in (WITHOUT_CHECKSUM, FORMAT_VERSION):
        raise CheckpointError(
            f"{path}: checkpoint format {data.get('format_version')!r}; "
            f"this version reads {WITHOUT_CHECKSUM} and {FORMAT_VERSION}"
        )
    if not isinstance(data.get("decisions"), int):
        raise CheckpointError(f"{path}: does not say how many decisions were made")
    return data


def _member(zip_file: Path, name: str) -> bytes:
    try:
        with zipfile.ZipFile(zip_file) as archive:
            names = archive.namelist()
            if name in names:
                return archive.read(name)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise CheckpointError(f"{zip_file}: is cut off or damaged ({error})") from error
    if WEIGHTS in names:
        raise CheckpointError(
            f"{zip_file}: has no {name} in it, and no {beside(zip_file).name} beside it"
        )
    # The weights are an archive in the archive: in the first half of a file it may look like all.
    raise CheckpointError(f"{zip_file}: is cut off or damaged (it has no {WEIGHTS} in it)")


def read_state(zip_file: Path) -> dict[str, Any]:
    """Return the state that `pack` was given; arrays come back as arrays.

    Raises:
        CheckpointError: it is damaged, or of format version 1.
    """
    import torch

    if read(zip_file)["format_version"] == WITHOUT_CHECKSUM:
        raise CheckpointError(
            f"{zip_file}: an earlier version made it (checkpoint format {WITHOUT_CHECKSUM}); "
            "it loads for play, but its run cannot be continued"
        )
    return _with_arrays(torch.load(io.BytesIO(_member(zip_file, STATE)), weights_only=True))


def _with_tensors(data: Any) -> Any:
    import torch

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


# ---- keep


def prune(folder: Path, keep: int) -> list[Path]:
    """Delete the undamaged checkpoints with the fewest decisions; return those that went.

    The newest `keep` stay, and besides them the final one. Damaged ones neither count nor go.
    """
    found = sorted((d, file) for d, file in good(folder) if file.stem != FINAL)
    gone = [file for _, file in found[: -max(keep, 1)]]
    for file in gone:
        file.unlink()
        beside(file).unlink(missing_ok=True)
    return gone


def set_aside(folder: Path, decisions: int) -> list[Path]:
    """Move checkpoints with more decisions into `set_aside/`; return where they are now."""
    moved = []
    for zip_file in listed(folder):
        try:
            newer = read(zip_file)["decisions"] > decisions
        except CheckpointError:  # whatever it was, it is not what training goes on from
            newer = True
        if newer:
            (folder / "set_aside").mkdir(exist_ok=True)
            number, target = 2, folder / "set_aside" / zip_file.name
            while target.exists():
                target = target.with_name(f"{zip_file.stem}_{number}.zip")
                number += 1
            zip_file.rename(target)
            moved.append(target)
    return moved
