"""The space that a sweep searches: keys of a run, each with its range or its choices."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from configs.schema.base import ConfigError, nearest, require, settings
from configs.schema.run import RunConfig

GROUPS = ("env", "agent", "train")
OWN = {
    "seed": "seeds", "name": "name", "folder": "folder", "resume": "resume",
    "evaluate": "opponent, deals and deterministic", "train.minutes": "train.decisions",
}  # fmt: skip
PARTS = ("low", "high", "log", "step", "choices")


def search_space(space: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what a sweep searches, one checked entry for each key of a run.

    Args:
        space: dotted or nested keys of a run, or of a group (`agent`), to an entry: `low` and
            `high` with `log` or `step`, or `choices`. None in an entry's place takes it out.

    Returns:
        Dotted key to {"kind": int or float, "low", "high", "log", "step"}, or to {"choices"}.

    Raises:
        ConfigError: a key is none of a run's, or an entry cannot be; names both.
    """
    return {key: _entry(key, entry) for key, entry in _entries(space) if entry is not None}


def _entries(space: dict[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (dotted key, entry), whichever way the keys are nested."""
    kinds = {key: kind for key, kind, *_ in settings(RunConfig)}
    for name, entry in space.items():
        key = f"{above}{name}"
        section = any(known.startswith(f"{key}.") for known in kinds)
        whole = entry is None or (isinstance(entry, dict) and set(entry) & set(PARTS))
        for own, instead in OWN.items():
            if key == own or key.startswith(f"{own}."):
                raise ConfigError(f"space.{key}: a sweep sets this itself; see its {instead}")
        if key in kinds or (key in GROUPS and whole):
            yield key, entry
        elif section and isinstance(entry, dict):
            yield from _entries(entry, f"{key}.")
        elif section:
            raise ConfigError(f"space.{key}: must hold settings below it, not {entry!r}")
        else:
            near = nearest(key, RunConfig)
            hint = f"; the nearest is {near}" if near else ""
            raise ConfigError(f"space.{key}: a run has no such setting{hint}")


def _entry(key: str, entry: Any) -> dict[str, Any]:
    """Check one entry of a search space and fill in what it leaves out."""
    where = f"space.{key}"
    right = "{low, high} with log or step, or {choices}"
    require(isinstance(entry, dict), where, entry, right)
    for part in entry:
        near = get_close_matches(part, PARTS, 1)
        hint = f"; the nearest is {near[0]}" if near else ""
        if part not in PARTS:
            raise ConfigError(f"{where}.{part}: there is no such part{hint} (it is {right})")
    if "choices" in entry:
        return _choices(where, entry)
    kind = {key: kind for key, kind, *_ in settings(RunConfig)}.get(key, "group")
    number = {"int": int, "float": float}.get(kind.partition(" ")[0])
    require(number is not None, where, entry, f"{{choices}}, as a {kind} has no range")
    return _range(where, entry, number)


def _choices(where: str, entry: dict[str, Any]) -> dict[str, Any]:
    choices = entry["choices"]
    require(set(entry) == {"choices"}, where, entry, "choices alone, or low and high")
    several = isinstance(choices, list) and len(choices) > 1
    require(several, f"{where}.choices", choices, "a list of two or more")
    repeated = any(one in choices[:at] for at, one in enumerate(choices))
    require(not repeated, f"{where}.choices", choices, "different from each other")
    return {"choices": choices}


def _range(where: str, entry: dict[str, Any], kind: type) -> dict[str, Any]:
    found = {"kind": kind, "log": False, "step": None} | entry
    for part in ("low", "high"):
        value = found.get(part)
        fits = isinstance(value, int if kind is int else (int, float)) and value is not True
        require(fits, f"{where}.{part}", value, f"a number of type {kind.__name__}")
    low, high, log, step = (found[part] for part in ("low", "high", "log", "step"))
    require(low < high, where, {"low": low, "high": high}, "a low below its high")
    require(isinstance(log, bool), f"{where}.log", log, "true or false")
    require(not log or low > 0, f"{where}.low", low, "above 0 where log is true")
    require(not log or step is None, f"{where}.step", step, "left out where log is true")
    if step is not None:
        fits = isinstance(step, int if kind is int else (int, float)) and step is not True
        require(fits and 0 < step <= high - low, f"{where}.step", step, "above 0, within the range")
    return {part: found[part] for part in ("kind", "low", "high", "log", "step")}
