"""What tells an agent from another of the same name, in words."""

from __future__ import annotations

import hashlib
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agents import checkpoint
from agents.base import Agent
from experiments import environment
from skirmish_env.game import Game
from skirmish_env.opponents import SEARCH


def is_trained(agent: Agent) -> bool:
    """Whether an agent is made from a checkpoint."""
    return hasattr(type(agent), "load")


def identity(name: str, agent: Agent) -> str:
    """Return what tells an agent from another of the same name.

    That is its weights where it is made of some, else its class and public settings: numbers and
    words, arrays by their hash, agents, their parts and dataclasses inside. The guide of a search
    found by "NAME+search" is told as NAME is.
    """
    if is_trained(agent) and Path(name).expanduser().exists():
        zip_file = checkpoint.find(name)
        return f"{zip_file.name} {_short_hash(zip_file.read_bytes())}"
    if _has_weights(agent):
        return _weights(agent)
    told = {}
    if name.endswith(SEARCH) and hasattr(agent, "guide"):
        told = {"guide": identity(name.removesuffix(SEARCH), agent.guide)}
    return _told(agent, f"{type(agent).__module__}:", told)


def _has_weights(one: Any) -> bool:
    """Whether this is an agent of ours whose weights have a hash."""
    return type(one).__module__.startswith("agents.") and hasattr(one, "sha256")


def _weights(agent: Any) -> str:
    return f"{agent.name} {agent.sha256[:16]}"


def _told(one: Any, module: str = "", told: dict[str, str] | None = None) -> str:
    """Return class and settings of an agent, as in "agents.mine:Search(playouts=100)".

    Settings that are `told` already are not put in words again.
    """
    settings, told = [], told or {}
    for key, value in sorted(getattr(one, "__dict__", {}).items()):
        hidden = key.startswith("_") or key == "name"
        word = None if hidden else told.get(key) or _word(value)
        if word is not None:
            settings.append(f"{key}={word}")
    inside = f"({', '.join(settings)})" if settings else ""
    return f"{module}{type(one).__qualname__}{inside}"


def _word(value: Any) -> str | None:
    """Return a setting in words, no path of this machine among them, or None for what is none.

    The game is none: an arena notes its layouts and card set by themselves.
    """
    if isinstance(value, Game):
        return None
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return environment.ABSOLUTE.sub("<path>", repr(value))
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(str(_word(inside)) for inside in value)}]"
    if _has_weights(value):
        return _weights(value)
    if isinstance(value, np.ndarray):
        return _short_hash(value.tobytes())
    if isinstance(value, dict):
        words = {key: _word(inside) for key, inside in sorted(value.items())}
        return f"{{{', '.join(f'{key}={word}' for key, word in words.items() if word)}}}"
    if isinstance(value, type):
        return None
    ours = type(value).__module__.startswith("agents.")
    return _told(value) if ours or is_dataclass(value) or hasattr(value, "act") else None


def _short_hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
