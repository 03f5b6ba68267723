"""The hero cards from Ant-Man to Hulk: what they show in play and where their effects end."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows
from tests.rulebook.turns import heroes_turn, villains_turn

ALL_SLOTS = {f"slot {n}" for n in range(1, 7)}


# Ant-Man


@pytest.mark.rule("card ant_man_2", "ruling 38", "rule ant_man.one-less", "rule ant_man.once")
def test_ant_man_shrugs_off_one_damage_of_the_first_hit_only():
    """Appendix, Ant-Man: the first hit of a turn is one weaker, the next one is not."""
    t = villains_turn({1: "ares_1"}, {1: "ant_man_2"})
    t.play("done")
    shows(t, heroes={"slots": {1: "ant_man_2:1"}})
    assert moves(t) == {"target h1", "no"}
    t.play("target h1")
    shows(t, heroes={"slots": {}, "discard": ["ant_man_2"]})


@pytest.mark.rule("card ant_man_1", "ruling 38", "rule ant_man.one-less", "rule ant_man.once")
def test_ant_man_spends_his_reduction_on_a_single_damage():
    """Ruling 38: turning 1 into 0 uses the reduction up."""
    t = villains_turn({1: "leader_1", 4: "ares_1"}, {1: "ant_man_1"})
    t.play("done")
    shows(t, heroes={"slots": {1: "ant_man_1"}}, artifact_marker=1)
    t.play("target h1")
    shows(t, heroes={"slots": {}, "discard": ["ant_man_1"]})


@pytest.mark.rule("card ant_man_2", "ruling 38", "rule ant_man.each-turn")
def test_ant_man_reduces_again_in_the_other_players_turn():
    """Ruling 38: once in each player's turn, so twice a round."""
    t = villains_turn(
        {1: "leader_1:2"}, {1: "ant_man_2"}, villains={"artifacts": ["eternal_flame"]}
    )
    t.play("done")
    shows(t, to_move="heroes", heroes={"slots": {1: "ant_man_2"}})
    t.play("done")
    shows(t, to_move="villains", on_turn="heroes", villains={"discard": ["leader_1"]})
    assert moves(t) == {"target h1", "no"}
    t.play("target h1")
    shows(t, heroes={"slots": {1: "ant_man_2"}})


@pytest.mark.rule("card ant_man_2", "ruling 38")
def test_ant_man_keeps_his_reduction_while_strange_takes_everything():
    """Ruling 38: damage that stops at the Strange below never reached Ant-Man."""
    t = villains_turn({1: "ares_1"}, {1: "ant_man_2+doctor_strange_1"})
    t.play("done")
    shows(t, heroes={"slots": {1: "ant_man_2"}, "discard": ["doctor_strange_1"]})
    t.play("target h1")
    shows(t, heroes={"slots": {1: "ant_man_2"}})


@pytest.mark.rule("card ant_man_1", "ruling 38", "ruling 39")
def test_ant_man_reduces_what_strange_lets_through():
    """Rulings 38, 39: of 3 damage Strange holds 2, the last one is reduced to nothing."""
    t = villains_turn({1: "hela_2"}, {1: "ant_man_1+doctor_strange_1"})
    t.play("done")
    shows(t, heroes={"slots": {1: "ant_man_1"}, "discard": ["doctor_strange_1"]})


@pytest.mark.rule("card ant_man_1", "card ant_man_2", "ruling 38")
def test_a_new_ant_man_has_a_reduction_of_his_own():
    """Ruling 38: the reduction belongs to the card in play, a replacing copy starts afresh."""
    t = heroes_turn(
        hand=["ant_man_2"],
        slots={1: "ant_man_1"},
        facing={1: "hydra_agents_green", 2: "hydra_agents_red"},
        villains={"artifacts": ["eternal_flame"]},
        heroes={"artifacts": ["ebony_blade"]},
    )
    t.play("artifact ebony_blade", "target v2", "target h1")
    shows(t, heroes={"slots": {1: "ant_man_1"}})
    t.play("play ant_man_2", "done")
    shows(t, to_move="villains", villains={"slots": {}})
    t.play("target h1")
    shows(t, heroes={"slots": {1: "ant_man_2"}})


