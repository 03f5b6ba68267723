"""A whole game as text: what was asked, what could be answered, what was, and what changed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from skirmish_env import IllegalAction, Table

FOLDER = Path(__file__).with_name("games")
MOVE = "  move: "
HEAD_KEYS = ("turn", "phase", "on_turn", "to_move")  # the next decision's first line says them
ORDERED = ("deck", "battlegrounds", "artifact_stack", "civilians", "slots")
Position = dict[str, Any]


class Opening(NamedTuple):
    """The deal, and who chose the moves (which no replay needs to know)."""

    seed: int
    villains: str
    heroes: str


def record(opening: Opening, moves: list[str]) -> list[str]:
    """Play moves on a deal and put everything into lines; ends with a move that is illegal."""
    table = Table.new(opening.seed)
    return [*_head(opening, table), *_course(table, moves), *_end(table)]


def again(lines: list[str]) -> list[str]:
    """Play the game of some lines again, by its opening and its moves alone."""
    opening = re.fullmatch(r"seed (\d+): (\w+) as villains, (\w+) as heroes", lines[0])
    if opening is None:
        raise ValueError(f"line 1 tells no seed and players: {lines[0]!r}")
    seed, villains, heroes = opening.groups()
    moves = [line.removeprefix(MOVE) for line in lines if line.startswith(MOVE)]
    return record(Opening(int(seed), villains, heroes), moves)


def _head(opening: Opening, table: Table) -> list[str]:
    cards = table.card_set
    return [
        f"seed {opening.seed}: {opening.villains} as villains, {opening.heroes} as heroes",
        f"cards {cards.name} version {cards.version}, {_words(cards.rules)}",
        "",
        *_whole(table.position()),
    ]


def _course(table: Table, moves: list[str]) -> Iterator[str]:
    for number, move in enumerate(moves, start=1):
        before = table.position()
        source = f" ({table.question_source})" if table.question_source else ""
        yield ""
        where = f"turn {before['turn']}, {before['phase']} of the {before['on_turn']}"
        yield f"{number}. {where}; {table.to_move}: {table.question}{source}"
        yield f"  options: {', '.join(table.legal())}"
        yield f"{MOVE}{move}"
        try:
            table.play(move)
        except IllegalAction as error:
            yield f"  not played: {error}"
            return
        yield from (f"  {change}" for change in changes(before, table.position()))


def _end(table: Table) -> list[str]:
    result = f"{table.winner} by {table.ending}" if table.winner else "still running"
    return ["", f"result: {result}", *_whole(table.position())]


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_words(one)}" for key, one in value.items())
    if isinstance(value, list):
        return " ".join(_words(one) for one in value) or "-"
    return str(value or "-") if not isinstance(value, int) else str(value)


def _flat(position: Position) -> dict[str, Any]:
    """One level: a side's keys get its name before them."""
    flat: dict[str, Any] = {}
    for key, value in position.items():
        inner = {f"{key}.{k}": v for k, v in value.items()} if isinstance(value, dict) else None
        flat |= inner or {key: value}
    return flat


def _whole(position: Position) -> list[str]:
    return [f"  {key}: {_words(value)}" for key, value in _flat(position).items()]


def changes(before: Position, after: Position) -> list[str]:
    """Differences of two positions in words."""
    old, new = _flat(before), _flat(after)
    different = [key for key in new if old[key] != new[key] and key not in HEAD_KEYS]
    return [_change(key, old[key], new[key]) for key in different]


def _change(key: str, old: Any, new: Any) -> str:
    if not isinstance(new, list):
        return f"{key} {_words(old)} -> {_words(new)}"
    kind = key.rpartition(".")[2]
    if kind in ("slots", "civilians"):
        pairs = enumerate(zip(old, new, strict=True), start=1)
        return f"{key} " + ", ".join(
            f"{n} {_words(a)} -> {_words(b)}" for n, (a, b) in pairs if a != b
        )
    if kind in ORDERED and old[len(old) - len(new) :] != new:
        return f"{key} = {_words(new)}"
    gone, come = Counter(old) - Counter(new), Counter(new) - Counter(old)
    return " ".join(
        [key, *(f"-{card}" for card in gone.elements()), *(f"+{card}" for card in come.elements())]
    )


# ---------------------------------------------------------------------------------------------
# Files.


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def read(name: str) -> list[str]:
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def write(name: str, lines: list[str]) -> list[str]:
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return lines
