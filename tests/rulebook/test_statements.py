"""Statements of the rulebook that the other files only touch; docs/rules.md lists them all."""

from __future__ import annotations

from collections import Counter

import pytest

from skirmish_env import Table
from tests.rulebook.helpers import FACTION_CARDS, moves, shows, side, slots, table

FULL_VILLAINS = ["leader_1", "loki_1", "zola_1", "modok_1", "ultron_1", "hydra_agents_yellow"]

# -- Set-up ---------------------------------------------------------------------------------------


def removed(t: Table, faction: str) -> Counter[str]:
    """The cards of a faction that a fresh game has put aside."""
    one = t.position()[faction]
    return Counter(FACTION_CARDS[faction] * 2) - Counter(one["hand"] + one["deck"])


@pytest.mark.rule("rule setup.fifteen-out", "ruling 4", "ruling 50")
@pytest.mark.parametrize("faction", ["villains", "heroes"])
def test_fifteen_cards_go_back_unseen(faction):
    """Setup: fifteen a side, others in every game, and no view of the table names them."""
    games = [Table.new(seed=seed) for seed in (1, 2)]
    away = [removed(t, faction) for t in games]
    assert [one.total() for one in away] == [15, 15]
    assert away[0] != away[1]
    for viewer in ("villains", "heroes"):
        seen = games[0].position(viewer=viewer)
        assert seen[faction]["deck"] == len(games[0].position()[faction]["deck"])
        assert set(seen) == set(games[0].position())


@pytest.mark.rule("rule setup.tiles-shuffled", "rule setup.battlegrounds-shuffled")
def test_both_stacks_are_shuffled_and_face_down():
    """Setup: tiles and battlegrounds lie in another order in another game, hidden from both."""
    games = [Table.new(seed=seed) for seed in (1, 2)]
    deals = [t.position() for t in games]
    for stack in ("battlegrounds", "artifact_row", "artifact_stack"):
        assert deals[0][stack] != deals[1][stack]
    for viewer in ("villains", "heroes"):
        seen = games[0].position(viewer=viewer)
        assert (seen["battlegrounds"], seen["artifact_stack"]) == (8, 10)


# -- Recruitment, paying, drawing -----------------------------------------------------------------


@pytest.mark.rule("rule recruitment.from-hand")
def test_cards_are_played_from_the_own_hand_only():
    """Phase I: free agents in the deck, in the discard pile or in play are no choice."""
    t = table(
        villains=side(
            hand=["hydra_agents_yellow"],
            discard=["hydra_agents_blue"],
            deck=["hydra_agents_blue", "ares_1", "ares_2"],
            slots={1: "hydra_agents_yellow"},
        )
    )
    assert moves(t) == {"play hydra_agents_yellow", "done"}


@pytest.mark.rule("rule recruitment.optional")
def test_a_player_may_pass_over_what_could_be_played():
    """Phase I: optional, so a free card may stay in the hand."""
    t = table(villains=side(hand=["hydra_agents_yellow"]))
    t.play("done")
    shows(t, to_move="heroes", villains={"slots": {}, "discard": []})
    assert "hydra_agents_yellow" in t.position()["villains"]["hand"]


@pytest.mark.rule("rule hydra.colours", "rule shield.colours", "rule playing.colours")
@pytest.mark.parametrize(
    ("owner", "card", "colour", "payers"),
    [
        ("villains", "hydra_agents", "red", ["ares_1", "zola_1"]),
        ("villains", "hydra_agents", "yellow", ["zola_1", "ares_1"]),
        ("villains", "hydra_agents", "green", ["leader_1", "ares_1"]),
        ("villains", "hydra_agents", "blue", ["ultron_1", "ares_1"]),
        ("heroes", "shield_agents", "red", ["ant_man_1", "thor_1"]),
        ("heroes", "shield_agents", "yellow", ["nick_fury_1", "thor_1"]),
        ("heroes", "shield_agents", "green", ["hawkeye_1", "thor_1"]),
        ("heroes", "shield_agents", "blue", ["black_panther_1", "hulk_1"]),
    ],
)
def test_agents_of_each_colour_pay_their_colour(owner, card, colour, payers):
    """Appendix, Hydra Agents and S.H.I.E.L.D. Agents: there is a card of every colour."""
    bought, spare = payers
    agents = f"{card}_{colour}"
    t = table(to_move=owner, **{owner: side(hand=[bought, agents, spare])})
    t.play(f"play {bought}")
    assert moves(t) == {f"discard {agents}"}


