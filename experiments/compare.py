"""Compare runs, seeds taken together: `python -m experiments.compare runs=[runs/a,runs/b]`.

Runs that differ in nothing but the seed are one group. What comes out: learning curves with 95%
intervals over seeds, a table and pictures of IQM, mean and optimality gap, and how probable it is
that one group beats another.
"""

from __future__ import annotations

import csv
import json
import re
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from omegaconf import OmegaConf

from configs.schema import CompareConfig, ConfigError, RunConfig, settings
from experiments import curves
from experiments.launch import launch
from experiments.measures import MEASURES, Bootstrap, Interval, improvement, iqm, mean
from experiments.numbers import FIXED
from experiments.runs import RunFolder

# Settings that make no difference to what is learnt.
BESIDE = {
    "name", "seed", "folder", "resume", "checkpoint", "repeat", "train.checkpoint_every",
    "train.keep_checkpoints", "train.tensorboard", "train.wandb", "train.wandb_project",
}  # fmt: skip
FEW = 5  # runs; an interval of fewer is much too narrow

Task = tuple[str, str]  # opponent, seat


@dataclass(frozen=True)
class Run:
    """One finished run.

    Attributes:
        path: its folder.
        name, seed: as in its settings.
        settings: all that may make a difference, by key.
        arena: settings of the arena at the end.
        scores: of the arena, by task.
        points: scores in evaluations during training, by decisions and task.
    """

    path: Path
    name: str
    seed: int
    settings: dict[str, Any]
    arena: dict[str, Any]
    scores: dict[Task, float]
    points: dict[int, dict[Task, float]]

    @property
    def tasks(self) -> list[Task]:
        """Tasks of the arena."""
        return list(self.scores)


def read(folder: Path) -> Run:
    """Read a run.

    Raises:
        ConfigError: it is no run folder, or it was never evaluated.
    """
    run = RunFolder.open(folder)
    config = run.read_config()
    path = newest_evaluation(run.path)
    if path is None:
        raise ConfigError(
            f"runs: {folder} was never evaluated; python -m experiments.evaluate run={folder}"
        )
    found = json.loads(path.read_text(encoding="utf-8"))
    scores = {
        (result["opponent"], seat): by_seat["score"]
        for result in found["results"]
        for seat, by_seat in result["seats"].items()
    }
    seats = list(dict.fromkeys(seat for _, seat in scores))
    return Run(
        run.path, config.name, config.seed, told_apart(config), found["settings"], scores,
        evaluations(run.read_metrics(), seats),
    )  # fmt: skip


def newest_evaluation(folder: Path) -> Path | None:
    """Return the file of a run's evaluation: of several the one with the highest number."""
    numbers = {
        int(match[1] or 1): path
        for path in folder.glob("evaluation*.json")
        if (match := re.fullmatch(r"evaluation(?:_(\d+))?\.json", path.name))
    }
    return numbers[max(numbers)] if numbers else None


def told_apart(config: RunConfig) -> dict[str, Any]:
    """Return all settings by key but those that make no difference to what is learnt."""
    whole = OmegaConf.structured(config)
    kept = [key for key, *_ in settings(RunConfig) if key not in BESIDE]
    found = {key: OmegaConf.select(whole, key) for key in kept}
    return {
        key: OmegaConf.to_container(value) if OmegaConf.is_config(value) else value
        for key, value in found.items()
    }


def evaluations(rows: list[dict[str, str]], seats: list[str]) -> dict[int, dict[Task, float]]:
    """Return scores by decisions and task from rows of metrics.csv."""
    points = {}
    for row in rows:
        found = {
            (column.removeprefix(FIXED).removesuffix(f"_{seat}"), seat): float(value)
            for column, value in row.items()
            for seat in seats
            if column.startswith(FIXED) and column.endswith(f"_{seat}") and value
        }
        if found:
            points[int(row["decisions"])] = found
    return points


