"""How a game ends, and what an ending cuts off (rulebook, section Game End; rulings 6 to 9)."""

from __future__ import annotations

import pytest

from skirmish_env import IllegalAction
from tests.rulebook.helpers import moves, shows, side, table

LONG_DECK = ["zola_1", "zola_2", "modok_1", "modok_2"]


def is_over(t, winner: str, **expected) -> None:
    """Assert that nobody has anything left to decide and `winner` is named."""
    assert (t.winner, t.to_move, t.question, t.legal()) == (winner, None, None, [])
    shows(t, phase="over", **expected)


# -- Victory points -------------------------------------------------------------------------------


@pytest.mark.rule("ruling 6", "rule end.immediately", "rule end.villains-nine")
def test_the_villains_win_at_nine():
    """Game End: nine victory points, at once, in the middle of the Attack phase."""
    t = table(
        victory=8,
        villains=side(slots={1: "hydra_agents_blue", 2: "zola_1"}),
        heroes=side(slots={2: "thor_1"}),
    )
    t.play("done")
    is_over(t, "villains", victory=9, heroes={"slots": {2: "thor_1"}})


@pytest.mark.rule("ruling 6", "rule end.heroes-seven")
def test_the_heroes_win_at_seven():
    """Game End: seven victory points, at once, in the middle of Recruitment."""
    t = table(
        to_move="heroes",
        victory=-6,
        heroes=side(hand=["nick_fury_1", "war_machine_1", "thor_1"]),
    )
    t.play("play nick_fury_1", "discard war_machine_1", "discard thor_1", "slot 1")
    is_over(t, "heroes", victory=-7)


@pytest.mark.rule(
    "rule locations.manhattan-empty", "rule end.heroes-seven", "rule end.villains-nine"
)
@pytest.mark.parametrize(
    ("owner", "victory", "card", "after"),
    [("villains", 7, "hydra_agents_blue", 8), ("heroes", -5, "shield_agents_red", -6)],
)
def test_one_point_short_is_not_a_win(owner, victory, card, after):
    """Game End: eight are too few for the villains, six for the heroes."""
    t = table(
        to_move=owner,
        victory=victory,
        civilians=["rygb", "", "rygb"],
        **{owner: side(slots={2: card})},
    )
    t.play("done")
    assert t.winner is None
    shows(t, victory=after, phase="recruitment")


@pytest.mark.rule("ruling 6", "card baron_zemo_2", "rule zemo_2.bonus-too")
def test_a_win_cuts_off_the_second_discard():
    """Ruling 6: checked after every single point, so Zemo's second card is never asked for."""
    t = table(victory=8, villains=side(hand=["thanos_1", "thanos_2"], slots={4: "baron_zemo_2"}))
    t.play("done", "discard thanos_1")
    is_over(t, "villains", victory=9, villains={"hand": ["thanos_2"], "discard": ["thanos_1"]})


@pytest.mark.rule("ruling 6", "card ares_1")
def test_a_win_cuts_off_the_attack_effect():
    """Ruling 6: the bonus ends the game before Ares' damage."""
    t = table(victory=8, villains=side(slots={1: "ares_1"}), heroes=side(slots={5: "hawkeye_1"}))
    t.play("done")
    is_over(t, "villains", victory=9, heroes={"slots": {5: "hawkeye_1"}})


@pytest.mark.rule("ruling 6", "card taskmaster_2")
def test_a_win_cuts_off_the_second_attack():
    """Ruling 6: Taskmaster's first bonus is enough."""
    t = table(victory=8, villains=side(slots={1: "taskmaster_2"}))
    t.play("done")
    is_over(t, "villains", victory=9)


@pytest.mark.rule("ruling 6", "rule end.immediately")
def test_a_win_cuts_off_the_rest_of_a_battleground():
    """Ruling 6: the points of the Mansion win before its artifact step."""
    t = table(
        victory=6,
        artifact_marker=2,
        villains=side(
            hand=["avengers_mansion", "ares_1", "zola_1", "leader_1", "kang_1", "kang_2"]
        ),
    )
    t.play("play avengers_mansion", "discard ares_1", "discard zola_1", "discard leader_1")
    t.play("discard kang_1", "discard kang_2")
    is_over(t, "villains", victory=9, artifact_marker=2, villains={"artifacts": []})


@pytest.mark.rule("ruling 6", "ruling 16", "card kang_2")
def test_a_win_inside_a_fetched_effect_cuts_off_the_rest():
    """Ruling 6: Nick Fury's point wins before Warlock's Eye takes a card."""
    t = table(
        victory=8,
        villains=side(
            hand=["kang_1"],
            slots={3: "kang_2"},
            discard=["nick_fury_1"],
            artifacts=["warlocks_eye"],
        ),
        heroes=side(hand=["thor_1"]),
    )
    t.play("play kang_1", "fetch nick_fury_1", "slot 1")
    is_over(t, "villains", victory=9, heroes={"hand": ["thor_1"]})


# -- Civilians ------------------------------------------------------------------------------------


@pytest.mark.rule("ruling 8", "rule end.civilians")
def test_the_heroes_win_with_the_tenth_civilian():
    """Ruling 8: two civilians left in Manhattan, whatever the victory marker says."""
    t = table(
        to_move="heroes",
        victory=8,
        civilians=["rg", "", "b"],
        heroes=side(slots={1: "shield_agents_red", 2: "shield_agents_blue"}),
    )
    t.play("done", "civilian green")
    is_over(t, "heroes", victory=8, civilians=["r", "", "b"], heroes={"freed": "g"})


