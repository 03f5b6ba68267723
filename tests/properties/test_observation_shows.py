"""Whatever both players know shows in the observation: one fact is changed, and its section moves.

What is deliberately not in it stands in `LEFT_OUT`, each with its reason.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest

from skirmish_env.game import NEW_YORK
from skirmish_env.new_york.actions import CARD_IDS
from skirmish_env.new_york.ids import ARTIFACT_IDS, GONE, NO_CARD, NOBODY, QUESTIONS, SOURCES
from tests.properties.twins import CARDS, moments, nowhere
from tests.rulebook.helpers import side, table

VILLAINS, HEROES = VIEWERS = (0, 1)
ONLY = np.zeros(1, np.int64)
LAYOUT = NEW_YORK.layout
card, tile = CARD_IDS.index, ARTIFACT_IDS.index


@functools.cache
def attack():
    """The Villains' Attack in mid-game, before their first slot: everything is somewhere."""
    states = table(
        phase="attack",
        turn=5,
        victory=2,
        artifact_marker=1,
        civilians=["gb", "rygb", "rgb"],
        villains=side(
            hand=["ares_1", "zola_1", "street_corner"],
            discard=["leader_1", "shield_agents_green"],
            slots={1: "ultron_1:1", 2: "hydra_agents_red", 4: "modok_2"},
            artifacts=["darkhold", "ebony_blade"],
        ),
        heroes=side(
            hand=["thor_1", "run_down_alley", "hawkeye_1"],
            discard=["nick_fury_1"],
            slots={1: "ant_man_1", 3: "hulk_2:2+doctor_strange_1:1"},
            artifacts=["eternal_flame"],
            freed="ry",
        ),
    ).states
    g = states[0]
    g["stack_known"][4:6] = 1
    g["tiles_known"][4:6] = 1
    g["artifact_owner"][tile("tactigon")] = GONE
    kept = [t for t in g["tiles"][: g["tiles_size"]] if t != tile("tactigon")]
    g["tiles_size"] = len(kept)
    g["tiles"][:] = [*kept, *[-1] * (12 - len(kept))]
    g["event_action"][:] = [227, 64, 3, 12]
    g["event_seat"][:] = [0, 0, 1, 1]
    return states


@functools.cache
def question(words):
    """The first recorded moment at which this is asked."""
    return next(m.record for m in moments() if m.table.question == words)


def observations(states):
    out = np.empty((2, NEW_YORK.observation_size), np.float32)
    pair = np.repeat(states, 2)
    games = np.arange(2)
    NEW_YORK.kernels.observe(pair, CARDS.record, 0 * games, games, games, out)
    return out


def sections(before, after, viewer):
    """Names of the sections in which a viewer's observations differ."""
    one, other = observations(before)[viewer], observations(after)[viewer]
    spans = {section.name: LAYOUT.span(section.name) for section in LAYOUT.sections}
    return {name for name, span in spans.items() if (one[span] != other[span]).any()}


def shows(change, to_villains, to_heroes, start=attack, possible=True):
    """Change one fact; it moves the section named for each viewer (None: not looked at)."""
    before, after = start().copy(), start().copy()
    change(after[0])
    assert after.tobytes() != before.tobytes()
    if possible:
        assert NEW_YORK.proof.problems(before, 0, CARDS) == []
        assert NEW_YORK.proof.problems(after, 0, CARDS) == []
    for viewer, name in zip(VIEWERS, (to_villains, to_heroes)):
        assert name is None or name in sections(before, after, viewer), (viewer, name)


def put(place, words):
    def change(g):
        g["card"][place] = card(words)

    return change


def clear_place(g, place):
    for field in ("damage", "armour_used", "spent", "moved"):
        g[field][place] = 0
    g["card"][place] = NO_CARD


def move(source, goal):
    def change(g):
        for field in ("damage", "armour_used", "spent", "moved", "card"):
            g[field][goal] = g[field][source]
        clear_place(g, source)

    return change


