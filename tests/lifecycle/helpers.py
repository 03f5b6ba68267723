"""A run of two updates, ways to damage it, and what makes two runs the same."""

import json
import sys
from dataclasses import replace

import numpy as np
import torch
from stable_baselines3.common.save_util import load_from_zip_file

from agents import checkpoint
from configs.schema import AgentConfig, EvaluateConfig, RunConfig, TrainConfig
from experiments import train as training

CLOCKS = ("seconds", "decisions_per_second", "share_")  # how columns of clocks begin


def small(folder, **changes):
    """Settings of a run of two updates that takes about a second."""
    t = TrainConfig(
        decisions=1024, games=32, steps=16, minibatch=256, epochs=2, snapshot_every=512,
        checkpoint_every=512, snapshots=2, threads=1,
    )  # fmt: skip
    return RunConfig(
        folder=str(folder),
        agent=AgentConfig(trunk=[16], policy=[16], value=[16]),
        train=replace(t, **changes),
        evaluate=EvaluateConfig(opponents=["random"], deals=2),
    )


def shorter(run):
    """Make a finished run one that was killed after its first checkpoint."""
    (run.checkpoints / "final.zip").unlink()
    run.evaluation.unlink()
    return run


def same(one, other, where=""):
    """Demand that nested data are equal bit by bit."""
    assert type(one) is type(other), where
    if isinstance(one, dict):
        assert one.keys() == other.keys(), where
        for key in one:
            same(one[key], other[key], f"{where}.{key}")
    elif isinstance(one, (list, tuple)):
        assert len(one) == len(other), where
        for k, pair in enumerate(zip(one, other)):
            same(*pair, f"{where}[{k}]")
    elif isinstance(one, torch.Tensor):
        assert torch.equal(one, other), where
    elif isinstance(one, np.ndarray):
        assert np.array_equal(one, other), where
    else:
        assert one == other, where


def without_clocks(run):
    rows = run.read_metrics()
    return [{k: v for k, v in row.items() if not k.startswith(CLOCKS)} for row in rows]


def same_runs(one, other):
    """Demand the same rows, weights, optimiser, games, league, generators and arena."""
    assert without_clocks(one) == without_clocks(other)
    files = [checkpoint.find(run.path) for run in (one, other)]
    assert [file.name for file in files] == ["final.zip"] * 2
    same(*(load_from_zip_file(file, load_data=False)[1] for file in files))
    same(*(checkpoint.read_state(file) for file in files))
    same(*(checkpoint.read(file) for file in files))
    same(*(json.loads(run.evaluation.read_text()) for run in (one, other)))


def cut(data):
    return data[: len(data) // 2]


def flipped(data):
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


def command(monkeypatch, *words, main=training.main):
    monkeypatch.setattr(sys, "argv", ["experiment", *words])
    main()
