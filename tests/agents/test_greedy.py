"""The greedy player: legal, blind to what is hidden, the same again, and sensible for one turn."""

import numpy as np
import pytest

from agents.base import load
from agents.greedy import GreedyAgent
from experiments.pairs import play_pairs
from skirmish_env import Table
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK as game
from skirmish_env.views import View
from tests.agents.test_heuristic import SHORT_TRACK, row

AGENT = GreedyAgent()


def choose(view: View, seed: int = 0) -> np.ndarray:
    return AGENT.act(view, np.random.default_rng(seed))


def walk(games: int, rules: dict, random_share: float):
    """Deal games and play them on, with some decisions at random; yield before each decision."""
    batch, rng = Batch(games, rules=rules), np.random.default_rng(games)
    batch.deal(np.arange(games))
    while not batch.over.all():
        index = np.flatnonzero(~batch.over)
        view = batch.view(index)
        yield batch, view
        wild = rng.random(len(index)) < random_share
        batch.step(np.where(wild, view.policy("random", rng), choose(view, len(index))), index)


@pytest.mark.parametrize("random_share", [0.1, 1.0])
@pytest.mark.parametrize("rules", [{}, SHORT_TRACK], ids=["printed", "short track"])
def test_is_legal_and_leaves_the_game_alone(rules, random_share):
    for batch, view in walk(8, rules, random_share):
        before = batch.states.tobytes()
        actions = choose(view)
        assert actions.dtype == np.int64
        assert batch.states.tobytes() == before
        assert (view.mask[np.arange(len(view)), actions] == 1).all()


@pytest.mark.parametrize(("rules", "random_share"), [({}, 0.1), (SHORT_TRACK, 0.6)])
def test_hidden_cards_change_nothing(rules, random_share):
    rng = np.random.default_rng(3)
    for _, view in walk(16, rules, random_share):
        assert np.array_equal(choose(view.redeal(rng).view()), choose(view))


def test_the_seed_decides_and_later_rows_do_not_matter():
    differs = False
    for _, view in walk(8, {}, 0.2):
        actions = choose(view, 5)
        assert np.array_equal(choose(view, 5), actions)
        few = 1 + len(view) // 3
        assert np.array_equal(choose(view[:few], 5), actions[:few])
        differs |= not np.array_equal(choose(view, 6), actions)
    assert differs


def test_no_rows_and_one_who_is_not_asked():
    batch = Batch(2)
    batch.deal([0, 1])
    assert choose(batch.view([])).tolist() == []
    with pytest.raises(ValueError, match="greedy: the viewer of row 1 is not the one to decide"):
        choose(batch.view([0, 1], [batch.seat[0], 1 - batch.seat[1]]))


def advise(position: dict, *moves: str) -> str:
    """Return the greedy player's next move after some moves from a position."""
    batch = Batch(1, skip_forced=False)
    batch.states[:] = Table.from_position(position).play(*moves).states
    return game.action_to_move(int(choose(batch.view())[0]))


def test_takes_the_point_that_wins():
    hand = ["hydra_agents_blue", "thanos_2", "loki_1", "ares_1", "ares_2"]
    assert advise({"victory": 8, "villains": {"hand": hand}}) == "play hydra_agents_blue"


def test_lays_a_card_where_it_defeats_one():
    position = {
        "villains": {"hand": ["ares_1", "taskmaster_1", "loki_1"]},
        "heroes": {"hand": [], "slots": row("hulk_2", "ant_man_2", "thor_2")},
    }
    moves = ("play ares_1", "discard taskmaster_1", "discard loki_1")
    assert advise(position, *moves) == "slot 2"


def test_pays_with_the_least_card():
    position = {"villains": {"hand": ["ares_1", "taskmaster_1", "red_hulk_2", "loki_2"]}}
    assert advise(position, "play ares_1") == "discard taskmaster_1"


def test_the_heroes_pay_with_civilians_first():
    position = {
        "to_move": "heroes",
        "villains": {"hand": []},
        "heroes": {"hand": ["ant_man_2", "captain_marvel_2", "hulk_2"], "freed": "r"},
        "civilians": ["ygb", "rygb", "rygb"],
    }
    assert advise(position, "play ant_man_2") == "civilian red"


def test_beats_random_play_in_either_seat():
    scores = play_pairs(AGENT, load("random"), np.arange(60)).scores.mean(axis=0)
    assert (scores >= 0.85).all(), scores
