"""Tree search: tactics, whose value it is, seeds, budgets, and what it cannot see."""

import time

import numba
import numpy as np
import pytest

from agents.base import load
from agents.network import NetworkSpec, build_policy
from agents.ppo import PPOAgent
from agents.search.flat import FlatMonteCarlo
from agents.search.network import SearchAgent
from agents.search.tree import ISMCTS, TreeSearch
from experiments.pairs import play_pairs
from skirmish_env.batch import Batch
from skirmish_env.common.jit import PLAIN
from skirmish_env.game import NEW_YORK as game
from skirmish_env.new_york import search as engine
from skirmish_env.views import View
from tests.search.positions import (
    AGENT_IS_PAID,
    MUST_BLOCK,
    POINT_THAT_WINS,
    RNG,
    at,
    in_words,
    middle,
)


def knows_nothing(observations, masks):
    """A judge to whom all moves are alike and all games even."""
    shares = masks / masks.sum(axis=1, keepdims=True)
    return shares.astype(np.float32), np.zeros(len(masks), np.float32)


def blind(simulations: int, **settings) -> TreeSearch:
    return TreeSearch(simulations, judge=knows_nothing, **settings)


def of_network(simulations: int, **settings) -> SearchAgent:
    policy = build_policy(game, NetworkSpec([8], [8], [8]))
    return SearchAgent.of(PPOAgent(policy), simulations, **settings)


KINDS = {
    "ismcts": lambda: ISMCTS(60),
    "random playouts": lambda: ISMCTS(200, player="random", turns=None, sharpness=0),
    "no forecast": lambda: ISMCTS(60, turns=None, sharpness=0, trees=1),
    "judged outside": lambda: blind(200, trees=2),
}
every_kind = pytest.mark.parametrize("kind", KINDS)


# -------------------------------------------------------------------------------------------------
# Tactics.


@every_kind
def test_a_win_is_found(kind):
    view = at(POINT_THAT_WINS, "done").view()
    assert in_words(KINDS[kind]().act(view, RNG(0))) == ["discard thanos_2"]
    assert in_words(FlatMonteCarlo(20).act(view, RNG(0))) == ["discard thanos_2"]


@every_kind
def test_a_loss_is_avoided(kind):
    view = at(MUST_BLOCK, *AGENT_IS_PAID).view()
    assert in_words(KINDS[kind]().act(view, RNG(0))) == ["slot 2"]
    assert in_words(FlatMonteCarlo(50).act(view, RNG(0))) == ["slot 2"]


def test_a_loss_in_the_other_seats_turn_is_a_loss():
    view = at(MUST_BLOCK, *AGENT_IS_PAID).view()
    agent = ISMCTS(600, player="random", turns=None, sharpness=0, trees=1)
    (values,) = agent.look(view, RNG(0)).values
    safe = game.move_to_action("slot 2")
    others = [action for action in np.flatnonzero(view.mask[0]) if action != safe]
    assert (values[others] == -1).all()
    assert values[safe] > -0.98


@pytest.mark.parametrize("kind", ["no forecast", "judged outside"])
def test_a_seat_that_decides_twice_running_gains_and_loses_itself(kind):
    """Playing a card, paying and placing it are the Villains' decisions, all good for them."""
    view = at(MUST_BLOCK).view()
    roots = KINDS[kind]().look(view, RNG(0))
    done = game.move_to_action("done")
    assert roots.values[0, done] == -1
    assert roots.values[0, roots.visits[0].argmax()] > -0.9
    assert roots.visits[0].argmax() != done


# -------------------------------------------------------------------------------------------------
# Trees.


def grown(agent: TreeSearch, monkeypatch, games: Batch):
    """The trees that an agent grew, and what it found."""
    engines, make = [], agent._engine
    monkeypatch.setattr(agent, "_engine", lambda trees: engines.append(make(trees)) or engines[0])
    roots = agent.look(games.view(), RNG(0))
    return engines[0].trees, roots


def children(trees, t, node):
    child = trees.first[t, node]
    while child >= 0:
        yield int(child)
        child = trees.sibling[t, child]


@every_kind
def test_visits_and_outcomes_add_up_in_every_node(kind, monkeypatch):
    agent = KINDS[kind]()
    games = middle(3)
    trees, roots = grown(agent, monkeypatch, games)
    assert (roots.visits.sum(axis=1) == agent.simulations).all()
    assert (roots.visits[games.masks() == 0] == 0).all()
    own = 1 if agent.judge else 0  # a root's own visit
    for t in range(len(trees.used)):
        for node in range(int(trees.used[t])):
            below = list(children(trees, t, node))
            visits, offered = trees.visits[t, below], trees.offered[t, below]
            assert (visits <= offered).all()
            assert (offered <= trees.visits[t, node]).all()
            assert trees.worth[t, node].sum() == pytest.approx(0)
            assert abs(trees.worth[t, node, 0]) <= trees.visits[t, node]
            assert len(set(trees.action[t, below])) == len(below)
            assert visits.sum() <= trees.visits[t, node]
        top = list(children(trees, t, 0))
        assert trees.visits[t, 0] == trees.visits[t, top].sum() + own
        assert (trees.links[t] == -1).all()


