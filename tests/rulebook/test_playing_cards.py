"""Cards that play cards, and effects inside effects (rulings 15 to 17 and 20)."""

from __future__ import annotations

import pytest

from tests.rulebook.helpers import moves, shows, side, slots, table

# -- Cards that play cards ------------------------------------------------------------------------


@pytest.mark.rule("ruling 15", "card kang_1", "rule kang_1.two-symbols", "rule kang_1.optional")
def test_kang_1_counts_printed_symbols():
    """Ruling 15: none, one or two symbols will do, three will not, whatever the discount."""
    t = table(
        villains=side(
            hand=["kang_1"],
            slots={3: "kang_2"},
            discard=["hydra_agents_yellow", "hydra_agents_red", "ares_1", "ares_2", "hela_1"],
            artifacts=["cosmic_cube"],
        )
    )
    t.play("play kang_1")
    assert moves(t) == {
        "fetch ares_1",
        "fetch hydra_agents_yellow",
        "fetch hydra_agents_red",
        "no",
    }


@pytest.mark.rule("ruling 15", "card kang_2", "rule kang_2.any-cost")
def test_kang_2_looks_at_no_cost():
    """Appendix, Kang (second version): any card of the pile."""
    t = table(
        villains=side(
            hand=["kang_2"], slots={3: "kang_1"}, discard=["hydra_agents_yellow", "thanos_2"]
        )
    )
    t.play("play kang_2")
    assert moves(t) == {"fetch thanos_2", "fetch hydra_agents_yellow", "no"}


@pytest.mark.rule("ruling 15", "rule iron_man_1.two-symbols", "rule iron_man_1.placed")
def test_iron_man_1_counts_printed_symbols():
    """Ruling 15: two symbols at most from the own hand."""
    t = table(
        to_move="heroes",
        heroes=side(
            hand=["iron_man_1", "ant_man_1", "hulk_1", "shield_agents_blue", "winter_soldier_2"],
            slots={3: "iron_man_2"},
            artifacts=["cosmic_cube"],
        ),
    )
    t.play("play iron_man_1")
    assert moves(t) == {"play ant_man_1", "play shield_agents_blue", "no"}
    t.play("play ant_man_1")
    assert moves(t) == slots(1, 2, 4, 5, 6)
    t.play("slot 1")
    shows(t, heroes={"slots": {1: "ant_man_1", 3: "iron_man_1"}, "discard": ["iron_man_2"]})


@pytest.mark.rule("ruling 16", "card kang_1", "card kang_2")
@pytest.mark.parametrize("kang", ["kang_1", "kang_2"])
def test_kang_fetches_no_kang(kang):
    """Ruling 16: neither the copy he replaces nor another one; without other cards no question."""
    t = table(
        villains=side(
            hand=[kang],
            slots={3: "kang_1"} if kang == "kang_2" else {3: "kang_2"},
            discard=[kang],
        )
    )
    t.play(f"play {kang}")
    assert moves(t) == {"done"}


@pytest.mark.rule("ruling 16", "ruling 22", "card kang_2", "rule kang_2.optional")
def test_kang_may_leave_the_pile_alone():
    """Rulings 16 and 22: fetching is a may."""
    t = table(villains=side(hand=["kang_2"], slots={3: "kang_1"}, discard=["thanos_2"]))
    t.play("play kang_2", "no")
    shows(t, villains={"discard": ["kang_1", "thanos_2"], "slots": {3: "kang_2"}})
    assert moves(t) == {"done"}


@pytest.mark.rule("ruling 16", "card kang_1", "rule kang_1.from-discard", "rule kang_1.placed")
def test_a_fetched_card_is_placed_like_any_other():
    """Ruling 16: free of cost, in an empty slot of choice, out of the discard pile."""
    t = table(
        villains=side(
            hand=["kang_1"], slots={3: "kang_2", 4: "ares_1"}, discard=["hydra_agents_yellow"]
        )
    )
    t.play("play kang_1", "fetch hydra_agents_yellow")
    assert moves(t) == slots(1, 2, 5, 6)
    t.play("slot 2")
    shows(t, villains={"slots": {2: "hydra_agents_yellow", 3: "kang_1", 4: "ares_1"}})
    shows(t, villains={"discard": ["kang_2"]})


