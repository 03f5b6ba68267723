"""Golden games: whole games as text (tests/traces/games), replayed line by line.

They change by an explicit command only: see `write.py`, and `search.py` for other games.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

import pytest

from skirmish_env.common.jit import PLAIN
from skirmish_env.new_york import ids
from skirmish_env.new_york.cards import load
from tests.traces.trace import FOLDER, MOVE, again, changes, names, read

LEAST, MOST, BYTES = 6, 10, 400_000
CONTEXT = 8  # lines shown before the first difference
DECISION = re.compile(r"\d+\. turn \d+, .*; (villains|heroes): ([a-z ]+?)(?: \((\w+)\))?")


def difference(stored: list[str], found: list[str]) -> str | None:
    """The first line that differs with those before it, or None."""
    for number, (line, other) in enumerate(zip_longest(stored, found)):
        if line != other:
            before = [f"    {same}" for same in stored[max(0, number - CONTEXT) : number]]
            wrong = [f"  - {_or_end(line)}", f"  + {_or_end(other)}"]
            return "\n".join([f"line {number + 1} (- stored, + played now):", *before, *wrong])
    return None


def _or_end(line: str | None) -> str:
    return "(nothing more)" if line is None else line


def decisions() -> Iterator[tuple[str, ...]]:
    """Side asked, question and source of every stored decision."""
    for name in names():
        for line in read(name):
            if match := DECISION.fullmatch(line):
                yield match.groups(default="")


def moves() -> set[str]:
    stored = (line for name in names() for line in read(name) if line.startswith(MOVE))
    return {line.removeprefix(MOVE) for line in stored}


# In plain mode a game takes seconds: there all but the first are slow.
@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.slow if PLAIN and i else ()) for i, n in enumerate(names())],
)
def test_a_stored_game_is_played_alike(name):
    stored = read(name)
    if words := difference(stored, again(stored)):
        pytest.fail(f"{name}: {words}", pytrace=False)


def test_the_games_are_a_few_and_no_burden():
    assert LEAST <= len(names()) <= MOST
    assert sum(path.stat().st_size for path in FOLDER.glob("*.txt")) < BYTES


def test_together_they_reach_every_question():
    assert {question for _, question, _ in decisions()} == set(ids.QUESTIONS) - {""}


def test_together_they_play_every_card_and_use_every_artifact():
    assert {f"play {card}" for card in load().ids} <= moves()
    assert {f"artifact {tile}" for tile in ids.ARTIFACT_IDS} <= moves()
    assert {"waive", "yes", "no", "done"} <= moves()
    assert {move.split()[0] for move in moves()} >= {"fetch", "discard", "civilian", "slot", "tuck"}


def test_together_they_end_in_every_way():
    results = {line for name in names() for line in read(name) if line.startswith("result: ")}
    won = {f"{side} by {how}" for side in ids.SIDES for how in ("victory", "deck")}
    assert {f"result: {one}" for one in (*won, "heroes by civilians", "draw by deck")} == results


# ---------------------------------------------------------------------------------------------
# The comparison itself.


def test_a_difference_is_shown_at_its_first_line():
    assert difference(["a", "b", "c"], ["a", "b", "c"]) is None
    found = difference(["a", "b", "c"], ["a", "x", "y"])
    assert found == "line 2 (- stored, + played now):\n    a\n  - b\n  + x"
    assert difference(["a"], ["a", "b"]).endswith("  - (nothing more)\n  + b")


@pytest.mark.parametrize(
    ("pattern", "instead", "said"),
    [
        (r"^  victory (\S+) -> .*", r"  victory \1 -> 99", r"- +victory .* -> 99\n.*\+ +victory"),
        (r"^  options: .*", "  options: done", r"- +options: done\n.*\+ +options: .*,"),
        (r"^  move: .*", "  move: tuck 6", r"\+ +not played: 'tuck 6' is not legal for villains"),
        (r"^result: .*", "result: nobody", r"- result: nobody\n.*\+ result: "),
    ],
    ids=["a change", "the options", "a move", "the result"],
)
def test_a_changed_line_is_noticed(pattern, instead, said):
    stored = read(names()[0])
    at = next(n for n, line in enumerate(stored) if re.match(pattern, line))
    tampered = [*stored[:at], re.sub(pattern, instead, stored[at]), *stored[at + 1 :]]
    found = difference(tampered, again(tampered))
    assert found is not None
    assert found.startswith(f"line {at + 1} " if "move" not in pattern else f"line {at + 2} ")
    assert re.search(said, found), found


def test_changes_in_words():
    before = {
        "victory": 0, "turn": 1, "civilians": ["rygb", "y"],
        "villains": {"hand": ["a", "b"], "deck": ["c", "d", "e"], "slots": ["a:1", None]},
    }  # fmt: skip
    after = {
        "victory": -2, "turn": 2, "civilians": ["ryg", "y"],
        "villains": {"hand": ["b", "b", "c"], "deck": ["d", "e"], "slots": [None, "a:2"]},
    }  # fmt: skip
    assert changes(before, after) == [
        "victory 0 -> -2",
        "civilians 1 rygb -> ryg",
        "villains.hand -a +b +c",
        "villains.deck -c",
        "villains.slots 1 a:1 -> -, 2 - -> a:2",
    ]
    turned = {**before, "villains": {**before["villains"], "deck": ["c", "e", "d"]}}
    assert changes(before, turned) == ["villains.deck = c e d"]
