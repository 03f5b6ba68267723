"""The action table: 242 flat ids, one for each move in words (version `ACTION_VERSION`)."""

from __future__ import annotations

import difflib
import operator
from typing import Any

from skirmish_env.new_york import ids
from skirmish_env.new_york.cards import card_ids

ACTION_VERSION = 1

CARD_IDS = card_ids()


def _words() -> tuple[str, ...]:
    moves = [f"{verb} {card}" for verb in ("play", "fetch", "discard") for card in CARD_IDS]
    moves += [f"civilian {colour}" for colour in ids.COLOURS]
    moves += ["waive"]
    moves += [f"{verb} {n}" for verb in ("slot", "tuck") for n in range(1, ids.SLOTS + 1)]
    moves += [f"target {place}" for place in ids.PLACE_NAMES]
    moves += [f"artifact {name}" for name in ids.ARTIFACT_IDS]
    return (*moves, "yes", "no", "done")


MOVES = _words()
_ACTION_OF = {move: action for action, move in enumerate(MOVES)}
assert len(MOVES) == ids.ACTIONS

VERBS = (
    "play", "fetch", "discard", "civilian", "waive", "slot", "tuck", "target", "artifact",
    "yes", "no", "done",
)  # fmt: skip
VERB_STARTS = (
    ids.PLAY, ids.FETCH, ids.DISCARD, ids.CIVILIAN, ids.WAIVE, ids.SLOT, ids.TUCK, ids.TARGET,
    ids.ARTIFACT, ids.YES, ids.NO, ids.DONE,
)  # fmt: skip


class IllegalAction(ValueError):
    """A move that the open question does not allow; the game is unchanged."""


def action_to_move(action: Any) -> str:
    """Words of a flat action id.

    Raises:
        ValueError: the id is not a whole number in [0, 242).
    """
    return MOVES[checked_action(action)]


def checked_action(action: Any) -> int:
    """Return an action id as an int; whatever is no whole number in range raises."""
    try:
        number = operator.index(action)
    except TypeError:
        raise IllegalAction(
            f"an action is a whole number 0 to {ids.ACTIONS - 1}, not {action!r}"
        ) from None
    if isinstance(action, bool) or not 0 <= number < ids.ACTIONS:
        raise IllegalAction(f"an action is a whole number 0 to {ids.ACTIONS - 1}, not {action!r}")
    return number


def move_to_action(move: str) -> int:
    """Flat action id of a move in words.

    Raises:
        ValueError: no such move; the nearest one is named.
    """
    if not isinstance(move, str) or move not in _ACTION_OF:
        close = difflib.get_close_matches(str(move), MOVES, 1)
        hint = f"did you mean {close[0]!r}?" if close else "moves look like 'play ares_1'"
        raise IllegalAction(f"no such move: {move!r}; {hint}")
    return _ACTION_OF[move]
