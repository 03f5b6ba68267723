"""Positions: defaults, printed form, round trips, refusals, and what a viewer sees."""

from __future__ import annotations

import copy
import json
from collections import Counter

import pytest

from skirmish_env import IllegalAction, Table
from tests.rulebook.helpers import (
    ARTIFACTS,
    BATTLEGROUNDS,
    FACTION_CARDS,
    moves,
    shows,
    side,
    table,
)

KEYS = {
    *("to_move", "on_turn", "phase", "turn", "victory", "artifact_marker", "civilians"),
    *("villains", "heroes", "battlegrounds", "artifact_row", "artifact_stack"),
}
SIDE_KEYS = {"hand", "deck", "discard", "slots", "artifacts"}

# A position in the form in which it is printed, with something under every key.
FULL = {
    "to_move": "heroes",
    "on_turn": "heroes",
    "phase": "recruitment",
    "turn": 8,
    "victory": -3,
    "artifact_marker": 1,
    "civilians": ["rygb", "yb", ""],
    "villains": {
        "hand": ["leader_1", "zola_1", "street_corner"],
        "deck": ["zola_2", "ares_2", "ares_1"],
        "discard": ["kang_2", "kang_2", "thor_1"],
        "slots": ["ultron_2", None, "leader_2:2", "hawkeye_2:1", None, None],
        "artifacts": ["cosmic_cube", "warlocks_eye"],
    },
    "heroes": {
        "hand": ["hulk_2", "iron_man_1", "iron_man_1", "shield_agents_blue"],
        "deck": ["thor_1", "ant_man_1"],
        "discard": ["shield_agents_yellow", "shield_agents_red"],
        "slots": ["shield_agents_red", None, None, None, "hulk_1:1+doctor_strange_2:1", None],
        "artifacts": ["eternal_flame"],
        "freed": "rr",
    },
    "battlegrounds": ["run_down_alley", "busy_main_street"],
    "artifact_row": ["darkhold", "norn_stones"],
    "artifact_stack": ["tactigon", "ebony_blade"],
}


def changed(path, value):
    """Return FULL with the entry at `path` replaced."""
    position = copy.deepcopy(FULL)
    inner = position
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return position


# Default positions and printed form


@pytest.mark.rule(
    "rule components.cards",
    "rule components.artifact-tiles",
    "rule cards.main-characters",
    "rule cards.side-characters",
    "rule notation.defaults",
)
def test_an_empty_position_is_an_empty_board():
    """Notation, Positions: nothing given means the Villains' first Recruitment, all in stacks."""
    t = Table.from_position({})
    position = t.position()
    assert set(position) == KEYS
    assert set(position["villains"]) == SIDE_KEYS
    assert set(position["heroes"]) == SIDE_KEYS | {"freed"}
    shows(
        t,
        to_move="villains",
        on_turn="villains",
        phase="recruitment",
        turn=1,
        victory=0,
        artifact_marker=0,
        civilians=["rygb", "rygb", "rygb"],
    )
    empty = {"hand": [], "discard": [], "slots": {}, "artifacts": []}
    shows(t, villains=empty, heroes={**empty, "freed": ""})
    for name, cards in FACTION_CARDS.items():
        assert Counter(position[name]["deck"]) == Counter(cards * 2)
    assert sorted(position["battlegrounds"]) == BATTLEGROUNDS
    assert len(position["artifact_row"]) == 2
    assert sorted(position["artifact_row"] + position["artifact_stack"]) == ARTIFACTS
    assert moves(t) == {"done"}


