"""Train variants of the settings with several seeds each, and write down what they score.

`python -m experiments.ablate` trains what `configs/ablate.yaml` names, variant after variant, as
`experiments.replicate` does it. Started again it goes on: what is finished is not trained again.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from configs.schema import AblateConfig, ConfigError, ReplicateConfig
from experiments import curves
from experiments.compare import Run, Task, check_alike, read
from experiments.launch import composed, launch
from experiments.measures import Interval, of_few
from experiments.replicate import train_seeds

PAGE, PICTURE = "ablations.md", "ablations.png"
BOTH = "both"  # the mean of the seats


def replication(config: AblateConfig, name: str) -> ReplicateConfig:
    """Return the trainings of one variant.

    Raises:
        ConfigError: its overrides make no settings of a run; names the variant.
    """
    try:
        run = composed([*config.run, *config.variants[name]])
    except ConfigError as error:
        raise ConfigError(f"variants.{name}: {error}") from error
    return ReplicateConfig(
        seeds=config.seeds,
        jobs=config.jobs,
        name=name,
        folder=str(Path(config.folder) / config.name),
        env=run.env,
        agent=run.agent,
        train=run.train,
        evaluate=run.evaluate,
    )


# ---- what is written


def intervals(runs: list[Run]) -> dict[Task, Interval]:
    """Return a variant's mean over runs by opponent and seat, both seats together first."""
    found: dict[Task, Interval] = {}
    opponents = list(dict.fromkeys(opponent for opponent, _ in runs[0].tasks))
    for opponent in opponents:
        tasks = [task for task in runs[0].tasks if task[0] == opponent]
        scores = np.array([[run.scores[task] for task in tasks] for run in runs])
        found[opponent, BOTH] = of_few(scores.mean(axis=1))
        found |= {task: of_few(scores[:, at]) for at, task in enumerate(tasks)}
    return found


def words(one: Interval) -> str:
    """Write a score with its interval in percent."""
    return f"{one.value:.1%} ({one.low * 100:.1f} to {one.high * 100:.1f})"


def page(config: AblateConfig, groups: dict[str, list[Run]]) -> str:
    """Return the page about the variants that are finished."""
    first = next(iter(groups.values()))[0]
    missing = [name for name in config.variants if name not in groups]
    deals = f"{first.arena['deals']} deals in both seats"
    moves = "its most probable moves" if first.arena["deterministic"] else "moves drawn"
    lines = [
        "# Ablations",
        "",
        "`python -m experiments.ablate` trains every variant with each seed, one thread a run, and",
        "writes this page; what is trained already, it takes as it is. The variants stand in",
        "`configs/ablate.yaml`.",
        "",
        f"Shared settings: `{' '.join(config.run)}`, all else as in `make train`.",
        f"Seeds {', '.join(map(str, config.seeds))}. Each run's agent played {deals} against every",
        f"opponent, {moves}.",
        "",
        "| variant | what differs |",
        "|---|---|",
        *(f"| `{name}` | {differences(config, name)} |" for name in config.variants),
        "",
        f"Scores are wins and half the draws: the mean of {len(config.seeds)} runs with Student's",
        "95% interval over runs. It is wide where runs are few; two intervals that overlap leave",
        "open which variant is better.",
        "",
        f"![Scores of all variants]({PICTURE})",
    ]
    if missing:
        lines += ["", f"Not finished yet: {', '.join(f'`{name}`' for name in missing)}."]
    return "\n".join([*lines, *tables(groups), ""])


def differences(config: AblateConfig, name: str) -> str:
    """Say what makes a variant."""
    return "<br>".join(f"`{one}`" for one in config.variants[name]) or "nothing"


def tables(groups: dict[str, list[Run]]) -> list[str]:
    """Return a table for each opponent: variants down, seats across."""
    found = {name: intervals(runs) for name, runs in groups.items()}
    tasks = list(next(iter(found.values())))
    lines = []
    for opponent in dict.fromkeys(opponent for opponent, _ in tasks):
        seats = [seat for other, seat in tasks if other == opponent]
        heads = ["both seats" if seat == BOTH else f"as {seat.capitalize()}" for seat in seats]
        lines += ["", f"## Against {opponent}", "", f"| variant | {' | '.join(heads)} |"]
        lines += ["|---" * (1 + len(seats)) + "|"]
        for name, scores in found.items():
            cells = " | ".join(words(scores[opponent, seat]) for seat in seats)
            lines.append(f"| `{name}` | {cells} |")
    return lines


def write(config: AblateConfig, groups: dict[str, list[Run]]) -> Path:
    """Write page and picture of the variants that are finished; return the page."""
    check_alike([run for runs in groups.values() for run in runs])
    folder = Path(config.write).expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    found = {name: intervals(runs) for name, runs in groups.items()}
    panels: dict[str, dict[str, Interval]] = {}
    for name, scores in found.items():
        for (opponent, seat), one in scores.items():
            if seat != BOTH:
                panels.setdefault(f"{opponent}, as {seat}", {})[name] = one
    curves.draw_intervals(panels, folder / PICTURE)
    (folder / PAGE).write_text(page(config, groups), encoding="utf-8")
    return folder / PAGE


def ablate(config: AblateConfig) -> Path | None:
    """Train variants with several seeds each and write a page about them; return its path."""
    several = {name: replication(config, name) for name in config.variants}
    groups: dict[str, list[Run]] = {}
    written = None
    for name, one in several.items():
        print(f"Variant {name}:", flush=True)
        paths = train_seeds(one)
        if paths is None:
            return None
        groups[name] = [read(path) for path in paths]
        written = write(config, groups)
        print(f"Written to {written}", flush=True)
    return written


def main() -> None:
    """Train and compare variants with the settings of the command line."""
    launch(ablate, "ablate")


if __name__ == "__main__":
    main()
