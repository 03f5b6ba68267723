"""Phase I: playing a card, paying for it, replacing a main character (rulings 10 to 14)."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows, side, slots, table

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
