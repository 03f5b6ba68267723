"""A hero and the Doctor Strange below falling together, and defeats inside of other effects."""

from __future__ import annotations

import pytest

from skirmish_env import Table
from tests.rulebook.helpers import moves, shows
from tests.rulebook.turns import heroes_turn, villains_turn

# Both of a pair at once


@pytest.mark.rule("ruling 39", "ruling 24", "card thanos_2")
def test_one_attack_fells_a_pair_and_brings_no_bonus():
    """Rulings 24, 39: two damage for Strange, two for his host, none for the city."""
    t = villains_turn({1: "thanos_2"}, {1: "hawkeye_2+doctor_strange_1"})
    t.play("done")
    shows(t, on_turn="heroes", victory=0)
    shows(t, heroes={"slots": {}, "discard": ["doctor_strange_1", "hawkeye_2"]})


@pytest.mark.rule("ruling 39", "ruling 46")
def test_a_pair_felled_by_one_attack_lights_the_flame_twice():
    """Ruling 46: host and Strange each; the second question shows the first one's damage."""
    t = villains_turn(
        {1: "thanos_2"}, {1: "hawkeye_2+doctor_strange_1"}, heroes={"artifacts": ["eternal_flame"]}
    )
    t.play("done")
    for damage in (1, 2):
        assert (t.to_move, t.question, moves(t)) == ("heroes", "flame", {"target v1", "no"})
        t.play("target v1")
        shows(t, villains={"slots": {1: f"thanos_2:{damage}"}})
    shows(t, on_turn="heroes", victory=0)


@pytest.mark.rule("ruling 39", "ruling 46")
def test_a_falling_pair_does_not_light_the_attackers_flame():
    """Ruling 46: only own cards count, and the attacker lost none."""
    t = villains_turn(
        {1: "thanos_2"},
        {1: "hawkeye_2+doctor_strange_1", 2: "hulk_1"},
        villains={"artifacts": ["eternal_flame"]},
    )
    t.play("done")
    shows(t, on_turn="heroes", heroes={"slots": {2: "hulk_1"}})


@pytest.mark.rule("ruling 37", "ruling 39", "ruling 46", "artifact darkhold")
def test_the_users_own_darkhold_fells_his_pair():
    """Rulings 37, 46: two own cards fall, two answers; the second one defeats."""
    t = heroes_turn(
        slots={1: "hawkeye_1+doctor_strange_2:1"},
        facing={2: "modok_2"},
        heroes={"artifacts": ["darkhold", "eternal_flame"]},
    )
    t.play("artifact darkhold")
    shows(t, heroes={"slots": {}, "discard": ["doctor_strange_2", "hawkeye_1"]})
    shows(t, villains={"slots": {2: "modok_2:2"}})
    t.play("target v2")
    assert (t.to_move, t.question, moves(t)) == ("heroes", "flame", {"target v2", "no"})
    t.play("target v2")
    assert (t.to_move, t.question) == ("heroes", "recruitment")
    shows(t, villains={"slots": {}, "discard": ["modok_2"]})


@pytest.mark.rule("ruling 37", "ruling 39", "ruling 46", "artifact tactigon")
def test_the_second_answer_of_a_pair_may_find_no_target():
    """Ruling 46: the first answer fells the one villain, so the second is not asked."""
    t = villains_turn(
        {2: "ares_1:1"},
        {2: "hawkeye_1+doctor_strange_1:1"},
        villains={"artifacts": ["tactigon"]},
        heroes={"artifacts": ["eternal_flame"]},
    )
    t.play("artifact tactigon")
    assert (t.to_move, moves(t)) == ("heroes", {"target v2", "no"})
    t.play("target v2")
    assert (t.to_move, t.question, moves(t)) == ("villains", "recruitment", {"done"})
    shows(t, villains={"slots": {}}, heroes={"slots": {}})


