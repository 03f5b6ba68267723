"""Seeds, streams of deals, and reset options of the AEC environment."""

from __future__ import annotations

import numpy as np
import pytest

from skirmish_env import Table, skirmish_v0
from tests.api.helpers import FREE, asking_the_other, play, position, snapshot
from tests.rulebook.helpers import side


def deal(env, **how):
    env.reset(**how)
    return env.unwrapped.position("all")


@pytest.fixture
def env():
    return skirmish_v0.env()


@pytest.mark.parametrize("seed", [0, 1, 2**40, 2**63 - 1, np.int64(7)], ids=repr)
def test_a_seed_deals_the_game_of_the_table(env, seed):
    assert deal(env, seed=seed) == Table.new(int(seed), skip_forced=True).position()


def test_without_a_seed_every_deal_is_new(env):
    deals = [deal(env) for _ in range(5)]
    assert all(one != other for n, one in enumerate(deals) for other in deals[:n])
    assert deal(skirmish_v0.env()) not in deals


def test_deals_after_a_seeded_reset_repeat(env):
    first = [deal(env, seed=0), *(deal(env) for _ in range(4))]
    deal(env)
    again = [deal(env, seed=0), *(deal(env) for _ in range(4))]
    other = [deal(env, seed=1), *(deal(env) for _ in range(4))]
    assert first == again
    assert all(one not in first for one in other)


def test_playing_does_not_disturb_the_stream_of_deals(env):
    env.reset(seed=3)
    wanted = deal(env)
    env.reset(seed=3)
    play(env, np.random.default_rng(0))
    assert deal(env) == wanted


@pytest.mark.parametrize("seed", [-1, 1.0, True, "7", 2**63], ids=repr)
def test_what_is_no_seed_is_refused_and_changes_nothing(env, seed):
    env.reset(seed=3)
    before = snapshot(env)
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=seed)
    assert snapshot(env) == before


def test_a_position_is_set_up_as_the_table_sets_it_up(env):
    words = {"to_move": "heroes", "turn": 2, "heroes": {"hand": ["thor_1", "hulk_1"]}}
    for seed in (0, 5):
        table = Table.from_position(words, seed=seed, skip_forced=True)
        assert deal(env, seed=seed, options={"position": words}) == table.position()


def test_a_position_holds_for_one_game(env):
    where = asking_the_other()
    assert deal(env, seed=1, options={"position": where}) == where
    assert deal(env, seed=1) == Table.new(1, skip_forced=True).position()


def test_an_impossible_position_is_refused_and_changes_nothing(env):
    env.reset(seed=3)
    before = snapshot(env)
    with pytest.raises(ValueError, match="victory"):
        env.reset(seed=4, options={"position": {"victory": 99}})
    assert snapshot(env) == before


def test_rules_hold_for_one_game_in_place_of_the_constructors():
    env = skirmish_v0.env(rules={"villains_opening_hand": 3})
    hand = lambda where: len(where["villains"]["hand"])  # noqa: E731
    assert hand(deal(env, seed=1)) == 3
    assert hand(deal(env, seed=1, options={"rules": {"villains_opening_hand": 6}})) == 6
    assert hand(deal(env, seed=1)) == 3


def test_rules_decide_the_game():
    where = position(victory=4, villains=side(slots={1: "hydra_agents_blue"}, hand=[FREE]))
    env = skirmish_v0.env()
    options = {"position": where, "rules": {"villains_goal": 5}}
    env.reset(seed=0, options=options)
    env.step(241)
    assert env.infos["villains"]["winner"] == "villains"


def test_a_card_set_can_be_named_for_one_game(env):
    wanted = deal(env, seed=1)
    assert deal(env, seed=1, options={"card_set": "in_new_york"}) == wanted
    with pytest.raises(ValueError, match="elsewhere"):
        env.reset(options={"card_set": "elsewhere"})


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"positon": {}}, "'positon'; did you mean 'position'"),
        ({"cardset": None}, "did you mean 'card_set'"),
        ({"rule": {}}, "did you mean 'rules'"),
        ({"xyz": 1}, "known: position, card_set, rules"),
        ({"rules": {"hero_goal": 7}}, "heroes_goal"),
        ([], "dictionary"),
    ],
)
def test_unknown_options_are_named_with_the_nearest(env, options, complaint):
    env.reset(seed=3)
    before = snapshot(env)
    with pytest.raises(ValueError, match=complaint):
        env.reset(seed=4, options=options)
    assert snapshot(env) == before
