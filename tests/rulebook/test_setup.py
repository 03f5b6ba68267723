"""Set-up, the board and what is printed on the cards (rulebook, sections Components to Cards)."""

from __future__ import annotations

from collections import Counter

import pytest

from skirmish_env import Table
from tests.rulebook.helpers import (
    ARTIFACTS,
    BATTLEGROUNDS,
    FACTION_CARDS,
    moves,
    shows,
    side,
    slots,
    table,
)

# id, cost, strength, health
PRINTED = """
ares_1 r* 2 2               | ares_2 rr* 2 3
baron_zemo_1 y* 1 2         | baron_zemo_2 yb* 2 3
hela_1 b** 2 1              | hela_2 gb* 3 2
kang_1 b** 1 2              | kang_2 gb** 2 3
leader_1 g* 1 3             | leader_2 yg* 1 3
loki_1 g** 2 3              | loki_2 rg* 3 3
modok_1 y* 2 3              | modok_2 ry* 2 4
red_hulk_1 r** 2 4          | red_hulk_2 rg** 3 5
taskmaster_1 r* 1 3         | taskmaster_2 ry* 2 3
thanos_1 g** 3 3            | thanos_2 rg** 4 4
ultron_1 b* 1 2             | ultron_2 yb* 2 2
zola_1 y* 1 3               | zola_2 yg* 2 3
hydra_agents_yellow - 0 3   | hydra_agents_red * 1 1
hydra_agents_green * 1 1    | hydra_agents_blue - 1 1
ant_man_1 r* 1 1            | ant_man_2 r* 2 2
black_panther_1 b* 1 2      | black_panther_2 gb* 2 2
captain_america_1 b** 1 3   | captain_america_2 rb*** 2 3
captain_marvel_1 r** 1 3    | captain_marvel_2 rb** 2 3
doctor_strange_1 r* 1 2     | doctor_strange_2 ry* 2 2
hawkeye_1 g* 1 1            | hawkeye_2 rg* 1 2
hulk_1 g** 3 3              | hulk_2 gg** 4 4
iron_man_1 y*** 1 2         | iron_man_2 ry*** 2 3
nick_fury_1 y* 1 3          | nick_fury_2 yb*** 1 3
thor_1 b** 2 3              | thor_2 bb** 3 3
war_machine_1 y* 1 2        | war_machine_2 yg* 2 2
winter_soldier_1 g* 1 2     | winter_soldier_2 gb** 2 2
shield_agents_yellow ** 1 1 | shield_agents_red ** 1 1
shield_agents_green ** 1 1  | shield_agents_blue ** 1 1
"""
CARDS = [tuple(cell.split()) for line in PRINTED.split("\n") for cell in line.split("|") if cell]
IDS = [card[0] for card in CARDS]
OTHER = {"villains": "heroes", "heroes": "villains"}
# Cards that pay, by faction and colour, in list order.
PURSE = {
    "villains": {
        "r": ("ares_1", "ares_2", "red_hulk_1", "red_hulk_2"),
        "y": ("baron_zemo_1", "baron_zemo_2", "modok_1", "modok_2"),
        "g": ("leader_1", "leader_2", "loki_1", "loki_2"),
        "b": ("hela_1", "hela_2", "kang_1", "kang_2"),
    },
    "heroes": {
        "r": ("ant_man_1", "ant_man_2", "captain_marvel_1", "captain_marvel_2"),
        "y": ("iron_man_1", "iron_man_2", "nick_fury_1", "nick_fury_2"),
        "g": ("hawkeye_1", "hawkeye_2", "hulk_1", "hulk_2"),
        "b": ("black_panther_1", "black_panther_2", "captain_america_1", "captain_america_2"),
    },
}


def faction_of(card: str) -> str:
    return "villains" if card in FACTION_CARDS["villains"] else "heroes"


def payers_of(card: str, cost: str) -> list[str]:
    """Just enough cards for `cost`, symbol by symbol; any-symbols take a colour not in the cost."""
    purse = PURSE[faction_of(card)]
    spare = next(colour for colour in "rygb" if colour not in cost)
    available = {colour: [c for c in cards if c != card] for colour, cards in purse.items()}
    return [available[spare if symbol == "*" else symbol].pop(0) for symbol in cost]


def in_play(card: str, slot: int, opposite: str | None = None) -> Table:
    """The owner of `card` is to move with it in `slot`, facing `opposite`."""
    owner = faction_of(card.split(":")[0])
    sides = {owner: side(slots={slot: card})}
    if opposite:
        sides[OTHER[owner]] = side(slots={slot: opposite})
    return table(to_move=owner, **sides)