@pytest.mark.rule("card ant_man_2", "rule ant_man.attack-or-effect")
def test_ant_man_survives_thanos():
    """Appendix, Ant-Man: effects are reduced like attacks, 2 damage become 1."""
    t = villains_turn(
        slots={1: "thanos_2"}, facing={1: "ant_man_2", 2: "winter_soldier_1"}, hand=["thanos_1"]
    )
    t.play("play thanos_1")
    shows(t, heroes={"slots": {1: "ant_man_2:1"}}, villains={"slots": {1: "thanos_1:2"}})


# Black Panther


@pytest.mark.rule(
    "card black_panther_1", "rule black_panther_1.one-token", "rule black_panther_1.optional"
)
def test_black_panther_moves_one_token():
    """Appendix, Black Panther: one token goes from any hero to any villain."""
    t = heroes_turn(
        hand=["black_panther_1", "captain_america_1", "hulk_1"],
        slots={1: "nick_fury_1:2", 2: "hawkeye_1"},
        facing={1: "kang_1", 4: "ares_1"},
    )
    t.play("play black_panther_1", "discard captain_america_1", "discard hulk_1", "slot 3")
    assert moves(t) == {"target h1", "no"}
    t.play("target h1")
    shows(t, heroes={"slots": {1: "nick_fury_1:2", 2: "hawkeye_1", 3: "black_panther_1"}})
    assert moves(t) == {"target v1", "target v4"}
    t.play("target v4")
    shows(t, villains={"slots": {1: "kang_1", 4: "ares_1:1"}})
    shows(t, heroes={"slots": {1: "nick_fury_1:1", 2: "hawkeye_1", 3: "black_panther_1"}})
    assert moves(t) == {"done"}


@pytest.mark.rule(
    "example black panther moves two",
    "card black_panther_2",
    "ruling 37",
    "rule black_panther_2.up-to-two",
    "rule black_panther_2.sources",
    "rule black_panther_2.destinations",
)
def test_black_panther_moves_two_tokens_and_defeats_kang():
    """Appendix, Black Panther, example: both tokens of Nick Fury go, one each to two villains."""
    t = heroes_turn(
        hand=["black_panther_2"],
        slots={1: "nick_fury_1:2", 2: "black_panther_1"},
        facing={1: "kang_1:1", 4: "ares_1"},
    )
    t.play("play black_panther_2", "target h1", "target v1")
    shows(t, villains={"slots": {4: "ares_1"}, "discard": ["kang_1"]})
    assert moves(t) == {"target h1", "no"}
    t.play("target h1")
    assert moves(t) == {"target v4"}
    t.play("target v4")
    shows(t, villains={"slots": {4: "ares_1:1"}, "discard": ["kang_1"]})
    shows(t, heroes={"slots": {1: "nick_fury_1", 2: "black_panther_2"}})


@pytest.mark.rule(
    "card black_panther_2", "rule black_panther_2.sources", "rule black_panther_2.destinations"
)
def test_black_panther_may_take_his_two_tokens_from_two_heroes():
    """Appendix, Black Panther: one token each from two heroes, both to one villain."""
    t = heroes_turn(
        hand=["black_panther_2"],
        slots={1: "nick_fury_1:1", 2: "black_panther_1", 5: "thor_1:1"},
        facing={1: "loki_1"},
    )
    t.play("play black_panther_2")
    assert moves(t) == {"target h1", "target h5", "no"}
    t.play("target h5", "target v1")
    assert moves(t) == {"target h1", "no"}
    t.play("target h1", "target v1")
    shows(t, villains={"slots": {1: "loki_1:2"}})
    shows(t, heroes={"slots": {1: "nick_fury_1", 2: "black_panther_2", 5: "thor_1"}})


