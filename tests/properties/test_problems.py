"""Invariants hold after every decision, and whatever breaks one is named."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skirmish_env import Table
from skirmish_env.batch import Batch
from skirmish_env.common.jit import PLAIN
from skirmish_env.new_york import ids
from skirmish_env.new_york import problems as invariants
from skirmish_env.new_york.actions import CARD_IDS
from skirmish_env.testing import problems
from tests.properties.games import CARD_SETS, dealt, legal, moments, step
from tests.rulebook.helpers import side, table

GAMES = 4 if PLAIN else 100
LATEST_TURN = 34


@pytest.mark.parametrize("card_set", CARD_SETS, ids=lambda one: one.rules["attack_effect"])
@pytest.mark.parametrize("skip_forced", [0, 1])
def test_nothing_is_wrong_at_any_moment_of_a_game(card_set, skip_forced):
    for seed in range(GAMES):
        start = dealt(seed, card_set, skip_forced)
        for states in moments(seed, card_set, skip_forced):
            assert invariants.problems(states, 0, card_set, start) == []
        assert states[0].turn <= LATEST_TURN


@settings(max_examples=8 if PLAIN else 100)
@given(seed=st.integers(0, 2**63 - 1), data=st.data())
def test_nothing_is_wrong_where_hypothesis_drives(seed, data):
    start = dealt(seed)
    states = start.copy()
    for _ in range(60):
        if states[0].phase == ids.OVER:
            return
        step(states, data.draw(st.sampled_from(legal(states))))
        assert invariants.problems(states, 0, CARD_SETS[0], start) == []


def test_a_game_can_last_34_turns_and_no_longer():
    states = dealt(0)
    assert invariants.latest_turn(states[0], CARD_SETS[0].record[0]) == LATEST_TURN
    states = dealt(0)
    while states[0].phase != ids.OVER:
        options = [move for move in legal(states) if move in (ids.DONE, ids.NO)]
        step(states, options[0] if options else legal(states)[0])
    assert states[0].turn <= LATEST_TURN


def test_problems_of_a_table_and_of_the_games_in_a_batch():
    assert problems(Table.new(seed=0)) == []
    batch = Batch(3)
    batch.deal([1, 2, 3])
    assert problems(batch) == []
    batch.states["victory"][1] = 40
    assert problems(batch) == [
        "game 1: the victory marker on 40 is off its track or on an end (over: 0)"
    ]


# ---------------------------------------------------------------------------------------------
# One broken record for each problem. A fault is a function of the record `g`.


def scene():
    """A Villains' question in the middle of things, both sides with cards in play."""
    return table(
        villains=side(
            hand=["hydra_agents_blue", "zola_1", "street_corner"],
            slots={1: "leader_1:1", 2: "kang_1"},
            discard=["hela_1"],
            artifacts=["cosmic_cube"],
        ),
        heroes=side(slots={1: "hulk_1+doctor_strange_1", 3: "ant_man_1"}, discard=["thor_1"]),
    )


def number_of(card):
    return CARD_IDS.index(card)


def assign(field, value, *index):
    """A fault that writes a value into a field."""

    def break_it(g):
        if index:
            g[field][index if len(index) > 1 else index[0]] = value
        else:
            g[field] = value

    return break_it


def several(*faults):
    def break_it(g):
        for fault in faults:
            fault(g)

    return break_it


def ended(ending, winner):
    return several(
        assign("phase", ids.OVER),
        assign("question", 0),
        assign("asked", -1),
        assign("option_count", 0),
        assign("ending", ending),
        assign("winner", winner),
    )


