"""Targets that fall, or whose slot changes hands, before an effect reaches them."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows
from tests.rulebook.turns import heroes_turn, villains_turn

# Winter Soldier


@pytest.mark.rule("card winter_soldier_1", "ruling 21", "ruling 46")
@pytest.mark.parametrize("answer", ["no", "target h1", "target h2"])
def test_the_flame_takes_winter_soldiers_effect_its_target(answer):
    """Ruling 21: Leader faces Hawkeye only; with Hawkeye burnt there is nobody to hurt."""
    t = heroes_turn(
        hand=["thor_1"],
        slots={1: "winter_soldier_1", 2: "hawkeye_1"},
        facing={1: "hydra_agents_red", 2: "leader_1"},
        villains={"artifacts": ["eternal_flame"]},
    )
    t.play("done")
    assert (t.to_move, moves(t)) == ("villains", {"target h1", "target h2", "no"})
    t.play(answer)
    if answer == "target h2":
        shows(t, on_turn="villains", heroes={"slots": {1: "winter_soldier_1"}})
        shows(t, villains={"slots": {2: "leader_1"}})
        return
    assert (t.to_move, t.question, moves(t)) == ("heroes", "give up card", {"discard thor_1", "no"})
    t.play("discard thor_1")
    shows(t, on_turn="villains", villains={"slots": {2: "leader_1:2"}})


@pytest.mark.rule("card winter_soldier_1", "ruling 40")
def test_a_burnt_winter_soldier_gives_no_card_up():
    """Ruling 40: the Flame that answers his attack fells him before his effect."""
    t = heroes_turn(
        hand=["thor_1"],
        slots={1: "winter_soldier_1:1", 2: "hulk_1"},
        facing={1: "hydra_agents_red", 2: "red_hulk_2"},
        villains={"artifacts": ["eternal_flame"]},
    )
    t.play("done", "target h1")
    shows(t, on_turn="villains", villains={"slots": {2: "red_hulk_2:3"}})
    shows(t, heroes={"slots": {2: "hulk_1"}, "discard": ["winter_soldier_1"]})


@pytest.mark.rule("card winter_soldier_1", "ruling 31", "ruling 37")
def test_winter_soldier_asks_before_the_row_falls_together():
    """Ruling 37: all three take their damage first; two fall, two answers, the third stands."""
    t = heroes_turn(
        hand=["thor_1"],
        slots={1: "winter_soldier_1", 2: "nick_fury_1", 3: "hawkeye_1", 4: "ant_man_1"},
        facing={2: "hydra_agents_red", 3: "hydra_agents_blue", 4: "leader_1"},
        villains={"artifacts": ["eternal_flame"]},
        civilians=["", "rygb", "rygb"],
    )
    t.play("done", "discard thor_1")
    shows(t, victory=-1, villains={"slots": {4: "leader_1:1"}})
    t.play("target h3")
    assert (t.to_move, moves(t)) == ("villains", {"target h1", "target h2", "target h4", "no"})
    t.play("target h4")
    assert (t.to_move, t.question) == ("heroes", "free civilian")
    shows(t, heroes={"slots": {1: "winter_soldier_1", 2: "nick_fury_1", 4: "ant_man_1"}})


# Ares and Taskmaster


@pytest.mark.rule("card ares_1", "ruling 39")
def test_ares_finds_only_the_host_when_strange_fell_to_his_attack():
    """Ruling 39: his attack takes Strange, the one hero left is his host."""
    t = villains_turn({1: "ares_1"}, {1: "hawkeye_1+doctor_strange_1"})
    t.play("done")
    shows(t, heroes={"slots": {1: "hawkeye_1"}, "discard": ["doctor_strange_1"]})
    assert moves(t) == {"target h1", "no"}
    t.play("target h1")
    shows(t, on_turn="heroes", victory=0, heroes={"slots": {}})


@pytest.mark.rule("card ares_2", "ruling 46", "ruling 40")
def test_the_flames_answers_to_ares_come_before_his_effect():
    """Rulings 40, 46: the answer to his attack, his effect, the answer to his effect."""
    t = villains_turn(
        {1: "ares_2"},
        {1: "hawkeye_1", 2: "shield_agents_red"},
        heroes={"artifacts": ["eternal_flame"]},
    )
    t.play("done")
    assert (t.to_move, t.question, moves(t)) == ("heroes", "flame", {"target v1", "no"})
    t.play("target v1")
    assert (t.to_move, t.question, moves(t)) == ("villains", "damage", {"target h2", "no"})
    t.play("target h2")
    assert (t.to_move, t.question, moves(t)) == ("heroes", "flame", {"target v1", "no"})
    shows(t, villains={"slots": {1: "ares_2:1"}}, heroes={"slots": {}})
    t.play("target v1")
    shows(t, on_turn="heroes", villains={"slots": {1: "ares_2:2"}})


@pytest.mark.rule("card taskmaster_2", "ruling 39", "ruling 24")
def test_taskmasters_two_attacks_take_a_pair_one_by_one():
    """Rulings 24, 39: Strange stops the first, his host the second; no bonus for either."""
    t = villains_turn({1: "taskmaster_2"}, {1: "hawkeye_1+doctor_strange_1"})
    t.play("done")
    shows(t, heroes={"slots": {1: "hawkeye_1"}, "discard": ["doctor_strange_1"]})
    assert (t.question, moves(t)) == ("attack again", {"yes", "no"})
    t.play("yes")
    shows(t, on_turn="heroes", victory=0, heroes={"slots": {}})


@pytest.mark.rule("card taskmaster_2", "ruling 24", "ruling 46")
def test_the_flame_is_settled_before_taskmaster_comes_back():
    """Rulings 24, 46: burnt but alive, he finds the slot empty and takes its bonus."""
    t = villains_turn(
        {1: "taskmaster_2", 2: "leader_1"},
        {1: "hawkeye_1", 2: "hulk_1"},
        heroes={"artifacts": ["eternal_flame"]},
    )
    t.play("done")
    assert (t.to_move, t.question) == ("heroes", "flame")
    t.play("target v1")
    assert (t.to_move, t.question, moves(t)) == ("villains", "attack again", {"yes", "no"})
    shows(t, victory=0)
    t.play("yes")
    shows(t, on_turn="heroes", victory=1)
    shows(t, villains={"slots": {1: "taskmaster_2:1", 2: "leader_1"}})


@pytest.mark.rule("card taskmaster_1", "card taskmaster_2", "ruling 35")
@pytest.mark.parametrize("version", [1, 2])
def test_taskmaster_does_not_ask_for_an_emptied_slot_that_gives_nothing(version):
    """Ruling 35: the hero at the Tower fell, and no battleground is left to draw."""
    t = villains_turn({6: f"taskmaster_{version}"}, {6: "hawkeye_1"}, battlegrounds=[])
    t.play("done")
    shows(t, on_turn="heroes", heroes={"slots": {}, "discard": ["hawkeye_1"]})


@pytest.mark.rule("ruling 28", "ruling 40", "card modok_1")
def test_modok_has_no_use_for_a_burnt_neighbour():
    """Ruling 28: Ares burnt in his own slot, and only M.O.D.O.K. himself is left to choose."""
    t = villains_turn(
        {1: "ares_1:1", 2: "modok_1"},
        {1: "hawkeye_1", 2: "hulk_1"},
        heroes={"artifacts": ["eternal_flame"]},
    )
    t.play("done", "target v1")
    assert (t.to_move, t.question, moves(t)) == ("villains", "lead attack", {"no", "done"})
    t.play("no")
    shows(t, on_turn="heroes", heroes={"slots": {2: "hulk_1:2"}})


# Hawkeye and Black Panther


@pytest.mark.rule("card hawkeye_1", "ruling 20", "ruling 46", "ruling 47")
def test_hawkeye_burnt_by_the_answer_to_his_shot_still_calls_the_eye():
    """Rulings 20, 47: fallen in his own effect he finishes it, and Iron Man's comes last."""
    t = heroes_turn(
        hand=["iron_man_1", "hawkeye_1"],
        slots={1: "iron_man_2"},
        facing={2: "hydra_agents_blue"},
        heroes={"artifacts": ["warlocks_eye"]},
        villains={"artifacts": ["eternal_flame"], "hand": ["ares_1", "zola_1", "leader_1"]},
    )
    t.play("play iron_man_1", "play hawkeye_1", "slot 2")
    assert (t.to_move, t.question, moves(t)) == ("heroes", "damage opposite", {"yes", "no"})
    t.play("yes")
    assert (t.to_move, t.question) == ("villains", "flame")
    assert moves(t) == {"target h1", "target h2", "no"}
    t.play("target h2")
    assert (t.to_move, t.question, t.question_source) == (
        "villains",
        "warlock discard",
        "warlocks_eye",
    )
    assert moves(t) == {"discard ares_1", "discard leader_1", "discard zola_1"}
    t.play("discard zola_1")
    assert moves(t) == {"discard ares_1", "discard leader_1"}
    t.play("discard ares_1")
    assert (t.to_move, t.question, moves(t)) == ("heroes", "recruitment", {"done"})
    shows(t, heroes={"slots": {1: "iron_man_1"}, "discard": ["hawkeye_1", "iron_man_2"]})
    shows(t, villains={"hand": ["leader_1"]})


