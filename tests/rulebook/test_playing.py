"""Phase I: playing, paying, replacing, immediate effects (rulings 10 to 22, 49 and 50)."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.rulebook.helpers import BATTLEGROUNDS, moves, shows, side, slots, table

FULL_VILLAINS = ["leader_1", "loki_1", "zola_1", "modok_1", "ultron_1", "hydra_agents_yellow"]
FULL_HEROES = ["hulk_1", "thor_1", "nick_fury_1", "hawkeye_1", "iron_man_1", "shield_agents_red"]


# -- Paying ---------------------------------------------------------------------------------------


@pytest.mark.rule("rule recruitment.cannot-afford")
def test_recruitment_may_be_left_at_once():
    """Phase I: optional; without a card to play only the end of the phase is left."""
    t = table(villains=side(hand=["thanos_1"]))
    assert t.question == "recruitment"
    assert moves(t) == {"done"}


@pytest.mark.rule(
    "rule recruitment.any-number", "rule recruitment.optional", "rule hydra.yellow-no-effect"
)
def test_any_number_of_cards_may_be_played_in_a_turn():
    """Phase I: one card after the other until the player stops."""
    t = table(villains=side(hand=["hydra_agents_yellow", "hydra_agents_yellow", "zola_1"]))
    t.play("play hydra_agents_yellow", "slot 3")
    assert moves(t) == {"play hydra_agents_yellow", "done"}
    t.play("play hydra_agents_yellow")
    assert moves(t) == slots(1, 2, 4, 5, 6)
    t.play("slot 6")
    shows(t, villains={"hand": ["zola_1"], "discard": []})
    shows(t, villains={"slots": {3: "hydra_agents_yellow", 6: "hydra_agents_yellow"}})
    assert moves(t) == {"done"}


@pytest.mark.rule("card hydra_agents_yellow", "card hydra_agents_blue", "rule playing.free-cards")
@pytest.mark.parametrize("card", ["hydra_agents_yellow", "hydra_agents_blue"])
def test_some_side_characters_are_free(card):
    """Phase I: a card without a cost goes straight to a slot."""
    t = table(villains=side(hand=[card]))
    t.play(f"play {card}")
    assert moves(t) == slots(1, 2, 3, 4, 5, 6)
    t.play("slot 2")
    shows(t, villains={"slots": {2: card}, "hand": []})


@pytest.mark.rule("rule playing.empty-slot", "rule playing.one-card-a-slot")
def test_a_character_needs_an_empty_slot_and_takes_only_one():
    """Phase I: one card a slot; taken slots are not offered."""
    t = table(
        villains=side(
            hand=["zola_1", "modok_1", "ares_1"], slots={1: "leader_1", 4: "hydra_agents_red"}
        )
    )
    t.play("play zola_1", "discard modok_1", "discard ares_1")
    assert moves(t) == slots(2, 3, 5, 6)
    t.play("slot 5")
    shows(t, villains={"slots": {1: "leader_1", 4: "hydra_agents_red", 5: "zola_1"}})


@pytest.mark.rule("ruling 10", "rule recruitment.cannot-afford", "rule playing.other-cards")
def test_the_played_card_cannot_pay_for_itself():
    """Ruling 10: the only red card in hand is the one that asks for red."""
    t = table(villains=side(hand=["ares_1", "leader_1", "thanos_2"]))
    assert moves(t) == {"play leader_1", "done"}


@pytest.mark.rule("ruling 10", "rule playing.other-cards")
def test_the_second_copy_of_a_card_pays_for_the_first():
    """Ruling 10: another copy in hand is another card."""
    t = table(villains=side(hand=["ares_1", "ares_1", "zola_1"]))
    assert moves(t) == {"play ares_1", "done"}
    t.play("play ares_1")
    assert moves(t) == {"discard ares_1"}
    t.play("discard ares_1")
    assert moves(t) == {"discard zola_1"}
    shows(t, villains={"hand": ["ares_1", "zola_1"], "discard": ["ares_1"]})
    t.play("discard zola_1", "slot 1")
    shows(t, villains={"hand": [], "discard": ["ares_1", "zola_1"], "slots": {1: "ares_1"}})


@pytest.mark.rule("ruling 10", "rule playing.any-symbol")
def test_nobody_pays_more_than_the_cost():
    """Ruling 10: two symbols, two cards; a third is never asked for."""
    t = table(villains=side(hand=["leader_1", "thanos_1", "zola_1", "ares_1", "hela_1"]))
    t.play("play leader_1")
    assert moves(t) == {"discard thanos_1"}
    t.play("discard thanos_1")
    assert moves(t) == {"discard ares_1", "discard hela_1", "discard zola_1"}
    t.play("discard hela_1")
    assert moves(t) == slots(1, 2, 3, 4, 5, 6)
    shows(t, villains={"discard": ["thanos_1", "hela_1"]})


@pytest.mark.rule(
    "rule playing.colours",
    "rule playing.any-symbol",
    "rule playing.any-battleground",
    "rule notation.payable",
)
def test_coloured_symbols_are_paid_before_any_symbols():
    """Phase I: each coloured symbol takes its own colour, whatever is left takes any card."""
    t = table(villains=side(hand=["hela_2", "leader_1", "loki_1", "ultron_1", "street_corner"]))
    t.play("play hela_2")
    assert moves(t) == {"discard leader_1", "discard loki_1"}
    t.play("discard loki_1")
    assert moves(t) == {"discard ultron_1"}
    t.play("discard ultron_1")
    assert moves(t) == {"discard leader_1", "discard street_corner"}


@pytest.mark.rule("rule notation.rising")
def test_equal_symbols_take_cards_in_list_order():
    """Notation: equal symbols are paid upwards, so each set of payers can be named one way only."""
    t = table(villains=side(hand=["kang_1", "ultron_1", "ares_1", "leader_1", "zola_1"]))
    t.play("play kang_1", "discard ultron_1")
    assert moves(t) == {"discard ares_1", "discard leader_1"}
    t.play("discard leader_1")
    assert moves(t) == {"discard zola_1"}


@pytest.mark.rule("rule notation.kinds-apart")
def test_one_symbol_is_not_ordered_against_another():
    """Notation: after the second green card the first one may still pay the any-symbol."""
    t = table(villains=side(hand=["leader_1", "loki_1", "thanos_1"]))
    t.play("play leader_1", "discard thanos_1")
    assert moves(t) == {"discard loki_1"}


@pytest.mark.rule(
    "ruling 11",
    "rule playing.any-battleground",
    "rule battlegrounds.pays-any",
    "rule battlegrounds.pays-returns",
)
def test_a_battleground_pays_an_any_symbol_and_returns_under_its_stack():
    """Ruling 11: no coloured symbol; then face down to the bottom, never to a discard pile."""
    t = table(
        villains=side(hand=["zola_1", "modok_1", "street_corner", "financial_district"]),
        battlegrounds=["run_down_alley"],
    )
    t.play("play zola_1")
    assert moves(t) == {"discard modok_1"}
    t.play("discard modok_1")
    assert moves(t) == {"discard financial_district", "discard street_corner"}
    t.play("discard street_corner")
    shows(t, battlegrounds=["run_down_alley", "street_corner"])
    shows(t, villains={"discard": ["modok_1"]})


@pytest.mark.rule("ruling 11", "rule battlegrounds.pays-any")
def test_a_battleground_pays_no_colour():
    """Ruling 11: battlegrounds alone never pay for a card with a coloured symbol."""
    t = table(villains=side(hand=["zola_1", "street_corner", "financial_district"]))
    assert moves(t) == {"done"}


@pytest.mark.rule("ruling 11")
def test_a_battleground_may_pay_for_a_battleground():
    """Ruling 11: the any-symbols of a battleground take another battleground."""
    t = table(
        villains=side(hand=["busy_main_street", "ares_1", "ultron_1", "street_corner", "zola_1"]),
        battlegrounds=["run_down_alley"],
    )
    t.play("play busy_main_street", "discard ares_1", "discard ultron_1")
    assert moves(t) == {"discard zola_1"}
    t.play("discard zola_1")
    assert moves(t) == {"discard street_corner"}
    t.play("discard street_corner")
    shows(t, victory=3, battlegrounds=["run_down_alley", "street_corner", "busy_main_street"])
    shows(t, villains={"discard": ["ares_1", "ultron_1", "zola_1"], "hand": []})


@pytest.mark.rule("ruling 11")
@pytest.mark.parametrize("zemo", ["baron_zemo_1", "baron_zemo_2"])
def test_a_battleground_given_up_for_an_effect_goes_under_the_stack(zemo):
    """Ruling 11: Zemo's discard of a battleground fills no discard pile."""
    t = table(
        villains=side(hand=["street_corner"], slots={4: zemo}), battlegrounds=["run_down_alley"]
    )
    t.play("done", "discard street_corner")
    shows(t, victory=1, battlegrounds=["run_down_alley", "street_corner"])
    shows(t, villains={"discard": []})


