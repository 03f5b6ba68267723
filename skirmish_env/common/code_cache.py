"""Where compiled code is kept between processes, and how it gets there and back whole.

numba's own cache numbers its files and keeps an index of them: two processes that compile at the
same time can take the same number, and a damaged file ends the program. Here every function and
signature has one file. Its name is a hash of all that the code depends on, so processes can only
ever write the same to it; it is written aside and renamed; it begins with a checksum, and a file
that does not fit its own is compiled again and replaced.

What is loaded is run, so a folder only counts where nobody else can write to it.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import shutil
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import config
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

NAME = __name__.partition(".")[0]
VARIABLE = f"{NAME.partition('_')[0].upper()}_CACHE_DIR"
KEEP_DAYS = 14
CHECKSUM = hashlib.sha256().digest_size

# What, beside source, types and processor, leads to other machine code or another file format.
SETTINGS = (
    *(numba.__version__, np.__version__, sys.implementation.cache_tag),
    *(config.OPT, config.LOOP_VECTORIZE, config.SLP_VECTORIZE, config.DEBUGINFO_DEFAULT),
)


def say(words: str) -> None:
    """Tell whoever sits before the program, without a word into its output."""
    print(f"{NAME}: {words}", file=sys.stderr, flush=True)


# ---- the folder


def _candidates() -> Iterator[Path]:
    """Folders for compiled code in the order of preference: the user's, a temporary one."""
    with contextlib.suppress(RuntimeError):  # a user without a home
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / NAME
    with contextlib.suppress(FileNotFoundError):  # no temporary folder can be written to
        user = getattr(os, "getuid", lambda: "user")()
        yield Path(tempfile.gettempdir()) / f"{NAME}_{user}"


def _is_private(folder: Path) -> bool:
    """Whether only this user and the system's administrator can put code into a folder."""
    if not hasattr(os, "getuid"):
        return True
    owners = {folder.lstat().st_uid, folder.stat().st_uid}  # of a link, and where it leads
    return owners <= {os.getuid(), 0} and not folder.stat().st_mode & 0o022


def _fault(folder: Path, *, named: bool) -> str:
    """Say what keeps compiled code out of a folder, which is made if it is missing; "" if nothing.

    Who names a folder answers for who else can write to it.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not named and not _is_private(folder):
            return "others own it or may write to it"
    except OSError as error:
        return error.strerror or str(error)
    return "" if os.access(folder, os.W_OK) else "not writable"


@dataclass(frozen=True)
class Place:
    """Where compiled code is read from, if anywhere, whether it is kept there, what was refused."""

    root: Path | None
    writable: bool
    faults: tuple[str, ...]


@functools.cache
def place() -> Place:
    """Choose the folder for compiled code, once a process.

    A folder that the user has named is the only candidate, and is read from even where it cannot
    be written to: compiled ahead, it may belong to a read-only image.
    """
    if named := os.environ.get(VARIABLE) or os.environ.get("NUMBA_CACHE_DIR"):
        folder = Path(named).absolute()
        fault = _fault(folder, named=True)
        root = folder if folder.is_dir() else None
        return Place(root, not fault, (f"{folder}: {fault}",) if fault else ())
    faults: list[str] = []
    for folder in _candidates():
        if not (fault := _fault(folder, named=False)):
            return Place(folder, True, tuple(faults))
        faults.append(f"{folder}: {fault}")
    return Place(None, False, tuple(faults))


def announce() -> None:
    """Say that code is being compiled, where it is kept, and why not elsewhere."""
    chosen = place()
    for fault in chosen.faults:
        say(f"cannot keep compiled code in {fault}")
    if chosen.writable:
        say(f"compiling into {chosen.root} (once for this version; about a minute) ...")
    else:
        say(f"compiling (in every process; about a minute). {VARIABLE} names a folder to keep it")


@functools.cache
def forget_old(root: Path) -> None:
    """Delete code that no process has loaded for two weeks."""
    oldest = time.time() - KEEP_DAYS * 86400
    for folder in root.glob("numba-*/*-*"):
        with contextlib.suppress(FileNotFoundError):  # another process forgets it too
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def _mark_used(folder: Path) -> None:
    """Put off the day on which a folder's code is forgotten; once a process."""
    with contextlib.suppress(OSError):  # missing, or not ours to write to
        os.utime(folder)


# ---- one function's code


def write(file: Path, payload: bytes) -> None:
    """Put a payload into a file, at once or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    aside = file.with_name(f"{file.name}.{uuid.uuid4().hex}.part")
    try:
        aside.write_bytes(hashlib.sha256(payload).digest() + payload)
        os.replace(aside, file)
    except OSError:
        aside.unlink(missing_ok=True)
        raise


def read(file: Path) -> bytes | None:
    """Return the payload of a file, or None where there is none that is whole."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        say(f"cannot read {file} ({error.strerror}); compiling anew")
        return None
    payload = content[CHECKSUM:]
    if hashlib.sha256(payload).digest() != content[:CHECKSUM]:
        say(f"{file} is damaged; compiling anew")
        return None
    return payload


class CodeCache:
    """The compiled code of one function, by signature: what numba calls a dispatcher's cache.

    `version` tells this function's source, and all that it depends on, from any other.
    """

    unwritable = False  # once something could not be written, nothing else is tried

    def __init__(self, function: Callable[..., Any], version: str) -> None:
        self._name = function.__qualname__
        self._source = function.__code__.co_filename  # tracebacks show it
        bounds = "checked" if config.BOUNDSCHECK else "fast"
        module = function.__module__.rpartition(".")[2]
        self._folder = Path(f"numba-{numba.__version__}-{bounds}", f"{module}-{version}")

    @property
    def cache_path(self) -> str | None:
        """Folder of the function's code."""
        root = place().root
        return str(root / self._folder) if root else None

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the compiled function for a signature, or None where it is to be compiled."""
        root = place().root
        if root is None:
            return None
        target.refresh()
        payload = read(root / self._file(signature, target.codegen()))
        if payload is None:
            return None
        _mark_used(root / self._folder)
        return CompileResult._rebuild(target, *pickle.loads(payload))

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep a compiled function for the processes that come."""
        root = place().root
        if root is None or not place().writable or CodeCache.unwritable:
            return
        if result.library.has_dynamic_globals:
            say(f"{self._name} holds an address: no other process could use its code")
            return
        forget_old(root)
        try:
            write(root / self._file(signature, result.codegen), dumps(result._reduce()))
        except OSError as error:
            CodeCache.unwritable = True
            say(
                f"cannot keep compiled code in {root} ({error.strerror}): the next process "
                f"compiles it again; {VARIABLE} names another folder"
            )

    def flush(self) -> None:
        """Delete what is kept of this function."""
        if folder := self.cache_path:
            for file in Path(folder).glob(f"{self._name}-*.code"):
                file.unlink(missing_ok=True)

    def _file(self, signature: Any, codegen: Any) -> Path:
        """File of a signature, from the cache's root. It depends on the processor, too."""
        key = repr((self._source, self._name, str(signature), codegen.magic_tuple(), SETTINGS))
        return self._folder / f"{self._name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.code"
