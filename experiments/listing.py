"""All runs of a folder at a glance: what each is, how far it is, how strong, in which state."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from agents import checkpoint
from configs.schema import ConfigError, RunConfig, RunsConfig
from experiments import environment, lock
from experiments.runs import RunFolder, read_results

SCORE = "score_"  # how columns of training scores begin in metrics.csv
COLUMNS = (
    "name", "network", "card_set", "seed", "decisions", "total", "strength", "seconds", "state",
    "damage",
)  # fmt: skip


def show(config: RunsConfig) -> list[dict[str, Any]]:
    """List the runs of a folder: what each is, how far it is, how strong, in which state."""
    rows = list_runs(config.folder, config.sort)
    if config.format == "json":
        print(json.dumps(rows, indent=1))
    elif config.format == "csv":
        print(as_csv(rows), end="")
    elif not rows:
        print(f"{config.folder}: there is no run in this folder")
    elif sys.stdout.isatty():
        Console().print(as_table(rows))
    else:
        print("\n".join(as_lines(rows)))
    if config.format == "table":
        for row in rows:
            for one in row["damage"]:
                print(f"damaged: {one}")
    return rows


def list_runs(folder: str | Path, sort: str = "name") -> list[dict[str, Any]]:
    """Describe every run of a folder; see `describe`.

    Args:
        folder: where run folders lie.
        sort: "name" is by date, oldest first; of the numbers the greatest comes first.

    Raises:
        ConfigError: there is no such folder.
    """
    place = Path(folder).expanduser()
    if not place.is_dir():
        raise ConfigError(f"folder: {folder} is not there, or no folder")
    rows = [describe(path) for path in sorted(place.iterdir()) if is_run(path)]
    if sort == "name":
        return rows
    if sort == "strength":
        return sorted(rows, key=lambda row: -mean(row["strength"]))
    return sorted(rows, key=lambda row: -(row[sort] or 0))


def mean(scores: dict[str, float]) -> float:
    """Return the mean score; below all others without any."""
    return sum(scores.values()) / len(scores) if scores else -1.0


def is_run(path: Path) -> bool:
    """Say whether a folder is a run, or what is left of one."""
    run = RunFolder(path)
    return path.is_dir() and (run.config.exists() or run.checkpoints.is_dir())


def describe(path: Path) -> dict[str, Any]:
    """Describe one run; what cannot be read is None and named under `damage`.

    Returns:
        `name` of the folder, `network`, `card_set`, `seed`, `decisions` (made, in what is saved
        or noted), `total` (of the settings), `strength` (score by opponent: of the last arena,
        else of recent training games), `arena` (whether it is the former), `seconds` of training,
        `state` (running, finished, stopped, killed), `damage` (list of sentences).
    """
    run = RunFolder(path)
    damage: list[str] = []

    def read(part: Any, *arguments: Any) -> Any:
        try:
            return part(*arguments)
        except (ConfigError, checkpoint.CheckpointError, OSError) as error:
            damage.append(str(error))
            return None

    config = read(_config, run)
    rows = read(run.read_metrics) or []
    saved = read(_saved, run, damage) or 0
    results = read(read_results, run.evaluation) if run.evaluation.exists() else None
    starts = read(environment.read, run.environment) or []
    running, number = lock.owner(path)
    noted = int(rows[-1]["decisions"]) if rows else 0
    decisions = noted if running else saved
    total = config.train.decisions if config else None
    if results:
        strength = {str(one["opponent"]): float(one["score"]) for one in results["results"]}
    else:
        strength = _training_scores(rows)
    return {
        "name": path.name,
        "network": network(config) if config else None,
        "card_set": _card_set(config, starts),
        "seed": config.seed if config else None,
        "decisions": decisions,
        "total": total,
        "strength": strength,
        "arena": bool(results),
        "seconds": _seconds(rows),
        "state": _state(running, number, total is not None and decisions >= total),
        "damage": damage,
    }


def _config(run: RunFolder) -> RunConfig:
    if not run.config.exists():
        raise ConfigError(f"{run.path}: has no {run.config.name}")
    return run.read_config()


def _saved(run: RunFolder, damage: list[str]) -> int:
    """Return the decisions of the newest checkpoint, judged by what they say of themselves."""
    made = [0]
    for zip_file in checkpoint.listed(run.checkpoints):
        try:
            made.append(checkpoint.read(zip_file)["decisions"])
        except checkpoint.CheckpointError as error:
            damage.append(str(error))
    return max(made)


def _training_scores(rows: list[dict[str, str]]) -> dict[str, float]:
    last = rows[-1] if rows else {}
    return {k.removeprefix(SCORE): float(v) for k, v in last.items() if k.startswith(SCORE) and v}


def _card_set(config: RunConfig | None, starts: list[dict[str, Any]]) -> str | None:
    cards = starts[-1].get("card_set") if starts else None
    if isinstance(cards, dict):
        return f"{cards.get('name')} {cards.get('version')}"
    return Path(config.env.card_set).name if config and config.env.card_set else None


def _seconds(rows: list[dict[str, str]]) -> float | None:
    try:
        return float(rows[-1]["seconds"]) if rows else None
    except (KeyError, ValueError):
        return None


def _state(running: bool, number: str | None, finished: bool) -> str:
    if running:
        return "running"
    if finished:
        return "finished"
    return "killed" if number else "stopped"


def network(config: RunConfig) -> str:
    """Say a network in few words: trunk, then branches of policy and value, activation."""
    agent = config.agent
    parts = (agent.trunk, agent.policy, agent.value)
    trunk, policy, value = ("-".join(map(str, widths)) or "none" for widths in parts)
    return f"{trunk}+{policy}|{value} {agent.activation}"


# ---- ways to show them


def words(row: dict[str, Any]) -> list[str]:
    """Return a run's cells for people, in the order of `HEADINGS`."""
    scores = ", ".join(f"{kind} {score:.0%}" for kind, score in row["strength"].items())
    total = f" of {row['total']:,}" if row["total"] is not None else ""
    return [
        row["name"],
        row["network"] or "?",
        row["card_set"] or "?",
        "?" if row["seed"] is None else str(row["seed"]),
        f"{row['decisions']:,}{total}",
        scores if row["arena"] or not scores else f"({scores})",
        "" if row["seconds"] is None else _clock(row["seconds"]),
        row["state"] + (", damaged" if row["damage"] else ""),
    ]


HEADINGS = ("run", "network", "cards", "seed", "decisions", "score", "time", "state")
NOTE = "Score: of the last arena; in brackets, of recent training games."


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def as_table(rows: list[dict[str, Any]]) -> Table:
    """Return a table for a terminal."""
    table = Table(caption=NOTE)
    for heading in HEADINGS:
        right = heading in ("seed", "decisions", "time")
        table.add_column(heading, justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*words(row))
    return table


def as_lines(rows: list[dict[str, Any]]) -> list[str]:
    """Return plain lines with the same columns."""
    cells = [list(HEADINGS), *(words(row) for row in rows)]
    widths = [max(len(line[c]) for line in cells) for c in range(len(HEADINGS))]
    padded = [[f"{cell:{w}}" for cell, w in zip(line, widths, strict=True)] for line in cells]
    return [*("  ".join(line).rstrip() for line in padded), NOTE]


def as_csv(rows: list[dict[str, Any]]) -> str:
    """Return CSV; scores as "opponent=score" with semicolons between."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        scores = "; ".join(f"{kind}={score}" for kind, score in row["strength"].items())
        writer.writerow({**row, "strength": scores, "damage": "; ".join(row["damage"])})
    return text.getvalue()
