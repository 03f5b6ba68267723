"""One decorator for every compiled function, and the cache that its machine code lives in.

numba's own cache notices edits of the decorated function's file only, and does not know whether
bounds are checked. So each module's code lies in a folder named by numba's version, the bounds
flag, and a hash of the module with all that it imports from this package: an edit leads to new
folders exactly where code depends on it, and never to stale code.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import config, types
from numba.core import event

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent.parent
KEEP_DAYS = 14
PLAIN = bool(config.DISABLE_JIT)

_IMPORT = re.compile(rf"^from ({PACKAGE.name}[\w.]*) import (\([^)]*\)|.*)$", re.MULTILINE)


def _file_of(module: str) -> Path | None:
    """File of one of this package's modules, or None for what is no module."""
    path = PACKAGE.joinpath(*module.split(".")[1:])
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None


@functools.cache
def _imports(module: str) -> tuple[str, ...]:
    """Modules of this package that a module names in its imports."""
    file = _file_of(module)
    text = file.read_text(encoding="utf-8") if file else ""
    found: list[str] = []
    for source, names in _IMPORT.findall(text):
        found.append(source)
        found += [f"{source}.{name}" for name in re.findall(r"\w+", names)]
    return tuple(name for name in found if _file_of(name))


@functools.cache
def source_hash(module: str) -> str:
    """Hash of a module's source and of all it depends on here: 12 hexadecimal digits."""
    needed, waiting = {module}, [module]
    while waiting:
        fresh = set(_imports(waiting.pop())) - needed
        needed |= fresh
        waiting += fresh
    digest = hashlib.sha256()
    for name in sorted(needed):
        file = _file_of(name)
        digest.update(name.encode() + b"\0" + (file.read_bytes() if file else b""))
    return digest.hexdigest()[:12]


def _cache_root() -> Path:
    """Return the first writable place for machine code: named, per user, then temporary."""
    named = os.environ.get("SKIRMISH_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR")
    if named:
        candidates = [Path(named)]
    else:
        home = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
        candidates = [home / "skirmish_env"]
    user = getattr(os, "getuid", lambda: "user")()
    candidates.append(Path(tempfile.gettempdir()) / f"skirmish_env_{user}")
    for root in candidates:
        try:
            root.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(root, os.W_OK):
            return root
    return candidates[-1]


def _open_root() -> Path:
    root = _cache_root()
    _forget_old(root)
    bounds = "checked" if config.BOUNDSCHECK else "fast"
    return root / f"numba-{numba.__version__}-{bounds}"


def _forget_old(root: Path) -> None:
    """Delete code that no run has opened for two weeks (younger code may be in use)."""
    oldest = time.time() - KEEP_DAYS * 86400
    for folder in root.glob("numba-*/*-*"):
        with contextlib.suppress(FileNotFoundError):  # another process forgets it too
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)


CACHE = None if PLAIN else _open_root()


@functools.cache
def cache_folder(module: str) -> Path:
    """Folder of a module's compiled code, made if it is missing."""
    if CACHE is None:
        raise RuntimeError("plain mode has no compiled code")
    folder = CACHE / f"{module.rpartition('.')[2]}-{source_hash(module)}"
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    return folder


def compiled(function: F | None = None, *, parallel: bool = False) -> Any:
    """Compile a function with numba, or leave it plain Python under ``NUMBA_DISABLE_JIT=1``."""
    if function is None:
        return lambda f: compiled(f, parallel=parallel)
    if PLAIN:
        return function
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder(function.__module__))
    try:
        dispatcher = numba.njit(cache=True, nogil=True, parallel=parallel)(function)
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


class _Announcer(event.Listener):
    """Says once, on stderr, that code of this package is being compiled, not loaded."""

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        module = function.__module__ or ""  # functions made by exec have none
        if self.silent or not module.startswith(f"{PACKAGE.name}."):
            return
        self.silent = True
        print(
            "skirmish_env: compiling (once for this version; up to a minute) ...",
            file=sys.stderr,
            flush=True,
        )

    def on_end(self, event: Any) -> None:
        """Nothing to say."""

    silent = False


if not PLAIN:
    event.register("numba:compile", _Announcer())
