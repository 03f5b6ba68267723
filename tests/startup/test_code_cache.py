"""Compiled code between processes: never stale, never half, never somebody else's.

A house of four small modules stands in for the package, with the real `common` room inside.
"""

from __future__ import annotations

import ast
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skirmish_env.common import code_cache, jit

NUMBERS = "STEP = 1\n"
LEAF = """
from skirmish_env.common.jit import compiled
from skirmish_env.numbers import STEP


@compiled
def one(a):
    return a + STEP
"""
TOP = """
from skirmish_env.common.jit import compiled
from skirmish_env.leaf import (
    one,
)


@compiled
def two(a):
    return one(a) + 1
"""
APART = """
from skirmish_env.common.jit import compiled


@compiled
def far(a):
    return a - 1
"""
# Arguments are numbers for `two` and `far`; says what came out and what had to be compiled.
PLAY = """
import json
import sys

from numba.core import event


class Watch(event.Listener):
    names = []

    def on_start(self, event):
        self.names.append(event.data["dispatcher"].py_func.__name__)

    def on_end(self, event):
        pass


event.register("numba:compile", Watch())
from skirmish_env.apart import far
from skirmish_env.top import two

values = [(two(a), far(a)) for a in json.loads(sys.argv[1])]
print(json.dumps([values, sorted(Watch.names)]))
"""
ALL = ["far", "one", "two"]
SAID = "skirmish_env: compiling into {} (once for this version; about a minute) ...\n"


class House:
    """A copy of the house, with a home and a temporary folder of its own."""

    def __init__(self, root: Path) -> None:
        self.package, self.home, self.temporary = (root / name for name in ("p", "home", "tmp"))
        self.rooms = self.package / "skirmish_env"
        shutil.copytree(jit.PACKAGE / "common", self.rooms / "common")
        for folder in (self.home, self.temporary):
            folder.mkdir()
        sources = {"__init__": "", "numbers": NUMBERS, "leaf": LEAF, "top": TOP, "apart": APART}
        for name, text in sources.items():
            (self.rooms / f"{name}.py").write_text(text)
        (self.package / "play.py").write_text(PLAY)
        self.cache = self.home / ".cache" / "skirmish_env"
        self.second_cache = self.temporary / f"skirmish_env_{os.getuid()}"

    def begin(
        self,
        arguments: tuple[float, ...] = (5,),
        first: str = "",
        limit: Callable[[], None] | None = None,
        **flags: str,
    ) -> subprocess.Popen[str]:
        """Start a process that calls both functions, after some code and under some limits."""
        environment = {
            "HOME": str(self.home),
            "TMPDIR": str(self.temporary),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_DISABLE_JIT": "0",
            **flags,
        }
        lines = [first, "import runpy, sys", "sys.argv = ['play.py', sys.argv[1]]"]
        script = "\n".join([*lines, "runpy.run_path('play.py', run_name='__main__')"])
        return subprocess.Popen(
            [sys.executable, "-W", "error", "-c", script, json.dumps(arguments)],
            cwd=self.package,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=limit,
        )

    def run(self, *arguments: float, **more: Any) -> tuple[Any, list[str], str]:
        """Return the values, the functions that were compiled, and what was said."""
        return finished(self.begin(arguments or (5,), **more))

    def files(self) -> list[Path]:
        return sorted(path for path in self.home.rglob("*") if path.is_file())

    def block_home(self) -> None:
        """Put a file where the folder for caches should be."""
        (self.home / ".cache").write_text("in the way")


def finished(process: subprocess.Popen[str]) -> tuple[Any, list[str], str]:
    output, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    values, names = json.loads(output)
    return values, names, said


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def edit(file: Path, old: str, new: str) -> None:
    """Change a file and leave its size and its time as they were: only its content tells."""
    before, text = file.stat(), file.read_text()
    assert old in text and len(old) == len(new)
    file.write_text(text.replace(old, new))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


# ---- edits


def test_code_is_compiled_once_and_that_is_said_once(house: House) -> None:
    assert house.run() == ([[7, 4]], ALL, SAID.format(house.cache))
    assert house.run() == ([[7, 4]], [], "")


def test_an_import_alone_says_and_writes_nothing(house: House) -> None:
    assert finished(house.begin(())) == ([], [], "")
    assert house.files() == []


@pytest.mark.parametrize(
    ("module", "old", "new", "value", "compiled"),
    [
        ("leaf", "a + STEP", "a - STEP", [5, 4], ["one", "two"]),
        ("numbers", "STEP = 1", "STEP = 3", [9, 4], ["one", "two"]),  # baked in as a constant
        ("top", "one(a) + 1", "one(a) + 2", [8, 4], ["two"]),
        ("apart", "a - 1", "a - 3", [7, 2], ["far"]),
    ],
)
def test_an_edit_compiles_what_depends_on_it_and_nothing_else(
    house: House, module: str, old: str, new: str, value: list[int], compiled: list[str]
) -> None:
    house.run()
    edit(house.rooms / f"{module}.py", old, new)
    assert house.run()[:2] == ([value], compiled)
    edit(house.rooms / f"{module}.py", new, old)
    assert house.run() == ([[7, 4]], [], "")


