"""One process at a time works on a run: a lock that the system itself takes from the dead."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from configs.schema import ConfigError

try:
    import fcntl
except ImportError:  # no POSIX system
    fcntl = None

NAME = "run.lock"
PATIENCE = 1.0  # seconds; `owner` holds a lock for a moment when it looks


@contextmanager
def held(folder: Path) -> Iterator[str | None]:
    """Hold a run's lock as long as the block runs; the file then holds this process's number.

    Yields:
        The number of a process that held it before and ended without a word (it was killed, or
        the power failed), or None.

    Raises:
        ConfigError: another process has it.
    """
    if fcntl is None:
        print("This system has no file locks: see to it that one process works on a run.")
        yield None
        return
    path = folder / NAME
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        _take(descriptor, path)
        before = _number(descriptor)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        try:
            yield before
        finally:
            os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def _take(descriptor: int, path: Path) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError as error:
            if time.monotonic() > end:
                raise ConfigError(
                    f"{path.parent}: process {_number(descriptor) or 'unknown'} works on this "
                    "run; wait until it has ended, or stop it with Ctrl-C or SIGTERM"
                ) from error
        time.sleep(0.05)


def _number(descriptor: int) -> str | None:
    return os.pread(descriptor, 32, 0).decode("ascii", errors="replace") or None


def owner(folder: Path) -> tuple[bool, str | None]:
    """Say whether a process works on a run, and the number of it or of one that did.

    Returns:
        (True, number): it runs. (False, number): it ended without a word. (False, None): nobody.
    """
    try:
        descriptor = os.open(folder / NAME, os.O_RDONLY)
    except FileNotFoundError:
        return False, None
    try:
        number = _number(descriptor)
        if fcntl is None:
            return False, number
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return False, number
    except BlockingIOError:
        return True, number
    finally:
        os.close(descriptor)