def folders(named: list[str]) -> list[Path]:
    """Return run folders, each once: those named, and all that lie in a folder that is named.

    Raises:
        ConfigError: a folder is none, and has none.
    """
    found: list[Path] = []
    for one in named:
        path = Path(one).expanduser().resolve()
        inside = sorted(file.parent for file in path.glob("*/config.yaml"))
        if not (path / "config.yaml").is_file() and not inside:
            raise ConfigError(f"runs: {one} is no run folder, and there is none in it")
        found += [path] if (path / "config.yaml").is_file() else inside
    return list(dict.fromkeys(found))


# ---- groups


def grouped(found: list[Run], by: str) -> dict[str, list[Run]]:
    """Put runs into groups, by settings ("config") or by their names ("name").

    A group is called after the one name of its runs, or after the one folder in which they lie,
    or else after the settings in which the groups differ. Its runs go by seed: seeds trained side
    by side do not begin in a fixed order, and no figure may hang on that.

    Raises:
        ConfigError: one group has the same seed twice.
    """
    groups: dict[str, list[Run]] = {}
    for run in found:
        key = run.name if by == "name" else json.dumps(run.settings, sort_keys=True)
        groups.setdefault(key, []).append(run)
    for members in groups.values():
        seeds = [run.seed for run in members]
        for run in members:
            if seeds.count(run.seed) > 1:
                where = ", ".join(str(one.path) for one in members if one.seed == run.seed)
                raise ConfigError(f"runs: seed {run.seed} is there twice: {where}")
        members.sort(key=lambda run: run.seed)
    names = labels(list(groups.values()))
    return dict(zip(names, groups.values(), strict=True))


def labels(groups: list[list[Run]]) -> list[str]:
    """Return a name for each group, no two the same: of its runs, of their folder, or settings."""
    for kind in (lambda run: run.name, lambda run: run.path.parent.name):
        names = [{kind(run) for run in members} for members in groups]
        single = [next(iter(one)) for one in names if len(one) == 1]
        if len(set(single)) == len(groups):
            return single
    first = [members[0].settings for members in groups]
    differ = [key for key in first[0] if len({json.dumps(one[key]) for one in first}) > 1]
    return [", ".join(f"{key}={one[key]}" for key in differ) or "all" for one in first]


def matrix(members: list[Run]) -> np.ndarray:
    """Return the arena's scores of a group, float (runs, tasks)."""
    return np.array([list(run.scores.values()) for run in members])


def check_alike(found: list[Run]) -> None:
    """Raise a ConfigError unless all arenas were played with the same settings."""
    for run in found[1:]:
        for key, value in found[0].arena.items():
            if run.arena.get(key) != value:
                raise ConfigError(
                    f"runs: the arenas differ: {key} is {value!r} in {found[0].path} and "
                    f"{run.arena.get(key)!r} in {run.path}; python -m experiments.evaluate plays "
                    "one again"
                )


# ---- curves


def curves_of(label: str, members: list[Run], bootstrap: Bootstrap) -> list[curves.Curve]:
    """Return a group's learning curves: the IQM of all tasks, then the mean of each task.

    Points that not all of its runs have are left out.
    """
    shared = set(members[0].points).intersection(*(run.points for run in members))
    decisions = sorted(shared)
    if not decisions:
        return []
    tasks = list(members[0].points[decisions[0]])
    scores = np.array([
        [[run.points[at][task] for at in decisions] for task in tasks] for run in members
    ])  # fmt: skip
    found = [("IQM on fixed deals", label, "", decisions, bootstrap.interval(iqm, scores))]
    for number, (opponent, seat) in enumerate(tasks):
        interval = bootstrap.interval(mean, scores[:, [number]])
        found.append((f"score against {opponent}", label, f"as {seat}", decisions, interval))
    return found


# ---- what is written


