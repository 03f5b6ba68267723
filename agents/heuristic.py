"""Plays by a forecast of the open table, weighed with common sense (docs/strategy.md)."""

from __future__ import annotations

import numpy as np

from skirmish_env.views import View


class HeuristicAgent:
    """Follows the game's compiled policy of that name."""

    name = "heuristic"

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """Choose one legal action in every row, int64 (n,)."""
        return view.policy("heuristic", rng)
