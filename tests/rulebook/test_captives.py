"""Loki's captures and what a captured hero does on the villain side afterwards."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows, side, table
from tests.rulebook.turns import villains_turn


def kang_fetches(kang, discard, slots=(), facing=(), **more):
    """A Kang that has just replaced the other one in slot 6 and looks through the discard pile."""
    other = "kang_2" if kang == "kang_1" else "kang_1"
    t = villains_turn(
        {**dict(slots), 6: other}, facing, hand=[kang], villains={"discard": discard}, **more
    )
    t.play(f"play {kang}")
    return t


# The capture


@pytest.mark.rule(
    "example loki captain america",
    "ruling 33",
    "rule loki.take-over",
    "rule loki.damage-gone",
    "rule loki.placed",
    "rule loki.attacks",
)
def test_loki_takes_captain_america_who_attacks_at_once():
    """Appendix, Loki, example: the captive loses his damage and his slot comes up next."""
    t = villains_turn({1: "loki_1"}, {1: "captain_america_1:1", 4: "hulk_1"})
    t.play("done")
    assert moves(t) == {f"slot {n}" for n in range(2, 7)} | {"no"}
    t.play("slot 2")
    shows(t, victory=1, villains={"slots": {1: "loki_1", 2: "captain_america_1"}})
    shows(t, heroes={"slots": {4: "hulk_1"}, "discard": []})
    assert moves(t) == {"target h4", "no"}
    t.play("target h4")
    shows(t, on_turn="heroes", heroes={"slots": {4: "hulk_1:1"}})


@pytest.mark.rule("ruling 33", "rule loki.declined")
def test_loki_may_let_the_hero_go():
    """Appendix, Loki: without a capture the hero is discarded like any other."""
    t = villains_turn({1: "loki_1"}, {1: "captain_america_1:1"})
    t.play("done", "no")
    shows(t, heroes={"slots": {}, "discard": ["captain_america_1"]})
    shows(t, villains={"slots": {1: "loki_1"}, "discard": []})


@pytest.mark.rule("ruling 33", "ruling 23", "rule loki.attacks")
def test_a_captive_in_a_passed_slot_does_not_attack():
    """Ruling 23: slot 1 is over when Loki attacks in slot 2."""
    t = villains_turn({2: "loki_1"}, {2: "thor_1:1"})
    t.play("done", "slot 1")
    shows(t, on_turn="heroes", victory=0, villains={"slots": {1: "thor_1", 2: "loki_1"}})


@pytest.mark.rule("ruling 33", "rule loki.placed")
def test_loki_needs_an_empty_slot():
    """Ruling 33: on a full side the hero is discarded without a question."""
    slots = [
        "loki_1",
        "hydra_agents_yellow",
        "hydra_agents_yellow",
        "kang_1",
        "leader_1",
        "thanos_1",
    ]
    t = villains_turn(slots, {1: "captain_america_1:1"}, battlegrounds=["street_corner"])
    t.play("done")
    shows(t, on_turn="heroes", artifact_marker=2, battlegrounds=[])
    shows(t, heroes={"slots": {}, "discard": ["captain_america_1"]}, villains={"slots": slots})


@pytest.mark.rule("ruling 33", "rule loki.only-defeated")
def test_loki_takes_nobody_that_another_villain_defeated():
    """Ruling 33: the hero facing him fell to Ares, Loki then takes a bonus."""
    t = villains_turn({1: "ares_1", 2: "loki_1"}, {2: "hawkeye_1"})
    t.play("done", "target h2")
    shows(t, on_turn="heroes", victory=2, heroes={"slots": {}, "discard": ["hawkeye_1"]})


@pytest.mark.rule("ruling 33", "ruling 28")
def test_loki_captures_when_modok_uses_him():
    """Ruling 33: an attack led by M.O.D.O.K. is Loki's own; his effect is spent by it."""
    t = villains_turn({1: "modok_1", 2: "loki_1"}, {2: "hawkeye_1"})
    t.play("done")
    assert moves(t) == {"no", "slot 2", "done"}
    t.play("slot 2")
    assert moves(t) == {"slot 3", "slot 4", "slot 5", "slot 6", "no"}
    t.play("slot 5")
    shows(t, on_turn="heroes", victory=1, artifact_marker=1)
    shows(t, villains={"slots": {1: "modok_1", 2: "loki_1", 5: "hawkeye_1"}})


