"""The eight battleground cards: how they are paid, what they give, where they go."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows, side, table

# What the Heroes give, symbol by symbol.
PAYMENT = {
    "abandoned_neighborhood": ["ant_man_1", "nick_fury_1", "hawkeye_1"],
    "destroyed_park_area": ["ant_man_1", "hawkeye_1", "captain_america_1"],
    "run_down_alley": ["nick_fury_1", "hawkeye_1", "captain_america_1"],
    "street_corner": ["ant_man_1", "nick_fury_1", "captain_america_1"],
    "busy_main_street": ["ant_man_1", "captain_america_1", "iron_man_1", "iron_man_2"],
    "financial_district": ["nick_fury_1", "hawkeye_1", "iron_man_1", "iron_man_2"],
    "avengers_mansion": ["ant_man_1", "nick_fury_1", "hawkeye_1", "iron_man_1", "iron_man_2"],
    "luxurious_rooftops": [
        "nick_fury_1",
        "hawkeye_1",
        "captain_america_1",
        "iron_man_1",
        "iron_man_2",
    ],
}
HEALING = ["abandoned_neighborhood", "destroyed_park_area", "run_down_alley", "street_corner"]
HURTING = ["busy_main_street", "financial_district"]
STEPPING = ["avengers_mansion", "luxurious_rooftops"]


def about(cards, *statements):
    """One test for several battlegrounds: its marker and its parameters."""

    def decorate(test):
        marked = pytest.mark.rule(*[f"card {card}" for card in cards], *statements)(test)
        return pytest.mark.parametrize("card", cards)(marked)

    return decorate


def paid(card, *, heroes=None, stack=("street_corner", "run_down_alley"), **more):
    """A table on which the Heroes have just paid for `card`, no card more than needed in hand."""
    t = table(
        to_move="heroes",
        heroes=side(hand=[card, *PAYMENT[card]], **(heroes or {})),
        battlegrounds=[b for b in stack if b != card],
        **more,
    )
    t.play(f"play {card}", *[f"discard {c}" for c in PAYMENT[card]])
    return t


@about(
    HEALING,
    "rule battlegrounds.points",
    "rule battlegrounds.then-effect",
    "rule battlegrounds.under-stack",
    "rule heal-battlegrounds.points",
    "rule heal-battlegrounds.heal",
    "rule heal-battlegrounds.under",
)
def test_two_points_and_one_damage_healed(card):
    """Appendix, Battlegrounds: points first, then the player must heal a card of his choice."""
    t = paid(card, heroes={"slots": {1: "thor_1:1", 2: "hulk_1:2", 3: "war_machine_1"}})
    shows(t, victory=-2, heroes={"hand": [card], "discard": PAYMENT[card]})
    assert moves(t) == {"target h1", "target h2"}
    t.play("target h2")
    shows(t, heroes={"slots": {1: "thor_1:1", 2: "hulk_1:1", 3: "war_machine_1"}, "hand": []})
    assert t.position()["battlegrounds"][-1] == card


@about(HEALING, "rule heal-battlegrounds.skip", "rule heal-battlegrounds.under")
def test_the_healing_is_skipped_without_damage(card):
    """Appendix, Battlegrounds: the points alone, and the card still goes under the stack."""
    t = paid(card, heroes={"slots": {1: "thor_1"}}, villains=side(slots={1: "ares_1:1"}))
    shows(t, victory=-2, heroes={"hand": []}, villains={"slots": {1: "ares_1:1"}})
    assert (moves(t), t.position()["battlegrounds"][-1]) == ({"done"}, card)


@about(
    HURTING,
    "rule hurt-battlegrounds.points",
    "rule hurt-battlegrounds.damage",
    "rule hurt-battlegrounds.under",
)
def test_three_points_and_one_damage_dealt(card):
    """Appendix, Battlegrounds: the damage must land on an opposing card, chosen by the player."""
    t = paid(card, villains=side(slots={1: "leader_1", 4: "ares_1:1"}))
    shows(t, victory=-3, heroes={"hand": [card]})
    assert moves(t) == {"target v1", "target v4"}
    t.play("target v4")
    shows(t, villains={"slots": {1: "leader_1"}, "discard": ["ares_1"]}, heroes={"hand": []})
    assert t.position()["battlegrounds"][-1] == card


@about(HURTING, "rule hurt-battlegrounds.skip", "rule hurt-battlegrounds.under")
def test_the_damage_is_skipped_without_an_opposing_card(card):
    """Appendix, Battlegrounds: own cards are never hit instead."""
    t = paid(card, heroes={"slots": {1: "thor_1"}})
    shows(t, victory=-3, heroes={"slots": {1: "thor_1"}, "hand": []})
    assert (moves(t), t.position()["battlegrounds"][-1]) == ({"done"}, card)


@about(HURTING)
def test_the_damage_has_no_colour(card):
    """Ruling 25: no Ultron is immune to a battleground."""
    for ultron in ("ultron_1", "ultron_2"):
        t = paid(card, villains=side(slots={2: ultron}))
        assert moves(t) == {"target v2"}
        t.play("target v2")
        shows(t, villains={"slots": {2: f"{ultron}:1"}})


@about(
    STEPPING,
    "rule step-battlegrounds.points",
    "rule step-battlegrounds.step",
    "rule step-battlegrounds.under",
)
def test_four_points_and_one_artifact_step(card):
    """Appendix, Battlegrounds: one step towards the own end of the track."""
    t = paid(card, artifact_marker=1)
    shows(t, victory=-4, artifact_marker=0, heroes={"hand": []})
    assert (moves(t), t.position()["battlegrounds"][-1]) == ({"done"}, card)


@about(STEPPING, "rule step-battlegrounds.tile", "rule step-battlegrounds.under")
def test_the_step_can_gain_an_artifact(card):
    """Appendix, Battlegrounds: at the end of the track a tile is taken at once."""
    t = paid(
        card,
        artifact_marker=-2,
        artifact_row=["cosmic_cube", "lifeline_tablet"],
        artifact_stack=["darkhold", "tactigon", "ten_rings"],
    )
    shows(t, victory=-4)
    assert moves(t) == {"artifact cosmic_cube", "artifact lifeline_tablet"}
    t.play("artifact lifeline_tablet")
    shows(
        t,
        artifact_marker=1,
        artifact_row=["darkhold", "tactigon"],
        artifact_stack=["ten_rings", "cosmic_cube"],
        heroes={"artifacts": ["lifeline_tablet"], "hand": []},
    )
    assert t.position()["battlegrounds"][-1] == card


@pytest.mark.rule(
    "example street corner",
    "card street_corner",
    "rule battlegrounds.cost",
    "rule battlegrounds.under-stack",
)
def test_street_corner_costs_red_yellow_and_blue():
    """Battleground Cards, example: each symbol asks for its colour, in the order r y b."""
    t = table(
        to_move="heroes",
        heroes=side(
            hand=["street_corner", "ant_man_1", "nick_fury_1", "thor_1", "run_down_alley"],
            slots={1: "hulk_1:1"},
        ),
        battlegrounds=["busy_main_street"],
    )
    t.play("play street_corner")
    assert moves(t) == {"discard ant_man_1"}
    t.play("discard ant_man_1")
    assert moves(t) == {"discard nick_fury_1"}
    t.play("discard nick_fury_1")
    assert moves(t) == {"discard thor_1"}
    t.play("discard thor_1")
    shows(t, victory=-2)
    assert moves(t) == {"target h1"}
    t.play("target h1")
    shows(
        t,
        heroes={"slots": {1: "hulk_1"}, "hand": ["run_down_alley"]},
        battlegrounds=["busy_main_street", "street_corner"],
    )


@pytest.mark.rule(
    "card street_corner",
    "card financial_district",
    "card luxurious_rooftops",
    "rule battlegrounds.points",
)
def test_villains_play_battlegrounds_in_their_own_direction():
    """Battleground Cards: points, healing, damage and steps all serve whoever plays."""
    t = table(
        villains=side(hand=["street_corner", "ares_1", "zola_1", "hela_1"], slots={1: "modok_2:2"}),
        heroes=side(slots={1: "thor_1:1"}),
    )
    t.play("play street_corner", "discard ares_1", "discard zola_1", "discard hela_1")
    shows(t, victory=2)
    assert moves(t) == {"target v1"}
    t = table(
        villains=side(hand=["financial_district", "zola_1", "loki_1", "ares_1", "ares_2"]),
        heroes=side(slots={1: "thor_1+doctor_strange_1"}),
    )
    t.play("play financial_district", "discard zola_1", "discard loki_1")
    t.play("discard ares_1", "discard ares_2")
    shows(t, victory=3)
    assert moves(t) == {"target h1", "target h1u"}
    t.play("target h1u")
    shows(t, heroes={"slots": {1: "thor_1+doctor_strange_1:1"}})
    t = table(
        villains=side(
            hand=["luxurious_rooftops", "zola_1", "loki_1", "hela_1", "ares_1", "ares_2"]
        ),
        heroes=side(),
    )
    t.play("play luxurious_rooftops", "discard zola_1", "discard loki_1", "discard hela_1")
    t.play("discard ares_1", "discard ares_2")
    shows(t, victory=4, artifact_marker=1)


@pytest.mark.rule("card run_down_alley", "ruling 39")
def test_a_battleground_heals_a_strange_below():
    """Ruling 39: the Strange under Hulk is a card of his own to the healing."""
    t = paid("run_down_alley", heroes={"slots": {1: "hulk_1:1+doctor_strange_1:1"}})
    assert moves(t) == {"target h1", "target h1u"}
    t.play("target h1u")
    shows(t, heroes={"slots": {1: "hulk_1:1+doctor_strange_1"}})


@pytest.mark.rule("card avengers_mansion", "ruling 11", "rule battlegrounds.no-slot")
def test_a_battleground_needs_no_slot():
    """Battleground Cards: it is never placed, so a full side does not matter."""
    slots = [
        "hulk_1",
        "thor_1",
        "black_panther_1",
        "winter_soldier_1",
        "war_machine_1",
        "hawkeye_2",
    ]
    t = paid("avengers_mansion", heroes={"slots": slots})
    shows(t, victory=-4, heroes={"slots": slots})


@pytest.mark.rule(
    "card busy_main_street",
    "ruling 11",
    "rule battlegrounds.pays-any",
    "rule battlegrounds.pays-returns",
)
def test_a_battleground_pays_only_any_symbols():
    """Battleground Cards; ruling 11: Busy Main Street's red and blue need cards of the colour."""
    t = table(
        to_move="heroes",
        heroes=side(
            hand=["busy_main_street", "ant_man_1", "thor_1", "run_down_alley", "street_corner"]
        ),
        battlegrounds=["financial_district"],
    )
    t.play("play busy_main_street")
    assert moves(t) == {"discard ant_man_1"}
    t.play("discard ant_man_1")
    assert moves(t) == {"discard thor_1"}
    t.play("discard thor_1")
    assert moves(t) == {"discard run_down_alley"}
    t.play("discard run_down_alley", "discard street_corner")
    shows(
        t,
        victory=-3,
        battlegrounds=["financial_district", "run_down_alley", "street_corner", "busy_main_street"],
        heroes={"hand": [], "discard": ["ant_man_1", "thor_1"]},
    )


