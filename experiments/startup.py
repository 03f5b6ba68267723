"""Measure start-up: `python -m experiments.startup`, with `--cold` for empty caches too.

Every number belongs to a new process that opens one door and takes one step: wall clock from
starting Python to its end, and processor seconds of all its threads and processes. The least of
the repeats is printed, because what disturbs a start only ever makes it longer.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

GYM = """
import gymnasium, skirmish_env
env = gymnasium.make("skirmish_env/Skirmish-v0", opponent=%r)
_, info = env.reset(seed=0)
env.step(info["action_mask"].argmax())
"""
DOORS = {
    "import numpy, numba, gymnasium": "import gymnasium, numba, numpy",
    "import skirmish_env": "import skirmish_env",
    "from skirmish_env import skirmish_v0": "from skirmish_env import skirmish_v0",
    "Table": """
from skirmish_env import Table
table = Table.new(seed=0)
table.play(table.legal()[0])
""",
    "PettingZoo": """
from skirmish_env import skirmish_v0
env = skirmish_v0.env()
env.reset(seed=0)
env.step(env.last()[0]["action_mask"].argmax())
""",
    "Gymnasium against random": GYM % "random",
    "Gymnasium against heuristic": GYM % "heuristic",
    "make_vec against heuristic": """
import gymnasium, skirmish_env
envs = gymnasium.make_vec("skirmish_env/Skirmish-v0", num_envs=64, opponent="heuristic")
_, info = envs.reset(seed=0)
envs.step(info["action_mask"].argmax(axis=1))
""",
    "everything, in one process": "from skirmish_env.warm import warm; warm()",
}
# Put around a door: counts what is compiled, and the seconds spent in LLVM.
COUNTED = """
import json, time
from numba.core import event

class Timer(event.Listener):
    def __init__(self):
        self.depth, self.calls, self.seconds = 0, 0, 0.0

    def on_start(self, event):
        if self.depth == 0:
            self.began = time.perf_counter()
        self.depth += 1
        self.calls += 1

    def on_end(self, event):
        self.depth -= 1
        if self.depth == 0:
            self.seconds += time.perf_counter() - self.began

compiling, llvm = Timer(), Timer()
event.register("numba:compile", compiling)
event.register("numba:llvm_lock", llvm)
{door}
print(json.dumps([compiling.calls, compiling.seconds, llvm.seconds]))
"""


class Start(NamedTuple):
    """What a process took, in seconds."""

    wall: float
    cpu: float


def start(arguments: list[str], cache: str | None = None) -> tuple[Start, str]:
    """Start Python with arguments, and a folder for compiled code; return its output, too."""
    environment = {**os.environ, **({"SKIRMISH_CACHE_DIR": cache} if cache else {})}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    run = subprocess.run(
        [sys.executable, *arguments], env=environment, capture_output=True, text=True, check=True
    )
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Start(wall, cpu), run.stdout


def print_row(name: str, *columns: object) -> None:
    """Print one line of a table."""
    cells = (f"{c:>10.2f}" if isinstance(c, float) else f"{c!s:>10}" for c in columns)
    print(f"{name:38}", *cells, flush=True)


def measure_warm(repeats: int) -> None:
    """Print the least seconds of every door with its code in the cache."""
    print_row("from a filled cache, seconds", "wall", "processor")
    for name, door in DOORS.items():
        start(["-c", door])  # fills the cache, and the system's of files
        starts = [start(["-c", door])[0] for _ in range(repeats)]
        print_row(name, min(s.wall for s in starts), min(s.cpu for s in starts))


def measure_cold() -> None:
    """Print the seconds of every door with an empty cache, and what they are made of."""
    columns = ("wall", "processor", "functions", "compiling", "LLVM")
    print_row("from an empty cache, seconds", *columns)
    for name, door in DOORS.items():
        if name.startswith(("import", "from")):
            continue
        with tempfile.TemporaryDirectory() as cache:
            taken, output = start(["-c", COUNTED.replace("{door}", door)], cache)
        print_row(name, *taken, *json.loads(output))
    with tempfile.TemporaryDirectory() as cache:
        taken, _ = start(["-m", "skirmish_env.warm"], cache)
    print_row("python -m skirmish_env.warm", *taken)


def main() -> None:
    """Measure, and print tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5, help="processes for each door")
    parser.add_argument("--cold", action="store_true", help="compile everything, many times over")
    options = parser.parse_args()
    measure_warm(options.repeats)
    if options.cold:
        measure_cold()


if __name__ == "__main__":
    main()
