"""Games played by an independent implementation of the rules, followed move by move.

Each game has a start position, at every decision the side that must decide, the legal moves and
the one made, at some questions the position after it, and at the end the winner and the position.
A few starts were written down at the first question, when part of the Attack phase was over;
tests/data/conformance_starts.json changes them back to the start of that phase.
"""

from __future__ import annotations

import copy
import functools
import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skirmish_env import Table, action_to_move, move_to_action
from skirmish_env.new_york import notation, rules
from skirmish_env.new_york.cards import load

Game = dict[str, Any]
Position = dict[str, Any]

DATA = Path(__file__).parents[1] / "data"
GAMES = 300
DECISIONS = 16_299
POSITIONS = 1_731
CHUNK = 10
RECORD_SKIPS = 5  # one game in five also skips inside the record: plain mode is slow
CORRECTED = (80, 86, 104, 131, 152, 173, 192, 201, 239, 266)
CARDS = load()
ONE_SET = np.zeros(1, np.int64)

in_chunks = pytest.mark.parametrize(
    "numbers",
    [range(first, first + CHUNK) for first in range(0, GAMES, CHUNK)],
    ids=lambda numbers: f"games {numbers[0]}-{numbers[-1]}",
)


@functools.cache
def games() -> list[Game]:
    text = gzip.decompress((DATA / "conformance_games.jsonl.gz").read_bytes()).decode()
    return [json.loads(line) for line in text.splitlines()]


@functools.cache
def corrections() -> dict[int, Position]:
    entries = json.loads((DATA / "conformance_starts.json").read_text(encoding="utf-8"))
    return {entry["game"]: entry["changes"] for entry in entries}


def changed(position: Position, changes: Position) -> Position:
    """A position with some keys changed, those of a side one by one."""
    inner = {
        key: changed(position[key], value) if isinstance(value, dict) else value
        for key, value in changes.items()
    }
    return {**position, **inner}


def start_of(number: int) -> Position:
    return changed(games()[number]["start"], corrections().get(number, {}))


def compared(position: Position, *left_out: str) -> Position:
    """The keys that the recorded positions hold as well."""
    return {key: value for key, value in position.items() if key not in ("on_turn", *left_out)}


def differing(found: Position, recorded: Position) -> str:
    keys = sorted(found.keys() | recorded.keys())
    return "; ".join(
        f"{key}: {found.get(key)!r}, recorded {recorded.get(key)!r}"
        for key in keys
        if found.get(key) != recorded.get(key)
    )


def difference(game: Game, start: Position) -> str | None:
    """Play a game from a start; the first difference in words, or None."""
    try:
        table = Table.from_position(start, card_set=CARDS)
    except ValueError as error:
        return f"start: {error}"
    for number, step in enumerate(game["steps"]):
        if found := difference_at(table, step):
            return f"step {number}: {found}"
    if table.winner != game["winner"]:
        return f"winner: {table.winner}, recorded {game['winner']}"
    end = [compared(position, "phase", "to_move") for position in (table.position(), game["end"])]
    return f"end: {differing(*end)}" if end[0] != end[1] else None


def difference_at(table: Table, step: dict[str, Any]) -> str | None:
    """Compare one decision, make its move and compare what it led to."""
    if table.to_move != step["to_move"]:
        return f"{table.to_move} to move, recorded {step['to_move']}"
    legal = table.legal()
    actions = [move_to_action(move) for move in legal]
    if actions != sorted(set(actions)) or [action_to_move(a) for a in actions] != legal:
        return f"options out of order: {legal}"
    if set(legal) != set(step["legal"]):
        return f"legal only in one of the two: {sorted({*legal} ^ {*step['legal']})}"
    if step["move"] not in legal:
        return f"{step['move']!r} is not legal"
    table.play(step["move"])
    if "position_after" in step:
        found, recorded = compared(table.position()), step["position_after"]
        if found != recorded:
            return f"position after: {differing(found, recorded)}"
    return None


def test_the_record_is_complete() -> None:
    steps = [step for game in games() for step in game["steps"]]
    assert len(games()) == GAMES
    assert len(steps) == DECISIONS
    assert sum("position_after" in step for step in steps) == POSITIONS
    assert all(len(step["legal"]) == len(set(step["legal"])) for step in steps)


