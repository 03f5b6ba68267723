"""Play two compiled policies against each other, each deal twice with seats swapped.

Run `python -m tests.agents.duel heuristic random --deals 2000`.
"""

import argparse

import numpy as np

from skirmish_env.batch import Batch


def play(villains: str, heroes: str, seeds: np.ndarray, choices: int = 0) -> np.ndarray:
    """Play one game for each seed to its end; return the Villains' scores: 1, 0.5 or 0."""
    batch, rng = Batch(len(seeds)), np.random.default_rng(choices)
    batch.deal(seeds)
    while not batch.over.all():
        for seat, policy in enumerate((villains, heroes)):
            index = np.flatnonzero(batch.seat == seat)
            if len(index):
                batch.step(batch.view(index).policy(policy, rng), index)
    return (1 + batch.rewards[:, 0]) / 2


def interval(scores: np.ndarray) -> str:
    """Say a mean score in per cent, with its 95% interval."""
    return f"{100 * scores.mean():.1f}% +- {196 * scores.std() / np.sqrt(len(scores)):.1f}"


def report(first: str, second: str, deals: int, seed: int) -> None:
    """Print the first policy's score (wins and half the draws) in each seat and over both."""
    seeds = np.arange(seed, seed + deals)
    as_villains, as_heroes = play(first, second, seeds), 1 - play(second, first, seeds)
    print(f"{first} against {second}, {deals} deals in both seats")
    print(f"  as villains {interval(as_villains)}")
    print(f"  as heroes   {interval(as_heroes)}")
    print(f"  over both   {interval((as_villains + as_heroes) / 2)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1_000_000, help="of the first deal")
    given = parser.parse_args()
    report(given.first, given.second, given.deals, given.seed)