@pytest.mark.rule("ruling 11", "card hydra_agents_red")
def test_red_hydra_agents_send_a_battleground_under_the_stack():
    """Ruling 11: the card given up for the damage may be a battleground."""
    t = table(
        villains=side(hand=["hydra_agents_red", "zola_1", "street_corner"]),
        heroes=side(slots={2: "nick_fury_1"}),
        battlegrounds=["run_down_alley"],
    )
    t.play("play hydra_agents_red", "discard zola_1", "slot 5", "discard street_corner")
    assert moves(t) == {"target h2"}
    t.play("target h2")
    shows(t, battlegrounds=["run_down_alley", "street_corner"])
    shows(t, villains={"discard": ["zola_1"]}, heroes={"slots": {2: "nick_fury_1:1"}})


@pytest.mark.rule(
    "ruling 12",
    "rule playing.civilian-colour",
    "rule playing.civilian-any",
    "rule playing.civilian-share",
    "rule playing.civilian-spent",
    "rule locations.civilian-use",
)
def test_civilians_pay_their_colour_or_an_any_symbol():
    """Ruling 12: freed civilians stand beside the cards; once spent they leave the game."""
    t = table(
        to_move="heroes",
        civilians=["gb", "rgb", "rygb"],
        heroes=side(hand=["captain_marvel_1", "thor_1"], freed="ryy"),
    )
    t.play("play captain_marvel_1")
    assert moves(t) == {"civilian red"}
    t.play("civilian red")
    assert moves(t) == {"discard thor_1", "civilian yellow"}
    t.play("civilian yellow")
    assert moves(t) == {"civilian yellow"}
    t.play("civilian yellow", "slot 6")
    shows(t, civilians=["gb", "rgb", "rygb"])
    shows(t, heroes={"freed": "", "hand": ["thor_1"], "discard": []})


@pytest.mark.rule("ruling 12", "rule playing.civilian-any")
def test_cards_and_civilians_are_ordered_within_equal_symbols():
    """Ruling 12: cards come before civilians when both pay the same kind of symbol."""
    t = table(
        to_move="heroes",
        civilians=["ryg", "ryg", "rygb"],
        heroes=side(hand=["shield_agents_red", "thor_1"], freed="bb"),
    )
    t.play("play shield_agents_red")
    assert moves(t) == {"discard thor_1", "civilian blue"}
    t.play("discard thor_1")
    assert moves(t) == {"civilian blue"}
    t.play("civilian blue")
    shows(t, heroes={"freed": "b"})


@pytest.mark.rule("ruling 12", "rule playing.civilian-heroes-only")
def test_villains_cannot_pay_with_civilians():
    """Ruling 12: civilians in front of the heroes are no money for the villains."""
    t = table(
        civilians=["", "rygb", "rygb"],
        villains=side(hand=["ares_1", "zola_1", "leader_1"]),
        heroes=side(freed="rygb"),
    )
    assert moves(t) == {"done"}


@pytest.mark.rule("example captain marvel payment")
def test_captain_marvel_is_paid_with_a_red_a_yellow_and_a_battleground():
    """Playing a Card, example: one red, two of any colour; a red civilian could have paid too."""
    t = table(
        to_move="heroes",
        civilians=["ygb", "rygb", "rygb"],
        heroes=side(
            hand=["captain_marvel_1", "ant_man_1", "nick_fury_1", "street_corner"], freed="r"
        ),
        battlegrounds=["run_down_alley"],
    )
    t.play("play captain_marvel_1")
    assert moves(t) == {"discard ant_man_1", "civilian red"}
    by_civilian = t.clone()
    t.play("discard ant_man_1")
    assert moves(t) == {"discard nick_fury_1", "discard street_corner"}
    t.play("discard nick_fury_1")
    assert moves(t) == {"discard street_corner", "civilian red"}
    t.play("discard street_corner", "slot 4")
    shows(t, battlegrounds=["run_down_alley", "street_corner"])
    shows(t, heroes={"discard": ["ant_man_1", "nick_fury_1"], "freed": "r", "hand": []})
    shows(t, heroes={"slots": {4: "captain_marvel_1"}})

    by_civilian.play("civilian red")
    assert moves(by_civilian) == {"discard ant_man_1", "discard nick_fury_1"}
    by_civilian.play("discard ant_man_1", "discard street_corner", "slot 4")
    shows(by_civilian, heroes={"freed": "", "hand": ["nick_fury_1"], "discard": ["ant_man_1"]})


# -- Replacing ------------------------------------------------------------------------------------


@pytest.mark.rule(
    "ruling 13",
    "rule replacing.free",
    "rule replacing.any-version",
    "rule replacing.damage-gone",
    "rule replacing.old-discarded",
    "rule replacing.same-slot",
)
@pytest.mark.parametrize("old", ["zola_1", "zola_2"])
@pytest.mark.parametrize("new", ["zola_1", "zola_2"])
def test_any_version_replaces_any_version_for_free(old, new):
    """Replacing: no cost, no choice of slot; the old copy goes with its damage."""
    t = table(villains=side(hand=[new], slots={4: f"{old}:2"}))
    assert moves(t) == {f"play {new}", "done"}
    t.play(f"play {new}")
    assert moves(t) == {"done"}
    shows(t, villains={"slots": {4: new}, "discard": [old], "hand": []})


@pytest.mark.rule(
    "example captain marvel replaced",
    "ruling 13",
    "rule replacing.damage-gone",
    "rule replacing.old-discarded",
)
def test_captain_marvel_replaces_herself():
    """Replacing, example: the new version costs nothing and starts without damage."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["captain_marvel_2", "thor_1"], slots={2: "captain_marvel_1:2"}),
    )
    t.play("play captain_marvel_2")
    shows(t, heroes={"slots": {2: "captain_marvel_2"}, "discard": ["captain_marvel_1"]})
    shows(t, heroes={"hand": ["thor_1"]}, to_move="heroes")
    assert moves(t) == {"done"}


@pytest.mark.rule("ruling 13", "card leader_2")
def test_a_replacement_carries_out_the_new_immediate_effect():
    """Ruling 13: a replaced Leader lets his owner draw again."""
    t = table(
        villains=side(
            hand=["leader_2"], slots={1: "leader_1:2"}, deck=["ares_1", "ares_2", "kang_1"]
        )
    )
    t.play("play leader_2")
    assert moves(t) == {"yes", "no"}
    t.play("yes")
    shows(t, villains={"hand": ["ares_1", "ares_2"], "slots": {1: "leader_2"}})


@pytest.mark.rule(
    "ruling 13", "ruling 14", "rule playing.one-card-a-slot", "rule replacing.same-slot"
)
def test_a_full_board_still_allows_a_replacement():
    """Rulings 13 and 14: no empty slot is needed for it, and it is all that can be played."""
    t = table(
        villains=side(
            hand=["zola_2", "ares_1", "ares_2", "hydra_agents_blue", "hydra_agents_yellow"],
            slots=FULL_VILLAINS,
        )
    )
    assert moves(t) == {"play zola_2", "done"}
    t.play("play zola_2")
    shows(t, villains={"slots": ["leader_1", "loki_1", "zola_2", *FULL_VILLAINS[3:]]})


@pytest.mark.rule("ruling 13")
def test_a_replacement_is_not_a_defeat():
    """Ruling 13: the villains' own Eternal Flame does not answer a replacement."""
    t = table(
        villains=side(hand=["zola_2"], slots={1: "zola_1:2"}, artifacts=["eternal_flame"]),
        heroes=side(slots={5: "hulk_1"}),
    )
    t.play("play zola_2")
    assert (t.to_move, moves(t)) == ("villains", {"done"})
    shows(t, heroes={"slots": {5: "hulk_1"}})


