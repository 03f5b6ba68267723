"""Plays by the same forecast as the heuristic, with weights tuned by many games."""

from __future__ import annotations

import numpy as np

from skirmish_env.views import View


class ExpertAgent:
    """Follows the game's strongest compiled policy."""

    name = "expert"

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """Choose one legal action in every row, int64 (n,)."""
        return view.policy("expert", rng)