@pytest.mark.rule("rule notation.defaults")
def test_left_out_lists_hold_the_rest_shuffled_by_the_seed():
    """Notation, Positions: what lies elsewhere is not in them; seed 0 is the default."""
    start = {
        "villains": {"hand": ["ares_1"], "discard": ["ares_1"], "slots": ["kang_1"] + [None] * 5},
        "heroes": {"artifacts": ["darkhold"], "hand": ["street_corner"]},
    }
    position = Table.from_position(start).position()
    assert position == Table.from_position(start, seed=0).position()
    left = Counter(FACTION_CARDS["villains"] * 2) - Counter(["ares_1", "ares_1", "kang_1"])
    assert Counter(position["villains"]["deck"]) == left
    assert sorted(position["battlegrounds"]) == [b for b in BATTLEGROUNDS if b != "street_corner"]
    tiles = position["artifact_row"] + position["artifact_stack"]
    assert sorted(tiles) == [a for a in ARTIFACTS if a != "darkhold"]
    other = Table.from_position(start, seed=1).position()
    assert other["villains"]["deck"] != position["villains"]["deck"]
    assert sorted(other["villains"]["deck"]) == sorted(position["villains"]["deck"])


@pytest.mark.rule("rule notation.defaults")
def test_a_left_out_row_is_the_top_of_its_stack():
    """Notation, Positions: the first two tiles of an explicit stack lie face up."""
    t = Table.from_position({"artifact_stack": ["ten_rings", "darkhold", "cosmic_cube"]})
    position = t.position()
    assert sorted(position["artifact_row"]) == ["darkhold", "ten_rings"]
    assert position["artifact_stack"] == ["cosmic_cube"]


@pytest.mark.rule("rule notation.positions")
def test_a_printed_position_loads_and_prints_the_same():
    """Notation, Positions: position() is a fixed form, JSON included."""
    t = Table.from_position(FULL)
    assert t.position() == FULL
    assert Table.from_position(json.loads(json.dumps(t.position()))).position() == FULL


@pytest.mark.rule("rule notation.positions")
def test_multisets_and_colours_are_printed_in_list_order():
    """Notation, Positions: hands, discards and artifacts in list order, colours as r y g b."""
    position = copy.deepcopy(FULL)
    position["villains"]["hand"].reverse()
    position["villains"]["discard"].reverse()
    position["villains"]["artifacts"].reverse()
    position["heroes"]["hand"].reverse()
    position["civilians"] = ["bgyr", "by", ""]
    assert position != FULL
    assert Table.from_position(position).position() == FULL


@pytest.mark.rule("rule notation.positions")
def test_the_deck_is_drawn_from_its_front():
    """Notation, Positions: the first card named is the next one drawn."""
    t = table(villains=side(deck=["zola_2", "ares_2", "ares_1"]), heroes=side())
    t.play("done")
    shows(t, villains={"hand": ["ares_2", "zola_2"], "deck": ["ares_1"]}, turn=2)


@pytest.mark.rule("ruling 49", "rule notation.positions")
def test_to_move_is_who_must_decide_and_on_turn_whose_turn_it_is():
    """Notation, Positions: the two differ while the opponent answers."""
    t = table(to_move="heroes", heroes=side(hand=["hulk_1"], slots={1: "hulk_2"}))
    shows(t, to_move="heroes", on_turn="heroes", turn=2)
    t.play("play hulk_1")
    shows(t, to_move="villains", on_turn="heroes", turn=2)


@pytest.mark.rule("rule notation.phases")
@pytest.mark.parametrize(
    ("victory", "civilians", "winner"),
    [(9, ["rygb"] * 3, "villains"), (-7, ["rygb"] * 3, "heroes"), (0, ["rg", "", ""], "heroes")],
)
def test_a_finished_game_may_be_loaded(victory, civilians, winner):
    """Notation, Positions: phase over; nobody is to move and nothing is legal."""
    t = table(phase="over", victory=victory, civilians=civilians, villains=side(), heroes=side())
    assert (t.to_move, t.question, t.legal(), t.winner) == (None, None, [], winner)
    with pytest.raises(IllegalAction):
        t.play("done")


