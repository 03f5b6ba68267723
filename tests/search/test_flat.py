"""Flat Monte Carlo: the yardstick's definition, lots, seeds, and what it cannot see."""

import numpy as np
import pytest

from agents.base import load
from agents.search import flat
from agents.search.flat import FlatMonteCarlo
from skirmish_env.batch import Batch
from skirmish_env.views import View
from tests.search.positions import RNG, middle


def test_mc100_is_a_hundred_random_playouts_for_each_move():
    agent = load("mc100")
    assert (agent.name, agent.playouts, agent.players) == ("mc100", 100, "random")


def test_every_move_is_played_out_in_the_same_deals(monkeypatch):
    """Counted where it happens: one redeal of 100 games a decision, 100 playouts a move."""
    dealt, played = [], []
    view_redeal, batch_playout = View.redeal, Batch.playout

    def redeal(self, rng, rows=None):
        dealt.append(rows.tolist())
        return view_redeal(self, rng, rows)

    def playout(self, seeds, players="random", index=None):
        played.append((len(self), len(np.unique(seeds)), players))
        return batch_playout(self, seeds, players, index)

    games = middle(1)
    options = int(games.masks().sum())
    assert options > 1
    monkeypatch.setattr(View, "redeal", redeal)
    monkeypatch.setattr(Batch, "playout", playout)
    load("mc100").act(games.view(), RNG(0))
    assert dealt == [[0] * 100]
    assert played == [(100 * options, 100 * options, "random")]


def test_the_best_mean_is_the_one_that_plain_playouts_find():
    games = middle()
    view = games.view()
    agent = FlatMonteCarlo(8)
    lots = [RNG(seed) for seed in RNG(3).integers(2**62, size=len(view))]
    for row in np.flatnonzero(view.mask.sum(axis=1) > 1):
        deals = lots[row].integers(2**62, size=8)
        options = np.flatnonzero(view.mask[row])
        seeds = lots[row].integers(2**62, size=8 * len(options)).reshape(-1, 8)
        totals = []
        for action, own in zip(options, seeds):
            guess = view.redeal(deals, np.full(8, row))
            guess.step(np.full(8, action))
            totals.append(guess.playout(own)[:, view.viewer[row]].sum())
        chosen = agent.act(view, RNG(3))[row]
        assert totals[list(options).index(chosen)] == max(totals)


def test_rows_do_not_depend_on_each_other_nor_on_memory(monkeypatch):
    view = middle().view()
    together = FlatMonteCarlo(6).act(view, RNG(1))
    rng = RNG(1)
    one_by_one = [int(FlatMonteCarlo(6).act(view[row], rng)[0]) for row in range(len(view))]
    monkeypatch.setattr(flat, "TOGETHER", 30)
    assert together.tolist() == one_by_one == FlatMonteCarlo(6).act(view, RNG(1)).tolist()


def test_hidden_cards_change_nothing():
    games = middle()
    view = games.view()
    chosen = FlatMonteCarlo(6).act(view, RNG(1))
    for seed in range(3):
        twins = view.redeal(RNG(seed))
        assert twins.states.tobytes() != games.states.tobytes()
        assert FlatMonteCarlo(6).act(twins.view(), RNG(1)).tolist() == chosen.tolist()


def test_one_legal_move_is_played_without_search(monkeypatch):
    games = Batch(8, skip_forced=False)
    games.deal(np.arange(8))
    while not (games.masks().sum(axis=1) == 1).any():
        games.step(games.view().policy("random", RNG(0)))
    view = games.view(np.flatnonzero(games.masks().sum(axis=1) == 1))
    monkeypatch.setattr(View, "redeal", None)
    assert (FlatMonteCarlo().act(view, RNG(0)) == view.mask.argmax(axis=1)).all()


def test_what_cannot_be_answered_is_refused():
    games = middle(2)
    with pytest.raises(ValueError, match="row 0: its viewer is not the one to decide"):
        FlatMonteCarlo().act(games.view(viewer=1 - games.seat), RNG(0))
    with pytest.raises(ValueError, match="playouts: 1 or more, not 0"):
        FlatMonteCarlo(0)
    with pytest.raises(ValueError, match="players: one of random"):
        FlatMonteCarlo(1, "nobody").act(games.view(), RNG(0))
