"""Damaged checkpoints, rows and settings are named, and what is good beside them counts."""

import re

import numpy as np
import pytest

from agents import checkpoint
from agents.checkpoint import CheckpointError
from agents.ppo import PPOAgent
from configs.schema import ConfigError, RunConfig
from experiments import listing, lock
from experiments import train as training
from experiments.metrics import Metrics
from experiments.runs import RunFolder
from tests.lifecycle.helpers import cut, flipped, same_runs, shorter, small


def checksum_changed(data):
    return data[:-1] + (b"0" if data[-1:] != b"0" else b"1")


DAMAGE = [
    (cut, "is cut off or damaged"),
    (flipped, r"is (cut off or )?damaged"),
    (checksum_changed, "is damaged .its content does not fit its checksum"),
    (lambda data: b"", "is cut off or damaged"),
    (lambda data: b"what is this" * 1000, "is cut off or damaged"),
    (lambda data: data[:-3] + b"\0\0\0", "is damaged .it does not end with its checksum"),
]


@pytest.mark.parametrize(("damage", "words"), DAMAGE)
def test_a_damaged_checkpoint_is_named_and_the_one_before_used(copied, damage, words):
    final = copied.checkpoints / "final.zip"
    final.write_bytes(damage(final.read_bytes()))
    named = rf"final\.zip: {words}.*; decisions_000000512\.zip is used instead"
    with pytest.warns(UserWarning, match=named):
        assert checkpoint.find(copied.path).stem == "decisions_000000512"
    with pytest.raises(CheckpointError, match=rf"final\.zip: {words}"):
        PPOAgent.load(final)


def test_a_change_of_any_byte_is_found(finished, tmp_path):
    data = (finished.checkpoints / "final.zip").read_bytes()
    rng = np.random.default_rng(0)
    ends = [0, len(data) - 1, len(data) - 64, len(data) - 65]
    for at in [*ends, *rng.integers(len(data), size=60).tolist()]:
        changed = bytearray(data)
        changed[at] ^= int(rng.integers(1, 256))
        (tmp_path / "one.zip").write_bytes(changed)
        with pytest.raises(CheckpointError, match=r"one\.zip: is"):
            checkpoint.verify(tmp_path / "one.zip")


def test_a_run_with_a_damaged_checkpoint_goes_on_from_the_one_before(copied, finished, capsys):
    final = copied.checkpoints / "final.zip"
    final.write_bytes(flipped(final.read_bytes()))
    training.train(RunConfig(resume=str(copied.path)))
    shown = capsys.readouterr().out.splitlines()
    words = r"final\.zip: is .*damaged.*decisions_000000512\.zip is used instead"
    assert re.search(words, shown[0])
    same_runs(copied, finished)


def test_a_run_with_nothing_but_damage_is_left_alone(copied):
    for file in checkpoint.listed(copied.checkpoints):
        file.write_bytes(cut(file.read_bytes()))
    before = {file: file.read_bytes() for file in copied.path.rglob("*") if file.is_file()}
    words = r"decisions_000000512\.zip: is cut off.*; .*final\.zip: is cut off"
    with pytest.raises(CheckpointError, match=words):
        training.train(RunConfig(resume=str(copied.path)))
    with pytest.raises(CheckpointError, match=words):
        checkpoint.find(copied.path)
    del before[copied.path / lock.NAME]
    assert all(file.read_bytes() == content for file, content in before.items())


def test_a_checkpoint_is_picked_by_name_and_later_ones_set_aside(copied, finished, capsys):
    wrong = RunConfig(resume=str(copied.path), checkpoint="best")
    words = "checkpoint: 'best' is not there; there is decisions_000000512, final"
    with pytest.raises(CheckpointError, match=words):
        training.train(wrong)
    training.train(RunConfig(resume=str(copied.path), checkpoint="decisions_000000512"))
    assert "Set aside: checkpoints/set_aside/final.zip" in capsys.readouterr().out
    same_runs(copied, finished)
    checkpoint.verify(copied.checkpoints / "set_aside" / "final.zip")


