"""Every way a small card set can be dealt, with its probability."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

import numpy as np

from skirmish_env.batch import Batch
from skirmish_env.game import CardSet, Game

MOST_DEALS = 100_000


@dataclass(frozen=True)
class Pile:
    """One side's hand (a multiset) and deck (the next draw first), with their probability."""

    hand: tuple[str, ...]
    deck: tuple[str, ...]
    chance: float


def piles(copies: dict[str, int], hand: int, deck: int) -> list[Pile]:
    """Return every hand and deck that shuffling and drawing can bring, without repetitions.

    Args:
        copies: how many of each card there are.
        hand, deck: cards of each; what is left over is removed unseen.
    """
    found = []
    for cards, ways in _hands(list(copies.items()), hand):
        left = {card: n - cards.count(card) for card, n in copies.items()}
        share = ways / comb(sum(copies.values()), hand)
        found += [Pile(cards, order, share * p) for order, p in _orders(left, deck)]
    return found


def _hands(copies: list[tuple[str, int]], size: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Multisets of a size, and how many sets of physical cards each stands for."""
    if not copies:
        if size == 0:
            yield (), 1
        return
    (card, count), *rest = copies
    for n in range(min(count, size) + 1):
        for cards, ways in _hands(rest, size - n):
            yield (card,) * n + cards, ways * comb(count, n)


def _orders(left: dict[str, int], size: int) -> Iterator[tuple[tuple[str, ...], float]]:
    """Sequences of draws and their probabilities."""
    if size == 0:
        yield (), 1.0
        return
    total = sum(left.values())
    for card, n in left.items():
        if n:
            for rest, chance in _orders({**left, card: n - 1}, size - 1):
                yield (card, *rest), chance * n / total


def every_deal(game: Game, card_set: CardSet) -> tuple[Batch, np.ndarray]:
    """Return all deals of a card set, up to their first questions, and their chances (n,).

    Every question will be put, those with one answer too (`skip_forced` is off).

    Raises:
        ValueError: there is something else to shuffle than the two decks, or too many deals.
    """
    start = Batch(1, card_set=card_set, game=game, skip_forced=False)
    start.deal([0])
    words = game.describe(start.states, 0, card_set)
    for stack in ("battlegrounds", "artifact_stack"):
        if len(words[stack]) > 1:
            raise ValueError(f"{card_set.name}: {stack} in hidden order; exact work needs none")
    sides = []
    for seat, side in enumerate(game.seats):
        record = card_set.record[0]
        own = np.flatnonzero(record["faction"] == seat)
        copies = {card_set.ids[c]: int(record["copies"][c]) for c in own if record["copies"][c]}
        sides.append(piles(copies, len(words[side]["hand"]), len(words[side]["deck"])))
    count = len(sides[0]) * len(sides[1])
    if count > MOST_DEALS:
        raise ValueError(f"{card_set.name}: {count:,} deals; exact work takes {MOST_DEALS:,}")
    pairs = [(one, other) for one in sides[0] for other in sides[1]]
    states = np.concatenate([
        game.build(
            {
                side: {"hand": list(pile.hand), "deck": list(pile.deck)}
                for side, pile in zip(game.seats, pair, strict=True)
            },
            card_set,
        )
        for pair in pairs
    ])  # fmt: skip
    deals = Batch(count, card_set=card_set, game=game, skip_forced=False)
    deals.states = states
    every, sets = np.arange(count), deals.set_of_game
    game.kernels.start(deals.states, card_set.record, sets, every)
    return deals, np.array([one.chance * other.chance for one, other in pairs])