@pytest.mark.rule("ruling 13", "rule replacing.must-replace", "rule replacing.never-two")
def test_a_second_copy_has_no_other_slot():
    """Replacing: a main character is never in play twice, though slots are free."""
    t = table(
        villains=side(hand=["ares_2", "red_hulk_1", "red_hulk_2", "zola_1"], slots={3: "ares_1"})
    )
    t.play("play ares_2")
    shows(t, villains={"slots": {3: "ares_2"}, "discard": ["ares_1"]})
    shows(t, villains={"hand": ["red_hulk_1", "red_hulk_2", "zola_1"]})


@pytest.mark.rule("ruling 13", "rule replacing.side-many")
def test_side_characters_are_not_replaced():
    """Replacing: any number of the same side characters may be in play, each at its cost."""
    t = table(villains=side(hand=["hydra_agents_green", "zola_1"], slots={3: "hydra_agents_green"}))
    t.play("play hydra_agents_green")
    assert moves(t) == {"discard zola_1"}
    t.play("discard zola_1")
    assert moves(t) == slots(1, 2, 4, 5, 6)
    t.play("slot 1")
    shows(t, villains={"slots": {1: "hydra_agents_green", 3: "hydra_agents_green"}})


@pytest.mark.rule("ruling 13")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({2: "hulk_1:1+doctor_strange_1:1"}, {2: "hulk_1:1+doctor_strange_2"}),
        ({2: "hulk_1", 5: "doctor_strange_1:1"}, {2: "hulk_1", 5: "doctor_strange_2"}),
    ],
)
def test_a_replacing_strange_takes_the_exact_place(before, after):
    """Ruling 13: below a hero or in a slot, where the old copy was; no new choice."""
    t = table(to_move="heroes", heroes=side(hand=["doctor_strange_2"], slots=before))
    t.play("play doctor_strange_2")
    assert moves(t) == {"done"}
    shows(t, heroes={"slots": after, "discard": ["doctor_strange_1"], "hand": []})


@pytest.mark.rule("ruling 14")
def test_strange_fits_under_a_hero_on_a_full_board():
    """Ruling 14: without an empty slot he may still go below; others may not be played."""
    t = table(
        to_move="heroes",
        heroes=side(
            hand=["doctor_strange_1", "captain_marvel_1", "ant_man_1", "ant_man_2"],
            slots=FULL_HEROES,
        ),
    )
    assert moves(t) == {"play doctor_strange_1", "done"}
    t.play("play doctor_strange_1", "discard ant_man_1", "discard ant_man_2")
    assert moves(t) == {f"tuck {n}" for n in range(1, 7)}
    t.play("tuck 6")
    shows(t, heroes={"slots": [*FULL_HEROES[:5], "shield_agents_red+doctor_strange_1"]})


# -- Cards that play cards ------------------------------------------------------------------------


@pytest.mark.rule("ruling 15", "card kang_1", "rule kang_1.two-symbols", "rule kang_1.optional")
def test_kang_1_counts_printed_symbols():
    """Ruling 15: none, one or two symbols will do, three will not, whatever the discount."""
    t = table(
        villains=side(
            hand=["kang_1"],
            slots={3: "kang_2"},
            discard=["hydra_agents_yellow", "hydra_agents_red", "ares_1", "ares_2", "hela_1"],
            artifacts=["cosmic_cube"],
        )
    )
    t.play("play kang_1")
    assert moves(t) == {
        "fetch ares_1",
        "fetch hydra_agents_yellow",
        "fetch hydra_agents_red",
        "no",
    }


@pytest.mark.rule("ruling 15", "card kang_2", "rule kang_2.any-cost")
def test_kang_2_looks_at_no_cost():
    """Appendix, Kang (second version): any card of the pile."""
    t = table(
        villains=side(
            hand=["kang_2"], slots={3: "kang_1"}, discard=["hydra_agents_yellow", "thanos_2"]
        )
    )
    t.play("play kang_2")
    assert moves(t) == {"fetch thanos_2", "fetch hydra_agents_yellow", "no"}


@pytest.mark.rule("ruling 15", "rule iron_man_1.two-symbols", "rule iron_man_1.placed")
def test_iron_man_1_counts_printed_symbols():
    """Ruling 15: two symbols at most from the own hand."""
    t = table(
        to_move="heroes",
        heroes=side(
            hand=["iron_man_1", "ant_man_1", "hulk_1", "shield_agents_blue", "winter_soldier_2"],
            slots={3: "iron_man_2"},
            artifacts=["cosmic_cube"],
        ),
    )
    t.play("play iron_man_1")
    assert moves(t) == {"play ant_man_1", "play shield_agents_blue", "no"}
    t.play("play ant_man_1")
    assert moves(t) == slots(1, 2, 4, 5, 6)
    t.play("slot 1")
    shows(t, heroes={"slots": {1: "ant_man_1", 3: "iron_man_1"}, "discard": ["iron_man_2"]})


@pytest.mark.rule("ruling 16", "card kang_1", "card kang_2")
@pytest.mark.parametrize("kang", ["kang_1", "kang_2"])
def test_kang_fetches_no_kang(kang):
    """Ruling 16: neither the copy he replaces nor another one; without other cards no question."""
    t = table(
        villains=side(
            hand=[kang],
            slots={3: "kang_1"} if kang == "kang_2" else {3: "kang_2"},
            discard=[kang],
        )
    )
    t.play(f"play {kang}")
    assert moves(t) == {"done"}


@pytest.mark.rule("ruling 16", "ruling 22", "card kang_2", "rule kang_2.optional")
def test_kang_may_leave_the_pile_alone():
    """Rulings 16 and 22: fetching is a may."""
    t = table(villains=side(hand=["kang_2"], slots={3: "kang_1"}, discard=["thanos_2"]))
    t.play("play kang_2", "no")
    shows(t, villains={"discard": ["kang_1", "thanos_2"], "slots": {3: "kang_2"}})
    assert moves(t) == {"done"}


@pytest.mark.rule("ruling 16", "card kang_1", "rule kang_1.from-discard", "rule kang_1.placed")
def test_a_fetched_card_is_placed_like_any_other():
    """Ruling 16: free of cost, in an empty slot of choice, out of the discard pile."""
    t = table(
        villains=side(
            hand=["kang_1"], slots={3: "kang_2", 4: "ares_1"}, discard=["hydra_agents_yellow"]
        )
    )
    t.play("play kang_1", "fetch hydra_agents_yellow")
    assert moves(t) == slots(1, 2, 5, 6)
    t.play("slot 2")
    shows(t, villains={"slots": {2: "hydra_agents_yellow", 3: "kang_1", 4: "ares_1"}})
    shows(t, villains={"discard": ["kang_2"]})


@pytest.mark.rule("ruling 16", "ruling 13", "card kang_1", "rule kang_1.placed")
def test_kang_may_replace():
    """Ruling 16: a fetched copy takes its predecessor's slot, which goes to the discard pile."""
    t = table(
        villains=side(
            hand=["kang_1"], slots={3: "kang_2", 4: "ares_2:1", 5: "zola_1"}, discard=["ares_1"]
        )
    )
    t.play("play kang_1", "fetch ares_1")
    assert moves(t) == {"done"}
    shows(t, villains={"slots": {3: "kang_1", 4: "ares_1", 5: "zola_1"}})
    shows(t, villains={"discard": ["ares_2", "kang_2"]})


