"""Seeds: one number starts a run, and games of training and of evaluation never meet.

Evaluation deals the games 0, 1, 2, ... below 2**32. Training draws from 2**32 up to 2**62.
Everything else that needs chance (network, opponents, moves) gets a stream of its own.
"""

from __future__ import annotations

import numpy as np

EVALUATION_SEEDS = range(2**32)
TRAINING_SEEDS = range(2**32, 2**62)

STREAMS = ("deals", "opponents", "moves", "network", "arena", "sample")


def stream(seed: int, name: str, *more: int) -> np.random.Generator:
    """Return the generator of a run's seed for one purpose; streams are independent."""
    return np.random.default_rng([seed, STREAMS.index(name), *more])


def training_seeds(rng: np.random.Generator, n: int) -> np.ndarray:
    """Draw seeds int64 (n,) of training games."""
    return rng.integers(TRAINING_SEEDS.start, TRAINING_SEEDS.stop, n)


def evaluation_deals(first: int, n: int) -> np.ndarray:
    """Return seeds int64 (n,) of evaluation games, from `first` on.

    Raises:
        ValueError: some of them belong to training.
    """
    if n < 1 or first not in EVALUATION_SEEDS or first + n - 1 not in EVALUATION_SEEDS:
        raise ValueError(
            f"evaluation deals are 0 to {EVALUATION_SEEDS.stop - 1}, at least one of them; "
            f"not {n} from {first} on"
        )
    return np.arange(first, first + n, dtype=np.int64)
