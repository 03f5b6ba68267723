"""Short runs, and folders that look like some."""

import csv
import json
from dataclasses import replace

from stable_baselines3.common.save_util import load_from_zip_file

from agents import checkpoint
from configs.schema import AgentConfig, EvaluateConfig, RunConfig, TrainConfig
from experiments.runs import RunFolder

SEATS = ("villains", "heroes")


def small(folder, seed=0, name="ppo", **changes):
    """Settings of a run that takes about a second."""
    t = TrainConfig(
        decisions=2048, games=32, steps=16, minibatch=256, epochs=2, snapshot_every=512,
        checkpoint_every=1024, snapshots=2, threads=1, evaluate_every=1024, evaluate_deals=4,
        evaluate_opponents=["random", "heuristic"],
    )  # fmt: skip
    return RunConfig(
        name=name,
        seed=seed,
        folder=str(folder),
        agent=AgentConfig(trunk=[16], policy=[16], value=[16]),
        train=replace(t, **changes),
        evaluate=EvaluateConfig(opponents=["random"], deals=4),
    )


def policy_of(run):
    return load_from_zip_file(checkpoint.find(run), load_data=False)[1]["policy"]


def made_run(folder, seed, villains, heroes, name="ppo", curve=(0.1, 0.2), **changes):
    """A run folder with results, as training leaves it."""
    config = small(folder, seed, name, **changes)
    run = RunFolder.create(config)
    seats = {"villains": {"score": villains}, "heroes": {"score": heroes}}
    results = [{"opponent": "random", "score": (villains + heroes) / 2, "seats": seats}]
    arena = {"opponents": ["random"], "deals": 4}
    run.evaluation.write_text(json.dumps({"settings": arena, "results": results}))
    for number, score in enumerate(curve, 1):
        run.add_metrics({
            "decisions": 1024 * number, "seconds": number, "score_random": 0.5,
            "eval_random": score, "eval_random_villains": score, "eval_random_heroes": score / 2,
            "eval_random_draws": 0,
        })  # fmt: skip
    return run.path


def read_rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