# -- Set-up ---------------------------------------------------------------------------------------


@pytest.mark.rule(
    "ruling 4",
    "rule components.artifact-tiles",
    "rule components.civilian-markers",
    "rule setup.own-deck",
    "rule setup.fifteen-out",
    "rule setup.tiles-face-up",
    "rule setup.civilian-sets",
    "rule setup.victory-marker",
    "rule setup.artifact-marker",
    "rule setup.villains-start",
    "rule setup.hands",
    "rule cards.battlegrounds-apart",
)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_new_game_is_dealt_as_the_rulebook_says(seed):
    """Setup: 5 and 7 cards, decks of 41 in all, villains begin; every marker at its start."""
    t = Table.new(seed=seed)
    start = t.position()
    shows(
        t,
        to_move="villains",
        phase="recruitment",
        turn=1,
        victory=0,
        artifact_marker=0,
        civilians=["rygb", "rygb", "rygb"],
    )
    for name, hand, deck in [("villains", 5, 36), ("heroes", 7, 34)]:
        one = start[name]
        assert (len(one["hand"]), len(one["deck"])) == (hand, deck)
        assert (one["slots"], one["discard"], one["artifacts"]) == ([None] * 6, [], [])
        held = Counter(one["hand"] + one["deck"])
        assert set(held) <= set(FACTION_CARDS[name]) and max(held.values()) <= 2
    assert start["heroes"]["freed"] == ""
    assert sorted(start["battlegrounds"]) == sorted(BATTLEGROUNDS)
    assert len(start["artifact_row"]) == 2
    assert sorted(start["artifact_row"] + start["artifact_stack"]) == sorted(ARTIFACTS)


@pytest.mark.rule("rule setup.tiles-face-up")
def test_artifacts_that_a_card_set_leaves_out_are_in_no_game():
    t = Table.new(seed=0, card_set="tiny")
    shows(t, artifact_row=[], artifact_stack=[])
    t = Table.new(seed=0)
    assert len(t.position()["artifact_row"]) == 2


@pytest.mark.rule("rule setup.deck-shuffled", "rule notation.seed")
def test_the_deal_depends_on_the_seed_alone():
    """Setup: everything is shuffled; one seed always gives one deal."""
    deals = [Table.new(seed=seed).position() for seed in (5, 5, 6)]
    assert deals[0] == deals[1]
    for name in ("villains", "heroes"):
        assert deals[0][name]["deck"] != deals[2][name]["deck"]


@pytest.mark.rule("ruling 4", "ruling 7", "rule course.alternate", "rule draw.no-limit")
def test_two_idle_players_run_out_of_cards_in_turn_34():
    """Ruling 4: two cards a turn, without being asked, so the longest game has 34 turns."""
    t = Table.new(seed=3)
    while t.winner is None:
        t.play("done")
    assert t.log == ["done"] * 34
    assert t.winner == "draw"
    shows(t, phase="over", turn=34, victory=0, heroes={"deck": []})
    assert len(t.position()["villains"]["deck"]) == 2


# -- The board ------------------------------------------------------------------------------------


@pytest.mark.rule(
    "ruling 1",
    "rule attack.look-first",
    "rule attack.defended-no-bonus",
    "rule attack.defeated-discard",
)
@pytest.mark.parametrize("slot", range(1, 7))
def test_a_slot_faces_the_slot_of_the_same_number(slot):
    """Ruling 1: an attack from slot N meets the card in the other side's slot N and no other."""
    agents = [f"shield_agents_{c}" for c in ("yellow", "yellow", "red", "red", "green", "green")]
    t = table(
        villains=side(slots={slot: "hydra_agents_blue"}),
        heroes=side(slots=agents),
    )
    t.play("done")
    left = [None if n == slot else agent for n, agent in enumerate(agents, start=1)]
    shows(t, victory=0, heroes={"slots": left, "discard": [agents[slot - 1]]})