@pytest.mark.rule("ruling 7", "rule notation.phases")
def test_a_finished_game_of_empty_decks_may_be_loaded():
    """Rulings 6, 7: an ended game prints as over and loads with its winner."""
    for victory, winner in ((1, "villains"), (-1, "heroes"), (0, "draw")):
        t = table(villains=side(deck=["ares_1", "ares_2"]), heroes=side(), victory=victory)
        t.play("done")
        shows(t, phase="over")
        assert t.winner == winner
        assert Table.from_position(t.position()).winner == winner


@pytest.mark.rule("rule notation.phases")
def test_later_phases_may_be_loaded():
    """Notation, Positions: attack and draw start that phase and go on to its first question."""
    start = dict(
        villains=side(slots={4: "ares_1"}, deck=["zola_1", "zola_2", "kang_1"]),
        heroes=side(slots={1: "hulk_1"}),
    )
    attack = table(phase="attack", **start)
    shows(attack, to_move="villains", phase="attack", artifact_marker=1)
    assert moves(attack) == {"target h1", "no"}
    draw = table(phase="draw", **start)
    shows(draw, to_move="heroes", phase="recruitment", turn=2, artifact_marker=0)
    shows(draw, villains={"hand": ["zola_1", "zola_2"], "deck": ["kang_1"]})


# Positions that cannot be

SLOTS = [None] * 6


@pytest.mark.rule("rule notation.impossible")
@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"tomove": "heroes"}, ["tomove"]),
        ({"villains": {"freed": "r"}}, ["villains", "freed"]),
        ({"heroes": {"cards": []}}, ["heroes", "cards"]),
        ({"to_move": "marvel"}, ["to_move", "marvel"]),
        ({"phase": "battle"}, ["phase", "battle"]),
        ({"turn": 0}, ["turn", "0"]),
        ({"turn": "3"}, ["turn", "3"]),
        ({"victory": 1.5}, ["victory", "1.5"]),
    ],
)
def test_unknown_keys_and_words_are_refused(position, said):
    """Notation, Positions: an unknown key or value is named."""
    refuse(position, said)


@pytest.mark.rule("rule notation.impossible")
@pytest.mark.parametrize(
    ("position", "said"),
    [
        (changed(["villains", "hand"], ["ares_3"]), ["ares_3", "villains", "hand"]),
        (changed(["heroes", "deck"], ["the_hulk"]), ["the_hulk", "heroes", "deck"]),
        (changed(["heroes", "artifacts"], ["infinity_stone"]), ["infinity_stone"]),
        (changed(["battlegrounds"], ["central_park"]), ["central_park"]),
        (changed(["villains", "hand"], ["thor_2"]), ["thor_2", "villains", "hand"]),
        (changed(["heroes", "hand"], ["zola_2"]), ["zola_2", "heroes", "hand"]),
        (changed(["villains", "deck"], ["hulk_2"]), ["hulk_2", "villains", "deck"]),
        (changed(["heroes", "deck"], ["zola_2"]), ["zola_2", "heroes", "deck"]),
        (changed(["heroes", "deck"], ["financial_district"]), ["financial_district", "deck"]),
        (changed(["heroes", "discard"], ["zola_2"]), ["zola_2", "heroes", "discard"]),
        (changed(["heroes", "discard"], ["street_corner"]), ["street_corner", "discard"]),
        (changed(["villains", "discard"], ["financial_district"]), ["financial_district"]),
        (changed(["battlegrounds"], ["ares_1"]), ["ares_1", "battlegrounds"]),
        (changed(["heroes", "slots"], ["zola_1", *SLOTS[1:]]), ["zola_1", "heroes", "slots"]),
        (
            changed(["villains", "slots"], ["financial_district", *SLOTS[1:]]),
            ["financial_district", "villains", "slots"],
        ),
    ],
)
def test_cards_in_places_where_they_cannot_be_are_refused(position, said):
    """Notation, Positions: the message names the card and the place."""
    refuse(position, said)


