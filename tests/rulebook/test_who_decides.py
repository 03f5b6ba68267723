"""May and must, targets, who decides and who sees (rulings 21, 22, 49 and 50)."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.rulebook.helpers import BATTLEGROUNDS, moves, shows, side, table

FULL_VILLAINS = ["leader_1", "loki_1", "zola_1", "modok_1", "ultron_1", "hydra_agents_yellow"]


# -- May, must and targets ------------------------------------------------------------------------


@pytest.mark.rule("ruling 21", "card hydra_agents_red", "rule hydra.red-no-hero")
def test_red_hydra_agents_ask_only_with_a_hero_in_play():
    """Ruling 21: without a target no card is given up."""
    t = table(villains=side(hand=["hydra_agents_red", "zola_1", "zola_2"]))
    t.play("play hydra_agents_red", "discard zola_1", "slot 1")
    assert moves(t) == {"done"}


@pytest.mark.rule("ruling 21", "card hydra_agents_red")
def test_red_hydra_agents_ask_only_with_a_card_in_hand():
    """Appendix, Hydra Agents (red): a card must be given up for the damage."""
    t = table(villains=side(hand=["hydra_agents_red", "zola_1"]), heroes=side(slots={4: "thor_1"}))
    t.play("play hydra_agents_red", "discard zola_1", "slot 1")
    assert moves(t) == {"done"}


@pytest.mark.rule("ruling 21", "card baron_zemo_1")
def test_zemos_discard_needs_no_target():
    """Ruling 21: his discard earns a point, so an empty hero side does not matter."""
    t = table(villains=side(hand=["thanos_1"], slots={4: "baron_zemo_1"}))
    t.play("done")
    assert moves(t) == {"discard thanos_1", "no"}


@pytest.mark.rule(
    "rule thanos.himself",
    "ruling 22",
    "card thanos_1",
    "card thanos_2",
    "rule thanos.two-each",
    "rule thanos.mandatory",
)
@pytest.mark.parametrize("thanos", ["thanos_1", "thanos_2"])
def test_thanos_cannot_be_declined(thanos):
    """Ruling 22: his effect happens at once and in full."""
    other = {"thanos_1": "thanos_2", "thanos_2": "thanos_1"}[thanos]
    t = table(
        villains=side(hand=[thanos], slots={1: other, 2: "zola_1"}),
        heroes=side(slots={5: "hulk_1"}),
    )
    t.play(f"play {thanos}")
    assert moves(t) == {"done"}
    shows(t, villains={"slots": {1: f"{thanos}:2", 2: "zola_1:2"}})
    shows(t, heroes={"slots": {5: "hulk_1:2"}})


@pytest.mark.rule("ruling 22", "rule hurt-battlegrounds.damage")
def test_the_damage_of_a_battleground_is_compulsory():
    """Ruling 22: the player chooses whom, not whether."""
    t = table(
        villains=side(hand=["busy_main_street", "ares_1", "ultron_1", "zola_1", "zola_2"]),
        heroes=side(slots={2: "thor_1", 6: "hulk_1+doctor_strange_1"}),
    )
    t.play("play busy_main_street", "discard ares_1", "discard ultron_1")
    t.play("discard zola_1", "discard zola_2")
    assert moves(t) == {"target h2", "target h6", "target h6u"}


@pytest.mark.rule("ruling 22", "example street corner")
def test_street_corner_gives_two_points_and_heals_one_damage():
    """Battleground Cards, example: paid in yellow, red and blue; only damaged cards can heal."""
    t = table(
        to_move="heroes",
        heroes=side(
            hand=["street_corner", "nick_fury_1", "ant_man_1", "thor_1"],
            slots={1: "hulk_2:2", 2: "iron_man_1", 5: "war_machine_1:1"},
        ),
        villains=side(slots={2: "zola_1:1"}),
        battlegrounds=["run_down_alley"],
    )
    t.play("play street_corner", "discard ant_man_1", "discard nick_fury_1", "discard thor_1")
    shows(t, victory=-2)
    assert moves(t) == {"target h1", "target h5"}
    t.play("target h1")
    shows(t, heroes={"slots": {1: "hulk_2:1", 2: "iron_man_1", 5: "war_machine_1:1"}, "hand": []})
    shows(t, battlegrounds=["run_down_alley", "street_corner"])


@pytest.mark.rule("ruling 22", "rule battlegrounds.no-slot")
def test_a_battleground_needs_neither_slot_nor_target():
    """Battleground Cards: never placed in a slot; the heal is skipped without damage."""
    t = table(
        villains=side(hand=["run_down_alley", "zola_2", "thanos_1", "kang_1"], slots=FULL_VILLAINS),
        battlegrounds=["street_corner"],
    )
    t.play("play run_down_alley", "discard zola_2", "discard thanos_1", "discard kang_1")
    assert moves(t) == {"done"}
    shows(t, victory=2, battlegrounds=["street_corner", "run_down_alley"])
    shows(t, villains={"slots": FULL_VILLAINS})


@pytest.mark.rule("ruling 22", "ruling 25", "card ultron_1", "rule ultron_1.red-effect")
def test_an_immune_card_is_no_target():
    """Ruling 22: Captain Marvel, a red card, cannot choose the Ultron who ignores red."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["captain_marvel_1"], slots={6: "captain_marvel_2"}),
        villains=side(slots={1: "ultron_1", 2: "zola_1"}),
    )
    t.play("play captain_marvel_1")
    assert moves(t) == {"target v2", "no"}


