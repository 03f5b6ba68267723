import io
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from dataclasses import replace

import numpy as np
import pytest
import torch
from stable_baselines3.common.save_util import load_from_zip_file

from agents import checkpoint
from agents.base import load
from agents.checkpoint import CheckpointError
from agents.ppo import PPOAgent
from configs.schema import (
    AgentConfig,
    ConfigError,
    EvaluateConfig,
    EvaluationConfig,
    RunConfig,
    TrainConfig,
)
from experiments import learning
from experiments import train as training
from experiments.evaluate import evaluate
from experiments.progress import Display
from experiments.runs import RunFolder
from experiments.saving import resume
from experiments.session import make_league
from skirmish_env import Table
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK

QUICK = (
    "train=quick", "train.decisions=6144", "agent=small", "evaluate=quick", "evaluate.deals=10",
)  # fmt: skip


def command(*arguments):
    return [sys.executable, "-m", "experiments.train", *arguments]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A short run from the command line: its folder and what it printed."""
    where = tmp_path_factory.mktemp("anywhere")
    done = subprocess.run(
        command(*QUICK, "seed=5", "name=short"),
        cwd=where,
        env=os.environ | {"CI": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    (folder,) = (where / "runs").iterdir()
    assert [path.name for path in where.iterdir()] == ["runs"]
    return RunFolder(folder), done.stdout


def small(folder, **changes):
    """Settings of a run that takes about a second."""
    t = TrainConfig(
        decisions=2048, games=32, steps=16, minibatch=256, epochs=2, snapshot_every=512,
        checkpoint_every=10**6, snapshots=2, threads=1,
    )  # fmt: skip
    return RunConfig(
        folder=str(folder),
        agent=AgentConfig(trunk=[16], policy=[16], value=[16]),
        train=replace(t, **changes),
        evaluate=EvaluateConfig(opponents=["random"], deals=4),
    )


def retold(source, target, changes):
    """Copy a checkpoint that says something else about itself; its checksum is right."""
    data = io.BytesIO()
    with zipfile.ZipFile(source) as before, zipfile.ZipFile(data, "w") as after:
        for name in before.namelist():
            content = before.read(name)
            if name == checkpoint.DETAILS:
                content = json.dumps(json.loads(content) | changes)
            after.writestr(name, content)
    target.write_bytes(checkpoint.sealed(data))


def weights(zip_file):
    return load_from_zip_file(zip_file, load_data=False)[1]


def test_a_run_leaves_everything_it_promises(finished):
    run, printed = finished
    assert run.path.name.endswith("_short")
    config = run.read_config()
    assert (config.seed, config.train.decisions, config.train.games) == (5, 6144, 64)

    rows = run.read_metrics()
    assert [int(row["decisions"]) for row in rows] == [2048, 4096, 6144]
    assert float(rows[0]["learning_rate"]) > float(rows[1]["learning_rate"]) > 0
    assert float(rows[-1]["learning_rate"]) == 0
    assert int(rows[-1]["games"]) > 0

    names = {path.name for path in run.checkpoints.iterdir()}
    assert names == {"decisions_000004096.zip", "final.zip"}
    data = checkpoint.read(run.checkpoints / "final.zip")
    assert data["decisions"] == 6144
    assert data["seed"] == 5
    assert data["game"] == "new_york"
    assert data["observation_version"] == NEW_YORK.observation_version
    assert data["action_count"] == NEW_YORK.action_count

    assert run.curve.read_bytes().startswith(b"\x89PNG")
    results = json.loads(run.evaluation.read_text())["results"]
    assert [result["opponent"] for result in results] == ["random", "heuristic", "expert"]
    assert set(results[0]["seats"]) == {"villains", "heroes"}
    for result in results:
        assert 0 <= result["low"] <= result["score"] <= result["high"] <= 1

    game = Table.replay(run.sample)
    assert game.winner in {"villains", "heroes", "draw"}

    assert "6,144 decisions" in printed
    assert "10 deals, each played twice" in printed


def test_evaluation_repeats_exactly(finished, capsys):
    run, _ = finished
    before = json.loads(run.evaluation.read_text())
    again = evaluate(EvaluationConfig(run=str(run.path)))
    assert again["results"] == before["results"]
    assert (run.path / "evaluation_2.json").is_file()
    other = evaluate(EvaluationConfig(run=str(run.path), deals=3, opponents=["random"]))
    assert [result["deals"] for result in other["results"]] == [3]
    evaluate(EvaluationConfig(run=str(run.path), deals=3, checkpoint="decisions_000004096"))
    assert "opponent itself" in capsys.readouterr().out


def test_an_evaluation_on_named_deals(finished):
    """The run counted its deals from 0; the named ones have a first deal of their own."""
    run, _ = finished
    named = evaluate(EvaluationConfig(run=str(run.path), deals="deals-v1:4", opponents=["random"]))
    assert named["settings"]["deals"] == "deals-v1:4"
    assert named["results"][0]["deals"] == 4
    same = EvaluationConfig(
        run=str(run.path), deals=4, first_deal=3_000_000_000, opponents=["random"]
    )
    assert evaluate(same)["results"] == named["results"]
    with pytest.raises(ConfigError, match=r"evaluate\.deals: .*did you mean 'deals-v1'"):
        evaluate(EvaluationConfig(run=str(run.path), deals="deals-v2"))
    with pytest.raises(ConfigError, match=r"evaluate\.first_deal: must be 0"):
        evaluate(EvaluationConfig(run=str(run.path), deals="deals-v1", first_deal=3))


@pytest.mark.parametrize(
    ("deals", "short"),
    [(1000, 100), (50, 50), ("deals-v1", "deals-v1:100"), ("deals-v1:50", "deals-v1:50"),
     ("deals-v1:500", "deals-v1:100")],
)  # fmt: skip
def test_a_stopped_run_is_rated_on_its_first_deals(deals, short):
    assert training.shortened(EvaluateConfig(deals=deals)).deals == short


def test_wrong_evaluations_are_refused(finished, tmp_path):
    run, _ = finished
    with pytest.raises(ConfigError, match="run: name a run folder"):
        evaluate(EvaluationConfig())
    with pytest.raises(ConfigError, match="is no run folder"):
        evaluate(EvaluationConfig(run=str(tmp_path)))
    with pytest.raises(CheckpointError, match="no such checkpoint"):
        evaluate(EvaluationConfig(run=str(run.path), checkpoint="best"))
    with pytest.raises(ConfigError, match=r"evaluate\.deals: must be above 0"):
        evaluate(EvaluationConfig(run=str(run.path), deals=0))


def test_a_trained_agent_loads_from_any_of_its_paths(finished):
    run, _ = finished
    batch = Batch(20)
    batch.deal(np.arange(20))
    paths = [run.path, run.checkpoints, *sorted(run.checkpoints.glob("final.*"))]
    answers = [load(path).act(batch.view(), np.random.default_rng(0)) for path in paths]
    assert len(answers) == 3
    for answer in answers[1:]:
        assert np.array_equal(answer, answers[0])


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("observation_version", 99, "observation version 99 where this is"),
        ("observation_size", 12, "observation size 12 where this is"),
        ("action_version", 0, "action version 0 where this is"),
        ("action_count", 7, "action count 7 where this is"),
        ("game", "old_york", "game 'old_york' where this is 'new_york'"),
        ("format_version", 9, "checkpoint format 9; this version reads 1 and 2"),
        ("format", "other", "does not describe a checkpoint"),
    ],
)
def test_weights_for_another_layout_are_refused(finished, tmp_path, key, value, words):
    run, _ = finished
    retold(run.checkpoints / "final.zip", tmp_path / "final.zip", {key: value})
    with pytest.raises(CheckpointError, match=words):
        PPOAgent.load(tmp_path)


def test_a_run_that_was_interrupted_goes_on_as_if_it_had_not_been(tmp_path, monkeypatch):
    """Stopped after two updates and resumed: the same weights and optimiser as without a stop."""
    whole = training.train(small(tmp_path / "whole"))

    class StopSoon(learning.Loop):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            self.stop_requested = lambda: "TEST" if self.model.num_timesteps >= 1024 else ""

    with monkeypatch.context() as patched:
        patched.setattr(learning, "Loop", StopSoon)
        stopped = training.train(small(tmp_path / "stopped"))
    assert checkpoint.read(checkpoint.find(stopped))["decisions"] == 1024
    assert len(RunFolder(stopped).read_metrics()) == 2

    torch.manual_seed(99)
    np.random.seed(99)
    again = training.train(RunConfig(resume=str(stopped)))
    assert again == stopped
    assert checkpoint.read(checkpoint.find(again))["decisions"] == 2048
    left, right = weights(checkpoint.find(whole)), weights(checkpoint.find(again))
    for key, value in left["policy"].items():
        assert torch.equal(value, right["policy"][key]), key
    for number, moments in left["policy.optimizer"]["state"].items():
        for key, value in moments.items():
            assert torch.equal(value, right["policy.optimizer"]["state"][number][key])
    columns = [line.split(",") for line in RunFolder(whole).metrics.read_text().splitlines()]
    others = [line.split(",") for line in RunFolder(again).metrics.read_text().splitlines()]
    timed = ("seconds", "decisions_per_second", "share_")
    clocks = {c for c, name in enumerate(columns[0]) if name.startswith(timed)}
    for row, other in zip(columns, others, strict=True):
        same = [c for c in range(len(row)) if c not in clocks]
        assert [row[c] for c in same] == [other[c] for c in same]

    with pytest.raises(ConfigError, match=r"train\.decisions: 2,048 are made already"):
        training.train(RunConfig(resume=str(stopped)))


def test_the_newest_checkpoint_counts_and_later_metrics_go(tmp_path):
    """A resumed run that was killed: an older final checkpoint, and rows nobody can continue."""
    run = RunFolder(training.train(small(tmp_path, checkpoint_every=1024)))
    newest = run.checkpoints / "decisions_000001024.zip"
    final = run.checkpoints / "final.zip"
    retold(final, final, {"decisions": 512})
    assert checkpoint.find(run.path) == newest
    training.train(RunConfig(resume=str(run.path)))
    assert [int(row["decisions"]) for row in run.read_metrics()] == [512, 1024, 1536, 2048]
    assert checkpoint.find(run.path).stem == "final"


def test_minutes_only_stop(tmp_path, capsys):
    config = small(tmp_path, decisions=10**7, minutes=1e-6)
    run = RunFolder(training.train(config))
    data = checkpoint.read(checkpoint.find(run.path))
    assert data["decisions"] == 0
    assert "Stopped (after 1e-06 minutes)" in capsys.readouterr().out
    assert run.evaluation.is_file()
    assert run.curve.is_file()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_and_reports(tmp_path, number):
    process = subprocess.Popen(
        command(*QUICK, "train.decisions=100_000_000", f"folder={tmp_path}"),
        env=os.environ | {"CI": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        metrics = None
        for _ in range(600):
            metrics = next(tmp_path.glob("*/metrics.csv"), None)
            if metrics or process.poll() is not None:
                break
            time.sleep(0.1)
        process.send_signal(number)
        printed, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0
    assert f"Stopped ({number.name})" in printed
    assert "10 deals, each played twice" in printed
    run = RunFolder(metrics.parent)
    done = checkpoint.read(checkpoint.find(run.path))["decisions"]
    assert done > 0
    assert done % 2048 == 0
    assert int(run.read_metrics()[-1]["decisions"]) == done


def test_the_expert_plays_where_it_has_a_share():
    config, others = RunConfig(), {"heuristic", "random", "latest", "past"}
    assert set(make_league(config, NEW_YORK).games) == {*others, "expert"}
    config.train.opponents.expert = 0.0
    assert set(make_league(config, NEW_YORK).games) == others


def test_two_runs_of_one_second_get_two_folders(tmp_path):
    config = RunConfig(folder=str(tmp_path))
    assert len({RunFolder.create(config).path for _ in range(3)}) == 3


def test_the_display_in_a_terminal_and_elsewhere(capsys):
    with Display(100, live=False) as display:
        display.show(50, {"random": 0.75, "past": float("nan")})
        display.show(60, {})  # too soon for another line
        display.show(100, {}, last=True)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("50 decisions, ")
    assert "random 75%" in lines[0]
    assert "past" not in lines[0]
    with Display(100, live=True) as display:
        display.show(50, {"random": 0.5})
    assert "50 decisions" in capsys.readouterr().out


@pytest.mark.parametrize("override", ["train=long", "+train.decisions=9", "train.decisions"])
def test_only_single_settings_change_when_a_run_goes_on(finished, override):
    run, _ = finished
    with pytest.raises(ConfigError, match="only single settings can change"):
        resume(str(run.path), [override])


def test_an_unfinished_checkpoint_does_not_count(finished, tmp_path):
    run, _ = finished
    part = tmp_path / f".half.zip{checkpoint.UNFINISHED}"
    part.write_bytes(checkpoint.find(run.path).read_bytes())
    with pytest.raises(CheckpointError, match="no checkpoint in this folder"):
        checkpoint.find(tmp_path)
    part.rename(tmp_path / "half.zip")
    assert checkpoint.find(tmp_path).name == "half.zip"


def test_an_unknown_opponent_of_the_arena_is_told_before_training(tmp_path):
    config = small(tmp_path)
    wrong = replace(config, evaluate=replace(config.evaluate, opponents=["nobody"]))
    with pytest.raises(ConfigError, match=r"evaluate\.opponents: .*nobody"):
        training.train(wrong)


def test_unknown_deals_of_the_arena_are_told_before_training(tmp_path):
    wrong = replace(small(tmp_path), evaluate=EvaluateConfig(deals="deals-v2"))
    with pytest.raises(ConfigError, match=r"evaluate\.deals: .*did you mean 'deals-v1'"):
        training.train(wrong)