@pytest.mark.rule("rule notation.impossible")
@pytest.mark.parametrize(
    ("position", "said"),
    [
        (changed(["villains", "hand"], ["kang_2"]), ["kang_2"]),
        (changed(["heroes", "deck"], ["iron_man_1", "thor_1"]), ["iron_man_1"]),
        (changed(["heroes", "hand"], ["street_corner"]), ["street_corner"]),
        (changed(["battlegrounds"], ["run_down_alley", "run_down_alley"]), ["run_down_alley"]),
        (changed(["heroes", "artifacts"], ["cosmic_cube"]), ["cosmic_cube"]),
        (changed(["artifact_row"], ["eternal_flame"]), ["eternal_flame"]),
        (changed(["artifact_stack"], ["darkhold"]), ["darkhold"]),
        (changed(["artifact_row"], ["darkhold", "norn_stones", "ten_rings"]), ["artifact_row"]),
        (changed(["heroes", "freed"], "rrrr"), ["freed"]),
        (changed(["heroes", "freed"], "yyr"), ["y"]),
        (changed(["civilians"], ["rr", "", "ygb"]), ["civilians"]),
        (changed(["civilians"], ["rygb", "yb", "", ""]), ["civilians"]),
        (changed(["civilians"], ["rygb", "yp", ""]), ["civilians", "p"]),
    ],
)
def test_too_many_of_a_kind_are_refused(position, said):
    """Notation, Positions: two copies of a card, one of each tile, three civilians of a colour."""
    refuse(position, said)


@pytest.mark.rule("ruling 13", "ruling 33", "rule notation.impossible")
@pytest.mark.parametrize(
    ("side_name", "slots", "said"),
    [
        ("villains", ["ultron_2", None, "ultron_1", None, None, None], ["ultron_1", "v1", "v3"]),
        ("heroes", ["hulk_1", "hulk_2", *SLOTS[2:]], ["hulk_2", "h1", "h2"]),
        (
            "heroes",
            ["doctor_strange_1", "hulk_1+doctor_strange_2", *SLOTS[2:]],
            ["doctor_strange_2", "h1", "h2u"],
        ),
        ("villains", ["leader_2:3", *SLOTS[1:]], ["leader_2", "3", "villains.slots[1]"]),
        ("villains", [None, "leader_2:7", *SLOTS[2:]], ["leader_2", "7", "villains.slots[2]"]),
        ("villains", ["leader_2:-1", *SLOTS[1:]], ["-1", "villains.slots[1]"]),
        ("villains", ["leader_2:x", *SLOTS[1:]], ["x", "villains.slots[1]"]),
        (
            "heroes",
            ["hulk_1+doctor_strange_2:2", *SLOTS[1:]],
            ["doctor_strange_2", "2", "heroes.slots[1]"],
        ),
        ("heroes", ["hulk_1+thor_2", *SLOTS[1:]], ["thor_2", "heroes.slots[1]"]),
        ("villains", ["ares_2+doctor_strange_1", *SLOTS[1:]], ["below", "villains.slots[1]"]),
        ("villains", ["ares_2"] * 7, ["villains", "slots"]),
        ("heroes", "hulk_1", ["heroes", "slots"]),
        ("heroes", [None, "hawkeye_1", *SLOTS[2:]], ["hawkeye_1", "h2", "v4"]),
    ],
)
def test_boards_that_cannot_be_are_refused(side_name, slots, said):
    """Notation, Positions: two copies of a main character, damage a card cannot bear, strays."""
    position = changed([side_name, "slots"], slots)
    position["villains"]["deck"] = ["ares_1"]
    refuse(position, said)


@pytest.mark.rule("ruling 2", "ruling 3", "rule notation.impossible")
@pytest.mark.parametrize(
    ("key", "value"),
    [("victory", v) for v in (9, -7, 10, -8)] + [("artifact_marker", v) for v in (3, -3, 4)],
)
def test_markers_off_the_track_or_on_its_end_are_refused(key, value):
    """Notation, Positions: a marker on its end would have ended something already."""
    refuse(changed([key], value), [key, str(value)])


