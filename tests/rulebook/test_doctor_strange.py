"""Doctor Strange, in a slot of his own and below another hero."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows
from tests.rulebook.turns import heroes_turn, villains_turn


@pytest.mark.rule(
    "card doctor_strange_1", "ruling 39", "rule doctor_strange.below", "rule doctor_strange.slot"
)
def test_strange_goes_to_an_empty_slot_or_below_any_card():
    """Appendix, Doctor Strange; ruling 39: S.H.I.E.L.D. Agents can shelter him as well."""
    t = heroes_turn(
        hand=["doctor_strange_1", "ant_man_1", "thor_1"],
        slots={1: "hulk_1", 3: "shield_agents_red"},
    )
    t.play("play doctor_strange_1", "discard ant_man_1", "discard thor_1")
    assert moves(t) == {"slot 2", "slot 4", "slot 5", "slot 6", "tuck 1", "tuck 3"}
    slot = t.clone()
    slot.play("slot 4")
    shows(slot, heroes={"slots": {1: "hulk_1", 3: "shield_agents_red", 4: "doctor_strange_1"}})
    t.play("tuck 3")
    shows(t, heroes={"slots": {1: "hulk_1", 3: "shield_agents_red+doctor_strange_1"}})


@pytest.mark.rule("card doctor_strange_1", "ruling 14", "rule doctor_strange.below")
def test_only_strange_finds_room_on_a_full_side():
    """Ruling 14: with six slots taken he can still go below a hero."""
    t = heroes_turn(
        hand=["doctor_strange_1", "ant_man_1", "ant_man_2"],
        slots=["hulk_1", "thor_1", "iron_man_1", "nick_fury_1", "war_machine_1", "hawkeye_1"],
    )
    assert moves(t) == {"play doctor_strange_1", "done"}
    t.play("play doctor_strange_1", "discard ant_man_2", "discard ant_man_1")
    assert moves(t) == {f"tuck {n}" for n in range(1, 7)}


@pytest.mark.rule(
    "example hulk and strange deal five",
    "card doctor_strange_2",
    "card hulk_1",
    "rule doctor_strange.attack-together",
)
def test_hulk_and_strange_together_defeat_red_hulk():
    """Appendix, Doctor Strange, example: strengths 3 and 2 make one attack of 5."""
    t = heroes_turn(slots={1: "hulk_1+doctor_strange_2"}, facing={1: "red_hulk_2"})
    t.play("done")
    shows(t, villains={"slots": {}, "discard": ["red_hulk_2"]}, on_turn="villains")


@pytest.mark.rule(
    "example red hulk defeats strange",
    "card doctor_strange_1",
    "ruling 39",
    "rule doctor_strange.damage-first",
    "rule doctor_strange.falls-alone",
)
def test_red_hulk_defeats_the_strange_below():
    """Appendix, Doctor Strange, example: 2 damage stop at him, his host is untouched."""
    t = villains_turn({1: "red_hulk_1"}, {1: "captain_america_1+doctor_strange_1"})
    t.play("done")
    shows(t, heroes={"slots": {1: "captain_america_1"}, "discard": ["doctor_strange_1"]})


@pytest.mark.rule("card doctor_strange_2", "ruling 39", "rule doctor_strange.rest-on-host")
def test_an_attack_goes_through_strange_into_his_host():
    """Appendix, Doctor Strange: the damage left over lands on the host."""
    t = villains_turn({1: "red_hulk_2"}, {1: "thor_1:1+doctor_strange_2"})
    t.play("done")
    shows(t, heroes={"slots": {1: "thor_1:2"}, "discard": ["doctor_strange_2"]})


@pytest.mark.rule("card doctor_strange_1", "ruling 39", "rule doctor_strange.both-fall")
def test_an_attack_can_defeat_strange_and_host_together():
    """Appendix, Doctor Strange: the rest may be enough for the host too; one attack, no bonus."""
    t = villains_turn({1: "red_hulk_2"}, {1: "thor_1:2+doctor_strange_1"})
    t.play("done")
    shows(t, heroes={"slots": {}, "discard": ["doctor_strange_1", "thor_1"]}, victory=0)


@pytest.mark.rule("card doctor_strange_1", "ruling 39")
def test_effects_choose_between_strange_and_host():
    """Ruling 39: an effect with a target may pass Strange by."""
    t = villains_turn({4: "ares_1"}, {1: "thor_1+doctor_strange_1:1"})
    t.play("done")
    assert moves(t) == {"target h1", "target h1u", "no"}
    t.play("target h1u")
    shows(t, heroes={"slots": {1: "thor_1"}, "discard": ["doctor_strange_1"]})


@pytest.mark.rule("card doctor_strange_1", "ruling 39")
def test_an_effect_on_every_card_hits_strange_and_host():
    """Ruling 39: Thanos deals 2 to each of the two."""
    t = villains_turn(
        slots={6: "thanos_2"}, facing={1: "hulk_1+doctor_strange_1"}, hand=["thanos_1"]
    )
    t.play("play thanos_1")
    shows(t, heroes={"slots": {1: "hulk_1:2"}, "discard": ["doctor_strange_1"]})


@pytest.mark.rule("card doctor_strange_1", "ruling 39")
def test_strange_steps_up_when_his_host_falls():
    """Ruling 39: he is then that slot's ordinary card and attacks with his own strength."""
    t = villains_turn({1: "leader_1", 4: "ares_1"}, {1: "hawkeye_1+doctor_strange_1"})
    t.play("done")
    shows(t, heroes={"slots": {1: "hawkeye_1+doctor_strange_1:1"}})
    t.play("target h1")
    shows(t, heroes={"slots": {1: "doctor_strange_1:1"}, "discard": ["hawkeye_1"]})
    t.play("done")
    shows(t, villains={"slots": {1: "leader_1:1", 4: "ares_1"}}, on_turn="villains")