@pytest.mark.rule("card black_panther_2", "ruling 22", "rule black_panther_2.up-to-two")
def test_black_panther_may_stop_after_one_token():
    """Ruling 22: up to two means none or one as well."""
    start = dict(
        hand=["black_panther_2"],
        slots={1: "nick_fury_1:2", 2: "black_panther_1"},
        facing={1: "loki_1"},
    )
    one = heroes_turn(**start)
    one.play("play black_panther_2", "target h1", "target v1", "no")
    shows(one, villains={"slots": {1: "loki_1:1"}})
    assert moves(one) == {"done"}
    none = heroes_turn(**start)
    none.play("play black_panther_2", "no")
    shows(none, villains={"slots": {1: "loki_1"}})
    assert moves(none) == {"done"}


@pytest.mark.rule("card black_panther_1", "ruling 39")
def test_black_panther_takes_tokens_from_a_strange_below():
    """Ruling 39: host and Strange are two cards to an effect."""
    t = heroes_turn(
        hand=["black_panther_1"],
        slots={1: "hulk_1:1+doctor_strange_1:1", 2: "black_panther_2"},
        facing={1: "loki_1"},
    )
    t.play("play black_panther_1")
    assert moves(t) == {"target h1", "target h1u", "no"}
    t.play("target h1u", "target v1")
    shows(t, heroes={"slots": {1: "hulk_1:1+doctor_strange_1", 2: "black_panther_1"}})


@pytest.mark.rule("card black_panther_1", "ruling 25", "rule ultron_2.effect")
def test_black_panther_cannot_move_a_token_to_the_ultron_immune_to_blue():
    """Ruling 25: the moved damage is his own, and he is blue."""
    t = heroes_turn(
        hand=["black_panther_1"],
        slots={1: "nick_fury_1:1", 2: "black_panther_2"},
        facing={1: "ultron_2", 2: "ares_1"},
    )
    t.play("play black_panther_1", "target h1")
    assert moves(t) == {"target v2"}


@pytest.mark.rule(
    "card black_panther_1",
    "card black_panther_2",
    "ruling 22",
    "rule black_panther_1.nothing",
    "rule black_panther_2.nothing",
)
@pytest.mark.parametrize(
    ("fury", "facing"),
    [("nick_fury_1:1", {1: "ultron_2"}), ("nick_fury_1:1", {}), ("nick_fury_1", {1: "ares_1"})],
    ids=["immune", "no villain", "no damage"],
)
def test_black_panther_is_not_asked_when_no_token_can_move(fury, facing):
    """Appendix, Black Panther: without a token or a villain to take it nothing happens."""
    for old, new in (
        ("black_panther_1", "black_panther_2"),
        ("black_panther_2", "black_panther_1"),
    ):
        t = heroes_turn(hand=[new], slots={1: fury, 2: old}, facing=facing)
        t.play(f"play {new}")
        assert moves(t) == {"done"}


@pytest.mark.rule("card black_panther_2", "ruling 37", "ruling 46")
def test_black_panther_settles_the_first_token_before_the_second():
    """Ruling 37: a defeat by the first token triggers Eternal Flame before the next token."""
    t = heroes_turn(
        hand=["black_panther_2"],
        slots={1: "nick_fury_1:1", 2: "black_panther_1", 3: "hulk_1"},
        facing={1: "hydra_agents_red", 2: "ares_1"},
        villains={"artifacts": ["eternal_flame"]},
    )
    t.play("play black_panther_2", "target h1", "target v1")
    shows(t, to_move="villains", villains={"slots": {2: "ares_1"}})
    assert moves(t) == {"target h1", "target h2", "target h3", "no"}
    unhurt = t.clone()
    unhurt.play("no")
    assert (unhurt.to_move, moves(unhurt)) == ("heroes", {"done"})
    t.play("target h3")
    assert (t.to_move, moves(t)) == ("heroes", {"target h3", "no"})
    t.play("target h3", "target v2")
    shows(t, villains={"slots": {2: "ares_1:1"}})
    shows(t, heroes={"slots": {1: "nick_fury_1", 2: "black_panther_2", 3: "hulk_1"}})


