"""Plays any legal move, each with the same probability."""

from __future__ import annotations

import numpy as np

from skirmish_env.views import View


class RandomAgent:
    """Draws uniformly among the legal actions."""

    name = "random"

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """Choose one legal action in every row, int64 (n,)."""
        return view.policy("random", rng)

    def probabilities(self, view: View) -> np.ndarray:
        """Probabilities of all actions, float64 (n, A): equal for legal ones."""
        return view.mask / view.mask.sum(axis=1, keepdims=True, dtype=np.float64)
