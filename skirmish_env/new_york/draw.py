"""The board as text."""

from __future__ import annotations

from typing import Any

from skirmish_env.new_york import ids
from skirmish_env.new_york.cards import CardSet

WIDTH = 24


def board_text(position: dict[str, Any], card_set: CardSet, question: str | None) -> str:
    """Draw a position (also one as a single player sees it) as plain text."""
    rules = card_set.rules
    lines = [
        _headline(position, question),
        f"victory {position['victory']:+d} (Villains +{rules['villains_goal']}, "
        f"Heroes -{rules['heroes_goal']})   artifact marker {position['artifact_marker']:+d}   "
        f"face up: {', '.join(position['artifact_row']) or 'none'}   "
        f"battlegrounds: {_size(position['battlegrounds'])}",
        _side_line("Villains", position["villains"]),
        *_slots(position, card_set),
        _side_line("Heroes", position["heroes"], position["heroes"]["freed"]),
    ]
    return "\n".join(lines)


def _headline(position: dict[str, Any], question: str | None) -> str:
    if position["phase"] == "over":
        return f"turn {position['turn']}: the game is over"
    return (
        f"turn {position['turn']} ({position['on_turn']}), {position['phase']}: "
        f"{position['to_move']} to decide ({question})"
    )


def _count(cards: list[str] | int) -> str:
    if isinstance(cards, int):
        return str(cards)
    return f"{len(cards)} [{' '.join(cards)}]" if cards else "0"


def _side_line(title: str, side: dict[str, Any], freed: str | None = None) -> str:
    parts = [f"{title}: hand {_count(side['hand'])}", f"deck {_size(side['deck'])}"]
    parts.append(f"discard {len(side['discard'])}")
    if side["artifacts"]:
        parts.append(f"artifacts {', '.join(side['artifacts'])}")
    if freed:
        parts.append(f"freed {freed}")
    return "; ".join(parts)


def _size(cards: list[str] | int) -> int:
    return cards if isinstance(cards, int) else len(cards)


def _slots(position: dict[str, Any], card_set: CardSet) -> list[str]:
    lines = []
    rows = zip(position["villains"]["slots"], position["heroes"]["slots"], strict=True)
    civilians = position["civilians"]
    for n, (villain, hero) in enumerate(rows):
        location = ids.LOCATIONS[card_set.record[0].location[n]].capitalize()
        people = f" ({civilians[n] or '-'})" if n < len(civilians) else ""
        lines.append(
            f"  {n + 1} {location + people:<18} {villain or '.':<{WIDTH}} | {hero or '.'}"
        )
    return lines