def test_old_checkpoints_go_and_the_good_ones_among_them_count(finished, tmp_path):
    data = (finished.checkpoints / "decisions_000000512.zip").read_bytes()
    for name in ("a", "b", "c", "d", "final"):
        (tmp_path / f"{name}.zip").write_bytes(data)
    (tmp_path / "d.zip").write_bytes(cut(data))
    assert [file.stem for file in checkpoint.prune(tmp_path, 2)] == ["a"]
    assert [file.stem for file in checkpoint.listed(tmp_path)] == ["b", "c", "d", "final"]
    (tmp_path / "final.zip").unlink()
    checkpoint.prune(tmp_path, 1)
    assert [file.stem for file in checkpoint.listed(tmp_path)] == ["c", "d"]


def test_a_run_keeps_as_many_as_it_was_told(tmp_path):
    config = small(tmp_path, decisions=2048, keep_checkpoints=2)
    run = RunFolder(training.train(config))
    assert [file.stem for file in checkpoint.listed(run.checkpoints)] == [
        "decisions_000001024", "decisions_000001536", "final",
    ]  # fmt: skip


def test_half_a_row_is_dropped_and_named(copied, finished, capsys):
    shorter(copied)
    with copied.metrics.open("a") as file:
        file.write("1536,12.5,88")
    assert len(copied.read_metrics()) == 2
    training.train(RunConfig(resume=str(copied.path)))
    words = "metrics.csv: dropped a half line at its end, '1536,12.5,88'"
    assert words in capsys.readouterr().out
    same_runs(copied, finished)


def test_a_damaged_row_is_named_before_anything_changes(copied):
    lines = copied.metrics.read_text().splitlines(keepends=True)
    copied.metrics.write_text("".join([lines[0], "1,2\n", lines[2]]))
    with pytest.raises(ConfigError, match=r"metrics\.csv: line 2 is damaged: '1,2'"):
        copied.read_metrics()
    before = {f: f.read_bytes() for f in copied.path.rglob("*") if f.is_file()}
    with pytest.raises(ConfigError, match=r"metrics\.csv: line 2 is damaged"):
        training.train(RunConfig(resume=str(copied.path), checkpoint="decisions_000000512"))
    assert {f: f.read_bytes() for f in copied.path.rglob("*") if f.is_file()} == before


def test_missing_rows_are_named(tmp_path):
    rows = Metrics(tmp_path / "metrics.csv")
    rows.add({"decisions": 5})
    assert rows.cut(9) == ["metrics.csv: rows are missing between 5 and 9 decisions"]
    assert rows.cut(5) == []


def test_new_columns_go_to_the_right_end(tmp_path):
    rows = Metrics(tmp_path / "metrics.csv")
    rows.add({"decisions": 1, "a": 5})
    Metrics(rows.path).add({"decisions": 2, "b": 7})
    rows = Metrics(rows.path)
    rows.add({"b": 8, "decisions": 3, "a": 9})
    assert rows.path.read_text() == "decisions,a,b\n1,5,\n2,,7\n3,9,8\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed: [1", r"config\.yaml: is damaged: "),
        ("- seed", r"config\.yaml: is damaged: it holds no settings"),
        ("sede: 3", r"config\.yaml: sede: there is no such setting; the nearest is seed"),
        ("train: {games: many}", r"config\.yaml: train\.games: .*'many'.*Integer"),
    ],
)
def test_a_damaged_config_is_named(copied, text, message):
    copied.config.write_text(text)
    with pytest.raises(ConfigError, match=message):
        copied.read_config()
    row = listing.describe(copied.path)
    assert re.search(message, row["damage"][0])
    assert (row["total"], row["decisions"]) == (None, 1024)
