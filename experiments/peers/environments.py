"""Environments of the peers: one folder each, made from the pins."""

from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
PINS = HERE / "pins.toml"
FOLDER = Path("build/peers")
INSTALLED, FAILED = "installed", "failed"
PATIENCE = 1800  # seconds for one installation


@dataclass(frozen=True)
class Peer:
    """One peer as the pins describe it."""

    name: str
    title: str
    script: str
    python: str
    packages: list[str]
    variables: dict[str, str] = field(default_factory=dict)

    def interpreter(self, folder: Path) -> Path:
        """Its own Python, whether or not it is there."""
        return folder / self.name / "bin" / "python"

    def is_there(self, folder: Path) -> bool:
        """Whether its environment was made from the present pins."""
        mark = folder / self.name / INSTALLED
        return mark.is_file() and mark.read_text(encoding="utf-8") == repr(self)

    def why_not(self, folder: Path) -> str:
        """Say why its environment is not there."""
        mark = folder / self.name / FAILED
        if mark.is_file():
            return f"does not install here: {mark.read_text(encoding='utf-8')}"
        return f"not installed: make bench-peers ARGS={self.name}"

    def install(self, folder: Path) -> str:
        """Make its environment anew; return "" or the reason why that failed."""
        home = folder / self.name
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        reason = self._install(home)
        mark = home / (FAILED if reason else INSTALLED)
        mark.write_text(reason or repr(self), encoding="utf-8")
        return reason

    def _install(self, home: Path) -> str:
        base = find_python(self.python)
        if base is None:
            return f"Python {self.python} is not on this machine"
        pip = [str(home / "bin" / "python"), "-m", "pip", "install", "-q",
               "--disable-pip-version-check", *self.packages]  # fmt: skip
        for command in ([base, "-m", "venv", str(home)], pip):
            try:
                ended = subprocess.run(
                    command,
                    env={**os.environ, **self.variables},
                    capture_output=True,
                    text=True,
                    timeout=PATIENCE,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return f"took longer than {PATIENCE} s"
            if ended.returncode:
                return reason_in(ended.stderr)
        return ""


def known() -> dict[str, Peer]:
    """Return all peers by name."""
    table = tomllib.loads(PINS.read_text(encoding="utf-8"))
    return {name: Peer(name, **about) for name, about in table.items()}


def find_python(version: str) -> str | None:
    """Return an interpreter of this version, on the path or among pyenv's; None without one."""
    root = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
    candidates = [f"python{version}", *glob.glob(f"{root}/versions/{version}.*/bin/python")]
    for candidate in candidates:
        try:
            found = subprocess.run(
                [candidate, "-c", "import sys; print(sys.executable)"],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
        except OSError:
            continue
        if found.returncode == 0:
            return found.stdout.strip()
    return None


def reason_in(text: str) -> str:
    """Return the last line that names an error, without paths."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return without_paths((errors or lines or ["no reason was given"])[-1])


def without_paths(text: str) -> str:
    """Shorten every absolute path to its last part."""
    return re.sub(r"(?:file:/)?/[\w.+@-]+(?:/[\w.+@-]+)*/([\w.+@-]+)", r"\1", text)