def write(field, where, value):
    def change(g):
        if where is None:
            g[field] = value
        else:
            g[field][where] = value

    return change


OWN_OTHER, OTHER_OWN = ("own slots", "other slots"), ("other slots", "own slots")


# ---------------------------------------------------------------------------------------------
# The board.


@pytest.mark.parametrize("slot", range(6))
def test_a_card_in_each_place(slot):
    g = attack()[0]
    if g["card"][slot] == NO_CARD:
        shows(put(slot, "taskmaster_1"), *OWN_OTHER)
        shows(put(slot, "thor_2"), *OWN_OTHER)
        shows(move(0, slot), *OWN_OTHER)
    if g["card"][6 + slot] == NO_CARD:
        shows(put(6 + slot, "winter_soldier_1"), *OTHER_OWN)
        shows(move(6, 6 + slot), *OTHER_OWN)
    elif g["card"][12 + slot] == NO_CARD:
        shows(move(14, 12 + slot), "below heroes", "below heroes")


def empty_board():
    states = attack().copy()
    for place in range(18):
        clear_place(states[0], place)
    return states


def distinct(start, changes, *names):
    """Each change leads to another look of the section named for each viewer."""
    looks = [set(), set()]
    for change in changes:
        states = start.copy()
        change(states[0])
        for viewer, name in zip(VIEWERS, names):
            looks[viewer].add(observations(states)[viewer, LAYOUT.span(name)].tobytes())
    assert [len(one) for one in looks] == [len(changes)] * 2


@pytest.mark.parametrize("place", range(12))
def test_each_card_in_play_is_told_from_every_other(place):
    cards = CARD_IDS[:56] if place < 6 else CARD_IDS[28:56]
    changes = [put(place, words) for words in cards]
    distinct(empty_board(), changes, *(OWN_OTHER if place < 6 else OTHER_OWN))


@pytest.mark.parametrize("place", range(18))
def test_damage_in_each_place(place):
    start = empty_board()
    below = place >= 12
    put(place - 6 if below else place, "hulk_1")(start[0])
    if below:
        put(place, "doctor_strange_1")(start[0])
    names = OWN_OTHER if place < 6 else OTHER_OWN
    changes = [write("damage", place, damage) for damage in range(4)]
    distinct(start, changes, *(("below heroes",) * 2 if below else names))
    if not below:
        distinct(start, [write("spent", place, n) for n in range(2)], *names)
        distinct(start, [write("moved", place, n) for n in range(2)], *names)
        put(place, "ant_man_1")(start[0])
        distinct(start, [write("armour_used", place, n) for n in range(2)], *names)


def test_doctor_strange_below_each_hero():
    changes = [put(place, f"doctor_strange_{n}") for place in range(12, 18) for n in (1, 2)]
    distinct(empty_board(), changes, "below heroes", "below heroes")


def test_a_captive_is_told_from_an_agent_of_its_colour():
    shows(put(1, "shield_agents_red"), *OWN_OTHER, possible=False)  # both are in the Heroes' deck


def test_the_card_below():
    shows(put(14, "doctor_strange_2"), "below heroes", "below heroes")
    shows(lambda g: clear_place(g, 14), "below heroes", "below heroes")


# ---------------------------------------------------------------------------------------------
# Piles.


@pytest.mark.parametrize("seat", VIEWERS)
def test_each_card_in_a_discard_pile(seat):
    for number in set(nowhere(attack()[0], seat)):
        change = lambda g, n=number: write("discard", (seat, n), g["discard"][seat, n] + 1)(g)  # noqa: E731
        for pile in ("discard", "unseen"):
            names = f"own {pile}", f"other {pile}"
            shows(change, *(names if seat == VILLAINS else names[::-1]))


def test_each_captive_in_the_villains_discard_pile():
    for number in set(nowhere(attack()[0], HEROES)):
        change = lambda g, n=number: write("discard", (0, n), g["discard"][0, n] + 1)(g)  # noqa: E731
        shows(change, "captives discarded", "captives discarded")


