"""Replay files: a game as JSON that says which rules it was played by."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FORMAT = "skirmish-replay"
FORMAT_VERSION = 1
KEYS = (
    "format", "format_version", "game", "rules_version", "card_set", "rules", "viewer",
    "start", "moves", "result",
)  # fmt: skip


def write(path: str | Path, replay: dict[str, Any]) -> None:
    """Write a replay as readable JSON."""
    Path(path).write_text(json.dumps(replay, indent=1) + "\n", encoding="utf-8")


def read(file: str | Path | dict[str, Any]) -> dict[str, Any]:
    """Read a replay from a path, or check one that is already a dictionary.

    Raises:
        ValueError: no replay, another format version, or keys missing (each named).
    """
    if isinstance(file, dict):
        replay, where = file, "replay"
    else:
        where = str(file)
        try:
            replay = json.loads(Path(file).read_text(encoding="utf-8"))
        except json.JSONDecodeError as error:
            raise ValueError(f"{where}: not valid JSON: {error}") from error
    if not isinstance(replay, dict) or replay.get("format") != FORMAT:
        raise ValueError(f"{where}: not a replay file ({FORMAT!r} is missing)")
    if replay.get("format_version") != FORMAT_VERSION:
        raise ValueError(
            f"{where}: replay format {replay.get('format_version')!r}; "
            f"this version reads {FORMAT_VERSION}"
        )
    for key in KEYS:
        if key not in replay:
            raise ValueError(f"{where}: {key!r} is missing")
    return replay
