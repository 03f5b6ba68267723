"""Hela's return from the discard pile (ruling 18)."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows, side, slots, table

FULL_VILLAINS = ["leader_1", "loki_1", "zola_1", "modok_1", "ultron_1", "hydra_agents_yellow"]


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
