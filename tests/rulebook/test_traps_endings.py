"""Decks that run dry and wins that come in the middle of something."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows
from tests.rulebook.turns import heroes_turn, villains_turn

BY_MARKER = pytest.mark.parametrize(
    ("victory", "winner"), [(1, "villains"), (-1, "heroes"), (0, "draw")]
)


def is_over(t, winner: str, ending: str, **expected) -> None:
    """Assert that the game has ended so and asks nobody anything."""
    assert (t.winner, t.ending) == (winner, ending)
    assert (t.to_move, t.question, t.legal()) == (None, None, [])
    assert t.states[0].depth == 0
    shows(t, phase="over", **expected)


# -- A deck that runs dry -------------------------------------------------------------------------


@pytest.mark.rule("ruling 6", "ruling 7", "ruling 9", "card war_machine_1")
@BY_MARKER
def test_war_machine_draws_the_last_card(victory, winner):
    """Rulings 6, 9: the deck is empty in slot 4's attack, slot 5 still attacks, then it ends."""
    t = heroes_turn(
        slots={4: "war_machine_1", 5: "hulk_1"}, heroes={"deck": ["thor_1"]}, victory=victory
    )
    t.play("done", "yes")
    is_over(t, winner, "deck", victory=victory, artifact_marker=-2, turn=2)
    shows(t, heroes={"hand": ["thor_1"], "deck": []})


@pytest.mark.rule("ruling 6", "ruling 9", "card war_machine_1")
@pytest.mark.parametrize(("answer", "left"), [("yes", 0), ("no", 1)])
def test_war_machine_decides_whether_the_turn_is_the_last(answer, left):
    """Ruling 6: of three cards his one and the two of the Draw phase are all."""
    deck = ["thor_1", "thor_2", "hawkeye_1"]
    t = heroes_turn(slots={4: "war_machine_1"}, heroes={"deck": deck}, victory=-2)
    t.play("done", answer)
    shows(t, heroes={"hand": deck[: 3 - left], "deck": deck[3 - left :]})
    assert t.winner == (None if left else "heroes")


@pytest.mark.rule("ruling 6", "ruling 9", "card leader_2")
@pytest.mark.parametrize(
    ("before", "winner"), [(0, "villains"), (-1, "draw"), (-2, "heroes"), (3, "villains")]
)
def test_leader_empties_the_deck_and_the_turn_goes_on(before, winner):
    """Rulings 6, 9: of two cards there is one; Leader's bonus still counts at the turn's end."""
    t = villains_turn(
        slots={1: "leader_1"}, hand=["leader_2"], villains={"deck": ["ares_1"]}, victory=before
    )
    t.play("play leader_2", "yes")
    assert (t.question, moves(t)) == ("recruitment", {"done"})
    shows(t, villains={"hand": ["ares_1"], "deck": []})
    t.play("done")
    is_over(t, winner, "deck", victory=before + 1)


@pytest.mark.rule("ruling 6", "ruling 49", "card hulk_2")
@BY_MARKER
def test_hulk_lets_the_villains_draw_their_last_card(victory, winner):
    """Ruling 6: emptied in the Heroes' turn, the Villains' deck ends the game after it."""
    t = heroes_turn(
        slots={6: "hulk_1"},
        hand=["hulk_2"],
        villains={"deck": ["ares_1"]},
        victory=victory,
        battlegrounds=[],
    )
    t.play("play hulk_2")
    assert (t.to_move, t.question) == ("villains", "draw")
    t.play("yes")
    assert (t.to_move, t.question) == ("heroes", "recruitment")
    t.play("done")
    is_over(t, winner, "deck", victory=victory, on_turn="heroes")
    shows(t, villains={"hand": ["ares_1"], "deck": []})


@pytest.mark.rule("ruling 6", "card hulk_1")
def test_a_declined_card_keeps_the_game_going_for_a_turn():
    """Ruling 6: the Villains leave Hulk's card; their own Draw phase then empties the deck."""
    t = heroes_turn(
        slots={6: "hulk_2"}, hand=["hulk_1"], villains={"deck": ["ares_1"]}, battlegrounds=[]
    )
    t.play("play hulk_1", "no", "done")
    assert (t.winner, t.to_move) == (None, "villains")
    t.play("done")
    is_over(t, "draw", "deck", on_turn="villains", turn=3)


