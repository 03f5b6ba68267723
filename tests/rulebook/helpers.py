"""The few words of the scenario tests: build a position, list moves, compare what is shown."""

from __future__ import annotations

from collections import Counter
from typing import Any

from skirmish_env import Table

VILLAINS = (
    "ares baron_zemo hela kang leader loki modok red_hulk taskmaster thanos ultron zola".split()
)
HEROES = (
    "ant_man black_panther captain_america captain_marvel doctor_strange hawkeye hulk iron_man "
    "nick_fury thor war_machine winter_soldier".split()
)
COLOURS = ("yellow", "red", "green", "blue")
BATTLEGROUNDS = (
    "abandoned_neighborhood avengers_mansion busy_main_street destroyed_park_area "
    "financial_district luxurious_rooftops run_down_alley street_corner".split()
)
ARTIFACTS = (
    "casket_of_ancient_winters cosmic_cube darkhold ebony_blade eternal_flame eye_of_agamotto "
    "lifeline_tablet norn_stones tactigon ten_rings wand_of_watoomb warlocks_eye".split()
)
FACTION_CARDS = {
    "villains": [f"{name}_{version}" for name in VILLAINS for version in (1, 2)]
    + [f"hydra_agents_{colour}" for colour in COLOURS],
    "heroes": [f"{name}_{version}" for name in HEROES for version in (1, 2)]
    + [f"shield_agents_{colour}" for colour in COLOURS],
}
COPIES = 2
FILLER_SIZE = 8


def side(
    hand: Any = (),
    deck: Any = None,
    discard: Any = (),
    slots: Any = (),
    artifacts: Any = (),
    **more: Any,
) -> dict[str, Any]:
    """One side of a position; `slots` is a list from the Manhattan edge or a dict {slot: card}.

    A left-out `deck` becomes a few filler cards when `table` sees the whole position.
    """
    built: dict[str, Any] = {
        "hand": list(hand),
        "discard": list(discard),
        "slots": _row(slots),
        "artifacts": list(artifacts),
    }
    if deck is not None:
        built["deck"] = list(deck)
    return {**built, **more}


def table(*, rules: dict[str, Any] | None = None, **position: Any) -> Table:
    """A table at `position` in which nothing is left to the shuffle.

    Left-out decks become eight filler cards that are nowhere else, left-out stacks hold what is
    nowhere else in list order. `rules` overrides options of the card set.
    """
    sides = {name: position.get(name) or side() for name in FACTION_CARDS}
    used = Counter(card for one in sides.values() for card in _cards_of(one))
    for name, one in sides.items():
        if "deck" not in one:
            copies = [c for c in FACTION_CARDS[name] for _ in range(COPIES - used[c])]
            sides[name] = {**one, "deck": copies[-FILLER_SIZE:]}
    owned = {a for one in sides.values() for a in one["artifacts"]}
    tiles = [a for a in ARTIFACTS if a not in owned]
    row = position.get("artifact_row", tiles[:2])
    defaults = {
        "turn": 2 if position.get("to_move") == "heroes" else 1,
        "battlegrounds": [b for b in BATTLEGROUNDS if not used[b]],
        "artifact_row": row,
        "artifact_stack": [a for a in tiles if a not in row],
    }
    return Table.from_position({**defaults, **position, **sides}, seed=0, rules=rules)


def moves(t: Table) -> set[str]:
    """The legal moves as a set."""
    return set(t.legal())


def slots(*numbers: int) -> set[str]:
    """The moves that name these slots."""
    return {f"slot {n}" for n in numbers}


def shows(t: Table, **expected: Any) -> None:
    """Assert that `t.position()` holds `expected`; keys not named are not compared.

    `villains` and `heroes` take dicts of the same kind; their slots may be dicts {slot: card}.
    """
    _compare(t.position(), expected, "position")


def _compare(found: dict[str, Any], expected: dict[str, Any], where: str) -> None:
    for key, value in expected.items():
        here = f"{where}.{key}"
        if key in FACTION_CARDS and isinstance(value, dict):
            _compare(found[key], value, here)
        else:
            value = _row(value) if key == "slots" else value
            if key in ("hand", "discard"):
                assert sorted(found[key]) == sorted(value), f"{here}: {found[key]} is not {value}"
            else:
                assert found[key] == value, f"{here}: {found[key]!r} is not {value!r}"


def _row(slots: Any) -> list[str | None]:
    """Six slots from a list or a dict {slot: card}."""
    pairs = slots.items() if isinstance(slots, dict) else enumerate(slots, start=1)
    row: list[str | None] = [None] * 6
    for slot, card in pairs:
        row[slot - 1] = card
    return row


def _cards_of(one: dict[str, Any]) -> list[str]:
    """Every card that a side names, without damage."""
    words = [*one["hand"], *one["discard"], *one.get("deck", ())]
    for text in filter(None, one["slots"]):
        words += [part.split(":")[0] for part in text.split("+")]
    return words
