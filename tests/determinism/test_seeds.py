"""0 is a seed like any other, no seed is a new game, and what a seed starts can be repeated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import RecordEpisodeStatistics

from skirmish_env import Table, skirmish_v0
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK
from tests.determinism.everything import batch_games, gym_game

Deal = Callable[[int | None], Any]
GYM = "skirmish_env/Skirmish-v0"


def from_aec(env: Any) -> Deal:
    def deal(seed: int | None) -> Any:
        env.reset(seed=seed)
        return env.unwrapped.position("all")

    return deal


def from_gym(env: Any) -> Deal:
    def deal(seed: int | None) -> Any:
        observation, info = env.reset(seed=seed)
        return info["side"], observation.tobytes(), env.unwrapped.position()

    return deal


def from_vector(envs: Any) -> Deal:
    return lambda seed: envs.reset(seed=seed)[0].tobytes()


MAKERS = {
    "aec": lambda: from_aec(skirmish_v0.raw_env()),
    "aec in order": lambda: from_aec(skirmish_v0.env()),
    "gym": lambda: from_gym(gymnasium.make(GYM).unwrapped),
    "gym as made": lambda: from_gym(gymnasium.make(GYM)),
    "gym with statistics": lambda: from_gym(RecordEpisodeStatistics(gymnasium.make(GYM))),
    "gym vector": lambda: from_vector(gymnasium.make_vec(GYM, 2, vectorization_mode="sync")),
}


@pytest.fixture(params=MAKERS)
def make(request: Any) -> Callable[[], Deal]:
    return MAKERS[request.param]


# ---------------------------------------------------------------------------------------------
# Environments.


def test_seed_0_deals_the_same_twice_and_nothing_else_does(make):
    deal = make()
    dealt = deal(0)
    assert deal(0) == dealt == make()(0)
    assert deal(1) != dealt
    assert deal(None) != dealt
    assert make()(None) != dealt


def test_without_a_seed_every_reset_deals_anew(make):
    deals = [deal(None) for deal in (make(), make()) for _ in range(4)]
    assert all(one != other for n, one in enumerate(deals) for other in deals[:n])


@pytest.mark.parametrize("seed", [0, 5])
def test_one_seeded_reset_repeats_all_that_follow(make, seed):
    deal, other = make(), make()
    first = [deal(seed), *(deal(None) for _ in range(4))]
    assert [deal(seed), *(deal(None) for _ in range(4))] == first
    assert [other(seed), *(other(None) for _ in range(4))] == first
    assert len({repr(one) for one in first}) == 5
    assert [deal(seed + 1), *(deal(None) for _ in range(4))][1:] != first[1:]


# ---------------------------------------------------------------------------------------------
# Table and Batch.


def test_the_table_deals_game_0_for_seed_0_and_takes_no_none():
    assert Table.new(0).position() == Table.new().position() == Table.new(np.int64(0)).position()
    assert Table.new(0).position() != Table.new(1).position()
    with pytest.raises(ValueError, match="not None"):
        Table.new(None)


def test_left_out_decks_are_shuffled_by_seed_0():
    hand = {"heroes": {"hand": ["thor_1"]}}
    dealt = [Table.from_position(hand, seed=seed).position() for seed in (0, 0, 1)]
    assert dealt[0] == dealt[1] != dealt[2]


def test_the_batch_deals_what_the_table_deals():
    batch = Batch(3, skip_forced=False)
    batch.deal([0, 0, 1])
    dealt = [NEW_YORK.describe(batch.states, i, batch.card_set) for i in range(3)]
    assert dealt == [Table.new(seed).position() for seed in (0, 0, 1)]
    batch.deal([0], [2])
    assert batch.states[2].tobytes() == batch.states[0].tobytes()
    with pytest.raises(ValueError, match="whole numbers"):
        batch.deal([None, None, None])


def test_the_order_in_which_games_of_a_batch_are_served_does_not_matter():
    actions = Batch(4)
    actions.deal(np.arange(4))
    chosen = actions.view().policy("random", np.random.default_rng(0))
    ends = []
    for parts in ([[0, 1, 2, 3]], [[3, 1], [0, 2]], [[2], [3], [0], [1]]):
        batch = Batch(4)
        for part in parts:
            batch.deal(part, part)
        for part in parts:
            batch.step(chosen[part], part)
        ends.append(batch.states.tobytes())
    assert ends[0] == ends[1] == ends[2]


# ---------------------------------------------------------------------------------------------
# Who plays.


@pytest.mark.parametrize("policy", sorted(NEW_YORK.policies))
def test_policies_answer_alike_for_seed_0(policy):
    games = [batch_games(2, policy, seed).states.tobytes() for seed in (0, 0, 1)]
    assert games[0] == games[1] != games[2]


@pytest.mark.parametrize("seed", [0, 1])
def test_opponents_answer_alike_for_the_same_seed(seed):
    """The learner's moves follow from the seed too, so the whole game does."""
    assert gym_game(seed, "random") == gym_game(seed, "random") != gym_game(seed + 1, "random")
    assert gym_game(seed, "random") != gym_game(seed, "heuristic")


def test_cards_are_dealt_anew_alike_for_seed_0():
    batch = Batch(1)
    batch.deal([0])
    guesses = [batch.view().redeal(np.random.default_rng(seed)).states for seed in (0, 0, 1)]
    assert guesses[0].tobytes() == guesses[1].tobytes() != guesses[2].tobytes()