@pytest.mark.rule("rule draw.no-limit", "rule draw.two")
def test_the_largest_hand_draws_two_more():
    """Phase III: every card of the faction may be in hand at once."""
    cards = FACTION_CARDS["villains"] * 2
    t = table(villains=side(hand=cards[:50], deck=cards[50:]))
    t.play("done")
    shows(t, to_move="heroes", villains={"hand": cards[:52], "deck": cards[52:], "discard": []})


# -- Battlegrounds and defeats over several turns -------------------------------------------------


@pytest.mark.rule("rule battlegrounds.later-turn", "rule battlegrounds.to-hand")
def test_a_battleground_drawn_in_one_turn_serves_in_the_next():
    """Battleground Cards: won at the Tower it is played, or pays, in a later Recruitment."""
    t = table(
        villains=side(
            hand=["ares_1", "zola_1", "ultron_1", "modok_1"],
            slots={6: "hydra_agents_blue"},
            deck=["thanos_1", "thanos_2", "leader_1", "loki_1"],
        ),
        battlegrounds=["street_corner", "run_down_alley"],
    )
    t.play("done")
    assert "street_corner" in t.position()["villains"]["hand"]
    t.play("done")
    assert t.to_move == "villains"
    pays = t.clone()
    t.play("play street_corner", "discard ares_1", "discard zola_1", "discard ultron_1")
    shows(t, victory=2, battlegrounds=["run_down_alley", "street_corner"])
    pays.play("play zola_1", "discard modok_1", "discard street_corner", "slot 1")
    shows(pays, victory=0, battlegrounds=["run_down_alley", "street_corner"])


@pytest.mark.rule("rule attack.defeated-tokens", "rule attack.defeated-discard")
def test_a_defeated_card_comes_back_without_its_damage():
    """Phase II: the damage returns to the supply, so a Leader whom Kang fetches is unhurt."""
    t = table(
        to_move="heroes",
        heroes=side(slots={1: "captain_marvel_1"}),
        villains=side(hand=["kang_1"], slots={1: "leader_1:2", 6: "kang_2"}),
    )
    t.play("done")
    shows(t, to_move="villains", villains={"discard": ["leader_1"]})
    t.play("play kang_1", "fetch leader_1", "slot 1", "no")
    shows(t, villains={"slots": {1: "leader_1", 6: "kang_1"}, "discard": ["kang_2"]})


