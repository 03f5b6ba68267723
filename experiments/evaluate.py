"""Repeat a run's evaluation: `python -m experiments.evaluate run=runs/<folder>`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from agents import checkpoint
from agents.ppo import PPOAgent
from configs.schema import ConfigError, EvaluateConfig, EvaluationConfig
from experiments import arena, runs
from experiments.launch import launch
from experiments.runs import RunFolder
from experiments.train import play_arena


def evaluate(config: EvaluationConfig) -> dict[str, Any]:
    """Play a run's checkpoint against others with the run's settings; return the results."""
    if config.run is None:
        raise ConfigError("run: name a run folder, as in run=runs/<folder>")
    run = RunFolder.open(config.run)
    of_run = run.read_config()
    of_run = replace(of_run, evaluate=with_changes(of_run.evaluate, config))
    game, card_set = runs.find_game(of_run)
    e = of_run.evaluate
    zip_file = checkpoint.find(run.checkpoints / f"{config.checkpoint}.zip")
    agent = PPOAgent.load(zip_file, game=game, deterministic=e.deterministic)
    results = play_arena(agent, e, game, card_set)
    path = free_name(run.path, "evaluation")
    decisions = checkpoint.read(zip_file)["decisions"]
    runs.write_json(path, {"checkpoint": config.checkpoint, "decisions": decisions, **results})
    print(arena.table(results["results"]))
    print(f"Written to {path}")
    return results


def with_changes(e: EvaluateConfig, config: EvaluationConfig) -> EvaluateConfig:
    """Return the run's settings with those that the command line names."""
    keys = ("deals", "first_deal", "opponents", "deterministic", "seed")
    named = {key: getattr(config, key) for key in keys if getattr(config, key) is not None}
    if isinstance(named.get("deals"), str):
        named.setdefault("first_deal", 0)  # a named set has a first deal of its own
    return replace(e, **named)


def free_name(folder: Path, stem: str) -> Path:
    """Return the first of stem_2.json, stem_3.json, ... that is not there yet."""
    number = 2
    while (path := folder / f"{stem}_{number}.json").exists():
        number += 1
    return path


def main() -> None:
    """Evaluate with the settings of the command line."""
    launch(evaluate, "evaluation")


if __name__ == "__main__":
    main()
