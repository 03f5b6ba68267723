"""What a player knows, as a record with the rest blanked: equal exactly for equal knowledge."""

from __future__ import annotations

import numpy as np

from skirmish_env.new_york import ids
from skirmish_env.new_york.notation import known_in_hands
from skirmish_env.new_york.state import copied


def known(states: np.ndarray, i: int, viewer: int) -> bytes:
    """Return all that a seat may know of a game (ruling 50), for comparing two games.

    Both decks, the other hand but for what everybody followed, unseen stacks, the random
    generator and another player's options are blanked; how many battlegrounds the other player
    holds is public.
    """
    return known_each(states[i : i + 1], viewer)[0].tobytes()


def known_each(states: np.ndarray, viewer: int) -> np.ndarray:
    """Return what `known` returns for one seat of every game, uint8 (n, bytes)."""
    seen, other = copied(states), 1 - viewer
    battlegrounds = seen["hand"][:, other, ids.FIRST_BATTLEGROUND :].sum(axis=1, dtype=np.uint8)
    seen["hand"][:, other] = known_in_hands(states, other)
    seen["rng"] = 0
    _blank(seen["deck"], _first(seen["deck_size"], seen["deck"].shape[-1]), ids.NO_CARD)
    for items, blank in (("stack", ids.NO_CARD), ("tiles", ids.NO_TILE)):
        listed = _first(seen[f"{items}_size"], seen[items].shape[-1])
        _blank(seen[items], listed & (seen[f"{items}_known"] == 0), blank)
    seen["option_count"][seen["asked"] != viewer] = 0
    offered = _first(seen["option_count"], seen["options"].shape[-1])
    _blank(seen["options"], ~offered, ids.NO_ACTION)
    rows = seen.view(np.uint8).reshape(len(seen), -1)
    return np.concatenate([rows, battlegrounds[:, None]], axis=1)


def _first(sizes: np.ndarray, length: int) -> np.ndarray:
    """Mark the entries of lists that are in use, bool (..., length)."""
    return np.arange(length) < sizes[..., None]


def _blank(items: np.ndarray, where: np.ndarray, blank: int) -> None:
    items[where] = blank
