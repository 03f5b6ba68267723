"""What came out of an arena: tables for people, a dictionary for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from configs.schema import ArenaConfig
from experiments.arena_folder import Speed
from experiments.pairs import Pairs, estimate, lay_out
from experiments.ratings import Ratings, cycles, rate

NOTE = "Score: wins and half the draws. Intervals: 95%, by deal."


@dataclass(frozen=True)
class Standings:
    """The games of an arena and what follows from them.

    Attributes:
        config, made_with: what was played.
        seats: names of the seats.
        agents: names, the best-rated first; as in the config where pairs are missing.
        pairs: games by (agent, opponent) of the agents, both ways, mirror matches too.
        speeds: what playing them took, once for each pair; None where that is not known.
        ratings: None while pairs are missing.
    """

    config: ArenaConfig
    made_with: dict[str, Any]
    seats: tuple[str, ...]
    agents: tuple[str, ...]
    pairs: dict[tuple[str, str], Pairs]
    speeds: dict[tuple[str, str], Speed | None]
    ratings: Ratings | None

    @property
    def missing(self) -> int:
        """How many pairs are not played, mirror matches counted."""
        k = len(self.agents)
        return k * (k + 1) // 2 - len(self.speeds)

    def met(self) -> Iterator[Pairs]:
        """Yield each two agents once, the better-rated first."""
        for pair in combinations(self.agents, 2):
            if pair in self.pairs:
                yield self.pairs[pair]

    def mirrors(self) -> Iterator[Pairs]:
        """Yield each agent's games against itself."""
        for name in self.agents:
            if (name, name) in self.pairs:
                yield self.pairs[name, name]

    def mirror_score(self, agent: str, seat: int, deals: int) -> dict[str, float] | None:
        """Return the estimate of an agent's score against itself on the first deals.

        None where it has not met itself on so many.
        """
        pairs = self.pairs.get((agent, agent))
        if pairs is None or len(pairs.deals) < deals:
            return None
        return estimate(pairs.scores[:deals, [seat]])

    def costs(self) -> dict[str, Cost]:
        """Return what each agent's decisions cost, in the order of `agents`."""
        found = {}
        for name in self.agents:
            told = [speed.asked[name] for speed in self.speeds.values()
                    if speed and name in speed.asked]  # fmt: skip
            answers = int(sum(one[0] for one in told))
            alone = self.speeds.get((name, name))
            compiled = alone is not None and alone.cpu is not None and not alone.asked
            found[name] = Cost(
                answers,
                1000 * sum(one[1] for one in told) / answers if answers else None,
                1000 * alone.cpu / alone.decisions if compiled else None,
            )
        return found


@dataclass(frozen=True)
class Cost:
    """What an agent's decisions cost in milliseconds of one processor.

    Attributes:
        answers: how many decisions it was asked for.
        asked: a decision of these; None where it was never asked.
        compiled: a decision of whole compiled games against itself, rules included, forced
            decisions counted; None where these are not compiled, or were not measured.
    """

    answers: int
    asked: float | None
    compiled: float | None


def standings(
    config: ArenaConfig,
    made_with: dict[str, Any],
    seats: tuple[str, ...],
    found: dict[tuple[str, str], Pairs],
    speeds: dict[tuple[str, str], Speed | None],
) -> Standings:
    """Rate the agents of an arena, where all have met.

    Args:
        config, made_with, seats: of the arena.
        found: games of each pair that was played, under its names in one order.
        speeds: what playing them took.
    """
    pairs = {**{(b, a): one.flipped() for (a, b), one in found.items()}, **found}
    agents = tuple(config.agents)
    ratings = None
    if all(pair in pairs for pair in combinations(agents, 2)):
        # The bootstrap sees agents in one order, so that the config's order changes no number.
        order = sorted(agents)
        n = max(len(one.deals) for one in pairs.values())
        per_deal = np.array([[_per_deal(pairs, a, b, n) for b in order] for a in order])
        reference = config.reference or ("random" if "random" in agents else agents[0])
        ratings = rate(
            order,
            per_deal,
            reference=reference,
            games=len(seats),
            resamples=config.resamples,
            seed=config.seed,
        )
        agents = tuple(row["agent"] for row in ratings.rows())
    return Standings(config, made_with, seats, agents, pairs, speeds, ratings)


def _per_deal(pairs: dict[tuple[str, str], Pairs], a: str, b: str, n: int) -> np.ndarray:
    """Return the mean score of each of n deals, NaN for those that the two did not play."""
    found = np.full(n, np.nan)
    if a != b:
        scores = pairs[a, b].scores.mean(axis=1)
        found[: len(scores)] = scores
    return found


