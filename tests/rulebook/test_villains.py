"""The villains of the appendix, card by card; Hela, M.O.D.O.K., Taskmaster, Ultron: own files."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows, side, slots, table

# -- Ares -----------------------------------------------------------------------------------------


@pytest.mark.rule("card ares_1", "card ares_2", "rule ares.any-hero", "rule ares.optional")
@pytest.mark.parametrize("ares", ["ares_1", "ares_2"])
def test_ares_hurts_any_hero_after_his_attack(ares):
    """Appendix, Ares: one more damage, on the hero opposite or on another one."""
    t = table(
        villains=side(slots={2: ares}),
        heroes=side(slots={2: "hulk_2", 5: "thor_1+doctor_strange_1"}),
    )
    t.play("done")
    shows(t, heroes={"slots": {2: "hulk_2:2", 5: "thor_1+doctor_strange_1"}})
    assert moves(t) == {"target h2", "target h5", "target h5u", "no"}
    opposite, tucked, nobody = t, t.clone(), t.clone()
    opposite.play("target h2")
    shows(opposite, heroes={"slots": {2: "hulk_2:3", 5: "thor_1+doctor_strange_1"}})
    tucked.play("target h5u")
    shows(tucked, heroes={"slots": {2: "hulk_2:2", 5: "thor_1+doctor_strange_1:1"}})
    nobody.play("no")
    shows(nobody, heroes={"slots": {2: "hulk_2:2", 5: "thor_1+doctor_strange_1"}})


@pytest.mark.rule("card ares_1", "card ares_2", "rule ares.bonus-too")
@pytest.mark.parametrize("ares", ["ares_1", "ares_2"])
def test_ares_hurts_after_a_location_bonus_too(ares):
    """Appendix, Ares: the effect follows the bonus as well and may defeat."""
    t = table(villains=side(slots={4: ares}), heroes=side(slots={6: "hawkeye_1"}))
    t.play("done")
    assert moves(t) == {"target h6", "no"}
    t.play("target h6")
    shows(t, artifact_marker=1, heroes={"discard": ["hawkeye_1"]})


@pytest.mark.rule("card ares_2", "rule ares.no-hero")
def test_ares_needs_a_hero():
    """Appendix, Ares: no hero in play, or none left after the attack, no question."""
    t = table(villains=side(slots={4: "ares_2"}), heroes=side(slots={4: "black_panther_1"}))
    t.play("done")
    shows(t, to_move="heroes", heroes={"discard": ["black_panther_1"]}, artifact_marker=0)


@pytest.mark.rule("card ares_1", "rule loki.no-hero-effects")
def test_ares_does_not_hurt_a_captive():
    """Appendix, Loki: a captured hero counts as a villain, so Ares cannot choose it."""
    t = table(
        villains=side(slots={1: "ares_1", 6: "hulk_1"}),
        heroes=side(slots={2: "thor_1"}),
        battlegrounds=[],
    )
    t.play("done")
    assert moves(t) == {"target h2", "no"}


# -- Baron Zemo -----------------------------------------------------------------------------------


@pytest.mark.rule("card baron_zemo_1", "rule zemo_1.one-card", "rule zemo_1.bonus-too")
def test_zemo_1_gives_a_point_for_one_card():
    """Appendix, Baron Zemo (first version): one card, one point, even after a bonus."""
    t = table(villains=side(hand=["thanos_1", "thanos_2"], slots={2: "baron_zemo_1"}))
    t.play("done")
    shows(t, victory=1)
    assert moves(t) == {"discard thanos_1", "discard thanos_2", "no"}
    t.play("discard thanos_2")
    shows(t, to_move="heroes", victory=2, villains={"discard": ["thanos_2"]})


@pytest.mark.rule("card baron_zemo_2", "rule zemo_2.up-to-two", "rule zemo_2.point-each")
@pytest.mark.parametrize(
    ("answers", "victory", "discard"),
    [
        (["no"], 0, []),
        (["discard thanos_2", "no"], 1, ["thanos_2"]),
        (["discard thanos_2", "discard thanos_1"], 2, ["thanos_1", "thanos_2"]),
    ],
)
def test_zemo_2_gives_a_point_for_each_of_two_cards(answers, victory, discard):
    """Appendix, Baron Zemo (second version): none, one or two, also after a fight."""
    t = table(
        villains=side(hand=["thanos_1", "thanos_2", "ares_1"], slots={2: "baron_zemo_2"}),
        heroes=side(slots={2: "hulk_1"}),
    )
    t.play("done")
    assert moves(t) == {"discard ares_1", "discard thanos_1", "discard thanos_2", "no"}
    t.play(*answers)
    shows(t, to_move="heroes", victory=victory, heroes={"slots": {2: "hulk_1:2"}})
    shows(t, villains={"discard": discard})


@pytest.mark.rule("card baron_zemo_2", "rule zemo_2.up-to-two", "rule zemo_2.bonus-too")
def test_zemo_2_stops_asking_with_the_last_card():
    """Appendix, Baron Zemo (second version): a hand of one card gives one point."""
    t = table(villains=side(hand=["thanos_1"], slots={4: "baron_zemo_2"}))
    t.play("done", "discard thanos_1")
    shows(t, to_move="heroes", victory=1)


@pytest.mark.rule("card baron_zemo_1", "card baron_zemo_2", "rule notation.asked-for-change")
@pytest.mark.parametrize("zemo", ["baron_zemo_1", "baron_zemo_2"])
def test_zemo_asks_nothing_without_a_hand(zemo):
    """Notation: without a card to give up there is no question."""
    t = table(villains=side(slots={4: zemo}))
    t.play("done")
    shows(t, to_move="heroes", victory=0, artifact_marker=1)


@pytest.mark.rule("card baron_zemo_1")
def test_zemo_may_give_up_the_battleground_he_has_just_drawn():
    """Appendix, Baron Zemo: the bonus at the Tower comes first."""
    t = table(
        villains=side(slots={6: "baron_zemo_1"}), battlegrounds=["street_corner", "run_down_alley"]
    )
    t.play("done")
    assert moves(t) == {"discard street_corner", "no"}
    t.play("discard street_corner")
    shows(t, victory=1, battlegrounds=["run_down_alley", "street_corner"])


# -- Hydra Agents ---------------------------------------------------------------------------------


@pytest.mark.rule(
    "card hydra_agents_red",
    "rule hydra.red-damage",
    "rule hydra.red-optional",
    "rule hydra.red-unopposed",
)
def test_red_hydra_agents_trade_a_card_for_damage():
    """Appendix, Hydra Agents (red): any hero, whether or not one is opposite."""
    t = table(
        villains=side(hand=["hydra_agents_red", "thanos_1", "thanos_2"]),
        heroes=side(slots={2: "thor_1", 6: "hawkeye_1"}),
    )
    t.play("play hydra_agents_red", "discard thanos_1", "slot 4")
    assert moves(t) == {"discard thanos_2", "no"}
    declined = t.clone()
    t.play("discard thanos_2")
    assert moves(t) == {"target h2", "target h6"}
    t.play("target h6")
    shows(t, heroes={"slots": {2: "thor_1"}, "discard": ["hawkeye_1"]})
    shows(t, villains={"discard": ["thanos_1", "thanos_2"], "hand": []})
    declined.play("no")
    shows(
        declined, villains={"hand": ["thanos_2"]}, heroes={"slots": {2: "thor_1", 6: "hawkeye_1"}}
    )


@pytest.mark.rule("card hydra_agents_blue", "rule hydra.blue-optional")
def test_blue_hydra_agents_offer_a_card_the_heroes_may_refuse():
    """Appendix, Hydra Agents (blue): the opponent draws if they want to."""
    t = table(villains=side(hand=["hydra_agents_blue"]), heroes=side(deck=["thor_1", "thor_2"]))
    t.play("play hydra_agents_blue", "slot 4", "no")
    shows(t, to_move="villains", heroes={"hand": [], "deck": ["thor_1", "thor_2"]})


@pytest.mark.rule("card hydra_agents_blue", "ruling 9", "rule notation.asked-for-change")
def test_blue_hydra_agents_ask_nothing_with_an_empty_deck():
    """Notation: no draw question when the deck holds nothing."""
    t = table(villains=side(hand=["hydra_agents_blue"]), heroes=side(deck=[]))
    t.play("play hydra_agents_blue", "slot 4")
    assert (t.to_move, moves(t)) == ("villains", {"done"})


@pytest.mark.rule("card hydra_agents_green", "rule hydra.green-optional")
def test_green_hydra_agents_may_be_content_with_themselves():
    """Appendix, Hydra Agents (green): the additional villain is a may."""
    t = table(villains=side(hand=["hydra_agents_green", "hydra_agents_yellow", "zola_1"]))
    t.play("play hydra_agents_green", "discard zola_1", "slot 1", "no")
    shows(t, villains={"hand": ["hydra_agents_yellow"], "slots": {1: "hydra_agents_green"}})
    assert moves(t) == {"play hydra_agents_yellow", "done"}


@pytest.mark.rule("card hydra_agents_green", "ruling 17", "ruling 20")
def test_green_hydra_agents_call_green_hydra_agents():
    """Rulings 17 and 20: the called agents call again."""
    agents = ["hydra_agents_green", "hydra_agents_green", "hydra_agents_yellow"]
    t = table(villains=side(hand=[*agents, "zola_1", "zola_2"]))
    t.play("play hydra_agents_green", "discard zola_1", "slot 1")
    t.play("play hydra_agents_green", "discard zola_2", "slot 2")
    assert moves(t) == {"play hydra_agents_yellow", "no"}
    t.play("play hydra_agents_yellow", "slot 3")
    assert moves(t) == {"done"}
    shows(t, villains={"slots": agents, "hand": []})


@pytest.mark.rule("card hydra_agents_green")
def test_green_hydra_agents_on_the_last_slot_play_replacements_only():
    """Ruling 14: with the board full the additional villain has to replace."""
    board = ["leader_1", "loki_1", "zola_1", "modok_1", "ultron_1"]
    t = table(
        villains=side(
            hand=["hydra_agents_green", "hydra_agents_yellow", "zola_2", "ares_1"], slots=board
        )
    )
    t.play("play hydra_agents_green", "discard ares_1")
    assert moves(t) == {"slot 6"}
    t.play("slot 6")
    assert moves(t) == {"play zola_2", "no"}


# -- Kang and Leader ------------------------------------------------------------------------------


@pytest.mark.rule(
    "example kang appendix",
    "card kang_2",
    "card leader_2",
    "rule kang_2.from-discard",
    "rule kang_2.placed",
    "rule kang_2.immediate",
)
def test_kang_fetches_leader_who_draws():
    """Appendix, Kang, example: Leader out of the pile, then his cards."""
    t = table(
        villains=side(
            hand=["kang_2"],
            slots={3: "kang_1"},
            discard=["leader_2", "thanos_1"],
            deck=["ares_1", "ares_2", "zola_1"],
        )
    )
    t.play("play kang_2")
    assert moves(t) == {"fetch leader_2", "fetch thanos_1", "no"}
    t.play("fetch leader_2", "slot 6", "yes")
    shows(t, villains={"hand": ["ares_1", "ares_2"], "slots": {3: "kang_2", 6: "leader_2"}})
    shows(t, villains={"discard": ["kang_1", "thanos_1"]})


@pytest.mark.rule(
    "card leader_1",
    "card leader_2",
    "rule leader.draw-one",
    "rule leader.draw-two",
    "rule leader.optional",
)
@pytest.mark.parametrize(
    ("new", "old", "hand"),
    [("leader_1", "leader_2", ["ares_1"]), ("leader_2", "leader_1", ["ares_1", "ares_2"])],
)
def test_leader_may_draw(new, old, hand):
    """Appendix, Leader: one card in the first version, two in the second, or none."""
    t = table(
        villains=side(hand=[new], slots={4: old}, deck=["ares_1", "ares_2", "zola_1", "zola_2"])
    )
    t.play(f"play {new}")
    assert moves(t) == {"yes", "no"}
    declined = t.clone()
    t.play("yes")
    shows(t, villains={"hand": hand})
    declined.play("no")
    shows(declined, villains={"hand": []}, to_move="villains", phase="recruitment")


@pytest.mark.rule("card leader_1", "ruling 9", "rule notation.asked-for-change")
def test_leader_asks_nothing_with_an_empty_deck():
    """Notation: no draw question when the deck holds nothing."""
    t = table(villains=side(hand=["leader_1"], slots={4: "leader_2"}, deck=[]))
    t.play("play leader_1")
    assert moves(t) == {"done"}


@pytest.mark.rule("card kang_1", "rule kang_1.two-symbols")
def test_kang_1_fetches_nothing_expensive():
    """Appendix, Kang (first version): with a pile of dear cards there is no question."""
    t = table(
        villains=side(hand=["kang_1"], slots={4: "kang_2"}, discard=["thanos_1", "red_hulk_1"])
    )
    t.play("play kang_1")
    assert moves(t) == {"done"}


@pytest.mark.rule("card kang_2", "card thanos_1", "ruling 20", "rule kang_2.from-discard")
def test_kang_fetches_thanos_and_is_hit_himself():
    """Appendix, Thanos: villains are hit as well, the Kang who fetched him among them."""
    t = table(
        villains=side(hand=["kang_2"], slots={4: "kang_1", 5: "zola_1:1"}, discard=["thanos_1"]),
        heroes=side(slots={1: "hawkeye_1", 2: "hulk_2"}),
    )
    t.play("play kang_2", "fetch thanos_1", "slot 1")
    shows(t, villains={"slots": {1: "thanos_1:2", 4: "kang_2:2"}, "discard": ["kang_1", "zola_1"]})
    shows(t, heroes={"slots": {2: "hulk_2:2"}, "discard": ["hawkeye_1"]})


# -- Loki -----------------------------------------------------------------------------------------


@pytest.mark.rule("example loki captain america", "card loki_1", "rule loki.take-over")
def test_loki_takes_captain_america_who_attacks_next():
    """Appendix, Loki, example: placed in a slot still to come, he attacks and hurts a hero."""
    t = table(
        villains=side(slots={3: "loki_1", 6: "zola_1"}),
        heroes=side(slots={3: "captain_america_1:1", 5: "hulk_1", 6: "thor_1"}),
        battlegrounds=["street_corner"],
    )
    t.play("done")
    assert moves(t) == slots(1, 2, 4, 5) | {"no"}
    t.play("slot 4")
    shows(t, artifact_marker=1)
    assert moves(t) == {"target h5", "target h6", "no"}
    t.play("target h5")
    shows(t, villains={"slots": {3: "loki_1", 4: "captain_america_1", 6: "zola_1"}, "discard": []})
    shows(t, heroes={"slots": {5: "hulk_1:1", 6: "thor_1:1"}, "discard": []})


@pytest.mark.rule("card loki_1", "card loki_2", "rule loki.declined")
@pytest.mark.parametrize("loki", ["loki_1", "loki_2"])
def test_loki_may_let_the_hero_go(loki):
    """Appendix, Loki: otherwise the hero goes to the heroes' discard pile."""
    t = table(villains=side(slots={3: loki}), heroes=side(slots={3: "black_panther_1"}))
    t.play("done", "no")
    shows(t, villains={"slots": {3: loki}, "discard": []})
    shows(t, heroes={"slots": [None] * 6, "discard": ["black_panther_1"]}, victory=0)


