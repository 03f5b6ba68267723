"""Ratings from a table of scores: Bradley-Terry on the Elo scale, and where they do not fit.

Bradley-Terry and not a rating that runs game after game, because here everybody has played
everybody on the same deals: there is one best fit, it does not depend on the order of games, and a
draw counts as half a game won by each. `choix` finds it. One drawn game is added to each pair, so
that a pair in which one side won everything has a rating too.

Intervals come from a bootstrap over deals: a deal is drawn with all its games, those of all pairs.
Pairs may have played some of the deals only. All games count alike, so such a pair weighs less, and
deals that the same pairs have played are drawn among themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

ELO = 400 / np.log(10)  # ratings in natural units times this; 400 apart is ten to one
DRAWN_GAMES = 1.0  # added to each pair
LOW, HIGH = 2.5, 97.5


class MissingExtra(ImportError):
    """A library of the extra `arena` is not installed."""


@dataclass(frozen=True)
class Ratings:
    """How strong each of K agents is, in one number.

    Attributes:
        agents: names; the others are in their order.
        reference: whose rating is 0.
        elo, low, high: float64 (K,), with 95% intervals. An end is infinite where no chain of
            games won leads from one to the other: the agent won, or lost, everything. Its rating
            and the other end then rest on the drawn game that is added.
        predicted: float64 (K, K), score of row against column that the ratings predict.
        gap: of the pair in which the ratings are furthest from the score that was found.
    """

    agents: tuple[str, ...]
    reference: str
    elo: np.ndarray
    low: np.ndarray
    high: np.ndarray
    predicted: np.ndarray
    gap: Gap

    def rows(self) -> list[dict[str, Any]]:
        """Return one row for each agent, the strongest first; an open end is None."""
        order = np.argsort(-self.elo, kind="stable")
        return [
            {
                "agent": self.agents[i],
                "elo": float(self.elo[i]),
                "low": _closed(self.low[i]),
                "high": _closed(self.high[i]),
            }
            for i in order
        ]


@dataclass(frozen=True)
class Gap:
    """The largest gap between a found score and the one that the ratings predict.

    Attributes:
        agent, opponent: the pair, so that the agent did better than predicted.
        found, predicted: its scores.
        low, high: 95% interval of found minus predicted.
        chance: gaps up to this size come by chance in 95 of 100 arenas whose ratings fit; never
            less than what one game can do.
    """

    agent: str
    opponent: str
    found: float
    predicted: float
    low: float
    high: float
    chance: float

    @property
    def clear(self) -> bool:
        """Whether the gap is larger than chance explains: one number does not say it all."""
        return self.found - self.predicted > self.chance


def _closed(end: float) -> float | None:
    return float(end) if np.isfinite(end) else None


def rate(
    agents: Sequence[str],
    per_deal: np.ndarray,
    *,
    reference: str | None = None,
    games: int = 2,
    resamples: int = 1000,
    seed: int = 0,
) -> Ratings:
    """Rate agents who have all played each other on the same deals, or on some of them.

    Args:
        agents: K names, two or more.
        per_deal: float64 (K, K, n): mean score of row against column on each deal, NaN where the
            two did not play it. What stands on the diagonal does not matter.
        reference: whose rating is 0; None is "random" where it takes part, else the first.
        games: games behind each of these mean scores.
        resamples: of the bootstrap.
        seed: of the bootstrap.

    Raises:
        ValueError: fewer than two agents, an unknown reference, scores of another shape, outside
            [0, 1], or of which row against column and column against row do not sum to 1.
        MissingExtra: choix is not installed.
    """
    scores = _checked(agents, per_deal)
    at_zero = _reference(agents, reference)
    first, second = np.array(list(combinations(range(len(agents)), 2))).T
    of_pairs = scores[first, second]  # (pairs, n)

    known = ~np.isnan(of_pairs)
    of_pairs = np.where(known, of_pairs, 0)

    def table_of(wins: np.ndarray, played: np.ndarray) -> np.ndarray:
        table = np.zeros(scores.shape[:2])
        table[first, second], table[second, first] = wins, played - wins
        return games * table

    many = known.sum(axis=1)
    strengths = _fit(table_of(of_pairs.sum(axis=1), many))
    predicted = _predict(strengths)
    means = of_pairs.sum(axis=1) / many
    gaps = means - predicted[first, second]

    lows, highs, gaps_of = [], [], []
    for counts in _resampled(known, resamples, seed):
        wins = of_pairs @ counts
        table = table_of(wins, many)
        fit = _fit(table, strengths)
        lows.append(_open_ends(fit - fit[at_zero], table, at_zero, -np.inf))
        highs.append(_open_ends(fit - fit[at_zero], table, at_zero, np.inf))
        gaps_of.append(wins / many - _predict(fit)[first, second])
    spread = np.array(gaps_of)

    widest = int(np.abs(gaps).argmax())
    sign = -1.0 if gaps[widest] < 0 else 1.0
    pair = (int(first[widest]), int(second[widest]))
    i, j = pair if sign > 0 else pair[::-1]
    low, high = np.percentile(sign * spread[:, widest], (LOW, HIGH))
    chance = float(np.percentile(np.abs(spread - gaps).max(axis=1), 95))
    return Ratings(
        agents=tuple(agents),
        reference=agents[at_zero],
        elo=ELO * (strengths - strengths[at_zero]),
        low=ELO * np.percentile(lows, LOW, axis=0, method="lower"),
        high=ELO * np.percentile(highs, HIGH, axis=0, method="higher"),
        predicted=predicted,
        gap=Gap(
            agents[i],
            agents[j],
            found=float(np.nanmean(scores[i, j])),
            predicted=float(predicted[i, j]),
            low=float(low),
            high=float(high),
            chance=max(chance, 1 / (games * int(many[widest]))),
        ),
    )


def _checked(agents: Sequence[str], per_deal: np.ndarray) -> np.ndarray:
    scores, k = np.asarray(per_deal, np.float64), len(agents)
    if k < 2:
        raise ValueError(f"ratings compare two agents or more, not {k}")
    if scores.ndim != 3 or scores.shape[:2] != (k, k) or scores.shape[2] < 1:
        raise ValueError(f"scores: expected shape ({k}, {k}, deals), not {scores.shape}")
    apart = ~np.eye(k, dtype=bool)
    off = scores[apart]
    if not ((off >= 0) & (off <= 1) | np.isnan(off)).all():
        raise ValueError("scores: each must be from 0 to 1, or NaN where it was not played")
    if np.isnan(off).all(axis=1).any():
        raise ValueError("scores: ratings need every pair, each on one deal or more")
    both = (scores + scores.transpose(1, 0, 2))[apart]
    alone = np.isnan(scores) ^ np.isnan(scores.transpose(1, 0, 2))
    if alone[apart].any() or not np.allclose(both[~np.isnan(both)], 1):
        raise ValueError("scores: row against column and column against row must sum to 1")
    return scores


def _reference(agents: Sequence[str], wanted: str | None) -> int:
    if wanted is None:
        return list(agents).index("random") if "random" in agents else 0
    if wanted not in agents:
        raise ValueError(f"reference: {wanted!r} is not among {', '.join(agents)}")
    return list(agents).index(wanted)


def _resampled(known: np.ndarray, resamples: int, seed: int) -> Iterator[np.ndarray]:
    """Yield how often each of n deals is drawn, float64 (n,).

    `known` (pairs, n): which pair has played which deal. Deals of the same pairs are drawn among
    themselves, so that every pair keeps its number of games.
    """
    rng = np.random.default_rng(seed)
    _, kind = np.unique(known, axis=1, return_inverse=True)
    alike = [np.flatnonzero(kind.ravel() == one) for one in range(kind.max() + 1)]
    for _ in range(resamples):
        counts = np.zeros(known.shape[1])
        for deals in alike:
            n = len(deals)
            counts[deals] = np.bincount(rng.integers(n, size=n), minlength=n)
        yield counts


def need_choix() -> Any:
    """Return the library that fits ratings.

    Raises:
        MissingExtra: it is not installed; says how to get it.
    """
    try:
        import choix
    except ImportError as error:
        raise MissingExtra(
            "ratings need choix: pip install 'skirmish-env[arena]'"
        ) from error
    return choix


def _fit(won: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """Strengths float64 (K,) that make these games (K, K) the most probable, draws added."""
    k = len(won)
    table = won + DRAWN_GAMES / 2 * (1 - np.eye(k))
    return need_choix().ilsr_pairwise_dense(table, initial_params=start, max_iter=100_000)


def _predict(strengths: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))


def _open_ends(ratings: np.ndarray, won: np.ndarray, zero: int, end: float) -> np.ndarray:
    """Put an infinite end where no chain of games won leads from one agent to the other.

    Nobody bounds an agent from above when neither the reference nor anyone that it holds has taken
    a game from him.
    """
    beats = won > 0 if end > 0 else won.T > 0
    reached = np.arange(len(won)) == zero
    for _ in range(len(won)):
        reached = reached | beats[reached].any(axis=0)
    return np.where(reached, ratings, end)


def cycles(
    agents: Sequence[str], score: np.ndarray, low: np.ndarray
) -> list[dict[str, Any]]:
    """Return the circles of three a > b > c > a in which every score clears 50%.

    Args:
        agents: K names.
        score, low: float64 (K, K), of row against column, and the lower end of its interval.

    Returns:
        Circles, each once and from its first agent on, with its three scores; the clearest first
        (by the lower end that is nearest to 50%).
    """
    beats = np.asarray(low) > 0.5
    found = []
    for a, b, c in combinations(range(len(agents)), 3):
        for ring in ((a, b, c), (a, c, b)):
            steps = list(zip(ring, (*ring[1:], ring[0]), strict=True))
            if all(beats[step] for step in steps):
                found.append(
                    {
                        "agents": [agents[i] for i in ring],
                        "scores": [float(score[step]) for step in steps],
                        "least": float(min(low[step] for step in steps)),
                    }
                )
    return sorted(found, key=lambda one: -one["least"])
