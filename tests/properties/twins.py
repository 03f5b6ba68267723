"""Twins made by hand from ruling 50, without the rules' own marks of what is known.

A game is followed from its start, and noted down is what both players saw: battlegrounds that left
a hand, tiles that lay face up, the card that lies open while it is paid for and placed. All else
may be exchanged.
"""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass

import numpy as np

from skirmish_env import Table
from skirmish_env.new_york.actions import CARD_IDS
from skirmish_env.new_york.cards import load
from skirmish_env.new_york.notation import build, describe
from tests.parity.test_conformance import games, start_of

CARDS = load()
SEATS = ("villains", "heroes")
OF_FACTION = (range(28), range(28, 56))
BATTLEGROUNDS = range(56, 64)
FROM_HAND = ("recruitment", "payment", "give up card", "play free", "play for any",
             "warlock discard")  # fmt: skip

# Games that hold every kind of question, from each side that is ever asked it.
FOLLOWED = (120, 271, 67, 161, 286, 98, 72, 198, 95, 175, 269, 181, 124, 252)
PER_KIND = 2


@dataclass
class Moment:
    """A table at a decision, and what both players have seen by then."""

    table: Table
    seen_battlegrounds: set[int]
    seen_tiles: set[int]
    open_card: int | None

    @property
    def record(self) -> np.ndarray:
        return self.table.states

    @property
    def kind(self) -> tuple[str | None, str | None]:
        return self.table.question, self.table.to_move


class Follower:
    """Plays a game and notes down what both players see."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.battlegrounds: set[int] = set()
        self.tiles = {int(t) for t in table.states[0]["row"] if t >= 0}
        self.played: str | None = None

    def play(self, move: str) -> None:
        before = self.table.states[0]["hand"]
        verb, _, what = move.partition(" ")
        if verb in ("play", "fetch"):
            self.played = what if verb == "play" else None
        if verb == "play" and CARD_IDS.index(what) in BATTLEGROUNDS:
            self.battlegrounds.add(CARD_IDS.index(what))
        self.table.play(move)
        after = self.table.states[0]
        gone = (before > after["hand"]).any(axis=0)
        self.battlegrounds |= {card for card in BATTLEGROUNDS if gone[card]}
        self.tiles |= {int(t) for t in after["row"] if t >= 0}

    def moment(self) -> Moment:
        open_card = None
        asking = self.table.question in ("payment", "placement")
        if asking and self.table.question_source == self.played:
            open_card = CARD_IDS.index(self.played)
        return Moment(self.table.clone(), set(self.battlegrounds), set(self.tiles), open_card)


@functools.cache
def moments() -> list[Moment]:
    """Decisions of every kind, a few of each, then ends of games, then a fresh deal."""
    found, often = [], Counter()
    for number in FOLLOWED:
        follower = Follower(Table.from_position(start_of(number), card_set=CARDS))
        for step in games()[number]["steps"]:
            kind = (*follower.moment().kind, len(follower.table.legal()) > 1)
            if often[kind] < PER_KIND:
                often[kind] += 1
                found.append(follower.moment())
            follower.play(step["move"])
        if follower.table.winner and often["ends"] < 6:
            often["ends"] += 1
            found.append(follower.moment())
    return [*found, *(Follower(Table.new(seed)).moment() for seed in (1, 2))]


# ---------------------------------------------------------------------------------------------
# Exchanging what a viewer cannot know.


def twin_of(moment: Moment, viewer: int, rng: np.random.Generator) -> np.ndarray:
    """A record that differs from the moment's only in what the viewer cannot know."""
    states = moment.record
    g = states[0]
    exchange_faction(g, viewer, rng, keep_hand=True, open_card=None)
    asked_other = g["asked"] == 1 - viewer
    exchange_faction(g, 1 - viewer, rng, keep_hand=False,
                     open_card=moment.open_card if asked_other else None)  # fmt: skip
    exchange_battlegrounds(g, 1 - viewer, moment.seen_battlegrounds, rng)
    places = [n for n in range(g["tiles_size"]) if g["tiles"][n] not in moment.seen_tiles]
    g["tiles"][places] = rng.permutation(g["tiles"][places])
    g["rng"] = rng.integers(0, 2**31, 4)
    if asked_other and moment.table.question in FROM_HAND:
        hide_options(g, rng)
    g["options"][g["option_count"] :] = rng.integers(0, 242, 80 - g["option_count"])
    return states


def exchange_faction(g, seat, rng, keep_hand, open_card):
    """Swap cards among a hand, its deck and the cards that are nowhere."""
    first, last = OF_FACTION[seat][0], OF_FACTION[seat][-1] + 1
    hand = np.repeat(np.arange(first, last), g["hand"][seat, first:last]).tolist()
    if open_card in hand:
        hand.remove(open_card)
    fixed = [] if open_card not in OF_FACTION[seat] else [open_card]
    if keep_hand:
        fixed, hand = fixed + hand, []
    deck = g["deck"][seat, : g["deck_size"][seat]].tolist()
    pool = rng.permutation([*hand, *deck, *nowhere(g, seat)]).tolist()
    g["hand"][seat, first:last] = 0
    for card in fixed + pool[: len(hand)]:
        g["hand"][seat, card] += 1
    g["deck"][seat, : len(deck)] = pool[len(hand) : len(hand) + len(deck)]


def nowhere(g, seat):
    """Cards of a faction that have left the game unseen."""
    found = []
    for card in OF_FACTION[seat]:
        copies = int(CARDS.record[0]["copies"][card])
        copies -= int(g["hand"][:, card].sum() + g["discard"][:, card].sum())
        copies -= int((g["deck"] == card).sum() + (g["card"] == card).sum())
        found += [card] * copies
    return found


def exchange_battlegrounds(g, seat, seen, rng):
    """Swap unseen battlegrounds among the stack and a hand."""
    held = [c for c in BATTLEGROUNDS if g["hand"][seat, c] and c not in seen]
    places = [n for n in range(g["stack_size"]) if g["stack"][n] not in seen]
    pool = rng.permutation([*held, *g["stack"][places].tolist()]).astype(int)
    g["hand"][seat, held] = 0
    g["hand"][seat, pool[: len(held)]] = 1
    g["stack"][places] = pool[len(held) :]


def hide_options(g, rng):
    """Other options, as another hand would have them: only how many there are stays in bounds."""
    least = 2 if g["skip_forced"] else 1
    count = int(rng.integers(least, max(least, int(g["option_count"])) + 1))
    g["options"][:count] = np.sort(rng.choice(192, count, replace=False))
    g["option_count"] = count


def twin_start(moment: Moment, viewer: int, rng: np.random.Generator) -> dict | None:
    """The start of the game in words, with what the viewer could not know then exchanged."""
    states = build(moment.table._start, CARDS)
    g = states[0]
    for seat in range(2):
        exchange_faction(g, seat, rng, keep_hand=seat == viewer, open_card=None)
    exchange_battlegrounds(g, 1 - viewer, set(), rng)
    g["stack"][: g["stack_size"]] = rng.permutation(g["stack"][: g["stack_size"]])
    g["tiles"][: g["tiles_size"]] = rng.permutation(g["tiles"][: g["tiles_size"]])
    return describe(states, 0, CARDS)
