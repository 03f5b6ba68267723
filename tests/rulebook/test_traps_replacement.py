"""Copies that replace one another while other effects are open."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows
from tests.rulebook.turns import heroes_turn, villains_turn


@pytest.mark.rule("ruling 13", "ruling 16", "ruling 20", "card kang_1", "card leader_1")
def test_kang_fetches_a_replacement_inside_the_agents_effect():
    """Rulings 13, 16: neither Kang nor Leader is paid for or placed; both old copies go."""
    t = villains_turn(
        slots={1: "kang_2:1", 2: "leader_2:2"},
        hand=["hydra_agents_green", "kang_1", "zola_1"],
        villains={"discard": ["leader_1", "leader_2"], "deck": ["ares_1", "ares_2", "loki_1"]},
    )
    t.play("play hydra_agents_green", "discard zola_1", "slot 3")
    assert (t.question, moves(t)) == ("play for any", {"play kang_1", "no"})
    t.play("play kang_1")
    assert (t.question, t.question_source) == ("fetch", "kang_1")
    assert moves(t) == {"fetch leader_1", "fetch zola_1", "no"}
    t.play("fetch leader_1")
    shows(t, villains={"slots": {1: "kang_1", 2: "leader_1", 3: "hydra_agents_green"}})
    assert (t.question, t.question_source) == ("draw", "leader_1")
    t.play("yes")
    assert (t.question, moves(t)) == ("recruitment", {"done"})
    shows(t, villains={"hand": ["ares_1"], "discard": ["kang_2", "leader_2", "leader_2", "zola_1"]})


@pytest.mark.rule("ruling 13", "ruling 16", "card thanos_1", "card kang_2")
def test_a_fetched_replacement_may_fell_its_fetcher():
    """Rulings 13, 16: the new Thanos starts unhurt, then everybody takes 2, Kang included."""
    t = villains_turn(
        slots={1: "kang_1", 2: "thanos_1:2"},
        hand=["kang_2", "hydra_agents_blue"],
        facing={2: "hawkeye_1"},
        villains={"discard": ["thanos_2"]},
    )
    t.play("play kang_2", "fetch thanos_2")
    shows(t, villains={"slots": ["kang_2:2", "thanos_2:2"], "discard": ["kang_1", "thanos_1"]})
    shows(t, heroes={"slots": {}, "discard": ["hawkeye_1"]})
    assert (t.to_move, t.question) == ("villains", "recruitment")


@pytest.mark.rule("ruling 13", "ruling 16", "ruling 20")
def test_a_fetched_captive_plays_a_kang_who_fetches_another_of_him():
    """Rulings 13, 16: Kang and Iron Man replace themselves in each other's effect."""
    t = villains_turn(
        slots={1: "kang_1"},
        hand=["kang_2", "kang_2", "loki_1"],
        villains={"discard": ["iron_man_1", "iron_man_2"]},
    )
    t.play("play kang_2", "fetch iron_man_2", "slot 4")
    assert (t.question, moves(t)) == ("play free", {"play kang_2", "play loki_1", "no"})
    t.play("play kang_2")
    assert (t.question, moves(t)) == ("fetch", {"fetch iron_man_1", "no"})
    t.play("fetch iron_man_1")
    shows(t, villains={"slots": {1: "kang_2", 4: "iron_man_1"}})
    shows(t, villains={"discard": ["iron_man_2", "kang_1", "kang_2"]})
    assert (t.question, moves(t)) == ("recruitment", {"done"})


@pytest.mark.rule("ruling 13", "ruling 20", "ruling 39", "card iron_man_1", "card iron_man_2")
def test_iron_man_replaces_himself_above_a_strange_and_then_the_strange():
    """Rulings 13, 39: three replacements in one chain, and nobody chooses a place."""
    t = heroes_turn(
        hand=["iron_man_2", "iron_man_1", "doctor_strange_1"],
        slots={1: "iron_man_1:1+doctor_strange_2:1"},
    )
    t.play("play iron_man_2")
    shows(t, heroes={"slots": {1: "iron_man_2+doctor_strange_2:1"}})
    assert (t.question, moves(t)) == (
        "play free",
        {"play doctor_strange_1", "play iron_man_1", "no"},
    )
    t.play("play iron_man_1")
    shows(t, heroes={"slots": {1: "iron_man_1+doctor_strange_2:1"}})
    assert (t.question, moves(t)) == ("play free", {"play doctor_strange_1", "no"})
    t.play("play doctor_strange_1")
    assert (t.question, moves(t)) == ("recruitment", {"done"})
    shows(t, heroes={"slots": {1: "iron_man_1+doctor_strange_1"}, "hand": []})
    shows(t, heroes={"discard": ["doctor_strange_2", "iron_man_1", "iron_man_2"]})


@pytest.mark.rule("ruling 13", "ruling 20", "ruling 39", "card iron_man_2", "card thor_2")
def test_iron_man_replaces_the_host_of_a_strange():
    """Rulings 13, 39: the new Thor lies where the old one lay, Strange keeps his damage."""
    t = heroes_turn(
        hand=["iron_man_2", "thor_2"],
        slots={2: "iron_man_1", 3: "thor_1:2+doctor_strange_1:1"},
    )
    t.play("play iron_man_2", "play thor_2")
    assert (t.question, moves(t)) == ("recruitment", {"done"})
    shows(t, heroes={"slots": {2: "iron_man_2", 3: "thor_2+doctor_strange_1:1"}})
    shows(t, heroes={"discard": ["iron_man_1", "thor_1"]})


