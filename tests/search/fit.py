"""Fit how the search judges unfinished games: who won, by forecasts and hands at a turn's start.

Run `python -m tests.search.fit --games 3000`; the numbers belong into `new_york/search.py`.
"""

import argparse

import numpy as np
import torch

from skirmish_env.batch import Batch
from skirmish_env.common.jit import compiled
from skirmish_env.new_york.search import hand_worth, table_worth
from skirmish_env.new_york.weights import EXPERT_WEIGHTS, NOTES

WILD = 0.1  # share of random moves, so that games come off the expert's path


@compiled
def look(states, cards, notes, out):
    """Write whose turn it is, and each seat's forecast and hand: the columns of a row of `out`."""
    for i in range(len(states)):
        g, k = states[i], cards[0]
        out[i, 0] = g.on_turn
        for seat in range(2):
            w, sign = EXPERT_WEIGHTS[seat], 1 - 2 * seat
            out[i, 3 + seat] = sign * hand_worth(g, k, w, notes[0], seat)
            out[i, 1 + seat] = sign * table_worth(g, k, w, notes[0])


def moments(games: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return what lies open at the starts of turns (n, 5), and the Villains' score (n,)."""
    batch, rng = Batch(games), np.random.default_rng(seed)
    batch.deal(np.arange(games) + 10**6)
    turns, rows, which = np.zeros(games, int), [], []
    while not batch.over.all():
        live = np.flatnonzero(~batch.over)
        fresh = live[batch.turns[live] != turns[live]]
        turns[fresh] = batch.turns[fresh]
        if len(fresh):
            out = np.zeros((len(fresh), 5))
            look(batch.copy(fresh).states, batch.card_set.record, np.zeros(1, NOTES), out)
            rows.append(out)
            which.append(fresh)
        view = batch.view(live)
        wild = rng.random(len(live)) < WILD
        actions = np.where(wild, view.policy("random", rng), view.policy("expert", rng))
        batch.step(actions, live)
    scores = (1 + batch.rewards[:, 0]) / 2
    return np.concatenate(rows), scores[np.concatenate(which)]


def fitted(rows: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, float]:
    """Return bias and coefficients of a logistic regression, and its mean loss."""
    columns = torch.from_numpy(np.column_stack([np.ones(len(rows)), rows]))
    wanted, weights = torch.from_numpy(scores), torch.zeros(6, dtype=torch.double)
    weights.requires_grad_()
    solver = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def loss():
        solver.zero_grad()
        missed = torch.nn.functional.binary_cross_entropy_with_logits(columns @ weights, wanted)
        missed.backward()
        return missed

    solver.step(loss)
    return weights.detach().numpy(), loss().item()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rows, scores = moments(given.games, given.seed)
    weights, missed = fitted(rows, scores)
    print(f"{len(rows)} turns, the Villains' score {scores.mean():.3f}, loss {missed:.4f}")
    print("FIT =", tuple(np.round(weights, 3).tolist()), "of mean", rows.mean(axis=0).round(2))