@pytest.mark.rule("ruling 14", "ruling 16", "card kang_2", "rule kang_2.placed")
def test_kang_on_a_full_board_fetches_replacements_only():
    """Ruling 14: a card that would need an empty slot is not offered."""
    board = ["kang_1", "loki_1", "zola_1", "modok_1", "ultron_1", "hydra_agents_yellow"]
    t = table(
        villains=side(
            hand=["kang_2"], slots=board, discard=["zola_2", "ares_1", "hydra_agents_yellow"]
        )
    )
    t.play("play kang_2")
    assert moves(t) == {"fetch zola_2", "no"}


@pytest.mark.rule("ruling 10", "ruling 16", "card kang_1", "rule kang_1.from-discard")
def test_kang_fetches_a_card_that_has_just_paid_for_him():
    """Ruling 10: payment lies in the discard pile before the effect begins."""
    t = table(villains=side(hand=["kang_1", "ultron_1", "leader_1", "thanos_1"]))
    t.play("play kang_1", "discard ultron_1", "discard leader_1", "discard thanos_1", "slot 1")
    assert moves(t) == {"fetch leader_1", "fetch ultron_1", "no"}
    t.play("fetch ultron_1", "slot 2")
    shows(t, villains={"slots": {1: "kang_1", 2: "ultron_1"}, "discard": ["leader_1", "thanos_1"]})


@pytest.mark.rule("ruling 16", "card kang_1")
def test_a_fetched_captive_works_for_the_villains():
    """Ruling 16: Nick Fury, captured once and fallen, gives the villains his point."""
    t = table(
        villains=side(hand=["kang_1"], slots={3: "kang_2"}, discard=["nick_fury_1"]),
    )
    t.play("play kang_1", "fetch nick_fury_1", "slot 6")
    shows(t, victory=1, villains={"slots": {3: "kang_1", 6: "nick_fury_1"}})


@pytest.mark.rule("ruling 16", "card kang_2")
def test_a_fetched_captive_turns_its_effect_against_the_heroes():
    """Ruling 16: Captain Marvel deals her damage to a hero then."""
    t = table(
        villains=side(hand=["kang_2"], slots={3: "kang_1"}, discard=["captain_marvel_2"]),
        heroes=side(slots={1: "thor_1", 2: "hulk_2"}),
    )
    t.play("play kang_2", "fetch captain_marvel_2", "slot 5")
    assert moves(t) == {"target h1", "target h2", "no"}
    t.play("target h2")
    shows(t, heroes={"slots": {1: "thor_1", 2: "hulk_2:2"}})


@pytest.mark.rule("ruling 16", "card kang_2")
@pytest.mark.parametrize(
    ("heroes", "fetches"),
    [
        ({4: "captain_marvel_1"}, {"fetch shield_agents_red", "no"}),
        (
            {4: "hulk_1+doctor_strange_1"},
            {"fetch captain_marvel_2", "fetch shield_agents_red", "no"},
        ),
        ({4: "shield_agents_red"}, {"fetch captain_marvel_2", "fetch shield_agents_red", "no"}),
    ],
)
def test_a_character_on_the_hero_side_cannot_be_fetched(heroes, fetches):
    """Ruling 16: while any version of the main character stands there; agents do not count."""
    t = table(
        villains=side(
            hand=["kang_2"],
            slots={3: "kang_1"},
            discard=["captain_marvel_2", "shield_agents_red"],
        ),
        heroes=side(slots=heroes),
    )
    t.play("play kang_2")
    assert moves(t) == fetches


@pytest.mark.rule("ruling 16")
def test_a_tucked_strange_keeps_the_captive_strange_out():
    """Ruling 16: the copy below a hero stands on the hero side too."""
    t = table(
        villains=side(hand=["kang_2"], slots={3: "kang_1"}, discard=["doctor_strange_2"]),
        heroes=side(slots={4: "hulk_1+doctor_strange_1"}),
    )
    t.play("play kang_2")
    assert moves(t) == {"done"}


@pytest.mark.rule(
    "ruling 17", "card hydra_agents_green", "rule hydra.green-second", "rule hydra.green-any-cards"
)
def test_green_hydra_agents_let_a_villain_be_paid_with_any_cards():
    """Appendix, Hydra Agents (green): Ares asks for no red, a battleground pays as well."""
    t = table(
        villains=side(hand=["hydra_agents_green", "ares_1", "zola_1", "leader_1", "street_corner"]),
        battlegrounds=["run_down_alley"],
    )
    t.play("play hydra_agents_green", "discard leader_1", "slot 6")
    assert moves(t) == {"play ares_1", "play zola_1", "no"}
    t.play("play ares_1")
    assert moves(t) == {"discard zola_1"}
    t.play("discard zola_1")
    assert moves(t) == {"discard street_corner"}
    t.play("discard street_corner", "slot 1")
    shows(t, villains={"slots": {1: "ares_1", 6: "hydra_agents_green"}, "hand": []})
    shows(t, battlegrounds=["run_down_alley", "street_corner"])
    assert moves(t) == {"done"}


@pytest.mark.rule("ruling 17", "card hydra_agents_green")
def test_green_hydra_agents_play_no_battleground():
    """Ruling 17: characters only, though the battleground could be paid."""
    t = table(
        villains=side(
            hand=["hydra_agents_green", "ares_1", "zola_1", "leader_1", "ultron_1", "street_corner"]
        )
    )
    t.play("play hydra_agents_green", "discard ultron_1", "slot 6")
    assert moves(t) == {"play ares_1", "play leader_1", "play zola_1", "no"}