@pytest.mark.rule("ruling 13", "ruling 14", "ruling 39", "card iron_man_1")
def test_on_a_full_side_iron_man_replaces_or_tucks():
    """Ruling 14: no slot for Hawkeye; Strange goes below, a copy of Thor takes Thor's slot."""
    full = dict(enumerate(2 * ["shield_agents_red"] + 2 * ["shield_agents_blue"], start=1))
    t = heroes_turn(
        hand=["iron_man_2", "hawkeye_1", "thor_2", "doctor_strange_1"],
        slots={**full, 5: "iron_man_1", 6: "thor_1"},
    )
    t.play("play iron_man_2")
    assert moves(t) == {"play doctor_strange_1", "play thor_2", "no"}
    t.play("play doctor_strange_1")
    assert (t.question, moves(t)) == ("placement", {f"tuck {n}" for n in range(1, 7)})
    t.play("tuck 5")
    shows(t, heroes={"slots": {**full, 5: "iron_man_2+doctor_strange_1", 6: "thor_1"}})


@pytest.mark.rule("ruling 13", "ruling 39", "card doctor_strange_2")
def test_a_strange_who_stepped_up_is_replaced_in_the_slot():
    """Rulings 13, 39: his host fell to the own Darkhold, so his place is the slot now."""
    t = heroes_turn(
        hand=["doctor_strange_2"],
        slots={1: "hawkeye_1+doctor_strange_1", 2: "thor_1"},
        heroes={"artifacts": ["darkhold"]},
    )
    t.play("artifact darkhold")
    shows(t, heroes={"slots": {1: "doctor_strange_1:1", 2: "thor_1:1"}})
    t.play("play doctor_strange_2")
    assert (t.question, moves(t)) == ("recruitment", {"done"})
    shows(t, heroes={"slots": {1: "doctor_strange_2", 2: "thor_1:1"}})


@pytest.mark.rule("ruling 13", "ruling 38", "ruling 46", "card ant_man_2")
def test_an_ant_man_brought_by_iron_man_starts_afresh():
    """Rulings 13, 38: the old copy's reduction was used up, the new copy has its own."""
    t = heroes_turn(
        hand=["iron_man_1", "ant_man_2", "black_panther_1"],
        slots={1: "iron_man_2", 2: "ant_man_1", 3: "black_panther_2", 4: "thor_1:2"},
        facing={1: "hydra_agents_red", 2: "hydra_agents_blue"},
        heroes={"artifacts": ["ebony_blade"]},
        villains={"artifacts": ["eternal_flame"]},
    )
    t.play("artifact ebony_blade", "target v1", "target h2")
    shows(t, heroes={"slots": ["iron_man_2", "ant_man_1", "black_panther_2", "thor_1:2"]})
    t.play("play iron_man_1", "play ant_man_2", "play black_panther_1")
    t.play("target h4", "target v2", "target h2")
    shows(t, heroes={"slots": ["iron_man_1", "ant_man_2", "black_panther_1", "thor_1:1"]})


@pytest.mark.rule("ruling 13", "ruling 47", "artifact warlocks_eye")
def test_each_replacement_of_a_chain_calls_the_eye_from_the_inside_out():
    """Rulings 20, 47: Strange, then the inner Iron Man, then the outer one; three cards."""
    t = heroes_turn(
        hand=["iron_man_2", "iron_man_1", "doctor_strange_1"],
        slots={1: "iron_man_1+doctor_strange_2"},
        heroes={"artifacts": ["warlocks_eye"]},
        villains={"hand": ["ares_1", "ares_2", "zola_1", "zola_2"]},
    )
    t.play("play iron_man_2", "play iron_man_1", "play doctor_strange_1")
    for left in (3, 2, 1):
        assert (t.to_move, t.question, len(t.legal())) == ("villains", "warlock discard", left + 1)
        t.play(t.legal()[0])
        assert len(t.position()["villains"]["hand"]) == left
    assert (t.to_move, t.question) == ("heroes", "recruitment")
    shows(t, villains={"hand": ["zola_2"]})


@pytest.mark.rule("ruling 13", "ruling 18", "card hela_1", "card hela_2")
def test_a_replaced_hela_waits_in_the_discard_pile():
    """Rulings 13, 18: replaced she may come back, but only when no Hela stands there."""
    t = villains_turn(
        slots={1: "hela_1"},
        hand=["hela_2", "ultron_1", "ultron_2"],
        facing={1: "hulk_1"},
        villains={"artifacts": ["darkhold"]},
    )
    t.play("play hela_2")
    shows(t, villains={"slots": {1: "hela_2"}, "discard": ["hela_1"]})
    assert "fetch hela_1" not in moves(t)
    t.play("artifact darkhold")
    shows(t, villains={"slots": {1: "hela_2:1"}}, heroes={"slots": {1: "hulk_1:2"}})
    assert "fetch hela_1" not in moves(t)
