"""A full disk is told; what was saved before it still counts."""

import errno
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from agents import checkpoint
from agents.checkpoint import CheckpointError
from configs.schema import RunConfig
from experiments import launch
from experiments import train as training
from experiments.metrics import Metrics
from experiments.runs import RunFolder
from tests.lifecycle.helpers import same_runs, small
from tests.lifecycle.processes import outcome


def full_for(wanted, times=10**9):
    """Return a `put` with no room half-way through files of such names."""
    left = [times]
    put = checkpoint.put

    def one(descriptor, data):
        name = Path(os.readlink(f"/proc/self/fd/{descriptor}")).name
        if left[0] and re.search(wanted, name):
            left[0] -= 1
            put(descriptor, bytes(data)[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        put(descriptor, data)

    return one


def test_a_full_disk_costs_one_checkpoint_and_training_goes_on(
    tmp_path, finished, monkeypatch, capsys
):
    monkeypatch.setattr(checkpoint, "put", full_for(r"decisions_.*\.part$"))
    run = RunFolder(training.train(small(tmp_path)))
    shown = capsys.readouterr().out
    assert (
        "checkpoint decisions_000000512 could not be saved: No space left on device; "
        "there is none before it; training goes on"
    ) in shown
    assert [path.name for path in run.checkpoints.iterdir()] == ["final.zip"]
    same_runs(run, finished)


def test_a_full_disk_at_the_end_stops_with_a_message_and_resumes(
    tmp_path, finished, monkeypatch, capsys
):
    with monkeypatch.context() as patched:
        patched.setattr(checkpoint, "put", full_for(r"final.*\.part$"))
        with pytest.raises(CheckpointError, match="final could not be saved: No space left on dev"):
            training.train(small(tmp_path))
    (folder,) = tmp_path.iterdir()
    run = RunFolder(folder)
    assert [path.name for path in run.checkpoints.iterdir()] == ["decisions_000000512.zip"]
    training.train(RunConfig(resume=str(folder)))
    assert "Going on from decisions_000000512 (512 decisions)" in capsys.readouterr().out
    same_runs(run, finished)


def test_a_row_without_room_waits_and_no_half_row_is_left(tmp_path, finished, monkeypatch, capsys):
    monkeypatch.setattr(checkpoint, "put", full_for(r"metrics\.csv", times=1))
    run = RunFolder(training.train(small(tmp_path)))
    assert "metrics.csv: No space left on device; rows wait in memory." in capsys.readouterr().out
    same_runs(run, finished)


def test_rows_without_room(tmp_path, monkeypatch):
    rows = Metrics(tmp_path / "metrics.csv")
    rows.add({"decisions": 1, "a": 5})
    before = rows.path.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(checkpoint, "put", full_for(r"metrics\.csv"))
        for number in (2, 3):
            with pytest.raises(OSError, match="No space left"):
                rows.add({"decisions": number, "a": 6})
            assert rows.path.read_bytes() == before
        with pytest.raises(OSError, match="No space left"):
            rows.keep()
    rows.keep()
    assert [row["decisions"] for row in rows.read()] == ["1", "2", "3"]


def test_what_the_system_itself_refuses_to_write(context, tmp_path):
    """A real limit on the size of files: the second checkpoint is larger than the first."""
    config = small(tmp_path, decisions=1024)
    assert outcome(context, config, None) == 0
    (folder,) = tmp_path.iterdir()
    sizes = {file.stem: file.stat().st_size for file in checkpoint.listed(folder / "checkpoints")}
    shutil.rmtree(folder)
    limit = sum(sizes.values()) // 2
    assert sizes["decisions_000000512"] < limit < sizes["final"]
    assert outcome(context, config, None, limit) == launch.FAILURE
    run = RunFolder(next(tmp_path.iterdir()))
    assert [path.name for path in run.checkpoints.iterdir()] == ["decisions_000000512.zip"]
    assert checkpoint.find(run.path).stem == "decisions_000000512"


def test_the_command_line_says_what_could_not_be_written(monkeypatch, capsys):
    def no_room(config):
        raise OSError(errno.ENOSPC, "No space left on device", "config.yaml")

    monkeypatch.setattr(sys, "argv", ["experiment"])
    with pytest.raises(SystemExit) as stop:
        launch.launch(no_room, "run")
    assert stop.value.code == launch.FAILURE
    words = "error: config.yaml: could not be written: No space left on device"
    assert words in capsys.readouterr().err
