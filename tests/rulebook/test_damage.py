"""Damage, defeat, Ant-Man and the Doctor Strange below (rulings 36 to 40), with the traps."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows, side, slots, table

# -- Placing damage -------------------------------------------------------------------------------


@pytest.mark.rule("ruling 36")
def test_more_than_twenty_damage_may_lie_on_the_board():
    """Ruling 36: the number of tokens in the box is no rule."""
    villains = ["red_hulk_2:4", "thanos_2:3", "modok_2:3", "zola_2:2", "leader_2:2", "loki_2:2"]
    heroes = ["thor_2:2", "iron_man_2:2", "hulk_2"]
    t = table(villains=side(slots=villains, artifacts=["ebony_blade"]), heroes=side(slots=heroes))
    t.play("artifact ebony_blade", "target h3")
    shows(t, villains={"slots": villains}, heroes={"slots": [*heroes[:2], "hulk_2:1"]})


@pytest.mark.rule("ruling 37", "card thanos_1")
def test_a_card_felled_by_the_same_effect_is_no_target_any_more():
    """Ruling 37: all damage first, then the defeats, then the triggers."""
    t = table(
        villains=side(hand=["thanos_1"], slots={1: "thanos_2", 2: "ultron_1", 5: "leader_1"}),
        heroes=side(slots={3: "hawkeye_1", 4: "hulk_1"}, artifacts=["eternal_flame"]),
    )
    t.play("play thanos_1")
    assert (t.to_move, moves(t)) == ("heroes", {"target v1", "target v5", "no"})
    shows(t, villains={"slots": {1: "thanos_1:2", 5: "leader_1:2"}})
    t.play("target v5")
    assert (t.to_move, moves(t)) == ("villains", {"done"})
    shows(t, villains={"slots": {1: "thanos_1:2"}})
    shows(t, villains={"discard": ["thanos_2", "ultron_1", "leader_1"]})


@pytest.mark.rule("ruling 37", "rule darkhold.then-check")
def test_darkhold_places_its_damage_on_both_sides_before_anything_falls():
    """Ruling 37: the user's own card falls with the others, and then its owner's Flame asks."""
    t = table(
        villains=side(
            slots={1: "hydra_agents_blue", 2: "zola_1"}, artifacts=["darkhold", "eternal_flame"]
        ),
        heroes=side(slots={3: "hawkeye_2", 4: "hulk_1"}),
    )
    t.play("artifact darkhold")
    assert (t.to_move, moves(t)) == ("villains", {"target h4", "no"})
    t.play("target h4")
    shows(t, villains={"slots": {2: "zola_1:1"}, "discard": ["hydra_agents_blue"]})
    shows(t, heroes={"slots": [None] * 6, "discard": ["hawkeye_2", "hulk_1"]})


@pytest.mark.rule("ruling 37")
def test_black_panther_2_moves_token_by_token():
    """Ruling 37: the first token's defeat and its trigger come before the second token."""
    t = table(
        to_move="heroes",
        heroes=side(
            hand=["black_panther_2"], slots={2: "black_panther_1", 3: "hulk_1:2", 5: "thor_1:2"}
        ),
        villains=side(slots={1: "zola_1:2", 6: "leader_1"}, artifacts=["eternal_flame"]),
    )
    t.play("play black_panther_2", "target h3")
    assert moves(t) == {"target v1", "target v6"}
    t.play("target v1")
    assert t.to_move == "villains"
    assert moves(t) == {"target h2", "target h3", "target h5", "no"}
    t.play("target h5")
    assert (t.to_move, moves(t)) == ("heroes", {"target h3", "no"})
    t.play("target h3")
    assert moves(t) == {"target v6"}
    t.play("target v6")
    assert (t.to_move, moves(t)) == ("heroes", {"done"})
    shows(t, heroes={"slots": {2: "black_panther_2", 3: "hulk_1"}})
    shows(t, heroes={"discard": ["black_panther_1", "thor_1"]})
    shows(t, villains={"slots": {6: "leader_1:1"}, "discard": ["zola_1"]})


# -- Ant-Man --------------------------------------------------------------------------------------


