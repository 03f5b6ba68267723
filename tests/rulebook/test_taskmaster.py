"""Taskmaster (first version): how many bonuses he may take."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows
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
