"""Ultron and what has a colour (ruling 25)."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows, side, table

# Attacks


@pytest.mark.rule(
    "example ultron iron man",
    "ruling 25",
    "card ultron_2",
    "rule ultron_2.attack",
    "rule ultron_2.no-bonus",
)
def test_iron_man_achieves_nothing_against_ultron():
    """Appendix, Ultron, example: yellow does no damage, and the slot is still defended."""
    t = table(
        to_move="heroes",
        heroes=side(slots={4: "iron_man_2"}),
        villains=side(slots={4: "ultron_2"}),
    )
    t.play("done")
    shows(t, to_move="villains", artifact_marker=0, villains={"slots": {4: "ultron_2"}})


@pytest.mark.rule(
    "ruling 25",
    "card ultron_1",
    "card ultron_2",
    "rule attack-effects.permanent-too",
    "rule ultron_1.red-attack",
    "rule ultron_1.no-bonus",
    "rule ultron_2.attack",
    "rule ultron_2.no-bonus",
)
@pytest.mark.parametrize(
    ("ultron", "hero", "damaged"),
    [
        ("ultron_1", "captain_marvel_1", False),
        ("ultron_1", "shield_agents_red", False),
        ("ultron_1", "shield_agents_yellow", True),
        ("ultron_1", "shield_agents_blue", True),
        ("ultron_1", "shield_agents_green", True),
        ("ultron_2", "shield_agents_yellow", False),
        ("ultron_2", "shield_agents_blue", False),
        ("ultron_2", "shield_agents_red", True),
        ("ultron_2", "shield_agents_green", True),
    ],
)
def test_ultron_looks_at_the_colour_of_the_attacker(ultron, hero, damaged):
    """Appendix, Ultron: the first version ignores red, the second yellow and blue."""
    t = table(to_move="heroes", heroes=side(slots={2: hero}), villains=side(slots={2: ultron}))
    t.play("done")
    shows(t, to_move="villains", civilians=["rygb"] * 3, victory=0)
    shows(t, villains={"slots": {2: f"{ultron}:1" if damaged else ultron}})


@pytest.mark.rule("ruling 25", "card ultron_2", "rule ultron_2.effect")
def test_an_attack_on_the_immune_card_still_has_its_attack_effect():
    """Ruling 25: Captain America hurts another villain; Ultron is no target for a blue card."""
    t = table(
        to_move="heroes",
        heroes=side(slots={4: "captain_america_1"}),
        villains=side(slots={2: "zola_1", 4: "ultron_2"}),
    )
    t.play("done")
    assert moves(t) == {"target v2", "no"}
    t.play("target v2")
    shows(t, villains={"slots": {2: "zola_1:1", 4: "ultron_2"}})


@pytest.mark.rule("ruling 25", "ruling 39", "rule ultron_1.no-bonus", "rule ultron_2.no-bonus")
@pytest.mark.parametrize(
    ("host", "ultron", "after"),
    [
        ("hulk_1", "ultron_1", None),
        ("nick_fury_1", "ultron_1", None),
        ("captain_marvel_1", "ultron_1", "ultron_1"),
        ("nick_fury_1", "ultron_2", "ultron_2"),
        ("shield_agents_red", "ultron_2", None),
    ],
)
def test_the_host_is_the_source_of_the_whole_sum(host, ultron, after):
    """Ruling 25: the red Strange below does not count, the colour of the host does."""
    t = table(
        to_move="heroes",
        heroes=side(slots={4: f"{host}+doctor_strange_1"}),
        villains=side(slots={4: ultron}),
    )
    t.play("done")
    shows(t, artifact_marker=0, villains={"slots": {4: after}})


@pytest.mark.rule("ruling 25", "card ultron_1")
def test_artifacts_have_no_colour():
    """Ruling 25: the heroes' Tactigon hurts either Ultron."""
    t = table(
        to_move="heroes",
        heroes=side(artifacts=["tactigon"]),
        villains=side(slots={1: "ultron_1"}),
    )
    t.play("artifact tactigon")
    shows(t, villains={"slots": {1: "ultron_1:1"}})


@pytest.mark.rule("ruling 25", "card ultron_2")
def test_battlegrounds_have_no_colour():
    """Ruling 25: Busy Main Street may choose Ultron."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["busy_main_street", "ant_man_1", "thor_1", "ant_man_2", "thor_2"]),
        villains=side(slots={1: "ultron_2"}),
    )
    t.play("play busy_main_street", "discard ant_man_1", "discard thor_1")
    t.play("discard ant_man_2", "discard thor_2")
    assert moves(t) == {"target v1"}
    t.play("target v1")
    shows(t, villains={"slots": {1: "ultron_2:1"}})


@pytest.mark.rule("ruling 25", "card ultron_2")
def test_moved_damage_counts_as_black_panthers():
    """Ruling 25: a blue card moves it, so the second Ultron does not take it."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["black_panther_1"], slots={2: "black_panther_2", 3: "hulk_1:1"}),
        villains=side(slots={1: "ultron_2", 5: "zola_1"}),
    )
    t.play("play black_panther_1")
    assert moves(t) == {"target h3", "no"}
    t.play("target h3")
    assert moves(t) == {"target v5"}
    t.play("target v5")
    shows(t, villains={"slots": {1: "ultron_2", 5: "zola_1:1"}})
    shows(t, heroes={"slots": {2: "black_panther_1", 3: "hulk_1"}})


@pytest.mark.rule("ruling 25", "card thanos_1", "card ultron_1", "card ultron_2")
@pytest.mark.parametrize("ultron", ["ultron_1", "ultron_2"])
def test_thanos_is_green_and_defeats_either_ultron(ultron):
    """Ruling 25: neither version ignores green."""
    t = table(villains=side(hand=["thanos_1"], slots={1: "thanos_2", 6: ultron}))
    t.play("play thanos_1")
    shows(t, villains={"slots": {1: "thanos_1:2"}, "discard": ["thanos_2", ultron]})


# The card


@pytest.mark.rule("card ultron_1", "card ultron_2")
@pytest.mark.parametrize("ultron", ["ultron_1", "ultron_2"])
def test_ultron_attacks_and_has_no_attack_effect(ultron):
    """Appendix, Ultron: a permanent effect only; his attack is a plain one."""
    t = table(villains=side(slots={3: ultron}))
    t.play("done")
    shows(t, to_move="heroes", victory=1)


@pytest.mark.rule("card ultron_1", "rule ultron_1.red-effect")
def test_red_effects_do_not_reach_ultron_1():
    """Appendix, Ultron: immune to effects from red cards, open to blue ones."""
    villains = side(slots={1: "ultron_1", 5: "zola_1"})
    t = table(
        to_move="heroes",
        villains=villains,
        heroes=side(hand=["captain_marvel_2"], slots={3: "captain_marvel_1"}),
    )
    t.play("play captain_marvel_2")
    assert moves(t) == {"target v5", "no"}
    t = table(to_move="heroes", villains=villains, heroes=side(slots={4: "captain_america_1"}))
    t.play("done")
    assert moves(t) == {"target v1", "target v5", "no"}
    t.play("target v1")
    shows(t, villains={"slots": {1: "ultron_1:1", 5: "zola_1"}})
