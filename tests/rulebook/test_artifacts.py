"""The artifact track, the choice of tiles, and when one-time artifacts may be used."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows, side, table


def sanctum(marker, row, stack, slots=None, **more):
    """The Villains have just attacked from `slots`, by default one card in the Sanctum."""
    t = table(
        villains=side(slots=slots or {4: "leader_1"}),
        heroes=side(),
        artifact_marker=marker,
        artifact_row=row,
        artifact_stack=stack,
        **more,
    )
    t.play("done")
    return t


# The track


@pytest.mark.rule("ruling 41", "ruling 3", "rule components.markers", "rule locations.sanctum-step")
def test_each_attack_in_the_sanctum_is_one_step():
    """Sanctum Sanctorum: one step each towards the attacker's end."""
    t = sanctum(0, ["darkhold", "tactigon"], [], slots={4: "leader_1", 5: "loki_1"})
    shows(t, on_turn="heroes", artifact_marker=2, artifact_row=["darkhold", "tactigon"])
    t = table(
        to_move="heroes", heroes=side(slots={4: "hulk_1+doctor_strange_1"}), artifact_marker=2
    )
    t.play("done")
    shows(t, on_turn="villains", artifact_marker=1)


@pytest.mark.rule(
    "ruling 41",
    "rule locations.sanctum-take",
    "rule locations.sanctum-other",
    "rule locations.sanctum-reveal",
    "rule locations.sanctum-arrow",
    "rule artifacts.in-front",
)
def test_the_villains_take_a_tile_at_their_end():
    """Ruling 41: one taken, the other under the stack, two new ones, marker past the centre."""
    t = sanctum(2, ["cosmic_cube", "norn_stones"], ["darkhold", "ten_rings", "ebony_blade"])
    assert (t.to_move, moves(t)) == ("villains", {"artifact cosmic_cube", "artifact norn_stones"})
    t.play("artifact norn_stones", "yes")
    shows(
        t,
        on_turn="heroes",
        artifact_marker=-1,
        artifact_row=["darkhold", "ten_rings"],
        artifact_stack=["ebony_blade", "cosmic_cube"],
        villains={"artifacts": ["norn_stones"]},
    )


@pytest.mark.rule(
    "ruling 41",
    "rule locations.sanctum-take",
    "rule locations.sanctum-other",
    "rule locations.sanctum-reveal",
    "rule locations.sanctum-arrow",
)
def test_the_heroes_take_a_tile_at_their_end():
    """Ruling 41: the arrow space lies one step on the opponent's side."""
    t = table(
        to_move="heroes",
        heroes=side(slots={5: "hulk_1"}, artifacts=["lifeline_tablet"]),
        artifact_marker=-2,
        artifact_row=["cosmic_cube", "ten_rings"],
        artifact_stack=["darkhold", "tactigon"],
    )
    t.play("done")
    assert moves(t) == {"artifact cosmic_cube", "artifact ten_rings"}
    t.play("artifact cosmic_cube")
    shows(
        t,
        on_turn="villains",
        artifact_marker=1,
        artifact_row=["darkhold", "tactigon"],
        artifact_stack=["ten_rings"],
        heroes={"artifacts": ["cosmic_cube", "lifeline_tablet"]},
    )


@pytest.mark.rule("ruling 41")
def test_the_other_tile_returns_at_once_from_an_empty_stack():
    """Ruling 41: put under an empty stack it is the only one to reveal."""
    t = sanctum(2, ["cosmic_cube", "ten_rings"], [])
    t.play("artifact cosmic_cube")
    shows(t, artifact_marker=-1, artifact_row=["ten_rings"], artifact_stack=[])


@pytest.mark.rule("ruling 41")
def test_the_last_tile_is_taken():
    """Ruling 41: with one tile left there is one choice, and the question is still put."""
    t = sanctum(2, ["ten_rings"], [])
    assert moves(t) == {"artifact ten_rings"}
    t.play("artifact ten_rings")
    shows(t, artifact_marker=-1, artifact_row=[], villains={"artifacts": ["ten_rings"]})


@pytest.mark.rule("ruling 41")
def test_without_tiles_only_the_marker_moves():
    """Ruling 41: nobody is asked, the marker goes to the arrow space."""
    t = sanctum(2, [], [])
    shows(t, on_turn="heroes", artifact_marker=-1, artifact_row=[], villains={"artifacts": []})


@pytest.mark.rule("ruling 41")
def test_steps_go_on_from_the_arrow_space():
    """Ruling 41: a second attack in the same phase starts on the other side of the centre."""
    t = sanctum(2, ["cosmic_cube", "ten_rings"], [], slots={4: "leader_1", 5: "loki_1"})
    t.play("artifact cosmic_cube")
    shows(t, on_turn="heroes", artifact_marker=0)


# When one-time artifacts may be used


