"""Phase II: order of attacks, defenders, bonuses, attack effects (rulings 23 to 29, 34, 35, 40)."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows, side, slots, table

# -- Order and compulsion -------------------------------------------------------------------------


@pytest.mark.rule("ruling 23", "rule attack.order", "rule attack-effects.after-attack")
def test_attacks_run_from_the_manhattan_edge_to_the_tower():
    """Phase II: slot by slot; each attack effect is asked before the next slot attacks."""
    t = table(
        villains=side(slots={2: "ares_1", 5: "zola_1:1", 6: "baron_zemo_1"}),
        heroes=side(slots={3: "hulk_2"}),
        battlegrounds=["street_corner"],
    )
    t.play("done")
    assert moves(t) == {"target h3", "no"}
    shows(t, victory=1, artifact_marker=0, battlegrounds=["street_corner"])
    t.play("no")
    assert moves(t) == {"yes", "no"}
    shows(t, victory=1, artifact_marker=1, battlegrounds=["street_corner"])
    t.play("no")
    assert moves(t) == {"discard street_corner", "no"}
    shows(t, battlegrounds=[])


@pytest.mark.rule(
    "ruling 23",
    "rule cards.immediate-once",
    "rule attack.all-attack",
    "rule attack.defended-no-bonus",
)
def test_attacking_is_not_a_choice():
    """Ruling 23: cards with strength attack, nobody asks."""
    t = table(
        villains=side(slots={1: "leader_1", 2: "ultron_1", 4: "kang_2", 6: "hela_2"}),
        heroes=side(slots={2: "thor_1", 4: "hulk_2"}),
        battlegrounds=["street_corner"],
    )
    t.play("done")
    shows(t, to_move="heroes", victory=1, artifact_marker=0, battlegrounds=[])
    shows(t, heroes={"slots": {2: "thor_1:1", 4: "hulk_2:2"}})


@pytest.mark.rule(
    "ruling 23", "card hydra_agents_yellow", "rule attack.all-attack", "rule hydra.yellow-no-attack"
)
@pytest.mark.parametrize("slot", [1, 4, 6])
def test_yellow_hydra_agents_do_not_attack(slot):
    """Appendix, Hydra Agents (yellow): strength 0, so neither damage nor bonus."""
    t = table(villains=side(slots={slot: "hydra_agents_yellow"}), battlegrounds=["street_corner"])
    t.play("done")
    shows(t, to_move="heroes", victory=0, artifact_marker=0, battlegrounds=["street_corner"])
    t = table(
        villains=side(slots={slot: "hydra_agents_yellow"}), heroes=side(slots={slot: "thor_1"})
    )
    t.play("done")
    shows(t, heroes={"slots": {slot: "thor_1"}})


@pytest.mark.rule("card hydra_agents_yellow", "rule hydra.yellow-stay")
def test_yellow_hydra_agents_defend():
    """Appendix, Hydra Agents (yellow): they stay in their slot and keep the bonus away."""
    t = table(
        to_move="heroes",
        villains=side(slots={2: "hydra_agents_yellow"}),
        heroes=side(slots={2: "thor_2"}),
    )
    t.play("done")
    assert moves(t) == {"slot 1", "slot 3", "slot 4", "slot 5", "slot 6", "no"}
    shows(t, victory=0, civilians=["rygb"] * 3, villains={"slots": [None] * 6})
    shows(t, villains={"discard": ["hydra_agents_yellow"]})


@pytest.mark.rule("ruling 23", "card ares_1", "rule attack.look-first")
def test_the_board_is_looked_at_when_the_slot_comes_up():
    """Ruling 23: Ares' effect clears slot 2, so the next villain finds no defender there."""
    t = table(
        villains=side(slots={1: "ares_1", 2: "leader_1"}),
        heroes=side(slots={2: "hawkeye_1"}),
    )
    t.play("done", "target h2")
    shows(t, victory=2, heroes={"discard": ["hawkeye_1"]})


