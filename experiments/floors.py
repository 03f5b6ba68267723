"""What each step of the ladder should reach against the one below, and whether it does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from experiments.arena_report import Standings, percent
from experiments.pairs import NORMAL_95, Pairs, estimate, lay_out


@dataclass(frozen=True)
class Floor:
    """A score that an agent should reach against another, over both seats.

    Attributes:
        agent, opponent: names.
        least: the score.
        clear: the interval should lie above 50%, too.
        by_seat: in each seat it should score more than the opponent does against itself, too.
    """

    agent: str
    opponent: str
    least: float
    clear: bool = False
    by_seat: bool = False


FLOORS = (
    Floor("expert", "random", 0.97),
    Floor("expert", "greedy", 0.70),
    Floor("expert", "mc100", 0.50),
    Floor("ismcts", "expert", 0.60),
    Floor("ppo-v1", "random", 0.98),
    Floor("ppo-v1", "expert", 0.75, by_seat=True),
    Floor("ppo-v1+search", "ppo-v1", 0.57, clear=True),
)

HEAD = ("agent", "opponent", "floor", "score (95% interval)", "reached")


def floors_rows(found: Standings) -> list[tuple[str, ...]]:
    """Return a row of words for each floor, and for each seat where seats count."""
    rows = []
    for floor in FLOORS:
        pairs = found.pairs.get((floor.agent, floor.opponent))
        rows.append((floor.agent, floor.opponent, *_over_both(floor, pairs)))
        if floor.by_seat:
            rows += [
                (f"{floor.agent} as {seat}", floor.opponent, *_in_seat(found, pairs, s))
                for s, seat in enumerate(found.seats)
            ]
    return rows


def floors_text(found: Standings) -> str:
    """Lay the floors out as text."""
    return f"Floors\n{lay_out([HEAD, *floors_rows(found)])}"


def _over_both(floor: Floor, pairs: Pairs | None) -> tuple[str, str, str]:
    wanted = f"{floor.least:.0%}{', clear of 50%' if floor.clear else ''}"
    if pairs is None:
        return wanted, "-", "not played"
    score = estimate(pairs.scores)
    if score["score"] < floor.least:
        verdict = "no, but the interval reaches it" if score["high"] >= floor.least else "no"
    elif floor.clear and score["low"] <= 0.5:
        verdict = "no: the interval holds 50%"
    else:
        verdict = "yes, but the interval begins below" if score["low"] < floor.least else "yes"
    return wanted, percent(score), verdict


def _in_seat(found: Standings, pairs: Pairs | None, seat: int) -> tuple[str, str, str]:
    """Compare a seat's score with what the opponent makes of that seat against itself."""
    mirror = found.pairs.get((pairs.b, pairs.b)) if pairs is not None else None
    if pairs is None or mirror is None:
        return "above the opponent itself", "-", "not played"
    n = min(len(pairs.deals), len(mirror.deals))
    own, other = pairs.scores[:n, seat], mirror.scores[:n, seat]
    lead = own - other
    margin = NORMAL_95 * float(lead.std(ddof=1)) / n**0.5 if n > 1 else 1.0
    mean = float(np.mean(lead))
    verdict = "yes" if mean > 0 else "no"
    wanted = f"above {other.mean():.1%} (the opponent itself)"
    low, middle, high = (f"{100 * x:+.1f}" for x in (mean - margin, mean, mean + margin))
    score = percent(estimate(pairs.scores[:, [seat]]))
    return wanted, score, f"{verdict}: {middle} points ({low} to {high})"
