"""What the search agents share: each row of a view has its own random numbers and its own lots.

So what is chosen in a row does not depend on which other rows were asked together with it.
"""

from __future__ import annotations

import numpy as np

from skirmish_env.views import View

SEEDS = 2**62  # seeds are below


def generators(view: View, rng: np.random.Generator) -> list[np.random.Generator]:
    """Return a generator for each row; every row takes one number from `rng`, whatever it is.

    Raises:
        ValueError: a viewer is not the one to decide.
    """
    idle = np.flatnonzero(~view.mask.any(axis=1))
    if len(idle):
        raise ValueError(f"row {idle[0]}: its viewer is not the one to decide")
    return [np.random.default_rng(seed) for seed in rng.integers(SEEDS, size=len(view))]


def only_moves(view: View) -> tuple[np.ndarray, np.ndarray]:
    """Return each row's first legal action int64 (n,), and the rows (m,) that have another."""
    return view.mask.argmax(axis=1), np.flatnonzero(view.mask.sum(axis=1) > 1)


def best(values: np.ndarray, lots: np.random.Generator) -> int:
    """Return where the highest of these values (n,) stands; equal ones draw lots."""
    return int(lots.choice(np.flatnonzero(values == values.max())))