@pytest.mark.rule("ruling 27", "ruling 33", "ruling 28")
def test_lokis_effect_is_not_spent_by_an_attack_without_a_defeat():
    """Ruling 27: only a defeat spends it, so his own slot may still capture."""
    t = villains_turn({1: "modok_1", 2: "loki_1"}, {2: "captain_america_2"})
    t.play("done", "slot 2")
    assert moves(t) == {"slot 3", "slot 4", "slot 5", "slot 6", "no"}
    t.play("slot 6")
    shows(t, villains={"slots": {1: "modok_1", 2: "loki_1", 6: "captain_america_2"}})


@pytest.mark.rule("ruling 33", "ruling 39")
def test_loki_may_let_the_host_of_a_fallen_strange_go():
    """Ruling 33: Strange is discarded before the question about his host is put."""
    t = villains_turn({1: "loki_2"}, {1: "thor_1:2+doctor_strange_1:1"})
    t.play("done")
    assert moves(t) == {f"slot {n}" for n in range(2, 7)} | {"no"}
    shows(t, heroes={"discard": ["doctor_strange_1"]})
    t.play("no")
    shows(t, on_turn="heroes", heroes={"discard": ["doctor_strange_1", "thor_1"], "slots": {}})


@pytest.mark.rule("ruling 33")
def test_loki_never_takes_the_strange_below():
    """Ruling 33: a tucked Strange is discarded, and his host was not defeated."""
    t = villains_turn({1: "loki_1"}, {1: "hulk_1+doctor_strange_1"})
    t.play("done")
    shows(t, on_turn="heroes", heroes={"slots": {1: "hulk_1"}, "discard": ["doctor_strange_1"]})


@pytest.mark.rule("ruling 33")
def test_loki_takes_a_strange_of_an_ordinary_slot():
    """Ruling 33: only the Strange below another hero is out of his reach."""
    t = villains_turn({1: "loki_1"}, {1: "doctor_strange_1"})
    t.play("done", "slot 4")
    shows(t, artifact_marker=1, villains={"slots": {1: "loki_1", 4: "doctor_strange_1"}})


@pytest.mark.rule("ruling 33", "ruling 46")
def test_both_of_a_pair_fall_to_loki():
    """Ruling 33: Strange discarded, host placed, then a Flame for each, the captive a target."""
    t = villains_turn(
        {1: "loki_2"},
        {1: "hawkeye_1+doctor_strange_1"},
        heroes={"artifacts": ["eternal_flame"]},
    )
    t.play("done")
    assert (t.to_move, moves(t)) == ("villains", {f"slot {n}" for n in range(2, 7)} | {"no"})
    shows(t, heroes={"discard": ["doctor_strange_1"]})
    t.play("slot 3")
    shows(t, villains={"slots": {1: "loki_2", 3: "hawkeye_1"}}, to_move="heroes")
    assert moves(t) == {"target v1", "target v3", "no"}
    t.play("target v3")
    shows(t, villains={"slots": {1: "loki_2"}, "discard": ["hawkeye_1"]}, to_move="heroes")
    assert moves(t) == {"target v1", "no"}
    t.play("target v1")
    shows(t, on_turn="heroes", victory=0, villains={"slots": {1: "loki_2:1"}})


@pytest.mark.rule("ruling 33", "artifact eternal_flame")
def test_a_capture_counts_as_a_defeat_for_the_flame():
    """Ruling 33: the question comes after the captive stands in his new slot."""
    t = villains_turn({1: "loki_1"}, {1: "thor_1:1"}, heroes={"artifacts": ["eternal_flame"]})
    t.play("done", "slot 2")
    assert (t.to_move, moves(t)) == ("heroes", {"target v1", "target v2", "no"})
    t.play("target v2")
    shows(t, villains={"slots": {1: "loki_1", 2: "thor_1:1"}}, to_move="villains")
    assert moves(t) == {"slot 3", "slot 4", "slot 5", "slot 6", "no"}


@pytest.mark.rule("ruling 33", "rule loki.no-immediate")
def test_loki_takes_shield_agents_without_their_point():
    """Ruling 33: no immediate effect on capture."""
    t = villains_turn({1: "loki_1"}, {1: "shield_agents_red"})
    t.play("done", "slot 6")
    shows(t, victory=0, villains={"slots": {1: "loki_1", 6: "shield_agents_red"}})


