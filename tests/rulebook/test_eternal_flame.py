"""Eternal Flame: which defeats light it, when, and whom it burns."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows, side, table


@pytest.mark.rule(
    "artifact eternal_flame",
    "ruling 46",
    "ruling 49",
    "rule eternal_flame.each-defeat",
    "rule eternal_flame.damage",
)
def test_the_flame_answers_in_the_opponents_turn():
    """Ruling 46: the owner decides, even when it is not his turn."""
    t = table(
        to_move="heroes",
        heroes=side(slots={1: "hulk_1", 5: "thor_1+doctor_strange_1"}),
        villains=side(slots={1: "ares_1"}, artifacts=["eternal_flame"]),
    )
    t.play("done")
    shows(t, on_turn="heroes", villains={"discard": ["ares_1"]})
    assert (t.to_move, moves(t)) == ("villains", {"target h1", "target h5", "target h5u", "no"})
    t.play("target h5u")
    shows(t, heroes={"slots": {1: "hulk_1", 5: "thor_1+doctor_strange_1:1"}})


@pytest.mark.rule("artifact eternal_flame", "ruling 46", "rule eternal_flame.optional")
def test_the_flame_may_be_declined():
    """Ruling 46: the damage is optional."""
    t = table(
        villains=side(slots={4: "leader_1", 1: "thanos_1"}),
        heroes=side(slots={1: "hawkeye_1"}, artifacts=["eternal_flame"]),
    )
    t.play("done")
    assert (t.to_move, moves(t)) == ("heroes", {"target v1", "target v4", "no"})
    t.play("no")
    shows(t, on_turn="heroes", villains={"slots": {1: "thanos_1", 4: "leader_1"}})


@pytest.mark.rule("artifact eternal_flame", "ruling 40", "ruling 46", "rule eternal_flame.check")
def test_an_attacker_burnt_in_its_own_attack_gets_no_effect():
    """Ruling 40: Ares defeats a hero, the Flame defeats Ares, his attack effect is gone."""
    t = table(
        villains=side(slots={1: "ares_1:1"}),
        heroes=side(slots={1: "hawkeye_1", 2: "hulk_1"}, artifacts=["eternal_flame"]),
    )
    t.play("done", "target v1")
    shows(t, to_move="heroes", on_turn="heroes", victory=0)
    shows(t, villains={"slots": {}, "discard": ["ares_1"]}, heroes={"slots": {2: "hulk_1"}})


@pytest.mark.rule("artifact eternal_flame", "ruling 40", "rule taskmaster_2.check-each")
def test_a_burnt_taskmaster_has_no_second_attack():
    """Ruling 40: a second attack needs a living attacker."""
    t = table(
        villains=side(slots={1: "taskmaster_2:2"}),
        heroes=side(slots={1: "hawkeye_1"}, artifacts=["eternal_flame"]),
    )
    t.play("done", "target v1")
    shows(t, on_turn="heroes", victory=0, villains={"discard": ["taskmaster_2"]})


@pytest.mark.rule("artifact eternal_flame", "ruling 40", "ruling 39")
def test_a_strange_stepping_up_in_an_attack_does_nothing_more():
    """Ruling 40: the host burns in his attack; Strange takes the slot without his effect."""
    t = table(
        to_move="heroes",
        heroes=side(slots={1: "captain_america_1:2+doctor_strange_1"}),
        villains=side(slots={1: "ares_1", 2: "leader_1"}, artifacts=["eternal_flame"]),
    )
    t.play("done")
    assert moves(t) == {"target h1", "target h1u", "no"}
    t.play("target h1")
    shows(t, to_move="villains", on_turn="villains", civilians=["rygb"] * 3)
    shows(t, heroes={"slots": {1: "doctor_strange_1"}, "discard": ["captain_america_1"]})
    shows(t, villains={"slots": {2: "leader_1"}})


@pytest.mark.rule(
    "artifact eternal_flame",
    "ruling 37",
    "ruling 46",
    "rule thanos.then-check",
    "rule eternal_flame.again",
)
def test_each_fallen_card_lights_the_flame_once():
    """Ruling 46: a pair that falls together asks twice, each question settled before the next."""
    t = table(
        villains=side(hand=["thanos_1"], slots={1: "thanos_2", 2: "modok_2"}),
        heroes=side(
            slots={4: "black_panther_1+doctor_strange_1", 5: "hulk_1"}, artifacts=["eternal_flame"]
        ),
    )
    t.play("play thanos_1")
    shows(t, heroes={"slots": {5: "hulk_1:2"}, "discard": ["black_panther_1", "doctor_strange_1"]})
    shows(t, villains={"slots": {1: "thanos_1:2", 2: "modok_2:2"}})
    assert (t.to_move, moves(t)) == ("heroes", {"target v1", "target v2", "no"})
    t.play("target v1")
    shows(t, villains={"slots": {2: "modok_2:2"}, "discard": ["thanos_1", "thanos_2"]})
    assert (t.to_move, moves(t)) == ("heroes", {"target v2", "no"})
    t.play("target v2")
    assert (t.to_move, moves(t)) == ("villains", {"done"})
    shows(t, villains={"slots": {2: "modok_2:3"}})


@pytest.mark.rule("artifact eternal_flame", "ruling 46")
def test_the_flame_falls_silent_without_a_target():
    """Ruling 46: the first question removed the last opposing card, the second is not put."""
    t = table(
        villains=side(hand=["thanos_1"], slots={1: "thanos_2"}),
        heroes=side(slots={4: "hawkeye_1", 5: "ant_man_1"}, artifacts=["eternal_flame"]),
    )
    t.play("play thanos_1", "target v1")
    assert (t.to_move, moves(t)) == ("villains", {"done"})
    shows(t, villains={"slots": {}}, heroes={"slots": {}})


@pytest.mark.rule(
    "artifact eternal_flame", "artifact darkhold", "ruling 37", "rule darkhold.then-check"
)
def test_cards_falling_together_are_no_targets():
    """Ruling 37: all damage and all checks come before the Flame."""
    t = table(
        villains=side(slots={1: "hydra_agents_red", 2: "leader_1"}, artifacts=["darkhold"]),
        heroes=side(slots={1: "hawkeye_1"}, artifacts=["eternal_flame"]),
    )
    t.play("artifact darkhold")
    assert (t.to_move, moves(t)) == ("heroes", {"target v2", "no"})
    shows(t, villains={"slots": {2: "leader_1:1"}, "discard": ["hydra_agents_red"]})


@pytest.mark.rule("artifact eternal_flame", "ruling 13")
def test_a_replacement_does_not_light_the_flame():
    """Ruling 13: being replaced is no defeat."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["thor_2"], slots={1: "thor_1:2"}, artifacts=["eternal_flame"]),
        villains=side(slots={1: "ares_1"}),
    )
    t.play("play thor_2")
    assert (t.to_move, moves(t)) == ("heroes", {"done"})


