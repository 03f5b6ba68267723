"""How a speed is measured, here and by the scripts of the peers. Standard library alone.

A script hands `serve` a list of rows. `serve` measures all of them once for each repeat and prints
JSON lines: first the versions, then each row with its value, then `{"end": true}` after each
repeat. With `--wait` it measures the rows of a door whenever that door comes in on standard input,
until the input ends.

Doors: `step` one game, one decision a call; `step rules` the same without mask and observation;
`batch` many games, one decision of all a call; `rollout` whole games inside the engine; `rollout
rules` the same without mask and observation; `clone` one copy of one game.

A decision is a question with at least two legal options, answered by a uniform draw, for which
mask and observation were made. Forced moves are played and not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, NamedTuple

SPEED, GAMES = "decisions a second", "games a second"
SIMULATIONS = "simulations a second"
MICROSECONDS, SECONDS = "microseconds", "seconds"
LENGTHS = {MICROSECONDS: 1e6, SECONDS: 1.0}  # units of which less is better

Done = int | float | tuple[int, float]
Play = Callable[[int], Done]


class Row(NamedTuple):
    """One measurement.

    `make()` returns `play(n)`, which does n or a few more and says how many; where only a part of
    its time counts, it says how many and in how many seconds. `part` scales the time of one
    measurement.
    """

    name: str
    door: str
    make: Callable[[], Play]
    unit: str = SPEED
    threads: int = 1
    note: str = ""
    part: float = 1.0

    def told(self) -> dict[str, Any]:
        """What a table says about the row, its values excepted."""
        return {
            "name": self.name, "door": self.door, "unit": self.unit,
            "threads": self.threads, "note": self.note,
        }  # fmt: skip


class Clock:
    """Measures a row again and again; the first time it warms up and finds a good length."""

    def __init__(self, row: Row, seconds: float) -> None:
        self.row = row
        self.seconds = seconds * row.part
        self._play: Play | None = None
        self._length = 1

    def value(self) -> float:
        """Measure once."""
        if self._play is None:
            play = self.row.make()
            self._warm_up(play)
            self._play = play
        done, taken = timed(self._play, self._length)
        length = LENGTHS.get(self.row.unit)
        return done / taken if length is None else length * taken / done

    def _warm_up(self, play: Play) -> None:
        play(1)
        _, taken = timed(play, self._length)
        while taken < self.seconds / 4:
            self._length *= 2
            _, taken = timed(play, self._length)
        self._length = max(1, round(self._length * self.seconds / taken))


def timed(play: Play, length: int) -> tuple[float, float]:
    """Return how much was done, and in how many seconds."""
    began = time.perf_counter()
    done = play(length)
    taken = time.perf_counter() - began
    return done if isinstance(done, tuple) else (done, taken)


def serve(packages: list[str], rows: list[Row]) -> None:
    """Measure rows as often as the command line says and print them."""
    parser = argparse.ArgumentParser(description="Measure a peer; prints JSON lines.")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.5, help="length of one measurement")
    parser.add_argument("--wait", action="store_true", help="measure the doors that are read")
    given = parser.parse_args()
    say = printer()
    say({"python": platform.python_version(), "versions": {p: version(p) for p in packages}})
    clocks = [Clock(row, given.seconds) for row in rows]
    asked = map(str.strip, sys.stdin) if given.wait else [None] * given.repeats
    for door in asked:
        for clock in clocks:
            if door in (None, clock.row.door):
                say({**clock.row.told(), **result(clock)})
        say({"end": True})


def result(clock: Clock) -> dict[str, Any]:
    """Return a row's value, or the error that it ended with: a peer's own fault is a result too."""
    try:
        return {"value": clock.value()}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}".splitlines()[0]}


def printer() -> Callable[[dict[str, Any]], None]:
    """Keep standard output for JSON lines: what the peer prints goes to standard error."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def say(message: dict[str, Any]) -> None:
        print(json.dumps(message), file=out, flush=True)

    return say


def draw(legal: Any) -> Any:
    """Draw one of a sequence of legal actions."""
    return legal[int(random.random() * len(legal))]


def calling(call: Callable[[], Any]) -> Play:
    """Return a play that calls something again and again."""

    def play(times: int) -> int:
        for _ in range(times):
            call()
        return times

    return play