@pytest.mark.rule("card loki_2", "rule loki.only-defeated")
def test_loki_needs_a_defeat():
    """Appendix, Loki: a hero who survives is not his; a bonus neither."""
    t = table(
        villains=side(slots={3: "loki_2"}),
        heroes=side(slots={3: "hulk_2"}),
    )
    t.play("done")
    shows(t, to_move="heroes", heroes={"slots": {3: "hulk_2:3"}})
    t = table(villains=side(slots={3: "loki_2"}), heroes=side(slots={2: "hawkeye_1"}))
    t.play("done")
    shows(t, to_move="heroes", victory=1, heroes={"slots": {2: "hawkeye_1"}})


@pytest.mark.rule("card loki_1", "ruling 33")
def test_loki_needs_an_empty_slot():
    """Ruling 33: with all six slots taken the hero is discarded without a question."""
    board = ["ultron_1", "loki_1", "zola_1", "leader_1", "taskmaster_1", "hydra_agents_yellow"]
    t = table(villains=side(slots=board), heroes=side(slots={2: "black_panther_1"}))
    t.play("done")
    shows(t, villains={"slots": board}, heroes={"discard": ["black_panther_1"]})


@pytest.mark.rule(
    "rule loki.take-over",
    "rule loki.placed",
    "card loki_2",
    "ruling 33",
    "rule loki.damage-gone",
    "rule loki.no-immediate",
)
def test_a_captive_loses_its_damage_and_its_immediate_effect():
    """Appendix, Loki: Nick Fury comes without damage and without a point."""
    t = table(villains=side(slots={3: "loki_2"}), heroes=side(slots={3: "nick_fury_1:2"}))
    t.play("done", "slot 1")
    shows(t, victory=0, villains={"slots": {1: "nick_fury_1", 3: "loki_2"}})


