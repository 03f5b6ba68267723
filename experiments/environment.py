"""environment.json: with what a run was made, each time that it was started."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numba

import skirmish_env
from agents import checkpoint
from configs.schema import ConfigError
from skirmish_env.game import CardSet, Game

PACKAGES = (
    "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "gymnasium", "pettingzoo",
    "hydra-core",
)  # fmt: skip
ROOT = Path(skirmish_env.__file__).parents[1]
SOURCES = ("skirmish_env", "agents", "experiments", "configs")
GIT_PATIENCE = 10  # seconds
ROOTED = r"(?:/|[A-Za-z]:[\\/]|~[^\s/,]+/)"  # how a path begins that names one machine or user
ABSOLUTE = re.compile(
    rf"(?<=')(?:{ROOTED}[^']*)|(?<=\")(?:{ROOTED}[^\"]*)|(?<![\w.~-]){ROOTED}[^\s,'\"\]\}}]*"
)


def describe(game: Game, card_set: CardSet, threads: int) -> dict[str, Any]:
    """Return what a run depends on beside its settings; no host, user or path is in it."""
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command(),
        "versions": versions(),
        "git": git(),
        "processors": {
            "kind": platform.machine(),
            "count": os.cpu_count(),
            "usable": usable_processors(),
            "threads_play": numba.config.NUMBA_NUM_THREADS,
            "threads_update": threads,
        },
        **checkpoint.layouts(game),
        "card_set": {"name": card_set.name, "version": card_set.version, "hash": card_set.hash},
        "rules": dict(card_set.rules),
    }


def versions() -> dict[str, str | None]:
    """Return the versions of all that takes part; None for what is not installed."""
    found: dict[str, str | None] = {
        "python": platform.python_version(),
        "skirmish-env": skirmish_env.__version__,
    }
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def usable_processors() -> int | None:
    """Return how many processors this process may use; None where nobody says."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count()


def command() -> list[str] | None:
    """Return the command line with `<path>` for paths from the root; None within a program."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    name = getattr(spec, "name", None) or ""
    if not name.startswith("experiments."):
        return None
    return ["python", "-m", name, *(ABSOLUTE.sub("<path>", word) for word in sys.argv[1:])]


def git() -> dict[str, Any] | None:
    """Return commit and whether sources differ from it; None when they lie in no checkout.

    A wheel installed inside somebody's checkout is not part of that.
    """
    here = Path(__file__).resolve().relative_to(ROOT.resolve()).as_posix()
    commit = _ask_git("rev-parse", "HEAD")
    if not commit or _ask_git("ls-files", "--error-unmatch", here) is None:
        return None
    changes = _ask_git("status", "--porcelain", "--", *SOURCES)
    return {"commit": commit.strip(), "dirty": None if changes is None else bool(changes)}


def _ask_git(*words: str) -> str | None:
    outside = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    try:
        done = subprocess.run(
            ["git", "-C", str(ROOT), *words],
            capture_output=True,
            text=True,
            timeout=GIT_PATIENCE,
            env=outside | {"GIT_OPTIONAL_LOCKS": "0"},
        )
    except (OSError, subprocess.TimeoutExpired):  # no git here, or one that does not answer
        return None
    return done.stdout if done.returncode == 0 else None


def read(path: Path) -> list[dict[str, Any]]:
    """Return what was noted at each start of a run; nothing without a file.

    Raises:
        ConfigError: the file is damaged; it is named.
    """
    if not path.exists():
        return []
    try:
        starts = json.loads(path.read_text(encoding="utf-8"))["starts"]
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{path}: is damaged: {error}") from error
    if not isinstance(starts, list) or not all(isinstance(one, dict) for one in starts):
        raise ConfigError(f"{path}: is damaged: it holds no list of starts")
    return starts


def differences(before: dict[str, Any]) -> str:
    """Say in one line which versions are others than noted, or ""."""
    then, now = before.get("versions", {}), versions()
    other = [
        f"{name} {then.get(name)} then, {now.get(name)} now"
        for name in sorted({*then, *now})
        if then.get(name) != now.get(name)
    ]
    if not other:
        return ""
    return f"Other versions than before ({'; '.join(other)}): results may differ a little."
