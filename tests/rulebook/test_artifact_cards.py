"""The artifacts one by one; discounts, Eternal Flame and Warlock's Eye have their own files."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows, side, table

# Casket of Ancient Winters


@pytest.mark.rule("artifact casket_of_ancient_winters", "ruling 43", "rule casket.hands")
def test_the_casket_empties_both_hands():
    """Ruling 43: battlegrounds go under the stack, the user's first, each in list order."""
    t = table(
        villains=side(
            hand=["street_corner", "ares_1", "busy_main_street"],
            artifacts=["casket_of_ancient_winters"],
        ),
        heroes=side(hand=["thor_1", "financial_district", "avengers_mansion"]),
        battlegrounds=["run_down_alley"],
    )
    t.play("artifact casket_of_ancient_winters")
    shows(
        t,
        to_move="villains",
        battlegrounds=[
            "run_down_alley",
            "busy_main_street",
            "street_corner",
            "avengers_mansion",
            "financial_district",
        ],
        villains={"hand": [], "discard": ["ares_1"], "artifacts": []},
        heroes={"hand": [], "discard": ["thor_1"]},
    )


@pytest.mark.rule("artifact casket_of_ancient_winters", "ruling 43", "rule casket.hands")
def test_the_heroes_casket_puts_their_battlegrounds_first():
    """Ruling 43: the user's order counts, and freed civilians are no cards."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["street_corner"], artifacts=["casket_of_ancient_winters"], freed="r"),
        villains=side(hand=["avengers_mansion"]),
        civilians=["ygb", "rygb", "rygb"],
        battlegrounds=[],
    )
    t.play("artifact casket_of_ancient_winters")
    shows(t, battlegrounds=["street_corner", "avengers_mansion"], heroes={"freed": "r"})


@pytest.mark.rule("artifact casket_of_ancient_winters", "ruling 43", "rule casket.leaves")
def test_the_casket_may_be_used_with_empty_hands():
    """Ruling 43: even when it discards nothing."""
    t = table(villains=side(artifacts=["casket_of_ancient_winters"]), heroes=side())
    assert moves(t) == {"artifact casket_of_ancient_winters", "done"}
    t.play("artifact casket_of_ancient_winters")
    shows(t, villains={"artifacts": []})


@pytest.mark.rule(
    "example casket before drawing",
    "artifact casket_of_ancient_winters",
    "rule casket.draw",
    "rule casket.opponent-empty",
)
def test_the_casket_before_drawing_spares_the_new_cards():
    """Appendix, Casket: the user draws two, the opponent begins the next turn empty-handed."""
    t = table(
        villains=side(
            hand=["ares_1"],
            deck=["zola_1", "zola_2", "kang_1"],
            artifacts=["casket_of_ancient_winters"],
        ),
        heroes=side(hand=["thor_1", "hulk_1"]),
    )
    t.play("done", "artifact casket_of_ancient_winters")
    shows(
        t,
        to_move="heroes",
        villains={"hand": ["zola_1", "zola_2"], "discard": ["ares_1"]},
        heroes={"hand": [], "discard": ["thor_1", "hulk_1"]},
    )


# Darkhold


@pytest.mark.rule(
    "artifact darkhold",
    "ruling 43",
    "ruling 37",
    "ruling 39",
    "rule darkhold.theirs",
    "rule darkhold.own",
    "rule darkhold.leaves",
)
def test_the_darkhold_hits_both_sides():
    """Appendix, Darkhold: 2 on each opposing card, 1 on each own, a Strange below included."""
    t = table(
        to_move="heroes",
        heroes=side(
            slots={1: "hulk_1+doctor_strange_1:1", 2: "hawkeye_1", 3: "ant_man_1", 4: "thor_1"},
            artifacts=["darkhold"],
        ),
        villains=side(slots={1: "ares_1", 2: "ultron_2:1", 3: "leader_1", 6: "captain_marvel_1"}),
    )
    t.play("artifact darkhold")
    shows(
        t,
        villains={
            "slots": {3: "leader_1:2", 6: "captain_marvel_1:2"},
            "discard": ["ares_1", "ultron_2"],
        },
        heroes={
            "slots": {1: "hulk_1:1", 3: "ant_man_1", 4: "thor_1:1"},
            "discard": ["doctor_strange_1", "hawkeye_1"],
            "artifacts": [],
        },
    )


@pytest.mark.rule("artifact darkhold", "ruling 43", "rule darkhold.skip-theirs")
@pytest.mark.parametrize("slots", [{1: "leader_1"}, {}], ids=["own card", "empty board"])
def test_the_darkhold_needs_no_opposing_card(slots):
    """Ruling 43: usable with nobody on the other side."""
    t = table(villains=side(slots=slots, artifacts=["darkhold"]), heroes=side())
    assert moves(t) == {"artifact darkhold", "done"}
    t.play("artifact darkhold")
    shows(t, villains={"slots": {n: f"{card}:1" for n, card in slots.items()}, "artifacts": []})


# Ebony Blade


@pytest.mark.rule(
    "artifact ebony_blade",
    "ruling 44",
    "rule cards.permanent",
    "rule locations.tile-permanent",
    "rule artifacts.kept",
    "rule ebony_blade.once",
    "rule ebony_blade.damage",
)
def test_the_blade_cuts_once_a_recruitment():
    """Ruling 44: one damage of no colour to any opposing card, again in the next own turn."""
    t = table(
        to_move="heroes",
        heroes=side(slots={3: "shield_agents_red"}, artifacts=["ebony_blade"]),
        villains=side(slots={3: "ultron_1", 4: "hydra_agents_yellow"}),
    )
    assert moves(t) == {"artifact ebony_blade", "done"}
    t.play("artifact ebony_blade")
    assert moves(t) == {"target v3", "target v4"}
    t.play("target v3")
    shows(t, villains={"slots": {3: "ultron_1:1", 4: "hydra_agents_yellow"}})
    assert moves(t) == {"done"}
    t.play("done", "done")
    assert (t.to_move, moves(t)) == ("heroes", {"artifact ebony_blade", "done"})


@pytest.mark.rule("artifact ebony_blade", "ruling 39", "rule ebony_blade.check")
def test_the_blade_reaches_a_strange_below():
    """Ruling 39: host and Strange are two choices."""
    t = table(
        villains=side(artifacts=["ebony_blade"]),
        heroes=side(slots={2: "hulk_1+doctor_strange_1:1"}),
    )
    t.play("artifact ebony_blade")
    assert moves(t) == {"target h2", "target h2u"}
    t.play("target h2u")
    shows(t, heroes={"slots": {2: "hulk_1"}, "discard": ["doctor_strange_1"]})


@pytest.mark.rule("artifact ebony_blade", "rule ebony_blade.no-target")
def test_the_blade_needs_an_opposing_card():
    """Appendix, Ebony Blade: without one it is not offered, not even later in the turn."""
    t = table(villains=side(slots={4: "leader_1"}, artifacts=["ebony_blade"]), heroes=side())
    assert moves(t) == {"done"}
    t = table(
        villains=side(slots={4: "leader_1"}, artifacts=["ebony_blade"]),
        heroes=side(slots={1: "hulk_1"}),
    )
    t.play("done")
    shows(t, on_turn="heroes", artifact_marker=1)


# Eye of Agamotto


@pytest.mark.rule(
    "artifact eye_of_agamotto",
    "ruling 43",
    "rule eye_of_agamotto.remove",
    "rule eye_of_agamotto.leaves",
)
def test_the_eye_removes_an_opposing_artifact():
    """Appendix, Eye of Agamotto: the chosen tile and the Eye both leave the game."""
    t = table(
        villains=side(artifacts=["eye_of_agamotto", "ten_rings"]),
        heroes=side(artifacts=["cosmic_cube", "norn_stones"]),
        artifact_row=["ebony_blade"],
        artifact_stack=[],
    )
    assert moves(t) == {"artifact eye_of_agamotto", "done"}
    t.play("artifact eye_of_agamotto")
    assert moves(t) == {"artifact cosmic_cube", "artifact norn_stones"}
    t.play("artifact norn_stones")
    shows(
        t,
        villains={"artifacts": ["ten_rings"]},
        heroes={"artifacts": ["cosmic_cube"]},
        artifact_row=["ebony_blade"],
        artifact_stack=[],
    )
    assert moves(t) == {"done"}


@pytest.mark.rule("artifact eye_of_agamotto", "ruling 43")
def test_the_eye_needs_an_opposing_artifact():
    """Ruling 43: without one it is not offered; with one the choice is still put."""
    t = table(villains=side(artifacts=["eye_of_agamotto", "ten_rings"]), heroes=side())
    assert moves(t) == {"done"}
    t = table(
        villains=side(artifacts=["eye_of_agamotto"]), heroes=side(artifacts=["wand_of_watoomb"])
    )
    t.play("artifact eye_of_agamotto")
    assert moves(t) == {"artifact wand_of_watoomb"}


@pytest.mark.rule("artifact eye_of_agamotto", "artifact eternal_flame", "ruling 42")
def test_the_eye_before_an_attack_puts_the_flame_out():
    """Ruling 42: used in the window of slot 1, the Flame is gone when a hero falls there."""
    t = table(
        villains=side(slots={1: "leader_1"}, artifacts=["eye_of_agamotto"]),
        heroes=side(slots={1: "hawkeye_1"}, artifacts=["eternal_flame"]),
    )
    t.play("done", "artifact eye_of_agamotto", "artifact eternal_flame")
    shows(t, on_turn="heroes", to_move="heroes", heroes={"artifacts": [], "discard": ["hawkeye_1"]})


# Lifeline Tablet


@pytest.mark.rule(
    "artifact lifeline_tablet",
    "ruling 44",
    "rule lifeline_tablet.once",
    "rule lifeline_tablet.heal",
)
def test_the_tablet_heals_once_a_recruitment():
    """Ruling 44: one damage from an own card, a Strange below included."""
    t = table(
        to_move="heroes",
        heroes=side(
            slots={1: "hulk_1:2+doctor_strange_1:1", 2: "war_machine_1"},
            artifacts=["lifeline_tablet"],
        ),
        villains=side(slots={6: "ares_1:1"}),
    )
    assert moves(t) == {"artifact lifeline_tablet", "done"}
    t.play("artifact lifeline_tablet")
    assert moves(t) == {"target h1", "target h1u"}
    t.play("target h1")
    shows(t, heroes={"slots": {1: "hulk_1:1+doctor_strange_1:1", 2: "war_machine_1"}})
    assert moves(t) == {"done"}


@pytest.mark.rule("artifact lifeline_tablet", "rule lifeline_tablet.no-damage")
def test_the_tablet_needs_damage_on_an_own_card():
    """Appendix, Lifeline Tablet: an opponent's wounds are no use."""
    t = table(
        villains=side(slots={1: "leader_1"}, artifacts=["lifeline_tablet"]),
        heroes=side(slots={1: "hulk_1:1"}),
    )
    assert moves(t) == {"done"}