@pytest.mark.rule("card loki_1", "ruling 33", "rule loki.villains-pile")
def test_a_fallen_captive_goes_to_the_villains_pile():
    """Appendix, Loki: the card stays with the villains for the rest of the game."""
    t = table(
        to_move="heroes",
        villains=side(slots={4: "hawkeye_1"}),
        heroes=side(slots={4: "hulk_1"}),
    )
    t.play("done")
    shows(t, villains={"discard": ["hawkeye_1"]}, heroes={"discard": []})


@pytest.mark.rule("card loki_1", "ruling 33", "rule loki.bars-hero")
def test_a_captured_character_cannot_enter_the_hero_side():
    """Appendix, Loki: as long as Thor stands with the villains no Thor plays for the heroes."""
    hand = ["thor_1", "captain_america_1", "black_panther_1", "hulk_1", "hulk_2"]
    for captive, allowed in [("thor_2", False), ("shield_agents_blue", True)]:
        t = table(to_move="heroes", villains=side(slots={4: captive}), heroes=side(hand=hand))
        assert ("play thor_1" in moves(t)) is allowed


# -- Thanos ---------------------------------------------------------------------------------------


@pytest.mark.rule(
    "example thanos",
    "card thanos_1",
    "ruling 37",
    "rule thanos.two-each",
    "rule thanos.himself",
    "rule thanos.then-check",
)
def test_thanos_hurts_everybody():
    """Appendix, Thanos, example: Ultron, Hulk and Hawkeye fall, the others bear two damage."""
    t = table(
        villains=side(
            hand=["thanos_1", "leader_1", "ares_1", "ares_2"], slots={1: "ultron_1", 2: "loki_2"}
        ),
        heroes=side(slots={1: "hulk_1:1", 4: "hawkeye_2", 6: "nick_fury_1"}),
    )
    t.play("play thanos_1", "discard leader_1", "discard ares_1", "discard ares_2", "slot 5")
    assert moves(t) == {"done"}
    shows(
        t,
        villains={
            "slots": {2: "loki_2:2", 5: "thanos_1:2"},
            "discard": ["leader_1", "ares_1", "ares_2", "ultron_1"],
        },
        heroes={"slots": {6: "nick_fury_1:2"}, "discard": ["hulk_1", "hawkeye_2"]},
    )


