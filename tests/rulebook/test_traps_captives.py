"""Captured heroes in every later role: target, attacker, source and obstacle (ruling 33)."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows
from tests.rulebook.turns import heroes_turn, villains_turn

# As a target


@pytest.mark.rule("ruling 21", "ruling 33", "card hydra_agents_red")
@pytest.mark.parametrize(("hero", "asked"), [({}, False), ({5: "hulk_1"}, True)])
def test_red_agents_do_not_count_a_captive_as_a_hero(hero, asked):
    """Rulings 21, 33: Thor stands with the villains, so only a real hero makes them ask."""
    t = villains_turn(
        {1: "thor_1"}, hero, hand=["hydra_agents_red", "ares_1", "zola_1"]
    )
    t.play("play hydra_agents_red", "discard ares_1", "slot 2")
    if asked:
        assert (t.question, moves(t)) == ("give up card", {"discard zola_1", "no"})
        t.play("discard zola_1")
        assert moves(t) == {"target h5"}
    else:
        assert t.question == "recruitment"


@pytest.mark.rule("ruling 33", "ruling 37", "ruling 46", "card thanos_1")
def test_thanos_fells_captives_for_the_villains_flame():
    """Rulings 33, 46: one fallen captive, one answer of the Villains; he joins their pile."""
    t = villains_turn(
        {1: "thanos_2", 2: "black_panther_1", 3: "thor_1"},
        {5: "hawkeye_1", 6: "hulk_1"},
        hand=["thanos_1"],
        villains={"artifacts": ["eternal_flame"]},
    )
    t.play("play thanos_1")
    shows(t, villains={"slots": {1: "thanos_1:2", 3: "thor_1:2"}})
    shows(t, villains={"discard": ["black_panther_1", "thanos_2"]})
    shows(t, heroes={"discard": ["hawkeye_1"]})
    assert (t.to_move, t.question, moves(t)) == ("villains", "flame", {"target h6", "no"})
    t.play("target h6")
    assert (t.to_move, t.question) == ("villains", "recruitment")
    shows(t, heroes={"slots": {}, "discard": ["hawkeye_1", "hulk_1"]})


@pytest.mark.rule("ruling 33", "ruling 43", "artifact darkhold", "artifact tactigon")
def test_each_sides_artifacts_know_on_whose_side_a_captive_stands():
    """Ruling 33: 1 damage of the Villains' Darkhold, 1 more of the Heroes' Tactigon."""
    t = villains_turn(
        {1: "thor_1", 2: "hydra_agents_yellow"},
        {1: "hulk_2"},
        villains={"artifacts": ["darkhold"]},
        heroes={"artifacts": ["tactigon"]},
    )
    t.play("artifact darkhold", "done")
    shows(t, villains={"slots": {1: "thor_1:1", 2: "hydra_agents_yellow:1"}})
    shows(t, heroes={"slots": {}, "discard": ["hulk_2"]})
    assert t.question == "relocate"
    t.play("no", "artifact tactigon")
    shows(t, villains={"slots": {1: "thor_1:2", 2: "hydra_agents_yellow:2"}})


@pytest.mark.rule("ruling 33", "card zola_2", "card zola_1")
def test_zola_heals_captives_and_the_lifeline_does_not_reach_across():
    """Ruling 33: one damage from each villain, Thor included; Hulk keeps his."""
    t = villains_turn({1: "zola_2", 2: "thor_1:2", 3: "hawkeye_2:1"}, {3: "hulk_1:2"})
    t.play("done")
    assert (t.question, moves(t)) == ("heal each", {"yes", "no"})
    t.play("yes")
    shows(t, villains={"slots": {1: "zola_2", 2: "thor_1:1", 3: "hawkeye_2"}})
    shows(t, heroes={"slots": {3: "hulk_1:2"}})


@pytest.mark.rule("ruling 31", "ruling 33", "card winter_soldier_1")
def test_winter_soldier_hits_a_captive_who_faces_a_hero():
    """Rulings 31, 33: slot 2's captive faces Fury; slot 3's faces nobody."""
    t = heroes_turn(
        hand=["thor_1"],
        slots={1: "winter_soldier_1", 2: "nick_fury_1"},
        facing={1: "leader_1", 2: "black_panther_1:1", 3: "hawkeye_1"},
    )
    t.play("done", "discard thor_1")
    shows(t, villains={"slots": {1: "leader_1:1", 3: "hawkeye_1"}, "discard": ["black_panther_1"]})
    assert (t.question, t.question_source) == ("free civilian", "nick_fury_1")


@pytest.mark.rule("ruling 33", "ruling 37", "card black_panther_2")
def test_black_panther_puts_both_tokens_on_a_captive():
    """Ruling 33: a captive is a villain to take them, never a hero to give them."""
    t = heroes_turn(
        hand=["black_panther_2"],
        slots={1: "black_panther_1", 2: "captain_marvel_1:2"},
        facing={3: "thor_1:1", 4: "iron_man_1:1"},
    )
    t.play("play black_panther_2")
    assert moves(t) == {"target h2", "no"}
    t.play("target h2")
    assert moves(t) == {"target v3", "target v4"}
    t.play("target v4")
    shows(t, villains={"discard": ["iron_man_1"]}, heroes={"discard": ["black_panther_1"]})
    t.play("target h2", "target v3")
    shows(t, villains={"slots": {3: "thor_1:2"}}, heroes={"slots": {
        1: "black_panther_2", 2: "captain_marvel_1",
    }})  # fmt: skip


@pytest.mark.rule("ruling 25", "ruling 33", "card ultron_1")
def test_a_captive_has_no_part_in_ultrons_immunity():
    """Rulings 25, 33: a red captive beside him is his own side; red heroes spare Ultron only."""
    t = heroes_turn(
        hand=["captain_marvel_1"],
        slots={1: "captain_marvel_2"},
        facing={1: "ultron_1", 2: "ant_man_2", 3: "nick_fury_1"},
    )
    t.play("play captain_marvel_1")
    assert moves(t) == {"target v2", "target v3", "no"}
    t.play("target v2")
    shows(t, villains={"slots": {1: "ultron_1", 2: "ant_man_2", 3: "nick_fury_1"}})


# As an attacker


@pytest.mark.rule("ruling 33", "card captain_america_1", "card loki_1")
def test_a_captive_captures_nobody():
    """Ruling 33: only Loki's own attack takes heroes over; the captive just defeats."""
    t = villains_turn({1: "loki_1"}, {1: "thor_1:1", 2: "hawkeye_1", 4: "hulk_1"})
    t.play("done", "slot 2")
    assert t.question == "relocate"
    shows(t, heroes={"slots": {4: "hulk_1"}, "discard": ["hawkeye_1"]})
    t.play("slot 4")
    shows(t, on_turn="heroes", villains={"slots": {1: "loki_1", 4: "thor_1"}})
    shows(t, heroes={"slots": {4: "hulk_1"}})