# The Norn Stones


@pytest.mark.rule(
    "artifact norn_stones", "ruling 48", "rule norn_stones.three", "rule norn_stones.optional"
)
@pytest.mark.parametrize(
    ("answer", "hand", "deck"),
    [
        ("yes", ["ares_1", "ares_2", "zola_1"], ["zola_2"]),
        ("no", ["ares_1", "ares_2"], ["zola_1", "zola_2"]),
    ],
)
def test_the_stones_draw_three_or_two(answer, hand, deck):
    """Ruling 48: the owner chooses in every Draw phase of his own."""
    t = table(
        villains=side(artifacts=["norn_stones"], deck=["ares_1", "ares_2", "zola_1", "zola_2"]),
        heroes=side(),
    )
    t.play("done")
    assert (t.to_move, moves(t)) == ("villains", {"yes", "no"})
    t.play(answer)
    shows(t, to_move="heroes", villains={"hand": hand, "deck": deck})


@pytest.mark.rule("artifact norn_stones", "ruling 48", "ruling 6")
def test_the_stones_decide_over_the_end():
    """Ruling 48: with three cards left the third one ends the game, two do not."""
    start = dict(
        villains=side(artifacts=["norn_stones"], deck=["ares_1", "ares_2", "zola_1"]),
        heroes=side(),
        victory=1,
    )
    ended = table(**start)
    ended.play("done", "yes")
    assert ended.winner == "villains"
    open_game = table(**start)
    open_game.play("done", "no")
    assert (open_game.winner, open_game.to_move) == (None, "heroes")


