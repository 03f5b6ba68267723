"""Opponents by name, checkpoint, object or function; agents are found by their entry points."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from skirmish_env.common.words import nearest
from skirmish_env.game import Game
from skirmish_env.views import View

# Groups of entry points: classes of agents, and modules that bring trained agents by name, with
# `names()` and `load(name, game=game)`.
AGENTS, TRAINED = "skirmish_env.agents", "skirmish_env.trained"
SEARCH = "+search"  # behind a trained agent's name or path: a search that its network guides


class Opponent(Protocol):
    """Whoever answers for a seat: n actions int64 for a view of n rows, from `rng` alone."""

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """Choose one action in each row."""


@dataclass(frozen=True)
class CompiledOpponent:
    """A compiled policy of the game."""

    name: str

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """Choose one action in each row."""
        return view.policy(self.name, rng)


@dataclass(frozen=True)
class CalledOpponent:
    """A function of a view and a generator."""

    function: Callable[[View, np.random.Generator], np.ndarray]

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """Choose one action in each row."""
        return self.function(view, rng)


def find_opponent(wanted: Any, game: Game) -> Opponent:
    """Return the opponent that is meant.

    Args:
        wanted: the name of a compiled policy, of a registered agent that needs no checkpoint, or of
            a trained one that an installed package brings along; a checkpoint's path, or
            "AGENT:PATH" where several agents can load one; each trained one with "+search" behind
            it to let its network guide a search; an object with `act(view, rng)`; a function of
            the same two.
        game: whose compiled policies are meant, and what trained agents must fit to.

    Raises:
        ValueError: nothing of that name, a checkpoint that no agent, or more than one, loads,
            trained weights that do not fit or cannot be read, or an agent that was to guide a
            search and cannot.
    """
    if isinstance(wanted, (str, Path)):
        return _named(str(wanted), game)
    if isinstance(wanted, type):
        raise ValueError(f"opponent: {wanted.__name__} is a class; give an object made from it")
    if hasattr(wanted, "act"):
        return wanted
    if callable(wanted):
        return CalledOpponent(wanted)
    raise ValueError(f"opponent: a name, a path, an agent or a function is needed, not {wanted!r}")


def _named(words: str, game: Game) -> Opponent:
    agents = registered()
    if words in game.policies:
        return CompiledOpponent(words)
    if words in agents:
        return _made(words, _class_of(agents[words]))
    if words in (weights := trained()):
        return weights[words].load(words, game=game)
    guide = words.removesuffix(SEARCH)
    if guide not in ("", words):
        return _searching(guide, _named(guide, game), game)
    name, colon, path = words.partition(":")
    if colon and name in agents:
        return _loaded(_class_of(agents[name]), path)
    if Path(words).expanduser().exists():
        return _loaded(_only_loader(agents), words)
    raise ValueError(
        f"opponent: {no_agent(words, {*game.policies, *agents, *weights})}; "
        f"{SEARCH!r} behind a trained agent's name or path lets it search"
    )


def _searching(name: str, agent: Opponent, game: Game) -> Opponent:
    try:
        return guided(name, agent, game)
    except ValueError as error:
        raise ValueError(f"opponent: {error}") from error


def registered() -> dict[str, EntryPoint]:
    """Agents by name, as installed packages register them."""
    return {entry.name: entry for entry in entry_points(group=AGENTS)}


def trained() -> dict[str, Any]:
    """Agents that come with their weights, by name: the modules of installed packages to ask."""
    sources = [_class_of(entry) for entry in entry_points(group=TRAINED)]
    return {name: source for source in sources for name in source.names()}


def guided(name: str, agent: Any, game: Game) -> Any:
    """Return the search that an agent's network guides: its `with_search(game=game)`.

    Raises:
        ValueError: the agent, found by this name, offers none, or its network has no value.
    """
    if not hasattr(agent, "with_search"):
        raise ValueError(f"{name}{SEARCH}: {name} offers no `with_search`, so it guides no search")
    try:
        return agent.with_search(game=game)
    except ValueError as error:
        raise ValueError(f"{name}{SEARCH}: {error}") from error


def no_agent(words: str, known: Iterable[str]) -> str:
    """Say that these words are neither an agent's name nor a checkpoint."""
    hint = nearest(words, sorted(known), every=True)
    return f"{words!r} is no agent's name and no checkpoint is there; {hint}"


def _class_of(entry: EntryPoint) -> Any:
    try:
        return entry.load()
    except ImportError as error:
        raise ValueError(
            f"opponent: the agent {entry.name!r} cannot be imported ({error}); "
            "trained agents need the extra: pip install 'skirmish-env[train]'"
        ) from error


def _made(name: str, agent: Any) -> Opponent:
    if hasattr(agent, "load"):
        raise ValueError(f"opponent: {name!r} needs a checkpoint, as in '{name}:PATH'")
    return agent()


def _only_loader(agents: dict[str, EntryPoint]) -> Any:
    """Return the one registered class that loads checkpoints."""
    classes = {name: _class_of(entry) for name, entry in agents.items()}
    loaders = [name for name, found in classes.items() if hasattr(found, "load")]
    if len(loaders) != 1:
        choice = f"say which of {', '.join(loaders)}, as in '{loaders[0]}:PATH'" if loaders else ""
        raise ValueError(f"opponent: {choice or 'no registered agent loads checkpoints'}")
    return classes[loaders[0]]


def _loaded(agent: Any, path: str) -> Opponent:
    if not hasattr(agent, "load"):
        raise ValueError(f"opponent: {agent.__name__} loads no checkpoint")
    found = Path(path).expanduser()
    if not found.exists():
        raise ValueError(f"opponent: there is no checkpoint {path!r}")
    return agent.load(found)