FAULTS = [
    (
        several(assign("discard", 3, 0, number_of("hela_1"))),
        "hela_1: 1 copies more than exist",
    ),
    (assign("discard", 0, 0, number_of("hela_1")), "hela_1: -1 copies more than at the start"),
    (
        several(assign("hand", 1, 0, number_of("thor_2")), assign("hand_size", 4, 0)),
        "thor_2: 1 in a hand that cannot hold it or fewer than none",
    ),
    (
        assign("hand", -1, 0, number_of("kang_2")),
        "kang_2: -1 in a hand that cannot hold it or fewer than none",
    ),
    (
        assign("discard", 1, 0, number_of("run_down_alley")),
        "run_down_alley: 1 in a discard pile that cannot hold it or fewer than none",
    ),
    (
        assign("discard", 1, 1, number_of("kang_2")),
        "kang_2: 1 in a discard pile that cannot hold it or fewer than none",
    ),
    (
        assign("hand_size", 2, 0),
        "villains: the hand's size is not the number of its cards: 2",
    ),
    (
        assign("deck", number_of("thor_2"), 0, 0),
        "villains: entry 0 of the deck is no card of it",
    ),
    (assign("deck", 3, 1, 55), "heroes: entry 55 of the deck is no card of it"),
    (assign("deck_size", 57, 1), "heroes: the deck's size 57 is out of range"),
    (assign("stack", 3, 0), "entry 0 of the battleground stack (size 7) is wrong"),
    (assign("stack_known", 1, 7), "entry 7 of the battleground stack (size 7) is wrong"),
    (assign("stack_size", 9), "entry 0 of the battleground stack (size 9) is wrong"),
    (
        assign("hand_known", 1, 1, 0),
        "abandoned_neighborhood: known to be in the hand of heroes, where it is not",
    ),
    (assign("artifact_owner", 1, ids.DARKHOLD), "darkhold: in 2 places"),
    (assign("row", -1, 0), "casket_of_ancient_winters: in 0 places"),
    (assign("tiles", -1, 0), "entry 0 of the artifact stack (size 9) is wrong"),
    (assign("tiles_known", 2, 0), "entry 0 of the artifact stack (size 9) is wrong"),
    (
        assign("artifact_owner", 2, ids.COSMIC_CUBE),
        "cosmic_cube: its owner or its use is out of range: 2",
    ),
    (assign("used", 2, 0), "casket_of_ancient_winters: its owner or its use is out of range: -1"),
    (assign("card", number_of("zola_2"), 9), "h4: zola_2 cannot be here"),
    (assign("card", number_of("thor_2"), 13), "h2u: thor_2 cannot be here"),
    (assign("card", number_of("street_corner"), 5), "v6: street_corner cannot be here"),
    (assign("damage", 3, 0), "v1: damage 3 is out of range"),
    (assign("damage", 1, 4), "v5: damage 1 is out of range"),
    (assign("damage", -1, 6), "h1: damage -1 is out of range"),
    (assign("spent", 1, 4), "v5: a mark lies here that cannot be: 1"),
    (assign("moved", 2, 0), "v1: a mark lies here that cannot be: 2"),
    (assign("armour_used", 1, 0), "v1: a mark lies here that cannot be: 1"),
    (
        several(assign("card", -1, 6), assign("damage", 0, 6)),
        "h1u: nothing stands above doctor_strange_1",
    ),
    (assign("card", number_of("leader_2"), 3), "v4: another copy of leader_2 is in play"),
    (
        assign("victory", 9),
        "the victory marker on 9 is off its track or on an end (over: 0)",
    ),
    (
        assign("victory", -8),
        "the victory marker on -8 is off its track or on an end (over: 0)",
    ),
    (
        assign("artifact_marker", 3),
        "the artifact marker on 3 is off its track or on an end (question 1)",
    ),
    (assign("civilians", 1, 4), "slot 5: civilians 1 were never there"),
    (assign("freed", 4, 2), "colour 2: 4 civilians more than exist"),
    (assign("freed", -1, 2), "colour 2: -1 civilians more than exist"),
    (
        several(assign("civilians", 0, 0), assign("civilians", 0, 1), assign("civilians", 3, 2)),
        "2 civilians are left in Manhattan and nobody has won (floor 2)",
    ),
    (assign("phase", 4), "phase 4 or step 1 is out of range"),
    (assign("step", 9), "phase 0 or step 9 is out of range"),
    (assign("on_turn", 2), "phase 0 or step 1 is out of range"),
    (assign("turn", 0), "turn 0 or slot 0 is out of range"),
    (assign("slot", 7), "turn 1 or slot 7 is out of range"),
    (assign("turn", 9), "turn 9: a game ends with turn 7 at the latest"),
    (assign("option_count", 0), "question 1 with 0 options"),
    (several(assign("option_count", 1), assign("skip_forced", 1)), "question 1 with 1 options"),
    (assign("asked", 2), "2 is asked question 1, which cannot be"),
    (assign("question", 27), "villains is asked question 27, which cannot be"),
    (assign("options", 241, 0), "option 1 is out of order: {second}"),
    (assign("options", 242, 0), "option 0 is out of order: 242"),
    (assign("source", 76), "question source 76 or amount 0 is out of range"),
    (assign("amount", -1), "question source -1 or amount -1 is out of range"),
    (assign("depth", 33), "effect stack: depth 33 (the record holds 32)"),
    (assign("depth", 1), "effect stack: frame 0 is wrong in column 0"),
    (assign("owed", 1, 2), "symbols 2 are owed 1 times outside a payment or fewer than none"),
    (assign("cube", 1), "symbols 4 are owed 1 times outside a payment or fewer than none"),
    (assign("answer", 241), "an answer is left over: done (241)"),
    (assign("event_seat", 1, 2), "event 2 is out of range: -1"),
    (assign("event_action", 242, 0), "event 0 is out of range: 242"),
    (assign("winner", 0), "winner 0 does not follow from ending 0"),
    (assign("ending", 1), "winner -1 does not follow from ending 1"),
    (ended(ids.BY_DECK, -1), "winner -1 does not follow from ending 3"),
    (ended(ids.BY_VICTORY, 0), "winner 0 does not follow from ending 1"),
    (ended(ids.BY_CIVILIANS, 1), "winner 1 does not follow from ending 2"),
    (several(ended(0, -1), assign("asked", 0)), "villains is asked question 0, which cannot be"),
    (assign("row", 50, 0), "the face-up tile 0 is out of range: 50"),
    (assign("asked", 1), "heroes is asked question 1, which cannot be"),
    (assign("phase", ids.ATTACK), "question 1 cannot be put in phase 1"),
    (assign("question", ids.ASK_PAYMENT), "question 2 cannot be put in phase 0"),
    (assign("question", ids.ASK_LEAD_ATTACK), "question 5 cannot be put in phase 0"),
    (assign("question", ids.ASK_ARTIFACT_WINDOW), "question 4 cannot be put in phase 0"),
    (assign("question", ids.ASK_DRAW_THREE), "question 9 cannot be put in phase 0"),
    (assign("paid_last", 300), "skip_forced 0 or the last means of payment 300 is out of range"),
    (assign("skip_forced", 7), "skip_forced 7 or the last means of payment -1 is out of range"),
    (
        assign("hand_known", 2, 0, number_of("street_corner") - ids.FIRST_BATTLEGROUND),
        "street_corner: known to be in the hand of villains, where it is not",
    ),
    (assign("rng", -1, 2), "the random generator's word 2 is out of range (0)"),
]