@pytest.mark.rule(
    "ruling 1",
    "rule components.locations",
    "rule attack.bonus",
    "rule locations.manhattan-villains",
    "rule locations.sanctum-step",
    "rule locations.tower",
)
@pytest.mark.parametrize(
    ("slot", "victory", "marker", "hand"),
    [
        (1, 1, 0, []),
        (2, 1, 0, []),
        (3, 1, 0, []),
        (4, 0, 1, []),
        (5, 0, 1, []),
        (6, 0, 0, ["run_down_alley"]),
    ],
)
def test_location_bonus_of_each_slot_for_the_villains(slot, victory, marker, hand):
    """Phase II: Manhattan gives a point (1-3), the Sanctum a step (4-5), the Tower a card (6)."""
    t = table(
        villains=side(slots={slot: "hydra_agents_blue"}, deck=["zola_1", "zola_2", "ares_1"]),
        battlegrounds=["run_down_alley", "street_corner"],
    )
    t.play("done")
    shows(t, victory=victory, artifact_marker=marker, to_move="heroes")
    shows(t, villains={"hand": ["zola_1", "zola_2", *hand]})


@pytest.mark.rule(
    "ruling 1",
    "rule locations.manhattan-heroes",
    "rule locations.manhattan-slot",
)
@pytest.mark.parametrize("slot", [1, 2, 3])
def test_each_manhattan_slot_has_its_own_civilians(slot):
    """Ruling 1: the hero frees a civilian of choice from the set at the own slot."""
    t = in_play("shield_agents_red", slot)
    t.play("done")
    assert t.to_move == "heroes"
    assert moves(t) == {"civilian red", "civilian yellow", "civilian green", "civilian blue"}
    t.play("civilian green")
    left = ["rygb"] * 3
    left[slot - 1] = "ryb"
    shows(t, civilians=left, victory=0, to_move="villains", heroes={"freed": "g"})


@pytest.mark.rule("ruling 1", "rule locations.sanctum-step")
@pytest.mark.parametrize(("slot", "marker"), [(4, -1), (5, -1)])
def test_heroes_step_the_artifact_marker_their_way(slot, marker):
    """Phase II: a free Sanctum slot moves the artifact marker towards the heroes' end."""
    t = in_play("shield_agents_red", slot)
    t.play("done")
    shows(t, artifact_marker=marker, victory=0)


@pytest.mark.rule("ruling 1", "rule locations.tower")
def test_heroes_draw_a_battleground_at_the_tower():
    """Phase II: a free Tower slot gives the top battleground."""
    t = table(
        to_move="heroes",
        heroes=side(slots={6: "shield_agents_red"}, deck=["thor_1", "thor_2", "hulk_1"]),
        battlegrounds=["financial_district", "street_corner"],
    )
    t.play("done")
    shows(t, battlegrounds=["street_corner"])
    shows(t, heroes={"hand": ["thor_1", "thor_2", "financial_district"]})


@pytest.mark.rule("rule locations.manhattan-empty")
def test_an_empty_manhattan_slot_gives_the_heroes_a_point():
    """Phase II: no civilian left at the slot, one victory point instead."""
    t = table(
        to_move="heroes",
        civilians=["rygb", "", "rygb"],
        heroes=side(slots={2: "shield_agents_red"}),
    )
    t.play("done")
    shows(t, victory=-1, civilians=["rygb", "", "rygb"], to_move="villains")


@pytest.mark.rule("ruling 2", "rule components.markers")
def test_both_players_pull_at_one_victory_marker():
    """Ruling 2: what one side gains the other side loses."""
    t = table(
        to_move="heroes",
        victory=2,
        heroes=side(hand=["nick_fury_1"], slots={5: "nick_fury_2"}),
        villains=side(slots={1: "hydra_agents_blue", 5: "hydra_agents_yellow"}),
    )
    t.play("play nick_fury_1")
    shows(t, victory=1)
    t.play("done", "done")
    shows(t, victory=2, to_move="heroes")


@pytest.mark.rule("ruling 2", "ruling 6")
@pytest.mark.parametrize(
    ("owner", "before", "end"), [("villains", 8, 9), ("heroes", -6, -7), ("villains", 5, 9)]
)
def test_the_victory_marker_stops_at_its_end(owner, before, end):
    """Ruling 2: a gain beyond the last space leaves the marker on it."""
    purse = {
        "villains": ["ares_1", "zola_1", "leader_1", "ares_2", "zola_2"],
        "heroes": ["thor_1", "ant_man_1", "nick_fury_1", "hulk_1", "thor_2"],
    }[owner]
    t = table(to_move=owner, victory=before, **{owner: side(hand=["avengers_mansion", *purse])})
    t.play("play avengers_mansion")
    while t.winner is None:
        t.play(t.legal()[0])
    assert t.winner == owner
    shows(t, victory=end, phase="over")