@pytest.mark.rule("ruling 8", "rule notation.impossible")
def test_a_running_game_with_two_civilians_left_is_refused():
    """Game End; ruling 8: the Heroes would have won, three are a running game."""
    refuse(changed(["civilians"], ["y", "b", ""]), ["civilians"])
    shows(Table.from_position(changed(["civilians"], ["y", "b", "g"])), civilians=["y", "b", "g"])


@pytest.mark.rule("rule notation.phases")
def test_a_game_that_nothing_has_ended_is_not_over():
    """Notation, Positions: phase over needs a reached goal or an empty deck."""
    refuse(changed(["phase"], "over"), ["phase"])


@pytest.mark.rule("ruling 50", "rule notation.viewer")
def test_a_viewers_position_cannot_be_loaded():
    """Notation, Positions: lengths and unknown cards are no lists of cards."""
    refuse(Table.from_position(FULL).position(viewer="heroes"), ["villains", "hand"])


@pytest.mark.rule("ruling 2", "ruling 3", "rule notation.impossible")
def test_markers_one_step_from_their_ends_are_accepted():
    """Notation, Positions: +8 and -6 points, 2 steps of the artifact marker either way."""
    for victory, marker in ((8, 2), (-6, -2)):
        t = Table.from_position({"victory": victory, "artifact_marker": marker})
        shows(t, victory=victory, artifact_marker=marker)


def refuse(position, said):
    """Demand a ValueError that holds every word of `said`."""
    before = copy.deepcopy(position)
    with pytest.raises(ValueError) as error:
        Table.from_position(position)
    for word in said:
        assert word in str(error.value)
    assert position == before


# What a viewer sees


@pytest.mark.rule("ruling 50", "rule notation.viewer")
def test_a_viewer_sees_his_own_hand_and_only_lengths_of_hidden_lists():
    """Ruling 50: hands, decks and stacks of unknown order become their lengths."""
    t = Table.from_position(FULL)
    seen = copy.deepcopy(FULL)
    seen["villains"]["hand"] = 3
    seen["villains"]["deck"] = 3
    seen["heroes"]["deck"] = 2
    seen["battlegrounds"] = 2
    seen["artifact_stack"] = 2
    assert t.position(viewer="heroes") == seen
    seen["villains"]["hand"] = FULL["villains"]["hand"]
    seen["heroes"]["hand"] = 4
    assert t.position(viewer="villains") == seen


@pytest.mark.rule("rule notation.viewer")
def test_an_unknown_viewer_is_refused():
    """Notation, Positions: a viewer is one of the two sides."""
    with pytest.raises(ValueError, match="observer"):
        Table.from_position(FULL).position(viewer="observer")


