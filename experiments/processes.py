"""Work in several processes of one thread each: what they need, and a crew that shares tasks."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from typing import Any

# Before libraries are loaded in a new process: one thread each, and idle ones do not spin.
ONE_THREAD = {
    "OMP_WAIT_POLICY": "PASSIVE",
    **dict.fromkeys(
        ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"
    ),
}

Say = Callable[[Any], object]
Work = Callable[[Any, Say], Any]
Serve = Callable[[Connection, Any], object]


class ProcessLost(RuntimeError):
    """A process ended before its task did; what went wrong it has printed itself, if it could."""


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def variables(changes: dict[str, str]) -> Iterator[None]:
    """Set environment variables for processes started here, and put them back."""
    before = {key: os.environ.get(key) for key in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for key, value in before.items():
            if value is None:
                del os.environ[key]
            else:
                os.environ[key] = value


class Member:
    """A process of one thread that does one task after the other, at the other end of a pipe.

    Args:
        serve: `(pipe, work)` is called in that process; when the pipe breaks, it ends in silence.
        work: what `serve` does the tasks with; like `serve` it must be picklable.

    Attributes:
        pipe, process: to it, and itself.
        task: what it was given and has not done yet, or None.
    """

    def __init__(self, serve: Serve, work: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=begin, args=(theirs, serve, work), daemon=True)
        with variables(ONE_THREAD):  # libraries read it when they are imported
            self.process.start()
        theirs.close()
        self.task: Any = None

    def exit_code(self) -> int | None:
        """Wait until it has ended by itself; return its code."""
        self.process.join()
        return self.process.exitcode

    def close(self) -> None:
        """End it, whatever it does."""
        self.process.terminate()
        self.process.join()
        self.process.close()
        self.pipe.close()


def begin(pipe: Connection, serve: Serve, work: Any) -> None:
    """Serve in a new process, until the other end of the pipe is gone; other errors are shown."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the first process's to answer
    try:
        serve(pipe, work)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except Exception:
        traceback.print_exc()
        sys.exit(1)


def side_by_side(
    work: Work, tasks: Sequence[Any], jobs: int, hear: Callable[[Any, Any], object]
) -> Iterator[tuple[Any, Any]]:
    """Yield (task, result) as tasks end, up to `jobs` of them at once.

    The processes end with this generator, however it ends, and with this process.

    Args:
        work: `(task, say)` gives a task's result in a process that keeps this function; like
            tasks, results and what it says it must be picklable.
        tasks: given out in this order.
        jobs: processes.
        hear: is called with a task and each thing that `work` says about it.

    Raises:
        ProcessLost: one of them ended before its task did.
    """
    waiting = list(tasks)
    crew = [Member(_serve, work) for _ in range(min(jobs, len(waiting)))]
    try:
        for member in crew:
            _give(member, waiting.pop(0))
        while busy := {member.pipe: member for member in crew if member.task is not None}:
            for pipe in wait(list(busy)):
                member = busy[pipe]
                done, told = _received(member)
                if not done:
                    hear(member.task, told)
                    continue
                task, member.task = member.task, None
                if waiting:
                    _give(member, waiting.pop(0))
                yield task, told
    finally:
        for member in crew:
            member.close()


def _give(member: Member, task: Any) -> None:
    member.task = task
    member.pipe.send(task)


def _received(member: Member) -> tuple[bool, Any]:
    """Return one message: whether it is a result, and what was told."""
    try:
        return member.pipe.recv()
    except (EOFError, ConnectionResetError):
        code = member.exit_code()
        raise ProcessLost(f"{member.task}: its process ended with code {code}") from None


def _serve(pipe: Connection, work: Work) -> None:
    """Do the tasks that come through a pipe."""
    while True:
        task = pipe.recv()
        result = work(task, lambda told: pipe.send((False, told)))
        pipe.send((True, result))