@pytest.mark.rule("ruling 17")
def test_iron_man_2_plays_no_battleground():
    """Ruling 17: a battleground is not placed on a side, so Iron Man does not play it."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["iron_man_2", "hulk_2", "street_corner"], slots={3: "iron_man_1"}),
    )
    t.play("play iron_man_2")
    assert moves(t) == {"play hulk_2", "no"}


@pytest.mark.rule("ruling 17", "card hydra_agents_green")
def test_green_hydra_agents_play_a_side_character_or_a_replacement():
    """Ruling 17: the second villain may be free or replace, then nothing is paid."""
    t = table(
        villains=side(
            hand=["hydra_agents_green", "hydra_agents_yellow", "zola_2", "ares_1"],
            slots={2: "zola_1:2"},
        )
    )
    t.play("play hydra_agents_green", "discard ares_1", "slot 6")
    assert moves(t) == {"play zola_2", "play hydra_agents_yellow", "no"}
    free = t.clone()
    free.play("play hydra_agents_yellow")
    assert moves(free) == slots(1, 3, 4, 5)
    t.play("play zola_2")
    assert moves(t) == {"play hydra_agents_yellow", "done"}
    shows(t, villains={"slots": {2: "zola_2", 6: "hydra_agents_green"}})
    shows(t, villains={"hand": ["hydra_agents_yellow"]})


@pytest.mark.rule("ruling 17", "ruling 19", "card hydra_agents_green")
def test_the_cube_drops_one_symbol_of_a_villain_paid_through_hydra_agents():
    """Rulings 17 and 19: three symbols, one of them a printed any-symbol, so two cards suffice."""
    t = table(
        villains=side(
            hand=["hydra_agents_green", "ares_2", "leader_1", "zola_1"], artifacts=["cosmic_cube"]
        )
    )
    t.play("play hydra_agents_green")
    assert moves(t) == {"discard ares_2", "discard leader_1", "discard zola_1", "waive"}
    t.play("waive", "slot 1")
    assert moves(t) == {"play ares_2", "play leader_1", "play zola_1", "no"}
    t.play("play ares_2")
    assert moves(t) == {"discard leader_1"}
    t.play("discard leader_1")
    assert moves(t) == {"discard zola_1"}
    t.play("discard zola_1")
    assert moves(t) == {"waive"}
    t.play("waive", "slot 2")
    shows(t, villains={"slots": {1: "hydra_agents_green", 2: "ares_2"}, "hand": []})


@pytest.mark.rule("ruling 17", "card hydra_agents_green", "rule notation.asked-for-change")
def test_green_hydra_agents_ask_nothing_when_nothing_can_be_played():
    """Notation: a may is put only when accepting it can change something."""
    t = table(villains=side(hand=["hydra_agents_green", "ares_1", "zola_1"]))
    t.play("play hydra_agents_green", "discard ares_1", "slot 1")
    assert moves(t) == {"done"}


# -- Hela's return --------------------------------------------------------------------------------


@pytest.mark.rule(
    "ruling 18", "card hela_1", "rule hela_1.return", "rule hela_1.price", "rule hela_1.empty-slot"
)
def test_hela_1_returns_for_one_blue_card():
    """Appendix, Hela (first version): a blue card instead of the printed cost."""
    t = table(villains=side(hand=["ultron_1", "ares_1"], discard=["hela_1"], slots={2: "zola_1"}))
    assert moves(t) == {"fetch hela_1", "done"}
    t.play("fetch hela_1")
    assert moves(t) == {"discard ultron_1"}
    t.play("discard ultron_1")
    assert moves(t) == slots(1, 3, 4, 5, 6)
    t.play("slot 3")
    shows(t, villains={"slots": {2: "zola_1", 3: "hela_1"}, "discard": ["ultron_1"]})
    shows(t, villains={"hand": ["ares_1"]})
    assert moves(t) == {"done"}


@pytest.mark.rule(
    "example hela returns", "ruling 18", "card hela_2", "rule hela_2.return", "rule hela_2.price"
)
def test_hela_2_returns_for_a_blue_and_a_red_card():
    """Appendix, Hela, example: out of the discard pile for one blue and one red card."""
    t = table(villains=side(hand=["ultron_1", "kang_1", "ares_1"], discard=["hela_2"]))
    assert moves(t) == {"play ultron_1", "fetch hela_2", "done"}
    t.play("fetch hela_2")
    assert moves(t) == {"discard ares_1"}
    t.play("discard ares_1")
    assert moves(t) == {"discard kang_1", "discard ultron_1"}
    t.play("discard ultron_1", "slot 6")
    shows(t, villains={"slots": {6: "hela_2"}, "discard": ["ares_1", "ultron_1"]})


@pytest.mark.rule(
    "ruling 18", "card hela_1", "card hela_2", "rule hela_1.return", "rule hela_2.return"
)
@pytest.mark.parametrize(
    ("hand", "discard"),
    [
        (["ares_1", "zola_1"], ["hela_1"]),
        (["ultron_1", "kang_1"], ["hela_2"]),
        (["ares_1", "ares_2"], ["hela_2"]),
        (["street_corner"], ["hela_1"]),
    ],
)
def test_hela_does_not_return_for_other_cards(hand, discard):
    """Ruling 18: exactly her colours, paid with cards; battlegrounds have no colour."""
    t = table(villains=side(hand=hand, discard=discard))
    assert f"fetch {discard[0]}" not in moves(t)


@pytest.mark.rule(
    "ruling 18",
    "card hela_1",
    "card hela_2",
    "rule hela_1.no-other-hela",
    "rule hela_2.no-other-hela",
)
@pytest.mark.parametrize("in_play", ["hela_1", "hela_2"])
def test_hela_does_not_return_beside_hela(in_play):
    """Appendix, Hela: not while any version is in play, and not as a replacement."""
    t = table(
        villains=side(hand=["ultron_1", "ares_1"], discard=["hela_1", "hela_2"], slots={2: in_play})
    )
    assert moves(t) == {"done"}


@pytest.mark.rule("ruling 18", "card hela_1", "rule hela_1.empty-slot")
def test_hela_does_not_return_to_a_full_board():
    """Ruling 18: she needs an empty slot."""
    t = table(villains=side(hand=["kang_1"], discard=["hela_1"], slots=FULL_VILLAINS))
    assert moves(t) == {"done"}


@pytest.mark.rule("ruling 18", "ruling 10", "card hela_1")
def test_hela_pays_and_comes_back_in_the_same_phase():
    """Rulings 10 and 18: discarded as payment, she returns for another blue card."""
    t = table(villains=side(hand=["ultron_1", "hela_1", "kang_1", "ares_1"]))
    t.play("play ultron_1", "discard hela_1", "discard ares_1", "slot 1")
    assert moves(t) == {"fetch hela_1", "done"}
    t.play("fetch hela_1", "discard kang_1", "slot 2")
    shows(t, villains={"slots": {1: "ultron_1", 2: "hela_1"}, "discard": ["ares_1", "kang_1"]})


@pytest.mark.rule("ruling 18", "card hela_1")
def test_hela_in_hand_pays_for_hela_in_the_pile():
    """Ruling 18: the other version is a blue card like any other."""
    t = table(villains=side(hand=["hela_2"], discard=["hela_1"]))
    t.play("fetch hela_1")
    assert moves(t) == {"discard hela_2"}
    t.play("discard hela_2", "slot 1")
    shows(t, villains={"slots": {1: "hela_1"}, "discard": ["hela_2"]})
    assert moves(t) == {"done"}


@pytest.mark.rule("ruling 18", "ruling 19", "card hela_2")
def test_the_cube_takes_nothing_off_the_return():
    """Rulings 18 and 19: the return names colours only, the Cube drops any-symbols."""
    t = table(
        villains=side(hand=["ares_1"], discard=["hela_2"], artifacts=["cosmic_cube"]),
    )
    assert moves(t) == {"done"}
    t = table(
        villains=side(hand=["ares_1", "kang_1"], discard=["hela_2"], artifacts=["cosmic_cube"]),
    )
    t.play("fetch hela_2")
    assert moves(t) == {"discard ares_1"}


@pytest.mark.rule("ruling 18", "card hela_1")
def test_the_return_is_not_playing():
    """Ruling 18: Warlock's Eye stays silent at the return and speaks when she is played."""
    heroes = side(hand=["thor_1"])
    t = table(
        villains=side(hand=["ultron_1"], discard=["hela_1"], artifacts=["warlocks_eye"]),
        heroes=heroes,
    )
    t.play("fetch hela_1", "discard ultron_1", "slot 1")
    assert (t.to_move, moves(t)) == ("villains", {"done"})
    shows(t, heroes={"hand": ["thor_1"]})

    t = table(
        villains=side(hand=["hela_1"], slots={1: "hela_2"}, artifacts=["warlocks_eye"]),
        heroes=heroes,
    )
    t.play("play hela_1")
    assert (t.to_move, moves(t)) == ("heroes", {"discard thor_1"})


@pytest.mark.rule("ruling 18", "ruling 15", "card hela_1", "card hela_2", "rule hela_1.price")
def test_hela_costs_her_printed_cost_from_hand_and_nothing_with_kang():
    """Ruling 18: the return price holds for the return only."""
    t = table(villains=side(hand=["hela_1", "ultron_1", "ares_1"]))
    assert "play hela_1" not in moves(t)
    t = table(villains=side(hand=["kang_2"], slots={3: "kang_1"}, discard=["hela_1", "hela_2"]))
    t.play("play kang_2")
    assert moves(t) == {"fetch hela_1", "fetch hela_2", "no"}
    t.play("fetch hela_2", "slot 5")
    shows(t, villains={"slots": {3: "kang_2", 5: "hela_2"}, "discard": ["hela_1", "kang_1"]})


@pytest.mark.rule("ruling 18", "ruling 16", "card hela_1")
def test_kang_may_replace_hela_with_hela():
    """Ruling 18: fetched by Kang she is played, so she may take the place of her other version."""
    t = table(
        villains=side(hand=["kang_2"], slots={3: "kang_1", 4: "hela_2:1"}, discard=["hela_1"])
    )
    t.play("play kang_2", "fetch hela_1")
    shows(t, villains={"slots": {3: "kang_2", 4: "hela_1"}, "discard": ["hela_2", "kang_1"]})


# -- Discounts ------------------------------------------------------------------------------------


