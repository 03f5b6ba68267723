"""The hero cards from Iron Man to Winter Soldier."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows
from tests.rulebook.turns import heroes_turn

ALL_SLOTS = {f"slot {n}" for n in range(1, 7)}
SHIELD = [f"shield_agents_{colour}" for colour in ("yellow", "red", "green", "blue")]


# Iron Man


@pytest.mark.rule(
    "card iron_man_1",
    "ruling 15",
    "ruling 17",
    "rule iron_man_1.free-card",
    "rule iron_man_1.two-symbols",
    "rule iron_man_1.placed",
    "rule iron_man_1.immediate",
)
def test_iron_man_plays_a_card_of_at_most_two_symbols():
    """Appendix, Iron Man (first); ruling 17: never a battleground."""
    t = heroes_turn(
        hand=["iron_man_1", "ant_man_1", "black_panther_2", "shield_agents_red", "street_corner"],
        slots={1: "iron_man_2"},
    )
    t.play("play iron_man_1")
    assert moves(t) == {"play ant_man_1", "play shield_agents_red", "no"}
    t.play("play shield_agents_red")
    assert moves(t) == ALL_SLOTS - {"slot 1"}
    t.play("slot 6")
    shows(
        t,
        victory=-1,
        heroes={
            "slots": {1: "iron_man_1", 6: "shield_agents_red"},
            "hand": ["ant_man_1", "black_panther_2", "street_corner"],
        },
    )


@pytest.mark.rule("card iron_man_1", "artifact cosmic_cube", "ruling 15")
def test_a_discount_does_not_widen_iron_mans_choice():
    """Ruling 15: symbols are counted as printed, the Cosmic Cube plays no part."""
    t = heroes_turn(
        hand=["iron_man_1", "black_panther_2"],
        slots={1: "iron_man_2"},
        heroes={"artifacts": ["cosmic_cube"]},
    )
    t.play("play iron_man_1")
    assert moves(t) == {"done"}


@pytest.mark.rule(
    "example iron man plays nick fury",
    "card iron_man_2",
    "card nick_fury_1",
    "rule iron_man_2.free-card",
    "rule iron_man_2.placed",
    "rule iron_man_2.immediate",
)
def test_iron_man_brings_nick_fury_and_his_point():
    """Appendix, Iron Man, example: the card played for nothing uses its immediate effect."""
    t = heroes_turn(
        hand=["iron_man_2", "nick_fury_1", "captain_america_2"], slots={1: "iron_man_1"}
    )
    t.play("play iron_man_2")
    assert moves(t) == {"play captain_america_2", "play nick_fury_1", "no"}
    t.play("play nick_fury_1", "slot 4")
    shows(t, victory=-1, heroes={"slots": {1: "iron_man_2", 4: "nick_fury_1"}})


@pytest.mark.rule("card iron_man_2", "ruling 13", "ruling 20", "rule iron_man_2.free-card")
def test_iron_man_plays_iron_man_who_plays_hulk():
    """Ruling 20: the copy he plays replaces him and has its whole effect first."""
    t = heroes_turn(hand=["iron_man_2", "iron_man_2", "hulk_1"], slots={1: "iron_man_1:1"})
    t.play("play iron_man_2")
    assert moves(t) == {"play hulk_1", "play iron_man_2", "no"}
    t.play("play iron_man_2")
    shows(t, heroes={"slots": {1: "iron_man_2"}, "discard": ["iron_man_1", "iron_man_2"]})
    assert moves(t) == {"play hulk_1", "no"}
    t.play("play hulk_1", "slot 2")
    assert (t.to_move, moves(t)) == ("villains", {"yes", "no"})
    t.play("no")
    assert (t.to_move, moves(t)) == ("heroes", {"done"})


@pytest.mark.rule("card iron_man_2", "ruling 20", "rule iron_man_2.optional")
def test_declining_the_second_iron_man_ends_both_offers():
    """Ruling 20: the first Iron Man's offer was used up by playing the second."""
    t = heroes_turn(hand=["iron_man_2", "iron_man_2", "hulk_1"], slots={1: "iron_man_1"})
    t.play("play iron_man_2", "play iron_man_2", "no")
    shows(t, heroes={"hand": ["hulk_1"], "slots": {1: "iron_man_2"}})
    assert (t.question, moves(t)) == ("recruitment", {"done"})


@pytest.mark.rule("card iron_man_1", "ruling 15")
def test_the_weaker_iron_man_cannot_play_a_copy_of_himself():
    """Ruling 15: replacing is free, the printed cost still has four symbols or more."""
    t = heroes_turn(hand=["iron_man_1", "iron_man_2"], slots={1: "iron_man_1"})
    t.play("play iron_man_1")
    assert (t.question, moves(t)) == ("recruitment", {"play iron_man_2", "done"})