@pytest.mark.rule("card street_corner", "ruling 10", "ruling 11", "rule battlegrounds.cost")
def test_a_battleground_neither_pays_for_itself_nor_a_colour():
    """Rulings 10, 11: one card short of its second any-symbol, Busy Main Street stays in hand."""
    hand = ["busy_main_street", "ant_man_1", "thor_1", "street_corner"]
    t = table(to_move="heroes", heroes=side(hand=hand), battlegrounds=[])
    assert moves(t) == {"done"}
    t = table(to_move="heroes", heroes=side(hand=[*hand, "hulk_1"]), battlegrounds=[])
    assert moves(t) == {"play busy_main_street", "done"}


@pytest.mark.rule("card street_corner", "ruling 12", "rule playing.civilian-colour")
def test_freed_civilians_pay_for_a_battleground():
    """Playing a Card: they replace a card of their colour or an any-symbol."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["street_corner"], freed="ryb"),
        civilians=["g", "rygb", "rygb"],
    )
    t.play("play street_corner", "civilian red", "civilian yellow", "civilian blue")
    shows(t, victory=-2, heroes={"freed": "", "hand": []}, civilians=["g", "rygb", "rygb"])


@pytest.mark.rule("card street_corner", "ruling 6", "rule battlegrounds.then-effect")
def test_the_winning_points_cut_off_the_rest():
    """Ruling 6: the seventh point ends the game before anything is healed."""
    t = paid("street_corner", victory=-5, heroes={"slots": {1: "hulk_1:1"}})
    assert (t.winner, t.legal()) == ("heroes", [])
    shows(t, victory=-7, heroes={"slots": {1: "hulk_1:1"}})


@pytest.mark.rule("card avengers_mansion", "ruling 2", "ruling 6")
def test_points_beyond_the_end_are_lost():
    """Rulings 2, 6: the marker stops at its end and no artifact step follows."""
    t = paid("avengers_mansion", victory=-5, artifact_marker=-2)
    assert t.winner == "heroes"
    shows(t, victory=-7, artifact_marker=-2, heroes={"artifacts": []})


@pytest.mark.rule(
    "card financial_district",
    "ruling 46",
    "artifact eternal_flame",
    "rule eternal_flame.each-defeat",
)
def test_a_defeat_by_a_battleground_feeds_the_flame():
    """Ruling 46: any cause counts; the owner is asked before the player goes on."""
    t = paid(
        "financial_district",
        heroes={"slots": {1: "hawkeye_2"}},
        villains=side(slots={1: "hydra_agents_red"}, artifacts=["eternal_flame"]),
    )
    t.play("target v1")
    assert (t.to_move, moves(t)) == ("villains", {"target h1", "no"})
    t.play("target h1")
    shows(t, to_move="heroes", heroes={"slots": {1: "hawkeye_2:1"}, "hand": []})


@pytest.mark.rule("example tower bonus", "rule battlegrounds.to-hand", "rule locations.tower")
def test_an_undefended_attack_at_the_tower_draws_the_top_battleground():
    """Avengers Tower, example: no opponent there, one card from the top of the stack."""
    t = table(
        to_move="heroes",
        heroes=side(slots={6: "hulk_1"}, deck=["thor_1", "thor_2", "hawkeye_1"]),
        villains=side(slots={5: "leader_1"}),
        battlegrounds=["street_corner", "run_down_alley"],
    )
    t.play("done")
    shows(
        t,
        on_turn="villains",
        heroes={"hand": ["thor_1", "thor_2", "street_corner"]},
        battlegrounds=["run_down_alley"],
    )


@pytest.mark.rule("ruling 35")
def test_an_empty_stack_gives_no_card():
    """Ruling 35: no draw, but the attack effect still happens."""
    t = table(
        to_move="heroes",
        heroes=side(slots={6: "nick_fury_2"}, deck=["thor_1", "thor_2", "hawkeye_1"]),
        villains=side(),
        battlegrounds=[],
    )
    t.play("done")
    shows(t, on_turn="villains", victory=-1, heroes={"hand": ["thor_1", "thor_2"]})


@pytest.mark.rule("card run_down_alley", "ruling 11", "rule battlegrounds.under-stack")
def test_a_played_battleground_comes_round_again():
    """Battleground Cards: put under an empty stack it is the next one drawn."""
    t = paid("run_down_alley", heroes={"slots": {6: "hulk_1"}}, stack=())
    shows(t, battlegrounds=["run_down_alley"])
    t.play("done")
    assert "run_down_alley" in t.position()["heroes"]["hand"]
    shows(t, battlegrounds=[])
