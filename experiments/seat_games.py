"""All games that an agent played in one seat, and measures of them with intervals by deal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from experiments.pairs import NORMAL_95, Pairs
from experiments.replays import Watched, Words

FEW = 30  # games: what rests on fewer is marked

Met = tuple[Pairs, tuple[Watched, ...]]


@dataclass(frozen=True)
class Share:
    """A mean with its 95% interval by deal, and the number of games behind it.

    All three are NaN where there is no game.
    """

    mean: float
    low: float
    high: float
    games: int

    @property
    def few(self) -> bool:
        """Whether so few games are behind it that it says little."""
        return self.games < FEW


@dataclass(frozen=True)
class SeatGames:
    """The games (m,) of an agent in one seat, against everybody, itself included.

    Attributes:
        agent: its name.
        seat: number of the seat.
        deals: int64 (m,) seeds; scores: float64 (m,), its own; turns: int64 (m,); endings: str
            (m,); opponents: str (m,).
        plays, bonuses, artifacts, civilians: its own, (m, ...) as in `Watched`.
        first: int16 (m,), the card that it played first, -1 for none.
    """

    agent: str
    seat: int
    deals: np.ndarray
    scores: np.ndarray
    turns: np.ndarray
    endings: np.ndarray
    opponents: np.ndarray
    plays: np.ndarray
    first: np.ndarray
    bonuses: np.ndarray
    artifacts: np.ndarray
    civilians: np.ndarray

    @classmethod
    def of(cls, agent: str, seat: int, met: Iterable[Met]) -> SeatGames:
        """Gather the games of an agent in a seat from pairs and what was watched of them.

        Raises:
            ValueError: it has played none.
        """
        parts = []
        for pairs, watched in met:
            for name, other, column in ((pairs.a, pairs.b, seat), (pairs.b, pairs.a, 1 - seat)):
                if name != agent or (pairs.a == pairs.b and column != 0):
                    continue
                of_a = pairs.scores[:, column]
                score = of_a if column == seat else 1 - of_a
                seen = watched[column]
                own = (seen.plays, seen.first, seen.bonuses, seen.artifacts, seen.civilians)
                parts.append((
                    pairs.deals, score, pairs.turns[:, column], pairs.endings[:, column],
                    np.full(len(pairs.deals), other), *(array[:, seat] for array in own),
                ))  # fmt: skip
        if not parts:
            raise ValueError(f"{agent}: has played no game in these pairs")
        return cls(agent, seat, *(np.concatenate(column) for column in zip(*parts, strict=True)))

    def share(self, values: np.ndarray, weights: np.ndarray | None = None) -> Share:
        """Return the weighted mean of values (m,), such as scores; the interval is by deal.

        A mean over some of the games is a ratio of two sums that both vary with the deals; its
        error is taken from what each deal adds to the difference (the usual linear approximation).
        Where values lie in [0, 1] and all are 0, or all are 1, the open end is the exact one for a
        coin that fell the same way for each deal. One deal says nothing: [0, 1].
        """
        w = np.ones(len(values)) if weights is None else np.asarray(weights, np.float64)
        games, whole = int((w > 0).sum()), w.sum()
        if not games:
            return Share(np.nan, np.nan, np.nan, 0)
        mean = float((w * values).sum() / whole)
        _, deal = np.unique(self.deals, return_inverse=True)
        rest = np.bincount(deal, w * (values - mean))
        n = int((np.bincount(deal, w) > 0).sum())
        if n == 1:
            return Share(mean, 0.0, 1.0, games)
        margin = NORMAL_95 * float((n / (n - 1) * (rest**2).sum()) ** 0.5 / whole)
        low, high = mean - margin, mean + margin
        if values.min() >= 0 and values.max() <= 1:
            low, high = max(low, 0.0), min(high, 1.0)
            open_end = 0.025 ** (1 / n)
            low, high = (open_end if mean == 1 else low), (1 - open_end if mean == 0 else high)
        return Share(mean, low, high, games)

    def score(self) -> Share:
        """Return its score: wins and half the draws."""
        return self.share(self.scores)

    def score_with(self, card: int) -> Share:
        """Return its score in games in which it played a card at least once."""
        return self.share(self.scores, self.plays[:, card] > 0)

    def score_without(self, card: int) -> Share:
        """Return its score in games in which it did not play a card."""
        return self.share(self.scores, self.plays[:, card] == 0)

    def score_by_copy(self, card: int) -> Share:
        """Return its score with each game counted as often as it played a card in it."""
        return self.share(self.scores, self.plays[:, card])

    def ended(self, ending: str, score: float | None = None) -> Share:
        """Return the share of games that ended in a way, and with this score where one is given."""
        right = self.endings == ending
        if score is not None:
            right = right & (self.scores == score)
        return self.share(right.astype(float))

    def openings(self) -> list[tuple[int, Share, Share]]:
        """Return (card, share of games, score) of each first card played, the commonest first."""
        found = [
            (int(card), self.share((self.first == card).astype(float)),
             self.share(self.scores, self.first == card))
            for card in np.unique(self.first)
        ]  # fmt: skip
        return sorted(found, key=lambda one: -one[1].mean)


@dataclass(frozen=True)
class Play:
    """How agents played.

    Attributes:
        agents: names.
        seats: names of the seats.
        words: what the things are called that they did.
        games: of each agent in each seat.
        watched: how many games were watched.
        where: which games these are, in words.
    """

    agents: tuple[str, ...]
    seats: tuple[str, ...]
    words: Words
    games: dict[tuple[str, int], SeatGames]
    watched: int
    where: str
