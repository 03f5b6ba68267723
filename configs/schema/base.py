"""What a setting is: default, sentence, range; and all settings of a schema as a list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, field, fields, is_dataclass
from difflib import get_close_matches
from typing import Any, get_type_hints


class ConfigError(ValueError):
    """A setting that is unknown or out of its range; the message names its key."""


def setting(default: Any, sentence: str) -> Any:
    """Make a field with a default and its sentence."""
    if isinstance(default, (list, dict)):
        return field(default_factory=default.copy, metadata={"help": sentence})
    return field(default=default, metadata={"help": sentence})


def require(true: bool, key: str, value: Any, right: str) -> None:
    """Raise a ConfigError unless a setting is in its range."""
    if not true:
        raise ConfigError(f"{key}: must be {right}, not {value!r}")


def check_seeds(seeds: list[int]) -> None:
    """Refuse seeds that are none, or twice there."""
    right = bool(seeds) and len(set(seeds)) == len(seeds) and min(seeds) >= 0
    require(right, "seeds", seeds, "one or more, 0 or higher, none twice")


def check_deals(deals: int | str, first: int, above: str = "") -> None:
    """Refuse deals that there cannot be; `above` is the section of the two settings."""
    if isinstance(deals, str):  # which sets there are, the experiment knows
        require(first == 0, f"{above}first_deal", first, f"0 where {above}deals is a name")
    else:
        require(deals > 0, f"{above}deals", deals, "above 0")
        inside = first >= 0 and first + deals <= 2**32
        require(inside, f"{above}first_deal", first, "0 or more, all deals below 2**32")


# ---- the settings as a list


def settings(schema: type, above: str = "") -> Iterator[tuple[str, str, Any, str]]:
    """Yield (key, type, default, sentence) of every setting below a schema."""
    hints = get_type_hints(schema)
    for one in fields(schema):
        key, kind = f"{above}{one.name}", hints[one.name]
        if is_dataclass(kind):
            yield from settings(kind, f"{key}.")
        else:
            default = one.default if one.default is not MISSING else one.default_factory()
            words = kind.__name__ if kind in (int, float, str, bool) else str(kind)
            yield key, words.replace("typing.", ""), default, one.metadata["help"]


def nearest(key: str, schema: type) -> str | None:
    """Return the setting most like a misspelt key, or None when nothing is."""
    keys = [known for known, *_ in settings(schema)]
    sections = {known.rpartition(".")[0] for known in keys} - {""}
    candidates = sorted({*keys, *sections})
    beside = [known for known in candidates if known.rpartition(".")[0] == key.rpartition(".")[0]]
    for choice, cutoff in ((beside, 0.5), (candidates, 0.5)):
        found = get_close_matches(key, choice, 1, cutoff)
        if found:
            return found[0]
    same_name = [known for known in keys if known.rpartition(".")[2] == key.rpartition(".")[2]]
    return same_name[0] if same_name else None