@pytest.mark.rule("ruling 50", "rule notation.viewer")
def test_battlegrounds_put_back_are_known_to_both():
    """Ruling 50: their order under the stack was seen by everybody."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["street_corner", "run_down_alley", "thor_1", "black_panther_1"]),
        battlegrounds=["busy_main_street", "financial_district"],
    )
    t.play("play thor_1", "discard black_panther_1")
    t.play("discard run_down_alley", "discard street_corner")
    for viewer in ("villains", "heroes"):
        stack = t.position(viewer=viewer)["battlegrounds"]
        assert stack == ["?", "?", "run_down_alley", "street_corner"]


@pytest.mark.rule("ruling 50", "rule notation.viewer")
def test_a_known_battleground_is_followed_into_a_hand():
    """Ruling 50: the card drawn from a stack of one known card is known in the hand."""
    t = table(
        villains=side(hand=["street_corner", "zola_1", "ares_1", "hela_1"], slots={6: "leader_1"}),
        heroes=side(),
        battlegrounds=[],
    )
    assert t.position(viewer="heroes")["villains"]["hand"] == 4
    t.play("play street_corner", "discard ares_1", "discard zola_1", "discard hela_1")
    shows(t, victory=2, battlegrounds=["street_corner"])
    assert t.position(viewer="heroes")["battlegrounds"] == ["street_corner"]
    t.play("done")
    shows(t, battlegrounds=[], on_turn="heroes")
    hand = t.position(viewer="heroes")["villains"]["hand"]
    assert sorted(hand) == ["?", "?", "street_corner"]


@pytest.mark.rule("ruling 50", "rule notation.viewer")
def test_an_unknown_battleground_in_a_hand_stays_hidden():
    """Ruling 50: drawn from an unseen stack it is one more unknown card."""
    t = table(
        villains=side(slots={6: "leader_1"}),
        heroes=side(),
        battlegrounds=["street_corner", "run_down_alley"],
    )
    t.play("done")
    seen = t.position(viewer="heroes")
    assert (seen["villains"]["hand"], seen["battlegrounds"]) == (3, 1)
    assert t.position(viewer="villains")["battlegrounds"] == 1


@pytest.mark.rule("ruling 50", "rule notation.viewer")
def test_a_known_battleground_paid_from_the_hand_is_known_under_the_stack():
    """Ruling 50: what leaves a hand in sight is no longer among its hidden cards."""
    t = table(
        villains=side(hand=["street_corner", "ares_1", "ares_2"]),
        heroes=side(),
        battlegrounds=["run_down_alley"],
    )
    t.play("play ares_1", "discard ares_2", "discard street_corner", "slot 1")
    seen = t.position(viewer="heroes")
    assert seen["battlegrounds"] == ["?", "street_corner"]
    assert seen["villains"]["discard"] == ["ares_2"]


@pytest.mark.rule("ruling 50", "ruling 43", "rule notation.viewer")
def test_battlegrounds_of_a_casket_are_known_to_both():
    """Rulings 43, 50: both hands were thrown away in sight, in an order that is fixed."""
    t = table(
        villains=side(hand=["street_corner"], artifacts=["casket_of_ancient_winters"]),
        heroes=side(hand=["run_down_alley", "avengers_mansion"]),
        battlegrounds=["financial_district"],
    )
    t.play("artifact casket_of_ancient_winters")
    for viewer in ("villains", "heroes"):
        stack = t.position(viewer=viewer)["battlegrounds"]
        assert stack == ["?", "street_corner", "avengers_mansion", "run_down_alley"]


@pytest.mark.rule("ruling 50", "ruling 41", "rule notation.viewer")
def test_a_tile_put_back_is_known_under_its_stack():
    """Rulings 41, 50: both saw which tile went back."""
    t = table(
        villains=side(slots={4: "leader_1"}),
        heroes=side(),
        artifact_marker=2,
        artifact_row=["cosmic_cube", "norn_stones"],
        artifact_stack=["darkhold", "tactigon", "ten_rings"],
    )
    t.play("done", "artifact cosmic_cube")
    for viewer in ("villains", "heroes"):
        seen = t.position(viewer=viewer)
        assert seen["artifact_stack"] == ["?", "norn_stones"]
        assert seen["artifact_row"] == ["darkhold", "tactigon"]


@pytest.mark.rule("ruling 50", "rule artifacts.in-front", "rule notation.viewer")
def test_public_things_look_the_same_to_both():
    """Ruling 50: board, discards, artifacts, markers and civilians hide nothing."""
    t = Table.from_position(FULL)
    views = [t.position(viewer=v) for v in ("villains", "heroes")]
    for view in views:
        for key in ("victory", "artifact_marker", "civilians", "artifact_row", "turn", "phase"):
            assert view[key] == FULL[key]
        for name in FACTION_CARDS:
            for key in ("discard", "slots", "artifacts"):
                assert view[name][key] == FULL[name][key]