def circles(found: Standings) -> list[dict[str, Any]]:
    """Return the circles a > b > c > a in which every score clears 50%."""
    names, k = sorted(found.agents), len(found.agents)
    score, low = np.full((k, k), 0.5), np.zeros((k, k))
    for i, a in enumerate(names):
        for j, b in enumerate(names):
            if a != b and (a, b) in found.pairs:
                both = estimate(found.pairs[a, b].scores)
                score[i, j], low[i, j] = both["score"], both["low"]
    return cycles(names, score, low)


# ---- for programs


def summary(found: Standings) -> dict[str, Any]:
    """Return everything as plain data, for JSON; an open end of an interval is None."""
    return {
        "settings": asdict(found.config),
        "made_with": found.made_with,
        "ratings": _ratings(found),
        "cycles": circles(found),
        "costs": {name: asdict(cost) for name, cost in found.costs().items()},
        "pairs": [{**one.summary(), **lengths(found, one)} for one in found.met()],
        "mirror": [
            {
                "agent": one.a,
                "deals": len(one.deals),
                "seats": one.summary()["seats"],
                **lengths(found, one),
            }
            for one in found.mirrors()
        ],
        "missing_pairs": found.missing,
        **_total(found),
    }


def _ratings(found: Standings) -> dict[str, Any] | None:
    if found.ratings is None:
        return None
    gap = found.ratings.gap
    return {
        "reference": found.ratings.reference,
        "resamples": found.config.resamples,
        "agents": found.ratings.rows(),
        "gap": {**asdict(gap), "clear": gap.clear},
    }


def _speed(found: Standings, a: str, b: str) -> Speed | None:
    return found.speeds.get((a, b)) or found.speeds.get((b, a))


def lengths(found: Standings, one: Pairs) -> dict[str, Any]:
    """Return how long a pair's games were, how they ended, and what they took."""
    columns = slice(1 if one.a == one.b else None)
    counted = Counter(one.endings[:, columns].ravel().tolist())
    games = one.turns[:, columns].size
    speed = _speed(found, one.a, one.b)
    return {
        "games": games,
        "draws": float((one.scores[:, columns] == 0.5).mean()),
        "turns": float(one.turns[:, columns].mean()),
        "decisions": float(one.decisions[:, columns].mean()),
        "endings": {ending: count / games for ending, count in sorted(counted.items())},
        "seconds": speed.seconds if speed else None,
        "cpu": speed.cpu if speed else None,
        "decisions_per_second": speed.decisions / speed.seconds if speed else None,
    }


def _total(found: Standings) -> dict[str, Any]:
    known = [speed for speed in found.speeds.values() if speed]
    return {
        "games": sum(speed.games for speed in known),
        "decisions": sum(speed.decisions for speed in known),
        "seconds": sum(speed.seconds for speed in known),
    }


# ---- for people


def text(found: Standings) -> str:
    """Lay everything out as text."""
    parts = [_missing_text(found)] if found.missing else []
    parts += [_cross_text(found), _seats_text(found), _mirror_text(found), _lengths_text(found)]
    parts += [_costs_text(found)]
    if found.ratings is not None:
        parts += [_ratings_text(found), fit_text(found), cycles_text(found)]
    return "\n\n".join(parts)


def _missing_text(found: Standings) -> str:
    whole = found.missing + len(found.speeds)
    return (
        f"{found.missing} of {whole} pairs are not played yet (mirror matches counted): no "
        "ratings. `resume=` with this folder plays them."
    )


def percent(one: dict[str, float]) -> str:
    """Return a score with its interval."""
    return f"{one['score']:.1%} ({one['low']:.1%} to {one['high']:.1%})"


def _cross_text(found: Standings) -> str:
    numbers = range(1, len(found.agents) + 1)
    rows = [("", *(f"against {number}" for number in numbers))]
    for number, a in zip(numbers, found.agents, strict=True):
        cells = []
        for b in found.agents:
            known = a != b and (a, b) in found.pairs
            cells.append(percent(estimate(found.pairs[a, b].scores)) if known else "-")
        rows.append((f"{number} {a}", *cells))
    return f"{lay_out(rows)}\n{NOTE} {deals_words(found)}"


def deals_words(found: Standings) -> str:
    """Say how many deals were played, and where fewer."""
    counts = sorted({len(one.deals) for one in found.pairs.values()})
    most = f"{counts[-1]:,}" if counts else "no"
    words = f"{most} deals, each played twice with seats swapped."
    if len(counts) > 1:
        few = ", ".join(name for name in found.agents if name in found.config.searching)
        words += f" Pairs with {few}: the first {counts[0]:,} of them."
    return words


