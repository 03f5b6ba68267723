"""What a player knows, as a record with the rest blanked: equal exactly for equal knowledge."""

from __future__ import annotations

import numpy as np

from skirmish_env.new_york import ids
from skirmish_env.new_york.notation import known_in_hand


def known(states: np.ndarray, i: int, viewer: int) -> bytes:
    """Return all that a seat may know of a game (ruling 50), for comparing two games.

    Both decks, the other hand but for what everybody followed, unseen stacks, the random
    generator and another player's options are blanked; how many battlegrounds the other player
    holds is public.
    """
    record = states[i : i + 1].copy()
    g, other = record[0], 1 - viewer
    battlegrounds = int(g.hand[other, ids.FIRST_BATTLEGROUND :].sum())
    g.hand[other] = known_in_hand(g, other)
    g.rng[:] = 0
    for seat in range(2):
        g.deck[seat, : g.deck_size[seat]] = ids.NO_CARD
    g.stack[: g.stack_size][g.stack_known[: g.stack_size] == 0] = ids.NO_CARD
    g.tiles[: g.tiles_size][g.tiles_known[: g.tiles_size] == 0] = ids.NO_TILE
    if g.asked != viewer:
        g.option_count = 0
    g.options[g.option_count :] = ids.NO_ACTION
    return record.tobytes() + bytes([battlegrounds])