@pytest.mark.rule("ruling 6", "card hydra_agents_blue")
@BY_MARKER
def test_blue_agents_let_the_heroes_draw_their_last_card(victory, winner):
    """Ruling 6: the Heroes' deck is empty at the end of the Villains' turn."""
    t = villains_turn(
        hand=["hydra_agents_blue"], heroes={"deck": ["thor_1"]}, victory=victory, battlegrounds=[]
    )
    t.play("play hydra_agents_blue", "slot 6", "yes", "done")
    is_over(t, winner, "deck", victory=victory, on_turn="villains", heroes={"hand": ["thor_1"]})


@pytest.mark.rule("ruling 48", "ruling 9", "artifact norn_stones", "card war_machine_2")
def test_war_machine_and_the_norn_stones_draw_four():
    """Ruling 48: after his card three are left, and taking all of them ends the game."""
    deck = ["thor_1", "thor_2", "hawkeye_1", "hawkeye_2"]
    t = heroes_turn(
        slots={4: "war_machine_2"},
        heroes={"deck": deck, "artifacts": ["norn_stones"]},
        victory=-3,
    )
    t.play("done", "yes")
    assert (t.question, moves(t)) == ("draw three", {"yes", "no"})
    patient = t.clone()
    patient.play("no")
    assert (patient.winner, patient.to_move) == (None, "villains")
    shows(patient, heroes={"hand": deck[:3], "deck": deck[3:]})
    t.play("yes")
    is_over(t, "heroes", "deck", heroes={"hand": deck, "deck": []})


@pytest.mark.rule("ruling 48", "ruling 9", "artifact norn_stones")
@pytest.mark.parametrize("cards", [1, 2])
def test_the_norn_stones_do_not_ask_for_what_is_not_there(cards):
    """Rulings 9, 48: at most two cards are left, so two or three make no difference."""
    t = villains_turn(
        villains={"deck": ["ares_1", "zola_1"][:cards], "artifacts": ["norn_stones"]}, victory=1
    )
    t.play("done")
    is_over(t, "villains", "deck", victory=1)


@pytest.mark.rule("ruling 6", "ruling 7")
@BY_MARKER
def test_the_draw_phase_takes_what_there_is(victory, winner):
    """Ruling 9: one card for two, and the marker decides."""
    t = villains_turn(villains={"deck": ["ares_1"]}, victory=victory)
    t.play("done")
    is_over(t, winner, "deck", villains={"hand": ["ares_1"], "deck": []})


@pytest.mark.rule("ruling 6", "card kang_1", "card leader_1", "artifact warlocks_eye")
def test_a_deck_emptied_inside_kangs_effect_cuts_nothing_off():
    """Ruling 6: Leader's Eye, Kang's Eye and the rest of the turn follow the last card."""
    t = villains_turn(
        slots={6: "kang_2"},
        hand=["kang_1"],
        villains={"discard": ["leader_1"], "deck": ["ares_1"], "artifacts": ["warlocks_eye"]},
        heroes={"hand": ["thor_1", "hulk_1", "hawkeye_1"]},
        battlegrounds=[],
    )
    t.play("play kang_1", "fetch leader_1", "slot 1", "yes")
    assert (t.to_move, t.question) == ("heroes", "warlock discard")
    t.play("discard thor_1", "discard hulk_1")
    assert (t.to_move, moves(t)) == ("villains", {"done"})
    t.play("done")
    is_over(t, "villains", "deck", victory=1, heroes={"hand": ["hawkeye_1"]})


# -- A win in the middle --------------------------------------------------------------------------


@pytest.mark.rule("ruling 6", "card baron_zemo_2", "ruling 28")
def test_zemos_first_card_wins_inside_modoks_attack():
    """Ruling 6: neither the second card nor Zemo's own slot is reached."""
    t = villains_turn(
        slots={3: "modok_1", 4: "baron_zemo_2"}, hand=["ares_1", "zola_1"], victory=8
    )
    t.play("done", "slot 4")
    assert moves(t) == {"discard ares_1", "discard zola_1", "no"}
    t.play("discard zola_1")
    is_over(t, "villains", "victory", victory=9, artifact_marker=1)
    shows(t, villains={"hand": ["ares_1"], "discard": ["zola_1"]})


