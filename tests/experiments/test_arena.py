import math

import numpy as np
import pytest

from agents.heuristic import HeuristicAgent
from agents.random import RandomAgent
from experiments.arena import Pairs, estimate, evaluate, play_pairs, table
from experiments.seeds import EVALUATION_SEEDS, TRAINING_SEEDS, chosen_deals, evaluation_deals
from skirmish_env import deals
from skirmish_env.batch import Batch

SEATS = ("villains", "heroes")


def test_the_interval_counts_deals_by_hand():
    """Four deals with means 1, 1/2, 1/2, 0: mean 1/2, variance 1/6, standard error sqrt(1/24)."""
    scores = np.array([[1, 1], [1, 0], [0.5, 0.5], [0, 0]])
    found = estimate(scores)
    margin = 1.959964 / math.sqrt(24)
    assert found["score"] == 0.5
    assert found["low"] == pytest.approx(0.5 - margin)
    assert found["high"] == pytest.approx(0.5 + margin)
    assert found["draws"] == 0.25


def test_games_of_a_deal_that_go_together_do_not_narrow_the_interval():
    """Ten games that are five games seen twice know as much as five."""
    five = np.array([[1.0], [0], [1], [1], [0]])
    assert estimate(np.repeat(five, 2, axis=1)) == pytest.approx(estimate(five))


def test_intervals_stay_between_none_and_all():
    assert estimate(np.array([[1.0], [1], [0], [1]]))["high"] == 1
    assert estimate(np.ones((50, 1)))["low"] == pytest.approx(0.025 ** (1 / 50))
    assert estimate(np.zeros((50, 2)))["high"] == pytest.approx(1 - 0.025 ** (1 / 50))
    assert estimate(np.array([[0.5, 0.5]])) == {"score": 0.5, "low": 0, "high": 1, "draws": 1}


def test_a_summary_by_seat():
    scores = np.array([[1, 0.5], [1, 0], [0, 0.5]])
    nothing = np.zeros((3, 2), np.int64)
    pairs = Pairs("a", "b", SEATS, np.arange(3), scores, nothing, nothing, nothing.astype(str))
    summary = pairs.summary()
    assert summary["score"] == pytest.approx(0.5)
    assert summary["deals"] == 3
    assert summary["seats"]["villains"]["score"] == pytest.approx(2 / 3)
    assert summary["seats"]["heroes"]["score"] == pytest.approx(1 / 3)
    assert summary["seats"]["heroes"]["draws"] == pytest.approx(2 / 3)
    assert len(pairs.rows()) == 6
    assert pairs.rows()[1] | {"deal": 0, "seat": "heroes", "score": 0.5} == pairs.rows()[1]


class First:
    """Takes the legal action with the lowest id, so that a deal has one course."""

    name = "first"

    def act(self, view, rng):
        return view.mask.argmax(axis=1).astype(np.int64)


class Last(First):
    name = "last"

    def act(self, view, rng):
        return view.mask.shape[1] - 1 - view.mask[:, ::-1].argmax(axis=1).astype(np.int64)


def winner(players, seed):
    """Play one deal on its own; `players` by seat."""
    batch = Batch(1)
    batch.deal([seed])
    while not batch.over[0]:
        view = batch.view()
        batch.step(players[batch.seat[0]].act(view, None))
    return batch.rewards[0]


def test_seats_are_swapped_on_the_same_deal():
    pairs = play_pairs(First(), Last(), np.arange(6), games=4)
    for row, seed in enumerate(pairs.deals):
        assert pairs.scores[row, 0] == (1 + winner((First(), Last()), seed)[0]) / 2
        assert pairs.scores[row, 1] == (1 + winner((Last(), First()), seed)[1]) / 2
    other_way = play_pairs(Last(), First(), np.arange(6))
    assert np.array_equal(other_way.scores[:, ::-1], 1 - pairs.scores)


def test_an_agent_against_itself_scores_a_half():
    pairs = play_pairs(First(), First(), np.arange(20))
    assert pairs.summary()["score"] == 0.5
    assert (pairs.turns > 0).all()
    assert set(pairs.endings.ravel()) <= {"victory", "civilians", "deck"}


def test_the_same_arguments_give_the_same_games():
    left, right, other = (
        play_pairs(RandomAgent(), HeuristicAgent(), np.arange(30), seed=seed) for seed in (1, 1, 2)
    )
    assert left.rows() == right.rows()
    assert left.rows() != other.rows()


def test_the_table_shows_seats_and_what_the_opponent_makes_of_them():
    results = evaluate(RandomAgent(), [RandomAgent()], np.arange(10))
    text = table(results)
    assert text.splitlines()[0].split() == [
        "opponent", "seat", "score", "95%", "interval", "draws", "opponent", "itself",
    ]  # fmt: skip
    assert [line.split()[1] for line in text.splitlines()[1:4]] == ["both", "villains", "heroes"]
    assert "10 deals, each played twice" in text


def test_training_and_evaluation_never_share_a_seed():
    assert EVALUATION_SEEDS.stop <= TRAINING_SEEDS.start
    assert evaluation_deals(5, 3).tolist() == [5, 6, 7]
    for first, n in ((-1, 2), (2**32 - 1, 2), (0, 0)):
        with pytest.raises(ValueError, match="evaluation deals are 0 to"):
            evaluation_deals(first, n)
    with pytest.raises(ValueError, match="at least one"):
        play_pairs(First(), Last(), [])


def test_named_deals_are_played_by_their_name():
    pairs = play_pairs(First(), Last(), "deals-v1:3")
    assert pairs.deals.tolist() == [3_000_000_000, 3_000_000_001, 3_000_000_002]
    assert pairs.rows() == play_pairs(First(), Last(), deals("deals-v1", 3)).rows()


def test_the_deals_that_a_setting_means():
    assert chosen_deals(3, 5).tolist() == [5, 6, 7]
    assert chosen_deals("deals-v1").tolist() == deals("deals-v1").tolist()
    assert chosen_deals("deals-v1:2").tolist() == deals("deals-v1", 2).tolist()
    assert int(chosen_deals("deals-v1").max()) in EVALUATION_SEEDS


@pytest.mark.parametrize(
    ("which", "first", "said"),
    [
        ("deals-v2", 0, "^deals: .*did you mean 'deals-v1'"),
        ("deals-v1:", 0, "^deals: 'deals-v1:' is neither NAME nor NAME:NUMBER"),
        ("deals-v1:-5", 0, "neither NAME nor NAME:NUMBER"),
        ("deals-v1:2001", 0, "1 to 2000 deals to give, not 2001"),
        ("deals-v1", 5, "^first_deal: deals-v1 has a first deal of its own"),
    ],
)
def test_deals_that_are_not_there_are_refused(which, first, said):
    with pytest.raises(ValueError, match=said):
        chosen_deals(which, first)