@pytest.mark.rule("card thanos_2", "ruling 39")
def test_thanos_hurts_a_host_and_the_strange_below():
    """Appendix, Thanos: each card in play takes two."""
    t = table(
        villains=side(hand=["thanos_2"], slots={1: "thanos_1"}),
        heroes=side(slots={2: "hulk_2+doctor_strange_1"}),
    )
    t.play("play thanos_2")
    shows(t, heroes={"slots": {2: "hulk_2:2"}, "discard": ["doctor_strange_1"]})


@pytest.mark.rule("card thanos_1", "rule thanos.himself")
def test_a_replaced_thanos_takes_no_damage_with_him():
    """Appendix, Thanos: the new copy starts afresh and takes two from its own effect."""
    t = table(villains=side(hand=["thanos_1"], slots={1: "thanos_2:3"}))
    t.play("play thanos_1")
    shows(t, villains={"slots": {1: "thanos_1:2"}, "discard": ["thanos_2"]})


# -- Zola -----------------------------------------------------------------------------------------


@pytest.mark.rule("card zola_1", "rule zola_1.heal")
@pytest.mark.parametrize(("answer", "zola"), [("yes", "zola_1:1"), ("no", "zola_1:2")])
def test_zola_1_may_heal_himself(answer, zola):
    """Appendix, Zola (first version): one damage, after a bonus too."""
    t = table(villains=side(slots={4: "zola_1:2", 5: "hydra_agents_yellow:1"}))
    t.play("done")
    assert moves(t) == {"yes", "no"}
    t.play(answer)
    shows(t, to_move="heroes", artifact_marker=1)
    shows(t, villains={"slots": {4: zola, 5: "hydra_agents_yellow:1"}})


