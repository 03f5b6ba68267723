"""Cosmic Cube and The Ten Rings: what they leave unpaid, alone and together."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows, side, table

# Cosmic Cube


@pytest.mark.rule("artifact cosmic_cube", "ruling 19", "rule cosmic_cube.any-symbol")
def test_the_cube_drops_one_any_symbol():
    """Ruling 19: optional, one symbol a payment; equal symbols are paid in rising order."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["shield_agents_red", "ant_man_1", "hulk_1"], artifacts=["cosmic_cube"]),
    )
    t.play("play shield_agents_red")
    assert moves(t) == {"discard ant_man_1", "discard hulk_1"}
    later = t.clone()
    later.play("discard hulk_1")
    assert moves(later) == {"waive"}
    t.play("discard ant_man_1")
    assert moves(t) == {"discard hulk_1", "waive"}
    t.play("waive", "slot 1")
    shows(t, victory=-1, heroes={"hand": ["hulk_1"], "discard": ["ant_man_1"]})


@pytest.mark.rule("artifact cosmic_cube", "ruling 19", "ruling 12", "rule notation.rising")
def test_the_cube_comes_after_cards_and_civilians():
    """Ruling 19: among equal symbols a discount is the last means, as the ids have it."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["shield_agents_red", "hulk_1"], artifacts=["cosmic_cube"], freed="rb"),
        civilians=["yg", "rygb", "rygb"],
    )
    t.play("play shield_agents_red")
    assert moves(t) == {"discard hulk_1", "civilian red", "civilian blue"}
    for first, second in {
        "discard hulk_1": {"civilian red", "civilian blue", "waive"},
        "civilian red": {"civilian blue", "waive"},
        "civilian blue": {"waive"},
    }.items():
        branch = t.clone()
        branch.play(first)
        assert moves(branch) == second


@pytest.mark.rule(
    "artifact cosmic_cube", "ruling 19", "rule recruitment.optional", "rule cosmic_cube.any-symbol"
)
def test_the_cube_drops_no_coloured_symbol():
    """Appendix, Cosmic Cube: only an any-symbol may be ignored."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["ant_man_1", "captain_marvel_1", "hulk_1"], artifacts=["cosmic_cube"]),
    )
    assert moves(t) == {"play ant_man_1", "play captain_marvel_1", "done"}
    t.play("play captain_marvel_1")
    assert moves(t) == {"discard ant_man_1"}
    t.play("discard ant_man_1")
    assert moves(t) == {"discard hulk_1"}
    t.play("discard hulk_1")
    assert moves(t) == {"waive"}


@pytest.mark.rule(
    "artifact cosmic_cube",
    "ruling 19",
    "rule locations.tile-permanent",
    "rule cosmic_cube.each-payment",
)
def test_the_cube_works_for_every_card_paid():
    """Appendix, Cosmic Cube: each payment has its own discount."""
    t = table(
        villains=side(hand=["hydra_agents_red", "hydra_agents_green"], artifacts=["cosmic_cube"]),
        heroes=side(),
    )
    t.play("play hydra_agents_red")
    assert moves(t) == {"discard hydra_agents_green", "waive"}
    t.play("waive", "slot 1", "play hydra_agents_green")
    assert moves(t) == {"waive"}
    t.play("waive", "slot 2")
    shows(t, villains={"slots": {1: "hydra_agents_red", 2: "hydra_agents_green"}, "hand": []})


@pytest.mark.rule("artifact cosmic_cube", "ruling 19", "card luxurious_rooftops")
def test_the_cube_discounts_battlegrounds():
    """Ruling 19: a battleground's any-symbol is as good as another, its points stay the same."""
    t = table(
        villains=side(
            hand=["luxurious_rooftops", "zola_1", "loki_1", "hela_1", "ares_1"],
            artifacts=["cosmic_cube"],
        ),
        heroes=side(),
    )
    t.play("play luxurious_rooftops", "discard zola_1", "discard loki_1", "discard hela_1")
    assert moves(t) == {"discard ares_1"}
    t.play("discard ares_1")
    assert moves(t) == {"waive"}
    t.play("waive")
    shows(t, victory=4)


# The Ten Rings


