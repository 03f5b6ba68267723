"""Talk with the peers: each runs in its own interpreter and measures when it is asked to."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

from experiments.peers.environments import HERE, Peer, known, reason_in, without_paths

PATIENCE = 900  # seconds between two messages


class Running:
    """A peer's process, which waits for `measure`."""

    def __init__(self, peer: Peer, folder: Path, seconds: float) -> None:
        self.peer = peer
        self.failure = ""
        self.about: dict[str, Any] = {}
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115  (closed by __exit__)
        self._process = subprocess.Popen(
            [str(peer.interpreter(folder)), str(HERE / peer.script), "--wait",
             "--seconds", str(seconds)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
            text=True, env=environment(folder),
        )  # fmt: skip

    def __enter__(self) -> Running:
        self.about = self._line() or {}
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            if stream is not None:
                stream.close()

    def measure(self, door: str) -> list[dict[str, Any]]:
        """Return the peer's rows of a door, measured once; none after a failure."""
        found: list[dict[str, Any]] = []
        if self.failure or self._process.stdin is None:
            return found
        self._process.stdin.write(f"{door}\n")
        self._process.stdin.flush()
        while (line := self._line()) is not None and "end" not in line:
            if "error" in line:
                line["error"] = without_paths(line["error"])
            found.append(line)
        return found

    def _line(self) -> dict[str, Any] | None:
        """Read one message; None, and a failure, where the process has ended."""
        if self._process.stdout is None:
            return None
        timer = threading.Timer(PATIENCE, self._process.kill)
        timer.start()
        text = self._process.stdout.readline()
        timer.cancel()
        if text:
            return json.loads(text)
        self._errors.seek(0)
        self.failure = f"does not run here: {reason_in(self._errors.read())}"
        return None


def environment(folder: Path) -> dict[str, str]:
    """Return the variables that a peer's process gets: none that lead to this project."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    kept |= {"JAX_PLATFORMS": "cpu", "JAX_COMPILATION_CACHE_DIR": str(folder / "jax_cache")}
    return kept


def wanted(names: list[str] | None, folder: Path) -> tuple[list[Peer], dict[str, str]]:
    """Return the peers that can be measured, and for the others of those meant why not.

    Raises:
        ValueError: there is no peer of this name; says which there are.
    """
    peers = known()
    for name in names or []:
        if name not in peers:
            raise ValueError(f"no peer {name!r}; there are {', '.join(peers)}")
    meant = [peers[name] for name in (peers if names is None else names)]
    there = [peer for peer in meant if peer.is_there(folder)]
    return there, {peer.name: peer.why_not(folder) for peer in meant if peer not in there}
