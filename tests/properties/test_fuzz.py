"""The fuzzer finds nothing in these rules, and everything that is planted in others."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from configs.schema import FuzzConfig
from experiments import fuzz as command
from skirmish_env import Table
from skirmish_env.common.jit import PLAIN
from skirmish_env.game import NEW_YORK
from skirmish_env.new_york import fuzz as kernel
from skirmish_env.new_york import ids
from skirmish_env.new_york import problems as invariants
from skirmish_env.testing import fuzz, fuzzing, shrink
from skirmish_env.testing.shrinking import follow
from tests.properties.games import CARD_SETS, dealt, legal, moments, step

GAMES = 3 if PLAIN else 1500
LONG_RUN = 20_000


def test_random_games_break_no_invariant():
    assert fuzz(GAMES, seed=1, look_every=10) is None


@pytest.mark.slow
def test_many_random_games_break_no_invariant():
    passed = []
    assert fuzz(LONG_RUN, seed=2, jobs=2, progress=passed.append) is None
    assert passed[-1] == LONG_RUN
    assert passed == sorted(passed)


def test_other_rules_are_fuzzed_as_well():
    rules = {"tower_slots": 2, "sanctum_slots": 1, "artifact_track": 1, "artifact_arrow": 0}
    assert fuzz(GAMES // 3, rules=rules, look_every=10) is None


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ({"games": -1}, "games is a whole number from 0"),
        ({"games": 1.5}, "games is a whole number from 0"),
        ({"seed": -1}, "seed is a whole number from 0"),
        ({"jobs": 0}, "jobs is 1 or more"),
        ({"look_every": -1}, "look_every 0 or more"),
    ],
)
def test_impossible_numbers_are_refused(numbers, said):
    with pytest.raises(ValueError, match=said):
        fuzz(**{"games": 1, **numbers})


# ---------------------------------------------------------------------------------------------
# Planted faults.

HULKS = [card for card, name in enumerate(NEW_YORK.load().ids) if name.startswith("hulk")]


def hulk_stands(states, i, card_set, start=None):
    """A rule that these rules break: no Hulk ever stands in play."""
    place = [n for n in range(ids.PLACES) if states[i]["card"][n] in HULKS]
    return [f"a Hulk in {ids.PLACE_NAMES[place[0]]}"] if place else []


def planted(step=None, build=None, **checks):
    """The game with something in it replaced."""
    kernels = dataclasses.replace(NEW_YORK.kernels, step=step or NEW_YORK.kernels.step)
    return dataclasses.replace(
        NEW_YORK,
        kernels=kernels,
        build=build or NEW_YORK.build,
        checks=dataclasses.replace(NEW_YORK.proof, **checks),
    )


def test_a_game_without_checks_says_so():
    with pytest.raises(ValueError, match="'new_york' brings no checks"):
        fuzz(1, game=dataclasses.replace(NEW_YORK, checks=None))


def hulk_game(seed):
    """A game from its deal to the first Hulk: start, actions."""
    start, actions = dealt(seed), []
    states = start.copy()
    chooser = np.random.default_rng(seed)
    while not hulk_stands(states, 0, None):
        actions.append(int(chooser.choice(legal(states))))
        step(states, actions[-1])
        if states[0].phase == ids.OVER:
            return None
    return start, actions


def check_hulk(states, start):
    return hulk_stands(states, 0, None)


def test_a_failure_is_shrunk_to_the_shortest_moves():
    start, actions = next(filter(None, map(hulk_game, range(20))))
    assert len(actions) > 5
    late, few, found = shrink(start, actions, check_hulk, CARD_SETS[0])
    moves = [NEW_YORK.moves[a] for a in few]
    assert found[0].startswith("a Hulk in h")
    assert moves[0].startswith("play hulk")
    assert moves[-1].startswith(("slot", "tuck", "discard", "civilian"))
    assert {move.split()[0] for move in moves[1:-1]} <= {"discard", "civilian"}
    assert follow(late, few[:-1], check_hulk, CARD_SETS[0])[1] == []


@pytest.mark.skipif(PLAIN, reason="thousands of decisions")
def test_moves_that_do_not_matter_are_left_out():
    """Where the start cannot be put into words, the moves themselves are thinned out."""
    start, actions = next(filter(None, map(hulk_game, range(20))))
    wordless = planted(build=lambda position, card_set: (_ for _ in ()).throw(ValueError()))
    same, few, found = shrink(start, actions, check_hulk, CARD_SETS[0], wordless)
    assert same.tobytes() == start.tobytes()
    assert found
    assert len(few) < len(actions)
    for n in range(len(few)):  # no single move can be spared
        taken, found = follow(start, few[:n] + few[n + 1 :], check_hulk, CARD_SETS[0])
        assert not found or len(taken) >= len(few)


def test_a_game_that_does_not_fail_is_not_shrunk():
    with pytest.raises(ValueError, match="does not fail"):
        shrink(dealt(0), [ids.DONE], check_hulk, CARD_SETS[0])


def count_hulk(game):
    """Corrupt a record one move after a Hulk was laid: what a fault in the rules would do."""

    def faulty_step(states, cards, sets, index, actions):
        before = hulk_stands(states, 0, None)
        game.kernels.step(states, cards, sets, index, actions)
        if not before and hulk_stands(states, 0, None):
            states["victory"][0] = 99

    return faulty_step


def test_a_planted_fault_comes_back_as_a_replay(tmp_path):
    def planted_fuzz(states, raw, cards, seed, first, games, look_every, moves, at, found):
        for number in range(first, first + games):
            game = hulk_game(number)
            if game is None:
                continue
            at[:] = number, len(game[1]), number, 0, 0, -1, -1
            moves[: len(game[1])] = game[1]
            found[0] = invariants.WRONG_VICTORY, 99, 0
            return 1
        return 0

    faulty = planted(fuzz=planted_fuzz, step=count_hulk(NEW_YORK))
    failure = fuzz(20, game=faulty)
    assert failure.problems == [
        "the victory marker on 99 is off its track or on an end (over: 0)",
    ]
    assert failure.replay["moves"][0].startswith("play hulk")
    assert len(failure.replay["moves"]) < 8
    assert f"game {failure.number}: the victory marker on 99" in str(failure)
    failure.save(tmp_path / "failure.json")
    saved = json.loads((tmp_path / "failure.json").read_text())
    assert saved["problems"] == failure.problems
    replayed = Table.replay(tmp_path / "failure.json")
    assert hulk_stands(replayed.states, 0, None)


def test_an_error_inside_the_rules_is_a_failure():
    def broken(states, raw, cards, seed, first, games, look_every, moves, at, found):
        at[:] = first, 0, 5, 0, 0, legal(dealt(5))[0], -1
        raise RuntimeError("more open effects than the record can hold")

    def step_that_fails(*arguments):
        raise RuntimeError("more open effects than the record can hold")

    failure = fuzz(1, game=planted(fuzz=broken, step=step_that_fails))
    assert failure.problems == ["RuntimeError: more open effects than the record can hold"]
    assert len(failure.replay["moves"]) == 1


def test_a_failure_that_does_not_show_again_keeps_its_words():
    def doubtful(states, raw, cards, seed, first, games, look_every, moves, at, found):
        at[:] = first, 0, 5, 0, 0, -1, -1
        found[0] = invariants.NO_END, 9, 4096
        return 1

    failure = fuzz(1, game=planted(fuzz=doubtful))
    assert failure.problems == ["the game is not over after 4096 decisions (turn 9)"]


# ---------------------------------------------------------------------------------------------
# The compiled half, on records that are broken by hand.


def arrays(states):
    pair = np.concatenate([states, states])
    return pair, pair.view(np.uint8).reshape(2, -1)


def test_redeals_that_cannot_be_played_on_are_found():
    pair, raw = arrays(dealt(3))
    found = np.zeros((16, 3), np.int64)
    record, sets = CARD_SETS[0].record, np.zeros(2, np.int64)
    assert kernel.check_redeal(pair, raw, record, sets, ids.HEROES, 5, found) == 0
    pair["victory"][0] = 9
    assert kernel.check_redeal(pair, raw, record, sets, ids.HEROES, 5, found) == 1
    assert found[0, 0] == invariants.WRONG_VICTORY


def test_redeals_that_change_what_is_known_are_found():
    for break_it in (
        lambda g: g.hand[ids.HEROES].__setitem__(30, 1 - min(g.hand[ids.HEROES, 30], 1)),
        lambda g: g.discard[0].__setitem__(3, 1),
        lambda g: g.damage.__setitem__(4, 1),
        lambda g: g.deck_size.__setitem__(0, 9),
        lambda g: g.hand_known[0].__setitem__(2, 1),
        lambda g: setattr(g, "question", ids.ASK_FLAME),
    ):
        pair, _ = arrays(dealt(3))
        assert kernel.looks_the_same(pair[0], pair[1], ids.HEROES)
        break_it(pair[1])
        assert not kernel.looks_the_same(pair[0], pair[1], ids.HEROES)
    pair, _ = arrays(dealt(3))
    pair[1].hand[ids.VILLAINS, :2] = pair[0].hand[ids.VILLAINS, 1::-1]
    assert kernel.looks_the_same(pair[0], pair[1], ids.HEROES)


def test_rewards_follow_from_the_winner():
    found = np.zeros((16, 3), np.int64)
    for *_, states in (moments(seed) for seed in range(3)):
        assert kernel.check_rewards(states, found) == 0
    states["phase"] = ids.RECRUITMENT  # rewards of a running game are zero, whoever is noted down
    states["winner"] = ids.HEROES
    assert kernel.check_rewards(states, found) == 1
    assert invariants.in_words(found[:1]) == [
        "rewards of the seats: 0 and 0 do not follow from the winner"
    ]


def test_options_that_lead_nowhere_good_are_found():
    pair, raw = arrays(dealt(3))
    record, sets = CARD_SETS[0].record, np.zeros(2, np.int64)
    rng, at = np.zeros(4, np.int64), np.zeros(len(kernel.FIELDS), np.int64)
    rng[:] = 1
    found, stock = np.zeros((16, 3), np.int64), np.zeros(invariants.STOCK_SIZE, np.int64)
    invariants.take_stock(pair[0], record[0], stock)
    arguments = (pair, raw, record, sets, rng, stock, at, found)
    assert kernel.look_closer(*arguments) == 0
    pair["deck"][0, 1, 0] = pair["deck"][0, 1, 1]  # a card became another one
    assert kernel.look_closer(*arguments) > 0
    assert at[kernel.TRIED] == legal(pair[:1])[0]


# ---------------------------------------------------------------------------------------------
# The command.


@pytest.mark.skipif(PLAIN, reason="starts processes that compile")
def test_other_processes_play_the_same_pieces_in_order(monkeypatch):
    monkeypatch.setattr(fuzzing, "CHUNK", 100)
    for jobs in (1, 2):
        passed = []
        assert fuzz(250, seed=4, jobs=jobs, progress=passed.append) is None
        assert passed == [100, 200, 250]


def test_a_game_of_a_run_does_not_depend_on_where_its_piece_begins():
    """The replay of a failure names one game: in any piece it is the same one."""
    record, states = CARD_SETS[0].record, np.zeros(2, NEW_YORK.state_dtype)
    raw, played = states.view(np.uint8).reshape(2, -1), []
    for first in (0, 2, 3):
        moves, at = np.zeros(4096, np.int64), np.zeros(len(kernel.FIELDS), np.int64)
        found = np.zeros((16, 3), np.int64)
        kernel.fuzz_many(states, raw, record, 9, first, 4 - first, 30, moves, at, found)
        played.append((at.tolist(), moves[: at[kernel.DECISIONS]].tolist()))
    assert played[0] == played[1] == played[2]
    assert played[0][0][kernel.NUMBER] == 3


def test_the_command_says_that_nothing_was_found(capsys):
    command.run(FuzzConfig(games=2, jobs=1))
    printed = capsys.readouterr().out
    assert printed.startswith("2 games from seed 0 in 1 processes")
    assert printed.endswith("no problem found\n")


def test_the_command_ends_with_a_replay_and_status_1(tmp_path, monkeypatch, capsys):
    failure = fuzz(1, game=planted(fuzz=lambda *a: a[-1].__setitem__(0, (0, 1, 1)) or 1))
    monkeypatch.setattr(command, "fuzz", lambda *a, **k: failure)
    path = tmp_path / "failure.json"
    with pytest.raises(SystemExit) as ended:
        command.run(FuzzConfig(games=2, jobs=1, failure=str(path)))
    assert ended.value.code == 1
    assert str(path) in capsys.readouterr().err
    assert json.loads(path.read_text())["problems"] == failure.problems
