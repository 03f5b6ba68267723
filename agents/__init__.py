"""Players: they know a game only through views and the Game interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agents.base import load

__all__ = ["load"]


def __getattr__(name: str) -> Any:
    """Import `load` when it is first asked for: it brings the whole game along."""
    if name != "load":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from agents.base import load

    return load
