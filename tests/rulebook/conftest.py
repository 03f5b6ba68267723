"""Notes what the scenarios carry out, in plain mode: compiled rules cannot be listened to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from skirmish_env.new_york import effects, ids

HERE = Path(__file__).parent
COUNTING_TEST = "test_every_line_of_every_program_is_carried_out"
PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") == "1"

Line = tuple[int, int, int]  # source, occasion, line of its program


@pytest.fixture(scope="session", autouse=True)
def carried_out() -> Iterator[set[Line]]:
    """The lines of cards' and artifacts' programs that have had their effect so far."""
    lines: set[Line] = set()
    with pytest.MonkeyPatch.context() as patch:
        if PLAIN:
            patch.setattr(effects, "carry_out", _noting(effects.carry_out, lines))
            patch.setattr(effects, "take_effect", _noting_answers(effects.take_effect, lines))
        yield lines


def _line(frame, line: int) -> Line:
    return int(frame[ids.F_CARD]), int(frame[ids.F_A]), line


def _noting(carry_out, lines: set[Line]):
    def noting(g, k, frame, verb, amount, second):
        line = _line(frame, int(frame[ids.F_B]) - 1)
        done = carry_out(g, k, frame, verb, amount, second)
        if done and verb != ids.MAY_GIVE_UP:  # which is done there when the hand is empty
            lines.add(line)
        return done

    return noting


def _noting_answers(take_effect, lines: set[Line]):
    def noting(g, k, frame, verb, amount, answer):
        if answer != ids.NO:
            lines.add(_line(frame, int(frame[ids.F_B])))
        take_effect(g, k, frame, verb, amount, answer)

    return noting


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the counting test last, and leave it out where it cannot have seen every scenario."""
    counting = [item for item in items if getattr(item, "originalname", "") == COUNTING_TEST]
    items[:] = [item for item in items if item not in counting]
    collected = {item.path for item in [*items, *counting]}
    whole = collected >= set(HERE.glob("test_*.py")) and not config.option.keyword
    if PLAIN and whole and "PYTEST_XDIST_WORKER" not in os.environ:
        items += counting
    elif counting:
        config.hook.pytest_deselected(items=counting)