@pytest.mark.parametrize("seat", VIEWERS)
def test_each_card_of_the_own_hand(seat):
    names = [None, None]
    names[seat] = "own hand"
    held = card(("zola_1", "thor_1")[seat])
    for number in set(nowhere(attack()[0], seat)) - {held}:

        def change(g, number=number):
            g["hand"][seat, held] -= 1
            g["hand"][seat, number] += 1

        shows(change, *names)


@pytest.mark.parametrize("seat", VIEWERS)
def test_each_pile_tells_every_card_and_copy(seat):
    own = range(28 * seat, 28 * seat + 28)
    one_more = lambda field, n: lambda g: write(field, (seat, n), g[field][seat, n] + 1)(g)  # noqa: E731
    piles = ("own discard", "other discard")
    distinct(
        attack(), [one_more("discard", n) for n in own], *(piles if seat == 0 else piles[::-1])
    )
    for held in (*own, *range(56, 64)):
        for copies in range(3):
            change = write("hand", (seat, held), copies)
            if attack()[0]["hand"][seat, held] != copies:
                names = [None, None]
                names[seat] = "own hand"
                shows(change, *names, possible=False)


def test_each_captive_is_told():
    changes = [write("discard", (0, n), 2) for n in range(28, 56)]
    distinct(attack(), changes, "captives discarded", "captives discarded")


@pytest.mark.parametrize("seat", VIEWERS)
def test_sizes_of_hands_and_decks(seat):
    def smaller_hand(g):
        g["hand"][seat, card(("zola_1", "thor_1")[seat])] -= 1
        g["hand_size"][seat] -= 1

    def smaller_deck(g):
        g["deck_size"][seat] -= 1
        g["deck"][seat, g["deck_size"][seat]] = NO_CARD

    shows(smaller_hand, "sizes", "sizes")
    shows(smaller_deck, "sizes", "sizes")


@pytest.mark.parametrize(("seat", "words"), [(0, "street_corner"), (1, "run_down_alley")])
def test_a_battleground_that_everybody_followed_into_a_hand(seat, words):
    names = ["battlegrounds in other hand", "battlegrounds in other hand"]
    names[seat] = "battlegrounds shown"
    shows(write("hand_known", (seat, card(words) - 56), 1), *names)


def test_each_battleground_in_each_known_place():
    start = attack().copy()
    start[0]["stack_known"][:] = 0
    start[0]["stack_size"] = 8

    def known_at(depth, n):
        def change(g):
            g["stack"][depth], g["stack_known"][depth] = 56 + n, 1

        return change

    changes = [known_at(depth, n) for depth in range(8) for n in range(8)]
    distinct(start, changes, "battlegrounds in stack", "battlegrounds in stack")
    for seat in VIEWERS:
        names = ["battlegrounds in other hand", "battlegrounds in other hand"]
        names[seat] = "battlegrounds shown"
        distinct(start, [write("hand_known", (seat, n), 1) for n in range(8)], *names)


def test_each_tile_in_each_known_place():
    start = attack().copy()
    start[0]["tiles_known"][:] = 0
    start[0]["tiles_size"] = 12

    def known_at(depth, n):
        def change(g):
            g["tiles"][depth], g["tiles_known"][depth] = n, 1

        return change

    changes = [known_at(depth, n) for depth in range(12) for n in range(12)]
    distinct(start, changes, "artifacts", "artifacts")
    distinct(start, [write("row", 0, n) for n in range(12) if n != start[0]["row"][1]],
             "artifacts", "artifacts")  # fmt: skip