GUEST = """
from skirmish_env.common.jit import compiled
from skirmish_env.leaf import one

from guest.numbers import STEP


@compiled
def two(a):
    return one(a) + STEP
"""


@pytest.mark.parametrize(
    ("file", "old", "new", "value", "compiled"),
    [
        ("guest/code.py", "one(a) + STEP", "one(a) - STEP", 5, ["two"]),
        ("guest/numbers.py", "STEP = 1", "STEP = 3", 9, ["two"]),
        ("skirmish_env/leaf.py", "a + STEP", "a - STEP", 5, ["one", "two"]),
    ],
)
def test_compiled_code_of_other_packages_follows_their_edits(
    house: House, file: str, old: str, new: str, value: int, compiled: list[str]
) -> None:
    guest = house.package / "guest"
    guest.mkdir()
    (guest / "__init__.py").write_text("")
    (guest / "numbers.py").write_text(NUMBERS)
    (guest / "code.py").write_text(GUEST)
    edit(house.package / "play.py", "skirmish_env.top", "guest.code      ")
    assert house.run()[1] == ALL
    assert house.run() == ([[7, 4]], [], "")
    edit(house.package / file, old, new)
    assert house.run()[:2] == ([[value, 4]], compiled)
    edit(house.package / file, new, old)
    assert house.run() == ([[7, 4]], [], "")


def test_code_that_was_typed_in_is_compiled_and_not_kept(house: House) -> None:
    typed = "\n".join(
        [
            "from skirmish_env.common.jit import compiled",
            "def half(a): return a // 2",
            "assert compiled(half)(8) == 4",
        ]
    )
    assert house.run(first=typed)[0] == [[7, 4]]
    assert not [path for path in house.files() if path.name.startswith("half")]


def named_in(file: Path) -> set[str]:
    """Return the modules of the package that a file imports, as Python itself reads it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively"
            source = node.module or ""
            found |= {source, *(f"{source}.{alias.name}" for alias in node.names)}
    return {name for name in found if name.split(".")[0] == "skirmish_env" and jit._file_of(name)}


@pytest.mark.parametrize("room", ["common", "new_york", "card_sets"])
def test_every_import_counts_as_a_dependency(room: str) -> None:
    for file in (jit.PACKAGE / room).glob("*.py"):
        module = f"skirmish_env.{room}.{file.stem}".removesuffix(".__init__")
        assert set(jit._imports(module)) == named_in(file), module


def test_other_processors_and_settings_have_code_of_their_own(house: House) -> None:
    """A home on several machines: numba tells the processors apart, we the settings."""
    others = (
        {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""},
        {"NUMBA_OPT": "1"},
        {"NUMBA_BOUNDSCHECK": "1"},
    )
    house.run()
    for flags in others:
        assert house.run(**flags)[1] == ALL, flags
        assert house.run(**flags) == ([[7, 4]], [], ""), flags
    assert house.run() == ([[7, 4]], [], "")


def test_code_that_nobody_loads_is_forgotten(house: House) -> None:
    house.run()
    top, apart, leaf = (
        next(house.cache.glob(f"numba-*/{name}-*")) for name in ("top", "apart", "leaf")
    )
    days = {top: 20, apart: 13, leaf: 15}
    for folder, age in days.items():
        os.utime(folder, (time.time() - age * 86400,) * 2)
    house.run()
    assert top.stat().st_mtime > time.time() - 86400, "loading did not put the day off"
    os.utime(apart, (time.time() - 13 * 86400,) * 2)
    assert house.run(0.5)[1] == ALL  # for another type: compiles, and so tidies up
    assert top.exists() and apart.exists()
    assert [file.suffix for file in leaf.iterdir()] == [".code"], "the old code is still there"


# ---- several processes, and some that end too soon


def test_processes_that_start_at_once_all_finish_and_leave_a_whole_cache(house: House) -> None:
    processes = [house.begin() for _ in range(4)]
    assert [finished(process)[0] for process in processes] == [[[7, 4]]] * 4
    assert house.run() == ([[7, 4]], [], "")
    assert {file.suffix for file in house.files()} == {".code"}


def test_processes_that_compile_for_different_types_lose_nothing(house: House) -> None:
    processes = [house.begin((5,)), house.begin((0.5,))]
    assert [finished(process)[0] for process in processes] == [[[7, 4]], [[2.5, -0.5]]]
    values, *others = house.run(5, 0.5)
    assert repr(values) == "[[7, 4], [2.5, -0.5]]"  # not 7.0 by the other type's code
    assert others == [[], ""]


def test_a_process_killed_while_it_writes_does_no_harm(house: House) -> None:
    killing = "import os, signal; os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)"
    killed = house.begin(first=killing)
    killed.communicate(timeout=120)
    assert killed.returncode == -signal.SIGKILL
    assert [file.suffix for file in house.files()] == [".part"]
    assert house.run()[:2] == ([[7, 4]], ALL)
    assert house.run() == ([[7, 4]], [], "")


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1] + bytes([content[-1] ^ 1]),
        lambda content: b"garbage " * 1000,
    ],
    ids=["empty", "half", "one bit", "garbage"],
)
def test_a_damaged_file_is_compiled_anew_and_replaced(
    house: House, damage: Callable[[bytes], bytes]
) -> None:
    house.run()
    for file in house.files():
        file.write_bytes(damage(file.read_bytes()))
    values, names, said = house.run()
    assert (values, names) == ([[7, 4]], ALL)
    assert said.count("is damaged; compiling anew") == 3
    assert house.run() == ([[7, 4]], [], "")


# ---- folders


def smallest_files() -> None:
    """Let no file grow beyond 4 KiB: a disk that is full after its first block."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))