@pytest.mark.rule("ruling 23", "card loki_1", "rule loki.attacks")
@pytest.mark.parametrize(("slot", "victory", "marker"), [(1, 0, 0), (4, 0, 1), (2, 0, 0)])
def test_an_arrival_attacks_only_from_a_slot_to_come(slot, victory, marker):
    """Ruling 23: Loki's captive attacks in a slot still to come, not in one that is done."""
    t = table(villains=side(slots={3: "loki_2"}), heroes=side(slots={3: "shield_agents_green"}))
    t.play("done", f"slot {slot}")
    shows(t, to_move="heroes", victory=victory, artifact_marker=marker)
    shows(t, villains={"slots": {3: "loki_2", slot: "shield_agents_green"}})


@pytest.mark.rule(
    "ruling 23",
    "ruling 30",
    "rule thor.move",
    "rule thor.damage-moves",
    "rule thor.no-second-attack",
)
@pytest.mark.parametrize("slot", [1, 6])
def test_a_moved_card_does_not_attack_again(slot):
    """Ruling 23: one attack for Thor, into a passed slot or into one to come."""
    t = table(
        to_move="heroes",
        heroes=side(slots={4: "thor_1:1"}, deck=["hulk_1", "hulk_2", "hawkeye_1"]),
        battlegrounds=["street_corner"],
    )
    t.play("done")
    assert moves(t) == slots(1, 2, 3, 5, 6) | {"no"}
    t.play(f"slot {slot}")
    shows(t, to_move="villains", artifact_marker=-1, civilians=["rygb"] * 3)
    shows(t, heroes={"slots": {slot: "thor_1:1"}, "hand": ["hulk_1", "hulk_2"]})


# -- Defenders ------------------------------------------------------------------------------------


@pytest.mark.rule(
    "example captain marvel defeats leader",
    "rule attack.defeated-equal",
    "rule attack.defeated-discard",
    "rule attack.bonus",
)
def test_captain_marvel_defeats_a_damaged_leader():
    """Phase II, example: the third damage on Leader; he goes to the villains' pile."""
    t = table(
        to_move="heroes",
        heroes=side(slots={3: "captain_marvel_1"}),
        villains=side(slots={3: "leader_1:2"}),
    )
    t.play("done")
    shows(t, villains={"slots": [None] * 6, "discard": ["leader_1"]})
    shows(t, civilians=["rygb"] * 3, victory=0, to_move="villains")


@pytest.mark.rule("rule course.alternate", "rule attack.damage-stays")
def test_damage_stays_from_turn_to_turn():
    """Phase II: what does not defeat a card remains on it."""
    t = table(
        villains=side(slots={2: "leader_1"}),
        heroes=side(slots={2: "nick_fury_1"}),
    )
    t.play("done")
    shows(t, heroes={"slots": {2: "nick_fury_1:1"}})
    t.play("done")
    shows(t, villains={"slots": {2: "leader_1:1"}})
    t.play("done")
    shows(t, heroes={"slots": {2: "nick_fury_1:2"}})
    t.play("done", "done")
    shows(t, heroes={"slots": [None] * 6, "discard": ["nick_fury_1"]})
    shows(t, villains={"slots": {2: "leader_1:2"}}, victory=0)


@pytest.mark.rule("ruling 24", "rule attack.defeated-above")
def test_excess_damage_is_lost_and_gives_no_bonus():
    """Ruling 24: four damage on a card of health 1, and nothing more happens."""
    t = table(
        villains=side(slots={1: "thanos_2"}),
        heroes=side(slots={1: "hawkeye_1", 2: "thor_1"}),
    )
    t.play("done")
    shows(t, victory=0, to_move="heroes")
    shows(t, heroes={"slots": {2: "thor_1"}, "discard": ["hawkeye_1"]})