@pytest.mark.rule("artifact norn_stones", "ruling 48", "ruling 9")
def test_the_stones_are_quiet_when_two_cards_are_left():
    """Ruling 48: no choice would change the draw, so none is put."""
    t = table(
        villains=side(artifacts=["norn_stones"], deck=["ares_1", "ares_2"]),
        heroes=side(),
        victory=-1,
    )
    t.play("done")
    assert t.winner == "heroes"
    shows(t, villains={"hand": ["ares_1", "ares_2"], "deck": []})


@pytest.mark.rule("artifact norn_stones", "ruling 42", "ruling 48")
def test_the_stones_come_after_the_window_before_drawing():
    """Rulings 42, 48: one-time artifacts first, then the choice how many to draw."""
    t = table(
        villains=side(
            hand=["kang_1"],
            artifacts=["casket_of_ancient_winters", "norn_stones"],
            deck=["ares_1", "ares_2", "zola_1", "zola_2"],
        ),
        heroes=side(),
    )
    t.play("done", "artifact casket_of_ancient_winters")
    assert moves(t) == {"yes", "no"}
    t.play("yes")
    shows(t, to_move="heroes", villains={"hand": ["ares_1", "ares_2", "zola_1"]})


@pytest.mark.rule(
    "artifact norn_stones", "rule locations.tile-permanent", "rule norn_stones.own-only"
)
def test_the_stones_serve_only_their_owner():
    """Appendix, The Norn Stones: in the own Draw phase only."""
    t = table(
        villains=side(artifacts=["norn_stones"]),
        heroes=side(deck=["thor_1", "thor_2", "hulk_1"]),
        to_move="heroes",
    )
    t.play("done")
    shows(t, to_move="villains", heroes={"hand": ["thor_1", "thor_2"]})