@pytest.mark.rule("card black_panther_1", "ruling 25", "ruling 38")
def test_a_token_moved_to_a_captured_ant_man_is_reduced():
    """Rulings 25, 38: a moved token is damage, so the captive's reduction swallows it."""
    t = heroes_turn(
        hand=["black_panther_1"],
        slots={1: "nick_fury_1:1", 2: "black_panther_2"},
        facing={3: "ant_man_1"},
    )
    t.play("play black_panther_1", "target h1", "target v3")
    shows(t, villains={"slots": {3: "ant_man_1"}})
    shows(t, heroes={"slots": {1: "nick_fury_1", 2: "black_panther_1"}})


# Captain America


@pytest.mark.rule(
    "card captain_america_1",
    "ruling 25",
    "rule ultron_2.effect",
    "rule captain_america.any-villain",
    "rule captain_america.bonus-too",
)
def test_captain_america_hurts_any_villain_after_a_bonus():
    """Appendix, Captain America: the bonus comes first, the Ultron immune to blue is safe."""
    t = heroes_turn(slots={4: "captain_america_1"}, facing={1: "ares_1", 5: "ultron_2"})
    t.play("done")
    shows(t, artifact_marker=-1)
    assert moves(t) == {"target v1", "no"}
    t.play("target v1")
    shows(t, villains={"slots": {1: "ares_1:1", 5: "ultron_2"}})


@pytest.mark.rule("card captain_america_2", "rule captain_america.any-villain")
def test_captain_america_may_finish_his_own_opponent():
    """Appendix, Captain America: the extra damage may go to the card just attacked."""
    t = heroes_turn(slots={1: "captain_america_2"}, facing={1: "leader_1"})
    t.play("done")
    shows(t, villains={"slots": {1: "leader_1:2"}})
    assert moves(t) == {"target v1", "no"}
    t.play("target v1")
    shows(t, villains={"slots": {}, "discard": ["leader_1"]}, to_move="villains")


@pytest.mark.rule("card captain_america_2", "rule captain_america.no-villain")
def test_captain_america_is_not_asked_without_a_villain():
    """Appendix, Captain America: his attack removed the last villain, the effect does nothing."""
    t = heroes_turn(slots={1: "captain_america_2"}, facing={1: "ares_1"})
    t.play("done")
    shows(t, to_move="villains", on_turn="villains", villains={"slots": {}})


@pytest.mark.rule("card captain_america_1", "ruling 22", "rule captain_america.optional")
def test_captain_america_may_decline():
    """Ruling 22: his effect is an offer."""
    t = heroes_turn(slots={4: "captain_america_1"}, facing={1: "ares_1"})
    t.play("done", "no")
    shows(t, on_turn="villains", villains={"slots": {1: "ares_1"}})


# Captain Marvel


@pytest.mark.rule("example captain marvel payment", "card captain_marvel_1", "ruling 11")
def test_captain_marvel_is_paid_with_red_yellow_and_a_battleground():
    """Playing a Card, example: red pays red, any two pay the rest, the battleground goes under."""
    t = heroes_turn(
        hand=["captain_marvel_1", "ant_man_1", "nick_fury_1", "street_corner"],
        heroes={"freed": "r"},
        civilians=["ygb", "rygb", "rygb"],
        battlegrounds=["run_down_alley"],
    )
    t.play("play captain_marvel_1")
    assert moves(t) == {"discard ant_man_1", "civilian red"}
    t.play("discard ant_man_1")
    assert moves(t) == {"discard nick_fury_1", "discard street_corner"}
    t.play("discard nick_fury_1")
    assert moves(t) == {"discard street_corner", "civilian red"}
    t.play("discard street_corner")
    assert moves(t) == ALL_SLOTS
    t.play("slot 2")
    shows(
        t,
        heroes={
            "slots": {2: "captain_marvel_1"},
            "hand": [],
            "discard": ["ant_man_1", "nick_fury_1"],
            "freed": "r",
        },
        battlegrounds=["run_down_alley", "street_corner"],
    )


