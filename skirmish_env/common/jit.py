"""One decorator for every compiled function, and the hash of all the source it depends on.

numba by itself notices edits of the decorated function's file only. Here compiled code is kept
under a hash of the module with all that it imports from this package: an edit leads to new code
exactly where code depends on it, and never to stale code.
"""

from __future__ import annotations

import functools
import hashlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import config, types
from numba.core import event

from skirmish_env.common.code_cache import CodeCache, announce

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent.parent
PLAIN = bool(config.DISABLE_JIT)

_IMPORT = re.compile(r"^from ([\w.]+) import (\([^)]*\)|.*)$", re.MULTILINE)


def _file_of(module: str) -> Path | None:
    """File of a module, or None for what is none; outside this package it must be imported."""
    if module.partition(".")[0] != PACKAGE.name:
        file = getattr(sys.modules.get(module), "__file__", None)
        return Path(file) if file else None
    return _file_inside(module)


@functools.cache
def _file_inside(module: str) -> Path | None:
    path = PACKAGE.joinpath(*module.split(".")[1:])
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None


@functools.cache
def _imports(module: str) -> tuple[str, ...]:
    """Modules of this package, and of the module's own, that a module names in its imports."""
    file = _file_of(module)
    houses = {PACKAGE.name, module.partition(".")[0]}
    text = file.read_text(encoding="utf-8") if file else ""
    found: list[str] = []
    for source, names in _IMPORT.findall(text):
        if source.partition(".")[0] in houses:
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


def compiled(function: F | None = None, *, parallel: bool = False) -> Any:
    """Compile a function with numba, or leave it plain Python under ``NUMBA_DISABLE_JIT=1``."""
    if function is None:
        return lambda f: compiled(f, parallel=parallel)
    if PLAIN:
        return function
    dispatcher = numba.njit(nogil=True, parallel=parallel, no_cfunc_wrapper=True)(function)
    if _file_of(function.__module__):  # what was typed in has none, and is compiled each time
        dispatcher._cache = CodeCache(function, source_hash(function.__module__))
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

    silent = False

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        module = function.__module__ or ""  # functions made by exec have none
        if self.silent or not module.startswith(f"{PACKAGE.name}."):
            return
        self.silent = True
        announce()

    def on_end(self, event: Any) -> None:
        """Nothing to say."""


if not PLAIN:
    event.register("numba:compile", _Announcer())
