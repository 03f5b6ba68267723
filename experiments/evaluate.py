"""Repeat a run's evaluation: `python -m experiments.evaluate run=runs/<folder>`."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from agents import checkpoint
from agents.base import Agent, load
from agents.ppo import PPOAgent
from configs.schema import ConfigError, EvaluateConfig, EvaluationConfig
from experiments import arena, runs
from experiments.launch import launch
from experiments.runs import RunFolder
from experiments.seeds import chosen_deals
from skirmish_env.game import CardSet, Game


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


def play_arena(agent: Agent, e: EvaluateConfig, game: Game, card_set: CardSet) -> dict[str, Any]:
    """Play an agent against the opponents of a config; results with the settings they need."""
    results = arena.evaluate(
        agent,
        find_opponents(e, game),
        find_deals(e),
        seed=e.seed,
        games=e.games,
        game=game,
        card_set=card_set,
    )
    return {"settings": asdict(e), "results": results}


def find_opponents(e: EvaluateConfig, game: Game) -> list[Agent]:
    """Load the opponents of the arena.

    Raises:
        ConfigError: one of them does not exist.
    """
    try:
        return [load(name, game=game) for name in e.opponents]
    except ValueError as error:
        raise ConfigError(f"evaluate.opponents: {error}") from error


def find_deals(e: EvaluateConfig) -> np.ndarray:
    """Return the seeds int64 (n,) of the arena's deals.

    Raises:
        ConfigError: there are no such deals.
    """
    try:
        return chosen_deals(e.deals, e.first_deal)
    except ValueError as error:
        raise ConfigError(f"evaluate.{error}") from error


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
