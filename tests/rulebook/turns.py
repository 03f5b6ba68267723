"""Positions at the start of one side's Recruitment, seen from that side."""

from __future__ import annotations

from typing import Any

from skirmish_env import Table
from tests.rulebook.helpers import side, table


def heroes_turn(
    hand: Any = (),
    slots: Any = (),
    facing: Any = (),
    villains: dict[str, Any] | None = None,
    heroes: dict[str, Any] | None = None,
    **more: Any,
) -> Table:
    """The Heroes' Recruitment: `slots` on their side, `facing` on the other."""
    return table(
        to_move="heroes",
        heroes=side(hand=hand, slots=slots, **(heroes or {})),
        villains=side(slots=facing, **(villains or {})),
        **more,
    )


def villains_turn(
    slots: Any = (),
    facing: Any = (),
    hand: Any = (),
    villains: dict[str, Any] | None = None,
    heroes: dict[str, Any] | None = None,
    **more: Any,
) -> Table:
    """The Villains' Recruitment: `slots` on their side, `facing` on the other."""
    return table(
        villains=side(hand=hand, slots=slots, **(villains or {})),
        heroes=side(slots=facing, **(heroes or {})),
        **more,
    )