def _seats_text(found: Standings) -> str:
    head = ("agent", "opponent", "seat", "score (95% interval)", "opponent itself", "agent itself")
    rows = [head]
    for one in found.met():
        for s, seat in enumerate(found.seats):
            mirrors = [found.mirror_score(name, s, len(one.deals)) for name in (one.b, one.a)]
            words = [f"{mirror['score']:.1%}" if mirror else "-" for mirror in mirrors]
            score = percent(estimate(one.scores[:, [s]]))
            rows.append((one.a, one.b, seat, score, *words))
    return f"{lay_out(rows)}\n'Itself': what they score in that seat on the same deals."


def _mirror_text(found: Standings) -> str:
    rows = [("against itself", *found.seats)]
    for one in found.mirrors():
        scores = [percent(estimate(one.scores[:, [s]])) for s in range(len(found.seats))]
        rows.append((one.a, *scores))
    return lay_out(rows)


def _lengths_text(found: Standings) -> str:
    rows = [("agent", "opponent", "draws", "turns", "decisions", "decisions/s", "games/s")]
    for one in (*found.met(), *found.mirrors()):
        data = lengths(found, one)
        speed = _speed(found, one.a, one.b)
        rates = ("-", "-")
        if speed is not None:
            per_second = (speed.decisions / speed.seconds, speed.games / speed.seconds)
            rates = tuple(f"{rate:,.0f}" for rate in per_second)
        means = (f"{data['turns']:.1f}", f"{data['decisions']:.1f}")
        rows.append((one.a, one.b, f"{data['draws']:.1%}", *means, *rates))
    total = _total(found)
    note = (
        f"Mean turns and decisions of a game (forced ones counted); {total['games']:,} games in "
        f"{total['seconds']:.1f} s."
    )
    return f"{lay_out(rows)}\n{note}"


def _costs_text(found: Standings) -> str:
    rows = [("agent", "ms a decision", "decisions", "compiled games")]
    for name, cost in found.costs().items():
        asked, compiled = milliseconds(cost.asked), milliseconds(cost.compiled)
        rows.append((name, asked, f"{cost.answers:,}", compiled))
    return (
        f"{lay_out(rows)}\nMilliseconds of one processor: of decisions that the agent was asked "
        "for, many games together; and of any decision in compiled games against itself."
    )


def milliseconds(cost: float | None) -> str:
    """Return milliseconds in three digits, "-" for none."""
    return "-" if cost is None else f"{cost:.3g}"


def _ratings_text(found: Standings) -> str:
    ratings = found.ratings
    rows = [("rating", "95% interval", "mean score", "agent"), *ratings_rows(found)]
    return (
        f"{lay_out(rows)}\nBradley-Terry on the Elo scale, {ratings.reference} at 0; intervals by "
        "bootstrap over deals."
    )


def ratings_rows(found: Standings) -> list[tuple[str, ...]]:
    """Return rating, interval, mean score over the others, and name of each agent."""
    rows = []
    for row in found.ratings.rows():
        others = [b for b in found.agents if b != row["agent"]]
        mean = np.mean([found.pairs[row["agent"], b].scores.mean() for b in others])
        ends = ["open" if end is None else f"{end:+.0f}" for end in (row["low"], row["high"])]
        interval = "" if row["agent"] == found.ratings.reference else f"{ends[0]} to {ends[1]}"
        rows.append((f"{row['elo']:+.0f}", interval, f"{mean:.1%}", row["agent"]))
    return rows


def fit_text(found: Standings) -> str:
    """Say where the ratings are furthest from what was found, and whether that is chance."""
    gap = found.ratings.gap
    size = f"{100 * (gap.found - gap.predicted):.1f}"
    return (
        f"Largest gap between found and predicted score: {gap.agent} against {gap.opponent}, "
        f"{gap.found:.1%} found, {gap.predicted:.1%} predicted: {size} points "
        f"({100 * gap.low:.1f} to {100 * gap.high:.1f}).\n"
        + (
            f"Chance makes up to {100 * gap.chance:.1f}: one rating each does not say it all."
            if gap.clear
            else f"Chance makes up to {100 * gap.chance:.1f}: the ratings fit."
        )
    )


def cycles_text(found: Standings) -> str:
    """List the circles, a line each."""
    lines = []
    for one in circles(found):
        names = " > ".join([*one["agents"], one["agents"][0]])
        scores = ", ".join(f"{score:.1%}" for score in one["scores"])
        lines.append(f"Circle: {names} ({scores})")
    return "\n".join(lines) or "No circle a > b > c > a in which all three scores clear 50%."