def test_what_is_known_of_the_battleground_stack():
    def other_order(g):
        g["stack"][[4, 5]] = g["stack"][[5, 4]]

    def other_place(g):
        g["stack"][[3, 4]] = g["stack"][[4, 3]]
        g["stack_known"][[3, 4]] = g["stack_known"][[4, 3]]

    def smaller(g):
        g["stack_size"] -= 1
        g["stack"][g["stack_size"]] = NO_CARD
        g["stack_known"][g["stack_size"]] = 0

    stack = "battlegrounds in stack"
    shows(other_order, stack, stack)
    shows(other_place, stack, stack)
    shows(write("stack_known", 5, 0), stack, stack)
    shows(write("stack_known", 5, 0), "battlegrounds unseen", "battlegrounds unseen")
    shows(smaller, "sizes", "sizes")


# ---------------------------------------------------------------------------------------------
# Artifacts, markers, civilians.


def test_each_artifact_in_each_place():
    for n in range(12):
        for owner in (VILLAINS, HEROES):
            if attack()[0]["artifact_owner"][n] != owner:
                change = write("artifact_owner", n, owner)
                shows(change, "artifacts", "artifacts", possible=False)


def test_the_row_and_what_is_known_of_the_tile_stack():
    def other_row(g):
        g["row"][0], g["tiles"][0] = g["tiles"][0], g["row"][0]

    def other_order(g):
        g["tiles"][[4, 5]] = g["tiles"][[5, 4]]

    def smaller(g):
        g["tiles_size"] -= 1
        g["artifact_owner"][g["tiles"][g["tiles_size"]]] = GONE
        g["tiles"][g["tiles_size"]], g["tiles_known"][g["tiles_size"]] = NO_CARD, 0

    shows(other_row, "artifacts", "artifacts")
    shows(other_order, "artifacts", "artifacts")
    shows(write("tiles_known", 5, 0), "artifacts", "artifacts")
    shows(smaller, "sizes", "sizes")


def other_gone(g):
    """The Tactigon lies face down and unseen; the first unseen tile left the game in its stead."""
    g["artifact_owner"][tile("tactigon")] = NOBODY
    g["artifact_owner"][g["tiles"][0]] = GONE
    g["tiles"][0] = tile("tactigon")


def test_artifacts_out_of_the_game_are_told_from_unseen_ones():
    shows(other_gone, "artifacts", "artifacts")
    for n in range(12):
        if attack()[0]["artifact_owner"][n] == NOBODY:
            change = write("artifact_owner", n, GONE)
            shows(change, "artifacts", "artifacts", possible=False)


def test_used_artifacts():
    for n in range(12):
        shows(write("used", n, 1), "artifacts", "artifacts")


def test_markers():
    for step in (-1, 0, 3):
        shows(write("victory", None, step), "victory", "victory")
        shows(write("artifact_marker", None, step if step < 3 else 2), "artifact marker",
              "artifact marker")  # fmt: skip


def test_civilians_left_and_freed():
    before = attack()[0]["civilians"]
    for slot in range(3):
        for colour in range(4):
            change = write("civilians", slot, before[slot] ^ (1 << colour))
            shows(change, "civilians", "civilians", possible=False)
            shows(change, "civilians to go", "civilians to go", possible=False)
    for colour in range(4):
        change = write("freed", colour, 1 - attack()[0]["freed"][colour])
        shows(change, "freed", "freed", possible=False)


# ---------------------------------------------------------------------------------------------
# The course of the game and the open question.


def test_turn_phase_and_slot():
    shows(write("turn", None, 7), "turn", "turn")
    shows(write("on_turn", None, HEROES), "turn", "turn", possible=False)
    shows(write("asked", None, HEROES), "turn", "turn", possible=False)
    for phase in (0, 2):
        shows(write("phase", None, phase), "phase", "phase", possible=False)
    for slot in range(1, 6):
        shows(write("slot", None, slot), "attacking slot", "attacking slot")


def test_question_source_and_amount():
    for number in range(1, len(QUESTIONS)):
        if number != attack()[0]["question"]:
            shows(write("question", None, number), "question", "question", possible=False)
    for source in range(SOURCES):
        shows(write("source", None, source), "source", "source")
    for amount in range(1, 10):
        shows(write("amount", None, amount), "amount", "amount")