@pytest.mark.rule("artifact eternal_flame", "ruling 38")
def test_the_flame_is_dampened_by_ant_man():
    """Ruling 38: its damage is the first of this turn for him."""
    t = table(
        to_move="heroes",
        heroes=side(slots={1: "thor_1", 2: "ant_man_1"}),
        villains=side(slots={1: "ares_1", 2: "leader_1"}, artifacts=["eternal_flame"]),
    )
    t.play("done", "target h2")
    shows(t, heroes={"slots": {1: "thor_1", 2: "ant_man_1"}})


@pytest.mark.rule(
    "artifact eternal_flame",
    "card winter_soldier_1",
    "ruling 46",
    "rule winter_soldier_1.bonus-too",
    "rule eternal_flame.again",
)
def test_a_cleared_row_lights_the_flame_for_each_villain():
    """Ruling 46: two villains fall to Winter Soldier, two questions follow one another."""
    t = table(
        to_move="heroes",
        heroes=side(
            hand=["thor_1"], slots={1: "winter_soldier_1:1", 2: "nick_fury_1", 3: "war_machine_1"}
        ),
        villains=side(
            slots={2: "hydra_agents_red", 3: "hydra_agents_green"}, artifacts=["eternal_flame"]
        ),
        civilians=["", "rygb", "rygb"],
    )
    t.play("done", "discard thor_1")
    shows(t, victory=-1, villains={"slots": {}})
    assert (t.to_move, moves(t)) == ("villains", {"target h1", "target h2", "target h3", "no"})
    t.play("target h1")
    assert (t.to_move, moves(t)) == ("villains", {"target h2", "target h3", "no"})
    t.play("target h3")
    assert t.to_move == "heroes"
    shows(t, heroes={"slots": {2: "nick_fury_1", 3: "war_machine_1:1"}})


@pytest.mark.rule("artifact eternal_flame", "ruling 40", "ruling 46")
def test_a_burnt_card_does_not_attack_later():
    """Ruling 40: fallen before its slot came up, it has no attack."""
    t = table(
        to_move="heroes",
        heroes=side(slots={1: "thor_1", 4: "war_machine_1:1"}),
        villains=side(slots={1: "ares_1"}, artifacts=["eternal_flame"]),
    )
    t.play("done", "target h4")
    assert t.to_move == "heroes"
    t.play("no")
    shows(t, on_turn="villains", artifact_marker=0)


@pytest.mark.rule(
    "artifact eternal_flame",
    "ruling 46",
    "card thanos_1",
    "rule eternal_flame.each-defeat",
    "rule eternal_flame.check",
)
def test_an_own_effect_lights_the_own_flame():
    """Ruling 46: any cause counts, also Thanos striking down his own side."""
    t = table(
        villains=side(
            hand=["thanos_1"], slots={1: "thanos_2", 2: "ares_1"}, artifacts=["eternal_flame"]
        ),
        heroes=side(slots={1: "hulk_1", 2: "hawkeye_1"}),
    )
    t.play("play thanos_1")
    shows(t, villains={"slots": {1: "thanos_1:2"}, "discard": ["ares_1", "thanos_2"]})
    assert (t.to_move, moves(t)) == ("villains", {"target h1", "no"})
    t.play("target h1")
    shows(t, heroes={"slots": {}, "discard": ["hawkeye_1", "hulk_1"]})
    assert (t.to_move, moves(t)) == ("villains", {"done"})
