"""Deals with a name, so that results of different papers rest on the same games.

A name never changes its meaning: other deals would get another name. The seeds lie among those of
evaluation (`experiments.seeds`), far from the numbers 0, 1, 2, ... that are dealt by default.
"""

from __future__ import annotations

import numpy as np

from skirmish_env.common.words import nearest

FIRST_OF_V1 = 3_000_000_000
SIZE_OF_V1 = 2000
NAMED_DEALS = {"deals-v1": range(FIRST_OF_V1, FIRST_OF_V1 + SIZE_OF_V1)}


def deals(name: str, n: int | None = None) -> np.ndarray:
    """Return the seeds of a named set of deals, int64 (n,), read-only.

    Args:
        name: "deals-v1" (2,000 deals).
        n: only so many, from the first one on; None is all of them.

    Raises:
        ValueError: no set of that name (the nearest is named), or not so many deals in it.
    """
    if name not in NAMED_DEALS:
        hint = nearest(name, NAMED_DEALS, every=True)
        raise ValueError(f"deals: no set of deals is called {name!r}; {hint}")
    whole = NAMED_DEALS[name]
    if n is None:
        n = len(whole)
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or not 1 <= n <= len(whole):
        raise ValueError(f"deals: {name} has 1 to {len(whole)} deals to give, not {n!r}")
    seeds = np.arange(whole.start, whole.start + int(n), dtype=np.int64)
    seeds.flags.writeable = False
    return seeds
