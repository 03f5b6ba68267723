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


def _opinions(table: Table, referee: Referee) -> dict[str, tuple[Any, Any]]:
    """What referee and core say, by subject."""
    position = table.position()
    if referee.winner:
        position["to_move"] = None  # nobody decides any more: no rule says who would stand there
    said = {
        "to move": (referee.to_move, table.to_move),
        "winner": (referee.winner, table.winner),
        "position": (referee.position(), position),
        "moves": (referee.question_moves(), table.legal()),
    }
    return said


def _check(table: Table, referee: Referee, start: dict[str, Any], played: list[str]) -> None:
    for subject, (ours, theirs) in _opinions(table, referee).items():
        if ours != theirs:
            lines = [f"start: {start}", f"moves: {played}", f"subject: {subject}"]
            lines += [f"referee: {ours}", f"core:    {theirs}"]
            raise Disagreement("\n".join(lines))


def _answer(rng: Random, moves: list[str]) -> str:
    """Rather something than nothing, so that more happens."""
    acting = [move for move in moves if move not in ("no", "done")]
    return rng.choice(acting if acting and rng.random() < 0.75 else moves)


def compare(
    start: dict[str, Any],
    seed: int,
    kind: Kind = Referee,
    *,
    turns: int = 1,
    **rules: str,
) -> Counter[str]:
    """Play a position for some turns; what was seen on the way."""
    rng = Random(seed)
    table = Table.from_position(start, card_set=_card_set(**rules))
    referee = kind(start)
    played: list[str] = []
    _check(table, referee, start, played)
    while not referee.winner and referee.turn < start["turn"] + turns:
        move = _answer(rng, referee.question_moves())
        table.play(move)
        referee.play(move)
        played.append(move)
        _check(table, referee, start, played)
    return referee.seen + Counter({"moves": len(played)})


def compare_attacks(seeds: Iterable[int], kind: Kind = Referee, **rules: str) -> Counter[str]:
    """From the start of the Attack phase."""
    plays = (compare(tangled_position(n, "attack"), n, kind, **rules) for n in seeds)
    return sum(plays, Counter())


def compare_turns(seeds: Iterable[int], kind: Kind = Referee) -> Counter[str]:
    """From the start of a Recruitment."""
    plays = (compare(tangled_position(n, "recruitment"), n, kind) for n in seeds)
    return sum(plays, Counter())


def compare_games(seeds: Iterable[int]) -> Counter[str]:
    """From the deal to the end."""
    plays = (compare(Table.new(seed=n).position(), n, turns=34) for n in seeds)
    return sum(plays, Counter())