@pytest.mark.rule("card hawkeye_2", "ruling 22", "ruling 32")
def test_hawkeye_has_no_shot_at_a_villain_who_fell_before_he_came():
    """Ruling 22: the Blade empties the slot, so Hawkeye faces nobody there."""
    t = heroes_turn(
        hand=["hawkeye_1", "hawkeye_2"],
        facing={2: "hydra_agents_blue", 3: "leader_1"},
        slots={2: "hawkeye_1"},
        heroes={"artifacts": ["ebony_blade"]},
    )
    t.play("artifact ebony_blade", "target v2", "play hawkeye_2")
    assert (t.to_move, t.question) == ("heroes", "recruitment")
    shows(t, heroes={"slots": {2: "hawkeye_2"}}, villains={"slots": {3: "leader_1"}})


@pytest.mark.rule("card black_panther_2", "ruling 37", "ruling 46")
def test_black_panthers_second_token_burns_away():
    """Ruling 37: the Flame fells the only hero who still had a token."""
    t = heroes_turn(
        hand=["black_panther_2"],
        slots={1: "black_panther_1", 2: "thor_1:1", 3: "hawkeye_2:1"},
        facing={1: "hydra_agents_red", 2: "leader_1"},
        villains={"artifacts": ["eternal_flame"]},
    )
    t.play("play black_panther_2", "target h2", "target v1")
    assert (t.to_move, moves(t)) == ("villains", {"target h1", "target h2", "target h3", "no"})
    t.play("target h3")
    assert (t.to_move, t.question) == ("heroes", "recruitment")
    shows(t, heroes={"slots": {1: "black_panther_2", 2: "thor_1"}})
    shows(t, villains={"slots": {2: "leader_1"}})


