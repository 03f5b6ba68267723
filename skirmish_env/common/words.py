"""What to say when a word is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


def nearest(word: Any, known: Iterable[Any], every: bool = False) -> str:
    """Name the known word that was meant; all of them where there is none like it, or `every`."""
    words = [str(one) for one in known]
    listed = f"known: {', '.join(words)}"
    close = difflib.get_close_matches(str(word), words, 1)
    if not close:
        return listed
    return f"did you mean {close[0]!r}?" + (f" {listed}" if every else "")