@pytest.mark.rule("ruling 33", "card ant_man_1", "ruling 38")
def test_loki_has_to_defeat_ant_man_first():
    """Ruling 38: against 2 damage the stronger Ant-Man stays, the weaker is caught."""
    t = villains_turn({1: "loki_1"}, {1: "ant_man_2"})
    t.play("done")
    shows(t, on_turn="heroes", heroes={"slots": {1: "ant_man_2:1"}})
    t = villains_turn({1: "loki_1"}, {1: "ant_man_1"})
    t.play("done", "slot 6")
    shows(t, villains={"slots": {1: "loki_1", 6: "ant_man_1"}})


@pytest.mark.rule("ruling 33", "ruling 38", "card ant_man_1", "artifact eternal_flame")
def test_a_capture_does_not_renew_ant_mans_reduction():
    """Ruling 38: it goes along with the card, and Loki's attack has used it up this turn."""
    t = villains_turn({1: "loki_1"}, {1: "ant_man_1"}, heroes={"artifacts": ["eternal_flame"]})
    t.play("done", "slot 6", "target v6")
    shows(t, villains={"slots": {1: "loki_1"}, "discard": ["ant_man_1"]})


# What a captive keeps out


@pytest.mark.rule("ruling 33", "rule loki.bars-hero")
@pytest.mark.parametrize("captive", ["thor_1", "thor_2"])
def test_no_copy_of_a_captive_enters_the_hero_side(captive):
    """Ruling 33: either version is barred, agents of the same colour are not."""
    other = "thor_2" if captive == "thor_1" else "thor_1"
    agents = ["shield_agents_red", "shield_agents_green"]
    hand = ["black_panther_1", "captain_america_1", other, *agents]
    plays = {f"play {card}" for card in hand} | {"done"}
    t = table(to_move="heroes", heroes=side(hand=hand), villains=side())
    assert moves(t) == plays
    captives = {1: captive, 2: "shield_agents_red"}
    t = table(to_move="heroes", heroes=side(hand=hand), villains=side(slots=captives))
    assert moves(t) == plays - {f"play {other}"}


@pytest.mark.rule(
    "ruling 33", "artifact ebony_blade", "rule loki.villains-pile", "rule ebony_blade.check"
)
def test_a_fallen_captive_lies_in_the_villains_pile_and_bars_nobody():
    """Ruling 33: defeated he goes to the Villains' discard, and his copies may come again."""
    t = table(
        to_move="heroes",
        heroes=side(
            hand=["thor_2", "captain_america_1", "captain_america_2", "hulk_1", "hulk_2"],
            artifacts=["ebony_blade"],
        ),
        villains=side(slots={1: "thor_1:2"}),
    )
    assert "play thor_2" not in moves(t)
    t.play("artifact ebony_blade", "target v1")
    shows(t, villains={"slots": {}, "discard": ["thor_1"]}, heroes={"discard": []})
    assert "play thor_2" in moves(t)


# Captives in later roles


@pytest.mark.rule("ruling 33", "card captain_marvel_2", "rule loki.villain-effects")
def test_a_captive_is_a_villain_to_hero_effects():
    """Ruling 33: Captain Marvel may pick him, and defeated he joins the Villains' pile."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["captain_marvel_2"], slots={6: "captain_marvel_1"}),
        villains=side(slots={3: "black_panther_1", 4: "kang_2"}),
    )
    t.play("play captain_marvel_2")
    assert moves(t) == {"target v3", "target v4", "no"}
    t.play("target v3")
    shows(t, villains={"slots": {4: "kang_2"}, "discard": ["black_panther_1"]})


@pytest.mark.rule("ruling 33", "artifact lifeline_tablet")
def test_a_captive_is_an_own_card_to_the_villains_tablet():
    """Ruling 33: the Villains heal him, a hero on the other side is no choice."""
    t = table(
        villains=side(slots={1: "loki_1", 2: "thor_1:2"}, artifacts=["lifeline_tablet"]),
        heroes=side(slots={1: "hulk_1:2"}),
    )
    t.play("artifact lifeline_tablet")
    assert moves(t) == {"target v2"}
    t.play("target v2")
    shows(t, villains={"slots": {1: "loki_1", 2: "thor_1:1"}})


@pytest.mark.rule("ruling 33", "rule loki.is-villain")
def test_a_captive_takes_the_villains_bonus_in_manhattan():
    """Ruling 33: he scores for the Villains and frees nobody."""
    t = villains_turn({2: "captain_marvel_1"})
    t.play("done")
    shows(t, on_turn="heroes", victory=1, civilians=["rygb"] * 3, heroes={"freed": ""})


@pytest.mark.rule("ruling 33", "card nick_fury_2", "rule loki.is-villain")
def test_a_captured_nick_fury_scores_for_the_villains():
    """Ruling 33: the attack effect's own side is now the villain side."""
    t = villains_turn({4: "nick_fury_2"})
    t.play("done")
    shows(t, on_turn="heroes", victory=1, artifact_marker=1)