@pytest.mark.rule("ruling 38", "rule ant_man.attack-or-effect", "rule ant_man.once")
def test_ant_man_takes_one_less_once_in_a_turn():
    """Ruling 38: the first attack is swallowed, the second one of the same turn is not."""
    t = table(villains=side(slots={2: "taskmaster_1"}), heroes=side(slots={2: "ant_man_1"}))
    t.play("done")
    assert moves(t) == {"yes", "no"}
    shows(t, heroes={"slots": {2: "ant_man_1"}}, victory=0)
    t.play("yes")
    shows(t, heroes={"slots": [None] * 6, "discard": ["ant_man_1"]}, victory=0)


@pytest.mark.rule("ruling 38", "rule ant_man.each-turn")
def test_ant_mans_reduction_returns_in_every_turn():
    """Ruling 38: in each player's turn there is a first damage again."""
    t = table(
        villains=side(slots={2: "leader_1"}),
        heroes=side(slots={2: "ant_man_1"}),
    )
    t.play("done", "done", "done")
    shows(t, turn=4, heroes={"slots": {2: "ant_man_1"}}, villains={"slots": {2: "leader_1:1"}})


@pytest.mark.rule("ruling 38")
def test_ant_mans_reduction_works_in_his_own_turn_too():
    """Ruling 38: the villains' Eternal Flame is a damage of the heroes' turn."""
    t = table(
        to_move="heroes",
        heroes=side(slots={1: "thor_1", 2: "ant_man_1"}),
        villains=side(slots={1: "zola_1:1"}, artifacts=["eternal_flame"]),
        civilians=["rygb", "", "rygb"],
    )
    t.play("done", "target h2", "no")
    shows(t, heroes={"slots": {1: "thor_1", 2: "ant_man_1"}}, victory=-1)


@pytest.mark.rule("ruling 38", "rule ant_man.one-less")
def test_ant_man_takes_the_rest_of_a_greater_damage():
    """Ruling 38: three become two, enough for the second version; two become one, not enough."""
    t = table(villains=side(slots={2: "hela_2"}), heroes=side(slots={2: "ant_man_2"}))
    t.play("done")
    shows(t, heroes={"discard": ["ant_man_2"]})
    t = table(villains=side(slots={2: "hela_1"}), heroes=side(slots={2: "ant_man_2"}))
    t.play("done")
    shows(t, heroes={"slots": {2: "ant_man_2:1"}})


@pytest.mark.rule("ruling 38", "rule ant_man.once")
def test_a_swallowed_damage_uses_the_reduction_up():
    """Ruling 38: one damage of the Blade becomes none, then Thanos deals his full two."""
    t = table(
        villains=side(hand=["thanos_1"], slots={6: "thanos_2"}, artifacts=["ebony_blade"]),
        heroes=side(slots={1: "thor_1", 2: "ant_man_2"}),
    )
    t.play("artifact ebony_blade", "target h2")
    shows(t, heroes={"slots": {1: "thor_1", 2: "ant_man_2"}})
    t.play("play thanos_1")
    shows(t, heroes={"slots": {1: "thor_1:2"}, "discard": ["ant_man_2"]})


@pytest.mark.rule("ruling 38", "ruling 37")
def test_an_own_effect_uses_the_reduction_up_too():
    """Ruling 38: the heroes' Darkhold is the first damage, the Flame that answers the second."""
    t = table(
        to_move="heroes",
        heroes=side(slots={1: "ant_man_2", 3: "hulk_1"}, artifacts=["darkhold"]),
        villains=side(slots={2: "zola_1:2"}, artifacts=["eternal_flame"]),
    )
    t.play("artifact darkhold")
    shows(t, heroes={"slots": {1: "ant_man_2", 3: "hulk_1:1"}})
    t.play("target h1")
    shows(t, heroes={"slots": {1: "ant_man_2:1", 3: "hulk_1:1"}})


