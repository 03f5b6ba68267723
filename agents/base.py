"""What an agent is, and how to get one by name or from a file."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from agents import shipped
from skirmish_env.game import NEW_YORK, Game
from skirmish_env.opponents import SEARCH, guided, no_agent, registered, trained
from skirmish_env.views import View

BUILT_IN = {
    "random": "agents.random:RandomAgent",
    "greedy": "agents.greedy:GreedyAgent",
    "heuristic": "agents.heuristic:HeuristicAgent",
    "expert": "agents.expert:ExpertAgent",
    "mc100": "agents.search.flat:FlatMonteCarlo",
    "ismcts": "agents.search.tree:ISMCTS",
}


@runtime_checkable
class Agent(Protocol):
    """A player who answers many decisions at once and knows only what a view shows."""

    name: str

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """Choose one legal action in every row.

        Args:
            view: n decisions; in each the viewer is the one to decide.
            rng: the only source of randomness.

        Returns:
            Action ids, int64 (n,).
        """
        ...


@runtime_checkable
class Stochastic(Agent, Protocol):
    """An agent who can say how likely it is to play what."""

    def probabilities(self, view: View) -> np.ndarray:
        """Probabilities float64 (n, A) of `act` in every row; 0 for illegal actions."""
        ...


def load(name_or_path: str | Path, *, game: Game = NEW_YORK) -> Agent:
    """Return an agent by its name, or a trained one from a run, a checkpoint or its weights.

    Args:
        name_or_path: a registered name; the name of a trained agent that comes with the package
            (`agents.shipped.names()`); a run folder or a checkpoint, which need torch; or
            `NAME.safetensors`, as `experiments.export` writes it. With "+search" behind it a
            trained agent's network guides a search (`agents.search.network`).
        game: the game that is to be played.

    Raises:
        ValueError: neither a name nor a path (says which names there are), or an agent without
            policy and value that was to guide a search.
        agents.checkpoint.CheckpointError: weights that belong to another game or layout, are
            damaged, or cannot be read without a package that is not installed.
    """
    if isinstance(name_or_path, str):
        target = _targets().get(name_or_path)
        if target is not None:
            module, _, name = target.partition(":")
            return getattr(import_module(module), name)()
        if name_or_path in _sources():
            return _sources()[name_or_path].load(name_or_path, game=game)
        guide = name_or_path.removesuffix(SEARCH)
        if guide not in ("", name_or_path):
            return guided(guide, load(guide, game=game), game)
    path = Path(name_or_path).expanduser()
    if path.suffix == shipped.WEIGHTS and path.is_file():
        return shipped.load_file(path, game=game)
    if path.exists():
        from agents.ppo import PPOAgent  # torch is only needed for what was just trained

        return PPOAgent.load(path, game=game)
    raise ValueError(
        f"{no_agent(str(name_or_path), {*_targets(), *_sources()})}; "
        "a trained agent is named by its run folder; "
        f"{SEARCH!r} behind a trained agent's name or run folder lets it search"
    )


def _targets() -> dict[str, str]:
    """Names to "module:class"; other packages register theirs as entry points."""
    found = {name: point.value for name, point in registered().items()}
    found.pop("ppo", None)  # made from a checkpoint, never from a name alone
    return {**found, **BUILT_IN}


def _sources() -> dict[str, Any]:
    """Names of agents that come with their weights, and the modules that load them."""
    return {**trained(), **dict.fromkeys(shipped.names(), shipped)}
