"""Flat Monte Carlo search as a yardstick, and its games against an agent.

Run `python -m tests.agents.monte_carlo expert --deals 200`; `search` is the search itself.
"""

import argparse

import numpy as np

from agents.base import load
from experiments.pairs import estimate, play_pairs
from skirmish_env.views import View


class FlatMonteCarlo:
    """Takes the move with the best mean result of playouts from redealt games.

    All moves are tried in the same games; equal ones are drawn by lot. `player` names the
    compiled player of both seats in the playouts.
    """

    def __init__(self, playouts: int = 100, player: str = "random") -> None:
        self.name = f"monte_carlo_{playouts}_{player}"
        self.playouts, self.player = playouts, player

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        return np.array([self._best(view, row, rng) for row in range(len(view))], np.int64)

    def _best(self, view: View, row: int, rng: np.random.Generator) -> int:
        actions = np.flatnonzero(view.mask[row])
        if len(actions) == 1:
            return int(actions[0])
        guesses = view.redeal(rng, np.full(self.playouts, row))
        games = guesses.copy(np.tile(np.arange(self.playouts), len(actions)))
        games.step(np.repeat(actions, self.playouts))
        rewards = games.playout(rng.integers(2**62, size=len(games)), self.player)
        own = rewards[:, view.viewer[row]].reshape(len(actions), self.playouts).mean(axis=1)
        return int(rng.choice(actions[own >= own.max() - 1e-9]))


def report(name: str, deals: int, seed: int, search: FlatMonteCarlo) -> None:
    """Print an agent's score against the search in each seat and over both."""
    twin = FlatMonteCarlo(search.playouts, search.player)
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
