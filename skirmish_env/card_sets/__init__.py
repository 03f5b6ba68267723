"""Card sets as data: one TOML file each, read here into plain dictionaries.

A set may be a selection from another: see `selected`.
"""

from __future__ import annotations

import functools
import hashlib
import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

DEFAULT = "in_new_york"


@dataclass(frozen=True, eq=False)
class CardSetFile:
    """The text of a card set: where it came from, its parsed tables, its content hash."""

    source: str
    tables: dict[str, Any]
    hash: str


def names() -> list[str]:
    """Names of the card sets that come with the package."""
    folder = resources.files(__name__)
    return sorted(f.name[:-5] for f in folder.iterdir() if f.name.endswith(".toml"))


def read(card_set: str | Path | None = None) -> CardSetFile:
    """Read a card set by name, or from the path of a ``.toml`` file.

    Raises:
        ValueError: no card set has this name, or the file is not valid TOML (file and line named).
        FileNotFoundError: the path does not exist.
    """
    chosen = DEFAULT if card_set is None else card_set
    if isinstance(chosen, Path) or str(chosen).endswith(".toml"):
        source, text = str(chosen), Path(chosen).read_text(encoding="utf-8")
    elif chosen in names():
        source = f"{chosen}.toml"
        text = (resources.files(__name__) / source).read_text(encoding="utf-8")
    else:
        raise ValueError(
            f"unknown card set {chosen!r}: use one of {names()} or the path of a .toml file"
        )
    try:
        file = _parsed(source, text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{source}: not valid TOML: {error}") from error
    base = _base(file)
    return file if base is None else _selection(file, read(base))


def _base(file: CardSetFile) -> str | None:
    """Return the name of the set that a file selects from, if it does."""
    head = file.tables.get("card_set")
    base = head.get("base") if isinstance(head, dict) else None
    if base is not None and (base not in names() or file.source == f"{base}.toml"):
        raise ValueError(
            f"{file.source}: [card_set]: base must be another of {names()}, not {base!r}"
        )
    return base


@functools.lru_cache(maxsize=16)
def _selection(file: CardSetFile, base: CardSetFile) -> CardSetFile:
    """Join a selection with its base; its hash depends on the texts of both."""
    both = hashlib.sha256(f"{file.hash}{base.hash}".encode()).hexdigest()[:16]
    return CardSetFile(file.source, selected(file.tables, base.tables), both)


def selected(tables: dict[str, Any], base: dict[str, Any]) -> dict[str, Any]:
    """Return the tables of a set that selects from a base.

    Cards and artifacts that it does not name are out of the game (copies = 0). Those that it names,
    and the rules options, have the base's values except those that it gives; such a value of a card
    counts as assumed, because it is not the printed one.
    """
    whole = {**tables, "rules": {**base["rules"], **tables.get("rules", {})}}
    for kind in ("cards", "artifacts"):
        own = tables.get(kind, {})
        others = {name: values for name, values in own.items() if name not in base[kind]}
        whole[kind] = {
            name: _changed(values, own.get(name, {"copies": 0}))
            for name, values in base[kind].items()
        } | others
    return whole


def _changed(values: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return a card's values with changes, and with a basis that calls them assumed."""
    said = {
        word: [key for key in keys if key not in changes] for word, keys in values["basis"].items()
    }
    new = [key for key in changes if key not in ("text", "basis")]
    said["assumed"] = [*said.get("assumed", []), *new]
    return {**values, "basis": said, **changes}


@functools.lru_cache(maxsize=16)
def _parsed(source: str, text: str) -> CardSetFile:
    """Parse a text once; an edited file is another text."""
    return CardSetFile(source, tomllib.loads(text), hashlib.sha256(text.encode()).hexdigest()[:16])