def test_each_source_is_told_from_every_other():
    seen = [set(), set()]
    for source in range(-1, SOURCES):
        states = attack().copy()
        states["source"] = source
        for viewer in VIEWERS:
            seen[viewer].add(observations(states)[viewer].tobytes())
    assert [len(one) for one in seen] == [SOURCES + 1] * 2


def test_effects_that_wait_below_the_innermost_one():
    start = functools.partial(question, "fetch")
    for source in set(range(SOURCES)) - set(start()[0]["frame"][:, 3].tolist()):
        shows(write("frame", (0, 3), source), "under way", "under way", start)


def test_whether_the_slot_that_is_up_has_begun():
    shows(write("step", None, 4), "attack begun", "attack begun")


def test_answers_of_the_flame_still_to_come():
    start = functools.partial(question, "flame")
    top = start()[0]["depth"] - 1
    more = write("frame", (top, 5), start()[0]["frame"][top, 5] + 1)
    shows(more, "flame answers", "flame answers", start)


def test_what_is_owed_and_may_stay_unpaid():
    start = functools.partial(question, "payment")
    for symbol in range(5):
        change = lambda g, s=symbol: write("owed", s, g["owed"][s] + 1)(g)  # noqa: E731
        shows(change, "owed", "owed", start)
    for flag in ("cube", "rings"):
        change = lambda g, f=flag: write(f, None, 1 - g[f])(g)  # noqa: E731
        shows(change, "waivers", "waivers", start)


def test_where_moved_damage_comes_from():
    start = functools.partial(question, "move to")
    top = start()[0]["depth"] - 1
    chosen = start()[0]["frame"][top, 7]
    for place in set(range(18)) - {int(chosen)}:
        shows(write("frame", (top, 7), place), "chosen", "chosen", start)


@pytest.mark.parametrize("n", range(4))
def test_the_last_four_moves(n):
    for action in range(NEW_YORK.action_count):
        if action != attack()[0]["event_action"][n]:
            shows(write("event_action", n, action), "events", "events")
    shows(write("event_seat", n, 1 - attack()[0]["event_seat"][n]), "events", "events")


def test_each_move_is_told_from_every_other():
    seen = set()
    for action in range(NEW_YORK.action_count):
        states = attack().copy()
        states["event_action"][0, 0] = action
        seen.add(observations(states)[0].tobytes())
    assert len(seen) == NEW_YORK.action_count


# ---------------------------------------------------------------------------------------------
# What is left out.


LEFT_OUT = {
    "how many decisions were taken: the turn and the last moves tell the time":
        (attack, write("decisions", None, 999)),
    "whether forced questions are skipped: a setting": (attack, write("skip_forced", None, 1)),
    "marks of an attack outside the Attack phase: they are taken off before the next":
        (functools.partial(question, "recruitment"),
         lambda g: write("spent", slice(0, 12), (g["card"][:12] != NO_CARD).astype(np.int8))(g)),
    "how the game ended: results come as rewards and infos":
        (lambda: next(m.record for m in moments() if m.table.winner is not None),
         lambda g: write("winner", None, 1 - g["winner"])(g)),
    "the last means of an equal symbol: the mask leaves the earlier ones out":
        (functools.partial(question, "payment"), write("paid_last", None, 130)),
    "which slot's card an artifact window was opened for, once it has fallen":
        (attack, write("up", None, card("zola_1"))),
    "where in its phase the game stands: the question and the last moves tell it":
        (attack, write("step", None, 3)),
}  # fmt: skip


@pytest.mark.parametrize("words", LEFT_OUT)
def test_what_is_deliberately_left_out(words):
    """A change here belongs in the layout's next version, and in this list."""
    start, change = LEFT_OUT[words]
    before, after = start().copy(), start().copy()
    change(after[0])
    assert after.tobytes() != before.tobytes()
    assert not [sections(before, after, viewer) for viewer in VIEWERS if
                sections(before, after, viewer)]  # fmt: skip
