"""Tree search that a trained network guides: its policy is the prior, its value judges leaves."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from agents.forward import Judge
from agents.search.tree import TreeSearch
from skirmish_env.game import NEW_YORK, Game


class Guide(Protocol):
    """A trained agent whose network has moves and a value."""

    name: str

    def judge(self) -> Judge:
        """Return policy and value of the network as they are now."""


class SearchAgent(TreeSearch):
    """Searches with a trained network. It observes redealt games only, so no hidden card.

    Attributes:
        guide: the agent whose network it is.
    """

    guide: Guide

    @classmethod
    def of(
        cls,
        agent: Guide,
        simulations: int | None = None,
        *,
        seconds: float | None = None,
        trees: int = 1,
        explore: float = 1.5,
        unseen: float = 0.2,
        game: Game = NEW_YORK,
        **settings: Any,
    ) -> SearchAgent:
        """Make a searching agent of a trained one, whose weights are copied.

        Args:
            agent: its policy draws or not; here that makes no difference.
            simulations, seconds, trees, game, settings: as in `TreeSearch`; its several trees look
                less far ahead with the same budget.
            explore: weight of what has been tried little; the policy as prior needs more of it.
            unseen: how much less than its parent an untried action promises.

        Raises:
            ValueError: its network has no value branch.
        """
        network = agent.judge()

        def judge(observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            priors, values = network(observations, masks)
            return priors, np.clip(values, -1, 1)

        made = cls(
            simulations, seconds=seconds, trees=trees, judge=judge, game=game,
            name=f"{agent.name}+search", explore=explore, unseen=unseen, **settings,
        )  # fmt: skip
        made.guide = agent
        return made