@pytest.mark.rule(
    "ruling 42",
    "rule course.phases",
    "rule locations.tile-one-time",
    "rule draw.two",
    "rule artifacts.any-time",
)
def test_windows_open_before_each_attacker_and_before_drawing():
    """Ruling 42: recruitment, slot 1, slot 6, draw; a card without strength opens none."""
    t = table(
        villains=side(
            slots={1: "leader_1", 4: "hydra_agents_yellow", 6: "kang_1"},
            artifacts=["tactigon"],
            deck=["zola_1", "zola_2", "ares_1"],
        ),
        heroes=side(slots={2: "hulk_1"}),
        battlegrounds=["street_corner"],
    )
    window = {"artifact tactigon", "done"}
    assert (t.question, moves(t)) == ("recruitment", window)
    t.play("done")
    assert t.question != "recruitment"
    assert moves(t) == window
    shows(t, victory=0)
    t.play("done")
    assert moves(t) == window
    shows(t, victory=1, artifact_marker=0, battlegrounds=["street_corner"])
    t.play("done")
    assert moves(t) == window
    shows(t, battlegrounds=[], villains={"hand": ["street_corner"]})
    t.play("done")
    shows(t, to_move="heroes", villains={"hand": ["street_corner", "zola_1", "zola_2"]})


@pytest.mark.rule("ruling 42")
def test_no_window_opens_in_the_other_players_turn():
    """Ruling 42: the own turn only."""
    t = table(
        to_move="heroes",
        heroes=side(slots={4: "hulk_1"}),
        villains=side(slots={1: "leader_1"}, artifacts=["darkhold", "casket_of_ancient_winters"]),
    )
    assert moves(t) == {"done"}
    t.play("done")
    shows(t, to_move="villains", on_turn="villains", artifact_marker=-1)


@pytest.mark.rule("ruling 42", "artifact darkhold")
def test_a_slot_emptied_in_its_window_is_skipped():
    """Ruling 42: the card that was about to attack has fallen, the next slot comes up."""
    t = table(
        villains=side(slots={1: "hydra_agents_red", 4: "leader_1"}, artifacts=["darkhold"]),
        heroes=side(),
    )
    t.play("done", "artifact darkhold")
    shows(t, on_turn="heroes", victory=0, artifact_marker=1)
    shows(t, villains={"slots": {4: "leader_1:1"}, "discard": ["hydra_agents_red"]})


@pytest.mark.rule("ruling 42", "artifact tactigon", "rule attack.look-first")
def test_a_defender_defeated_in_the_window_leaves_a_bonus():
    """Rulings 23, 42: the board is looked at after the window."""
    t = table(
        villains=side(slots={1: "leader_1"}, artifacts=["tactigon"]),
        heroes=side(slots={1: "hawkeye_1"}),
    )
    t.play("done", "artifact tactigon")
    shows(t, on_turn="heroes", victory=1, heroes={"slots": {}, "discard": ["hawkeye_1"]})


@pytest.mark.rule("ruling 42")
def test_a_window_repeats_until_done_or_none_is_left():
    """Ruling 42: two artifacts may be used one after the other in the same window."""
    t = table(
        villains=side(slots={4: "leader_1"}, artifacts=["casket_of_ancient_winters", "darkhold"]),
        heroes=side(hand=["thor_1"]),
    )
    t.play("done")
    assert moves(t) == {"artifact casket_of_ancient_winters", "artifact darkhold", "done"}
    t.play("artifact casket_of_ancient_winters")
    assert moves(t) == {"artifact darkhold", "done"}
    shows(t, artifact_marker=0, heroes={"discard": ["thor_1"]})
    t.play("artifact darkhold")
    shows(t, on_turn="heroes", artifact_marker=1, villains={"slots": {4: "leader_1:1"}})


@pytest.mark.rule("ruling 42", "ruling 43")
def test_no_window_for_artifacts_without_effect():
    """Rulings 42, 43: Tactigon without a target and the Eye without an artifact stay quiet."""
    t = table(
        villains=side(slots={4: "leader_1"}, artifacts=["eye_of_agamotto", "tactigon"]),
        heroes=side(),
    )
    assert moves(t) == {"done"}
    t.play("done")
    shows(t, on_turn="heroes", artifact_marker=1)


@pytest.mark.rule("ruling 42", "ruling 28")
def test_no_window_before_an_attack_led_by_modok():
    """Ruling 42: the slot's own window comes first, the led neighbour has none."""
    t = table(
        villains=side(slots={1: "modok_1", 2: "leader_1"}, artifacts=["darkhold"]), heroes=side()
    )
    t.play("done")
    assert moves(t) == {"artifact darkhold", "done"}
    t.play("done")
    assert moves(t) == {"no", "slot 2", "done"}
    t.play("slot 2")
    shows(t, victory=1)
    assert moves(t) == {"artifact darkhold", "done"}
    t.play("done")
    shows(t, victory=2)
    assert moves(t) == {"artifact darkhold", "done"}
    t.play("done")
    shows(t, on_turn="heroes", victory=2)


@pytest.mark.rule("ruling 42", "ruling 30", "card thor_1")
def test_no_window_before_a_thor_who_has_moved():
    """Rulings 30, 42: in his new slot he is not able to attack."""
    t = table(to_move="heroes", heroes=side(slots={4: "thor_1"}, artifacts=["darkhold"]))
    t.play("done", "done", "slot 5")
    assert moves(t) == {"artifact darkhold", "done"}
    t.play("done")
    shows(t, on_turn="villains", artifact_marker=-1)