@pytest.mark.rule("ruling 38", "ruling 13")
def test_a_new_ant_man_swallows_what_his_predecessor_could_not():
    """Ruling 38: after a replacement a second damage of the same turn is reduced again."""
    t = table(
        to_move="heroes",
        heroes=side(
            hand=["ant_man_1", "captain_marvel_2", "hawkeye_1"],
            slots={1: "ant_man_2", 2: "captain_marvel_1", 3: "hawkeye_2"},
        ),
        villains=side(
            slots={3: "hydra_agents_red", 5: "hydra_agents_blue"}, artifacts=["eternal_flame"]
        ),
    )
    t.play("play captain_marvel_2", "target v5")
    assert (t.to_move, moves(t)) == ("villains", {"target h1", "target h2", "target h3", "no"})
    t.play("target h1")
    shows(t, heroes={"slots": {1: "ant_man_2", 2: "captain_marvel_2", 3: "hawkeye_2"}})
    t.play("play ant_man_1", "play hawkeye_1", "yes", "target h1")
    shows(t, heroes={"slots": {1: "ant_man_1", 2: "captain_marvel_2", 3: "hawkeye_1"}})
    shows(t, villains={"slots": [None] * 6})


@pytest.mark.rule("ruling 38", "ruling 33")
def test_a_captive_ant_man_keeps_his_skin():
    """Ruling 38: on the villains' side his first damage of a turn is reduced as well."""
    t = table(
        to_move="heroes",
        heroes=side(slots={2: "nick_fury_1"}),
        villains=side(slots={2: "ant_man_1"}),
    )
    t.play("done")
    shows(t, villains={"slots": {2: "ant_man_1"}}, civilians=["rygb"] * 3)


@pytest.mark.rule("ruling 38", "ruling 37", "card thanos_1")
@pytest.mark.parametrize(("ant_man", "after"), [("ant_man_1", None), ("ant_man_2", "ant_man_2:1")])
def test_thanos_and_ant_man(ant_man, after):
    """Ruling 38: two damage at once are one damage for Ant-Man."""
    t = table(
        villains=side(hand=["thanos_1"], slots={1: "thanos_2"}),
        heroes=side(slots={2: ant_man}),
    )
    t.play("play thanos_1")
    shows(t, heroes={"slots": {2: after}})


@pytest.mark.rule("ruling 38", "ruling 39")
def test_ant_mans_reduction_waits_while_strange_takes_everything():
    """Rulings 38 and 39: first all on Strange, then the overflow is Ant-Man's first damage."""
    t = table(
        villains=side(slots={2: "taskmaster_1"}),
        heroes=side(slots={2: "ant_man_1+doctor_strange_1:1"}),
    )
    t.play("done")
    shows(t, heroes={"slots": {2: "ant_man_1"}, "discard": ["doctor_strange_1"]})
    t.play("yes")
    shows(t, heroes={"slots": {2: "ant_man_1"}, "discard": ["doctor_strange_1"]})


@pytest.mark.rule("ruling 38", "ruling 39")
@pytest.mark.parametrize(("attacker", "after"), [("thanos_1", "ant_man_1"), ("thanos_2", None)])
def test_ant_man_reduces_the_overflow(attacker, after):
    """Rulings 38 and 39: of three two are Strange's and one is swallowed, of four one is left."""
    t = table(
        villains=side(slots={2: attacker}), heroes=side(slots={2: "ant_man_1+doctor_strange_1"})
    )
    t.play("done")
    shows(t, heroes={"slots": {2: after}})


# -- Doctor Strange below a hero ------------------------------------------------------------------


@pytest.mark.rule(
    "ruling 39",
    "rule doctor_strange.damage-first",
    "rule doctor_strange.rest-on-host",
    "rule doctor_strange.falls-alone",
    "rule doctor_strange.both-fall",
)
@pytest.mark.parametrize(
    ("attacker", "pair", "after", "discard"),
    [
        ("leader_1", "hulk_1+doctor_strange_1", "hulk_1+doctor_strange_1:1", []),
        ("ares_1", "hulk_1+doctor_strange_1", "hulk_1", ["doctor_strange_1"]),
        ("thanos_1", "hulk_1+doctor_strange_1", "hulk_1:1", ["doctor_strange_1"]),
        ("thanos_2", "hulk_1+doctor_strange_1:1", None, ["doctor_strange_1", "hulk_1"]),
        ("leader_1", "hulk_1:2+doctor_strange_2:1", "hulk_1:2", ["doctor_strange_2"]),
    ],
)
def test_an_attack_hits_strange_first(attacker, pair, after, discard):
    """Appendix, Doctor Strange: his health is used up before the hero above takes the rest."""
    t = table(villains=side(slots={4: attacker}), heroes=side(slots={4: pair}))
    t.play("done")
    if t.to_move == "villains":
        t.play("no")
    shows(t, heroes={"slots": {4: after}, "discard": discard}, artifact_marker=0)


