"""Drawn positions for the payment tests: purses rich and poor, boards up to the brim."""

from __future__ import annotations

import random
from typing import Any

from tests.properties.paying import character, other
from tests.rulebook.helpers import ARTIFACTS, BATTLEGROUNDS, FACTION_CARDS

Position = dict[str, Any]

COPIES = 2
DECK = 4
LEAST_CIVILIANS = 3  # with fewer left in Manhattan the game would be over
EFFECTS = ("hydra_agents_green", "kang_1", "kang_2", "iron_man_1", "iron_man_2")


class Supply:
    """The cards of the box that no one has taken yet."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.left = {
            side: [card for card in cards for _ in range(COPIES)]
            for side, cards in FACTION_CARDS.items()
        }

    def draw(self, side: str, count: int) -> list[str]:
        return [card for _ in range(count) for card in self.take(side, self.left[side])]

    def take(self, side: str, among: list[str]) -> list[str]:
        """One of some cards, if any of them is left."""
        found = [card for card in self.left[side] if card in among]
        if not found:
            return []
        card = self.rng.choice(found)
        self.left[side].remove(card)
        return [card]


def drawn_position(number: int, wanted: tuple[str, ...] = ()) -> Position:
    """A Recruitment; `wanted` are cards of which the hand holds one where the faction has them."""
    rng = random.Random(number)
    supply = Supply(rng)
    mover = rng.choice(("villains", "heroes"))
    sides = {side: {"hand": [], "discard": []} for side in FACTION_CARDS}
    on_board: set[str | None] = set()
    for side in FACTION_CARDS:
        sides[side]["hand"] += supply.take(side, [c for c in wanted if c in FACTION_CARDS[side]])
    for side in rng.sample(list(FACTION_CARDS), 2):
        filled = rng.choice((0, 2, 4, 5, 6, 6)) if side == mover else rng.randrange(4)
        sides[side]["slots"] = drawn_slots(rng, supply, side, filled, on_board)
    copies = [c for cards in FACTION_CARDS.values() for c in cards if character(c) in on_board]
    fill_hands(rng, supply, mover, sides, copies)
    fill_piles(rng, supply, sides, copies)
    own = rng.sample(ARTIFACTS, rng.choice((0, 1, 3, 6)))
    own += [name for name in ("cosmic_cube", "ten_rings") if rng.random() < 0.35]
    sides[mover]["artifacts"] = sorted(set(own))
    sides["heroes"]["freed"], civilians = drawn_civilians(rng)
    return {
        "to_move": mover, "turn": 3 if mover == "villains" else 4, "civilians": civilians,
        "battlegrounds": [g for g in BATTLEGROUNDS if g not in sides[mover]["hand"]], **sides,
    }  # fmt: skip


def drawn_slots(
    rng: random.Random, supply: Supply, side: str, filled: int, on_board: set[str | None]
) -> list[str | None]:
    """Slots with cards of which no main character is in play twice; captives among the villains."""
    slots: list[str | None] = [None] * 6
    for place in rng.sample(range(6), filled):
        captive = side == "villains" and rng.random() < 0.25
        faction = "heroes" if captive else side
        free = [c for c in FACTION_CARDS[faction] if character(c) not in on_board]
        for card in supply.take(faction, free):
            slots[place] = card
            note_in_play(card, on_board)
    return with_strange_below(rng, supply, side, slots, on_board)


def with_strange_below(
    rng: random.Random,
    supply: Supply,
    side: str,
    slots: list[str | None],
    on_board: set[str | None],
) -> list[str | None]:
    taken = [place for place in range(6) if slots[place]]
    if side == "heroes" and taken and "doctor_strange" not in on_board and rng.random() < 0.2:
        place = rng.choice(taken)
        for card in supply.take(side, ["doctor_strange_1", "doctor_strange_2"]):
            slots[place] = f"{slots[place]}+{card}"
            note_in_play(card, on_board)
    return slots


def note_in_play(card: str, on_board: set[str | None]) -> None:
    on_board.update({character(card)} - {None})


def fill_hands(
    rng: random.Random,
    supply: Supply,
    mover: str,
    sides: dict[str, dict[str, Any]],
    copies: list[str],
) -> None:
    """The mover's hand from empty to rich, with copies of it and of what is in play."""
    hand = sides[mover]["hand"]
    hand += supply.draw(mover, rng.choice((0, 1, 2, 3, 3, 4, 4, 5, 6, 8)))
    if hand and rng.random() < 0.4:
        hand += supply.take(mover, hand)
    if rng.random() < 0.3:
        hand += supply.take(mover, copies)
    if mover == "heroes" and None not in sides[mover]["slots"] and rng.random() < 0.4:
        hand += supply.take(mover, ["doctor_strange_1", "doctor_strange_2"])
    hand += rng.sample(BATTLEGROUNDS, rng.choice((0, 0, 1, 1, 2, 3)))
    sides[other(mover)]["hand"] += supply.draw(other(mover), 2)


def fill_piles(
    rng: random.Random, supply: Supply, sides: dict[str, dict[str, Any]], copies: list[str]
) -> None:
    """Discard piles, the Villains' with heroes they captured and lost; short decks."""
    pile = sides["villains"]["discard"]
    if rng.random() < 0.5:
        pile += supply.take("villains", ["hela_1", "hela_2"])
    if rng.random() < 0.3:
        pile += supply.take("heroes", copies)
    pile += supply.draw("heroes", rng.choice((0, 1, 2)))
    for side in FACTION_CARDS:
        sides[side]["discard"] += supply.draw(side, rng.randrange(5))
        sides[side]["deck"] = supply.draw(side, DECK)


def drawn_civilians(rng: random.Random) -> tuple[str, list[str]]:
    """What the Heroes hold, what is left in each Manhattan slot; some are spent already."""
    all_of_them = [(slot, colour) for slot in range(3) for colour in "rygb"]
    rng.shuffle(all_of_them)
    left = rng.randrange(LEAST_CIVILIANS, 13)
    freed = all_of_them[left:][: rng.choice((0, 0, 1, 2, 4))]
    remain = ["".join(c for c in "rygb" if (s, c) in all_of_them[:left]) for s in range(3)]
    return "".join(colour for _, colour in freed), remain