@pytest.mark.rule("ruling 33", "card war_machine_1", "rule loki.is-villain")
def test_a_captured_war_machine_draws_villain_cards():
    """Ruling 33: the card comes from the Villains' deck."""
    t = table(
        villains=side(slots={4: "war_machine_1"}, deck=["ares_1", "ares_2", "zola_1", "zola_2"]),
        heroes=side(),
    )
    t.play("done", "yes")
    shows(t, villains={"hand": ["ares_1", "ares_2", "zola_1"], "deck": ["zola_2"]})


@pytest.mark.rule("ruling 33", "card captain_america_2")
def test_a_captured_captain_america_hurts_heroes_a_strange_below_too():
    """Ruling 33: in his effect villain and hero are exchanged."""
    t = villains_turn({4: "captain_america_2"}, {1: "hulk_1+doctor_strange_1"})
    t.play("done")
    assert moves(t) == {"target h1", "target h1u", "no"}
    t.play("target h1u")
    shows(t, heroes={"slots": {1: "hulk_1+doctor_strange_1:1"}})


@pytest.mark.rule("ruling 33", "card thor_1", "ruling 30")
def test_a_captured_thor_moves_among_villain_slots():
    """Rulings 30, 33: his new slot comes up without a second attack."""
    t = villains_turn({1: "thor_1:1", 2: "hydra_agents_yellow"})
    t.play("done")
    shows(t, victory=1)
    assert moves(t) == {"slot 3", "slot 4", "slot 5", "slot 6", "no"}
    t.play("slot 3")
    shows(t, on_turn="heroes", victory=1)
    shows(t, villains={"slots": {2: "hydra_agents_yellow", 3: "thor_1:1"}})


@pytest.mark.rule("ruling 28", "ruling 33", "card thor_2")
def test_modok_cannot_use_a_captured_thor_who_has_moved():
    """Ruling 28: Thor beside him is no choice once he has moved this phase."""
    t = villains_turn({1: "thor_2", 3: "modok_1"})
    t.play("done", "slot 2")
    assert moves(t) == {"no", "done"}
    t.play("done")
    shows(t, on_turn="heroes", victory=1)


@pytest.mark.rule("ruling 28", "ruling 33", "card thor_2")
def test_modok_uses_a_captured_thor_who_stayed():
    """Ruling 28: attacking before does not bar him; his move is spent, so it is not offered."""
    t = villains_turn({2: "thor_2", 3: "modok_1"})
    t.play("done", "no")
    assert moves(t) == {"no", "slot 2", "done"}
    t.play("slot 2")
    shows(t, on_turn="heroes", victory=2, villains={"slots": {2: "thor_2", 3: "modok_1"}})


@pytest.mark.rule("ruling 28", "ruling 30", "ruling 33")
def test_a_thor_moved_by_a_led_attack_misses_his_own_turn():
    """Rulings 28, 30: led by M.O.D.O.K. he attacks and moves, then he is done for this phase."""
    t = villains_turn({1: "modok_1", 2: "thor_1"})
    t.play("done", "slot 2", "slot 3")
    shows(t, on_turn="heroes", victory=1, villains={"slots": {1: "modok_1", 3: "thor_1"}})


@pytest.mark.rule("ruling 26", "ruling 33", "card winter_soldier_2")
def test_a_captured_winter_soldier_strengthens_villains():
    """Rulings 26, 33: every other villain gains 1, so even strength 0 attacks."""
    t = villains_turn(
        {1: "hydra_agents_yellow", 2: "winter_soldier_2"}, {1: "hulk_1", 2: "iron_man_2"}
    )
    t.play("done")
    shows(t, on_turn="heroes", heroes={"slots": {1: "hulk_1:1", 2: "iron_man_2:2"}})