@pytest.mark.rule("example tower bonus", "rule battlegrounds.to-hand")
def test_an_attack_at_the_empty_tower_draws_a_battleground():
    """Phase II, example: no opponent at the Tower, so a battleground comes to hand."""
    t = table(
        villains=side(slots={6: "leader_1"}, deck=["ares_1", "ares_2", "kang_1"]),
        battlegrounds=["luxurious_rooftops", "street_corner"],
    )
    t.play("done")
    shows(t, villains={"hand": ["ares_1", "ares_2", "luxurious_rooftops"]})
    shows(t, battlegrounds=["street_corner"])


@pytest.mark.rule("ruling 35")
def test_an_empty_battleground_stack_gives_nothing():
    """Ruling 35: no draw, but the attack effect still happens."""
    t = table(
        villains=side(slots={6: "ares_1"}, deck=["zola_1", "zola_2", "kang_1"]),
        heroes=side(slots={1: "thor_1"}),
        battlegrounds=[],
    )
    t.play("done")
    assert moves(t) == {"target h1", "no"}
    t.play("target h1")
    shows(t, villains={"hand": ["zola_1", "zola_2"]}, heroes={"slots": {1: "thor_1:1"}})


# -- Strength -------------------------------------------------------------------------------------


@pytest.mark.rule(
    "ruling 26",
    "rule cards.permanent",
    "rule attack-effects.permanent-too",
    "rule winter_soldier_2.others",
    "rule winter_soldier_2.not-himself",
)
def test_winter_soldier_2_strengthens_all_other_heroes():
    """Ruling 26: one more for every hero but himself, during their attacks."""
    t = table(
        to_move="heroes",
        heroes=side(slots={1: "shield_agents_red", 2: "winter_soldier_2", 4: "nick_fury_1"}),
        villains=side(slots={1: "red_hulk_2", 2: "thanos_2", 4: "modok_2"}),
    )
    t.play("done")
    shows(t, villains={"slots": {1: "red_hulk_2:2", 2: "thanos_2:2", 4: "modok_2:2"}})


@pytest.mark.rule("ruling 26", "ruling 39")
@pytest.mark.parametrize(
    ("pair", "other", "after"),
    [
        ("nick_fury_1+doctor_strange_1", "winter_soldier_2", "red_hulk_2:4"),
        ("winter_soldier_2+doctor_strange_1", "nick_fury_1", "red_hulk_2:4"),
    ],
)
def test_winter_soldier_2_and_a_pair(pair, other, after):
    """Ruling 26: host and Strange gain 1 each (1+1+2), but not Winter Soldier himself (2+1+1)."""
    t = table(
        to_move="heroes",
        heroes=side(slots={4: pair, 5: other}),
        villains=side(slots={4: "red_hulk_2", 5: "hydra_agents_yellow"}),
    )
    t.play("done")
    assert t.position()["villains"]["slots"][3] == after


@pytest.mark.rule("ruling 26", "card hydra_agents_yellow")
def test_a_captured_winter_soldier_2_lets_yellow_hydra_agents_attack():
    """Ruling 26: as a villain he strengthens the other villains, even from 0 to 1."""
    t = table(
        villains=side(slots={1: "hydra_agents_yellow", 4: "winter_soldier_2", 5: "leader_1"}),
        heroes=side(slots={4: "hulk_2", 5: "thor_1"}),
    )
    t.play("done")
    shows(t, victory=1, heroes={"slots": {4: "hulk_2:2", 5: "thor_1:2"}})


@pytest.mark.rule("ruling 26", "rule winter_soldier_2.others")
def test_a_fallen_winter_soldier_2_strengthens_nobody():
    """Ruling 26: while he is in play, and only for his own side."""
    t = table(
        to_move="heroes",
        heroes=side(slots={4: "nick_fury_1"}, discard=["winter_soldier_2"]),
        villains=side(slots={4: "thanos_2", 5: "winter_soldier_2"}),
    )
    t.play("done")
    shows(t, villains={"slots": {4: "thanos_2:1", 5: "winter_soldier_2"}})


