"""What things are worth to the scripted players, and the tables that they think on."""

from __future__ import annotations

from typing import Any

import numpy as np

from skirmish_env.new_york.ids import (
    ARTIFACTS,
    CARDS,
    DISCARD,
    PLACES,
    SLOTS,
    WAIVE,
)

FRAILTIES = 3  # health left 1, 2, and 3 or more
EASE = 6  # cards in a hand that is neither short nor long
READY = 3  # cards in a hand that can surely answer what stands open

# What things are worth, in victory points, to a player who has thought about it: the weights of
# `heuristic`. Each is one sentence of strategy, the same for both seats.
_SENSE = {
    "point": 1.0, "edge": 4.0, "win": 12.0, "civilian": 0.7, "rescue": 4.0, "step": 0.35,
    "tile": 0.9, "battleground": 1.0, "discount": 0.75, "strength": 0.25, "health": 0.15,
    "fall": 0.3, "capture": 1.0, "draw": 0.4, "ping": 0.3, "mend": 0.15, "trade": 0.4, "roam": 0.1,
    "lead": 0.3, "card": 0.45, "bold": 0.1, "tough": 0.05, "effect": 0.3, "dear": 0.05,
    "spare": 0.5, "double": 0.1, "site": 0.2, "hue": 0.05, "freed": 0.4, "further": 0.3,
    "chain": 0.2, "strip": 0.3, "patience": 0.8, "effort": 0.0, "first": 0.5, "endgame": 5.0,
    "crowd": 0.0, "thin": 0.0, "frail": (0.0,) * FRAILTIES, "prey": (0.0,) * FRAILTIES,
}  # fmt: skip
_SENSE_OF_ARTIFACTS = (0.4, 1.6, 1.2, 1.6, 0.8, 0.5, 0.9, 1.0, 1.0, 1.2, 1.6, 1.2)  # list order

# The same for `expert`, to the Villains and to the Heroes, in no unit but each other: found by
# many games against each other and against random play (docs/strategy.md).
_WORTH = {
    # The forecast.
    "point": (0.09, 0.32),  # a step of the victory marker
    "edge": (1.66, 1.38),  # more of it the nearer the marker is to an end
    "win": (8.28, 9.63),  # the game
    "civilian": (1.50, 0.83),  # a freed civilian
    "rescue": (5.89, 5.50),  # more of it the nearer the Heroes are to having freed enough
    "step": (0.08, 0.06),  # a step of the artifact marker
    "tile": (0.59, 0.48),  # the artifact at the end of the track
    "battleground": (0.63, 0.82),  # a battleground card drawn
    "discount": (0.55, 0.81),  # of a turn against the one before it: boards change
    "crowd": (0.012, 0.069),  # off that of the own next turn, for each card in the other hand
    "strength": (0.39, 0.55),  # a point of strength still in play at the end of the forecast
    "health": (0.09, 0.39),  # a point of health left then
    "fall": (1.14, 0.43),  # a card defeated on the way
    "capture": (1.05, 0.85),  # a hero taken over by Loki
    # What an attack effect brings each time, beyond the forecast.
    "draw": (1.06, 1.01),  # a card drawn
    "ping": (0.57, 0.58),  # a point of damage where the player likes
    "mend": (0.11, -0.01),  # a point of damage healed
    "trade": (0.00, 0.15),  # leave to give up a card for something
    "roam": (0.14, 0.19),  # moving to another slot
    "lead": (0.28, 0.27),  # letting a neighbour attack instead
    # Cards in hand.
    "card": (0.12, 0.06),  # any card, as payment
    "bold": (0.09, 0.18),  # a point of printed strength
    "tough": (0.13, 0.12),  # a point of printed health
    "effect": (0.21, 0.58),  # share of the worth of its effects
    "dear": (0.11, 0.04),  # off for each printed symbol
    "thin": (0.112, 0.001),  # more of it for each card that the hand holds less than six
    "spare": (0.44, 0.30),  # a copy stands in play: a free replacement
    "double": (0.03, 0.04),  # the hand holds a further copy
    "site": (0.06, 0.00),  # a victory point of a battleground in hand
    "hue": (0.09, 0.13),  # its colour, by how much the hand needs it
    "freed": (0.23, 0.21),  # a freed civilian, as payment
    "further": (0.54, 0.11),  # leave to play one more card
    "chain": (0.45, 0.41),  # a printed symbol of the best card that can come along for nothing
    "strip": (0.56, 0.28),  # the other player gives up a card
    # Habits.
    "patience": (1.21, 1.23),  # least gain for which a one-time artifact is used up
    "effort": (0.16, 0.11),  # least gain for which cards are paid
    "first": (0.22, 0.15),  # head start of what costs nothing
    "endgame": (11.11, 11.32),  # own turns left from which on cards in hand lose their worth
}
# A card that nobody faces when the turn is over, by the health it has left.
_FRAIL = ((0.65, 0.38, -0.36), (0.69, 0.31, -0.58))  # off for an own one: it can be struck first
_PREY = ((0.09, -0.08, -0.37), (0.00, -0.35, -0.85))  # for the other side's
# Owning an artifact, in list order.
_ARTIFACTS = (
    (0.41, 1.24, 1.72, 2.07, 0.27, 0.38, 0.81, 1.42, 1.13, 3.04, 1.15, 0.80),
    (-0.06, 2.56, 0.99, 3.92, 0.36, 0.39, 0.50, 0.80, 2.10, 3.02, 1.78, 0.84),
)