@pytest.mark.rule("ruling 22", "ruling 25", "card ultron_1")
def test_no_question_when_the_only_card_is_immune():
    """Ruling 22: without a card that can take the damage there is nothing to choose."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["captain_marvel_1"], slots={6: "captain_marvel_2"}),
        villains=side(slots={1: "ultron_1"}),
    )
    t.play("play captain_marvel_1")
    assert moves(t) == {"done"}


# -- Who decides ----------------------------------------------------------------------------------


@pytest.mark.rule("ruling 49", "card hydra_agents_blue", "rule hydra.blue-draw")
def test_blue_hydra_agents_ask_the_heroes():
    """Ruling 49: the heroes decide about their card in the villains' turn."""
    t = table(
        villains=side(hand=["hydra_agents_blue"]),
        heroes=side(deck=["thor_1", "hulk_1", "hulk_2"]),
    )
    t.play("play hydra_agents_blue", "slot 4")
    assert (t.to_move, moves(t)) == ("heroes", {"yes", "no"})
    shows(t, to_move="heroes", on_turn="villains", phase="recruitment")
    t.play("yes")
    assert (t.to_move, moves(t)) == ("villains", {"done"})
    shows(t, on_turn="villains", heroes={"hand": ["thor_1"], "deck": ["hulk_1", "hulk_2"]})