@pytest.mark.rule("ruling 6", "ruling 28", "ruling 33", "card nick_fury_2")
@pytest.mark.parametrize(("victory", "won"), [(8, 9), (7, 9)])
def test_a_captured_fury_led_by_modok_wins_before_his_own_slot(victory, won):
    """Ruling 6: at 8 his bonus is enough, at 7 his effect."""
    t = villains_turn(slots={1: "modok_1", 2: "nick_fury_2", 3: "zola_1:1"}, victory=victory)
    t.play("done", "slot 2")
    is_over(t, "villains", "victory", victory=won, villains={
        "slots": {1: "modok_1", 2: "nick_fury_2", 3: "zola_1:1"}
    })  # fmt: skip


@pytest.mark.rule("ruling 6", "ruling 20", "card iron_man_2", "card shield_agents_red")
def test_agents_win_inside_iron_mans_effect():
    """Ruling 6: the seventh point comes before Iron Man's Warlock's Eye."""
    t = heroes_turn(
        slots={1: "iron_man_1"},
        hand=["iron_man_2", "shield_agents_red", "thor_1"],
        heroes={"artifacts": ["warlocks_eye"]},
        villains={"hand": ["ares_1"]},
        victory=-6,
    )
    t.play("play iron_man_2", "play shield_agents_red", "slot 2")
    is_over(t, "heroes", "victory", victory=-7, heroes={"hand": ["thor_1"]})
    shows(t, villains={"hand": ["ares_1"]})


@pytest.mark.rule("ruling 6", "ruling 16", "ruling 20", "card shield_agents_blue")
def test_a_fetched_captive_wins_inside_kang_inside_the_agents():
    """Rulings 6, 16: the ninth point, and two Eyes stay shut."""
    t = villains_turn(
        slots={1: "kang_2"},
        hand=["hydra_agents_green", "kang_1", "ares_1"],
        villains={"discard": ["shield_agents_blue"], "artifacts": ["warlocks_eye"]},
        heroes={"hand": ["thor_1"]},
        victory=8,
    )
    t.play("play hydra_agents_green", "discard ares_1", "slot 2", "play kang_1")
    assert moves(t) == {"fetch ares_1", "fetch shield_agents_blue", "no"}
    t.play("fetch shield_agents_blue", "slot 3")
    is_over(t, "villains", "victory", victory=9, heroes={"hand": ["thor_1"]})


@pytest.mark.rule("ruling 6", "card busy_main_street")
@pytest.mark.parametrize(("victory", "over"), [(6, True), (5, False)])
def test_the_points_of_a_battleground_come_before_its_damage(victory, over):
    """Ruling 6: with the ninth point Hawkeye stands, with the eighth he falls and is avenged."""
    t = villains_turn(
        slots={1: "ultron_1"},
        hand=["busy_main_street", "ares_1", "kang_1", "zola_1", "zola_2"],
        facing={1: "hawkeye_1"},
        heroes={"artifacts": ["eternal_flame"]},
        victory=victory,
    )
    t.play("play busy_main_street", "discard ares_1", "discard kang_1")
    t.play("discard zola_1", "discard zola_2")
    if over:
        is_over(t, "villains", "victory", victory=9, heroes={"slots": {1: "hawkeye_1"}})
    else:
        assert (t.question, moves(t)) == ("damage", {"target h1"})
        t.play("target h1")
        assert (t.to_move, t.question) == ("heroes", "flame")


@pytest.mark.rule("ruling 6", "artifact ten_rings", "card street_corner")
@pytest.mark.parametrize(("victory", "over"), [(-4, True), (-3, False)])
def test_the_rings_point_wins_before_the_heal(victory, over):
    """Ruling 6: two points and the Rings' one come at once, the heal afterwards."""
    t = heroes_turn(
        hand=["street_corner", "thor_1", "nick_fury_1"],
        slots={1: "hulk_1:2"},
        heroes={"artifacts": ["ten_rings"]},
        victory=victory,
    )
    t.play("play street_corner")
    assert moves(t) == {"waive"}
    t.play("waive", "discard nick_fury_1", "discard thor_1")
    if over:
        is_over(t, "heroes", "victory", victory=-7, heroes={"slots": {1: "hulk_1:2"}})
    else:
        assert (t.question, moves(t)) == ("heal", {"target h1"})