@pytest.mark.rule("card iron_man_2", "ruling 14", "rule iron_man_2.placed")
def test_iron_man_on_a_full_side_only_replaces_or_tucks():
    """Ruling 14: his free card needs a place like any other."""
    t = heroes_turn(
        hand=["iron_man_2", "doctor_strange_1", "hulk_1", "nick_fury_2"],
        slots=[
            "iron_man_1",
            "nick_fury_1",
            "thor_1",
            "war_machine_1",
            "hawkeye_1",
            "captain_america_1",
        ],
    )
    t.play("play iron_man_2")
    assert moves(t) == {"play doctor_strange_1", "play nick_fury_2", "no"}


@pytest.mark.rule("card iron_man_2", "ruling 33", "rule loki.bars-hero")
def test_iron_man_cannot_play_a_copy_of_a_captive():
    """Ruling 33: that hero may not enter the hero side by any road."""
    t = heroes_turn(
        hand=["iron_man_2", "thor_2", "hulk_1"], slots={1: "iron_man_1"}, facing={4: "thor_1"}
    )
    t.play("play iron_man_2")
    assert moves(t) == {"play hulk_1", "no"}


@pytest.mark.rule("card iron_man_1", "card captain_marvel_2", "rule iron_man_1.two-symbols")
def test_iron_man_is_not_asked_without_a_card_to_play():
    """Appendix, Iron Man (first): four symbols are too many for him."""
    t = heroes_turn(hand=["iron_man_1", "captain_marvel_2"], slots={1: "iron_man_2"})
    t.play("play iron_man_1")
    assert (t.question, moves(t)) == ("recruitment", {"done"})


# Nick Fury


@pytest.mark.rule("card nick_fury_1", "rule nick_fury.played")
def test_nick_fury_scores_when_played():
    """Appendix, Nick Fury (first): the point comes without a question, even when he replaces."""
    t = heroes_turn(hand=["nick_fury_1"], slots={1: "nick_fury_2"})
    t.play("play nick_fury_1")
    shows(t, victory=-1)
    assert moves(t) == {"done"}


@pytest.mark.rule("card nick_fury_1", "ruling 6")
def test_nick_fury_scores_the_winning_point():
    """Game End; ruling 6: the seventh point ends the game at once."""
    t = heroes_turn(hand=["nick_fury_1"], slots={1: "nick_fury_2"}, victory=-6)
    t.play("play nick_fury_1")
    assert (t.winner, t.to_move, t.question, t.legal()) == ("heroes", None, None, [])
    shows(t, victory=-7, phase="over")


@pytest.mark.rule("card nick_fury_2", "rule nick_fury.after-attack")
@pytest.mark.parametrize(
    ("slot", "facing", "after", "marker"),
    [(4, {}, {}, -1), (1, {1: "leader_1"}, {1: "leader_1:1"}, 0)],
    ids=["bonus", "defender"],
)
def test_the_stronger_nick_fury_scores_after_each_attack(slot, facing, after, marker):
    """Appendix, Nick Fury (second): after damage and after a bonus alike."""
    t = heroes_turn(slots={slot: "nick_fury_2"}, facing=facing)
    t.play("done")
    shows(t, on_turn="villains", victory=-1, artifact_marker=marker, villains={"slots": after})


@pytest.mark.rule("card nick_fury_2")
def test_the_stronger_nick_fury_scores_nothing_when_played():
    """Appendix, Nick Fury (second): his point waits for an attack."""
    t = heroes_turn(hand=["nick_fury_2"], slots={1: "nick_fury_1"})
    t.play("play nick_fury_2")
    shows(t, victory=0)


# S.H.I.E.L.D. Agents


@pytest.mark.rule(
    *[f"card {card}" for card in SHIELD], "rule replacing.side-many", "rule shield.point"
)
@pytest.mark.parametrize("card", SHIELD)
def test_shield_agents_score_and_stand_beside_their_copies(card):
    """Appendix, S.H.I.E.L.D. Agents: two cards of any colour buy a point, copies may stand by."""
    t = heroes_turn(hand=[card, "ant_man_1", "hulk_1"], slots={1: card})
    t.play(f"play {card}")
    assert moves(t) == {"discard ant_man_1"}
    t.play("discard ant_man_1")
    assert moves(t) == {"discard hulk_1"}
    t.play("discard hulk_1", "slot 6")
    shows(t, victory=-1, heroes={"slots": {1: card, 6: card}, "discard": ["ant_man_1", "hulk_1"]})


@pytest.mark.rule("card shield_agents_blue", "card shield_agents_green", "rule ultron_2.attack")
def test_shield_agents_attack_with_their_colour():
    """Appendix, Ultron (second): blue agents cannot hurt him, green ones can."""
    t = heroes_turn(slots={1: "shield_agents_blue"}, facing={1: "ultron_2"})
    t.play("done")
    shows(t, villains={"slots": {1: "ultron_2"}})
    t = heroes_turn(slots={1: "shield_agents_green"}, facing={1: "ultron_2"})
    t.play("done")
    shows(t, villains={"slots": {1: "ultron_2:1"}})


