"""Taskmaster: his second attack, and how many bonuses he may take (ruling 29)."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows, side, table
from tests.rulebook.turns import villains_turn


@pytest.mark.rule("ruling 29", "card taskmaster_1")
def test_taskmaster_takes_one_bonus_per_activation():
    """Ruling 29: led by M.O.D.O.K. he takes a bonus, and one more in his own slot."""
    t = villains_turn({1: "modok_1", 2: "taskmaster_1"})
    t.play("done", "slot 2")
    shows(t, on_turn="heroes", victory=2)


@pytest.mark.rule("ruling 29", "ruling 27", "card taskmaster_1")
def test_taskmaster_led_by_modok_attacks_twice_and_then_once():
    """Rulings 27, 29: the second attack belongs to the first activation, a bonus to the other."""
    t = villains_turn({1: "modok_1", 2: "taskmaster_1"}, {2: "ant_man_2:1"})
    t.play("done", "slot 2")
    shows(t, heroes={"slots": {2: "ant_man_2:1"}})
    assert moves(t) == {"yes", "no"}
    t.play("yes")
    shows(t, heroes={"slots": {}}, victory=1, on_turn="heroes")


@pytest.mark.rule(
    "ruling 29",
    "card taskmaster_1",
    "rule taskmaster_1.check-each",
    "rule taskmaster_1.after-defeat",
)
def test_taskmasters_bonus_after_a_defeat():
    """Ruling 29: the first attack defeats, the second takes the one bonus of this activation."""
    t = villains_turn({2: "taskmaster_1"}, {2: "hawkeye_1"})
    t.play("done", "yes")
    shows(t, heroes={"slots": {}}, victory=1, on_turn="heroes")


@pytest.mark.rule(
    "example taskmaster black panther",
    "card taskmaster_1",
    "ruling 24",
    "rule taskmaster_1.check-each",
    "rule taskmaster_1.after-defeat",
)
def test_taskmaster_defeats_black_panther_and_takes_the_bonus():
    """Appendix, Taskmaster, example: the second attack finds the Tower free."""
    t = table(
        villains=side(slots={6: "taskmaster_1"}, deck=["ares_1", "ares_2", "kang_1"]),
        heroes=side(slots={6: "black_panther_1:1"}),
        battlegrounds=["street_corner"],
    )
    t.play("done")
    shows(t, heroes={"discard": ["black_panther_1"]}, battlegrounds=["street_corner"])
    assert moves(t) == {"yes", "no"}
    t.play("yes")
    shows(t, villains={"hand": ["ares_1", "ares_2", "street_corner"]}, battlegrounds=[])


@pytest.mark.rule("card taskmaster_1", "ruling 29", "rule taskmaster_1.one-bonus")
def test_taskmaster_1_takes_one_bonus():
    """Appendix, Taskmaster (first version): after a bonus the second attack would do nothing."""
    t = table(villains=side(slots={2: "taskmaster_1"}))
    t.play("done")
    shows(t, to_move="heroes", victory=1)


@pytest.mark.rule("card taskmaster_1", "ruling 29", "ruling 28")
def test_the_limit_of_taskmaster_1_holds_for_each_activation():
    """Ruling 29: one bonus lent to M.O.D.O.K., one more in his own slot."""
    t = table(villains=side(slots={1: "modok_1", 2: "taskmaster_1"}))
    t.play("done", "slot 2")
    shows(t, to_move="heroes", victory=2)


@pytest.mark.rule("card taskmaster_2", "rule taskmaster_2.two-bonuses")
@pytest.mark.parametrize(("answer", "victory"), [("yes", 2), ("no", 1)])
def test_taskmaster_2_may_take_two_bonuses(answer, victory):
    """Appendix, Taskmaster (second version): the location may be activated with both attacks."""
    t = table(villains=side(slots={2: "taskmaster_2"}))
    t.play("done")
    assert moves(t) == {"yes", "no"}
    t.play(answer)
    shows(t, to_move="heroes", victory=victory)


@pytest.mark.rule(
    "card taskmaster_1",
    "card taskmaster_2",
    "rule taskmaster_1.second-attack",
    "rule taskmaster_2.second-attack",
    "rule taskmaster_2.check-each",
)
@pytest.mark.parametrize(
    ("taskmaster", "once", "twice"),
    [("taskmaster_1", "hulk_2:1", "hulk_2:2"), ("taskmaster_2", "hulk_2:2", None)],
)
def test_taskmaster_may_hit_twice(taskmaster, once, twice):
    """Appendix, Taskmaster: the same defender takes his strength a second time."""
    t = table(villains=side(slots={4: taskmaster}), heroes=side(slots={4: "hulk_2"}))
    t.play("done")
    shows(t, heroes={"slots": {4: once}})
    declined = t.clone()
    t.play("yes")
    shows(t, to_move="heroes", artifact_marker=0, heroes={"slots": {4: twice}})
    declined.play("no")
    shows(declined, to_move="heroes", heroes={"slots": {4: once}})


@pytest.mark.rule("card taskmaster_2", "ruling 35", "rule notation.asked-for-change")
@pytest.mark.parametrize(("stack", "asked"), [(1, False), (2, True)])
def test_taskmaster_2_at_the_tower_depends_on_the_stack(stack, asked):
    """Ruling 35: a second draw from an empty stack would do nothing, so nobody asks."""
    battlegrounds = ["street_corner", "run_down_alley"][:stack]
    t = table(villains=side(slots={6: "taskmaster_2"}), battlegrounds=battlegrounds)
    t.play("done")
    assert (t.to_move == "villains") is asked
    if asked:
        t.play("yes")
    shows(t, to_move="heroes", battlegrounds=[])


@pytest.mark.rule("card taskmaster_2", "card red_hulk_2", "ruling 34")
@pytest.mark.parametrize("civilians", ["rygb", "rb", ""])
def test_taskmaster_2_earns_points_beside_red_hulk(civilians):
    """Ruling 34: Red Hulk keeps civilians from the heroes; the villains' bonus knows none."""
    t = table(
        civilians=["rygb", civilians, "rygb"],
        villains=side(slots={2: "taskmaster_2", 5: "red_hulk_2"}),
        heroes=side(slots={5: "hulk_2"}),
    )
    t.play("done")
    assert moves(t) == {"yes", "no"}
    t.play("yes")
    shows(t, to_move="heroes", victory=2, civilians=["rygb", civilians, "rygb"])


@pytest.mark.rule("card taskmaster_2", "ruling 3", "rule taskmaster_2.two-bonuses")
def test_taskmaster_2_takes_a_tile_between_his_attacks():
    """Ruling 3: the first step reaches the end, the second starts from the arrow."""
    t = table(
        artifact_marker=2,
        villains=side(slots={4: "taskmaster_2"}),
        artifact_row=["cosmic_cube", "norn_stones"],
    )
    t.play("done")
    assert moves(t) == {"artifact cosmic_cube", "artifact norn_stones"}
    t.play("artifact cosmic_cube")
    assert moves(t) == {"yes", "no"}
    shows(t, artifact_marker=-1)
    t.play("yes")
    shows(t, to_move="heroes", artifact_marker=0, villains={"artifacts": ["cosmic_cube"]})