WEIGHTS_DTYPE = np.dtype(
    (
        np.record,
        [
            *((name, "f8") for name in _WORTH),
            ("frail", "f8", (FRAILTIES,)),
            ("prey", "f8", (FRAILTIES,)),
            ("artifact", "f8", (ARTIFACTS,)),
        ],
    )
)


def _weights(worth: dict[str, Any]) -> np.ndarray:
    """Weights by seat, from a value, or one for each seat, of every name."""
    weights = np.zeros(2, WEIGHTS_DTYPE)
    for name in WEIGHTS_DTYPE.names or ():
        weights[name] = worth[name]
    return weights


SENSE_WEIGHTS = _weights({**_SENSE, "artifact": _SENSE_OF_ARTIFACTS})
EXPERT_WEIGHTS = _weights({**_WORTH, "frail": _FRAIL, "prey": _PREY, "artifact": _ARTIFACTS})

HALF_TURNS = 8  # how far the forecast looks
NOBODY_FIRST = -1
EQUAL = 1e-9  # values nearer than this count as equal

# Means of payment: 0..63 cards, 64..67 civilians, 68 leaving the symbol unpaid.
MEANS = WAIVE - DISCARD + 1

# A table as a choice would leave it. There is no room in it for a hand, a deck or a stack.
BOARD = np.dtype(
    (
        np.record,
        [
            ("card", "i1", (PLACES,)),  # these as in STATE
            ("damage", "i1", (PLACES,)),
            ("armour_used", "i1", (PLACES,)),
            ("spent", "i1", (PLACES,)),
            ("moved", "i1", (PLACES,)),
            ("civilians", "i1", (SLOTS,)),
            ("deck_size", "i1", (2,)),
            ("victory", "i1"),
            ("artifact_marker", "i1"),
            ("stack_size", "i1"),
            ("slot", "i1"),  # from here on the player on turn has yet to attack
            ("leader", "i1"),  # place that attacks before; -1: none
        ],
    )
)
MAX_BOARDS = 128  # tables that one option can lead to: places to put a card, times targets

NOTES = np.dtype(
    (
        np.record,
        [
            ("seat", "i8"),  # whose view every value is
            ("fade", "f8"),  # what is left of the worth of cards near the end, 0..1
            ("again", "f8"),  # weight of the turn after the next against the next
            ("ready", "f8", (2,)),  # how sure each hand can answer what stands open, 0..1
            ("scarce", "f8"),  # worth of each card more because the hand is short
            ("keep", "f8", (MEANS,)),  # worth of keeping each means of payment
            ("need", "f8", (4,)),  # how much the hand asks for a colour, by card of it
            ("spent", "i8", (MEANS,)),  # how many of each a payment would take
            # The option under consideration, and the best so far.
            ("added", "f8"),  # worth beyond the table: cards won and paid
            ("boards", "i8"),  # how many tables it can lead to
            ("tables", BOARD, (MAX_BOARDS,)),  # these
            ("aim", "i8"),  # source whose damage or healing has yet to find its target; -1
            ("action", "i8"),
            ("best", "f8"),
            ("ties", "i8"),
            # What attack effects bring, card by card, where `read` says that it is noted.
            ("read", "i1", (CARDS,)),
            ("card_attacks", "i8", (CARDS,)),
            ("card_bonuses", "i8", (CARDS,)),
            ("card_points", "i8", (CARDS,)),
            ("card_extra", "f8", (CARDS,)),
            # The forecast under way; slot places 0..11.
            ("value", "f8"),
            ("weight", "f8"),  # of the turn that is being counted
            ("over", "i8"),
            ("victory", "i8"),
            ("standing", "f8"),  # worth of that to the Villains
            ("marker", "i8"),
            ("total", "i8"),  # civilians in Manhattan at the start of the game
            ("left", "i8"),  # civilians there now
            ("rescued", "f8"),  # worth of the difference to the Heroes
            ("sites", "i8"),  # battlegrounds in their stack
            ("civilians", "i8", (SLOTS,)),
            ("withheld", "i8", (SLOTS,)),
            ("health", "i8", (12,)),  # left; 0: empty
            ("strength", "i8", (12,)),
            ("guard", "i8", (12,)),  # health left of a card below
            ("help", "i8", (12,)),  # strength of a card below
            ("armour", "i8", (12,)),  # against this turn's first damage
            ("plates", "i8"),  # 1: somebody has armour
            ("harms", "i8", (12,)),  # 1: its attack can hurt the card it faces
            ("attacks", "i8", (12,)),
            ("bonuses", "i8", (12,)),
            ("points", "i8", (12,)),  # victory points of its attack effect
            ("extra", "f8", (12,)),  # worth of the rest of its attack effect
        ],
    )
)
