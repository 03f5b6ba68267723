"""Folders that experiments leave behind."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from configs.schema import ConfigError


def make_dated(folder: str, name: str, kind: str) -> Path:
    """Make `<folder>/<date>_<name>`, with a number behind it when that is taken.

    Raises:
        ConfigError: no folder can be made there, or too many of this `kind` have the name.
    """
    parent = Path(folder).expanduser().resolve()
    stem = f"{datetime.now():%Y-%m-%d_%H-%M-%S}_{name}"
    for number in range(1, 1000):
        path = parent / (stem if number == 1 else f"{stem}_{number}")
        try:
            path.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise ConfigError(f"folder: {error}") from error
        return path
    raise ConfigError(f"name: there are too many {kind} called {stem}")