# -- Attack effects -------------------------------------------------------------------------------


@pytest.mark.rule(
    "example zola heals", "card zola_1", "rule attack-effects.after-attack", "rule zola_1.heal"
)
def test_zola_attacks_and_heals_himself():
    """Using an Attack Effect, example: after the attack he loses one damage."""
    t = table(
        villains=side(slots={2: "zola_1:2", 3: "leader_1:1"}),
        heroes=side(slots={2: "thor_1"}),
    )
    t.play("done")
    assert moves(t) == {"yes", "no"}
    shows(t, heroes={"slots": {2: "thor_1:1"}})
    t.play("yes")
    shows(t, villains={"slots": {2: "zola_1:1", 3: "leader_1:1"}})


@pytest.mark.rule("ruling 27", "ruling 28", "card ares_1", "rule cards.attack-once")
@pytest.mark.parametrize("answer", ["target h6", "no"])
def test_an_attack_effect_is_spent_when_its_time_has_come(answer):
    """Ruling 27: once per card and phase, even if it was declined at the first attack."""
    t = table(villains=side(slots={1: "modok_1", 2: "ares_1"}), heroes=side(slots={6: "hulk_2"}))
    t.play("done", "slot 2")
    assert moves(t) == {"target h6", "no"}
    t.play(answer)
    shows(t, to_move="heroes", victory=2)
    shows(t, heroes={"slots": {6: "hulk_2" if answer == "no" else "hulk_2:1"}})


@pytest.mark.rule("ruling 27", "ruling 28", "card zola_1")
@pytest.mark.parametrize(("option", "asked"), [("once_per_phase", False), ("each_attack", True)])
def test_an_attack_effect_is_spent_even_without_a_target(option, asked):
    """Ruling 27: undamaged at the lent attack, Zola may not heal after his own one."""
    t = table(
        rules={"attack_effect": option},
        villains=side(slots={3: "modok_1", 4: "zola_1"}),
        heroes=side(slots={4: "black_panther_1"}, artifacts=["eternal_flame"]),
    )
    t.play("done", "slot 4")
    assert (t.to_move, moves(t)) == ("heroes", {"target v3", "target v4", "no"})
    t.play("target v4")
    assert (moves(t) == {"yes", "no"}) is asked
    shows(t, on_turn="villains" if asked else "heroes")
    shows(t, villains={"slots": {3: "modok_1", 4: "zola_1:1"}})


@pytest.mark.rule("ruling 27", "ruling 28", "card ares_1")
def test_rules_option_each_attack():
    """Ruling 27: with the option an effect triggers at each of the two attacks."""
    t = table(
        rules={"attack_effect": "each_attack"},
        villains=side(slots={1: "modok_1", 2: "ares_1"}),
        heroes=side(slots={6: "hulk_2"}),
    )
    t.play("done", "slot 2", "target h6")
    assert moves(t) == {"target h6", "no"}
    t.play("target h6")
    shows(t, to_move="heroes", victory=2, heroes={"slots": {6: "hulk_2:2"}})


@pytest.mark.rule("ruling 27", "card taskmaster_2")
def test_with_each_attack_a_second_attack_triggers_no_third():
    """Ruling 27: Taskmaster's own effect never follows from his second attack."""
    t = table(rules={"attack_effect": "each_attack"}, villains=side(slots={1: "taskmaster_2"}))
    t.play("done", "yes")
    shows(t, to_move="heroes", victory=2)


