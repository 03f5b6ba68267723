"""Compiled code and plain Python play the same games; bounds are checked when asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from skirmish_env.common.jit import PLAIN
from tests.parity.random_games import trail, trails

ROOT = Path(__file__).parents[2]
FAST_GAMES = 150
SLOW_GAMES = 1000


def run_script(name: str, *arguments: str, **flags: str) -> subprocess.CompletedProcess[str]:
    """Run a script of this folder with warnings as errors and numba's flags as given only."""
    cleared = {"NUMBA_DISABLE_JIT": "0", "NUMBA_BOUNDSCHECK": "0"}
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", f"tests.parity.{name}", *arguments],
        cwd=ROOT,
        env={**os.environ, **cleared, **flags},
        capture_output=True,
        text=True,
    )


def in_plain_mode(games: int) -> list[str]:
    run = run_script("random_games", str(games), NUMBA_DISABLE_JIT="1")
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


@pytest.mark.skipif(PLAIN, reason="the compiled run makes the same comparison")
@pytest.mark.parametrize(
    "games", [FAST_GAMES, pytest.param(SLOW_GAMES, marks=pytest.mark.slow)], ids=str
)
def test_compiled_and_plain_games_agree_in_every_byte(games: int) -> None:
    own, other = trails(games), in_plain_mode(games)
    assert len(own) == len(set(own)) == len(other) == games
    assert not [number for number in range(games) if own[number] != other[number]]


def test_a_game_leaves_the_same_trail_again() -> None:
    assert trail(3) == trail(3) != trail(7)


def test_bounds_are_checked_when_asked_for(tmp_path: Path) -> None:
    """Checked and unchecked machine code in one cache never stand in for each other."""
    cache = {"SKIRMISH_CACHE_DIR": str(tmp_path)}
    for _ in range(2):
        unchecked = run_script("out_of_range", **cache)
        assert (unchecked.returncode, unchecked.stdout) == (0, "3\n"), unchecked.stderr
        checked = run_script("out_of_range", NUMBA_BOUNDSCHECK="1", **cache)
        assert checked.returncode == 1
        assert "IndexError" in checked.stderr
    assert len(list(tmp_path.glob("numba-*/**/*.code"))) == 2


def test_plain_python_checks_bounds_by_itself() -> None:
    plain = run_script("out_of_range", NUMBA_DISABLE_JIT="1")
    assert plain.returncode == 1
    assert "IndexError" in plain.stderr