@pytest.mark.rule("card hulk_2", "card doctor_strange_1", "ruling 39")
def test_strange_stays_below_when_his_host_is_replaced():
    """Ruling 39: only the host's damage ends with the replacement."""
    t = heroes_turn(hand=["hulk_2"], slots={1: "hulk_1:2+doctor_strange_1:1"})
    t.play("play hulk_2", "no")
    shows(t, heroes={"slots": {1: "hulk_2+doctor_strange_1:1"}, "discard": ["hulk_1"]})


@pytest.mark.rule("card doctor_strange_2", "ruling 13")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({1: "hulk_1:1+doctor_strange_1:1"}, {1: "hulk_1:1+doctor_strange_2"}),
        ({1: "hulk_1:1", 4: "doctor_strange_1:1"}, {1: "hulk_1:1", 4: "doctor_strange_2"}),
    ],
    ids=["below", "slot"],
)
def test_a_replacing_strange_takes_exactly_the_old_place(before, after):
    """Ruling 13: below stays below, a slot stays a slot, and nobody is asked."""
    t = heroes_turn(hand=["doctor_strange_2"], slots=before)
    t.play("play doctor_strange_2")
    shows(t, heroes={"slots": after, "discard": ["doctor_strange_1"]})
    assert moves(t) == {"done"}


@pytest.mark.rule("card doctor_strange_1", "ruling 25")
def test_the_host_is_the_source_of_the_whole_sum():
    """Ruling 25: a green host takes red Strange's strength through; a red host loses it all."""
    green = heroes_turn(slots={1: "hawkeye_1+doctor_strange_1"}, facing={1: "ultron_1"})
    green.play("done")
    shows(green, villains={"slots": {}, "discard": ["ultron_1"]})
    red = heroes_turn(slots={1: "ant_man_2+doctor_strange_1"}, facing={1: "ultron_1"})
    red.play("done")
    shows(red, villains={"slots": {1: "ultron_1"}}, civilians=["rygb"] * 3)


@pytest.mark.rule("card doctor_strange_1", "ruling 39")
def test_a_pair_takes_one_bonus_and_one_attack_effect():
    """Ruling 39: the two attack as one card."""
    t = heroes_turn(slots={4: "captain_america_1+doctor_strange_1"}, facing={1: "thanos_1"})
    t.play("done")
    shows(t, artifact_marker=-1)
    t.play("target v1")
    shows(t, on_turn="villains", artifact_marker=-1, villains={"slots": {1: "thanos_1:1"}})
