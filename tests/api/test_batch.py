"""Games that were never dealt, games by number, and copies that are the caller's own."""

import numpy as np
import pytest

from skirmish_env import IllegalAction
from skirmish_env.batch import Batch


def test_a_game_that_was_never_dealt_has_no_winner_and_takes_no_action():
    batch = Batch(2)
    assert list(batch.seat) == [-1, -1]
    assert list(batch.winner) == [-1, -1]
    assert not batch.over.any()
    with pytest.raises(IllegalAction, match="never dealt"):
        batch.step([241, 241])


def test_an_illegal_action_names_game_and_moves_and_changes_none():
    batch = Batch(3)
    batch.deal(np.arange(3))
    before = batch.states.tobytes()
    with pytest.raises(IllegalAction, match=r"game 1: 'waive' is not legal for villains"):
        batch.step([241, 196, 241])
    assert batch.states.tobytes() == before


@pytest.mark.parametrize(
    ("index", "said"),
    [([0, 0], "meant twice"), ([3], "games are 0 to 2"), ([0.5], "whole numbers")],
)
def test_a_wrong_index_is_refused(index, said):
    batch = Batch(3)
    batch.deal(np.arange(3))
    with pytest.raises(ValueError, match=said):
        batch.step([241] * len(index), index)


def test_what_comes_out_is_the_callers_own():
    batch = Batch(2)
    batch.deal([0, 1])
    view = batch.view()
    kept = view.observation.copy(), view.mask.copy()
    for array in (batch.seat, batch.winner, batch.turns, batch.rewards, batch.masks()):
        array[:] = 7
    batch.step(view.policy("random", np.random.default_rng(0)))
    assert (view.observation == kept[0]).all()
    assert (view.mask == kept[1]).all()
    assert set(batch.turns) <= {1, 2}


def test_seed_zero_is_a_seed_and_a_negative_one_is_none():
    batch = Batch(2)
    batch.deal([0, 0])
    assert batch.states[0].tobytes() == batch.states[1].tobytes()
    with pytest.raises(ValueError, match="-1 is negative"):
        batch.deal([0, -1])
