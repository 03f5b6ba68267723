"""The rooms of the house: who imports whom, what the wheel brings, what no file may hold."""

import ast
import subprocess
import sys
import tomllib
from fnmatch import fnmatchcase
from importlib import resources
from importlib.util import resolve_name
from pathlib import Path

import pytest

import skirmish_env

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]

# A module lives in the first room one of whose patterns fits its name.
NEW_YORK = "skirmish_env.new_york"
ROOMS = {
    "common": ["skirmish_env.common", "skirmish_env.common.*"],
    "card_sets": ["skirmish_env.card_sets", "skirmish_env.card_sets.*"],
    "ids": [f"{NEW_YORK}.ids"],
    "cards": [f"{NEW_YORK}.cards"],
    "actions": [f"{NEW_YORK}.actions"],
    "state": [f"{NEW_YORK}.state"],
    "verbs": [f"{NEW_YORK}.verbs"],
    "play": [f"{NEW_YORK}.play"],
    "attack": [f"{NEW_YORK}.attack"],
    "effects": [f"{NEW_YORK}.effects"],
    "phases": [f"{NEW_YORK}.phases"],
    "observation": [f"{NEW_YORK}.observation"],
    "redeal": [f"{NEW_YORK}.redeal"],
    "rules": [f"{NEW_YORK}.rules"],
    "around": [NEW_YORK, f"{NEW_YORK}.*"],  # kernels, heuristic, notation, table, draw
    "game": ["skirmish_env.game"],
    "package": ["skirmish_env"],
    "adapters": ["skirmish_env.*"],  # aec, gym_env, vector, batch, views, ...
    "agents": ["agents", "agents.*"],
    "experiments": ["experiments", "experiments.*"],
    "configs": ["configs", "configs.*"],
}

# Dependencies point down only: a room may import itself and the rooms named here.
CORE = [
    *("ids", "cards", "actions", "state", "verbs", "play", "attack", "effects", "phases"),
    *("observation", "redeal", "rules"),
]
DATA = ["common", "card_sets"]
MAY_IMPORT = {
    "common": [],
    "card_sets": ["common"],
    **{room: [*DATA, *CORE[:height]] for height, room in enumerate(CORE)},
    "around": [*DATA, *CORE],
    "game": [*DATA, *CORE, "around"],
    "adapters": ["common", "game"],
    "package": [*DATA, *CORE, "around", "game", "adapters"],
    "agents": ["common", "game", "adapters", "package"],
    "configs": [],
    "experiments": [*DATA, "game", "adapters", "package", "agents", "configs"],
}


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {
    module_name(path): path
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
}


def room_of(module: str) -> str:
    fits = (
        room
        for room, patterns in ROOMS.items()
        if any(fnmatchcase(module, pattern) for pattern in patterns)
    )
    return next(fits)


def imports(module: str, path: Path) -> set[str]:
    """Return the dotted names that a module imports anywhere, functions included."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package)
            names = {f"{source}.{alias.name}" for alias in node.names}
            found |= {name if name in SOURCES else source for name in names}
    return found


def top_levels(module: str) -> set[str]:
    return {name.partition(".")[0] for name in imports(module, SOURCES[module])}


def third_parties(module: str) -> set[str]:
    return top_levels(module) - set(PACKAGES) - set(sys.stdlib_module_names)


def repository_files() -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


def test_every_room_says_what_it_may_import() -> None:
    assert ROOMS.keys() == MAY_IMPORT.keys()


@pytest.mark.parametrize("module", SOURCES)
def test_imports_point_down(module: str) -> None:
    room = room_of(module)
    allowed = {room, *MAY_IMPORT[room]}
    inside = {
        name for name in imports(module, SOURCES[module]) if name.partition(".")[0] in PACKAGES
    }
    upward = sorted(name for name in inside if room_of(name) not in allowed)
    assert not upward, f"{module} ({room}) may not import {', '.join(upward)}"


def test_nothing_shipped_imports_tests_or_notebooks() -> None:
    assert not [name for name in SOURCES if top_levels(name) & {"tests", "notebooks"}]


def test_the_environment_needs_only_its_dependencies() -> None:
    declared = {name.partition(">")[0] for name in PYPROJECT["project"]["dependencies"]}
    environment = [name for name in SOURCES if name.startswith("skirmish_env")]
    assert not {name: extra for name in environment if (extra := third_parties(name) - declared)}


def test_the_core_needs_only_numpy_and_numba() -> None:
    core = [name for name in SOURCES if room_of(name) in {*DATA, *CORE}]
    allowed = {"numpy", "numba"}
    assert not {name: extra for name in core if (extra := third_parties(name) - allowed)}


def test_notebooks_hold_no_modules() -> None:
    assert not list((ROOT / "notebooks").rglob("*.py"))


def test_the_wheel_brings_the_data() -> None:
    wheel = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel.keys() == {"packages"}, "an include or exclude list could leave data behind"
    assert {"skirmish_env", "agents", "experiments", "configs"} == set(PACKAGES)
    needed = ["skirmish_env/py.typed", "skirmish_env/card_sets/in_new_york.toml"]
    for package, _, name in (path.partition("/") for path in needed):
        assert resources.files(package).joinpath(name).is_file(), f"{package}/{name}"
    assert list((ROOT / "configs").rglob("*.yaml"))


def test_the_package_knows_its_version() -> None:
    assert skirmish_env.__version__ == PYPROJECT["project"]["version"]


def test_no_data_file_is_ignored() -> None:
    shipped = [
        path
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix not in {".py", ".pyc"}
    ]
    left_behind = sorted(set(shipped) - set(repository_files()))
    assert not left_behind, f"the build leaves out what .gitignore names: {left_behind}"


def test_no_file_names_a_path_of_one_machine() -> None:
    roots = [f"/{name}/".encode() for name in ("wo" + "rk", "ro" + "ot")]
    naming = [
        str(path.relative_to(ROOT))
        for path in repository_files()
        if any(root in path.read_bytes() for root in roots)
    ]
    assert not naming