@pytest.mark.rule("ruling 19")
def test_the_cube_drops_one_any_symbol():
    """Ruling 19: optional, once a payment, never a colour."""
    t = table(villains=side(hand=["ares_1", "red_hulk_1", "zola_1"], artifacts=["cosmic_cube"]))
    assert moves(t) == {"play ares_1", "play red_hulk_1", "done"}
    t.play("play ares_1")
    assert moves(t) == {"discard red_hulk_1"}
    t.play("discard red_hulk_1")
    assert moves(t) == {"discard zola_1", "waive"}
    t.play("waive", "slot 1")
    shows(t, villains={"hand": ["zola_1"], "discard": ["red_hulk_1"]})


@pytest.mark.rule("ruling 19")
def test_the_cube_drops_one_of_two_any_symbols():
    """Ruling 19: dropping comes last among equal symbols, and only one may be dropped."""
    t = table(
        villains=side(hand=["kang_1", "ultron_1", "leader_1", "zola_1"], artifacts=["cosmic_cube"])
    )
    t.play("play kang_1", "discard ultron_1")
    assert moves(t) == {"discard leader_1", "discard zola_1"}
    low, high = t, t.clone()
    low.play("discard leader_1")
    assert moves(low) == {"discard zola_1", "waive"}
    high.play("discard zola_1")
    assert moves(high) == {"waive"}


@pytest.mark.rule("ruling 19", "rule cosmic_cube.each-payment")
def test_the_cube_works_once_for_each_card():
    """Artifacts, Cosmic Cube: each payment of a phase has its own discount."""
    t = table(
        villains=side(hand=["hydra_agents_red", "hydra_agents_red"], artifacts=["cosmic_cube"])
    )
    for slot in (1, 2):
        t.play("play hydra_agents_red", "waive", f"slot {slot}")
    shows(t, villains={"slots": ["hydra_agents_red"] * 2, "discard": []})


@pytest.mark.rule("ruling 19")
def test_the_cube_and_civilians_in_one_payment():
    """Ruling 19: cards, then civilians, then the dropped symbol."""
    t = table(
        to_move="heroes",
        civilians=["ryg", "rygb", "rygb"],
        heroes=side(hand=["shield_agents_red", "thor_1"], freed="b", artifacts=["cosmic_cube"]),
    )
    t.play("play shield_agents_red")
    assert moves(t) == {"discard thor_1", "civilian blue"}
    t.play("civilian blue")
    assert moves(t) == {"waive"}


@pytest.mark.rule("ruling 19", "rule ten_rings.point")
@pytest.mark.parametrize(
    ("hand", "path"),
    [
        (["zola_1", "ultron_1"], ["waive", "discard zola_1", "discard ultron_1"]),
        (["ares_1", "ultron_1"], ["discard ares_1", "waive", "discard ultron_1"]),
        (["ares_1", "zola_1"], ["discard ares_1", "discard zola_1", "waive"]),
    ],
)
def test_the_ten_rings_drop_a_symbol_of_choice(hand, path):
    """Ruling 19: any one symbol of a battleground, and one more victory point for it."""
    t = table(villains=side(hand=["street_corner", *hand], artifacts=["ten_rings"]))
    t.play("play street_corner")
    for move in path:
        assert moves(t) == {move}
        t.play(move)
    shows(t, victory=3, villains={"hand": []})
    assert moves(t) == {"done"}


@pytest.mark.rule("ruling 19")
def test_the_ten_rings_discount_is_optional_and_for_battlegrounds():
    """Ruling 19: all three may be paid; a villain gets nothing off; the point comes anyway."""
    t = table(
        villains=side(
            hand=["street_corner", "ares_1", "zola_1", "ultron_1"], artifacts=["ten_rings"]
        )
    )
    assert moves(t) == {"play street_corner", "done"}
    t.play("play street_corner")
    assert moves(t) == {"discard ares_1", "waive"}
    t.play("discard ares_1")
    assert moves(t) == {"discard zola_1", "waive"}
    t.play("discard zola_1")
    assert moves(t) == {"discard ultron_1", "waive"}
    t.play("discard ultron_1")
    shows(t, victory=3)


@pytest.mark.rule("ruling 19")
def test_cube_and_rings_meet_in_one_payment():
    """Ruling 19: of two colours and two any-symbols one colour and two cards remain to be paid."""
    t = table(
        villains=side(
            hand=["busy_main_street", "ultron_1", "leader_1"],
            artifacts=["cosmic_cube", "ten_rings"],
        )
    )
    t.play("play busy_main_street")
    assert moves(t) == {"waive"}
    t.play("waive")
    assert moves(t) == {"discard ultron_1"}
    t.play("discard ultron_1")
    assert moves(t) == {"discard leader_1"}
    t.play("discard leader_1")
    assert moves(t) == {"waive"}
    t.play("waive")
    shows(t, victory=4, villains={"hand": [], "discard": ["leader_1", "ultron_1"]})


@pytest.mark.rule("ruling 19")
def test_cube_and_rings_drop_both_any_symbols():
    """Ruling 19: the Rings may spend their discount on an any-symbol beside the Cube's."""
    t = table(
        villains=side(
            hand=["busy_main_street", "ultron_1", "ares_1"],
            artifacts=["cosmic_cube", "ten_rings"],
        )
    )
    t.play("play busy_main_street")
    for move in ["discard ares_1", "discard ultron_1", "waive", "waive"]:
        assert move in moves(t)
        t.play(move)
    shows(t, victory=4, villains={"hand": []})


@pytest.mark.rule("ruling 19")
def test_two_discounts_do_not_make_three():
    """Ruling 19: with Cube and Rings one card short of two is still too little."""
    t = table(
        villains=side(hand=["busy_main_street", "ultron_1"], artifacts=["cosmic_cube", "ten_rings"])
    )
    assert moves(t) == {"done"}


# -- Effects inside effects -----------------------------------------------------------------------


@pytest.mark.rule(
    "example kang leader",
    "card kang_1",
    "card leader_1",
    "ruling 20",
    "rule immediate.chain",
    "rule kang_1.immediate",
)
def test_kang_brings_leader_back_who_draws():
    """Using an Immediate Effect, example: Kang, then Leader, then Leader's card."""
    t = table(
        villains=side(
            hand=["kang_1", "ultron_1", "ares_1", "ares_2"],
            discard=["leader_1"],
            deck=["zola_1", "zola_2", "modok_1"],
        )
    )
    t.play("play kang_1", "discard ultron_1", "discard ares_1", "discard ares_2", "slot 1")
    t.play("fetch leader_1", "slot 2")
    assert moves(t) == {"yes", "no"}
    t.play("yes")
    shows(t, villains={"hand": ["zola_1"], "slots": {1: "kang_1", 2: "leader_1"}})


@pytest.mark.rule("ruling 20", "rule immediate.chain")
def test_inner_effects_come_first():
    """Ruling 20: Leader draws, then his Warlock's Eye, and only then Kang's."""
    t = table(
        villains=side(
            hand=["kang_1"],
            slots={3: "kang_2"},
            discard=["leader_1"],
            artifacts=["warlocks_eye"],
        ),
        heroes=side(hand=["thor_1", "thor_2", "hulk_1"]),
    )
    t.play("play kang_1", "fetch leader_1", "slot 2")
    assert (t.to_move, moves(t)) == ("villains", {"yes", "no"})
    t.play("no")
    assert t.to_move == "heroes"
    assert moves(t) == {"discard hulk_1", "discard thor_1", "discard thor_2"}
    t.play("discard thor_2")
    assert t.to_move == "heroes"
    assert moves(t) == {"discard hulk_1", "discard thor_1"}
    t.play("discard hulk_1")
    assert (t.to_move, moves(t)) == ("villains", {"done"})