@pytest.mark.rule(
    "ruling 3",
    "rule locations.sanctum-take",
    "rule locations.sanctum-arrow",
)
@pytest.mark.parametrize(
    ("card", "steps"),
    [("hydra_agents_blue", [1, 2, 3]), ("shield_agents_red", [-1, -2, -3])],
)
def test_three_steps_lead_to_a_tile_and_back_to_the_arrow(card, steps):
    """Ruling 3: three spaces to an end; then the marker goes one step into the other side."""
    owner = faction_of(card)
    t = table(
        to_move=owner,
        artifact_row=["darkhold", "tactigon"],
        artifact_stack=["cosmic_cube", "norn_stones", "ten_rings"],
        **{owner: side(slots={4: card})},
    )
    for marker in steps[:2]:
        t.play("done")
        shows(t, artifact_marker=marker)
        t.play("done")
    t.play("done")
    assert t.to_move == owner
    assert moves(t) == {"artifact darkhold", "artifact tactigon"}
    t.play("artifact tactigon")
    shows(
        t,
        artifact_marker=-1 if owner == "villains" else 1,
        artifact_row=["cosmic_cube", "norn_stones"],
        artifact_stack=["ten_rings", "darkhold"],
        **{owner: {"artifacts": ["tactigon"]}},
    )


# -- Printed values -------------------------------------------------------------------------------


@pytest.mark.rule("ruling 5")
@pytest.mark.parametrize(("card", "cost", "strength", "health"), CARDS, ids=IDS)
def test_printed_health(card, cost, strength, health):
    """Ruling 5: a card bears one damage less than its health, and cannot lie there with as much."""
    bearable = int(health) - 1
    shown = card if bearable == 0 else f"{card}:{bearable}"
    shows(in_play(shown, 2), **{faction_of(card): {"slots": {2: shown}}})
    with pytest.raises(ValueError, match=card):
        in_play(f"{card}:{health}", 2)


@pytest.mark.rule("ruling 5", "rule attack.defender-damage", "rule attack.defeated-equal")
@pytest.mark.parametrize(("card", "cost", "strength", "health"), CARDS, ids=IDS)
def test_printed_strength(card, cost, strength, health):
    """Ruling 5: an attack puts as much damage on the card opposite as the strength says."""
    owner = faction_of(card)
    opposite, bears = {"villains": ("hulk_2", 4), "heroes": ("red_hulk_2", 5)}[owner]
    t = in_play(card, 5, opposite)
    t.play("done")
    if card.startswith("modok"):
        t.play("no")
    expected = {"0": opposite, str(bears): None}.get(strength, f"{opposite}:{strength}")
    shows(t, artifact_marker=0, **{OTHER[owner]: {"slots": {5: expected}}})


@pytest.mark.rule(
    "ruling 5",
    "rule playing.pay-first",
    "rule playing.own-discard",
    "rule playing.colours",
    "rule playing.empty-slot",
)
@pytest.mark.parametrize(("card", "cost", "strength", "health"), CARDS, ids=IDS)
def test_printed_cost(card, cost, strength, health):
    """Ruling 5: the printed symbols are paid one by one and all of them are needed."""
    owner = faction_of(card)
    payers = payers_of(card, cost.strip("-"))
    t = table(to_move=owner, **{owner: side(hand=[card, *payers])})
    t.play(f"play {card}")
    for payer in payers:
        assert moves(t) == {f"discard {payer}"}
        t.play(f"discard {payer}")
    assert moves(t) == slots(1, 2, 3, 4, 5, 6)
    shows(t, **{owner: {"discard": payers}})


@pytest.mark.rule("ruling 5", "rule playing.colours", "rule playing.other-cards")
@pytest.mark.parametrize(("card", "cost", "strength", "health"), [c for c in CARDS if c[1] != "-"])
def test_one_card_short_of_the_cost_is_not_enough(card, cost, strength, health):
    """Ruling 5: leave out any one of the paying cards and the card cannot be played."""
    owner = faction_of(card)
    payers = payers_of(card, cost)
    for missing in range(len(payers)):
        purse = payers[:missing] + payers[missing + 1 :]
        t = table(to_move=owner, **{owner: side(hand=[card, *purse])})
        assert f"play {card}" not in moves(t)


@pytest.mark.rule("ruling 5", "rule cards.main-characters", "rule cards.side-characters")
@pytest.mark.parametrize("card", IDS)
def test_two_copies_of_each_version(card):
    """Ruling 5: two copies of each version and of each colour of side characters exist."""
    owner = faction_of(card)
    shows(table(**{owner: side(hand=[card, card])}), **{owner: {"hand": [card, card]}})
    with pytest.raises(ValueError, match=card):
        table(**{owner: side(hand=[card, card, card])})