@pytest.mark.rule("ruling 28", "ruling 27", "ruling 33", "card captain_america_2")
def test_modok_lends_a_captured_captain_his_attack_but_not_a_second_effect():
    """Rulings 27, 28: two attacks on the hero he faces, one extra damage."""
    t = villains_turn({2: "captain_america_2", 3: "modok_1"}, {2: "hulk_2", 5: "thor_1"})
    t.play("done")
    assert (t.question, moves(t)) == ("damage", {"target h2", "target h5", "no"})
    t.play("target h5")
    assert (t.question, moves(t)) == ("lead attack", {"slot 2", "no", "done"})
    t.play("slot 2")
    shows(t, on_turn="heroes", villains={"slots": {2: "captain_america_2", 3: "modok_1"}})
    shows(t, heroes={"slots": {5: "thor_1:1"}, "discard": ["hulk_2"]})


@pytest.mark.rule("ruling 33", "ruling 41", "card thor_1", "card hulk_1")
def test_captives_take_the_bonuses_of_all_three_locations():
    """Ruling 33: a point, a step towards the Villains' end, a battleground for their hand."""
    t = villains_turn(
        {3: "hulk_1", 4: "nick_fury_1", 6: "thor_1"},
        battlegrounds=["street_corner", "run_down_alley"],
    )
    t.play("done", "no")
    shows(t, on_turn="heroes", victory=1, artifact_marker=1, battlegrounds=["run_down_alley"])
    assert "street_corner" in t.position()["villains"]["hand"]
    shows(t, heroes={"freed": ""}, civilians=["rygb"] * 3)


@pytest.mark.rule("ruling 26", "ruling 33", "card winter_soldier_2")
def test_a_winter_soldier_changes_sides_in_the_middle_of_the_phase():
    """Rulings 26, 33: captured in slot 1, he strengthens the villains of the slots to come."""
    t = villains_turn(
        {1: "loki_1", 2: "leader_1", 3: "hydra_agents_yellow"},
        {1: "winter_soldier_2", 2: "hulk_1", 3: "thor_1"},
    )
    t.play("done", "slot 6")
    shows(t, heroes={"slots": {2: "hulk_1:2", 3: "thor_1:1"}})
    shows(t, on_turn="heroes", villains={"slots": {
        1: "loki_1", 2: "leader_1", 3: "hydra_agents_yellow", 6: "winter_soldier_2",
    }})  # fmt: skip