@pytest.mark.rule("ruling 20", "card hydra_agents_green", "card thanos_1")
def test_a_card_that_falls_in_its_own_effect_still_finishes_it():
    """Ruling 20: Thanos kills the Kang who called the agents who called him; the Eye still asks."""
    t = table(
        villains=side(
            hand=["kang_1", "thanos_1", "ares_1", "ares_2", "zola_1"],
            slots={3: "kang_2"},
            discard=["hydra_agents_green"],
            artifacts=["warlocks_eye"],
        ),
        heroes=side(hand=["thor_1", "thor_2", "hulk_1"]),
    )
    t.play("play kang_1", "fetch hydra_agents_green", "slot 1", "play thanos_1")
    t.play("discard ares_1", "discard ares_2", "discard zola_1", "slot 2")
    shows(t, villains={"slots": {2: "thanos_1:2"}})
    assert t.to_move == "heroes"
    t.play("discard thor_1")
    assert (t.to_move, moves(t)) == ("heroes", {"discard hulk_1", "discard thor_2"})
    t.play("discard thor_2")
    assert (t.to_move, moves(t)) == ("villains", {"done"})
    discard = ["ares_1", "ares_2", "zola_1", "kang_1", "kang_2", "hydra_agents_green"]
    shows(t, villains={"discard": discard}, heroes={"hand": ["hulk_1"]})


@pytest.mark.rule("ruling 20", "ruling 16", "ruling 17", "card kang_2", "card hydra_agents_green")
def test_nine_effects_can_be_open_at_once():
    """Ruling 20: agents, Kang, Iron Man, Kang, Iron Man, Kang, agents, Kang, Leader."""
    payers = ["ares_1", "ares_1", "ares_2", "ares_2", "zola_1"]
    t = table(
        villains=side(
            hand=["hydra_agents_green", "kang_2", "kang_2", "kang_1", "kang_1", *payers],
            discard=["iron_man_2", "iron_man_2", "hydra_agents_green", "leader_1"],
            deck=["modok_1", "modok_2", "thanos_1"],
        )
    )
    t.play("play hydra_agents_green", "discard zola_1", "slot 1")
    t.play("play kang_2", "discard ares_1", "discard ares_1", "discard ares_2", "discard ares_2")
    t.play("slot 2")
    t.play("fetch iron_man_2", "slot 3", "play kang_2")
    t.play("fetch iron_man_2", "play kang_1")
    t.play("fetch hydra_agents_green", "slot 4", "play kang_1")
    t.play("fetch leader_1", "slot 5")
    assert moves(t) == {"yes", "no"}
    t.play("yes")
    assert moves(t) == {"done"}
    board = ["hydra_agents_green", "kang_1", "iron_man_2", "hydra_agents_green", "leader_1"]
    shows(t, villains={"hand": ["modok_1"], "slots": board})
    shows(t, villains={"discard": [*payers, "kang_1", "kang_2", "kang_2", "iron_man_2"]})


@pytest.mark.rule("ruling 13", "ruling 20")
def test_iron_man_replaces_himself_in_the_middle_of_his_effect():
    """Rulings 13 and 20: the new copy's effect follows, then nothing of the old one is left."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["iron_man_2", "iron_man_2", "nick_fury_1"], slots={3: "iron_man_1:1"}),
    )
    t.play("play iron_man_2")
    assert moves(t) == {"play iron_man_2", "play nick_fury_1", "no"}
    t.play("play iron_man_2")
    assert moves(t) == {"play nick_fury_1", "no"}
    t.play("play nick_fury_1", "slot 1")
    shows(t, victory=-1, heroes={"slots": {1: "nick_fury_1", 3: "iron_man_2"}})
    shows(t, heroes={"discard": ["iron_man_1", "iron_man_2"]})
    assert moves(t) == {"done"}


@pytest.mark.rule("ruling 13", "ruling 16", "card kang_2")
def test_kang_is_replaced_by_the_iron_man_he_fetched():
    """Rulings 13 and 16: a replaced Kang has done his part; the new one fetches the rest."""
    t = table(
        villains=side(
            hand=["kang_2", "kang_1"], slots={3: "kang_1"}, discard=["iron_man_1", "iron_man_2"]
        )
    )
    t.play("play kang_2", "fetch iron_man_2", "slot 1")
    assert moves(t) == {"play kang_1", "no"}
    t.play("play kang_1")
    assert moves(t) == {"done"}
    shows(t, villains={"slots": {1: "iron_man_2", 3: "kang_1"}})
    shows(t, villains={"discard": ["kang_1", "kang_2", "iron_man_1"]})


# -- May, must and targets ------------------------------------------------------------------------


@pytest.mark.rule("ruling 21", "card hydra_agents_red", "rule hydra.red-no-hero")
def test_red_hydra_agents_ask_only_with_a_hero_in_play():
    """Ruling 21: without a target no card is given up."""
    t = table(villains=side(hand=["hydra_agents_red", "zola_1", "zola_2"]))
    t.play("play hydra_agents_red", "discard zola_1", "slot 1")
    assert moves(t) == {"done"}


@pytest.mark.rule("ruling 21", "card hydra_agents_red")
def test_red_hydra_agents_ask_only_with_a_card_in_hand():
    """Appendix, Hydra Agents (red): a card must be given up for the damage."""
    t = table(villains=side(hand=["hydra_agents_red", "zola_1"]), heroes=side(slots={4: "thor_1"}))
    t.play("play hydra_agents_red", "discard zola_1", "slot 1")
    assert moves(t) == {"done"}


@pytest.mark.rule("ruling 21", "card baron_zemo_1")
def test_zemos_discard_needs_no_target():
    """Ruling 21: his discard earns a point, so an empty hero side does not matter."""
    t = table(villains=side(hand=["thanos_1"], slots={4: "baron_zemo_1"}))
    t.play("done")
    assert moves(t) == {"discard thanos_1", "no"}


@pytest.mark.rule(
    "ruling 22", "card thanos_1", "card thanos_2", "rule thanos.two-each", "rule thanos.mandatory"
)
@pytest.mark.parametrize("thanos", ["thanos_1", "thanos_2"])
def test_thanos_cannot_be_declined(thanos):
    """Ruling 22: his effect happens at once and in full."""
    other = {"thanos_1": "thanos_2", "thanos_2": "thanos_1"}[thanos]
    t = table(
        villains=side(hand=[thanos], slots={1: other, 2: "zola_1"}),
        heroes=side(slots={5: "hulk_1"}),
    )
    t.play(f"play {thanos}")
    assert moves(t) == {"done"}
    shows(t, villains={"slots": {1: f"{thanos}:2", 2: "zola_1:2"}})
    shows(t, heroes={"slots": {5: "hulk_1:2"}})


@pytest.mark.rule("ruling 22", "rule hurt-battlegrounds.damage")
def test_the_damage_of_a_battleground_is_compulsory():
    """Ruling 22: the player chooses whom, not whether."""
    t = table(
        villains=side(hand=["busy_main_street", "ares_1", "ultron_1", "zola_1", "zola_2"]),
        heroes=side(slots={2: "thor_1", 6: "hulk_1+doctor_strange_1"}),
    )
    t.play("play busy_main_street", "discard ares_1", "discard ultron_1")
    t.play("discard zola_1", "discard zola_2")
    assert moves(t) == {"target h2", "target h6", "target h6u"}


@pytest.mark.rule("ruling 22", "example street corner")
def test_street_corner_gives_two_points_and_heals_one_damage():
    """Battleground Cards, example: paid in yellow, red and blue; only damaged cards can heal."""
    t = table(
        to_move="heroes",
        heroes=side(
            hand=["street_corner", "nick_fury_1", "ant_man_1", "thor_1"],
            slots={1: "hulk_2:2", 2: "iron_man_1", 5: "war_machine_1:1"},
        ),
        villains=side(slots={2: "zola_1:1"}),
        battlegrounds=["run_down_alley"],
    )
    t.play("play street_corner", "discard ant_man_1", "discard nick_fury_1", "discard thor_1")
    shows(t, victory=-2)
    assert moves(t) == {"target h1", "target h5"}
    t.play("target h1")
    shows(t, heroes={"slots": {1: "hulk_2:1", 2: "iron_man_1", 5: "war_machine_1:1"}, "hand": []})
    shows(t, battlegrounds=["run_down_alley", "street_corner"])


@pytest.mark.rule("ruling 22", "rule battlegrounds.no-slot")
def test_a_battleground_needs_neither_slot_nor_target():
    """Battleground Cards: never placed in a slot; the heal is skipped without damage."""
    t = table(
        villains=side(hand=["run_down_alley", "zola_2", "thanos_1", "kang_1"], slots=FULL_VILLAINS),
        battlegrounds=["street_corner"],
    )
    t.play("play run_down_alley", "discard zola_2", "discard thanos_1", "discard kang_1")
    assert moves(t) == {"done"}
    shows(t, victory=2, battlegrounds=["street_corner", "run_down_alley"])
    shows(t, villains={"slots": FULL_VILLAINS})


@pytest.mark.rule("ruling 22", "ruling 25", "card ultron_1", "rule ultron_1.red-effect")
def test_an_immune_card_is_no_target():
    """Ruling 22: Captain Marvel, a red card, cannot choose the Ultron who ignores red."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["captain_marvel_1"], slots={6: "captain_marvel_2"}),
        villains=side(slots={1: "ultron_1", 2: "zola_1"}),
    )
    t.play("play captain_marvel_1")
    assert moves(t) == {"target v2", "no"}