@pytest.mark.rule("ruling 39", "card ares_1")
def test_an_effect_chooses_host_or_strange():
    """Ruling 39: for effects the two are separate targets."""
    t = table(
        villains=side(slots={1: "ares_1"}), heroes=side(slots={4: "hawkeye_1+doctor_strange_1:1"})
    )
    t.play("done")
    assert moves(t) == {"target h4", "target h4u", "no"}
    host, strange = t, t.clone()
    host.play("target h4")
    shows(host, heroes={"slots": {4: "doctor_strange_1:1"}, "discard": ["hawkeye_1"]})
    strange.play("target h4u")
    shows(strange, heroes={"slots": {4: "hawkeye_1"}, "discard": ["doctor_strange_1"]})


@pytest.mark.rule("ruling 39")
def test_strange_who_lost_his_host_is_an_ordinary_card():
    """Ruling 39: he defends and attacks from the slot, and nobody goes below him."""
    t = table(
        villains=side(slots={1: "ares_1", 4: "hydra_agents_blue"}),
        heroes=side(slots={4: "hawkeye_1+doctor_strange_1"}),
    )
    t.play("done", "target h4")
    shows(t, heroes={"slots": {4: "doctor_strange_1:1"}})
    t.play("done")
    shows(t, villains={"discard": ["hydra_agents_blue"]}, artifact_marker=0)


@pytest.mark.rule("ruling 39")
def test_a_pair_makes_one_attack_with_one_effect():
    """Ruling 39: strength 1 and 1, one location bonus, the host's effect once."""
    t = table(
        to_move="heroes",
        heroes=side(slots={1: "captain_america_1+doctor_strange_1"}),
        villains=side(slots={4: "leader_1"}),
    )
    t.play("done", "civilian red")
    assert moves(t) == {"target v4", "no"}
    t.play("target v4")
    shows(t, to_move="villains", civilians=["ygb", "rygb", "rygb"])
    shows(t, villains={"slots": {4: "leader_1:1"}})


@pytest.mark.rule("ruling 39", "rule doctor_strange.attack-together")
def test_a_pair_attacks_with_both_strengths():
    """Appendix, Doctor Strange: Hulk with Strange below deals four in the first versions."""
    t = table(
        to_move="heroes",
        heroes=side(slots={4: "hulk_1+doctor_strange_1"}),
        villains=side(slots={4: "red_hulk_2"}),
    )
    t.play("done")
    shows(t, villains={"slots": {4: "red_hulk_2:4"}})


