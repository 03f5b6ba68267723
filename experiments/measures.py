"""Measures over several runs, with intervals from the bootstrap.

The measures are those of Agarwal et al., "Deep Reinforcement Learning at the Edge of the
Statistical Precipice" (2021). `scores` is always float (runs, tasks, ...); measures are taken over
the first two axes and keep the others, such as points in time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

MIDDLE = 95.0  # percent of the resamples that lie inside an interval

Measure = Callable[..., np.ndarray]


def mean(scores: np.ndarray) -> np.ndarray:
    """Return the mean of all runs and tasks."""
    return scores.mean(axis=(0, 1))


def of_few(scores: np.ndarray) -> Interval:
    """Return the mean of scores (runs, ...) with Student's 95% interval, inside 0 to 1.

    Wide where runs are few, and right for them if they scatter normally; one run has no interval
    but 0 to 1.
    """
    from scipy.stats import t

    count, value = len(scores), scores.mean(axis=0)
    if count == 1:
        return Interval(value, np.zeros_like(value), np.ones_like(value))
    error = scores.std(axis=0, ddof=1) / count**0.5
    reach = float(t.ppf(0.5 + MIDDLE / 200, count - 1)) * error
    return Interval(value, np.maximum(value - reach, 0.0), np.minimum(value + reach, 1.0))


def iqm(scores: np.ndarray) -> np.ndarray:
    """Return the interquartile mean: of all runs and tasks together without a quarter each end."""
    together = np.sort(scores.reshape(-1, *scores.shape[2:]), axis=0)
    cut = len(together) // 4
    return together[cut : len(together) - cut].mean(axis=0)


def optimality_gap(scores: np.ndarray, optimum: float = 1.0) -> np.ndarray:
    """Return by how much scores fall short of an optimum, on average; more does not help."""
    return optimum - np.minimum(scores, optimum).mean(axis=(0, 1))


def improvement(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return how often a run of `a` scores more than one of `b`, ties half: the mean of tasks."""
    pairs = a[:, None] - b[None, :]
    return ((1 + np.sign(pairs)) / 2).mean(axis=(0, 1, 2))


MEASURES: dict[str, Measure] = {"IQM": iqm, "mean": mean, "optimality gap": optimality_gap}


@dataclass(frozen=True)
class Interval:
    """A measure with its 95% interval; arrays where the scores have more than two axes."""

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True)
class Bootstrap:
    """Draws runs again, with replacement: percentile intervals.

    Attributes:
        resamples: how many times.
        seed: the same one gives the same intervals.
        apart: draw runs for each task on its own, as rliable does. That is right where every task
            has a training of its own. Where one trained agent is measured on all tasks, its
            scores rise and fall together, and intervals would come out too narrow.
    """

    resamples: int = 2000
    seed: int = 0
    apart: bool = False

    def interval(self, measure: Measure, *groups: np.ndarray) -> Interval:
        """Return a measure of groups (runs, tasks, ...), each of which is drawn again by itself.

        Raises:
            ValueError: a group has no run or no task.
        """
        for scores in groups:
            if scores.ndim < 2 or not scores.size:
                raise ValueError(f"scores: expected (runs, tasks, ...), not {scores.shape}")
        rng = np.random.default_rng(self.seed)
        found = np.stack([
            measure(*(self._again(scores, rng) for scores in groups))
            for _ in range(self.resamples)
        ])  # fmt: skip
        beyond = (100 - MIDDLE) / 2
        low, high = np.percentile(found, [beyond, 100 - beyond], axis=0)
        return Interval(measure(*groups), low, high)

    def _again(self, scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        runs, tasks = scores.shape[:2]
        if not self.apart:
            return scores[rng.integers(runs, size=runs)]
        return scores[rng.integers(runs, size=(runs, tasks)), np.arange(tasks)]