@pytest.mark.rule("ruling 26", "ruling 33", "card winter_soldier_2", "rule loki.no-hero-effects")
def test_a_captured_winter_soldier_no_longer_strengthens_heroes():
    """Ruling 33: hero effects of a captive are over for the Heroes."""
    t = table(
        to_move="heroes",
        heroes=side(slots={1: "black_panther_1"}),
        villains=side(slots={1: "leader_1", 6: "winter_soldier_2"}),
    )
    t.play("done")
    shows(t, on_turn="villains", villains={"slots": {1: "leader_1:1", 6: "winter_soldier_2"}})


@pytest.mark.rule("ruling 31", "ruling 33", "ruling 39", "card winter_soldier_1")
def test_a_captured_winter_soldier_clears_a_row_of_heroes():
    """Rulings 31, 33: heroes facing villains suffer, but not the one facing him."""
    t = villains_turn(
        slots={1: "winter_soldier_1", 2: "hydra_agents_yellow", 3: "hydra_agents_yellow"},
        facing={1: "hulk_1", 2: "thor_1+doctor_strange_1", 3: "hawkeye_1", 5: "nick_fury_1"},
        hand=["zola_1"],
    )
    t.play("done")
    assert moves(t) == {"discard zola_1", "no"}
    t.play("discard zola_1")
    shows(
        t,
        heroes={
            "slots": {1: "hulk_1:1", 2: "thor_1:1+doctor_strange_1:1", 5: "nick_fury_1"},
            "discard": ["hawkeye_1"],
        },
        villains={"discard": ["zola_1"]},
    )


@pytest.mark.rule("ruling 33", "ruling 38", "card ant_man_1")
def test_a_captured_ant_man_keeps_his_reduction():
    """Ruling 38: a captive shrugs off the first damage of the turn, not the second."""
    t = table(
        to_move="heroes",
        heroes=side(slots={1: "black_panther_1", 4: "captain_america_1"}),
        villains=side(slots={1: "ant_man_1"}),
    )
    t.play("done")
    shows(t, villains={"slots": {1: "ant_man_1"}}, artifact_marker=-1)
    t.play("target v1")
    shows(t, villains={"slots": {}, "discard": ["ant_man_1"]}, heroes={"discard": []})


@pytest.mark.rule("ruling 33", "artifact eternal_flame")
def test_a_fallen_captive_feeds_the_villains_flame():
    """Ruling 33: his defeat is that of a villain."""
    t = table(
        to_move="heroes",
        heroes=side(slots={1: "captain_marvel_1"}),
        villains=side(slots={1: "hawkeye_1"}, artifacts=["eternal_flame"]),
    )
    t.play("done")
    assert (t.to_move, moves(t)) == ("villains", {"target h1", "no"})


# Kang fetching captives


@pytest.mark.rule("ruling 16", "ruling 33", "card nick_fury_1", "card shield_agents_red")
def test_kang_fetches_captives_and_their_effects_serve_the_villains():
    """Ruling 16: two printed symbols at most for the weaker Kang; the point is the Villains'."""
    discard = ["captain_marvel_2", "nick_fury_1", "shield_agents_red"]
    t = kang_fetches("kang_1", discard)
    assert moves(t) == {"fetch nick_fury_1", "fetch shield_agents_red", "no"}
    for card in ("nick_fury_1", "shield_agents_red"):
        one = t.clone()
        one.play(f"fetch {card}", "slot 4")
        shows(one, victory=1, villains={"slots": {4: card, 6: "kang_1"}})


@pytest.mark.rule("ruling 16", "ruling 33")
def test_kang_fetches_no_captive_whose_copy_is_a_hero_in_play():
    """Ruling 16: a main character cannot stand on both sides, agents can."""
    t = kang_fetches(
        "kang_2",
        ["thor_1", "nick_fury_1", "shield_agents_red"],
        facing={1: "nick_fury_2", 2: "shield_agents_red", 3: "hulk_1+doctor_strange_1"},
    )
    assert moves(t) == {"fetch thor_1", "fetch shield_agents_red", "no"}


@pytest.mark.rule("ruling 16", "ruling 33", "ruling 39")
def test_kang_fetches_no_strange_while_one_lies_below_a_hero():
    """Rulings 16, 39: a tucked Strange is a card in play."""
    t = kang_fetches("kang_2", ["doctor_strange_2"], facing={3: "hulk_1+doctor_strange_1"})
    assert (t.question, moves(t)) == ("recruitment", {"done"})