@pytest.mark.rule("rule winter_soldier_1.then-check", "card winter_soldier_1")
def test_villains_felled_by_winter_soldier_fall_at_once():
    """Appendix, Winter Soldier (first version): checked after his effect, not later."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["thor_1"], slots={1: "hulk_1", 6: "winter_soldier_1"}),
        villains=side(slots={1: "red_hulk_2:1", 6: "leader_1"}),
    )
    t.play("done")
    shows(t, villains={"slots": {1: "red_hulk_2:4", 6: "leader_1:1"}})
    t.play("discard thor_1")
    shows(t, to_move="villains", villains={"slots": {6: "leader_1:1"}, "discard": ["red_hulk_2"]})


# -- What may be declined -------------------------------------------------------------------------


@pytest.mark.rule("rule zemo_1.optional", "rule zemo_1.one-card", "card baron_zemo_1")
@pytest.mark.parametrize(
    ("answer", "victory", "discard"), [("no", 0, []), ("discard ares_1", 1, ["ares_1"])]
)
def test_zemo_1_may_keep_his_card_after_a_fight(answer, victory, discard):
    """Appendix, Baron Zemo (first version): an offer, after damage as after a bonus."""
    t = table(
        villains=side(hand=["ares_1", "ares_2"], slots={1: "baron_zemo_1"}),
        heroes=side(slots={1: "thor_1"}),
    )
    t.play("done")
    assert moves(t) == {"discard ares_1", "discard ares_2", "no"}
    t.play(answer)
    shows(t, to_move="heroes", victory=victory, villains={"discard": discard})
    shows(t, heroes={"slots": {1: "thor_1:1"}})


@pytest.mark.rule("rule captain_marvel_1.optional", "rule captain_marvel_2.optional", "ruling 22")
@pytest.mark.parametrize(
    ("new", "old"),
    [("captain_marvel_1", "captain_marvel_2"), ("captain_marvel_2", "captain_marvel_1")],
)
def test_captain_marvel_may_spare_everybody(new, old):
    """Appendix, Captain Marvel: her damage is an offer."""
    t = table(
        to_move="heroes",
        heroes=side(hand=[new], slots={2: old}),
        villains=side(slots={1: "zola_1"}),
    )
    t.play(f"play {new}", "no")
    assert (t.question, moves(t)) == ("recruitment", {"done"})
    shows(t, villains={"slots": {1: "zola_1"}})


@pytest.mark.rule("rule iron_man_1.optional", "ruling 22", "card iron_man_1")
def test_iron_man_1_may_leave_the_hand_alone():
    """Appendix, Iron Man (first version): the free card is an offer."""
    t = table(
        to_move="heroes", heroes=side(hand=["iron_man_1", "ant_man_1"], slots={3: "iron_man_2"})
    )
    t.play("play iron_man_1", "no")
    assert (t.question, moves(t)) == ("recruitment", {"done"})
    shows(t, heroes={"hand": ["ant_man_1"], "slots": {3: "iron_man_1"}})


@pytest.mark.rule("rule ebony_blade.optional", "rule lifeline_tablet.optional")
@pytest.mark.parametrize("tile", ["ebony_blade", "lifeline_tablet"])
def test_blade_and_tablet_may_rest(tile):
    """Appendix, Ebony Blade and Lifeline Tablet: no duty, and no use outside Recruitment."""
    t = table(
        villains=side(slots={1: "leader_1:1", 5: "kang_1"}, artifacts=[tile]),
        heroes=side(slots={1: "hulk_1"}),
    )
    t.play("done")
    shows(t, to_move="heroes", heroes={"slots": {1: "hulk_1:1"}})
    shows(t, villains={"slots": {1: "leader_1:1", 5: "kang_1"}})


@pytest.mark.rule("rule ebony_blade.once", "rule lifeline_tablet.once", "ruling 44")
@pytest.mark.parametrize(
    ("tile", "target"), [("ebony_blade", "target h6"), ("lifeline_tablet", "target v1")]
)
def test_blade_and_tablet_work_again_in_the_next_own_recruitment(tile, target):
    """Appendix, Ebony Blade and Lifeline Tablet: once each time, not once for all."""
    t = table(
        villains=side(
            slots={1: "leader_1:2"},
            artifacts=[tile],
            deck=["thanos_1", "thanos_2", "ares_1", "ares_2"],
        ),
        heroes=side(slots={6: "hulk_2"}),
    )
    t.play(f"artifact {tile}", target)
    assert moves(t) == {"done"}
    t.play("done", "done")
    assert (t.to_move, moves(t)) == ("villains", {f"artifact {tile}", "done"})


# -- Second versions of what both versions do -----------------------------------------------------


@pytest.mark.rule(
    "rule captain_america.optional", "rule captain_america.bonus-too", "card captain_america_2"
)
@pytest.mark.parametrize(("answer", "ares"), [("target v1", "ares_2:1"), ("no", "ares_2")])
def test_captain_america_2_offers_his_damage_after_a_bonus(answer, ares):
    """Appendix, Captain America: also after a location bonus, and it may be declined."""
    t = table(
        to_move="heroes",
        heroes=side(slots={4: "captain_america_2"}),
        villains=side(slots={1: "ares_2"}),
    )
    t.play("done")
    shows(t, artifact_marker=-1)
    assert moves(t) == {"target v1", "no"}
    t.play(answer)
    shows(t, to_move="villains", villains={"slots": {1: ares}})


@pytest.mark.rule("rule hawkeye.nobody", "card hawkeye_2", "ruling 32")
def test_hawkeye_2_has_no_shot_at_an_empty_slot():
    """Appendix, Hawkeye: a villain elsewhere is out of his reach."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["hawkeye_2"], slots={5: "hawkeye_1"}),
        villains=side(slots={1: "ares_2"}),
    )
    t.play("play hawkeye_2")
    assert (t.question, moves(t)) == ("recruitment", {"done"})
    shows(t, villains={"slots": {1: "ares_2"}})