@pytest.mark.rule("card zola_1", "ruling 22", "rule zola_1.undamaged")
def test_zola_1_heals_no_damage_that_is_not_there():
    """Appendix, Zola (first version): undamaged he asks nothing, whatever others bear."""
    t = table(villains=side(slots={4: "zola_1", 5: "hydra_agents_yellow:1"}))
    t.play("done")
    shows(t, to_move="heroes", villains={"slots": {4: "zola_1", 5: "hydra_agents_yellow:1"}})


@pytest.mark.rule(
    "card zola_2", "rule loki.villain-effects", "rule zola_2.heal-each", "rule zola_2.skip"
)
@pytest.mark.parametrize("accepted", [True, False])
def test_zola_2_may_heal_every_villain(accepted):
    """Appendix, Zola (second version): one damage from each, captives included."""
    before = {1: "leader_1", 2: "zola_2:2", 4: "hydra_agents_yellow:2", 6: "thor_1:1"}
    after = {1: "leader_1", 2: "zola_2:1", 4: "hydra_agents_yellow:1", 6: "thor_1"}
    t = table(villains=side(slots=before), heroes=side(slots={3: "hulk_1:1"}), battlegrounds=[])
    t.play("done")
    assert moves(t) == {"yes", "no"}
    t.play("yes" if accepted else "no")
    assert (t.to_move, moves(t)) == ("villains", {"slot 3", "slot 5", "no"})
    shows(t, villains={"slots": after if accepted else before})
    shows(t, heroes={"slots": {3: "hulk_1:1"}})