@pytest.mark.rule("ruling 37", "ruling 39", "ruling 46", "card thanos_1")
@pytest.mark.parametrize(
    ("owner", "asked", "targets"),
    [
        ("villains", 1, {"target h5", "no"}),
        ("heroes", 2, {"target v1", "no"}),
        (None, 0, set()),
    ],
)
def test_thanos_fells_a_pair_and_a_villain(owner, asked, targets):
    """Rulings 37, 46: three cards fall at once; the owner is asked for each own one."""
    owned = {"artifacts": ["eternal_flame"]} if owner else {}
    t = villains_turn(
        hand=["thanos_1"],
        slots={1: "thanos_2", 2: "ares_1"},
        facing={4: "black_panther_1+doctor_strange_1", 5: "hulk_1"},
        **({owner: owned} if owner else {}),
    )
    t.play("play thanos_1")
    for _ in range(asked):
        assert (t.to_move, t.question, moves(t)) == (owner, "flame", targets)
        t.play("no")
    assert (t.to_move, t.question) == ("villains", "recruitment")
    shows(t, villains={"slots": {1: "thanos_1:2"}, "discard": ["ares_1", "thanos_2"]})
    shows(t, heroes={"slots": {5: "hulk_1:2"}})


@pytest.mark.rule("ruling 33", "ruling 39", "ruling 46")
def test_a_captured_host_and_his_strange_do_not_light_the_villains_flame():
    """Rulings 33, 46: two heroes count as defeated, no villain does."""
    t = villains_turn(
        {1: "loki_2"},
        {1: "hawkeye_1+doctor_strange_1", 4: "hulk_1"},
        villains={"artifacts": ["eternal_flame"]},
    )
    t.play("done", "slot 2")
    shows(t, on_turn="heroes", victory=1, heroes={"discard": ["doctor_strange_1"]})
    shows(t, villains={"slots": {1: "loki_2", 2: "hawkeye_1"}})


@pytest.mark.rule("artifact eternal_flame")
def test_there_is_one_flame_for_both_players():
    """Components: twelve tiles, each once; a second owner is an impossible position."""
    owned = {"artifacts": ["eternal_flame"]}
    with pytest.raises(ValueError, match="eternal_flame"):
        Table.from_position({"villains": owned, "heroes": owned})


# A pair in its own attack


@pytest.mark.rule("ruling 39", "ruling 40", "ruling 46", "card captain_america_1")
def test_a_host_attacks_on_when_his_strange_burns():
    """Rulings 39, 40: the Flame takes Strange, the host lives and has his effect."""
    t = heroes_turn(
        slots={1: "captain_america_1+doctor_strange_1:1"},
        facing={1: "ares_1", 2: "leader_1"},
        villains={"artifacts": ["eternal_flame"]},
    )
    t.play("done")
    assert (t.to_move, moves(t)) == ("villains", {"target h1", "target h1u", "no"})
    t.play("target h1u")
    shows(t, heroes={"slots": {1: "captain_america_1"}, "discard": ["doctor_strange_1"]})
    assert (t.to_move, t.question, moves(t)) == ("heroes", "damage", {"target v2", "no"})
    t.play("target v2")
    shows(t, on_turn="villains", villains={"slots": {2: "leader_1:1"}})


@pytest.mark.rule("ruling 39", "ruling 46", "card winter_soldier_1")
def test_both_of_an_attacking_pair_burn_one_after_the_other():
    """Rulings 39, 46: two villains fall to the host's effect, two answers take the whole slot."""
    t = heroes_turn(
        hand=["thor_1"],
        slots={
            1: "winter_soldier_1:1+doctor_strange_1:1",
            4: "nick_fury_1",
            5: "war_machine_1",
        },
        facing={1: "red_hulk_1", 4: "hydra_agents_red", 5: "hydra_agents_blue"},
        villains={"artifacts": ["eternal_flame"]},
    )
    t.play("done", "discard thor_1")
    shows(t, villains={"slots": {1: "red_hulk_1:2"}})
    t.play("target h1", "target h1")
    shows(t, heroes={"discard": ["doctor_strange_1", "thor_1", "winter_soldier_1"]})
    shows(t, heroes={"slots": {4: "nick_fury_1", 5: "war_machine_1"}})
    assert (t.to_move, t.question, t.question_source) == ("heroes", "draw", "war_machine_1")
    shows(t, artifact_marker=-2)


@pytest.mark.rule("ruling 23", "ruling 39", "ruling 40")
def test_a_strange_attacks_in_the_slot_that_his_host_lost_earlier():
    """Rulings 23, 40: the host burnt in slot 1's turn; slot 4 comes up with Strange in it."""
    t = heroes_turn(
        slots={1: "thor_1", 4: "hawkeye_1+doctor_strange_1"},
        facing={1: "ares_1"},
        villains={"artifacts": ["eternal_flame"]},
    )
    t.play("done", "target h4")
    shows(t, heroes={"slots": {1: "thor_1", 4: "doctor_strange_1"}})
    assert t.question == "relocate"
    t.play("no")
    shows(t, on_turn="villains", artifact_marker=-1)