@pytest.mark.rule("ruling 39", "ruling 13")
def test_a_replaced_host_keeps_strange_below():
    """Ruling 39: the new copy takes the slot, Strange stays with his damage."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["thor_2"], slots={4: "thor_1:2+doctor_strange_1:1"}),
    )
    t.play("play thor_2")
    assert moves(t) == {"done"}
    shows(t, heroes={"slots": {4: "thor_2+doctor_strange_1:1"}, "discard": ["thor_1"]})


@pytest.mark.rule("ruling 39", "rule doctor_strange.below", "rule doctor_strange.slot")
def test_strange_goes_below_any_hero_or_into_an_empty_slot():
    """Ruling 39: agents included; the choice is made when he is played."""
    t = table(
        to_move="heroes",
        heroes=side(
            hand=["doctor_strange_1", "ant_man_1", "ant_man_2"],
            slots={2: "shield_agents_red", 5: "hulk_1"},
        ),
    )
    t.play("play doctor_strange_1", "discard ant_man_1", "discard ant_man_2")
    assert moves(t) == slots(1, 3, 4, 6) | {"tuck 2", "tuck 5"}
    t.play("tuck 2")
    shows(t, heroes={"slots": {2: "shield_agents_red+doctor_strange_1", 5: "hulk_1"}})


@pytest.mark.rule("ruling 39", "ruling 16", "card kang_1")
def test_strange_never_goes_below_a_villain():
    """Ruling 39: fetched by Kang he takes a slot of his own."""
    t = table(
        villains=side(
            hand=["kang_1"], slots={3: "kang_2", 4: "zola_1"}, discard=["doctor_strange_1"]
        )
    )
    t.play("play kang_1", "fetch doctor_strange_1")
    assert moves(t) == slots(1, 2, 5, 6)


@pytest.mark.rule("ruling 39", "ruling 45")
def test_strange_below_counts_as_a_card_in_play():
    """Rulings 39 and 45: two slots, three cards, so the Wand of Watoomb gives its point."""
    t = table(
        heroes=side(
            slots={2: "shield_agents_red", 5: "hulk_1+doctor_strange_1"},
            artifacts=["wand_of_watoomb"],
        ),
    )
    t.play("done")
    shows(t, on_turn="heroes", victory=-1)


@pytest.mark.rule("ruling 39", "ruling 30")
def test_strange_below_moves_with_thor():
    """Ruling 30: damage and a tucked Strange go along."""
    t = table(
        to_move="heroes",
        heroes=side(slots={4: "thor_1:1+doctor_strange_1:1"}),
        villains=side(slots={6: "zola_1"}),
    )
    t.play("done", "slot 6")
    shows(t, to_move="villains", heroes={"slots": {6: "thor_1:1+doctor_strange_1:1"}})
    shows(t, villains={"slots": {6: "zola_1"}}, artifact_marker=-1)


# -- Traps ----------------------------------------------------------------------------------------


@pytest.mark.rule("ruling 22", "ruling 37", "card ares_1", "rule ares.no-hero")
def test_a_target_that_has_fallen_is_not_offered():
    """Ruling 22: the only hero falls to the attack before Ares' effect looks for one."""
    t = table(villains=side(slots={4: "ares_1"}), heroes=side(slots={4: "hawkeye_1"}))
    t.play("done")
    shows(t, to_move="heroes", on_turn="heroes", heroes={"discard": ["hawkeye_1"]})


@pytest.mark.rule("ruling 37", "ruling 46", "card thanos_1")
def test_the_second_flame_is_not_asked_without_a_target():
    """Two heroes fall at once; the first answer removes the last villain."""
    t = table(
        villains=side(hand=["thanos_1"], slots={1: "thanos_2"}),
        heroes=side(slots={3: "hawkeye_1", 4: "iron_man_1"}, artifacts=["eternal_flame"]),
    )
    t.play("play thanos_1")
    assert (t.to_move, moves(t)) == ("heroes", {"target v1", "no"})
    t.play("target v1")
    assert (t.to_move, moves(t)) == ("villains", {"done"})
    shows(t, villains={"slots": [None] * 6, "discard": ["thanos_1", "thanos_2"]})


@pytest.mark.rule("ruling 37", "ruling 46", "card thanos_1")
def test_two_flames_after_each_other():
    """Each fallen hero has its own answer; the first one is settled before the second."""
    t = table(
        villains=side(hand=["thanos_1"], slots={1: "thanos_2", 2: "zola_1"}),
        heroes=side(slots={3: "hawkeye_1", 4: "iron_man_1"}, artifacts=["eternal_flame"]),
    )
    t.play("play thanos_1")
    assert moves(t) == {"target v1", "target v2", "no"}
    t.play("target v1")
    assert (t.to_move, moves(t)) == ("heroes", {"target v2", "no"})
    t.play("target v2")
    assert (t.to_move, moves(t)) == ("villains", {"done"})
    shows(t, villains={"slots": [None] * 6})