@pytest.mark.rule("ruling 8", "rule locations.manhattan-slot", "rule end.civilians")
def test_three_civilians_left_are_not_enough():
    """Ruling 8: the ninth freed civilian ends nothing."""
    t = table(
        to_move="heroes", civilians=["rg", "", "rb"], heroes=side(slots={1: "shield_agents_red"})
    )
    t.play("done", "civilian red")
    assert t.winner is None
    shows(t, civilians=["g", "", "rb"], to_move="villains")


@pytest.mark.rule("ruling 8", "ruling 12", "rule playing.civilian-spent")
def test_spending_civilians_ends_nothing():
    """Ruling 8: civilians that pay leave the game, Manhattan keeps its three."""
    t = table(
        to_move="heroes",
        civilians=["rg", "", "b"],
        heroes=side(hand=["shield_agents_red"], freed="yyy"),
    )
    t.play("play shield_agents_red", "civilian yellow", "civilian yellow", "slot 6")
    assert t.winner is None
    shows(t, civilians=["rg", "", "b"], victory=-1, heroes={"freed": "y"})


# -- Decks ----------------------------------------------------------------------------------------


@pytest.mark.rule("ruling 6", "rule end.deck", "rule end.deck-winner")
@pytest.mark.parametrize(
    ("victory", "winner"), [(1, "villains"), (-1, "heroes"), (8, "villains"), (-6, "heroes")]
)
def test_an_empty_deck_ends_the_game_with_the_turn(victory, winner):
    """Game End: the last card drawn, whoever is ahead wins when the turn ends."""
    t = table(victory=victory, villains=side(deck=["ares_1", "ares_2"]))
    t.play("done")
    is_over(t, winner, victory=victory, villains={"hand": ["ares_1", "ares_2"], "deck": []})


@pytest.mark.rule("ruling 7")
def test_an_empty_deck_with_the_marker_on_zero_is_a_draw():
    """Ruling 7: nobody has more points."""
    t = table(villains=side(deck=["ares_1", "ares_2"]))
    t.play("done")
    is_over(t, "draw", victory=0)


@pytest.mark.rule("rule course.alternate", "rule draw.two")
def test_two_cards_are_drawn_and_the_turn_passes():
    """Phase III: two cards, no limit to the hand, then the other player's turn."""
    t = table(villains=side(hand=["kang_1", "kang_2"] + ["thanos_1"] * 2, deck=LONG_DECK))
    t.play("done")
    shows(t, to_move="heroes", on_turn="heroes", turn=2, phase="recruitment")
    shows(t, villains={"hand": ["kang_1", "kang_2", "thanos_1", "thanos_1", "zola_1", "zola_2"]})
    shows(t, villains={"deck": ["modok_1", "modok_2"]})


@pytest.mark.rule("ruling 9")
def test_a_short_deck_gives_what_it_has():
    """Ruling 9: one card left, one card drawn."""
    t = table(victory=2, villains=side(deck=["ares_1"]))
    t.play("done")
    is_over(t, "villains", villains={"hand": ["ares_1"]})


@pytest.mark.rule("ruling 9", "ruling 6", "card leader_2", "rule end.deck")
def test_leader_draws_from_a_short_deck_and_the_turn_goes_on():
    """Rulings 6 and 9: the deck runs dry in Recruitment; the end waits for the end of the turn."""
    t = table(
        victory=-1,
        villains=side(hand=["leader_2"], slots={1: "leader_1", 2: "zola_1"}, deck=["ares_1"]),
    )
    t.play("play leader_2")
    assert moves(t) == {"yes", "no"}
    t.play("yes")
    assert (t.to_move, moves(t)) == ("villains", {"done"})
    shows(t, villains={"hand": ["ares_1"], "deck": []})
    t.play("done")
    is_over(t, "villains", victory=1)


@pytest.mark.rule("ruling 6", "card hydra_agents_blue", "rule end.deck")
def test_the_opponents_last_card_ends_the_game_too():
    """Ruling 6: the heroes draw their last card in the villains' turn, which is the last one."""
    t = table(
        victory=1,
        villains=side(hand=["hydra_agents_blue"]),
        heroes=side(deck=["thor_1"]),
    )
    t.play("play hydra_agents_blue", "slot 4", "yes")
    assert t.to_move == "villains"
    t.play("done")
    is_over(t, "villains", heroes={"hand": ["thor_1"], "deck": []}, artifact_marker=1)


@pytest.mark.rule("ruling 6")
def test_a_victory_in_the_last_turn_comes_before_the_decks():
    """Ruling 6: the first condition met decides."""
    t = table(
        to_move="heroes",
        victory=5,
        civilians=["r", "gb", ""],
        heroes=side(slots={1: "shield_agents_red"}, deck=["thor_1"]),
    )
    t.play("done", "civilian red")
    is_over(t, "heroes", victory=5, heroes={"deck": ["thor_1"]})


@pytest.mark.rule("rule end.immediately")
def test_nothing_can_be_played_after_the_end():
    """Game End: the game ends immediately; every further move is refused."""
    t = table(victory=8, villains=side(slots={1: "hydra_agents_blue"}))
    t.play("done")
    with pytest.raises(IllegalAction):
        t.play("done")
    is_over(t, "villains")