@pytest.mark.rule("card black_panther_2", "ruling 37", "ruling 46")
def test_the_flame_lends_black_panther_his_second_token():
    """Ruling 37: nobody else has damage, but the answer put one on Black Panther himself."""
    t = heroes_turn(
        hand=["black_panther_2"],
        slots={1: "black_panther_1", 2: "thor_1:1"},
        facing={1: "hydra_agents_red", 2: "leader_1"},
        villains={"artifacts": ["eternal_flame"]},
    )
    t.play("play black_panther_2", "target h2", "target v1", "target h1")
    assert (t.to_move, t.question, moves(t)) == ("heroes", "move from", {"target h1", "no"})
    t.play("target h1", "target v2")
    shows(t, heroes={"slots": {1: "black_panther_2", 2: "thor_1"}})
    shows(t, villains={"slots": {2: "leader_1:1"}, "discard": ["hydra_agents_red"]})


@pytest.mark.rule("card black_panther_2", "ruling 22")
def test_black_panthers_second_token_needs_a_villain():
    """Ruling 22: the first token felled the last villain; Thor keeps his other one."""
    t = heroes_turn(
        hand=["black_panther_2"],
        slots={1: "black_panther_1", 2: "thor_1:2"},
        facing={4: "hydra_agents_red"},
    )
    t.play("play black_panther_2", "target h2", "target v4")
    assert (t.to_move, t.question) == ("heroes", "recruitment")
    shows(t, heroes={"slots": {1: "black_panther_2", 2: "thor_1:1"}}, villains={"slots": {}})


@pytest.mark.rule("ruling 25", "ruling 22", "card black_panther_1")
def test_the_only_villain_left_cannot_take_a_blue_token():
    """Rulings 22, 25: after the Blade only the second Ultron is left, and he ignores blue."""
    t = heroes_turn(
        hand=["black_panther_1"],
        slots={1: "black_panther_2", 2: "thor_1:2"},
        facing={1: "hydra_agents_red", 2: "ultron_2"},
        heroes={"artifacts": ["ebony_blade"]},
    )
    t.play("artifact ebony_blade", "target v1", "play black_panther_1")
    assert (t.to_move, t.question) == ("heroes", "recruitment")


# The Eternal Flame


@pytest.mark.rule("artifact eternal_flame", "ruling 46", "ruling 39")
def test_the_second_answer_finds_strange_where_his_host_stood():
    """Rulings 39, 46: the first answer fells the host, Strange steps up and is a target there."""
    t = heroes_turn(
        slots={1: "hawkeye_1+doctor_strange_1:1"},
        facing={1: "hydra_agents_red", 2: "hydra_agents_blue", 3: "leader_1"},
        heroes={"artifacts": ["tactigon"]},
        villains={"artifacts": ["eternal_flame"]},
    )
    t.play("artifact tactigon")
    assert (t.to_move, moves(t)) == ("villains", {"target h1", "target h1u", "no"})
    t.play("target h1")
    assert (t.to_move, moves(t)) == ("villains", {"target h1", "no"})
    shows(t, heroes={"slots": {1: "doctor_strange_1:1"}})
    t.play("target h1")
    assert (t.to_move, t.question) == ("heroes", "recruitment")
    shows(t, heroes={"slots": {}, "discard": ["doctor_strange_1", "hawkeye_1"]})
    shows(t, villains={"slots": {3: "leader_1:1"}})


@pytest.mark.rule("artifact eternal_flame", "ruling 46")
def test_a_declined_answer_leaves_the_next_one():
    """Ruling 46: one optional damage for each fallen card; the first refusal is not the last."""
    t = villains_turn(
        slots={1: "modok_1"},
        facing={1: "hawkeye_1", 2: "shield_agents_red"},
        villains={"artifacts": ["tactigon"]},
        heroes={"artifacts": ["eternal_flame"]},
    )
    t.play("artifact tactigon", "no")
    assert (t.to_move, t.question, moves(t)) == ("heroes", "flame", {"target v1", "no"})
    t.play("target v1")
    assert (t.to_move, t.question) == ("villains", "recruitment")
    shows(t, villains={"slots": {1: "modok_1:1"}}, heroes={"slots": {}})