@pytest.mark.rule("ruling 27", "ruling 28", "card taskmaster_2")
@pytest.mark.parametrize(("option", "victory"), [("once_per_phase", 3), ("each_attack", 4)])
def test_taskmaster_lent_out_by_modok(option, victory):
    """Rulings 27 and 28: two attacks for M.O.D.O.K.; a second one of his own only by the option."""
    t = table(
        rules={"attack_effect": option}, villains=side(slots={1: "modok_1", 2: "taskmaster_2"})
    )
    t.play("done", "slot 2", "yes")
    if option == "each_attack":
        assert moves(t) == {"yes", "no"}
        t.play("yes")
    shows(t, to_move="heroes", victory=victory)


@pytest.mark.rule("ruling 27", "card loki_1")
def test_loki_is_spent_by_a_defeat_only():
    """Ruling 27: without a defeat at the first attack his effect waits for the second."""
    t = table(villains=side(slots={3: "modok_1", 4: "loki_1"}), heroes=side(slots={4: "hulk_2"}))
    t.play("done", "slot 4")
    assert moves(t) == slots(1, 2, 5, 6) | {"no"}
    t.play("slot 1")
    shows(t, to_move="heroes", villains={"slots": {1: "hulk_2", 3: "modok_1", 4: "loki_1"}})


@pytest.mark.rule("ruling 28", "ruling 33", "card loki_2")
@pytest.mark.parametrize(("slot", "marker"), [(2, 1), (5, 2)])
def test_loki_lent_out_captures_for_a_later_slot(slot, marker):
    """Ruling 33: M.O.D.O.K. using Loki; the captive attacks from slot 5, not from slot 2."""
    t = table(
        villains=side(slots={3: "modok_1", 4: "loki_2"}),
        heroes=side(slots={4: "shield_agents_green"}),
    )
    t.play("done", "slot 4")
    assert moves(t) == slots(1, 2, 5, 6) | {"no"}
    t.play(f"slot {slot}")
    shows(t, to_move="heroes", victory=0, artifact_marker=marker)
    shows(t, villains={"slots": {3: "modok_1", 4: "loki_2", slot: "shield_agents_green"}})


# -- Red Hulk -------------------------------------------------------------------------------------


@pytest.mark.rule(
    "example red hulk",
    "ruling 34",
    "card red_hulk_1",
    "rule red_hulk_1.full-sets",
    "rule red_hulk_1.any-slot",
)
def test_red_hulk_1_guards_incomplete_sets():
    """Appendix, Red Hulk, example: only one of the three slots still has all four civilians."""
    t = table(
        to_move="heroes",
        civilians=["rygb", "ryg", "b"],
        heroes=side(slots=["shield_agents_red", "shield_agents_red", "shield_agents_blue"]),
        villains=side(slots={6: "red_hulk_1"}),
    )
    t.play("done")
    assert moves(t) == {"civilian red", "civilian yellow", "civilian green", "civilian blue"}
    t.play("civilian blue")
    shows(t, to_move="villains", victory=0, civilians=["ryg", "ryg", "b"], heroes={"freed": "b"})


@pytest.mark.rule("ruling 34", "card red_hulk_1", "card red_hulk_2")
@pytest.mark.parametrize("red_hulk", ["red_hulk_1", "red_hulk_2"])
def test_red_hulk_leaves_the_point_of_an_empty_slot(red_hulk):
    """Ruling 34: where no civilian is left the heroes still get their victory point."""
    t = table(
        to_move="heroes",
        civilians=["ryg", "", "b"],
        heroes=side(slots=["shield_agents_red", "shield_agents_red", "shield_agents_blue"]),
        villains=side(slots={6: red_hulk}),
    )
    t.play("done")
    shows(t, to_move="villains", victory=-1, civilians=["ryg", "", "b"], heroes={"freed": ""})


@pytest.mark.rule(
    "ruling 34", "card red_hulk_2", "rule red_hulk_2.none", "rule red_hulk_2.any-slot"
)
def test_red_hulk_2_guards_every_civilian():
    """Appendix, Red Hulk (second version): full sets give nothing either."""
    t = table(
        to_move="heroes",
        heroes=side(slots=["shield_agents_red", "shield_agents_red", "shield_agents_blue"]),
        villains=side(slots={6: "red_hulk_2"}),
    )
    t.play("done")
    shows(t, to_move="villains", victory=0, civilians=["rygb"] * 3, heroes={"freed": ""})


