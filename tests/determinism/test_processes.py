"""The same seeds give the same games in other processes, with other hash salts and threads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from skirmish_env.common.jit import PLAIN
from tests.determinism.everything import lines, rolled_out

ROOT = Path(__file__).parents[2]
MANY, FEW = (1 if PLAIN else 8), 1


def in_another_process(games: int, threads: int, **flags: str) -> list[str]:
    """Lines of a new process, which says how many threads it had."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.determinism.everything", str(games)],
        cwd=ROOT,
        env={**os.environ, "NUMBA_NUM_THREADS": str(threads), **flags},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    *found, said = run.stdout.splitlines()
    assert said == f"threads {threads}"
    return found


def test_neither_hash_salt_nor_threads_matter():
    own = list(lines(MANY))
    assert len(own) == len(set(own)) == 9
    for threads, salt in ((1, "0"), (2, "4242")):
        assert in_another_process(MANY, threads, PYTHONHASHSEED=salt) == own, f"{threads} threads"


@pytest.mark.slow  # of the rules alone tests/parity says so on every change
def test_compiled_and_plain_mode_play_the_same():
    other = in_another_process(FEW, 1, NUMBA_DISABLE_JIT="0" if PLAIN else "1")
    assert other == list(lines(FEW))


def test_a_game_does_not_depend_on_those_beside_it():
    """What threads may cut a batch into: every game alone comes out as among the others."""
    games, decisions = (3, 60) if PLAIN else (12, 400)
    together = rolled_out(games, decisions)
    assert PLAIN or together[2].any()
    for number in range(games):
        alone = rolled_out(1, decisions, first=number)
        for of_all, of_one in zip(together, alone, strict=True):
            assert of_all[number].tobytes() == of_one[0].tobytes(), f"game {number}"


@pytest.mark.parametrize("games", [1, 2])
def test_other_games_are_noticed(games):
    assert rolled_out(games, 30)[0].tobytes() != rolled_out(games, 30, first=1)[0].tobytes()
