"""Compare a built wheel and source archive with the repository.

Usage: `python -m tests.built_files FOLDER`.
"""

from __future__ import annotations

import sys
import tarfile
import tomllib
import zipfile
from email.parser import HeaderParser
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TARGETS = PROJECT["tool"]["hatch"]["build"]["targets"]
BESIDE = ("pyproject.toml", "README.md", "LICENSE")


def files_of(*names: str) -> set[str]:
    """Files of the repository below these names, without what Python leaves behind."""
    found = set()
    for name in names:
        path = ROOT / name
        for file in [path] if path.is_file() else path.rglob("*"):
            if file.is_file() and not {"__pycache__", ".ipynb_checkpoints"} & set(file.parts):
                found.add(file.relative_to(ROOT).as_posix())
    return found


def in_wheel(path: Path) -> tuple[set[str], str]:
    """Names in a wheel, those of its metadata excepted, and its METADATA."""
    with zipfile.ZipFile(path) as wheel:
        names = {name for name in wheel.namelist() if not name.endswith("/")}
        about = next(name for name in names if name.endswith(".dist-info/METADATA"))
        text = wheel.read(about).decode()
    return {name for name in names if ".dist-info/" not in name}, text


def in_archive(path: Path) -> tuple[set[str], str]:
    """Names in a source archive, without its top folder, and its PKG-INFO."""
    with tarfile.open(path) as archive:
        whole = {member.name for member in archive.getmembers() if member.isfile()}
        about = archive.extractfile(next(name for name in whole if name.endswith("/PKG-INFO")))
        assert about is not None
        text = about.read().decode()
    return {name.partition("/")[2] for name in whole} - {"PKG-INFO", ".gitignore"}, text


def complaints(folder: Path) -> list[str]:
    """What the two files in a folder lack or have too much."""
    (wheel,), (archive,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    included = (name.lstrip("/") for name in TARGETS["sdist"]["include"])
    wanted = {
        wheel: (in_wheel(wheel), files_of(*TARGETS["wheel"]["packages"])),
        archive: (in_archive(archive), files_of(*included, *BESIDE)),
    }
    found = []
    for path, ((names, about), expected) in wanted.items():
        found += [f"{path.name}: {name} is missing" for name in sorted(expected - names)]
        found += [f"{path.name}: {name} is too much" for name in sorted(names - expected)]
        version = HeaderParser().parsestr(about)["Version"]
        if version != PROJECT["project"]["version"]:
            found.append(f"{path.name}: version {version}, not {PROJECT['project']['version']}")
    return found


if __name__ == "__main__":
    wrong = complaints(Path(sys.argv[1]))
    print("\n".join(wrong) or "The wheel and the source archive hold every file they should.")
    sys.exit(bool(wrong))
