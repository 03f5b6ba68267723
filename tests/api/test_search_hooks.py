"""What search builds on: games copied, dealt again, played out, put away as bytes, by the array."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from skirmish_env import Table
from skirmish_env.batch import Batch
from skirmish_env.common.jit import PLAIN
from skirmish_env.common.rng import POLICY_STREAM, seed_rng
from skirmish_env.game import NEW_YORK, IllegalAction
from skirmish_env.new_york import rules
from skirmish_env.new_york.kernels import random_action
from skirmish_env.vector_env import SkirmishVectorEnv

RNG = np.random.default_rng
GAMES = 3 if PLAIN else 40
SHORT = {"villains_goal": 12, "heroes_goal": 12}
SMALL = {"manhattan_slots": 2, "sanctum_slots": 1, "tower_slots": 1}


def begun(n: int = GAMES, moves: int = 9, **settings) -> Batch:
    """Games some random decisions old."""
    games, rng = Batch(n, **settings), RNG(n)
    games.deal(np.arange(n) + 50)
    for _ in range(moves):
        games.step(games.view().policy("random", rng))
    return games


def rewards_of(games: Batch) -> np.ndarray:
    assert games.over.all()
    return games.rewards


# -------------------------------------------------------------------------------------------------
# Copies.


def test_a_copy_is_played_on_without_its_original():
    games = begun()
    before = games.states.tobytes()
    twin = games.copy()
    assert twin.states.tobytes() == before
    twin.step(twin.view().policy("random", RNG(0)))
    assert games.states.tobytes() == before != twin.states.tobytes()


def test_copies_of_one_game_are_as_many_as_the_index_names():
    games = begun()
    many = games.copy([2, 0, 2, 2])
    assert [one.tobytes() for one in many.states] == [
        games.states[i].tobytes() for i in (2, 0, 2, 2)
    ]
    with pytest.raises(ValueError, match="games are 0 to"):
        games.copy([GAMES])


def test_the_door_copies_one_record_over_another():
    games = begun()
    kept = games.states[1].tobytes()
    rules.copy(games.states, 1, games.states, 0)
    assert games.states[0].tobytes() == games.states[1].tobytes() == kept
    assert games.states[2].tobytes() != kept


def test_a_kernel_copies_some_games_of_one_array_over_some_of_another():
    games, other = begun(), Batch(3)
    other.deal([1, 2, 3])
    kept = other.states[1].tobytes()
    NEW_YORK.kernels.copy(games.states, np.array([2, 0]), other.states, np.array([0, 2]))
    rows = [games.states[2].tobytes(), kept, games.states[0].tobytes()]
    assert [row.tobytes() for row in other.states] == rows


def test_packed_games_go_on_where_they_were():
    games = begun()
    away = [games.pack(i) for i in range(GAMES)]
    back = Batch(GAMES)
    for i, data in enumerate(away):
        back.unpack(i, data)
    assert back.states.tobytes() == games.states.tobytes()
    for batch in (games, back):
        batch.step(batch.view().policy("random", RNG(4)))
    assert back.states.tobytes() == games.states.tobytes()


def test_bytes_of_another_length_and_places_that_are_not_there_are_refused():
    games = begun()
    before = games.states.tobytes()
    size = NEW_YORK.state_dtype.itemsize
    with pytest.raises(ValueError, match=f"{size - 1} bytes; a record has {size}"):
        games.unpack(0, games.pack(0)[1:])
    for place in (-1, GAMES):
        with pytest.raises(ValueError, match=f"games are 0 to {GAMES - 1}, not {place}"):
            games.pack(place)
        with pytest.raises(ValueError, match=f"games are 0 to {GAMES - 1}, not {place}"):
            games.unpack(place, games.pack(0))
    assert games.states.tobytes() == before


# -------------------------------------------------------------------------------------------------
# Redeals.


def test_a_redeal_in_place_keeps_what_its_viewer_knows_and_changes_other_games_in_nothing():
    games = begun()
    before, seats = games.states.copy(), games.seat.astype(np.int64)
    meant = np.arange(0, GAMES, 2)
    games.redeal(meant + 7, meant)
    for i in range(GAMES):
        if i not in meant:
            assert games.states[i].tobytes() == before[i].tobytes()
            continue
        known = [NEW_YORK.proof.known(states, i, seats[i]) for states in (before, games.states)]
        assert known[0] == known[1]
        assert games.states[i].tobytes() != before[i].tobytes()
    one = begun().copy([2])
    one.redeal([9])
    assert one.states[0].tobytes() == games.states[2].tobytes()


def test_a_redeal_is_from_the_seat_that_is_named():
    games, other = begun(), begun()
    idle = 1 - games.seat.astype(np.int64)
    games.redeal(np.arange(GAMES), viewer=idle)
    other.redeal(np.arange(GAMES))
    seats = np.arange(GAMES)
    assert (games.states["hand"][seats, idle] == begun().states["hand"][seats, idle]).all()
    assert games.states.tobytes() != other.states.tobytes()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([0],), f"expected {GAMES} whole numbers"),
        (([-1] * GAMES,), "-1 is negative"),
        (([0, 0], [1, 1]), "meant twice"),
        (([0], [0], [2]), "seats are 0 to 1"),
    ],
)
def test_an_impossible_redeal_is_refused(arguments, said):
    games = begun()
    before = games.states.tobytes()
    with pytest.raises(ValueError, match=said):
        games.redeal(*arguments)
    assert games.states.tobytes() == before


def test_a_view_deals_a_row_again_as_often_as_it_is_named():
    games = begun()
    view = games.view()
    guesses = view.redeal(RNG(1), np.repeat([1, 2], 5))
    assert len(guesses) == 10
    seats = games.seat.astype(np.int64)
    for n, guess in enumerate(guesses.states):
        i = 1 + n // 5
        know = NEW_YORK.proof.known
        assert know(guesses.states, n, seats[i]) == know(games.states, i, seats[i])
        assert guess.tobytes() != games.states[i].tobytes()
    assert len({guess.tobytes() for guess in guesses.states}) == 10
    everyone = view.redeal(RNG(1), np.arange(GAMES))
    assert view.redeal(RNG(1)).states.tobytes() == everyone.states.tobytes()


# -------------------------------------------------------------------------------------------------
# Play-outs.


def test_a_playout_is_the_game_that_its_seed_plays_decision_by_decision():
    games, by_hand = begun(), begun()
    found = games.playout(np.arange(GAMES))
    rng = np.zeros(4, np.int64)
    for i in range(GAMES):
        seed_rng(rng, i, POLICY_STREAM)
        while not by_hand.over[i]:
            by_hand.step([random_action(by_hand.states[i], rng)], [i])
    assert games.states.tobytes() == by_hand.states.tobytes()
    assert found.tobytes() == rewards_of(by_hand).tobytes()


@pytest.mark.parametrize("players", ["random", ("heuristic", "random"), ("random", "expert")])
def test_a_playout_is_the_same_alone_and_among_many(players):
    many, found = begun(), begun()
    together = many.playout(np.arange(GAMES), players)
    some = [1, 2]
    assert found.playout([1, 2], players, some).tobytes() == together[some].tobytes()
    assert found.states[some].tobytes() == many.states[some].tobytes()
    assert not found.over[0]


@pytest.mark.skipif(PLAIN, reason="one thread")
def test_a_playout_is_the_same_on_one_thread_and_on_all():
    before, found = numba.get_num_threads(), []
    try:
        for threads in (1, numba.config.NUMBA_NUM_THREADS):
            numba.set_num_threads(threads)
            games = begun(200)
            games.playout(np.arange(200), "heuristic")
            found.append(games.states.tobytes())
    finally:
        numba.set_num_threads(before)
    assert found[0] == found[1]


@pytest.mark.parametrize("player", ["random", "heuristic", "expert"])
def test_no_game_minds_what_its_neighbours_are(player):
    """More games than there is scratch paper for: games of few slots share it with others."""
    small = {**SMALL, "tower_slots": 0, "villains_goal": 8, "heroes_goal": 8}
    n = 140 if not PLAIN else 2
    mix = begun(n, rules=[({}, small)[i % 2] for i in range(n)])
    alone = mix.copy(np.arange(1, n, 2))
    acted = mix.view().policy(player, RNG(0))
    assert (mix.masks()[np.arange(n), acted] == 1).all()
    seeds = np.arange(n)
    mix.playout(seeds, player)
    alone.playout(seeds[1::2], player)
    assert alone.states.tobytes() == mix.states[1::2].tobytes()


@pytest.mark.parametrize("player", ["heuristic", "expert"])
def test_a_scripted_player_forgets_the_game_before(player):
    """In one call the same notes serve all rows: they must say nothing of earlier rows."""
    small = {**SMALL, "tower_slots": 0}
    n = 4 if PLAIN else 300
    mix = begun(n, moves=14, rules=[({}, small)[i % 2] for i in range(n)])
    live = np.flatnonzero(~mix.over)
    together = mix.view(live).policy(player, RNG(3))
    seeds = RNG(3).integers(0, 2**62, len(live))
    for n, i in enumerate(live[:60]):
        one, out = mix.copy([i]), np.zeros(1, np.int64)
        choose = NEW_YORK.policies[player]
        choose(one.states, one._cards, one._sets, np.zeros(1, np.int64), seeds[[n]], out)
        assert out[0] == together[n]


@pytest.mark.skipif(PLAIN, reason="many games")
@pytest.mark.parametrize("seat", [0, 1])
def test_the_seat_that_is_named_is_played_by_the_player_that_is_named(seat):
    games = Batch(200)
    games.deal(np.arange(200))
    players = ["random", "random"]
    players[seat] = "heuristic"
    assert games.playout(np.arange(200), players)[:, seat].mean() > 0.6


def test_a_game_that_is_over_stays_as_it_is():
    games = begun()
    first = games.playout(np.arange(GAMES))
    before = games.states.tobytes()
    assert games.playout(np.arange(GAMES) + 1).tobytes() == first.tobytes()
    assert games.states.tobytes() == before


def test_only_as_many_records_of_the_game_take_the_place_of_others():
    games = begun()
    for wrong in (games.states[:2], np.zeros(GAMES), np.concatenate([games.states] * 2)):
        with pytest.raises(ValueError, match=f"states: {GAMES} records of this game"):
            games.states = wrong
    games.states = games.copy().states[::-1]
    assert games.states.flags.c_contiguous


def test_a_playout_follows_games_that_were_replaced():
    games = begun()
    games.playout(np.arange(GAMES))
    games.states = begun().states
    games.playout(np.arange(GAMES))
    assert games.over.all()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([0],), f"expected {GAMES} whole numbers"),
        (([-1] * GAMES,), "-1 is negative"),
        ((range(GAMES), "clever"), "one of random, heuristic, expert"),
        ((range(GAMES), ("random",)), "for each of 2 seats"),
        ((range(GAMES), None), "not None"),
        ((range(GAMES), [["random"], "random"]), "for each of 2 seats"),
        (([np.uint64(2**63 + 1)] * GAMES,), "is above"),
        (([0, 0], "random", [1, 1]), "meant twice"),
    ],
)
def test_an_impossible_playout_is_refused(arguments, said):
    games = begun()
    before = games.states.tobytes()
    with pytest.raises(ValueError, match=said):
        games.playout(*arguments)
    assert games.states.tobytes() == before
    with pytest.raises(ValueError, match="game 1 was never dealt"):
        Batch(2).playout([0], index=[1])


# -------------------------------------------------------------------------------------------------
# Watching: compiled players asked one decision at a time, games that stop between questions.

PLAYERS = ("expert", "random")


def test_compiled_players_say_what_a_playout_does():
    games, asked = begun(), begun()
    found = games.playout(np.arange(GAMES), PLAYERS)
    answers = asked.players(np.arange(GAMES), PLAYERS)
    while (live := np.flatnonzero(~asked.over)).size:
        before = asked.states.tobytes()
        actions = answers(live)
        assert asked.states.tobytes() == before
        asked.step(actions, live)
    assert asked.states.tobytes() == games.states.tobytes()
    assert rewards_of(asked).tobytes() == found.tobytes()


def test_strides_lead_where_steps_lead():
    """Forced questions are asked on the way; the players are only asked where there is a choice."""
    games, watched = begun(), Batch(GAMES, skip_forced=False)
    watched.states = games.copy().states
    games.playout(np.arange(GAMES), PLAYERS)
    answers = watched.players(np.arange(GAMES), PLAYERS)
    strides = 0
    while (live := np.flatnonzero(~watched.over)).size:
        states = watched.states[live]
        actions = np.where(states["asked"] >= 0, states["options"][:, 0], -7).astype(np.int64)
        choosing = (states["asked"] >= 0) & (states["option_count"] > 1)
        actions[choosing] = answers(live[choosing])
        watched.stride(actions, live)
        strides += len(live)
    assert watched.states.tobytes() == games.states.tobytes()
    assert strides > watched.decisions.sum()


def test_what_cannot_be_watched_is_refused():
    games = begun()
    answers = games.players([3], PLAYERS, [1])
    with pytest.raises(ValueError, match="these games were not given to them"):
        answers([0])
    games.playout([1], index=[1])
    with pytest.raises(ValueError, match="one of these games asks nobody"):
        answers([1])
    with pytest.raises(ValueError, match="game 1 is over or was never dealt"):
        games.stride([0, 0], [0, 1])
    before = games.states.tobytes()
    with pytest.raises(IllegalAction, match="game 0: 'no' is not legal"):
        games.stride([games.game.move_to_action("no")], [0])
    assert games.states.tobytes() == before
    with pytest.raises(ValueError, match="players: game 1 was never dealt"):
        Batch(2).players([0], index=[1])


# -------------------------------------------------------------------------------------------------
# Games of different card sets and rules in one batch.


def mixed(n: int) -> list[dict]:
    return [({}, SHORT, SMALL)[i % 3] for i in range(n)]


def test_games_of_different_rules_side_by_side_are_those_games_alone():
    together = begun(6, rules=mixed(6))
    assert len(together.card_sets) == 3
    assert list(together.set_of_game) == [0, 1, 2, 0, 1, 2]
    for i, options in enumerate(mixed(6)):
        alone = begun(6, rules=options)
        assert alone.states[i].tobytes() == together.states[i].tobytes()
    one = [Batch(1, rules=options) for options in mixed(6)]
    mix = Batch(6, rules=mixed(6))
    mix.deal(range(6))
    for i, game in enumerate(one):
        game.deal([i])
        assert game.states[0].tobytes() == mix.states[i].tobytes()
        assert game.observe().tobytes() == mix.observe([i]).tobytes()
        assert game.full().tobytes() == mix.full([i]).tobytes()
        game.playout([i], "heuristic")
    mix.playout(range(6), "heuristic")
    assert [game.states[0].tobytes() for game in one] == [row.tobytes() for row in mix.states]
    with pytest.raises(ValueError, match="these games differ in it"):
        _ = mix.card_set


def test_copies_views_and_guesses_keep_the_rules_of_their_games():
    games = begun(6, rules=mixed(6))
    rows = [4, 2, 4]
    assert list(games.copy(rows).set_of_game) == [1, 2, 1]
    guesses = games.view(rows).redeal(RNG(0))
    assert list(guesses.set_of_game) == [1, 2, 1]
    guesses.playout([1, 2, 3])
    assert guesses.over.all()
    assert games.copy([1, 4]).card_set is games.card_sets[1]


def test_a_vector_environment_may_mix_rules():
    many = SkirmishVectorEnv(6, rules=mixed(6), opponent="random")
    shown, infos = many.reset(seed=3)
    lots = RNG(5)
    plain = [SkirmishVectorEnv(6, rules=options, opponent="random") for options in mixed(3)]
    each = [envs.reset(seed=3) for envs in plain]
    for _ in range(40):
        for i in range(6):
            assert shown[i].tobytes() == each[i % 3][0][i].tobytes()
            assert (infos["action_mask"][i] == each[i % 3][1]["action_mask"][i]).all()
        legal = [np.flatnonzero(mask) for mask in infos["action_mask"]]
        actions = [int(lots.choice(row)) if len(row) else 0 for row in legal]
        shown, _, _, _, infos = many.step(np.array(actions))
        for kind, envs in enumerate(plain):
            chosen = envs.action_space.sample()
            chosen[kind::3] = np.array(actions)[kind::3]
            observations, *_, told = envs.step(chosen)
            each[kind] = observations, told


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"rules": [{}, {"villains_gaol": 3}, {}]}, "card set of game 1: .*villains_gaol"),
        ({"rules": [{}, {}, 5]}, "rules of game 2: a dictionary or None, not 5"),
        ({"card_set": [None, "None", None]}, "card set of game 1: .*None"),
        ({"rules": 5}, "rules: a dictionary of options, not 5"),
    ],
)
def test_a_wrong_card_set_or_rule_names_its_game(settings, said):
    with pytest.raises(ValueError, match=said):
        Batch(3, **settings)


def test_the_same_rules_in_another_order_are_one_card_set():
    turned = dict(reversed(SHORT.items()))
    assert len(Batch(3, rules=[SHORT, turned, SHORT]).card_sets) == 1


@pytest.mark.parametrize("name", ["card_set", "rules"])
def test_a_list_of_another_length_is_refused(name):
    with pytest.raises(ValueError, match=f"{name}: one for each of 3 games, not 2"):
        Batch(3, **{name: [None, None]})


def test_a_table_and_its_batch_agree_under_the_rules_of_their_game():
    games = Batch(3, rules=mixed(3))
    games.deal([4, 4, 4])
    for i, options in enumerate(mixed(3)):
        table = Table.new(4, rules=options, skip_forced=True)
        assert table.legal() == [NEW_YORK.moves[a] for a in np.flatnonzero(games.masks([i])[0])]
