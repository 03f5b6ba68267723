"""What an agent is, and how to get one by name or from a file."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np

from skirmish_env.game import NEW_YORK, Game
from skirmish_env.opponents import no_agent, registered
from skirmish_env.views import View

BUILT_IN = {
    "random": "agents.random:RandomAgent",
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


def load(name_or_path: str | Path, *, game: Game = NEW_YORK) -> Agent:
    """Return an agent by its registered name, or a trained one from a run or checkpoint.

    Raises:
        ValueError: neither a name nor a path; says which names there are.
        agents.checkpoint.CheckpointError: the checkpoint belongs to another game or layout.
    """
    if isinstance(name_or_path, str):
        target = _targets().get(name_or_path)
        if target is not None:
            module, _, name = target.partition(":")
            return getattr(import_module(module), name)()
    path = Path(name_or_path).expanduser()
    if path.exists():
        from agents.ppo import PPOAgent  # torch is only needed for trained agents

        return PPOAgent.load(path, game=game)
    raise ValueError(
        f"{no_agent(str(name_or_path), _targets())}; a trained agent is named by its run folder"
    )


def _targets() -> dict[str, str]:
    """Names to "module:class"; other packages register theirs as entry points."""
    found = {name: point.value for name, point in registered().items()}
    found.pop("ppo", None)  # made from a checkpoint, never from a name alone
    return {**found, **BUILT_IN}