@pytest.mark.rule(
    "ruling 34", "card red_hulk_2", "rule cards.permanent", "rule red_hulk_2.any-slot"
)
def test_red_hulk_guards_only_while_he_is_in_play():
    """Appendix, Red Hulk: defeated from slot 1 he no longer protects slot 2."""
    t = table(
        to_move="heroes",
        heroes=side(slots=["shield_agents_red", "shield_agents_blue"]),
        villains=side(slots={1: "red_hulk_2:4"}),
    )
    t.play("done")
    assert moves(t) == {"civilian red", "civilian yellow", "civilian green", "civilian blue"}
    shows(t, villains={"discard": ["red_hulk_2"]})


# -- Attackers that fall --------------------------------------------------------------------------


@pytest.mark.rule("ruling 40")
def test_an_attacker_that_falls_before_its_slot_does_not_attack():
    """Ruling 40: the heroes' Eternal Flame takes the villain of slot 2 out in time."""
    t = table(
        villains=side(slots={1: "leader_1", 2: "hydra_agents_blue"}),
        heroes=side(slots={1: "hawkeye_1"}, artifacts=["eternal_flame"]),
    )
    t.play("done")
    assert (t.to_move, moves(t)) == ("heroes", {"target v1", "target v2", "no"})
    t.play("target v2")
    shows(t, to_move="heroes", on_turn="heroes", victory=0)
    shows(t, villains={"slots": {1: "leader_1"}, "discard": ["hydra_agents_blue"]})


@pytest.mark.rule("ruling 40", "card ares_1")
def test_an_attacker_that_falls_in_its_attack_has_no_attack_effect():
    """Ruling 40: Eternal Flame kills Ares before his effect."""
    t = table(
        villains=side(slots={1: "ares_1:1"}),
        heroes=side(slots={1: "hawkeye_1", 5: "thor_1"}, artifacts=["eternal_flame"]),
    )
    t.play("done", "target v1")
    shows(t, on_turn="heroes", to_move="heroes", heroes={"slots": {5: "thor_1"}})
    shows(t, villains={"slots": [None] * 6, "discard": ["ares_1"]})


@pytest.mark.rule("ruling 40", "card taskmaster_1")
def test_an_attacker_that_falls_in_its_attack_has_no_second_attack():
    """Ruling 40: Taskmaster does not come back for the empty slot."""
    t = table(
        villains=side(slots={1: "taskmaster_1:2"}),
        heroes=side(slots={1: "hawkeye_1"}, artifacts=["eternal_flame"]),
    )
    t.play("done", "target v1")
    shows(t, on_turn="heroes", victory=0, villains={"discard": ["taskmaster_1"]})


@pytest.mark.rule("ruling 40", "ruling 39")
def test_a_strange_who_steps_up_neither_attacks_nor_has_the_effect():
    """Ruling 40: the host falls to the villains' Eternal Flame in the middle of his attack."""
    t = table(
        to_move="heroes",
        heroes=side(slots={1: "captain_america_1:2+doctor_strange_1"}),
        villains=side(slots={1: "zola_1:1", 5: "leader_1"}, artifacts=["eternal_flame"]),
    )
    t.play("done")
    assert (t.to_move, moves(t)) == ("villains", {"target h1", "target h1u", "no"})
    t.play("target h1")
    shows(t, to_move="villains", on_turn="villains", civilians=["rygb"] * 3)
    shows(t, heroes={"slots": {1: "doctor_strange_1"}, "discard": ["captain_america_1"]})
    shows(t, villains={"slots": {5: "leader_1"}, "discard": ["zola_1"]})
