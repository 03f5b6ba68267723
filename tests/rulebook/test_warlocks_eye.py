"""Warlock's Eye: which cards make the opponent discard, and when."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows, side, table


@pytest.mark.rule(
    "artifact warlocks_eye",
    "ruling 47",
    "ruling 49",
    "rule warlocks_eye.discard",
    "rule warlocks_eye.opponents-choice",
)
def test_warlocks_eye_takes_a_card_of_the_opponents_choice():
    """Ruling 47: compulsory, after the played card's own immediate effect."""
    t = table(
        to_move="heroes",
        heroes=side(
            hand=["captain_marvel_2"], slots={1: "captain_marvel_1"}, artifacts=["warlocks_eye"]
        ),
        villains=side(hand=["zola_1", "ares_1", "street_corner"], slots={1: "ares_2:1"}),
        battlegrounds=[],
    )
    t.play("play captain_marvel_2")
    assert (t.to_move, moves(t)) == ("heroes", {"target v1", "no"})
    t.play("target v1")
    assert t.to_move == "villains"
    assert moves(t) == {"discard ares_1", "discard zola_1", "discard street_corner"}
    card = t.clone()
    card.play("discard zola_1")
    shows(card, to_move="heroes", villains={"discard": ["ares_2", "zola_1"]})
    t.play("discard street_corner")
    shows(t, villains={"hand": ["ares_1", "zola_1"], "discard": ["ares_2"]})
    shows(t, to_move="heroes", battlegrounds=["street_corner"])


@pytest.mark.rule("artifact warlocks_eye", "ruling 47", "rule warlocks_eye.main-only")
def test_warlocks_eye_sees_no_side_characters_and_no_battlegrounds():
    """Appendix, Warlock's Eye: main characters only."""
    t = table(
        to_move="heroes",
        heroes=side(
            hand=["shield_agents_red", "street_corner", "hulk_1", "hulk_2"],
            artifacts=["warlocks_eye"],
            freed="ryb",
        ),
        villains=side(hand=["zola_1"]),
        civilians=["g", "rygb", "rygb"],
    )
    t.play("play shield_agents_red", "discard hulk_1", "discard hulk_2", "slot 1")
    assert t.to_move == "heroes"
    t.play("play street_corner", "civilian red", "civilian yellow", "civilian blue")
    shows(t, to_move="heroes", victory=-3, villains={"hand": ["zola_1"]})


@pytest.mark.rule("artifact warlocks_eye", "ruling 47", "rule warlocks_eye.empty-hand")
def test_warlocks_eye_is_blind_to_an_empty_hand():
    """Ruling 47: nothing happens when the opponent holds no card."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["thor_1"], slots={1: "thor_2"}, artifacts=["warlocks_eye"]),
    )
    t.play("play thor_1")
    assert (t.to_move, moves(t)) == ("heroes", {"done"})


@pytest.mark.rule(
    "artifact warlocks_eye",
    "ruling 47",
    "ruling 20",
    "card iron_man_2",
    "rule warlocks_eye.each-time",
)
def test_warlocks_eye_sees_iron_man_and_the_card_he_plays():
    """Rulings 20, 47: first for the inner card, then for Iron Man."""
    t = table(
        to_move="heroes",
        heroes=side(
            hand=["iron_man_2", "thor_1"], slots={1: "iron_man_1"}, artifacts=["warlocks_eye"]
        ),
        villains=side(hand=["zola_1", "ares_1", "leader_1"]),
    )
    t.play("play iron_man_2")
    assert t.to_move == "heroes"
    t.play("play thor_1", "slot 2")
    assert t.to_move == "villains"
    t.play("discard zola_1")
    assert (t.to_move, moves(t)) == ("villains", {"discard ares_1", "discard leader_1"})
    t.play("discard ares_1")
    shows(t, to_move="heroes", villains={"hand": ["leader_1"]})


@pytest.mark.rule("artifact warlocks_eye", "ruling 47", "ruling 33")
def test_warlocks_eye_sees_what_kang_fetches():
    """Ruling 47: a fetched main character counts, a captive too; fetched agents do not."""
    start = dict(
        villains=side(
            hand=["kang_2"],
            slots={6: "kang_1"},
            discard=["nick_fury_1", "shield_agents_red"],
            artifacts=["warlocks_eye"],
        ),
        heroes=side(hand=["thor_1", "hulk_1", "hawkeye_1"]),
    )
    t = table(**start)
    t.play("play kang_2", "fetch nick_fury_1", "slot 1")
    shows(t, to_move="heroes", victory=1)
    t.play("discard thor_1")
    assert (t.to_move, moves(t)) == ("heroes", {"discard hawkeye_1", "discard hulk_1"})
    t.play("discard hulk_1")
    shows(t, to_move="villains", heroes={"hand": ["hawkeye_1"]})
    t = table(**start)
    t.play("play kang_2", "fetch shield_agents_red", "slot 1", "discard thor_1")
    shows(t, to_move="villains", victory=1, heroes={"hand": ["hawkeye_1", "hulk_1"]})


@pytest.mark.rule("artifact warlocks_eye", "ruling 47", "ruling 17")
def test_warlocks_eye_sees_the_second_villain_of_green_agents():
    """Ruling 47: the agents themselves do not count, Leader does, after his own effect."""
    t = table(
        villains=side(
            hand=["hydra_agents_green", "leader_1", "ares_1", "ares_2", "zola_1"],
            artifacts=["warlocks_eye"],
        ),
        heroes=side(hand=["thor_1"]),
    )
    t.play("play hydra_agents_green", "discard zola_1", "slot 1")
    t.play("play leader_1", "discard ares_1", "discard ares_2", "slot 2")
    assert (t.to_move, moves(t)) == ("villains", {"yes", "no"})
    t.play("no")
    assert (t.to_move, moves(t)) == ("heroes", {"discard thor_1"})


@pytest.mark.rule("artifact warlocks_eye", "ruling 18")
def test_warlocks_eye_does_not_see_hela_return():
    """Ruling 18: her return is placing, not playing."""
    t = table(
        villains=side(hand=["kang_1"], discard=["hela_1"], artifacts=["warlocks_eye"]),
        heroes=side(hand=["thor_1"]),
    )
    t.play("fetch hela_1", "discard kang_1", "slot 1")
    shows(t, to_move="villains", villains={"slots": {1: "hela_1"}}, heroes={"hand": ["thor_1"]})


@pytest.mark.rule("artifact warlocks_eye", "ruling 47", "card hulk_1")
def test_hulks_offer_comes_before_warlocks_eye():
    """Ruling 47: the card the Villains draw from Hulk may be the one they give up."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["hulk_1"], slots={1: "hulk_2"}, artifacts=["warlocks_eye"]),
        villains=side(deck=["ares_1", "zola_1", "zola_2"]),
    )
    t.play("play hulk_1", "yes")
    assert (t.to_move, moves(t)) == ("villains", {"discard ares_1"})