@pytest.mark.rule("ruling 22", "ruling 25", "card ultron_1")
def test_no_question_when_the_only_card_is_immune():
    """Ruling 22: without a card that can take the damage there is nothing to choose."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["captain_marvel_1"], slots={6: "captain_marvel_2"}),
        villains=side(slots={1: "ultron_1"}),
    )
    t.play("play captain_marvel_1")
    assert moves(t) == {"done"}


# -- Who decides ----------------------------------------------------------------------------------


@pytest.mark.rule("ruling 49", "card hydra_agents_blue", "rule hydra.blue-draw")
def test_blue_hydra_agents_ask_the_heroes():
    """Ruling 49: the heroes decide about their card in the villains' turn."""
    t = table(
        villains=side(hand=["hydra_agents_blue"]),
        heroes=side(deck=["thor_1", "hulk_1", "hulk_2"]),
    )
    t.play("play hydra_agents_blue", "slot 4")
    assert (t.to_move, moves(t)) == ("heroes", {"yes", "no"})
    shows(t, to_move="heroes", on_turn="villains", phase="recruitment")
    t.play("yes")
    assert (t.to_move, moves(t)) == ("villains", {"done"})
    shows(t, on_turn="villains", heroes={"hand": ["thor_1"], "deck": ["hulk_1", "hulk_2"]})


@pytest.mark.rule("ruling 49", "rule hulk.optional")
def test_hulk_asks_the_villains():
    """Ruling 49: the villains decide about their card in the heroes' turn."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["hulk_1"], slots={4: "hulk_2"}),
        villains=side(deck=["ares_1", "ares_2", "zola_1"]),
    )
    t.play("play hulk_1")
    assert (t.to_move, moves(t)) == ("villains", {"yes", "no"})
    t.play("no")
    assert t.to_move == "heroes"
    shows(t, villains={"hand": [], "deck": ["ares_1", "ares_2", "zola_1"]})


@pytest.mark.rule("ruling 49")
def test_eternal_flame_asks_its_owner_in_the_other_turn():
    """Ruling 49: the owner of the fallen hero chooses while the villains attack."""
    t = table(
        villains=side(slots={1: "loki_2", 2: "zola_1"}),
        heroes=side(slots={1: "shield_agents_red"}, artifacts=["eternal_flame"]),
    )
    t.play("done", "no")
    assert (t.to_move, moves(t)) == ("heroes", {"target v1", "target v2", "no"})


# -- Who sees -------------------------------------------------------------------------------------


@pytest.mark.rule("ruling 50", "rule setup.tiles-shuffled", "rule setup.battlegrounds-shuffled")
@pytest.mark.parametrize(("viewer", "other"), [("villains", "heroes"), ("heroes", "villains")])
def test_hands_decks_and_stacks_are_hidden(viewer, other):
    """Ruling 50: sizes are public, the own hand is known, nobody knows a deck."""
    t = table(
        villains=side(hand=["ares_1", "zola_1"], discard=["kang_1"]),
        heroes=side(hand=["thor_1", "hulk_1", "hulk_2"], discard=["ant_man_1"]),
        artifact_row=["darkhold", "tactigon"],
    )
    full, seen = t.position(), t.position(viewer=viewer)
    assert seen[viewer]["hand"] == full[viewer]["hand"]
    assert seen[other]["hand"] == len(full[other]["hand"])
    for name in ("villains", "heroes"):
        assert seen[name]["deck"] == 8
        assert seen[name]["discard"] == full[name]["discard"]
        assert seen[name]["slots"] == full[name]["slots"]
    assert (seen["battlegrounds"], seen["artifact_stack"]) == (8, 10)
    assert seen["artifact_row"] == ["darkhold", "tactigon"]


@pytest.mark.rule("ruling 50")
@pytest.mark.parametrize("viewer", ["villains", "heroes"])
def test_a_battleground_put_back_is_known_to_both(viewer):
    """Ruling 50: what goes under the stack in sight of both stays known there."""
    t = table(
        villains=side(hand=["zola_1", "modok_1", "street_corner"]),
        battlegrounds=["run_down_alley", "financial_district"],
    )
    t.play("play zola_1", "discard modok_1", "discard street_corner", "slot 1")
    seen = t.position(viewer=viewer)
    assert seen["battlegrounds"] == ["?", "?", "street_corner"]


@pytest.mark.rule("ruling 50")
@pytest.mark.parametrize("viewer", ["villains", "heroes"])
def test_a_drawn_battleground_is_hidden_unless_it_was_known(viewer):
    """Ruling 50: the unknown top of the stack is seen by its drawer only."""
    t = table(
        villains=side(
            hand=["zola_1", "modok_1", "street_corner"],
            slots={6: "hydra_agents_blue"},
            deck=["ares_1", "ares_2", "leader_1"],
        ),
        battlegrounds=["run_down_alley"],
    )
    t.play("play zola_1", "discard modok_1", "discard street_corner", "slot 4", "done")
    seen = t.position(viewer=viewer)
    own = ["ares_1", "ares_2", "run_down_alley"]
    assert seen["villains"]["hand"] == (own if viewer == "villains" else 3)
    assert seen["battlegrounds"] == ["street_corner"]


@pytest.mark.rule("ruling 50")
def test_a_known_battleground_is_followed_into_the_hand():
    """Ruling 50: everybody saw it go under an empty stack, so everybody knows who drew it."""
    t = table(
        villains=side(
            hand=["zola_1", "modok_1", "street_corner"],
            slots={6: "hydra_agents_blue"},
            deck=["ares_1", "ares_2", "leader_1"],
        ),
        battlegrounds=[],
    )
    t.play("play zola_1", "discard modok_1", "discard street_corner", "slot 4", "done")
    seen = t.position(viewer="heroes")
    assert Counter(seen["villains"]["hand"]) == Counter(["?", "?", "street_corner"])
    assert seen["battlegrounds"] in ([], 0)


@pytest.mark.rule("ruling 50")
@pytest.mark.parametrize("viewer", ["villains", "heroes"])
def test_the_tile_put_back_is_known_to_both(viewer):
    """Ruling 50: the tile not taken lies known at the bottom of its stack."""
    t = table(
        artifact_marker=2,
        villains=side(slots={4: "hydra_agents_blue"}),
        artifact_row=["darkhold", "tactigon"],
        artifact_stack=["cosmic_cube", "norn_stones", "ten_rings"],
    )
    t.play("done", "artifact tactigon")
    seen = t.position(viewer=viewer)
    assert seen["artifact_row"] == ["cosmic_cube", "norn_stones"]
    assert seen["artifact_stack"] == ["?", "darkhold"]


@pytest.mark.rule("ruling 50")
def test_the_own_hand_is_shown_in_full():
    """Ruling 50: the own hand is shown in full, whatever the other side knows of it."""
    t = table(villains=side(hand=[*BATTLEGROUNDS[:2], "ares_1"]))
    seen = t.position(viewer="villains")
    assert seen["villains"]["hand"] == ["ares_1", *BATTLEGROUNDS[:2]]
    assert t.position(viewer="heroes")["villains"]["hand"] == 3
