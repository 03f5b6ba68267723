"""Games of an agent against flat Monte Carlo search.

Run `python -m tests.agents.monte_carlo expert --deals 200`; `search` is the search itself.
"""

import argparse

import numpy as np

from agents.base import load
from agents.search.flat import FlatMonteCarlo
from experiments.pairs import estimate, play_pairs


def report(name: str, deals: int, seed: int, search: FlatMonteCarlo) -> None:
    """Print an agent's score against the search in each seat and over both."""
    twin = FlatMonteCarlo(search.playouts, search.players)
    agent = twin if name == "search" else load(name)
    scores = play_pairs(agent, search, np.arange(seed, seed + deals)).scores
    print(f"{name} against {search.name}, {deals} deals in both seats", flush=True)
    seats = {"as villains": scores[:, :1], "as heroes": scores[:, 1:], "over both": scores}
    for words, part in seats.items():
        found = estimate(part)
        print(f"  {words:<12}{found['score']:.1%} ({found['low']:.1%} to {found['high']:.1%})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("agent")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", type=int, default=4_000_000, help="of the first deal")
    parser.add_argument("--playouts", type=int, default=100)
    parser.add_argument("--player", default="random", help="compiled player of the playouts")
    given = parser.parse_args()
    report(given.agent, given.deals, given.seed, FlatMonteCarlo(given.playouts, given.player))
