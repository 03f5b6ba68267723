"""What a record shows of an attack that is about to be carried out."""

from __future__ import annotations

import numpy as np

from skirmish_env.new_york.cards import CardSet
from skirmish_env.new_york.ids import (
    ASK_ATTACK_AGAIN,
    F_PLACE,
    FIRST_TUCKED_PLACE,
    NO_CARD,
    NO_LOCATION,
    NO_QUESTION,
    R_ATTACK,
    ROUTINE,
    SLOTS,
    STAGE,
    YES,
)


def bonus(states: np.ndarray, actions: np.ndarray, card_set: CardSet) -> np.ndarray:
    """Return the location whose bonus the next stride of each game takes, or -1, int64 (n,).

    An attack takes it where nobody stands opposite: the attack of a slot that is up, or a second
    one that is being agreed to. It counts even where it changes nothing: with civilians withheld,
    or no battleground left.

    Args:
        states: records (n,).
        actions: int64 (n,), what is answered where a question is open.
        card_set: of all games.
    """
    every = np.arange(len(states))
    top = np.maximum(states["depth"].astype(np.int64) - 1, 0)
    frame = states["frame"][every, top]
    first = (
        (states["question"] == NO_QUESTION)
        & (states["depth"] > 0)
        & (frame[:, ROUTINE] == R_ATTACK)
        & (frame[:, STAGE] == 0)
    )
    second = (states["question"] == ASK_ATTACK_AGAIN) & (actions == YES)
    place = frame[:, F_PLACE].astype(np.int64)
    front = (place + SLOTS) % FIRST_TUCKED_PLACE
    open_front = states["card"][every, front] == NO_CARD
    location = card_set.record["location"][0, place % SLOTS].astype(np.int64)
    return np.where((first | second) & open_front, location, NO_LOCATION)