@pytest.mark.rule(
    "example captain marvel payment",
    "card captain_marvel_1",
    "ruling 12",
    "rule playing.civilian-colour",
    "rule playing.civilian-share",
    "rule playing.civilian-spent",
)
def test_a_red_civilian_pays_the_red_symbol_of_captain_marvel():
    """Playing a Card, example: the civilian replaces the red card and leaves the game."""
    t = heroes_turn(
        hand=["captain_marvel_1", "ant_man_1", "nick_fury_1"],
        heroes={"freed": "r"},
        civilians=["ygb", "rygb", "rygb"],
    )
    t.play("play captain_marvel_1", "civilian red", "discard ant_man_1", "discard nick_fury_1")
    shows(t, heroes={"freed": ""}, civilians=["ygb", "rygb", "rygb"])
    assert moves(t) == ALL_SLOTS


@pytest.mark.rule(
    "example captain marvel replaced",
    "card captain_marvel_2",
    "ruling 13",
    "rule replacing.must-replace",
    "rule replacing.free",
)
def test_captain_marvel_replaces_herself_for_nothing():
    """Replacing a Main Character, example: no cost, same slot, damage gone, old copy discarded."""
    t = heroes_turn(hand=["captain_marvel_2"], slots={5: "captain_marvel_1:2"})
    assert moves(t) == {"play captain_marvel_2", "done"}
    t.play("play captain_marvel_2")
    shows(t, heroes={"slots": {5: "captain_marvel_2"}, "discard": ["captain_marvel_1"], "hand": []})


@pytest.mark.rule("example captain marvel defeats leader", "card captain_marvel_1")
def test_captain_marvel_defeats_a_wounded_leader():
    """Phase II, example: with the two damage from before her single one is his third."""
    t = heroes_turn(slots={1: "captain_marvel_1"}, facing={1: "leader_1:2"})
    t.play("done")
    shows(t, villains={"slots": {}, "discard": ["leader_1"]}, on_turn="villains")


@pytest.mark.rule(
    "card captain_marvel_1",
    "ruling 25",
    "rule ultron_1.red-effect",
    "rule captain_marvel_1.one-damage",
)
def test_captain_marvel_may_hurt_any_villain_but_the_ultron_immune_to_red():
    """Appendix, Captain Marvel (first): 1 damage anywhere; she is red."""
    t = heroes_turn(
        hand=["captain_marvel_1"],
        slots={6: "captain_marvel_2"},
        facing={1: "thanos_1", 2: "ultron_1", 3: "zola_1"},
    )
    t.play("play captain_marvel_1")
    assert moves(t) == {"target v1", "target v3", "no"}
    t.play("target v3")
    shows(t, villains={"slots": {1: "thanos_1", 2: "ultron_1", 3: "zola_1:1"}})


@pytest.mark.rule("card captain_marvel_2", "rule captain_marvel_2.two-damage")
def test_the_stronger_captain_marvel_deals_two_damage_to_one_villain():
    """Appendix, Captain Marvel (second): both damage go to the same card."""
    t = heroes_turn(
        hand=["captain_marvel_2"],
        slots={6: "captain_marvel_1"},
        facing={1: "thanos_1", 3: "ares_1"},
    )
    t.play("play captain_marvel_2")
    assert moves(t) == {"target v1", "target v3", "no"}
    t.play("target v3")
    shows(t, villains={"slots": {1: "thanos_1"}, "discard": ["ares_1"]})
    assert moves(t) == {"done"}


@pytest.mark.rule(
    "card captain_marvel_1",
    "card captain_marvel_2",
    "ruling 22",
    "rule captain_marvel_1.no-villain",
    "rule captain_marvel_2.no-villain",
)
@pytest.mark.parametrize("facing", [{}, {1: "ultron_1"}], ids=["nobody", "immune"])
def test_captain_marvel_is_not_asked_without_a_villain_she_can_hurt(facing):
    """Ruling 22: whoever cannot be hurt by her is no target."""
    for old, new in (
        ("captain_marvel_1", "captain_marvel_2"),
        ("captain_marvel_2", "captain_marvel_1"),
    ):
        t = heroes_turn(hand=[new], slots={6: old}, facing=facing)
        t.play(f"play {new}")
        assert moves(t) == {"done"}