@pytest.mark.rule("ruling 20", "ruling 37", "ruling 46", "card kang_2", "card thanos_1")
def test_a_defeat_inside_an_effect_inside_an_effect():
    """Kang fetches Thanos, Thanos fells Hawkeye, the Flame fells Kang, and the turn goes on."""
    t = table(
        villains=side(
            hand=["kang_2", "zola_2"], slots={4: "kang_1", 5: "zola_1"}, discard=["thanos_1"]
        ),
        heroes=side(slots={1: "hawkeye_1"}, artifacts=["eternal_flame"]),
    )
    t.play("play kang_2", "fetch thanos_1", "slot 1")
    assert (t.to_move, moves(t)) == ("heroes", {"target v1", "target v4", "target v5", "no"})
    t.play("target v4")
    assert (t.to_move, moves(t)) == ("villains", {"play zola_2", "done"})
    shows(t, villains={"slots": {1: "thanos_1:2", 5: "zola_1:2"}, "discard": ["kang_1", "kang_2"]})


@pytest.mark.rule("ruling 27", "ruling 40", "card zola_1")
def test_damage_taken_in_the_attack_can_be_healed_by_the_attack_effect():
    """Ruling 40: Zola survives the Flame that answers his attack and heals the damage at once."""
    t = table(
        villains=side(slots={4: "zola_1"}),
        heroes=side(slots={4: "hawkeye_1"}, artifacts=["eternal_flame"]),
    )
    t.play("done", "target v4")
    assert (t.to_move, moves(t)) == ("villains", {"yes", "no"})
    t.play("yes")
    shows(t, villains={"slots": {4: "zola_1"}})


@pytest.mark.rule("ruling 23", "ruling 46", "card modok_1")
def test_a_modok_felled_before_his_slot_asks_nothing():
    """Ruling 40: the board is looked at when the slot comes up; his slot is empty then."""
    t = table(
        villains=side(slots={1: "leader_1", 2: "modok_1:2"}),
        heroes=side(slots={1: "hawkeye_1"}, artifacts=["eternal_flame"]),
    )
    t.play("done", "target v2")
    shows(t, to_move="heroes", on_turn="heroes", victory=0, villains={"slots": {1: "leader_1"}})


@pytest.mark.rule("ruling 40", "ruling 28", "card modok_1")
def test_a_neighbour_that_falls_in_the_lent_attack_is_gone():
    """Rulings 28 and 40: Ares falls in M.O.D.O.K.'s activation; his own slot is empty later."""
    t = table(
        villains=side(slots={1: "modok_1", 2: "ares_1:1"}),
        heroes=side(slots={2: "hawkeye_1", 6: "hulk_1"}, artifacts=["eternal_flame"]),
    )
    t.play("done", "slot 2", "target v2")
    shows(t, to_move="heroes", on_turn="heroes", victory=0, heroes={"slots": {6: "hulk_1"}})
    shows(t, villains={"slots": {1: "modok_1"}, "discard": ["ares_1"]})


@pytest.mark.rule("ruling 9", "ruling 20", "card hydra_agents_green", "card leader_2")
def test_a_deck_runs_dry_inside_an_effect():
    """Ruling 9: Leader, called by the agents, draws the one card left, which can be played."""
    t = table(
        villains=side(
            hand=["hydra_agents_green", "leader_2", "ares_1"],
            slots={1: "leader_1"},
            deck=["hydra_agents_yellow"],
        )
    )
    t.play("play hydra_agents_green", "discard ares_1", "slot 2", "play leader_2", "yes")
    assert moves(t) == {"play hydra_agents_yellow", "done"}
    shows(t, villains={"deck": [], "hand": ["hydra_agents_yellow"]})


@pytest.mark.rule("ruling 6", "ruling 37", "ruling 46")
def test_a_win_comes_before_the_flame():
    """Ruling 6: the bonus of slot 1 wins; the fight in slot 2 never happens."""
    t = table(
        victory=8,
        villains=side(slots={1: "hydra_agents_blue", 2: "zola_1"}),
        heroes=side(slots={2: "hawkeye_1"}, artifacts=["eternal_flame"]),
    )
    t.play("done")
    assert (t.winner, t.to_move) == ("villains", None)
    shows(t, heroes={"slots": {2: "hawkeye_1"}})
