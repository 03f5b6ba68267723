"""What may be played and how it may be paid, by exhaustive search over positions in words.

Written from docs/rulings.md and docs/notation.md alone, slow and without the rules core: the
oracle that tests/properties/test_payments.py holds the core against.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

Position = dict[str, Any]
Payment = tuple[tuple[str, ...], ...]  # for each of SYMBOLS the moves that settle it, sorted

SYMBOLS = "rygb*"
COLOUR_OF = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}
HELA_RETURNS = {"hela_1": "b", "hela_2": "br"}
LIMITS = {"kang_1": 2, "kang_2": 99, "iron_man_1": 2, "iron_man_2": 99}


def _printed() -> dict[str, dict[str, str]]:
    with (Path(__file__).parents[1] / "data" / "cards.csv").open(encoding="utf-8") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


PRINTED = _printed()


class Bill(NamedTuple):
    """What a card asks of its player: symbols, what he has, what may stay open."""

    cost: str
    means: Counter[str]
    cube: int
    rings: int


# -- Who may enter --------------------------------------------------------------------------------


def other(side: str) -> str:
    return "heroes" if side == "villains" else "villains"


def character(card: str) -> str | None:
    """The main character of a card; None for side characters and battlegrounds."""
    return card[:-2] if PRINTED[card]["kind"] == "main" else None


def cards_in_play(position: Position, side: str) -> list[list[str]]:
    """The cards of each slot that is not empty, the upper one first."""
    slots = [slot for slot in position[side]["slots"] if slot]
    return [[part.split(":")[0] for part in slot.split("+")] for slot in slots]


def characters_in_play(position: Position, side: str) -> set[str | None]:
    found = {character(card) for slot in cards_in_play(position, side) for card in slot}
    return found - {None}


def replaces(position: Position, card: str) -> bool:
    """Ruling 13: a copy of the same main character is in play on the mover's side."""
    return character(card) in characters_in_play(position, position["to_move"])


def can_enter(position: Position, card: str) -> bool:
    """Rulings 13, 14, 16, 33: no copy across the board, and a place to lie."""
    side = position["to_move"]
    if character(card) in characters_in_play(position, other(side)):
        return False
    if replaces(position, card) or None in position[side]["slots"]:
        return True
    alone = [slot for slot in cards_in_play(position, side) if len(slot) == 1]
    return character(card) == "doctor_strange" and side == "heroes" and bool(alone)


# -- Paying ---------------------------------------------------------------------------------------


def payments(bill: Bill, symbols: str = SYMBOLS) -> Iterator[Payment]:
    """Every way to settle a bill, none twice."""
    if not symbols:
        yield ()
        return
    symbol, rest = symbols[0], symbols[1:]
    owed = bill.cost.count(symbol)
    fitting = sorted(Counter({m: n for m, n in bill.means.items() if fits(m, symbol)}).elements())
    most_waived = min(owed, bill.rings + (bill.cube if symbol == "*" else 0))
    for waived in range(most_waived + 1):
        rings = bill.rings - (waived if symbol != "*" else 0)
        for paid in sorted(set(combinations(fitting, owed - waived))):
            left = bill._replace(means=bill.means - Counter(paid), rings=rings)
            for others in payments(left, rest):
                yield (*((*paid, *["waive"] * waived),), *others)


def fits(means: str, symbol: str) -> bool:
    """Rulings 11 and 12: battlegrounds pay any-symbols only, all else its colour as well."""
    if symbol == "*":
        return True
    verb, name = means.split()
    colour = PRINTED[name]["colour"] if verb == "discard" else name
    return colour == COLOUR_OF[symbol]


def payable(bill: Bill) -> bool:
    return next(payments(bill), None) is not None


def only_just(bill: Bill) -> bool:
    """Payable, but not with one more symbol on the card."""
    return payable(bill) and not payable(bill._replace(cost=bill.cost + "*"))


def one_short(bill: Bill) -> bool:
    """Not payable, but it would be with one symbol less on the card."""
    less = (bill._replace(cost=bill.cost.replace(symbol, "", 1)) for symbol in set(bill.cost))
    return not payable(bill) and any(payable(one) for one in less)


# -- Bills ----------------------------------------------------------------------------------------


def cards_to_give(position: Position, but: str | None) -> Counter[str]:
    """Ruling 10: the hand without the card that is played."""
    hand = Counter(position[position["to_move"]]["hand"])
    if but is not None:
        hand[but] -= 1
    return +Counter({f"discard {card}": n for card, n in hand.items()})


def civilians_to_give(position: Position) -> Counter[str]:
    freed = position["heroes"]["freed"] if position["to_move"] == "heroes" else ""
    return Counter(f"civilian {COLOUR_OF[letter]}" for letter in freed)


def bill_of(position: Position, move: str, question: str) -> Bill:
    """The bill of a `play` or `fetch` move; free moves owe nothing."""
    verb, card = move.split()
    owned = position[position["to_move"]]["artifacts"]
    if question == "recruitment" and verb == "fetch":
        return Bill(HELA_RETURNS[card], cards_to_give(position, None), 0, 0)
    if question in ("play free", "fetch") or replaces(position, card):
        return Bill("", Counter(), 0, 0)
    means = cards_to_give(position, card) + civilians_to_give(position)
    cost = PRINTED[card]["cost"]
    cube = int("cosmic_cube" in owned and "*" in cost)
    if question == "play for any":
        return Bill("*" * len(cost), means, cube, 0)
    rings = int("ten_rings" in owned and PRINTED[card]["kind"] == "battleground")
    return Bill(cost, means, cube, rings)


# -- What is offered ------------------------------------------------------------------------------


def candidates(position: Position, question: str, source: str | None) -> list[str]:
    """Moves that only their bill can still prevent."""
    own = position[position["to_move"]]
    hand, pile = sorted(set(own["hand"])), sorted(set(own["discard"]))
    characters = [card for card in hand if PRINTED[card]["kind"] != "battleground"]
    entering = [card for card in characters if can_enter(position, card)]
    if question == "recruitment":
        grounds = [card for card in hand if card not in characters]
        returning = [card for card in pile if hela_may_return(position, card)]
        return [f"play {c}" for c in entering + grounds] + [f"fetch {c}" for c in returning]
    if question == "play for any":
        return [f"play {card}" for card in entering]
    limit = LIMITS[source or ""]
    if question == "play free":
        return [f"play {card}" for card in entering if len(PRINTED[card]["cost"]) <= limit]
    return [
        f"fetch {card}"
        for card in pile
        if character(card) != "kang" and len(PRINTED[card]["cost"]) <= limit
        and can_enter(position, card)
    ]  # fmt: skip


def hela_may_return(position: Position, card: str) -> bool:
    """Ruling 18: to an empty slot, with no Hela on that side."""
    empty = None in position[position["to_move"]]["slots"]
    return card in HELA_RETURNS and empty and not replaces(position, card)


def offers(position: Position, question: str, source: str | None) -> set[str]:
    """The `play` and `fetch` moves of a question."""
    return {
        move
        for move in candidates(position, question, source)
        if payable(bill_of(position, move, question))
    }