@pytest.mark.rule("card zola_2", "ruling 22", "rule zola_2.skip")
def test_zola_2_asks_nothing_when_all_are_well():
    """Ruling 22: with no damaged villain there is nothing to heal."""
    t = table(villains=side(slots={2: "zola_2", 4: "leader_1"}), heroes=side(slots={5: "hulk_1:1"}))
    t.play("done")
    shows(t, to_move="heroes", heroes={"slots": {5: "hulk_1:1"}})


@pytest.mark.rule("card hela_1", "card hela_2")
@pytest.mark.parametrize(("hela", "after"), [("hela_1", "hulk_2:2"), ("hela_2", "hulk_2:3")])
def test_hela_in_play_attacks_plainly(hela, after):
    """Appendix, Hela: her effect works from the discard pile, in play she just attacks."""
    t = table(villains=side(slots={4: hela}), heroes=side(slots={4: "hulk_2"}))
    t.play("done")
    shows(t, to_move="heroes", heroes={"slots": {4: after}})


@pytest.mark.rule("card red_hulk_1", "card red_hulk_2")
@pytest.mark.parametrize("red_hulk", ["red_hulk_1", "red_hulk_2"])
def test_red_hulk_leaves_the_other_locations_alone(red_hulk):
    """Appendix, Red Hulk: Sanctum and Tower work for the heroes as ever."""
    t = table(
        to_move="heroes",
        villains=side(slots={1: red_hulk}),
        heroes=side(
            slots={5: "shield_agents_red", 6: "shield_agents_blue"},
            deck=["thor_1", "thor_2", "hulk_1"],
        ),
        battlegrounds=["street_corner"],
    )
    t.play("done")
    shows(t, artifact_marker=-1, heroes={"hand": ["thor_1", "thor_2", "street_corner"]})