# Tactigon


@pytest.mark.rule(
    "artifact tactigon",
    "ruling 37",
    "ruling 39",
    "rule tactigon.each",
    "rule tactigon.then-check",
    "rule tactigon.leaves",
)
def test_tactigon_hits_every_opposing_card_once():
    """Appendix, Tactigon: 1 damage each, a Strange below included, own cards spared."""
    t = table(
        villains=side(slots={1: "leader_1"}, artifacts=["tactigon"]),
        heroes=side(
            slots={1: "hulk_1+doctor_strange_1:1", 2: "hawkeye_1", 3: "ant_man_1", 6: "thor_1"}
        ),
    )
    t.play("artifact tactigon")
    shows(
        t,
        villains={"slots": {1: "leader_1"}, "artifacts": []},
        heroes={
            "slots": {1: "hulk_1:1", 3: "ant_man_1", 6: "thor_1:1"},
            "discard": ["doctor_strange_1", "hawkeye_1"],
        },
    )


@pytest.mark.rule("artifact tactigon", "ruling 43", "rule tactigon.no-target")
def test_tactigon_needs_an_opposing_card():
    """Ruling 43: unlike the Darkhold it is not offered against an empty side."""
    t = table(villains=side(slots={1: "leader_1"}, artifacts=["tactigon"]), heroes=side())
    assert moves(t) == {"done"}


# Wand of Watoomb


@pytest.mark.rule("artifact wand_of_watoomb", "ruling 45", "rule wand_of_watoomb.point")
@pytest.mark.parametrize(
    ("slots", "points"),
    [
        ({4: "thor_1", 5: "hulk_1", 6: "nick_fury_1"}, 1),
        ({4: "thor_1", 5: "hulk_1+doctor_strange_1"}, 1),
        ({4: "thor_1", 5: "hulk_1"}, 0),
    ],
    ids=["three", "strange below", "two"],
)
def test_the_wand_counts_cards_at_the_start_of_recruitment(slots, points):
    """Ruling 45: three cards of the own side, a Strange below is one of them."""
    t = table(villains=side(), heroes=side(slots=slots, artifacts=["wand_of_watoomb"]))
    t.play("done")
    assert (t.to_move, t.question) == ("heroes", "recruitment")
    shows(t, victory=-points)


@pytest.mark.rule("artifact wand_of_watoomb", "ruling 45", "rule wand_of_watoomb.before-playing")
def test_the_wand_ignores_cards_played_later():
    """Ruling 45: the count is taken before anything is played; a loaded position is past it."""
    t = table(
        villains=side(
            hand=["hydra_agents_yellow"],
            slots={1: "leader_1", 2: "zola_1"},
            artifacts=["wand_of_watoomb"],
        ),
        heroes=side(slots={1: "hulk_1", 2: "thor_1"}),
    )
    shows(t, victory=0)
    t.play("play hydra_agents_yellow", "slot 4")
    shows(t, victory=0)
    loaded = table(
        villains=side(
            slots={1: "leader_1", 2: "zola_1", 3: "kang_1"}, artifacts=["wand_of_watoomb"]
        ),
        heroes=side(),
    )
    shows(loaded, victory=0)


@pytest.mark.rule("artifact wand_of_watoomb", "ruling 45", "ruling 33")
def test_the_wand_counts_captives_for_the_villains():
    """Rulings 33, 45: a captive is a card of the villain side."""
    t = table(
        to_move="heroes",
        heroes=side(),
        villains=side(
            slots={1: "thor_1", 2: "leader_1", 3: "hydra_agents_yellow"},
            artifacts=["wand_of_watoomb"],
        ),
    )
    t.play("done")
    shows(t, to_move="villains", victory=1)


@pytest.mark.rule(
    "artifact wand_of_watoomb", "ruling 45", "ruling 6", "rule wand_of_watoomb.before-playing"
)
def test_the_wand_can_win_the_game():
    """Rulings 6, 45: its point comes before anybody may play."""
    t = table(
        villains=side(),
        heroes=side(
            slots={4: "thor_1", 5: "hulk_1", 6: "nick_fury_1"}, artifacts=["wand_of_watoomb"]
        ),
        victory=-6,
    )
    t.play("done")
    assert (t.winner, t.legal()) == ("heroes", [])