def test_a_node_counts_how_often_its_action_was_on_offer(monkeypatch):
    """What the other player can do depends on a hand that each redeal gives him."""
    trees, _ = grown(ISMCTS(300, trees=1), monkeypatch, middle(4))
    varying = 0
    for t in range(len(trees.used)):
        for node in range(int(trees.used[t])):
            below = list(children(trees, t, node))
            varying += len(set(trees.offered[t, below].tolist())) > 1
    assert varying > 0


def payment() -> Batch:
    """A payment that can be made in more than four ways."""
    games, rng = Batch(60), RNG(0)
    games.deal(np.arange(60))
    while True:
        paying = games.states["question"] == game.questions.index("payment")
        wide = np.flatnonzero(paying & (games.masks().sum(axis=1) > 4))
        if len(wide):
            return games.copy(wide[:1])
        games.step(games.view().policy("heuristic", rng))


def test_widening_looks_at_few_payments_first_and_reaches_all():
    view = payment().view()
    few = ISMCTS(6, widening=0.1, trees=1).look(view, RNG(0)).visits > 0
    assert few.sum() == 1
    assert few.argmax() == view.policy("expert", RNG(0))[0]
    wide = blind(1000, widening=1.0, trees=1).look(view, RNG(0)).visits > 0
    assert (wide == (view.mask == 1)).all()


# -------------------------------------------------------------------------------------------------
# Hidden cards.


class Clairvoyant:
    """A view whose redeals are the very game."""

    def __init__(self, games: Batch) -> None:
        self.games, self.view = games, games.view()

    def __len__(self):
        return len(self.view)

    def __getattr__(self, name):
        return getattr(self.view, name)

    def redeal(self, rng, rows=None):
        return self.games.copy(rows)


AGENTS = {
    "ismcts": lambda: ISMCTS(30, trees=2),
    "random playouts": lambda: ISMCTS(30, player="random", turns=None, trees=2),
    "network": lambda: of_network(30, trees=2),
}


@pytest.mark.parametrize("kind", AGENTS)
def test_hidden_cards_change_nothing(kind):
    agent, games = AGENTS[kind](), middle(10)
    view = games.view()
    found = agent.look(view, RNG(1))
    clairvoyant = agent.look(Clairvoyant(games), RNG(1))
    told_apart = 0
    for seed in range(2):
        twins = view.redeal(RNG(seed))
        same = agent.look(twins.view(), RNG(1))
        assert (same.visits == found.visits).all()
        assert (same.values == found.values).all()
        told_apart += (agent.look(Clairvoyant(twins), RNG(1)).values != clairvoyant.values).sum()
    assert told_apart > 0, "these twins would be told apart by who saw them"


# -------------------------------------------------------------------------------------------------
# Seeds, rows, threads, budgets.


@pytest.mark.parametrize("kind", AGENTS)
def test_a_row_depends_on_its_seed_and_on_no_other_row(kind, monkeypatch):
    agent, view = AGENTS[kind](), middle(6).view()
    together = agent.look(view, RNG(4)).values.tolist()
    assert agent.look(view, RNG(4)).values.tolist() == together
    assert agent.look(view, RNG(5)).values.tolist() != together
    rng = RNG(4)
    assert [agent.look(view[n], rng).values[0].tolist() for n in range(6)] == together
    monkeypatch.setattr("agents.search.tree.MOST_TREES", 4)
    monkeypatch.setattr("agents.search.tree.MOST_GAMES", 20)
    assert agent.look(view, RNG(4)).values.tolist() == together
    assert agent.act(view, RNG(4)).tolist() == agent.act(view, RNG(4)).tolist()


@pytest.mark.skipif(PLAIN or numba.config.NUMBA_NUM_THREADS < 2, reason="one thread")
@pytest.mark.parametrize("kind", AGENTS)
def test_threads_change_nothing(kind):
    agent, view = AGENTS[kind](), middle(3).view()
    before, found = numba.get_num_threads(), []
    try:
        for threads in (1, 2):
            numba.set_num_threads(threads)
            found.append(agent.look(view, RNG(4)))
    finally:
        numba.set_num_threads(before)
    assert (found[0].visits == found[1].visits).all()
    assert (found[0].values == found[1].values).all()