@pytest.mark.rule("ruling 16", "ruling 13", "card kang_1", "rule kang_1.placed")
def test_kang_may_replace():
    """Ruling 16: a fetched copy takes its predecessor's slot, which goes to the discard pile."""
    t = table(
        villains=side(
            hand=["kang_1"], slots={3: "kang_2", 4: "ares_2:1", 5: "zola_1"}, discard=["ares_1"]
        )
    )
    t.play("play kang_1", "fetch ares_1")
    assert moves(t) == {"done"}
    shows(t, villains={"slots": {3: "kang_1", 4: "ares_1", 5: "zola_1"}})
    shows(t, villains={"discard": ["ares_2", "kang_2"]})


@pytest.mark.rule("ruling 14", "ruling 16", "card kang_2", "rule kang_2.placed")
def test_kang_on_a_full_board_fetches_replacements_only():
    """Ruling 14: a card that would need an empty slot is not offered."""
    board = ["kang_1", "loki_1", "zola_1", "modok_1", "ultron_1", "hydra_agents_yellow"]
    t = table(
        villains=side(
            hand=["kang_2"], slots=board, discard=["zola_2", "ares_1", "hydra_agents_yellow"]
        )
    )
    t.play("play kang_2")
    assert moves(t) == {"fetch zola_2", "no"}


@pytest.mark.rule("ruling 10", "ruling 16", "card kang_1", "rule kang_1.from-discard")
def test_kang_fetches_a_card_that_has_just_paid_for_him():
    """Ruling 10: payment lies in the discard pile before the effect begins."""
    t = table(villains=side(hand=["kang_1", "ultron_1", "leader_1", "thanos_1"]))
    t.play("play kang_1", "discard ultron_1", "discard leader_1", "discard thanos_1", "slot 1")
    assert moves(t) == {"fetch leader_1", "fetch ultron_1", "no"}
    t.play("fetch ultron_1", "slot 2")
    shows(t, villains={"slots": {1: "kang_1", 2: "ultron_1"}, "discard": ["leader_1", "thanos_1"]})


@pytest.mark.rule("ruling 16", "card kang_1")
def test_a_fetched_captive_works_for_the_villains():
    """Ruling 16: Nick Fury, captured once and fallen, gives the villains his point."""
    t = table(
        villains=side(hand=["kang_1"], slots={3: "kang_2"}, discard=["nick_fury_1"]),
    )
    t.play("play kang_1", "fetch nick_fury_1", "slot 6")
    shows(t, victory=1, villains={"slots": {3: "kang_1", 6: "nick_fury_1"}})


@pytest.mark.rule("ruling 16", "card kang_2")
def test_a_fetched_captive_turns_its_effect_against_the_heroes():
    """Ruling 16: Captain Marvel deals her damage to a hero then."""
    t = table(
        villains=side(hand=["kang_2"], slots={3: "kang_1"}, discard=["captain_marvel_2"]),
        heroes=side(slots={1: "thor_1", 2: "hulk_2"}),
    )
    t.play("play kang_2", "fetch captain_marvel_2", "slot 5")
    assert moves(t) == {"target h1", "target h2", "no"}
    t.play("target h2")
    shows(t, heroes={"slots": {1: "thor_1", 2: "hulk_2:2"}})


@pytest.mark.rule("ruling 16", "card kang_2")
@pytest.mark.parametrize(
    ("heroes", "fetches"),
    [
        ({4: "captain_marvel_1"}, {"fetch shield_agents_red", "no"}),
        (
            {4: "hulk_1+doctor_strange_1"},
            {"fetch captain_marvel_2", "fetch shield_agents_red", "no"},
        ),
        ({4: "shield_agents_red"}, {"fetch captain_marvel_2", "fetch shield_agents_red", "no"}),
    ],
)
def test_a_character_on_the_hero_side_cannot_be_fetched(heroes, fetches):
    """Ruling 16: while any version of the main character stands there; agents do not count."""
    t = table(
        villains=side(
            hand=["kang_2"],
            slots={3: "kang_1"},
            discard=["captain_marvel_2", "shield_agents_red"],
        ),
        heroes=side(slots=heroes),
    )
    t.play("play kang_2")
    assert moves(t) == fetches


