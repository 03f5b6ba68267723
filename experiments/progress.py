"""How training is going: a live display in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

LINE_EVERY = 5.0  # seconds between two plain lines


class Display:
    """Shows decisions, speed, scores against each kind of opponent, and the time left.

    Args:
        total: decisions of the whole run.
        start: decisions that an earlier part of it has made.
        live: draw a bar; None finds out whether a person is watching.
        unit: what is counted.
    """

    def __init__(
        self, total: int, start: int = 0, live: bool | None = None, unit: str = "decisions"
    ) -> None:
        self.total = total
        self.unit = unit
        self.start = start
        self.live = sys.stdout.isatty() and "CI" not in os.environ if live is None else live
        self._began = time.monotonic()
        self._last_line = 0.0
        self._bar: Progress | None = None
        self._task = TaskID(0)

    def __enter__(self) -> Display:
        if self.live:
            self._bar = Progress(
                BarColumn(),
                TextColumn("{task.description}"),
                TimeRemainingColumn(),
                console=Console(),
            )
            self._bar.start()
            self._task = self._bar.add_task("starting", total=self.total, completed=self.start)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def rate(self, decisions: int) -> float:
        """Return decisions a second since the display began."""
        return (decisions - self.start) / max(time.monotonic() - self._began, 1e-9)

    def show(
        self,
        decisions: int,
        scores: dict[str, float],
        notes: Sequence[str] = (),
        *,
        last: bool = False,
    ) -> None:
        """Show how far training is; plain lines keep a distance, except the last."""
        rate = self.rate(decisions)
        words = [f"{decisions:,} {self.unit}"]
        words += [f"{rate:,.0f}/s"] if decisions > self.start else []
        words += [f"{kind} {score:.0%}" for kind, score in scores.items() if score == score]
        words += notes
        if self._bar is not None:
            self._bar.update(self._task, completed=decisions, description=", ".join(words))
            return
        now = time.monotonic()
        if last or now - self._last_line >= LINE_EVERY:
            self._last_line = now
            left = max(self.total - decisions, 0) / rate if rate > 0 else float("inf")
            if left < float("inf"):
                words.append(f"{int(left) // 60}:{int(left) % 60:02d} left")
            print(", ".join(words), flush=True)
