"""Printed values for the referee, read from the test data: nothing here comes from the core."""

import csv
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parents[1] / "data" / "cards.csv"
COLOURS = ("red", "yellow", "green", "blue")
BY_LETTER = {colour[0]: colour for colour in COLOURS}
ARTIFACTS = (
    "casket_of_ancient_winters cosmic_cube darkhold ebony_blade eternal_flame eye_of_agamotto "
    "lifeline_tablet norn_stones tactigon ten_rings wand_of_watoomb warlocks_eye"
).split()
ONE_TIME = ("casket_of_ancient_winters", "darkhold", "eye_of_agamotto", "tactigon")

# Ultron's immunities, by the colour of the card behind the damage.
IMMUNE = {"ultron_1": {"red"}, "ultron_2": {"yellow", "blue"}}


class Printed(NamedTuple):
    faction: str
    kind: str
    colour: str
    cost: str
    strength: int
    health: int
    points: int


def _read() -> dict[str, Printed]:
    with DATA.open(encoding="utf-8", newline="") as file:
        return {
            row["id"]: Printed(
                row["faction"],
                row["kind"],
                row["colour"],
                row["cost"],
                int(row["strength"] or 0),
                int(row["health"] or 0),
                int(row["victory_points"] or 0),
            )
            for row in csv.DictReader(file)
        }


CARDS = _read()
LIST_ORDER = {card: place for place, card in enumerate([*CARDS, *ARTIFACTS])}


def character(card: str) -> str:
    """The character, both versions alike; side characters keep their colour."""
    return card[:-2] if card.endswith(("_1", "_2")) else card


def is_main(card: str) -> bool:
    return CARDS[card].kind == "main"


def is_battleground(card: str) -> bool:
    return CARDS[card].kind == "battleground"


def in_list_order(cards: list[str]) -> list[str]:
    return sorted(cards, key=LIST_ORDER.__getitem__)


_PLACES = [f"v{n}" for n in range(1, 7)] + [f"h{n}" for n in range(1, 7)]
_PLACES += [f"h{n}u" for n in range(1, 7)]
_KINDS = "play fetch discard civilian waive slot tuck target artifact yes no done".split()


def move_order(move: str) -> tuple[int, int]:
    """Where the notation's table of moves has this move."""
    kind, _, what = move.partition(" ")
    if kind == "civilian":
        return _KINDS.index(kind), COLOURS.index(what)
    if kind in ("slot", "tuck"):
        return _KINDS.index(kind), int(what)
    if kind == "target":
        return _KINDS.index(kind), _PLACES.index(what)
    return _KINDS.index(kind), LIST_ORDER[what] if what else 0