@pytest.mark.rule("ruling 16")
def test_a_tucked_strange_keeps_the_captive_strange_out():
    """Ruling 16: the copy below a hero stands on the hero side too."""
    t = table(
        villains=side(hand=["kang_2"], slots={3: "kang_1"}, discard=["doctor_strange_2"]),
        heroes=side(slots={4: "hulk_1+doctor_strange_1"}),
    )
    t.play("play kang_2")
    assert moves(t) == {"done"}


@pytest.mark.rule(
    "ruling 17", "card hydra_agents_green", "rule hydra.green-second", "rule hydra.green-any-cards"
)
def test_green_hydra_agents_let_a_villain_be_paid_with_any_cards():
    """Appendix, Hydra Agents (green): Ares asks for no red, a battleground pays as well."""
    t = table(
        villains=side(hand=["hydra_agents_green", "ares_1", "zola_1", "leader_1", "street_corner"]),
        battlegrounds=["run_down_alley"],
    )
    t.play("play hydra_agents_green", "discard leader_1", "slot 6")
    assert moves(t) == {"play ares_1", "play zola_1", "no"}
    t.play("play ares_1")
    assert moves(t) == {"discard zola_1"}
    t.play("discard zola_1")
    assert moves(t) == {"discard street_corner"}
    t.play("discard street_corner", "slot 1")
    shows(t, villains={"slots": {1: "ares_1", 6: "hydra_agents_green"}, "hand": []})
    shows(t, battlegrounds=["run_down_alley", "street_corner"])
    assert moves(t) == {"done"}


@pytest.mark.rule("ruling 17", "card hydra_agents_green")
def test_green_hydra_agents_play_no_battleground():
    """Ruling 17: characters only, though the battleground could be paid."""
    t = table(
        villains=side(
            hand=["hydra_agents_green", "ares_1", "zola_1", "leader_1", "ultron_1", "street_corner"]
        )
    )
    t.play("play hydra_agents_green", "discard ultron_1", "slot 6")
    assert moves(t) == {"play ares_1", "play leader_1", "play zola_1", "no"}


