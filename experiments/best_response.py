"""What a trained opponent wins: `python -m experiments.best_response against=runs/<folder>`.

A learner is trained against one frozen agent alone, in both seats, with the machinery and the
settings of `experiments.train`; then it plays that agent on deals of the evaluation. What it wins
is a lower bound on what a perfect opponent would.
"""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from agents.ppo import PPOAgent
from configs.schema import BestResponseConfig, ConfigError, RunConfig
from experiments import arena, runs
from experiments.evaluate import play_arena
from experiments.exploit import identity, read
from experiments.launch import launch
from experiments.runs import RunFolder
from experiments.session import find_agent
from experiments.train import train_until

QUICK = 50  # deals of the arena that ends a training


def best_response(config: BestResponseConfig) -> dict[str, Any]:
    """Train an opponent against one agent, let them play, and keep the result.

    Raises:
        ConfigError: whom to beat is not there, or the training was ended by a signal.
    """
    game, card_set = runs.find_game(config)
    find_agent(config.against, "against")  # better told now than after the training
    if isinstance(config.evaluate.deals, int) and config.evaluate.deals < 2:
        raise ConfigError("evaluate.deals: must be 2 or more, for an interval")
    path, stopped = train_until(settings(config))
    if stopped:
        raise ConfigError(f"the training was ended by {stopped}, so that no result is kept")
    run = RunFolder(path)
    agent = PPOAgent.load(run.path, game=game, deterministic=config.evaluate.deterministic)
    evaluate = replace(config.evaluate, opponents=[config.against])
    (found,) = play_arena(agent, evaluate, game, card_set)["results"]
    result = told(config, run, found) | {"made_with": identity(card_set)}
    print(arena.table([found]))
    print(f"It wins {result['points']:+.3f} points a game of {result['against']}")
    runs.write_json(run.path / "best_response.json", result)
    if config.results:
        keep(result, Path(config.results))
    return result


def settings(config: BestResponseConfig) -> RunConfig:
    """Return the settings of the training: nobody else to play against or to be measured by."""
    own = RunConfig(**{one.name: getattr(config, one.name) for one in fields(RunConfig)})
    own.train = replace(config.train, against=config.against, evaluate_opponents=[config.against])
    own.evaluate = replace(config.evaluate, opponents=[config.against], deals=QUICK, first_deal=0)
    return own


def told(config: BestResponseConfig, run: RunFolder, found: dict[str, Any]) -> dict[str, Any]:
    """Return a result as plain data; points are two scores less one."""
    row = run.read_metrics()[-1]
    return {
        "against": Path(config.against).name,
        "run": run.path.name,
        "start": Path(config.train.start).name if config.train.start else None,
        "decisions": int(row["decisions"]),
        "minutes": float(row["seconds"]) / 60,
        "deals": found["deals"],
        "points": 2 * found["score"] - 1,
        "low": 2 * found["low"] - 1,
        "high": 2 * found["high"] - 1,
        "score": {key: found[key] for key in ("score", "low", "high")},
        "seats": found["seats"],
        "mirror": found["mirror"],
    }


def keep(result: dict[str, Any], path: Path) -> None:
    """Add a result to the file that the page is made of, in place of the same run's."""
    results = read(path)
    others = [one for one in results.get("responses", []) if one["run"] != result["run"]]
    results["responses"] = [*others, result]
    path.parent.mkdir(parents=True, exist_ok=True)
    runs.write_json(path, results)


def main() -> None:
    """Train a best response with the settings of the command line."""
    launch(best_response, "best_response")


if __name__ == "__main__":
    main()