@pytest.mark.rule("ruling 16", "ruling 33", "ruling 13")
def test_a_fetched_captive_replaces_his_copy_on_the_villain_side():
    """Rulings 13, 16: same slot, no damage, the old copy goes to the Villains' pile."""
    t = kang_fetches("kang_2", ["thor_2"], slots={3: "thor_1:2"})
    t.play("fetch thor_2")
    shows(t, villains={"slots": {3: "thor_2", 6: "kang_2"}, "discard": ["kang_1", "thor_1"]})
    assert (t.question, moves(t)) == ("recruitment", {"done"})


@pytest.mark.rule("ruling 33", "ruling 39", "card doctor_strange_1")
def test_a_fetched_strange_never_tucks_under_a_villain():
    """Ruling 39: on the villain side he only takes an empty slot."""
    board = {"slots": {1: "ares_1", 2: "thor_1"}, "facing": {1: "hulk_1", 3: "hawkeye_1"}}
    t = kang_fetches("kang_2", ["doctor_strange_1"], **board)
    t.play("fetch doctor_strange_1")
    assert moves(t) == {"slot 3", "slot 4", "slot 5"}


@pytest.mark.rule("ruling 33", "card hulk_1", "ruling 49")
def test_a_fetched_hulk_offers_the_heroes_a_card():
    """Ruling 33: the opponent in his effect is now the Heroes player."""
    t = kang_fetches("kang_2", ["hulk_1"], heroes={"deck": ["thor_1", "thor_2", "hawkeye_1"]})
    t.play("fetch hulk_1", "slot 1")
    assert (t.to_move, moves(t)) == ("heroes", {"yes", "no"})
    t.play("yes")
    shows(t, to_move="villains", heroes={"hand": ["thor_1"], "deck": ["thor_2", "hawkeye_1"]})


@pytest.mark.rule("ruling 33", "card iron_man_2", "ruling 20")
def test_a_fetched_iron_man_plays_from_the_villains_hand():
    """Ruling 33: his free card comes from the hand of the Villains."""
    t = villains_turn(
        {6: "kang_1"},
        hand=["kang_2", "ares_2", "leader_1"],
        villains={"discard": ["iron_man_2", "zola_1"]},
    )
    t.play("play kang_2", "fetch iron_man_2", "slot 1")
    assert moves(t) == {"play ares_2", "play leader_1", "no"}
    t.play("play ares_2", "slot 2")
    shows(t, villains={"slots": {1: "iron_man_2", 2: "ares_2", 6: "kang_2"}, "hand": ["leader_1"]})


@pytest.mark.rule("ruling 33", "card captain_marvel_2", "ruling 39")
def test_a_fetched_captain_marvel_hurts_heroes():
    """Ruling 33: her 2 damage go to a card of the hero side, a Strange below included."""
    t = kang_fetches("kang_2", ["captain_marvel_2"], facing={2: "hulk_1+doctor_strange_1"})
    t.play("fetch captain_marvel_2", "slot 1")
    assert moves(t) == {"target h2", "target h2u", "no"}
    t.play("target h2u")
    shows(t, heroes={"slots": {2: "hulk_1"}, "discard": ["doctor_strange_1"]})


@pytest.mark.rule("ruling 33", "ruling 32", "card hawkeye_1")
def test_a_fetched_hawkeye_shoots_the_hero_he_faces():
    """Rulings 32, 33: the facing card is now a hero."""
    t = kang_fetches("kang_1", ["hawkeye_1"], facing={4: "hulk_1", 5: "thor_1"})
    t.play("fetch hawkeye_1", "slot 4", "yes")
    shows(t, heroes={"slots": {4: "hulk_1:2", 5: "thor_1"}})


@pytest.mark.rule("ruling 33", "card black_panther_2", "ruling 37")
def test_a_fetched_black_panther_moves_damage_from_villains_to_heroes():
    """Ruling 33: sources are villains, destinations heroes, token by token as ever."""
    t = kang_fetches(
        "kang_2", ["black_panther_2"], slots={1: "loki_1:2"}, facing={2: "hawkeye_1", 3: "thor_1:1"}
    )
    t.play("fetch black_panther_2", "slot 4")
    assert moves(t) == {"target v1", "no"}
    t.play("target v1")
    assert moves(t) == {"target h2", "target h3"}
    t.play("target h2", "target v1", "target h3")
    shows(t, villains={"slots": {1: "loki_1", 4: "black_panther_2", 6: "kang_2"}})
    shows(t, heroes={"slots": {3: "thor_1:2"}, "discard": ["hawkeye_1"]})