def test_a_full_disk_costs_the_cache_and_not_the_game(house: House) -> None:
    values, names, said = house.run(limit=smallest_files)
    assert (values, names) == ([[7, 4]], ALL)
    assert said.count("cannot keep compiled code in") == 1
    assert "SKIRMISH_CACHE_DIR names another folder" in said
    assert house.files() == []


def test_without_a_home_the_code_lies_in_the_temporary_folder(house: House) -> None:
    house.block_home()
    values, names, said = house.run()
    assert (values, names) == ([[7, 4]], ALL)
    assert said.startswith(f"skirmish_env: cannot keep compiled code in {house.cache}: ")
    assert said.endswith(SAID.format(house.second_cache))
    assert house.second_cache.stat().st_mode & 0o777 == 0o700
    assert house.run() == ([[7, 4]], [], "")


@pytest.mark.skipif(os.getuid() == 0, reason="everything can be written to by root")
def test_a_home_that_cannot_be_written_to(house: House) -> None:
    house.home.chmod(0o555)
    assert house.run()[2].endswith(SAID.format(house.second_cache))
    assert house.run() == ([[7, 4]], [], "")


def test_with_no_folder_at_all_the_game_is_compiled_in_every_process(house: House) -> None:
    house.block_home()
    house.second_cache.write_text("in the way")
    for _ in range(2):
        values, names, said = house.run()
        assert (values, names) == ([[7, 4]], ALL)
        assert said.count("cannot keep compiled code in") == 2
        assert said.count("SKIRMISH_CACHE_DIR names a folder to keep it") == 1


def test_a_named_folder_is_the_only_one(house: House, tmp_path: Path) -> None:
    named = tmp_path / "named" / "folder"
    assert house.run(SKIRMISH_CACHE_DIR=str(named))[2] == SAID.format(named)
    assert house.run(SKIRMISH_CACHE_DIR=str(named)) == ([[7, 4]], [], "")
    assert house.files() == []
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    values, names, said = house.run(SKIRMISH_CACHE_DIR=str(in_the_way))
    assert (values, names) == ([[7, 4]], ALL)
    assert f"cannot keep compiled code in {in_the_way}: " in said
    assert house.files() == []


def test_code_compiled_ahead_is_read_from_a_folder_that_cannot_be_written_to(
    house: House, tmp_path: Path
) -> None:
    flags = {"SKIRMISH_CACHE_DIR": str(tmp_path / "image")}
    house.run(**flags)
    sealed = "import os; os.access = lambda *_: False"
    assert house.run(first=sealed, **flags) == ([[7, 4]], [], "")
    before = sorted((tmp_path / "image").rglob("*"))
    assert "not writable" in house.run(0.5, first=sealed, **flags)[2]
    assert sorted((tmp_path / "image").rglob("*")) == before


class Bomb:
    """Leaves a file behind when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return Path.write_text, (self.mark, "boom")


@pytest.mark.parametrize(
    ("mode", "trusted"), [(0o700, True), (0o755, True), (0o777, False), (0o770, False)]
)
def test_nothing_is_loaded_from_a_folder_that_others_can_write_to(
    house: House, tmp_path: Path, mode: int, trusted: bool
) -> None:
    house.block_home()
    house.run()
    mark = tmp_path / "mark"
    for file in house.second_cache.rglob("*.code"):
        code_cache.write(file, code_cache.dumps(Bomb(mark)))
    house.second_cache.chmod(mode)
    process = house.begin()
    _, said = process.communicate(timeout=120)
    assert mark.exists() == trusted
    if not trusted:
        assert process.returncode == 0
        assert "others own it or may write to it" in said


def test_folders_and_links_of_others_are_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, link = tmp_path / "mine", tmp_path / "link"
    mine.mkdir(mode=0o700)
    link.symlink_to(mine)
    assert code_cache._is_private(mine) and code_cache._is_private(link)
    if os.getuid() == 0:
        os.chown(link, 4711, 4711, follow_symlinks=False)
        assert not code_cache._is_private(link)
        os.chown(mine, 4711, 4711)
    else:
        monkeypatch.setattr(os, "getuid", lambda: 4711)
    assert not code_cache._is_private(mine)