def test_seconds_are_a_budget(monkeypatch):
    """By a clock that moves on by a second whenever somebody looks at it."""
    ticks = iter(range(1000))
    monkeypatch.setattr(time, "monotonic", lambda: next(ticks))
    short, long = (
        ISMCTS(seconds=s, trees=2).look(middle(1).view(), RNG(0)).visits.sum() for s in (2, 5)
    )
    assert short == 2 + 1 * 64
    assert long == 2 + 4 * 64


def test_trees_share_the_simulations_among_them():
    for simulations in (1, 5, 6):
        roots = ISMCTS(simulations, trees=3).look(middle(2).view(), RNG(0))
        assert roots.visits.sum(axis=1).tolist() == [simulations] * 2


def test_one_legal_move_is_played_without_search(monkeypatch):
    games = Batch(8, skip_forced=False)
    games.deal(np.arange(8))
    while not (games.masks().sum(axis=1) == 1).any():
        games.step(games.view().policy("random", RNG(0)))
    view = games.view(np.flatnonzero(games.masks().sum(axis=1) == 1))
    monkeypatch.setattr(View, "redeal", None)
    assert (ISMCTS().act(view, RNG(0)) == view.mask.argmax(axis=1)).all()
    assert ISMCTS().act(view[:0], RNG(0)).shape == (0,)


def test_whole_games_in_both_seats():
    played = play_pairs(ISMCTS(12, trees=2), load("random"), np.arange(2))
    assert played.scores.mean() > 0.5
    played = play_pairs(of_network(8, trees=2), load("random"), np.arange(1))
    assert (played.endings != "").all()


def test_other_rules_and_card_sets_side_by_side():
    games = Batch(3, rules=[{}, {"villains_goal": 12}, {"manhattan_slots": 2}])
    games.deal([1, 2, 3])
    view = games.view()
    together = ISMCTS(10, trees=2).look(view, RNG(0)).visits
    alone = Batch(1, rules={"villains_goal": 12})
    alone.deal([2])
    rng = RNG(0)
    rng.integers(2**62)
    assert (ISMCTS(10, trees=2).look(alone.view(), rng).visits[0] == together[1]).all()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"simulations": 0}, "simulations: 1 or more, not 0"),
        ({"seconds": 0}, "seconds: more than 0, not 0"),
        ({"simulations": 5, "seconds": 1.0}, "one budget, not both"),
        ({"trees": 0}, "trees: 1 or more, not 0"),
        ({"player": "nobody"}, "player: one of random, heuristic, expert, not 'nobody'"),
        ({"explore": -1}, "explore: 0 or more, not -1"),
        ({"turns": -1}, "turns: 0 or more, not -1"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, said):
    with pytest.raises(ValueError, match=said):
        ISMCTS(**arguments)


@pytest.mark.parametrize("outside", [False, True])
def test_an_engine_is_made_again_from_the_settings_that_it_tells(outside):
    given = {"player": "random", "turns": None, "explore": 2, "widening": 1.5, "fit": range(6)}
    engine = game.search(1, outside=outside, **given)
    again = game.search(1, outside=outside, **engine.settings)
    if not outside:
        assert again._settings == engine._settings
    told = [{**one.settings, "fit": list(one.settings.get("fit", []))} for one in (engine, again)]
    assert told[0] == told[1]
    assert ("player" in told[0]) == (not outside)


def test_who_does_not_decide_is_not_answered():
    games = middle(2)
    with pytest.raises(ValueError, match="row 0: its viewer is not the one to decide"):
        ISMCTS(5).act(games.view(viewer=1 - games.seat), RNG(0))


def test_names():
    assert load("ismcts").name == "ismcts"
    assert load("ismcts").simulations == 300
    assert of_network(5).name == "ppo+search"


@pytest.fixture
def threads(monkeypatch):
    """How many threads of eight the search goes on with, one change after another."""
    told = [8]
    monkeypatch.setattr(engine, "get_num_threads", lambda: told[-1])
    monkeypatch.setattr(engine, "set_num_threads", told.append)
    return told


@pytest.mark.parametrize(("trees", "used"), [(1, 1), (7, 1), (16, 4), (64, 8)])
def test_few_leaves_are_not_shared_out(threads, trees, used):
    """Threads that wait for each other at every leaf are slower than one."""
    blind(trees, trees=trees).look(middle(1).view(), RNG(0))
    assert threads == [8, used, 8]


def test_trees_that_judge_themselves_take_all_threads(threads):
    ISMCTS(4, trees=4).look(middle(1).view(), RNG(0))
    assert threads == [8]


def test_a_judge_that_fails_leaves_the_threads_as_they_were(threads):
    def failing(observations, masks):
        raise RuntimeError("judge")

    with pytest.raises(RuntimeError, match="judge"):
        TreeSearch(4, judge=failing).look(middle(1).view(), RNG(0))
    assert threads == [8, 1, 8]
