"""Wall time by part of a program, in a few microseconds a call."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any


class Clock:
    """Charges all time to the part that runs; while a part calls another, its own stands still.

    Args:
        part: what runs at first.
        now: seconds of a clock that never goes back.
    """

    def __init__(self, part: str, now: Callable[[], float] = time.perf_counter) -> None:
        self._now = now
        self._open = [part]
        self._seconds: dict[str, float] = {}
        self._mark = now()

    def _charge(self) -> None:
        now, part = self._now(), self._open[-1]
        self._seconds[part] = self._seconds.get(part, 0.0) + now - self._mark
        self._mark = now

    def switch(self, part: str) -> None:
        """Let another part run from now on, outside of all `part` blocks."""
        self._charge()
        self._open[0] = part

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Charge what happens inside to a part."""
        self._charge()
        self._open.append(name)
        try:
            yield
        finally:
            self._charge()
            self._open.pop()

    def timed(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return the same function, its time charged to a part."""

        @wraps(call)
        def charged(*arguments: Any, **options: Any) -> Any:
            with self.part(name):
                return call(*arguments, **options)

        return charged

    def take(self) -> dict[str, float]:
        """Return the seconds of each part since the last call, and begin anew."""
        self._charge()
        taken, self._seconds = self._seconds, {}
        return taken


@contextmanager
def timing(clock: Clock, owner: Any, parts: dict[str, str]) -> Iterator[None]:
    """Time methods {name: part} of one object as long as the block runs.

    Raises:
        AttributeError: it has no such method.
    """
    before = {name: vars(owner).get(name) for name in parts}
    try:
        for name, part in parts.items():
            setattr(owner, name, clock.timed(part, getattr(owner, name)))
        yield
    finally:
        for name, method in before.items():
            if method is not None:
                setattr(owner, name, method)
            elif name in vars(owner):
                delattr(owner, name)