# Hawkeye


@pytest.mark.rule(
    "card hawkeye_1",
    "ruling 32",
    "rule immediate.after-placing",
    "rule hawkeye.two-damage",
    "rule hawkeye.nobody",
)
def test_hawkeye_shoots_the_card_facing_the_chosen_slot():
    """Appendix, Hawkeye; ruling 32: the slot decides whom he faces."""
    t = heroes_turn(hand=["hawkeye_1", "hulk_1", "thor_1"], facing={3: "thanos_1", 4: "red_hulk_1"})
    t.play("play hawkeye_1", "discard hulk_1", "discard thor_1")
    nobody = t.clone()
    nobody.play("slot 2")
    assert moves(nobody) == {"done"}
    t.play("slot 3")
    assert moves(t) == {"yes", "no"}
    t.play("yes")
    shows(t, villains={"slots": {3: "thanos_1:2", 4: "red_hulk_1"}})


@pytest.mark.rule("card hawkeye_2", "ruling 32", "ruling 22", "rule hawkeye.optional")
def test_hawkeye_may_hold_his_shot():
    """Ruling 22: declining leaves the villain unhurt."""
    t = heroes_turn(hand=["hawkeye_2"], slots={5: "hawkeye_1"}, facing={5: "ares_1"})
    t.play("play hawkeye_2")
    shot = t.clone()
    shot.play("yes")
    shows(shot, villains={"slots": {}, "discard": ["ares_1"]})
    t.play("no")
    shows(t, villains={"slots": {5: "ares_1"}})


@pytest.mark.rule("card hawkeye_2", "ruling 32", "ruling 33")
def test_hawkeye_shoots_a_captive_too():
    """Ruling 33: a captured hero is a villain to him."""
    t = heroes_turn(hand=["hawkeye_2"], slots={2: "hawkeye_1"}, facing={2: "thor_1"})
    t.play("play hawkeye_2", "yes")
    shows(t, villains={"slots": {2: "thor_1:2"}})


# Hulk


@pytest.mark.rule("card hulk_1", "ruling 49", "rule hulk.draw", "rule hulk.optional")
def test_hulk_offers_the_villains_a_card():
    """Appendix, Hulk; ruling 49: the opponent answers, then the Heroes go on."""
    t = heroes_turn(
        hand=["hulk_1"], slots={1: "hulk_2"}, villains={"deck": ["ares_2", "zola_1", "zola_2"]}
    )
    t.play("play hulk_1")
    assert (t.to_move, moves(t)) == ("villains", {"yes", "no"})
    refused = t.clone()
    refused.play("no")
    shows(refused, to_move="heroes", villains={"hand": [], "deck": ["ares_2", "zola_1", "zola_2"]})
    t.play("yes")
    shows(t, to_move="heroes", villains={"hand": ["ares_2"], "deck": ["zola_1", "zola_2"]})


@pytest.mark.rule("card hulk_2")
def test_hulk_offers_nothing_from_an_empty_deck():
    """Appendix, Hulk: accepting could not change anything, so nobody is asked."""
    t = heroes_turn(hand=["hulk_2"], slots={1: "hulk_1"}, villains={"deck": []})
    t.play("play hulk_2")
    assert (t.to_move, moves(t)) == ("heroes", {"done"})


@pytest.mark.rule("card hulk_2", "rule hulk.draw")
def test_the_stronger_hulk_offers_a_card_as_well():
    """Appendix, Hulk: both versions share the effect."""
    t = heroes_turn(hand=["hulk_2"], slots={1: "hulk_1"}, villains={"deck": ["ares_2", "zola_1"]})
    t.play("play hulk_2", "yes")
    shows(t, to_move="heroes", villains={"hand": ["ares_2"]}, heroes={"slots": {1: "hulk_2"}})