@pytest.mark.rule("ruling 42", "ruling 26")
def test_a_strengthened_card_opens_a_window():
    """Rulings 26, 42: with a captured Winter Soldier yellow agents are able to attack."""
    t = table(
        villains=side(
            slots={1: "hydra_agents_yellow", 2: "winter_soldier_2"}, artifacts=["darkhold"]
        ),
        heroes=side(),
    )
    t.play("done")
    shows(t, victory=0)
    t.play("done")
    shows(t, victory=1)
    assert moves(t) == {"artifact darkhold", "done"}
    t.play("done")
    shows(t, victory=2)
    assert moves(t) == {"artifact darkhold", "done"}


@pytest.mark.rule("ruling 42", "rule darkhold.skip-own")
def test_the_window_before_drawing_needs_no_card_in_play():
    """Ruling 42: once before drawing, whatever happened in the attack."""
    t = table(villains=side(artifacts=["darkhold"]), heroes=side(slots={1: "thor_1"}))
    t.play("done")
    shows(t, to_move="villains", on_turn="villains")
    assert moves(t) == {"artifact darkhold", "done"}
    t.play("artifact darkhold")
    shows(t, to_move="heroes", heroes={"slots": {1: "thor_1:2"}})


@pytest.mark.rule(
    "ruling 42", "ruling 41", "rule locations.tile-one-time", "rule artifacts.any-time"
)
def test_a_tile_gained_in_the_attack_serves_from_the_next_slot_on():
    """Ruling 42: owned before slot 6 comes up, it may be used there."""
    t = table(
        villains=side(slots={4: "leader_1", 6: "kang_1"}),
        heroes=side(slots={6: "hawkeye_1"}),
        artifact_marker=2,
        artifact_row=["darkhold", "tactigon"],
        artifact_stack=[],
        battlegrounds=["street_corner"],
    )
    t.play("done", "artifact tactigon")
    assert moves(t) == {"artifact tactigon", "done"}
    t.play("artifact tactigon")
    shows(t, on_turn="heroes", battlegrounds=[], heroes={"discard": ["hawkeye_1"]})
    shows(t, artifact_row=["darkhold"], villains={"artifacts": []})


@pytest.mark.rule("ruling 42", "rule immediate.after-placing")
def test_no_window_inside_an_effect_or_a_payment():
    """Ruling 42: while a question of an effect or a payment is open, artifacts wait."""
    t = table(
        villains=side(
            hand=["leader_1", "loki_1", "ares_2"], slots={4: "ares_1"}, artifacts=["darkhold"]
        ),
        heroes=side(slots={1: "hulk_1"}),
    )
    t.play("play leader_1")
    assert moves(t) == {"discard loki_1"}
    t.play("discard loki_1")
    assert moves(t) == {"discard ares_2"}
    t.play("discard ares_2")
    assert moves(t) == {"slot 1", "slot 2", "slot 3", "slot 5", "slot 6"}
    t.play("slot 5")
    assert moves(t) == {"yes", "no"}
    t.play("no", "done", "done")
    assert moves(t) == {"target h1", "no"}


@pytest.mark.rule("ruling 44", "artifact ebony_blade", "card avengers_mansion")
def test_a_tile_gained_in_recruitment_serves_at_once():
    """Ruling 44: the Blade works from the moment it is owned."""
    t = table(
        villains=side(
            hand=["avengers_mansion", "ares_1", "zola_1", "loki_1", "kang_1", "kang_2"],
        ),
        heroes=side(slots={2: "hulk_1"}),
        artifact_marker=2,
        artifact_row=["ebony_blade", "ten_rings"],
        artifact_stack=[],
    )
    t.play("play avengers_mansion", "discard ares_1", "discard zola_1", "discard loki_1")
    t.play("discard kang_1", "discard kang_2", "artifact ebony_blade")
    assert moves(t) == {"artifact ebony_blade", "done"}
    t.play("artifact ebony_blade", "target h2")
    shows(t, heroes={"slots": {2: "hulk_1:1"}})
    assert moves(t) == {"done"}


@pytest.mark.rule(
    "ruling 43",
    "rule locations.tile-leaves",
    "rule casket.leaves",
    "rule darkhold.leaves",
    "rule tactigon.leaves",
)
@pytest.mark.parametrize("tile", ["casket_of_ancient_winters", "darkhold", "tactigon"])
def test_a_used_one_time_artifact_leaves_the_game(tile):
    """Ruling 43: neither in front of its owner nor among the tiles again."""
    t = table(
        villains=side(artifacts=[tile, "ten_rings"]),
        heroes=side(slots={1: "hulk_1"}),
        artifact_row=["cosmic_cube"],
        artifact_stack=[],
    )
    t.play(f"artifact {tile}")
    shows(t, villains={"artifacts": ["ten_rings"]}, artifact_row=["cosmic_cube"], artifact_stack=[])
    assert moves(t) == {"done"}
