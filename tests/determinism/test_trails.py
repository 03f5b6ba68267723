"""Stored trails of random games: every Python and either mode leaves the same ones.

A trail hashes the whole record after every decision. Where a change of the record, the rules or the
dealing is meant: python -m tests.parity.random_games 300 > tests/determinism/trails.txt
"""

from __future__ import annotations

from pathlib import Path

import pytest

from skirmish_env.common.jit import PLAIN
from tests.parity.random_games import trail

STORED = Path(__file__).with_name("trails.txt").read_text(encoding="utf-8").splitlines()
GAMES = 300
CHUNK = 100
PLAIN_GAMES = 15  # plain Python takes a hundred times longer


def differing(numbers: range) -> dict[int, str]:
    return {n: found for n in numbers if (found := trail(n)) != STORED[n]}


def test_the_stored_games_differ_from_each_other() -> None:
    assert len(STORED) == len(set(STORED)) == GAMES


def test_the_first_games_are_played_as_stored() -> None:
    assert not differing(range(PLAIN_GAMES))


@pytest.mark.parametrize(
    "numbers",
    [
        pytest.param(range(n, n + CHUNK), marks=pytest.mark.slow if PLAIN else ())
        for n in range(0, GAMES, CHUNK)
    ],
    ids=lambda numbers: f"games {numbers[0]}-{numbers[-1]}",
)
def test_games_are_played_as_stored(numbers: range) -> None:
    assert not differing(numbers)