@pytest.mark.rule(
    "artifact ten_rings",
    "ruling 19",
    "card street_corner",
    "rule ten_rings.discount",
    "rule ten_rings.point",
)
def test_the_rings_drop_one_symbol_and_add_a_point():
    """Ruling 19: any symbol of the payer's choice, one a payment, and 3 points instead of 2."""
    t = table(
        to_move="heroes",
        heroes=side(
            hand=["street_corner", "ant_man_1", "nick_fury_1", "thor_1"], artifacts=["ten_rings"]
        ),
    )
    t.play("play street_corner")
    assert moves(t) == {"discard ant_man_1", "waive"}
    first = t.clone()
    first.play("waive")
    assert moves(first) == {"discard nick_fury_1"}
    first.play("discard nick_fury_1")
    assert moves(first) == {"discard thor_1"}
    first.play("discard thor_1")
    shows(first, victory=-3, heroes={"hand": ["ant_man_1"]})
    t.play("discard ant_man_1")
    assert moves(t) == {"discard nick_fury_1", "waive"}
    t.play("discard nick_fury_1")
    assert moves(t) == {"discard thor_1", "waive"}
    t.play("discard thor_1")
    shows(t, victory=-3, heroes={"hand": []})


@pytest.mark.rule("artifact ten_rings", "ruling 19", "rule ten_rings.discount")
@pytest.mark.parametrize(
    ("payment", "missing"),
    [
        (["waive", "discard nick_fury_1", "discard thor_1"], "ant_man_1"),
        (["discard ant_man_1", "waive", "discard thor_1"], "nick_fury_1"),
        (["discard ant_man_1", "discard nick_fury_1", "waive"], "thor_1"),
    ],
)
def test_the_rings_make_up_for_a_missing_colour(payment, missing):
    """Ruling 19: a symbol whose colour is not in hand is the one to drop, and nothing else is."""
    hand = ["street_corner", "ant_man_1", "nick_fury_1", "thor_1"]
    hand.remove(missing)
    t = table(to_move="heroes", heroes=side(hand=hand, artifacts=["ten_rings"]))
    assert moves(t) == {"play street_corner", "done"}
    t.play("play street_corner")
    for move in payment:
        assert moves(t) == {move}
        t.play(move)
    shows(t, victory=-3)


@pytest.mark.rule("artifact ten_rings", "ruling 19", "rule ten_rings.battlegrounds-only")
def test_the_rings_discount_no_characters():
    """Appendix, The Ten Rings: battlegrounds only."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["ant_man_1", "ant_man_2"], artifacts=["ten_rings"]),
    )
    assert moves(t) == {"done"}


@pytest.mark.rule("artifact ten_rings", "artifact cosmic_cube", "ruling 19")
def test_rings_and_cube_drop_two_symbols():
    """Ruling 19: both apply to one payment, three cards buy a battleground of five symbols."""
    t = table(
        villains=side(
            hand=["luxurious_rooftops", "zola_1", "loki_1", "hela_1"],
            artifacts=["cosmic_cube", "ten_rings"],
        ),
        heroes=side(),
    )
    t.play("play luxurious_rooftops")
    assert moves(t) == {"discard zola_1", "waive"}
    t.play("discard zola_1")
    assert moves(t) == {"discard loki_1", "waive"}
    t.play("discard loki_1")
    assert moves(t) == {"discard hela_1", "waive"}
    t.play("discard hela_1")
    assert moves(t) == {"waive"}
    t.play("waive")
    assert moves(t) == {"waive"}
    t.play("waive")
    shows(t, victory=5, artifact_marker=1, villains={"hand": []})


@pytest.mark.rule("artifact ten_rings", "artifact cosmic_cube", "ruling 19")
def test_the_cube_leaves_a_coloured_symbol_to_the_rings():
    """Ruling 19: with the Rings spent on yellow the Cube drops one any-symbol, no colour."""
    t = table(
        villains=side(
            hand=["financial_district", "ares_1", "loki_1"], artifacts=["cosmic_cube", "ten_rings"]
        ),
        heroes=side(),
    )
    t.play("play financial_district")
    for move in ("waive", "discard loki_1", "discard ares_1", "waive"):
        assert moves(t) == {move}
        t.play(move)
    shows(t, victory=4)
    t = table(
        villains=side(
            hand=["financial_district", "ares_1", "hela_1"], artifacts=["cosmic_cube", "ten_rings"]
        ),
        heroes=side(),
    )
    assert moves(t) == {"done"}


# Both for the Villains


@pytest.mark.rule("ruling 19")
def test_the_cube_drops_the_any_symbol_behind_a_colour():
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