@pytest.mark.rule("ruling 6", "ruling 45", "artifact wand_of_watoomb")
def test_the_wand_wins_before_anything_is_asked():
    """Rulings 6, 45: three cards, the ninth point, and no Recruitment any more."""
    t = heroes_turn(
        facing={4: "kang_1", 5: "ares_1", 6: "zola_1"},
        villains={"artifacts": ["wand_of_watoomb"], "hand": ["hydra_agents_yellow"]},
        victory=8,
    )
    t.play("done")
    is_over(t, "villains", "victory", victory=9, on_turn="villains", turn=3)


@pytest.mark.rule("ruling 6", "ruling 8", "card captain_america_1", "card war_machine_1")
def test_the_tenth_civilian_cuts_off_the_attack_effect_and_the_later_slots():
    """Rulings 6, 8: neither Captain America's damage nor War Machine's attack follows."""
    t = heroes_turn(
        slots={1: "captain_america_1", 4: "war_machine_1"},
        facing={5: "hydra_agents_red"},
        civilians=["ry", "b", ""],
        victory=5,
    )
    t.play("done")
    assert (t.question, moves(t)) == ("free civilian", {"civilian red", "civilian yellow"})
    t.play("civilian yellow")
    is_over(t, "heroes", "civilians", civilians=["r", "b", ""], victory=5, artifact_marker=0)
    shows(t, villains={"slots": {5: "hydra_agents_red"}}, heroes={"freed": "y"})


@pytest.mark.rule("ruling 6", "ruling 8", "ruling 7")
def test_the_tenth_civilian_wins_in_the_last_turn_too():
    """Ruling 6: the first condition met ends the game, the empty deck comes later."""
    t = heroes_turn(
        slots={2: "hawkeye_1"}, civilians=["", "gb", "r"], heroes={"deck": ["thor_1"]}, victory=8
    )
    t.play("done", "civilian green")
    is_over(t, "heroes", "civilians", heroes={"deck": ["thor_1"], "freed": "g"})


@pytest.mark.rule("ruling 6", "card nick_fury_2", "ruling 34")
def test_nick_furys_bonus_wins_before_his_effect():
    """Rulings 6, 34: without civilians the bonus is a point, and the marker stops at its end."""
    t = heroes_turn(slots={1: "nick_fury_2", 2: "thor_1"}, civilians=["", "ry", "gb"], victory=-6)
    t.play("done")
    is_over(t, "heroes", "victory", victory=-7)


@pytest.mark.rule("ruling 6", "ruling 46", "card baron_zemo_1")
def test_zemo_wins_although_the_flame_burnt_him():
    """Rulings 6, 46: both answers to the fallen pair are settled slots before his point."""
    t = villains_turn(
        slots={1: "thanos_1:1", 4: "baron_zemo_1"},
        hand=["ares_1"],
        facing={1: "hawkeye_1+doctor_strange_1"},
        heroes={"artifacts": ["eternal_flame"]},
        victory=8,
    )
    t.play("done", "target v1", "target v4")
    shows(t, villains={"slots": {1: "thanos_1:2", 4: "baron_zemo_1:1"}})
    assert (t.to_move, t.question) == ("villains", "give up card")
    t.play("discard ares_1")
    is_over(t, "villains", "victory", victory=9, artifact_marker=1)


# -- Discounts ------------------------------------------------------------------------------------


@pytest.mark.rule("ruling 19", "artifact cosmic_cube", "card hydra_agents_yellow")
def test_the_cube_has_nothing_to_drop_from_a_free_card():
    """Ruling 19: no cost, no payment; the Cube waits for the next card."""
    t = villains_turn(
        hand=["hydra_agents_yellow", "hydra_agents_red"], villains={"artifacts": ["cosmic_cube"]}
    )
    t.play("play hydra_agents_yellow")
    assert (t.question, moves(t)) == ("placement", {f"slot {n}" for n in range(1, 7)})
    t.play("slot 1", "play hydra_agents_red")
    assert (t.question, moves(t)) == ("payment", {"waive"})
    t.play("waive", "slot 2")
    shows(t, villains={"hand": [], "discard": []})