@in_chunks
def test_every_game_is_played_alike(numbers: range) -> None:
    found = {number: difference(games()[number], start_of(number)) for number in numbers}
    assert not {number: words for number, words in found.items() if words}


@in_chunks
def test_the_first_question_stands_where_the_record_starts(numbers: range) -> None:
    """A corrected start runs by itself, without a question, into the one written down."""
    for number in numbers:
        table = Table.from_position(start_of(number), card_set=CARDS)
        assert compared(table.position()) == games()[number]["start"], f"game {number}"


# ---------------------------------------------------------------------------------------------
# Forced answers left out.


@in_chunks
def test_a_table_that_skips_forced_questions_plays_the_same_game(numbers: range) -> None:
    for number in numbers:
        game = games()[number]
        table = Table.from_position(start_of(number), skip_forced=True, card_set=CARDS)
        for step in game["steps"]:
            if len(step["legal"]) > 1:
                table.play(step["move"])
        assert table.log == [step["move"] for step in game["steps"]], f"game {number}"
        assert table.winner == game["winner"]
        ends = [compared(end, "phase", "to_move") for end in (table.position(), game["end"])]
        assert ends[0] == ends[1], f"game {number}"


@in_chunks
def test_a_record_that_skips_forced_questions_ends_the_same(numbers: range) -> None:
    """The option inside the record leaves every other field as if each question had been put."""
    for number in numbers[::RECORD_SKIPS]:
        ends = []
        for skip_forced in (0, 1):
            states = notation.build(start_of(number), CARDS)
            states["skip_forced"] = skip_forced
            rules.start(states, 0, CARDS.record, ONE_SET)
            for step in games()[number]["steps"]:
                if len(step["legal"]) > skip_forced:
                    action = move_to_action(step["move"])
                    rules.step(states, 0, CARDS.record, ONE_SET, action)
            states["skip_forced"] = 0
            ends.append(states.tobytes())
        assert ends[0] == ends[1], f"game {number}"


# ---------------------------------------------------------------------------------------------
# The comparison itself.


def test_exactly_the_listed_starts_are_corrected() -> None:
    assert tuple(sorted(corrections())) == CORRECTED


@pytest.mark.parametrize("number", CORRECTED)
def test_a_corrected_start_is_needed(number: int) -> None:
    game = games()[number]
    assert game["start"]["phase"] == "attack"
    assert difference(game, game["start"]) is not None


def other_side(game: Game) -> None:
    step = game["steps"][5]
    step["to_move"] = "heroes" if step["to_move"] == "villains" else "villains"


def a_move_more(game: Game) -> None:
    game["steps"][5]["legal"].append("civilian red")


def a_move_less(game: Game) -> None:
    game["steps"][5]["legal"].pop(0)


def another_move(game: Game) -> None:
    step = game["steps"][0]
    step["move"] = next(move for move in step["legal"] if move != step["move"])


def an_illegal_move(game: Game) -> None:
    game["steps"][5]["move"] = "fetch zola_1"


def another_position(game: Game) -> None:
    seen = [step["position_after"] for step in game["steps"] if "position_after" in step]
    seen[-1]["villains"]["deck"].reverse()


def another_winner(game: Game) -> None:
    game["winner"] = "draw"


def another_end(game: Game) -> None:
    game["end"]["artifact_stack"].reverse()


def another_start(game: Game) -> None:
    game["start"]["heroes"]["deck"].reverse()


def too_short(game: Game) -> None:
    game["steps"].pop()


TAMPERINGS: dict[Callable[[Game], None], str] = {
    other_side: "step 5: .* to move, recorded",
    a_move_more: r"step 5: legal only in one of the two: \['civilian red'\]",
    a_move_less: "step 5: legal only in one of the two",
    another_move: "step",
    an_illegal_move: "step 5: 'fetch zola_1' is not legal",
    another_position: "step .*: position after: villains",
    another_winner: "winner",
    another_end: "end: artifact_stack",
    another_start: "step",
    too_short: "winner: None",
}


@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda tamper: tamper.__name__)
def test_a_tampered_game_is_noticed(tamper: Callable[[Game], None]) -> None:
    game = copy.deepcopy(games()[0])
    assert difference(game, game["start"]) is None
    tamper(game)
    found = difference(game, game["start"])
    assert found is not None
    assert re.match(TAMPERINGS[tamper], found), found
