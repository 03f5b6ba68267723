"""Card sets as data: one TOML file each, read here into plain dictionaries."""

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
        return _parsed(source, text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{source}: not valid TOML: {error}") from error


@functools.lru_cache(maxsize=16)
def _parsed(source: str, text: str) -> CardSetFile:
    """Parse a text once; an edited file is another text."""
    return CardSetFile(source, tomllib.loads(text), hashlib.sha256(text.encode()).hexdigest()[:16])
