"""What a sweep came to: its trials as a table, the best settings, pictures."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from omegaconf import OmegaConf

from experiments.evaluate import find_deals
from experiments.launch import composed
from experiments.sweep_study import (
    FrozenTrial,
    TrialState,
    evaluation,
    optuna,
    overrides_of,
)
from experiments.sweep_trials import Sweep

ENOUGH_FOR_IMPORTANCE = 20  # with 10, the shares are little better than chance


def report(ongoing: Sweep) -> None:
    """Print the trials and the best settings, and write them down."""
    text = table(ongoing)
    best = ongoing.best
    if best is not None:
        text += "\n\n" + best_settings(ongoing, best)
    print(f"\n{text}", flush=True)
    ongoing.folder.table.write_text(f"{text}\n", "utf-8")
    draw_history(ongoing.trials, ongoing.folder.history)


def table(ongoing: Sweep) -> str:
    """Lay the trials out as text, the best first."""
    seeds = ongoing.config.seeds
    head = ["trial", "score", *(f"seed {seed}" for seed in seeds if len(seeds) > 1), "seconds", ""]
    keys = list(ongoing.space)
    rows = [[*head, *keys]]
    order = {TrialState.COMPLETE: 0, TrialState.PRUNED: 1}
    for one in sorted(ongoing.trials, key=lambda t: (order.get(t.state, 2), -(t.value or 0))):
        complete = one.state == TrialState.COMPLETE
        scores = [f"{score:.1%}" for score in one.user_attrs.get("scores", [])]
        lines = [str(one.number), f"{one.value:.1%}" if complete else ""]
        lines += (scores or [""] * len(seeds)) if len(seeds) > 1 else []
        lines += [f"{one.duration.total_seconds():.0f}" if one.duration else "", _note(one)]
        rows.append([*lines, *(_short(one.params.get(key, "")) for key in keys)])
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) for row in rows]
    deals = len(find_deals(evaluation(ongoing.config)))
    note = (
        f"Score: wins and half the draws against {ongoing.config.opponent}; {deals} deals, each "
        "played twice with seats swapped"
    )
    note += f"; mean over {len(seeds)} seeds." if len(seeds) > 1 else "."
    return "\n".join([*(line.rstrip() for line in lines), note])


def _note(trial: FrozenTrial) -> str:
    if trial.state == TrialState.PRUNED:
        return f"pruned at {trial.last_step:,}, {trial.intermediate_values[trial.last_step]:.0%}"
    if "failure" in trial.user_attrs:
        return "failed"
    if "same_as" in trial.user_attrs:
        return f"as trial {trial.user_attrs['same_as']}"
    if trial.state == TrialState.RUNNING:
        return "cut off"
    return "baseline" if trial.user_attrs.get("baseline") else ""


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def best_settings(ongoing: Sweep, best: FrozenTrial) -> str:
    """Write the best settings to best.yaml; return them as commands, with importances."""
    overrides = [*ongoing.config.run, *overrides_of(best.params)]
    settings = asdict(composed(overrides))
    for key in ("seed", "resume", "folder"):
        del settings[key]
    folder = ongoing.folder
    start = shlex.join(["--config-dir", str(folder.path), "--config-name", folder.best.stem])
    words = [
        f"# The settings of trial {best.number}, score {best.value:.4f}. Use:",
        "# python -m experiments.train --config-dir FOLDER --config-name best seed=1",
        "defaults: [run, _self_]",
        OmegaConf.to_yaml(OmegaConf.create(settings)),
    ]
    folder.best.write_text("\n".join(words), "utf-8")
    lines = [
        f"Best: trial {best.number}, {best.value:.1%}. Chosen among {len(ongoing.trials)} trials, "
        "so expect less of it on other deals and seeds:",
        f"python -m experiments.train {shlex.join(overrides)} seed=1",
        f"python -m experiments.train {start} seed=1",
    ]
    weights = importances(ongoing)
    if weights:
        shares = ", ".join(f"{key} {weight:.0%}" for key, weight in weights.items())
        lines.append(f"How much each setting mattered (PED-ANOVA): {shares}")
    return "\n".join(lines)


def importances(ongoing: Sweep) -> dict[str, float]:
    """Return how much each setting mattered, the shares sum to 1; {} with too few trials."""
    scores = [one.value for one in ongoing.trials if one.state == TrialState.COMPLETE]
    if len(scores) < ENOUGH_FOR_IMPORTANCE or len(ongoing.space) < 2 or len(set(scores)) < 2:
        return {}
    evaluator = optuna.importance.PedAnovaImportanceEvaluator()
    return optuna.importance.get_param_importances(ongoing.study, evaluator=evaluator)


def draw_history(trials: list[FrozenTrial], picture: Path) -> None:
    """Draw the scores of trials in their order, and what the pruner saw of each, as a PNG."""
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    complete = [one for one in trials if one.state == TrialState.COMPLETE]
    if complete:
        numbers, scores = [one.number for one in complete], [one.value for one in complete]
        left.plot(numbers, scores, "o", label="trial")
        left.step(numbers, np.maximum.accumulate(scores), where="post", label="best so far")
        left.legend(loc="lower right")
    left.set(xlabel="trial", ylabel="score on the shared deals")
    left.xaxis.get_major_locator().set_params(integer=True)
    for one in trials:
        steps = sorted(one.intermediate_values)
        pruned = one.state == TrialState.PRUNED
        color = "0.6" if pruned else None
        values = [one.intermediate_values[step] for step in steps]
        right.plot(steps, values, color=color, marker="x" if pruned else ".", linewidth=1)
    right.set(xlabel="decisions of the learner", ylabel="score in recent training games")
    right.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    right.xaxis.get_major_locator().set_params(nbins=5)
    figure.savefig(picture, dpi=120)
