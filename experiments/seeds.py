"""Seeds: one number starts a run, and games of training and of evaluation never meet.

Evaluation deals the games 0, 1, 2, ... or a named set, all below 2**32. Training draws from 2**32
up to 2**62.
Everything else that needs chance (network, opponents, moves) gets a stream of its own.
"""

from __future__ import annotations

from operator import index

import numpy as np

from skirmish_env.named_deals import deals

EVALUATION_SEEDS = range(2**32)
TRAINING_SEEDS = range(2**32, 2**62)

STREAMS = ("deals", "opponents", "moves", "network", "arena", "sample")


def stream(seed: int, name: str, *more: int) -> np.random.Generator:
    """Return the generator of a run's seed for one purpose; streams are independent."""
    key = (STREAMS.index(name), *more)
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def training_seeds(rng: np.random.Generator, n: int) -> np.ndarray:
    """Draw seeds int64 (n,) of training games."""
    return rng.integers(TRAINING_SEEDS.start, TRAINING_SEEDS.stop, n)


def evaluation_deals(first: int, n: int) -> np.ndarray:
    """Return seeds int64 (n,) of evaluation games, from `first` on.

    Raises:
        ValueError: some of them belong to training.
    """
    first, n = index(first), index(n)  # ranges look for other kinds of numbers one by one
    if n < 1 or first not in EVALUATION_SEEDS or first + n - 1 not in EVALUATION_SEEDS:
        raise ValueError(
            f"evaluation deals are 0 to {EVALUATION_SEEDS.stop - 1}, at least one of them; "
            f"not {n} from {first} on"
        )
    return np.arange(first, first + n, dtype=np.int64)


def chosen_deals(which: int | str, first: int = 0) -> np.ndarray:
    """Return the seeds int64 (n,) that a setting means.

    Args:
        which: a number of deals, counted from `first`; or the name of a set, as in "deals-v1", with
            how many of its deals behind a colon where not all are meant, as in "deals-v1:500".
        first: seed of the first deal; a named set has its own, so it must be left at 0.

    Raises:
        ValueError: there are no such deals, or they are not for evaluation.
    """
    if not isinstance(which, str):
        return evaluation_deals(first, which)
    if first != 0:
        raise ValueError(f"first_deal: {which} has a first deal of its own, so not {first} too")
    name, colon, many = which.partition(":")
    if colon and not many.isdecimal():
        raise ValueError(f"deals: {which!r} is neither NAME nor NAME:NUMBER")
    return deals(name, int(many) if colon else None)
