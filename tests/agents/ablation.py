"""Play the expert with one part of its weights taken away, in either seat.

Run `python -m tests.agents.ablation --deals 1000`: a table as in docs/strategy.md.
"""

import argparse
from collections.abc import Callable

import numpy as np

from skirmish_env.batch import Batch
from skirmish_env.new_york.heuristic import weighted_many
from skirmish_env.new_york.ids import HEROES, NOBODY, VILLAINS
from skirmish_env.new_york.weights import EXPERT_WEIGHTS, SENSE_WEIGHTS

DIFFERENCES = ("bold", "tough", "effect", "dear", "spare", "double", "site", "hue")


def without(*names: str) -> Callable[[np.ndarray], None]:
    """Take weights away."""

    def take(weights: np.ndarray) -> None:
        for name in names:
            weights[name] = 0

    return take


def swap(weights: np.ndarray) -> None:
    weights[:] = weights[::-1].copy()


def unbend(weights: np.ndarray) -> None:
    """Let every step of the victory track count alike; to either end it is worth as much."""
    weights["point"] += weights["edge"] / 8  # the ends lie 9 and 7 steps away
    weights["edge"] = 0


def level(weights: np.ndarray) -> None:
    weights["artifact"] = weights["artifact"].mean(axis=1, keepdims=True)


def last(weights: np.ndarray) -> None:
    """Let a hand keep its worth to the end of the decks."""
    weights["endgame"] = 0.01


PARTS = {
    "nothing": without(),
    "the forecast beyond this turn": without("discount", "crowd"),
    "any worth of a hand": without("card", "thin", "freed", *DIFFERENCES),
    "differences between cards in hand": without(*DIFFERENCES),
    "dearer cards in a short hand": without("thin"),
    "the worth of civilians": without("civilian", "rescue"),
    "cards standing or falling": without("strength", "health", "fall", "capture"),
    "cards that stand open": without("frail", "prey"),
    "doubt before a full hand": without("crowd"),
    "the two seats' own weights (swapped)": swap,
    "the worth of winning": without("win"),
    "the bend of the victory track": unbend,
    "colours needed for payments": without("hue"),
    "artifacts' differences": level,
    "hands fading near the end": last,
}


def play(weights: tuple[np.ndarray | None, np.ndarray | None], deals: int, seed: int) -> np.ndarray:
    """Play a game for each deal by these weights (2,) of each seat, None at random.

    Returns the Villains' scores, float64 (deals,).
    """
    batch, rng = Batch(deals), np.random.default_rng(seed)
    batch.deal(np.arange(seed, seed + deals))
    while not batch.over.all():
        for seat in (VILLAINS, HEROES):
            index = np.flatnonzero(batch.seat == seat)
            mine = weights[seat]
            if mine is None:
                actions = batch.view(index).policy("random", rng)
            else:
                actions = np.empty(len(index), np.int64)
                seeds = rng.integers(2**62, size=len(index))
                weighted_many(
                    batch.states, batch.card_set.record, batch.set_of_game, index, seeds, mine,
                    actions, NOBODY, 0,
                )  # fmt: skip
            batch.step(actions, index)
    return (1 + batch.rewards[:, VILLAINS].astype(np.float64)) / 2


def report(deals: int, seed: int) -> None:
    """Print a row for each part: scores in either seat, in per cent."""
    others = {"random": None, "heuristic": SENSE_WEIGHTS, "full": EXPERT_WEIGHTS}
    heads = [f"{seat} v {name}" for seat in "VH" for name in others]
    print(f"| taken away | {' | '.join(heads)} |\n|---{'|---' * len(heads)}|")
    for part, take in PARTS.items():
        less = EXPERT_WEIGHTS.copy()
        take(less)
        scores = [play((less, other), deals, seed).mean() for other in others.values()]
        scores += [1 - play((other, less), deals, seed).mean() for other in others.values()]
        print(f"| {part} | {' | '.join(f'{100 * score:.1f}' for score in scores)} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=2_000_000, help="of the first deal")
    given = parser.parse_args()
    report(given.deals, given.seed)