# A defeat inside an effect inside an effect


@pytest.mark.rule("ruling 20", "ruling 37", "ruling 46", "ruling 47")
def test_the_flame_answers_thanos_inside_kang_inside_the_agents():
    """Ruling 20: three heroes fall, three answers, then Thanos' Eye, Kang's Eye, Recruitment."""
    t = villains_turn(
        slots={1: "kang_1"},
        hand=["hydra_agents_green", "kang_2", "zola_1"],
        facing={4: "hawkeye_1", 5: "black_panther_1+doctor_strange_1", 6: "hulk_1"},
        villains={"discard": ["thanos_2"], "artifacts": ["warlocks_eye"]},
        heroes={"artifacts": ["eternal_flame"], "hand": ["thor_1", "thor_2", "ant_man_1"]},
    )
    t.play("play hydra_agents_green", "discard zola_1", "slot 2", "play kang_2")
    t.play("fetch thanos_2", "slot 3")
    shows(t, villains={"slots": {1: "kang_2:2", 3: "thanos_2:2"}})
    shows(t, heroes={"slots": {6: "hulk_1:2"}})
    assert (t.to_move, t.question) == ("heroes", "flame")
    assert moves(t) == {"target v1", "target v3", "no"}
    t.play("target v1")
    assert moves(t) == {"target v3", "no"}
    t.play("target v3")
    assert (t.to_move, moves(t)) == ("heroes", {"target v3", "no"})
    t.play("target v3")
    shows(t, villains={"slots": {}})
    for cards in ({"ant_man_1", "thor_1", "thor_2"}, {"thor_1", "thor_2"}):
        assert (t.to_move, t.question) == ("heroes", "warlock discard")
        assert moves(t) == {f"discard {card}" for card in cards}
        t.play(t.legal()[0])
    assert (t.to_move, t.question, moves(t)) == ("villains", "recruitment", {"done"})
    shows(t, villains={"discard": ["hydra_agents_green", "kang_1", "kang_2", "thanos_2", "zola_1"]})


@pytest.mark.rule("ruling 46", "artifact eternal_flame")
def test_what_the_flame_defeats_does_not_light_it_again():
    """Ruling 46: it burns opposing cards only, and those are not its owner's."""
    t = heroes_turn(
        slots={1: "hulk_1", 2: "hawkeye_1", 3: "shield_agents_red"},
        facing={1: "ares_1", 2: "leader_1"},
        villains={"artifacts": ["eternal_flame"]},
    )
    t.play("done", "target h2")
    assert (t.to_move, t.question) == ("heroes", "free civilian")
    shows(t, heroes={"slots": {1: "hulk_1", 3: "shield_agents_red"}, "discard": ["hawkeye_1"]})


@pytest.mark.rule("ruling 20", "ruling 37", "ruling 46", "card black_panther_2", "card iron_man_2")
def test_each_token_inside_iron_man_is_answered_before_the_next():
    """Rulings 20, 37: token, answer, token, answer, and then Iron Man's play is over."""
    t = heroes_turn(
        hand=["iron_man_2", "black_panther_2"],
        slots={1: "iron_man_1", 2: "thor_1:2", 3: "hulk_1:1"},
        facing={1: "hydra_agents_red", 2: "hydra_agents_blue", 3: "leader_1"},
        villains={"artifacts": ["eternal_flame"]},
    )
    t.play("play iron_man_2", "play black_panther_2", "slot 4")
    t.play("target h2", "target v1")
    assert (t.to_move, t.question) == ("villains", "flame")
    t.play("target h4")
    assert (t.to_move, t.question) == ("heroes", "move from")
    assert moves(t) == {"target h2", "target h3", "target h4", "no"}
    t.play("target h4", "target v2")
    assert (t.to_move, t.question) == ("villains", "flame")
    t.play("target h2")
    assert (t.to_move, t.question) == ("heroes", "recruitment")
    shows(t, villains={"slots": {3: "leader_1"}})
    shows(t, heroes={"slots": ["iron_man_2", "thor_1:2", "hulk_1:1", "black_panther_2"]})
