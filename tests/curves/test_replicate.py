"""One run for each seed, side by side."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from configs.schema import ConfigError, ReplicateConfig
from experiments import compare as comparing
from experiments import learning, replicate
from experiments import train as training
from tests.curves.helpers import made_run, policy_of, read_rows, small


def several(folder, **changes):
    one = small(folder, **changes)
    return ReplicateConfig(
        seeds=[0, 1], jobs=2, name="both", folder=str(folder), agent=one.agent, train=one.train,
        evaluate=one.evaluate,
    )  # fmt: skip


def test_seeds_side_by_side_and_once_only(tmp_path, monkeypatch):
    """Two seeds in processes of their own; the second time nothing is trained."""
    out = replicate.replicate(several(tmp_path))
    assert out == tmp_path / "both" / "comparison"
    paths = comparing.folders([str(tmp_path / "both")])
    by_seed = {path.name.rpartition("_")[2]: path for path in paths}
    assert sorted(by_seed) == ["seed0", "seed1"] and len(paths) == 2
    assert "both" in {row["group"] for row in read_rows(out / "curves.csv")}
    alone = training.train(small(tmp_path / "alone"))
    left, right = policy_of(alone), policy_of(by_seed["seed0"])
    assert all(torch.equal(value, right[key]) for key, value in left.items())

    monkeypatch.setattr(replicate, "train_all", None)
    assert replicate.replicate(several(tmp_path)) == out
    with pytest.raises(ConfigError, match=r"train\.gamma \(0\.997 there, 0\.9 here\)"):
        replicate.replicate(several(tmp_path, gamma=0.9))


def test_a_seed_goes_on_from_where_it_was_stopped(tmp_path, monkeypatch):
    config = replicate.run_config(several(tmp_path), 0)

    class StopSoon(learning.Loop):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            self.stop_requested = lambda: "TEST" if self.model.num_timesteps >= 1024 else ""

    assert replicate.earlier(config) is None
    with monkeypatch.context() as patched:
        patched.setattr(learning, "Loop", StopSoon)
        replicate.work(config)
    run = replicate.earlier(config)
    assert replicate.decisions_of(run) == 1024
    assert replicate.progress(config) == 1024
    assert not replicate.is_finished(config)
    replicate.work(config)
    assert replicate.is_finished(config)
    run.evaluation.unlink()
    assert not replicate.is_finished(config)
    replicate.work(config)
    assert replicate.is_finished(config)
    assert [path.name for path in Path(config.folder).iterdir()] == [run.path.name]


@pytest.mark.slow
def test_a_seed_that_fails_is_told_with_its_log(tmp_path):
    config = several(tmp_path, evaluate_opponents=["nobody"])
    with pytest.raises(ConfigError, match=r"seeds: 2 did not end well; see .*seed[01]\.log"):
        replicate.replicate(config)
    assert "nobody" in (tmp_path / "both" / "seed0.log").read_text()


def test_one_seeds_folder_is_not_anothers(tmp_path):
    config = replicate.run_config(replace(several(tmp_path), seeds=[1, 11]), 1)
    made_run(config.folder, 11, 0.5, 0.5, "seed11")
    assert replicate.folders_of(config) == []
    path = made_run(config.folder, 1, 0.5, 0.5, "seed1")
    assert [run.path for run in replicate.folders_of(config)] == [path]
