"""One decorator for every compiled function, and the cache that its machine code lives in.

numba's own cache notices edits of the decorated function's file only, and does not know whether
bounds are checked. So the folder's name carries a hash of every compiled room, numba's version
and the bounds flag: an edit anywhere in the core leads to a new folder, never to stale code.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import config, types

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent.parent
COMPILED_ROOMS = ("common", "new_york")
PLAIN_FILES = ("draw.py", "notation.py", "table.py")  # words only: nothing compiled reads them
KEEP_DAYS = 14
PLAIN = bool(config.DISABLE_JIT)


def source_hash() -> str:
    """Hash of the compiled rooms' sources: 12 hexadecimal digits."""
    digest = hashlib.sha256()
    for room in COMPILED_ROOMS:
        for file in sorted((PACKAGE / room).rglob("*.py")):
            if file.name not in PLAIN_FILES:
                digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]


def _cache_root() -> Path:
    """Return the first writable place for machine code: named, per user, then temporary."""
    named = os.environ.get("SKIRMISH_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR")
    if named:
        candidates = [Path(named)]
    else:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
        candidates = [home / "skirmish_env"]
    candidates.append(Path(tempfile.gettempdir()) / f"skirmish_env_{os.getuid()}")
    for root in candidates:
        try:
            root.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(root, os.W_OK):
            return root
    return candidates[-1]


def _open_cache() -> Path:
    root = _cache_root()
    bounds = "checked" if config.BOUNDSCHECK else "fast"
    folder = root / f"code-{source_hash()}-numba{numba.__version__}-{bounds}"
    _forget_old(root, folder)
    folder.mkdir(exist_ok=True)
    os.utime(folder)
    return folder


def _forget_old(root: Path, current: Path) -> None:
    """Delete folders that no run has opened for two weeks (a young one may be in use)."""
    oldest = time.time() - KEEP_DAYS * 86400
    for folder in root.glob("code-*"):
        if folder != current and folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)


CACHE = None if PLAIN else _open_cache()


def compiled(function: F | None = None, *, parallel: bool = False, inline: bool = False) -> Any:
    """Compile a function with numba, or leave it plain Python under ``NUMBA_DISABLE_JIT=1``."""
    if function is None:
        return lambda f: compiled(f, parallel=parallel, inline=inline)
    if PLAIN:
        return function
    before = config.CACHE_DIR
    config.CACHE_DIR = str(CACHE)
    try:
        options = {"inline": "always"} if inline else {}
        dispatcher = numba.njit(cache=True, nogil=True, parallel=parallel, **options)(function)
    finally:
        config.CACHE_DIR = before
    _compile_once(dispatcher)
    return dispatcher


def _compile_once(dispatcher: Any) -> None:
    """Let compiled callers pass every integer as int64.

    By itself numba compiles a function anew for each mixture of int8, bool, literal and int64
    arguments that it is called with: more than twice the functions, for nothing.
    """
    resolve = dispatcher.get_call_template

    def resolve_widened(args: Any, kws: Any) -> Any:
        return resolve(tuple(map(_widened, args)), {k: _widened(a) for k, a in kws.items()})

    dispatcher.get_call_template = resolve_widened


def _widened(argument: types.Type) -> types.Type:
    plain = types.unliteral(argument)
    return types.int64 if isinstance(plain, (types.Integer, types.Boolean)) else plain


def announce_compilation() -> None:
    """Say once, on stderr, that machine code is about to be made, where none is cached."""
    if CACHE is None or any(CACHE.rglob("*.nbi")):
        return
    print(
        "skirmish_env: compiling the rules core (once for this version; up to a minute) ...",
        file=sys.stderr,
        flush=True,
    )