@pytest.mark.parametrize(("break_it", "words"), FAULTS, ids=[words for _, words in FAULTS])
def test_a_broken_record_is_named(break_it, words):
    t = scene()
    states = t.states
    assert invariants.problems(states, 0, t.card_set, states) == []
    words = words.format(second=t.legal()[1])
    broken = states.copy()
    break_it(broken[0])
    found = invariants.problems(broken, 0, t.card_set, states)
    assert words in found, found


def test_frames_out_of_range_are_named():
    t = table(villains=side(hand=["leader_1", "loki_1", "zola_1"]))
    t.play("play leader_1")
    for column, value in ((ids.F_SIDE, 2), (ids.F_CARD, 76), (ids.F_PLACE, 18)):
        broken = t.states
        broken[0].frame[0, column] = value
        found = invariants.problems(broken, 0, t.card_set)
        assert f"effect stack: frame 0 is wrong in column {column}" in found


def test_a_payment_with_nothing_owed_is_named():
    t = table(villains=side(hand=["leader_1", "loki_1", "zola_1"]))
    t.play("play leader_1")
    broken = t.states
    broken[0].owed[:] = 0
    assert invariants.problems(broken, 0, t.card_set) == [
        "symbols 4 are owed 0 times outside a payment or fewer than none"
    ]


def test_a_beaten_hero_may_wait_for_loki_and_nobody_else():
    t = table(villains=side(slots={2: "loki_1"}), heroes=side(slots={2: "hawkeye_1"}))
    t.play("done")
    assert t.question == "capture"
    assert problems(t) == []
    broken = t.states
    broken[0].question = ids.ASK_FLAME
    assert "h2: damage 2 is out of range" in invariants.problems(broken, 0, t.card_set)


def test_the_marker_may_rest_on_its_end_while_a_tile_is_chosen():
    t = table(artifact_marker=2, villains=side(slots={4: "ares_1"}))
    t.play("done")
    assert (t.question, t.position()["artifact_marker"]) == ("choose tile", 3)
    assert problems(t) == []


def test_every_problem_has_a_broken_record():
    """What only the fuzzer can see (rewards, redeals, games without end) is tested with it."""
    told = [words for _, words in FAULTS]
    fuzzers_own = {invariants.WRONG_REWARDS, invariants.WRONG_REDEAL, invariants.NO_END}
    for code, (words, _, _) in enumerate(invariants.WORDS):
        pieces = [piece for piece in words.replace("{1}", "{0}").split("{0}") if piece]
        named = any(all(piece in one for piece in pieces) for one in told)
        assert named or code in fuzzers_own, words


def test_only_so_many_problems_are_listed():
    states = np.zeros(1, dealt(0).dtype)
    assert len(invariants.problems(states, 0, CARD_SETS[0])) == invariants.MOST_FOUND