@pytest.mark.rule("ruling 17")
def test_iron_man_2_plays_no_battleground():
    """Ruling 17: a battleground is not placed on a side, so Iron Man does not play it."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["iron_man_2", "hulk_2", "street_corner"], slots={3: "iron_man_1"}),
    )
    t.play("play iron_man_2")
    assert moves(t) == {"play hulk_2", "no"}


@pytest.mark.rule("ruling 17", "card hydra_agents_green")
def test_green_hydra_agents_play_a_side_character_or_a_replacement():
    """Ruling 17: the second villain may be free or replace, then nothing is paid."""
    t = table(
        villains=side(
            hand=["hydra_agents_green", "hydra_agents_yellow", "zola_2", "ares_1"],
            slots={2: "zola_1:2"},
        )
    )
    t.play("play hydra_agents_green", "discard ares_1", "slot 6")
    assert moves(t) == {"play zola_2", "play hydra_agents_yellow", "no"}
    free = t.clone()
    free.play("play hydra_agents_yellow")
    assert moves(free) == slots(1, 3, 4, 5)
    t.play("play zola_2")
    assert moves(t) == {"play hydra_agents_yellow", "done"}
    shows(t, villains={"slots": {2: "zola_2", 6: "hydra_agents_green"}})
    shows(t, villains={"hand": ["hydra_agents_yellow"]})


@pytest.mark.rule("ruling 17", "ruling 19", "card hydra_agents_green")
def test_the_cube_drops_one_symbol_of_a_villain_paid_through_hydra_agents():
    """Rulings 17 and 19: three symbols, one of them a printed any-symbol, so two cards suffice."""
    t = table(
        villains=side(
            hand=["hydra_agents_green", "ares_2", "leader_1", "zola_1"], artifacts=["cosmic_cube"]
        )
    )
    t.play("play hydra_agents_green")
    assert moves(t) == {"discard ares_2", "discard leader_1", "discard zola_1", "waive"}
    t.play("waive", "slot 1")
    assert moves(t) == {"play ares_2", "play leader_1", "play zola_1", "no"}
    t.play("play ares_2")
    assert moves(t) == {"discard leader_1"}
    t.play("discard leader_1")
    assert moves(t) == {"discard zola_1"}
    t.play("discard zola_1")
    assert moves(t) == {"waive"}
    t.play("waive", "slot 2")
    shows(t, villains={"slots": {1: "hydra_agents_green", 2: "ares_2"}, "hand": []})


@pytest.mark.rule("ruling 17", "card hydra_agents_green", "rule notation.asked-for-change")
def test_green_hydra_agents_ask_nothing_when_nothing_can_be_played():
    """Notation: a may is put only when accepting it can change something."""
    t = table(villains=side(hand=["hydra_agents_green", "ares_1", "zola_1"]))
    t.play("play hydra_agents_green", "discard ares_1", "slot 1")
    assert moves(t) == {"done"}


# -- Effects inside effects -----------------------------------------------------------------------


@pytest.mark.rule(
    "example kang leader",
    "card kang_1",
    "card leader_1",
    "ruling 20",
    "rule immediate.chain",
    "rule kang_1.immediate",
)
def test_kang_brings_leader_back_who_draws():
    """Using an Immediate Effect, example: Kang, then Leader, then Leader's card."""
    t = table(
        villains=side(
            hand=["kang_1", "ultron_1", "ares_1", "ares_2"],
            discard=["leader_1"],
            deck=["zola_1", "zola_2", "modok_1"],
        )
    )
    t.play("play kang_1", "discard ultron_1", "discard ares_1", "discard ares_2", "slot 1")
    t.play("fetch leader_1", "slot 2")
    assert moves(t) == {"yes", "no"}
    t.play("yes")
    shows(t, villains={"hand": ["zola_1"], "slots": {1: "kang_1", 2: "leader_1"}})


@pytest.mark.rule("ruling 20", "rule immediate.chain")
def test_inner_effects_come_first():
    """Ruling 20: Leader draws, then his Warlock's Eye, and only then Kang's."""
    t = table(
        villains=side(
            hand=["kang_1"],
            slots={3: "kang_2"},
            discard=["leader_1"],
            artifacts=["warlocks_eye"],
        ),
        heroes=side(hand=["thor_1", "thor_2", "hulk_1"]),
    )
    t.play("play kang_1", "fetch leader_1", "slot 2")
    assert (t.to_move, moves(t)) == ("villains", {"yes", "no"})
    t.play("no")
    assert t.to_move == "heroes"
    assert moves(t) == {"discard hulk_1", "discard thor_1", "discard thor_2"}
    t.play("discard thor_2")
    assert t.to_move == "heroes"
    assert moves(t) == {"discard hulk_1", "discard thor_1"}
    t.play("discard hulk_1")
    assert (t.to_move, moves(t)) == ("villains", {"done"})