@pytest.mark.rule("ruling 17", "ruling 19", "artifact cosmic_cube", "card hydra_agents_green")
def test_the_cube_makes_a_chain_of_agents_free():
    """Rulings 17, 19: each payment has one any-symbol, and each of them may be left open."""
    t = villains_turn(
        hand=["hydra_agents_green", "hydra_agents_green", "hydra_agents_red"],
        facing={1: "hulk_1"},
        villains={"artifacts": ["cosmic_cube"]},
    )
    t.play("play hydra_agents_green")
    assert moves(t) == {"discard hydra_agents_red", "discard hydra_agents_green", "waive"}
    t.play("waive", "slot 1", "play hydra_agents_green", "waive", "slot 2")
    t.play("play hydra_agents_red")
    assert (t.question, moves(t)) == ("payment", {"waive"})
    t.play("waive", "slot 3")
    assert (t.question, moves(t)) == ("recruitment", {"done"})
    shows(t, villains={"hand": [], "discard": []})


@pytest.mark.rule("ruling 17", "ruling 19", "artifact cosmic_cube")
def test_the_cube_drops_one_symbol_of_a_cost_turned_into_any():
    """Rulings 17, 19: all three symbols of Ares are any-symbols now, the Cube still drops one."""
    t = villains_turn(
        hand=["hydra_agents_green", "ares_2", "zola_1", "zola_2"],
        villains={"artifacts": ["cosmic_cube"]},
    )
    t.play("play hydra_agents_green", "waive", "slot 1", "play ares_2")
    assert moves(t) == {"discard zola_1"}
    t.play("discard zola_1")
    assert moves(t) == {"discard zola_2"}
    t.play("discard zola_2")
    assert moves(t) == {"waive"}
    t.play("waive", "slot 2")
    shows(t, villains={"hand": [], "slots": {1: "hydra_agents_green", 2: "ares_2"}})


@pytest.mark.rule("ruling 19", "artifact cosmic_cube", "artifact ten_rings", "card iron_man_2")
def test_what_is_free_or_replaces_asks_for_no_payment():
    """Rulings 13, 17, 19: neither discount is spent or asked for."""
    t = heroes_turn(
        slots={1: "iron_man_1"},
        hand=["iron_man_2", "hulk_2"],
        heroes={"artifacts": ["cosmic_cube", "ten_rings"]},
        villains={"deck": ["ares_1"]},
    )
    t.play("play iron_man_2", "play hulk_2")
    assert t.question == "placement"
    t.play("slot 2", "no")
    shows(t, heroes={"hand": [], "discard": ["iron_man_1"]})


@pytest.mark.rule("ruling 19", "artifact cosmic_cube", "artifact ten_rings")
@pytest.mark.parametrize(
    ("card", "hand", "payable"),
    [
        ("run_down_alley", ["zola_1", "leader_1"], True),  # y g b: the Rings drop blue
        ("run_down_alley", ["zola_1", "ares_1"], False),  # two colours short
        ("run_down_alley", ["zola_1"], False),  # no any-symbol for the Cube
        ("financial_district", ["zola_1", "leader_1", "ares_1"], True),  # y g * *: the Cube alone
        ("financial_district", ["zola_1", "leader_1"], True),  # both
        ("financial_district", ["zola_1", "ares_1"], True),  # Rings green, Cube an any-symbol
        ("financial_district", ["ares_1", "ares_2"], False),  # two colours short
        ("financial_district", ["zola_1"], False),  # never two by the same discount
    ],
)
def test_both_discounts_together_drop_two_symbols_at_most(card, hand, payable):
    """Ruling 19: one any-symbol by the Cube, one symbol of choice by the Rings."""
    t = villains_turn(
        hand=[card, *hand], villains={"artifacts": ["cosmic_cube", "ten_rings"]}
    )
    assert (f"play {card}" in moves(t)) == payable


@pytest.mark.rule("ruling 19", "ruling 10", "artifact cosmic_cube", "artifact ten_rings")
def test_both_discounts_leave_two_any_symbols_open():
    """Ruling 19: the Rings may drop a colour too; once both are paid only discounts are left."""
    t = villains_turn(
        hand=["financial_district", "zola_1", "leader_1"],
        villains={"artifacts": ["cosmic_cube", "ten_rings"]},
    )
    t.play("play financial_district")
    for payer in ("discard zola_1", "discard leader_1"):
        assert moves(t) == {payer, "waive"}
        t.play(payer)
    for _ in range(2):
        assert (t.question, moves(t)) == ("payment", {"waive"})
        t.play("waive")
    shows(t, victory=4, villains={"hand": [], "discard": ["leader_1", "zola_1"]})
    assert t.question == "recruitment"
