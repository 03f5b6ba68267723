"""M.O.D.O.K. attacks, leads a neighbour, or leaves it (ruling 28)."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows, side, slots, table


@pytest.mark.rule(
    "example modok leader",
    "card modok_1",
    "ruling 28",
    "rule modok.neighbour",
    "rule modok.neighbours-attack",
    "rule modok.twice",
)
def test_modok_lets_leader_activate_his_location():
    """Appendix, M.O.D.O.K., example: his own opposite stays unhurt, Leader gets his bonus."""
    t = table(villains=side(slots={3: "leader_1", 4: "modok_1"}), heroes=side(slots={4: "thor_1"}))
    t.play("done")
    assert moves(t) == {"slot 3", "no", "done"}
    shows(t, victory=1)
    t.play("slot 3")
    shows(t, to_move="heroes", victory=2, heroes={"slots": {4: "thor_1"}}, artifact_marker=0)


@pytest.mark.rule(
    "card modok_1",
    "card modok_2",
    "ruling 28",
    "ruling 23",
    "rule modok.refrain",
    "rule modok.nothing-himself",
)
@pytest.mark.parametrize("modok", ["modok_1", "modok_2"])
@pytest.mark.parametrize(("answer", "thor"), [("no", "thor_1:2"), ("done", "thor_1")])
def test_modok_attacks_or_refrains(modok, answer, thor):
    """Ruling 28: he may attack like anybody or let nobody attack."""
    t = table(villains=side(slots={4: modok}), heroes=side(slots={4: "thor_1"}))
    t.play("done")
    assert moves(t) == {"no", "done"}
    t.play(answer)
    shows(t, to_move="heroes", artifact_marker=0, heroes={"slots": {4: thor}})


@pytest.mark.rule("card modok_1", "ruling 28", "rule modok.nothing-himself")
def test_modok_gets_his_own_bonus_when_he_attacks():
    """Ruling 28: a normal attack at a free location activates it, refraining does not."""
    t = table(villains=side(slots={4: "modok_1"}))
    t.play("done")
    refrains = t.clone()
    t.play("no")
    shows(t, artifact_marker=1)
    refrains.play("done")
    shows(refrains, artifact_marker=0, to_move="heroes")


@pytest.mark.rule("ruling 28", "card modok_2", "rule modok.neighbour")
def test_modoks_neighbours_stand_one_slot_away():
    """Ruling 28: across the border of a location too, but no weakling and no empty slot."""
    t = table(
        villains=side(slots={2: "leader_1", 3: "modok_2", 4: "zola_1", 6: "ares_1"}),
        heroes=side(slots={2: "hulk_2"}),
    )
    t.play("done")
    assert moves(t) == {"slot 2", "slot 4", "no", "done"}
    t = table(villains=side(slots={3: "modok_2", 4: "hydra_agents_yellow"}))
    t.play("done")
    assert moves(t) == {"no", "done"}


@pytest.mark.rule("ruling 28", "card modok_1", "rule modok.neighbours-attack", "rule modok.twice")
def test_the_lent_attack_hits_the_neighbours_opposite():
    """Ruling 28: Hela fells Hulk for M.O.D.O.K., then her own attack finds the location free."""
    t = table(
        villains=side(slots={4: "modok_1", 5: "hela_2"}),
        heroes=side(slots={4: "thor_1", 5: "hulk_1"}),
    )
    t.play("done", "slot 5")
    shows(t, to_move="heroes", artifact_marker=1)
    shows(t, heroes={"slots": {4: "thor_1"}, "discard": ["hulk_1"]})


@pytest.mark.rule("ruling 28", "card modok_1", "card taskmaster_1")
def test_the_lent_attack_is_complete():
    """Ruling 28: Taskmaster's second attack belongs to it."""
    t = table(
        villains=side(slots={4: "modok_1", 5: "taskmaster_1"}),
        heroes=side(slots={4: "thor_1", 5: "hulk_2"}),
    )
    t.play("done", "slot 5")
    assert moves(t) == {"yes", "no"}
    t.play("yes")
    shows(t, to_move="heroes", heroes={"slots": {4: "thor_1", 5: "hulk_2:3"}})


@pytest.mark.rule("ruling 28", "card modok_1")
def test_modok_cannot_lend_a_thor_who_has_moved():
    """Ruling 28: a captured Thor next to him has attacked and moved, so he is not offered."""
    t = table(villains=side(slots={1: "thor_1", 3: "modok_1"}))
    t.play("done")
    assert moves(t) == slots(2, 4, 5, 6) | {"no"}
    for slot in (2, 4):
        moved = t.clone()
        moved.play(f"slot {slot}")
        assert moves(moved) == {"no", "done"}
        moved.play("done")
        shows(moved, to_move="heroes", victory=1, artifact_marker=0)


@pytest.mark.rule("ruling 28", "card modok_1")
def test_modok_may_lend_a_thor_who_has_stayed():
    """Ruling 28: only moving bars him; having attacked does not, and his effect is spent."""
    t = table(villains=side(slots={2: "thor_1", 3: "modok_1"}))
    t.play("done", "no")
    assert moves(t) == {"slot 2", "no", "done"}
    t.play("slot 2")
    shows(t, to_move="heroes", victory=2, villains={"slots": {2: "thor_1", 3: "modok_1"}})


@pytest.mark.rule("ruling 28", "ruling 26", "card modok_1", "card hydra_agents_yellow")
def test_modok_lends_strengthened_yellow_agents():
    """Rulings 26 and 28: with a captured Winter Soldier they have strength 1."""
    t = table(
        villains=side(slots={3: "modok_1", 4: "hydra_agents_yellow", 6: "winter_soldier_2"}),
        heroes=side(slots={6: "hulk_2"}),
    )
    t.play("done")
    assert moves(t) == {"slot 4", "no", "done"}
    t.play("slot 4")
    shows(t, artifact_marker=2, to_move="heroes")
