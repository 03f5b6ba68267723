"""One run: every row once, then every row again, the peers' among them; then the table."""

from __future__ import annotations

import contextlib
import datetime
import importlib.util
import json
import os
import platform
import time
from pathlib import Path
from typing import Any

import numba
import numpy as np

from configs.schema import BenchConfig, ConfigError, RunConfig
from experiments.bench import page
from experiments.bench.groups import GROUPS
from experiments.bench.own import bytes_of_a_game, cold_starts, rows
from experiments.bench.peers import Running, wanted
from experiments.peers.environments import known
from experiments.peers.serving import SECONDS, Clock
from skirmish_env import __version__

SHARES = "experiments.shares"


def bench(config: BenchConfig) -> dict[str, Any]:
    """Measure this project and its peers, print one table, and keep the results as JSON.

    The page and its picture are only written where `write` names a folder.
    """
    if config.page is None:
        results = measured(config)
        kept = Path(config.results)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(results, indent=1), encoding="utf-8")
    else:
        results = stored(Path(config.page))
    page.show(results)
    if config.write is not None:
        for path in page.write(results, Path(config.write)):
            print(path)
    return results


def stored(path: Path) -> dict[str, Any]:
    """Read the results of an earlier run."""
    if not path.is_file():
        raise ConfigError(f"page: {path} is not there; results of a run are wanted")
    return json.loads(path.read_text(encoding="utf-8"))


def measured(config: BenchConfig) -> dict[str, Any]:
    """Measure all rows as often as the settings say, and describe the run."""
    began, load = time.perf_counter(), os.getloadavg()[0]
    for name in config.groups or []:
        if name not in GROUPS:
            raise ConfigError(f"groups: {name!r} is none of {', '.join(GROUPS)}")
    if config.training and importlib.util.find_spec(SHARES) is None:
        raise ConfigError(f"training: {SHARES}, which measures it, is not there")
    folder = Path(config.peers_folder).resolve()
    try:
        peers, missing = wanted(config.peers, folder)
    except ValueError as error:
        raise ConfigError(f"peers: {error}") from error
    table: dict[tuple[str, ...], dict[str, Any]] = {}
    clocks = [Clock(row, config.seconds) for row in rows(config, usable(config.threads))]
    with contextlib.ExitStack() as stack:
        running = [stack.enter_context(Running(p, folder, config.seconds)) for p in peers]
        for repeat in range(config.repeats):
            print(f"repeat {repeat + 1} of {config.repeats}", flush=True)
            for door in GROUPS if config.groups is None else config.groups:
                for clock in [clock for clock in clocks if clock.row.door == door]:
                    numba.set_num_threads(clock.row.threads)
                    keep(table, "", {**clock.row.told(), "value": clock.value()})
                for one in running:
                    for told in one.measure(door):
                        keep(table, one.peer.name, told)
        about = {one.peer.name: one.about for one in running if not one.failure}
        missing |= {one.peer.name: one.failure for one in running if one.failure}
    found = [*table.values(), *measured_once(config)]
    if config.groups is not None:
        found = [row for row in found if row["door"] in config.groups]
    return {
        "date": datetime.date.today().isoformat(),
        "seconds": round(time.perf_counter() - began),
        "load": round(load, 1),
        "settings": {key: getattr(config, key) for key in ("games", "seconds", "repeats")},
        "machine": machine(),
        "peers": {name: {"title": known()[name].title, **about[name]} for name in about},
        "missing": {name: {"title": known()[name].title, "why": missing[name]} for name in missing},
        "rows": found,
    }


def keep(table: dict[tuple[str, ...], dict[str, Any]], peer: str, told: dict[str, Any]) -> None:
    """Add one value, or one error, to its row."""
    key = (peer, told["door"], told["name"], str(told["threads"]))
    about = {name: what for name, what in told.items() if name != "value"}
    row = table.setdefault(key, {"peer": peer, **about, "values": []})
    row["values"] += [told["value"]] if "value" in told else []


def measured_once(config: BenchConfig) -> list[dict[str, Any]]:
    """Return rows that do not vary, and the long ones that are wanted."""
    found = [once(name, "memory", "bytes", size) for name, size in bytes_of_a_game().items()]
    if config.cold:
        found += [once(name, "start", SECONDS, taken) for name, taken in cold_starts().items()]
    if config.training:
        share = importlib.import_module(SHARES).measure(RunConfig())["environment"]
        found.append(once("environment and opponents", "training", "share of the time", share))
    return found


def once(name: str, door: str, unit: str, value: float) -> dict[str, Any]:
    """Return a row with one value."""
    about = {"peer": "", "name": name, "door": door, "unit": unit, "threads": 1, "note": ""}
    return {**about, "values": [value]}


def usable(threads: list[int]) -> list[int]:
    """Return the numbers of threads that this process may use; without any, 1, 2, 4, ... all."""
    most = numba.config.NUMBA_NUM_THREADS
    if not threads:
        return sorted({*(2**n for n in range(most.bit_length())), most})
    for n in threads:
        if n > most:
            print(f"{n} threads: this process may use {most}")
    return sorted({n for n in threads if n <= most} or {1})


def machine() -> dict[str, str]:
    """Describe what was measured on."""
    return {
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "skirmish-env": __version__,
    }


def processor() -> str:
    """Return the processor's own name where the system tells it."""
    told = Path("/proc/cpuinfo")
    if told.is_file():
        for line in told.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