@pytest.mark.rule("ruling 20", "card hydra_agents_green", "card thanos_1")
def test_a_card_that_falls_in_its_own_effect_still_finishes_it():
    """Ruling 20: Thanos kills the Kang who called the agents who called him; the Eye still asks."""
    t = table(
        villains=side(
            hand=["kang_1", "thanos_1", "ares_1", "ares_2", "zola_1"],
            slots={3: "kang_2"},
            discard=["hydra_agents_green"],
            artifacts=["warlocks_eye"],
        ),
        heroes=side(hand=["thor_1", "thor_2", "hulk_1"]),
    )
    t.play("play kang_1", "fetch hydra_agents_green", "slot 1", "play thanos_1")
    t.play("discard ares_1", "discard ares_2", "discard zola_1", "slot 2")
    shows(t, villains={"slots": {2: "thanos_1:2"}})
    assert t.to_move == "heroes"
    t.play("discard thor_1")
    assert (t.to_move, moves(t)) == ("heroes", {"discard hulk_1", "discard thor_2"})
    t.play("discard thor_2")
    assert (t.to_move, moves(t)) == ("villains", {"done"})
    discard = ["ares_1", "ares_2", "zola_1", "kang_1", "kang_2", "hydra_agents_green"]
    shows(t, villains={"discard": discard}, heroes={"hand": ["hulk_1"]})


@pytest.mark.rule("ruling 20", "ruling 16", "ruling 17", "card kang_2", "card hydra_agents_green")
def test_nine_effects_can_be_open_at_once():
    """Ruling 20: agents, Kang, Iron Man, Kang, Iron Man, Kang, agents, Kang, Leader."""
    payers = ["ares_1", "ares_1", "ares_2", "ares_2", "zola_1"]
    t = table(
        villains=side(
            hand=["hydra_agents_green", "kang_2", "kang_2", "kang_1", "kang_1", *payers],
            discard=["iron_man_2", "iron_man_2", "hydra_agents_green", "leader_1"],
            deck=["modok_1", "modok_2", "thanos_1"],
        )
    )
    t.play("play hydra_agents_green", "discard zola_1", "slot 1")
    t.play("play kang_2", "discard ares_1", "discard ares_1", "discard ares_2", "discard ares_2")
    t.play("slot 2")
    t.play("fetch iron_man_2", "slot 3", "play kang_2")
    t.play("fetch iron_man_2", "play kang_1")
    t.play("fetch hydra_agents_green", "slot 4", "play kang_1")
    t.play("fetch leader_1", "slot 5")
    assert moves(t) == {"yes", "no"}
    t.play("yes")
    assert moves(t) == {"done"}
    board = ["hydra_agents_green", "kang_1", "iron_man_2", "hydra_agents_green", "leader_1"]
    shows(t, villains={"hand": ["modok_1"], "slots": board})
    shows(t, villains={"discard": [*payers, "kang_1", "kang_2", "kang_2", "iron_man_2"]})


@pytest.mark.rule("ruling 13", "ruling 20")
def test_iron_man_replaces_himself_in_the_middle_of_his_effect():
    """Rulings 13 and 20: the new copy's effect follows, then nothing of the old one is left."""
    t = table(
        to_move="heroes",
        heroes=side(hand=["iron_man_2", "iron_man_2", "nick_fury_1"], slots={3: "iron_man_1:1"}),
    )
    t.play("play iron_man_2")
    assert moves(t) == {"play iron_man_2", "play nick_fury_1", "no"}
    t.play("play iron_man_2")
    assert moves(t) == {"play nick_fury_1", "no"}
    t.play("play nick_fury_1", "slot 1")
    shows(t, victory=-1, heroes={"slots": {1: "nick_fury_1", 3: "iron_man_2"}})
    shows(t, heroes={"discard": ["iron_man_1", "iron_man_2"]})
    assert moves(t) == {"done"}


@pytest.mark.rule("ruling 13", "ruling 16", "card kang_2")
def test_kang_is_replaced_by_the_iron_man_he_fetched():
    """Rulings 13 and 16: a replaced Kang has done his part; the new one fetches the rest."""
    t = table(
        villains=side(
            hand=["kang_2", "kang_1"], slots={3: "kang_1"}, discard=["iron_man_1", "iron_man_2"]
        )
    )
    t.play("play kang_2", "fetch iron_man_2", "slot 1")
    assert moves(t) == {"play kang_1", "no"}
    t.play("play kang_1")
    assert moves(t) == {"done"}
    shows(t, villains={"slots": {1: "iron_man_2", 3: "kang_1"}})
    shows(t, villains={"discard": ["kang_1", "kang_2", "iron_man_1"]})