# Thor


@pytest.mark.rule(
    "example thor moves on",
    "card thor_1",
    "ruling 30",
    "rule thor.move",
    "rule thor.bonus-too",
    "rule thor.damage-moves",
    "rule thor.no-second-attack",
)
def test_thor_moves_and_does_not_attack_again():
    """Appendix, Thor, example: his new slot comes up and he stays quiet."""
    t = heroes_turn(slots={4: "thor_1:1", 6: "hulk_1"}, battlegrounds=["street_corner"])
    t.play("done")
    shows(t, artifact_marker=-1)
    assert moves(t) == {"slot 1", "slot 2", "slot 3", "slot 5", "no"}
    t.play("slot 5")
    shows(t, on_turn="villains", artifact_marker=-1)
    shows(t, heroes={"slots": {5: "thor_1:1", 6: "hulk_1"}}, battlegrounds=[])


@pytest.mark.rule("rule thor.move", "rule thor.damage-moves", "card thor_2", "ruling 30")
def test_thor_takes_a_strange_below_along():
    """Ruling 30: the pair moves together, each with its damage, also back to a passed slot."""
    t = heroes_turn(slots={4: "thor_2:1+doctor_strange_1:1"}, facing={4: "thanos_2"})
    t.play("done", "slot 2")
    shows(t, heroes={"slots": {2: "thor_2:1+doctor_strange_1:1"}}, on_turn="villains")
    shows(t, villains={"slots": {}, "discard": ["thanos_2"]}, civilians=["rygb"] * 3)


@pytest.mark.rule("card thor_1", "ruling 30", "rule thor.optional")
def test_thor_may_stay():
    """Appendix, Thor: moving is his choice."""
    t = heroes_turn(slots={4: "thor_1"})
    t.play("done", "no")
    shows(t, heroes={"slots": {4: "thor_1"}}, on_turn="villains")


@pytest.mark.rule("card thor_1", "ruling 30", "rule thor.move")
def test_thor_is_not_asked_on_a_full_side():
    """Ruling 30: only an empty slot of his own side will do."""
    slots = ["shield_agents_red", "hulk_1", "hawkeye_1", "ant_man_1", "nick_fury_1", "thor_1"]
    walls = ["thanos_1", "red_hulk_1", "modok_2", "kang_2", "leader_1", None]
    t = heroes_turn(slots=slots, facing=walls, battlegrounds=["street_corner"])
    t.play("done")
    shows(t, on_turn="villains", battlegrounds=[], heroes={"slots": slots})


# War Machine


@pytest.mark.rule(
    "card war_machine_1",
    "rule war_machine.draw",
    "rule war_machine.optional",
    "rule war_machine.bonus-too",
)
def test_war_machine_may_draw_after_a_bonus():
    """Appendix, War Machine: a card of the own deck, if wanted."""
    t = heroes_turn(
        slots={4: "war_machine_1"}, heroes={"deck": ["thor_1", "thor_2", "hulk_1", "hulk_2"]}
    )
    t.play("done")
    shows(t, artifact_marker=-1, heroes={"hand": []})
    assert moves(t) == {"yes", "no"}
    declined = t.clone()
    declined.play("no")
    shows(declined, heroes={"hand": ["thor_1", "thor_2"], "deck": ["hulk_1", "hulk_2"]})
    t.play("yes")
    shows(t, heroes={"hand": ["thor_1", "thor_2", "hulk_1"], "deck": ["hulk_2"]})


@pytest.mark.rule("card war_machine_2", "rule war_machine.draw")
def test_the_stronger_war_machine_may_draw_after_a_fight():
    """Appendix, War Machine: the same effect beside a defender, still one card."""
    t = heroes_turn(
        slots={1: "war_machine_2"},
        facing={1: "leader_1"},
        heroes={"deck": ["thor_1", "thor_2", "hulk_1", "hulk_2"]},
    )
    t.play("done", "yes")
    shows(t, villains={"slots": {1: "leader_1:2"}}, on_turn="villains")
    shows(t, heroes={"hand": ["thor_1", "thor_2", "hulk_1"], "deck": ["hulk_2"]})


@pytest.mark.rule("card war_machine_2", "ruling 7")
def test_war_machine_is_not_asked_with_an_empty_deck():
    """Appendix, War Machine: nothing to draw; the empty deck then ends the turn in a draw."""
    t = heroes_turn(slots={4: "war_machine_2"}, heroes={"deck": []})
    t.play("done")
    assert t.winner == "draw"


# Winter Soldier