@pytest.mark.rule("rule hulk.optional", "card hulk_2")
def test_the_card_that_hulk_2_offers_may_be_refused():
    """Appendix, Hulk: the Villains draw only if they want to."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["hulk_2"], slots={1: "hulk_1"}),
        villains=side(deck=["ares_1", "ares_2"]),
    )
    t.play("play hulk_2")
    assert (t.to_move, moves(t)) == ("villains", {"yes", "no"})
    t.play("no")
    shows(t, to_move="heroes", villains={"hand": [], "deck": ["ares_1", "ares_2"]})


@pytest.mark.rule("rule thor.bonus-too", "rule thor.optional", "card thor_2", "ruling 30")
@pytest.mark.parametrize(("answer", "slot"), [("slot 6", 6), ("no", 4)])
def test_thor_2_may_move_after_a_bonus(answer, slot):
    """Appendix, Thor: also after a location bonus, with his damage, or he stays."""
    t = table(to_move="heroes", heroes=side(slots={4: "thor_2:1"}), battlegrounds=["street_corner"])
    t.play("done")
    shows(t, artifact_marker=-1)
    assert moves(t) == slots(1, 2, 3, 5, 6) | {"no"}
    t.play(answer)
    shows(t, to_move="villains", heroes={"slots": {slot: "thor_2:1"}})
    shows(t, artifact_marker=-1, battlegrounds=["street_corner"])


@pytest.mark.rule("rule war_machine.optional", "rule war_machine.bonus-too", "card war_machine_2")
@pytest.mark.parametrize(("answer", "drawn"), [("yes", 3), ("no", 2)])
def test_war_machine_2_may_draw_after_a_bonus(answer, drawn):
    """Appendix, War Machine: also after a location bonus, and the card may be left."""
    deck = ["thor_1", "thor_2", "hulk_1", "hulk_2"]
    t = table(to_move="heroes", heroes=side(slots={4: "war_machine_2"}, deck=deck))
    t.play("done", answer)
    shows(t, artifact_marker=-1, heroes={"hand": deck[:drawn], "deck": deck[drawn:]})


# -- Artifacts that wait --------------------------------------------------------------------------


@pytest.mark.rule("rule artifacts.any-time", "rule artifacts.kept", "rule locations.tile-one-time")
@pytest.mark.parametrize("tile", ["casket_of_ancient_winters", "darkhold", "tactigon"])
def test_a_one_time_tile_waits_for_a_later_turn(tile):
    """Sanctum Sanctorum: unused in one turn it is there in the next, and then only once."""
    t = table(
        villains=side(artifacts=[tile], deck=["thanos_1", "thanos_2", "ares_1"]),
        heroes=side(slots={6: "hulk_1"}),
        battlegrounds=[],
    )
    t.play("done", "done")
    shows(t, to_move="heroes", villains={"artifacts": [tile]})
    t.play("done")
    assert (t.to_move, moves(t)) == ("villains", {f"artifact {tile}", "done"})
    t.play(f"artifact {tile}")
    shows(t, villains={"artifacts": []})
    assert moves(t) == {"done"}


# -- Hela -----------------------------------------------------------------------------------------


@pytest.mark.rule("rule hela_1.recruitment-only", "rule hela_2.recruitment-only", "ruling 18")
@pytest.mark.parametrize("hela", ["hela_1", "hela_2"])
def test_hela_returns_in_her_own_recruitment_only(hela):
    """Appendix, Hela: not in the attack, not before drawing, not in the other player's turn."""
    t = table(
        villains=side(
            hand=["ultron_1", "ares_1"],
            discard=[hela],
            slots={4: "baron_zemo_1"},
            artifacts=["darkhold"],
        ),
        heroes=side(),
    )
    assert moves(t) == {f"fetch {hela}", "artifact darkhold", "done"}
    t.play("done")
    assert moves(t) == {"artifact darkhold", "done"}
    t.play("done")
    assert moves(t) == {"discard ultron_1", "discard ares_1", "no"}
    t.play("no")
    assert moves(t) == {"artifact darkhold", "done"}
    t.play("done")
    assert (t.to_move, moves(t)) == ("heroes", {"done"})
    t.play("done")
    assert f"fetch {hela}" in moves(t)


@pytest.mark.rule("rule hela_2.empty-slot", "ruling 18", "card hela_2")
def test_hela_2_needs_an_empty_slot():
    """Appendix, Hela (second version): any empty slot of her side, none on a full one."""
    hand = ["ares_1", "hela_1"]
    t = table(villains=side(hand=hand, discard=["hela_2"], slots=FULL_VILLAINS))
    assert moves(t) == {"done"}
    t = table(villains=side(hand=hand, discard=["hela_2"], slots={2: "zola_1", 5: "leader_1"}))
    t.play("fetch hela_2", "discard ares_1", "discard hela_1")
    assert moves(t) == slots(1, 3, 4, 6)
    t.play("slot 6")
    shows(t, villains={"slots": {2: "zola_1", 5: "leader_1", 6: "hela_2"}})