def rows_of_curves(found: list[curves.Curve]) -> list[dict[str, Any]]:
    """Return one row for each point of each curve."""
    return [
        {"group": group, "curve": title, "seat": name.removeprefix("as "), "decisions": at,
         "value": value, "low": low, "high": high}
        for title, group, name, decisions, one in found
        for at, value, low, high in zip(
            decisions, one.value.tolist(), one.low.tolist(), one.high.tolist(), strict=True
        )
    ]  # fmt: skip


def rows_of_scores(groups: dict[str, list[Run]]) -> list[dict[str, Any]]:
    """Return one row for each run and task of the arena."""
    return [
        {"group": label, "run": run.path.name, "seed": run.seed, "opponent": opponent,
         "seat": seat, "score": score}
        for label, members in groups.items()
        for run in members
        for (opponent, seat), score in run.scores.items()
    ]  # fmt: skip


def rows_of_intervals(
    panels: dict[str, dict[str, Interval]], groups: dict[str, list[Run]]
) -> list[dict[str, Any]]:
    """Return one row for each measure and group."""
    return [
        {"measure": measure, "group": label, "runs": len(groups[label]) if label in groups else "",
         "value": float(one.value), "low": float(one.low), "high": float(one.high)}
        for measure, found in panels.items()
        for label, one in found.items()
    ]  # fmt: skip


def write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write rows as CSV, the first one's keys as its header."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def table(rows: list[dict[str, Any]], groups: dict[str, list[Run]]) -> str:
    """Lay measures out as text."""
    lines = [("measure", "group", "runs", "value", "95% interval")]
    for row in rows:
        interval = f"{row['low']:.3f} to {row['high']:.3f}"
        value = f"{row['value']:.3f}"
        lines.append((row["measure"], row["group"], str(row["runs"]), value, interval))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = ["  ".join(map(str.ljust, line, widths)).rstrip() for line in lines]
    few = min(map(len, groups.values()))
    if few < FEW:
        text.append(
            f"Intervals of {few} run{'s' * (few > 1)} are too narrow: see docs/curves.md."
        )
    return "\n".join(text)


def compare(config: CompareConfig) -> Path:
    """Compare runs by curves, tables and pictures; return the folder where they lie."""
    found = [read(folder) for folder in folders(config.runs)]
    check_alike(found)
    groups = grouped(found, config.by)
    bootstrap = Bootstrap(config.resamples, config.seed, apart=config.resample == "tasks")
    panels = {
        name: {g: bootstrap.interval(measure, matrix(m)) for g, m in groups.items()}
        for name, measure in MEASURES.items()
    }
    rows = rows_of_intervals(panels, groups)
    if len(groups) > 1:
        beats = {
            f"{a} beats {b}": bootstrap.interval(improvement, matrix(groups[a]), matrix(groups[b]))
            for a, b in combinations(groups, 2)
        }
        rows += rows_of_intervals({"probability of improvement": beats}, groups)
        panels["probability of improvement"] = beats
    lines = [line for g, members in groups.items() for line in curves_of(g, members, bootstrap)]
    folder = Path(config.folder or found[0].path.parent / "comparison").expanduser().resolve()
    folder.mkdir(parents=True, exist_ok=True)
    text = table(rows, groups)
    write_rows(folder / "measures.csv", rows)
    write_rows(folder / "scores.csv", rows_of_scores(groups))
    curves.draw_intervals(panels, folder / "measures.png")
    (folder / "measures.txt").write_text(f"{text}\n", encoding="utf-8")
    if lines:
        write_rows(folder / "curves.csv", rows_of_curves(lines))
        curves.draw_curves(lines, folder / "curves.png")
    else:
        print("No curves: no evaluations (train.evaluate_every) that all runs of a group share.")
    print(f"{text}\nWritten to {folder}", flush=True)
    return folder


def main() -> None:
    """Compare with the settings of the command line."""
    launch(compare, "compare")


if __name__ == "__main__":
    main()
