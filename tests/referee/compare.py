"""Referee and core play the same position side by side and must agree after every move."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from random import Random
from typing import Any

from skirmish_env import Table
from tests.referee.positions import tangled_position
from tests.referee.referee import Referee


@cache
def _card_set(**rules: str) -> Any:
    """Read once: a thousand tables need not parse it a thousand times."""
    return Table.new(rules=rules).card_set


Kind = Callable[[dict[str, Any]], Referee]


class Disagreement(AssertionError):
    """Says the position, the moves so far and both opinions."""


def _core_moves(table: Table, referee: Referee) -> list[str]:
    """In Recruitment the referee knows the artifacts only."""
    moves = table.legal()
    if referee.phase != "recruitment":
        return moves
    return [move for move in moves if not move.startswith(("play", "fetch"))]


def _opinions(table: Table, referee: Referee) -> dict[str, tuple[Any, Any]]:
    """What referee and core say, by subject."""
    position = table.position()
    if referee.winner:
        position["to_move"] = None  # nobody decides any more: no rule says who would stand there
    said = {
        "to move": (referee.to_move, table.to_move),
        "winner": (referee.winner, table.winner),
        "position": (referee.position(), position),
    }
    if not referee.turn_over or referee.winner:
        said["moves"] = (referee.question_moves(), _core_moves(table, referee))
    return said


def _check(table: Table, referee: Referee, start: dict[str, Any], played: list[str]) -> None:
    if referee.disputed:
        return
    for subject, (ours, theirs) in _opinions(table, referee).items():
        if ours != theirs:
            lines = [f"start: {start}", f"moves: {played}", f"subject: {subject}"]
            lines += [f"referee: {ours}", f"core:    {theirs}"]
            raise Disagreement("\n".join(lines))


def _answer(rng: Random, moves: list[str]) -> str:
    """Rather something than nothing, so that more happens."""
    acting = [move for move in moves if move not in ("no", "done")]
    return rng.choice(acting if acting and rng.random() < 0.75 else moves)


def compare(seed: int, kind: Kind = Referee, **rules: str) -> Counter[str]:
    """Play one position to the end of its turn; what was seen on the way."""
    start, rng = tangled_position(seed), Random(seed)
    table = Table.from_position(start, card_set=_card_set(**rules))
    referee = kind(start)
    played: list[str] = []
    _check(table, referee, start, played)
    while not (referee.turn_over or referee.disputed):
        move = _answer(rng, referee.question_moves())
        table.play(move)
        referee.play(move)
        played.append(move)
        _check(table, referee, start, played)
    return referee.seen + Counter({"moves": len(played)})


def compare_many(seeds: Iterable[int], kind: Kind = Referee, **rules: str) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in seeds:
        seen += compare(seed, kind, **rules)
    return seen