@pytest.mark.rule("ruling 26", "ruling 33", "ruling 46", "card winter_soldier_2")
def test_the_strength_he_lends_ends_with_the_captured_winter_soldier():
    """Rulings 26, 33, 46: the Flame fells him after slot 1, and slot 2 cannot attack any more."""
    t = villains_turn(
        {1: "leader_1", 2: "hydra_agents_yellow", 6: "winter_soldier_2:1"},
        {1: "hawkeye_2", 2: "thor_1"},
        heroes={"artifacts": ["eternal_flame"]},
    )
    t.play("done", "target v6")
    shows(t, on_turn="heroes", heroes={"slots": {2: "thor_1"}, "discard": ["hawkeye_2"]})
    shows(t, villains={"discard": ["winter_soldier_2"]})


@pytest.mark.rule("ruling 30", "ruling 33", "card thor_2", "card loki_2")
def test_a_captured_thor_leaves_a_slot_that_a_captive_then_fills():
    """Rulings 30, 33: Thor moves to slot 6; his old slot is the one Loki's captive can take."""
    t = villains_turn(
        {1: "thor_1", 2: "loki_1", 3: "hydra_agents_yellow", 4: "kang_1", 5: "ultron_1"},
        {2: "hawkeye_1", 4: "hulk_1", 5: "war_machine_1"},
        villains={"artifacts": []},
    )
    t.play("done")
    assert (t.question, moves(t)) == ("relocate", {"slot 6", "no"})
    t.play("slot 6")
    assert (t.question, moves(t)) == ("capture", {"slot 1", "no"})
    t.play("slot 1")
    shows(t, on_turn="heroes", victory=1, villains={"slots": [
        "hawkeye_1", "loki_1", "hydra_agents_yellow", "kang_1", "ultron_1", "thor_1",
    ]})  # fmt: skip


@pytest.mark.rule("ruling 33", "ruling 39", "card doctor_strange_2")
def test_a_captured_strange_attacks_and_defends_alone():
    """Rulings 33, 39: a villain like others, beside whom no hero has anything below."""
    t = villains_turn({1: "doctor_strange_2", 2: "ares_1"}, {1: "thor_1", 2: "hulk_1"})
    t.play("done", "target h1")
    shows(t, on_turn="heroes", heroes={"slots": {2: "hulk_1:2"}, "discard": ["thor_1"]})


# As an obstacle


@pytest.mark.rule("ruling 33", "ruling 17", "card doctor_strange_1", "card iron_man_2")
def test_a_captured_strange_bars_his_copies_below_heroes_too():
    """Ruling 33: neither paid, nor below Hulk, nor by Iron Man."""
    t = heroes_turn(
        hand=["doctor_strange_1", "iron_man_2", "ant_man_1", "nick_fury_1"],
        slots={1: "hulk_1", 2: "iron_man_1"},
        facing={1: "doctor_strange_2"},
    )
    assert moves(t) == {"play ant_man_1", "play iron_man_2", "play nick_fury_1", "done"}
    t.play("play iron_man_2")
    assert moves(t) == {"play ant_man_1", "play nick_fury_1", "no"}


@pytest.mark.rule("ruling 33", "ruling 16", "card kang_2")
def test_a_fallen_captive_is_free_for_whoever_comes_first():
    """Rulings 16, 33: in the pile he bars nobody; a Thor of the Heroes then bars his return."""
    t = heroes_turn(
        hand=["thor_2", "captain_america_1", "captain_america_2", "hulk_1", "hulk_2"],
        facing={1: "thor_1:2", 6: "kang_1"},
        heroes={"artifacts": ["ebony_blade"]},
        villains={"hand": ["kang_2", "kang_2"]},
    )
    t.play("artifact ebony_blade", "target v1")
    free = t.clone()
    free.play("done", "play kang_2")
    assert (free.question, moves(free)) == ("fetch", {"fetch thor_1", "no"})
    t.play("play thor_2", "discard captain_america_1", "discard captain_america_2")
    t.play("discard hulk_1", "discard hulk_2", "slot 4", "done", "no", "play kang_2")
    assert (t.to_move, t.question) == ("villains", "recruitment")
    shows(t, villains={"slots": {6: "kang_2"}, "discard": ["kang_1", "thor_1"]})
