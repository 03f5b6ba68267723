"""Games of training and of evaluation never meet, and a run's seed decides everything in it."""

from __future__ import annotations

import ast
import json
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from stable_baselines3.common.save_util import load_from_zip_file

from agents import checkpoint
from agents.random import RandomAgent
from configs.schema import AgentConfig, EvaluateConfig, EvaluationConfig, RunConfig, TrainConfig
from experiments import train as training
from experiments.evaluate import evaluate
from experiments.pairs import play_pairs
from experiments.runs import RunFolder
from experiments.seeds import (
    EVALUATION_SEEDS,
    STREAMS,
    TRAINING_SEEDS,
    evaluation_deals,
    stream,
    training_seeds,
)
from skirmish_env import Table, deals
from skirmish_env.aec import raw_env
from skirmish_env.batch import Batch
from skirmish_env.named_deals import NAMED_DEALS

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
TRAINS = "experiments/selfplay_env.py"
SETTLED_ELSEWHERE = 10**6  # more deals than anybody counts from 0

# Every file that starts games. A new one says here what it deals, and a test below sees it deal.
PRODUCERS = {
    TRAINS: TRAINING_SEEDS,
    "experiments/side_by_side.py": TRAINING_SEEDS,  # the compiled vector environment draws them
    "experiments/pairs.py": EVALUATION_SEEDS,
    "experiments/replays.py": EVALUATION_SEEDS,
    "experiments/runs.py": EVALUATION_SEEDS,  # the sample game
    "experiments/record.py": TRAINING_SEEDS,  # others where they are asked for by name
    "experiments/exact/deals.py": EVALUATION_SEEDS,  # to see what there is to deal
    "experiments/bench/own.py": EVALUATION_SEEDS,  # nobody learns from it or is rated by it
    "experiments/bench/questions.py": EVALUATION_SEEDS,
}
NO_GAMES = {"experiments/collected.py"}  # resets its own memory


def settings(folder: Path, seed: int = 0, **evaluation: Any) -> RunConfig:
    """A run of a second or two."""
    t = TrainConfig(
        decisions=1024, games=32, steps=16, minibatch=256, epochs=1, snapshot_every=512,
        checkpoint_every=10**6, snapshots=2, threads=1,
    )  # fmt: skip
    return RunConfig(
        folder=str(folder),
        seed=seed,
        agent=AgentConfig(trunk=[16], policy=[16], value=[16]),
        train=t,
        evaluate=replace(EvaluateConfig(opponents=["random"], deals=4), **evaluation),
    )


@pytest.fixture
def dealt(monkeypatch) -> dict[str, list[int]]:
    """Seeds of all games that are started, by the file that starts them."""
    seen: dict[str, list[int]] = defaultdict(list)

    def note(seeds: Any) -> None:
        file = Path(sys._getframe(2).f_code.co_filename)
        inside = file.is_relative_to(ROOT)
        name = file.relative_to(ROOT).as_posix() if inside else file.as_posix()
        seen[name] += [int(seed) for seed in np.atleast_1d(seeds)]

    def deal(self: Batch, seeds: Any, index: Any = None) -> None:
        note(seeds)
        batch_deal(self, seeds, index)

    def new(seed: int = 0, *arguments: Any, **more: Any) -> Table:
        note(seed)
        return table_new(seed, *arguments, **more)

    def reset(self: raw_env, seed: int | None = None, options: Any = None) -> None:
        note([] if seed is None else seed)
        env_reset(self, seed, options)

    batch_deal, table_new, env_reset = Batch.deal, Table.new, raw_env.reset
    monkeypatch.setattr(Batch, "deal", deal)
    monkeypatch.setattr(Table, "new", staticmethod(new))
    monkeypatch.setattr(raw_env, "reset", reset)
    return seen


def outside(seeds: list[int], allowed: range) -> list[int]:
    return [seed for seed in seeds if seed not in allowed]


# ---------------------------------------------------------------------------------------------
# Where games come from.


def test_the_two_ranges_do_not_touch():
    assert EVALUATION_SEEDS.stop <= TRAINING_SEEDS.start
    assert EVALUATION_SEEDS.start == 0


def starts_games(path: Path) -> bool:
    called = [node.func for node in ast.walk(ast.parse(path.read_text("utf-8")))
              if isinstance(node, ast.Call)]  # fmt: skip
    names = {function.attr for function in called if isinstance(function, ast.Attribute)}
    return bool(names & {"deal", "new", "new_game", "from_position", "make_vec", "reset"})


def test_every_file_that_starts_games_says_what_it_deals():
    files = [path for room in ("experiments", "agents") for path in (ROOT / room).rglob("*.py")]
    found = {path.relative_to(ROOT).as_posix() for path in files if starts_games(path)}
    peers = {name for name in found if name.startswith("experiments/peers/")}  # games of others
    assert found - peers - NO_GAMES == PRODUCERS.keys()


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**40])
def test_training_draws_from_its_own_range_only(seed):
    drawn = training_seeds(stream(seed, "deals"), 100_000)
    assert drawn.dtype == np.int64
    assert not outside([int(drawn.min()), int(drawn.max())], TRAINING_SEEDS)


