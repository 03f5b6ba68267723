import math

import numpy as np
import pytest

from agents.expert import ExpertAgent
from agents.heuristic import HeuristicAgent
from agents.random import RandomAgent
from experiments.arena import Pairs, estimate, evaluate, play_pairs, table
from experiments.pairs import SIDE_BY_SIDE, compiled_name, game_seeds
from experiments.seeds import EVALUATION_SEEDS, TRAINING_SEEDS, chosen_deals, evaluation_deals
from skirmish_env import deals
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK
from skirmish_env.opponents import CompiledOpponent
from skirmish_env.views import View

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


class Asked(RandomAgent):
    """Plays at random like a compiled player, but must be asked for every decision."""

    name = "asked"


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


@pytest.mark.parametrize(
    "players", [(RandomAgent(), HeuristicAgent()), (Asked(), HeuristicAgent()), (Asked(), First())]
)
def test_how_many_play_together_and_who_is_named_first_change_no_game(players):
    a, b = players
    whole = play_pairs(a, b, np.arange(20))
    for games in (1, 7, 1000):
        assert play_pairs(a, b, np.arange(20), games=games).rows() == whole.rows()
    assert play_pairs(b, a, np.arange(20)).flipped().rows() == whole.rows()


def test_a_compiled_game_depends_on_its_own_deal_alone():
    whole = play_pairs(RandomAgent(), HeuristicAgent(), np.arange(12))
    some = play_pairs(RandomAgent(), HeuristicAgent(), [7, 3])
    assert np.array_equal(some.scores, whole.scores[[7, 3]])
    assert np.array_equal(some.decisions, whole.decisions[[7, 3]])
    assert game_seeds(0, np.arange(5)).tolist() == game_seeds(0, np.arange(9))[:5].tolist()
    assert len({*game_seeds(0, np.arange(50)), *game_seeds(1, np.arange(50))}) == 100


def test_compiled_and_asked_players_sit_in_the_same_seats():
    """The expert beats random play in either seat, whether whole games are compiled or not."""
    for weak in (RandomAgent(), Asked()):
        pairs = play_pairs(ExpertAgent(), weak, np.arange(60))
        assert (pairs.scores.mean(axis=0) > 0.85).all()
        assert (play_pairs(weak, ExpertAgent(), np.arange(60)).scores.mean(axis=0) < 0.15).all()


def test_who_is_played_without_being_asked():
    names = [compiled_name(one, NEW_YORK) for one in (RandomAgent(), ExpertAgent(), Asked())]
    assert names == ["random", "expert", None]
    assert compiled_name(CompiledOpponent("heuristic"), NEW_YORK) == "heuristic"


def test_an_agent_against_itself_plays_each_deal_once():
    agent = Asked()
    ended = []
    pairs = play_pairs(agent, agent, np.arange(10), tell=ended.append)
    assert sum(ended) == 10
    assert np.array_equal(pairs.scores.sum(axis=1), np.ones(10))
    assert np.array_equal(pairs.turns[:, 0], pairs.turns[:, 1])
    # Both seatings played out with two of the kind: the same games.
    assert play_pairs(Asked(), Asked(), np.arange(10)).rows() == pairs.rows()


def test_ended_games_are_told_as_they_end():
    for players, games in (((RandomAgent(), HeuristicAgent()), 4), ((First(), Last()), 4)):
        ended = []
        play_pairs(*players, np.arange(10), games=games, tell=ended.append)
        assert sum(ended) == 20
        assert len(ended) > 2


def test_agents_are_given_views_of_decisions_that_are_theirs():
    class Spy(First):
        def act(self, view, rng):
            assert type(view) is View
            assert view.mask.any(axis=1).all()
            assert len(set(view.viewer.tolist())) == 1
            seen.append(len(view))
            # What lies open is all that is shown: with all else dealt anew it looks the same.
            again = view.redeal(np.random.default_rng(0)).observe(viewer=view.viewer)
            assert np.array_equal(again, view.observation)
            return super().act(view, rng)

    seen: list[int] = []
    play_pairs(Spy(), Last(), np.arange(4))
    assert seen[0] == 4
    assert sum(seen) > 20


def test_more_deals_than_are_asked_about_together_are_played_in_parts():
    deals = np.arange(SIDE_BY_SIDE + 2)
    asked = []

    class Counted(First):
        def act(self, view, rng):
            asked.append(len(view))
            return super().act(view, rng)

    pairs = play_pairs(Counted(), Last(), deals)
    assert max(asked) <= SIDE_BY_SIDE
    last = play_pairs(First(), Last(), deals[-2:])
    assert np.array_equal(pairs.scores[-2:], last.scores)


def test_an_agent_that_answers_wrongly_is_named():
    class One(First):
        name = "one for all"

        def act(self, view, rng):
            return 3

    with pytest.raises(ValueError, match=r"one for all: must answer with 3 whole numbers, .*\(\)"):
        play_pairs(One(), Last(), np.arange(3))
    with pytest.raises(ValueError, match="games: must be 1 or more, not 0"):
        play_pairs(First(), Last(), np.arange(3), games=0)


def test_flipped_games_are_the_opponents():
    scores = np.array([[1, 0.5], [1, 0]])
    turns = np.array([[1, 2], [3, 4]])
    pairs = Pairs("a", "b", SEATS, np.arange(2), scores, turns, turns, turns.astype(str))
    other = pairs.flipped()
    assert (other.a, other.b) == ("b", "a")
    assert other.scores.tolist() == [[0.5, 0], [1, 0]]
    assert other.turns.tolist() == [[2, 1], [4, 3]]
    assert other.flipped().rows() == pairs.rows()


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