@pytest.mark.rule(
    "example winter soldier clears a row",
    "card winter_soldier_1",
    "ruling 31",
    "ruling 37",
    "rule winter_soldier_1.discard",
    "rule winter_soldier_1.row",
    "rule winter_soldier_1.not-his-own",
)
def test_winter_soldier_hits_all_villains_facing_heroes_but_his_own():
    """Appendix, Winter Soldier, example: Zola and Red Hulk fall, Leader is spared."""
    t = heroes_turn(
        hand=["thor_1"],
        slots={1: "winter_soldier_1", 2: "hulk_1", 3: "nick_fury_1"},
        facing={1: "leader_1", 2: "zola_1:2", 3: "red_hulk_1:3", 5: "ares_1"},
    )
    t.play("done")
    shows(t, villains={"slots": {1: "leader_1:1", 2: "zola_1:2", 3: "red_hulk_1:3", 5: "ares_1"}})
    assert moves(t) == {"discard thor_1", "no"}
    t.play("discard thor_1")
    shows(
        t, villains={"slots": {1: "leader_1:1", 5: "ares_1"}, "discard": ["red_hulk_1", "zola_1"]}
    )
    shows(t, heroes={"hand": [], "discard": ["thor_1"]})


@pytest.mark.rule(
    "card winter_soldier_1", "ruling 21", "ruling 31", "rule winter_soldier_1.nothing"
)
@pytest.mark.parametrize(
    ("facing", "hand"),
    [({4: "leader_1"}, ["thor_1"]), ({2: "ares_1"}, ["thor_1"]), ({1: "ares_1"}, [])],
    ids=["own opponent only", "facing nobody", "empty hand"],
)
def test_winter_soldier_is_not_asked_in_vain(facing, hand):
    """Ruling 21: the discard is offered only where its damage would have a target."""
    t = heroes_turn(
        hand=hand,
        slots={1: "shield_agents_red", 4: "winter_soldier_1"},
        facing=facing,
        civilians=["", "rygb", "rygb"],
    )
    t.play("done")
    shows(t, on_turn="villains", heroes={"discard": []})


@pytest.mark.rule("card winter_soldier_1", "ruling 11", "rule winter_soldier_1.not-his-own")
def test_winter_soldier_may_give_up_a_battleground():
    """Ruling 11: it goes under its stack, not to the personal pile."""
    t = heroes_turn(
        hand=["street_corner"],
        slots={1: "hulk_1", 6: "winter_soldier_1"},
        facing={1: "red_hulk_2", 6: "leader_1"},
        battlegrounds=["run_down_alley"],
    )
    t.play("done", "discard street_corner")
    shows(t, battlegrounds=["run_down_alley", "street_corner"], heroes={"discard": []})
    shows(t, villains={"slots": {1: "red_hulk_2:4", 6: "leader_1:1"}})


@pytest.mark.rule("card winter_soldier_1", "ruling 22", "rule winter_soldier_1.optional")
def test_winter_soldier_may_keep_his_cards():
    """Ruling 22: declining costs and does nothing."""
    t = heroes_turn(
        hand=["thor_1"], slots={4: "winter_soldier_1", 6: "hulk_1"}, facing={6: "red_hulk_2"}
    )
    t.play("done", "no")
    shows(t, villains={"slots": {6: "red_hulk_2:3"}}, heroes={"discard": []})


@pytest.mark.rule("card winter_soldier_2", "ruling 26", "rule winter_soldier_2.not-himself")
def test_the_stronger_winter_soldier_strengthens_the_others():
    """Appendix, Winter Soldier (second): 1 more for every other hero, none for himself."""
    t = heroes_turn(
        slots={1: "black_panther_1", 2: "winter_soldier_2"}, facing={1: "ares_1", 2: "leader_1"}
    )
    t.play("done")
    shows(t, villains={"slots": {2: "leader_1:2"}, "discard": ["ares_1"]})


@pytest.mark.rule("card winter_soldier_2", "ruling 26")
def test_a_pair_gains_one_for_each_of_its_cards():
    """Ruling 26: 1 and 1 become 2 and 2, enough for M.O.D.O.K."""
    t = heroes_turn(
        slots={1: "hawkeye_1+doctor_strange_1", 6: "winter_soldier_2"}, facing={1: "modok_2"}
    )
    t.play("done")
    shows(t, villains={"slots": {}, "discard": ["modok_2"]})


@pytest.mark.rule("card winter_soldier_2", "ruling 26")
def test_winter_soldier_with_strange_below_lends_strength_to_strange_only():
    """Ruling 26: his own attack of 2 is joined by a Strange of 1 and 1 more."""
    t = heroes_turn(slots={1: "winter_soldier_2+doctor_strange_1"}, facing={1: "red_hulk_2"})
    t.play("done")
    shows(t, villains={"slots": {1: "red_hulk_2:4"}})