class Ends:
    """A generator that draws the least, or the greatest, number that may come."""

    def __init__(self, greatest: bool) -> None:
        self.greatest = greatest

    def integers(self, low: int, high: int, n: int) -> np.ndarray:
        return np.full(n, high - 1 if self.greatest else low)


@pytest.mark.parametrize("greatest", [False, True])
def test_the_ends_of_the_training_range_are_no_evaluation(greatest):
    (drawn,) = training_seeds(Ends(greatest), 1).tolist()
    assert drawn not in EVALUATION_SEEDS
    assert drawn in TRAINING_SEEDS


def test_evaluation_counts_up_to_the_end_of_its_range():
    assert not outside(evaluation_deals(2**32 - 3, 3).tolist(), EVALUATION_SEEDS)
    assert evaluation_deals(np.int64(2**32 - 3), np.int64(3))[-1] == 2**32 - 1
    with pytest.raises(ValueError, match="evaluation deals are 0 to 4294967295"):
        evaluation_deals(2**32 - 3, 4)


@pytest.mark.parametrize("name", NAMED_DEALS)
def test_named_deals_are_for_evaluation_and_no_one_meets_them_by_counting(name):
    seeds = deals(name).tolist()
    assert len(set(seeds)) == len(seeds)
    assert not outside(seeds, EVALUATION_SEEDS)
    assert min(seeds) > SETTLED_ELSEWHERE
    assert min(seeds) >= 2**31  # the rollout kernel deals games below


def test_a_run_trains_and_is_rated_on_different_games(dealt, tmp_path):
    folder = training.train(settings(tmp_path))
    assert set(dealt) == {TRAINS, "experiments/pairs.py", "experiments/runs.py"}
    assert not {file: bad for file in dealt if (bad := outside(dealt[file], PRODUCERS[file]))}
    assert len(set(dealt[TRAINS])) == len(dealt[TRAINS]) >= 32
    assert sorted(set(dealt["experiments/pairs.py"])) == [0, 1, 2, 3]
    assert dealt["experiments/runs.py"] == [0]

    dealt.clear()
    evaluate(EvaluationConfig(run=str(folder), deals="deals-v1:2"))
    assert set(dealt) == {"experiments/pairs.py"}
    assert sorted(set(dealt["experiments/pairs.py"])) == [3_000_000_000, 3_000_000_001]


def test_a_run_that_goes_on_trains_on_training_games(dealt, tmp_path):
    folder = training.train(settings(tmp_path))
    dealt.clear()
    config = RunFolder(folder).read_config()
    RunFolder(folder).write_config(replace(config, train=replace(config.train, decisions=1536)))
    training.train(RunConfig(resume=str(folder)))
    assert dealt[TRAINS]
    assert not outside(dealt[TRAINS], TRAINING_SEEDS)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("default")
def test_notebooks_play_evaluation_games_unless_they_train(dealt, path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    session: dict[str, Any] = {}
    for source in sources:
        exec(compile(source, path.name, "exec"), session)
    assert any(dealt.values())
    for file, seeds in dealt.items():
        assert not outside(seeds, PRODUCERS.get(file, EVALUATION_SEEDS)), file


# ---------------------------------------------------------------------------------------------
# The seed of a run, 0 like any other.


@pytest.mark.parametrize("name", STREAMS)
def test_streams_repeat_and_differ_from_each_other_and_between_seeds(name):
    first = stream(0, name).integers(2**62, size=4).tolist()
    assert stream(0, name).integers(2**62, size=4).tolist() == first
    others = [stream(1, name), stream(0, name, 5), *(stream(0, s) for s in STREAMS if s != name)]
    assert first not in [other.integers(2**62, size=4).tolist() for other in others]


def weights(folder: Path) -> list[torch.Tensor]:
    parameters = load_from_zip_file(checkpoint.find(folder), load_data=False)[1]
    return list(parameters["policy"].values())


def test_runs_of_seed_0_come_to_the_same_weights_and_games(tmp_path, dealt):
    runs, games = [], []
    for seed in (0, 0, 1):
        dealt.clear()
        runs.append(weights(training.train(settings(tmp_path, seed))))
        games.append(dealt[TRAINS])
    assert games[0] == games[1]
    assert not set(games[0]) & set(games[2])
    assert all(torch.equal(a, b) for a, b in zip(runs[0], runs[1], strict=True))
    assert not any(torch.equal(a, b) for a, b in zip(runs[0], runs[2], strict=True))


def test_evaluation_with_seed_0_repeats():
    one, other = RandomAgent(), RandomAgent()
    games = [play_pairs(one, other, "deals-v1:8", seed=seed).rows() for seed in (0, 0, 1)]
    assert games[0] == games[1] != games[2]