@pytest.mark.rule("ruling 49", "rule hulk.optional")
def test_hulk_asks_the_villains():
    """Ruling 49: the villains decide about their card in the heroes' turn."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["hulk_1"], slots={4: "hulk_2"}),
        villains=side(deck=["ares_1", "ares_2", "zola_1"]),
    )
    t.play("play hulk_1")
    assert (t.to_move, moves(t)) == ("villains", {"yes", "no"})
    t.play("no")
    assert t.to_move == "heroes"
    shows(t, villains={"hand": [], "deck": ["ares_1", "ares_2", "zola_1"]})


@pytest.mark.rule("ruling 49")
def test_eternal_flame_asks_its_owner_in_the_other_turn():
    """Ruling 49: the owner of the fallen hero chooses while the villains attack."""
    t = table(
        villains=side(slots={1: "loki_2", 2: "zola_1"}),
        heroes=side(slots={1: "shield_agents_red"}, artifacts=["eternal_flame"]),
    )
    t.play("done", "no")
    assert (t.to_move, moves(t)) == ("heroes", {"target v1", "target v2", "no"})


# -- Who sees -------------------------------------------------------------------------------------


@pytest.mark.rule("ruling 50", "rule setup.tiles-shuffled", "rule setup.battlegrounds-shuffled")
@pytest.mark.parametrize(("viewer", "other"), [("villains", "heroes"), ("heroes", "villains")])
def test_hands_decks_and_stacks_are_hidden(viewer, other):
    """Ruling 50: sizes are public, the own hand is known, nobody knows a deck."""
    t = table(
        villains=side(hand=["ares_1", "zola_1"], discard=["kang_1"]),
        heroes=side(hand=["thor_1", "hulk_1", "hulk_2"], discard=["ant_man_1"]),
        artifact_row=["darkhold", "tactigon"],
    )
    full, seen = t.position(), t.position(viewer=viewer)
    assert seen[viewer]["hand"] == full[viewer]["hand"]
    assert seen[other]["hand"] == len(full[other]["hand"])
    for name in ("villains", "heroes"):
        assert seen[name]["deck"] == 8
        assert seen[name]["discard"] == full[name]["discard"]
        assert seen[name]["slots"] == full[name]["slots"]
    assert (seen["battlegrounds"], seen["artifact_stack"]) == (8, 10)
    assert seen["artifact_row"] == ["darkhold", "tactigon"]


@pytest.mark.rule("ruling 50")
@pytest.mark.parametrize("viewer", ["villains", "heroes"])
def test_a_battleground_put_back_is_known_to_both(viewer):
    """Ruling 50: what goes under the stack in sight of both stays known there."""
    t = table(
        villains=side(hand=["zola_1", "modok_1", "street_corner"]),
        battlegrounds=["run_down_alley", "financial_district"],
    )
    t.play("play zola_1", "discard modok_1", "discard street_corner", "slot 1")
    seen = t.position(viewer=viewer)
    assert seen["battlegrounds"] == ["?", "?", "street_corner"]


@pytest.mark.rule("ruling 50")
@pytest.mark.parametrize("viewer", ["villains", "heroes"])
def test_a_drawn_battleground_is_hidden_unless_it_was_known(viewer):
    """Ruling 50: the unknown top of the stack is seen by its drawer only."""
    t = table(
        villains=side(
            hand=["zola_1", "modok_1", "street_corner"],
            slots={6: "hydra_agents_blue"},
            deck=["ares_1", "ares_2", "leader_1"],
        ),
        battlegrounds=["run_down_alley"],
    )
    t.play("play zola_1", "discard modok_1", "discard street_corner", "slot 4", "done")
    seen = t.position(viewer=viewer)
    own = ["ares_1", "ares_2", "run_down_alley"]
    assert seen["villains"]["hand"] == (own if viewer == "villains" else 3)
    assert seen["battlegrounds"] == ["street_corner"]


@pytest.mark.rule("ruling 50")
def test_a_known_battleground_is_followed_into_the_hand():
    """Ruling 50: everybody saw it go under an empty stack, so everybody knows who drew it."""
    t = table(
        villains=side(
            hand=["zola_1", "modok_1", "street_corner"],
            slots={6: "hydra_agents_blue"},
            deck=["ares_1", "ares_2", "leader_1"],
        ),
        battlegrounds=[],
    )
    t.play("play zola_1", "discard modok_1", "discard street_corner", "slot 4", "done")
    seen = t.position(viewer="heroes")
    assert Counter(seen["villains"]["hand"]) == Counter(["?", "?", "street_corner"])
    assert seen["battlegrounds"] in ([], 0)


@pytest.mark.rule("ruling 50")
@pytest.mark.parametrize("viewer", ["villains", "heroes"])
def test_the_tile_put_back_is_known_to_both(viewer):
    """Ruling 50: the tile not taken lies known at the bottom of its stack."""
    t = table(
        artifact_marker=2,
        villains=side(slots={4: "hydra_agents_blue"}),
        artifact_row=["darkhold", "tactigon"],
        artifact_stack=["cosmic_cube", "norn_stones", "ten_rings"],
    )
    t.play("done", "artifact tactigon")
    seen = t.position(viewer=viewer)
    assert seen["artifact_row"] == ["cosmic_cube", "norn_stones"]
    assert seen["artifact_stack"] == ["?", "darkhold"]


@pytest.mark.rule("ruling 50")
def test_the_own_hand_is_shown_in_full():
    """Ruling 50: the own hand is shown in full, whatever the other side knows of it."""
    t = table(villains=side(hand=[*BATTLEGROUNDS[:2], "ares_1"]))
    seen = t.position(viewer="villains")
    assert seen["villains"]["hand"] == ["ares_1", *BATTLEGROUNDS[:2]]
    assert t.position(viewer="heroes")["villains"]["hand"] == 3
