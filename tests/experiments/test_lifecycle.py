"""A run survives kills, full disks and damaged files, and says what made it."""

import csv
import errno
import getpass
import io
import json
import multiprocessing
import os
import re
import resource
import shutil
import signal
import socket
import sys
import time
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from rich.console import Console
from stable_baselines3.common.save_util import load_from_zip_file

from agents import checkpoint
from agents.base import load
from agents.checkpoint import CheckpointError
from agents.ppo import PPOAgent
from configs.schema import (
    AgentConfig,
    ConfigError,
    EvaluateConfig,
    RunConfig,
    RunsConfig,
    TrainConfig,
    settings,
)
from experiments import arena, environment, launch, listing, lock
from experiments import runs as run_module
from experiments import train as training
from experiments.collected import Collected
from experiments.identity import identity
from experiments.learning import stop_signals
from experiments.metrics import Metrics
from experiments.runs import RunFolder
from experiments.saving import resume
from experiments.selfplay_env import SelfPlayVecEnv
from experiments.session import set_up
from skirmish_env.batch import Batch

DONE = 2  # exit status where all decisions are made and rated
EVERY = 1024  # decisions between two checkpoints; an update has 512
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


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A run with the checkpoints decisions_000000512 and final (1024); copy it to change it."""
    return RunFolder(training.train(small(tmp_path_factory.mktemp("finished"))))


@pytest.fixture
def copied(finished, tmp_path):
    return RunFolder(Path(shutil.copytree(finished.path, tmp_path / finished.path.name)))


def shorter(run):
    """Make a finished run one that was killed after its first checkpoint."""
    (run.checkpoints / "final.zip").unlink()
    run.evaluation.unlink()
    return run


# ---- what two runs have left is the same


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


# ---- kills


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def counted(call, at, before=die):
    """Return a function that dies at its call of this number instead of doing anything."""
    calls = [0]

    def one(*arguments, **options):
        calls[0] += 1
        if calls[0] == at:
            before()
        return call(*arguments, **options)

    return one


def halves(put, wanted, at, share):
    """Return a `put` that dies in the middle of its write of this number to such files."""
    calls = [0]

    def one(descriptor, data):
        name = Path(os.readlink(f"/proc/self/fd/{descriptor}")).name
        if re.search(wanted, name):
            calls[0] += 1
            if calls[0] == at:
                put(descriptor, bytes(data)[: int(share * len(data))])
                die()
        put(descriptor, data)

    return one


def set_to_die(kind, at, share):
    """Let this process kill itself at an event of this kind and number."""
    if kind == "step":
        SelfPlayVecEnv.step_wait = counted(SelfPlayVecEnv.step_wait, at)
    elif kind == "gradient step":
        torch.optim.Adam.step = counted(torch.optim.Adam.step, at)
    elif kind == "update":
        Collected.get = counted(Collected.get, at)
    elif kind == "writing a checkpoint":
        checkpoint.put = halves(checkpoint.put, r"\.zip\.part$", at, share)
    elif kind == "naming a file":
        Path.replace = counted(Path.replace, at)
    elif kind == "after a checkpoint":
        checkpoint.prune = counted(checkpoint.prune, at)
    elif kind == "writing a row":
        checkpoint.put = halves(checkpoint.put, r"^metrics\.csv$", at, share)
    elif kind == "arena":
        arena.evaluate = counted(arena.evaluate, at)
    else:
        raise AssertionError(kind)


def work(config, kill, limit=None):
    """Train in this process, which may be one to die, or to find little room on the disk."""
    os.environ["CI"] = "1"
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    if kill:
        set_to_die(*kill)
    if limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    try:
        training.train(config)
    except (CheckpointError, ConfigError) as error:
        print(error, file=sys.stderr, flush=True)
        os._exit(launch.FAILURE)


@pytest.fixture(scope="module")
def context():
    """Processes that start in a tenth of a second: forked from one that has all modules."""
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload(["experiments.train", __name__])
    return made


def start(context, *arguments):
    process = context.Process(target=work, args=arguments)
    process.start()
    return process


def outcome(context, *arguments):
    process = start(context, *arguments)
    try:
        process.join(120)
    finally:
        process.kill()
        process.join()
    return process.exitcode


def longer(folder):
    return small(folder, decisions=4096, checkpoint_every=EVERY)


@pytest.fixture(scope="module")
def whole(context, tmp_path_factory):
    """The run of eight updates that nobody kills."""
    folder = tmp_path_factory.mktemp("whole")
    assert outcome(context, longer(folder), None) == 0
    return RunFolder(next(folder.iterdir()))


def killed_and_resumed(context, folder, kills):
    """Start a run, kill it at all these events, resume it each time; at last to its end."""
    config, run, saved = longer(folder), None, 0
    for kill in kills:
        assert outcome(context, config, kill) == -signal.SIGKILL, kill
        run = RunFolder(next(folder.iterdir()))
        config = RunConfig(resume=str(run.path))
        newest, damage = checkpoint.newest(run.checkpoints)
        assert not damage
        now = checkpoint.read(newest)["decisions"] if newest else 0
        assert now >= saved, f"{kill}: a checkpoint is lost"
        rows = run.read_metrics()
        made = int(rows[-1]["decisions"]) if rows else 0
        assert now <= made <= now + EVERY, f"{kill}: more is lost than since a checkpoint"
        assert lock.owner(run.path)[0] is False
        saved = now
    assert outcome(context, config, None) == 0
    return run


KINDS = {  # kinds of events, and how many of them there are in three updates or less
    "step": 40, "gradient step": 10, "update": 5, "writing a checkpoint": 1,
    "naming a file": 4, "after a checkpoint": 1, "writing a row": 3,
}  # fmt: skip


def random_kills(seed, many):
    """Draw kills of every kind, the last one when all decisions are made."""
    rng = np.random.default_rng(seed)
    kinds = [*rng.permutation(list(KINDS)), *rng.choice(list(KINDS), many)][: many - 1]
    kills = [(str(k), int(rng.integers(1, KINDS[k] + 1)), float(rng.random())) for k in kinds]
    return [*kills, ("arena", 1, 0.5)]


def test_a_run_killed_twice_ends_as_if_it_had_not_been(context, whole, tmp_path):
    kills = [("writing a checkpoint", 2, 0.6), ("writing a row", 2, 0.5)]
    same_runs(killed_and_resumed(context, tmp_path, kills), whole)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_run_killed_ten_times_ends_as_if_it_had_not_been(context, whole, tmp_path, seed):
    same_runs(killed_and_resumed(context, tmp_path, random_kills(seed, 10)), whole)


@pytest.mark.slow
def test_a_run_killed_at_any_time_ends_as_if_it_had_not_been(context, whole, tmp_path):
    """From outside, by the clock: ten times, wherever the process is.

    A kill may fall between a run's last file and its end: going on then says that all is done.
    """
    rng, kills = np.random.default_rng(0), 0
    while kills < 10:
        folder = tmp_path / str(kills)
        config, code = longer(folder), None
        while code not in (0, DONE):
            process = start(context, config, None)
            process.join(rng.uniform(0.1, 3) if kills < 10 else 120)
            process.kill()
            process.join()
            code = process.exitcode
            assert code in (0, -signal.SIGKILL) or (code == DONE and config.resume)
            kills += code == -signal.SIGKILL
            begun = [path for path in folder.glob("*") if RunFolder(path).config.is_file()]
            config = RunConfig(resume=str(begun[-1])) if begun else config
        same_runs(RunFolder(begun[-1]), whole)


def test_before_the_first_checkpoint_a_run_starts_again(copied, capsys):
    shorter(copied)
    (copied.checkpoints / "decisions_000000512.zip").unlink()
    whole_rows = without_clocks(copied)
    training.train(RunConfig(resume=str(copied.path)))
    assert "Going on from the beginning: nothing was saved yet" in capsys.readouterr().out
    assert without_clocks(copied) == whole_rows


def test_a_run_killed_in_its_arena_only_plays_that(copied, finished, monkeypatch):
    copied.evaluation.unlink()
    copied.sample.unlink()
    monkeypatch.setattr(training, "learn", None)
    training.train(RunConfig(resume=str(copied.path)))
    same_runs(copied, finished)
    with pytest.raises(ConfigError, match=r"train\.decisions: 1,024 are made already"):
        training.train(RunConfig(resume=str(copied.path)))


def test_the_second_signal_ends_at_once():
    with stop_signals() as wish:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.01)
        assert wish() == "SIGTERM"
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(1)


# ---- damaged checkpoints


def cut(data):
    return data[: len(data) // 2]


def flipped(data):
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


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


# ---- a full disk


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


# ---- metrics.csv


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


# ---- one process at a time


def test_a_second_process_is_refused(copied):
    shorter(copied)
    with lock.held(copied.path):
        assert lock.owner(copied.path) == (True, str(os.getpid()))
        words = f"process {os.getpid()} works on this run; wait until it has ended"
        with pytest.raises(ConfigError, match=words):
            training.train(RunConfig(resume=str(copied.path)))
    assert lock.owner(copied.path) == (False, None)


def test_the_lock_of_a_dead_process_holds_nobody_up(context, tmp_path, capsys):
    assert outcome(context, small(tmp_path), ("update", 1, 0.5)) == -signal.SIGKILL
    (folder,) = tmp_path.iterdir()
    running, number = lock.owner(folder)
    assert not running
    assert number.isdecimal()
    assert listing.describe(folder)["state"] == "killed"
    training.train(RunConfig(resume=str(folder)))
    assert f"Process {number} ended here without a word" in capsys.readouterr().out
    assert listing.describe(folder)["state"] == "finished"


# ---- what made a run


def test_the_environment_is_noted_at_every_start(copied):
    shorter(copied)
    training.train(RunConfig(resume=str(copied.path)))
    first, second = environment.read(copied.environment)
    assert (first["decisions"], second["decisions"]) == (0, 512)
    assert {"python", "skirmish-env", *environment.PACKAGES} == first["versions"].keys()
    assert first["versions"]["torch"] == torch.__version__
    assert None not in first["versions"].values()
    assert first["card_set"] == checkpoint.read(checkpoint.find(copied.path))["card_set"]
    assert first["processors"]["threads_update"] == 1
    assert first["command"] is None  # this was no command line
    text = copied.environment.read_text()
    strange = [socket.gethostname(), str(Path.home()), str(copied.path), os.getcwd(), sys.prefix]
    assert not [words for words in strange if words in text]
    with suppress(KeyError, OSError):  # containers need not have a name for their user
        assert f"/{getpass.getuser()}" not in text


def test_a_command_line_is_noted_without_paths(monkeypatch):
    class Spec:
        name = "experiments.train"

    monkeypatch.setattr(sys.modules["__main__"], "__spec__", Spec)
    words = [
        "seed=3", "folder=/home/me/runs", "env.card_set='/data/my cards.toml'", "train=quick",
        "evaluate.opponents=[random,/home/me/run]", "resume=runs/one", "repeat=../runs/two",
        "folder=~/runs", "--config-dir", "/etc/mine", r"folder=C:\Users\me",
    ]  # fmt: skip
    monkeypatch.setattr(sys, "argv", ["/anywhere/experiments/train.py", *words])
    assert environment.command() == [
        "python", "-m", "experiments.train", "seed=3", "folder=<path>",
        "env.card_set='<path>'", "train=quick", "evaluate.opponents=[random,<path>]",
        "resume=runs/one", "repeat=../runs/two", "folder=~/runs", "--config-dir", "<path>",
        "folder=<path>",
    ]  # fmt: skip


def test_no_git_is_no_error(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert environment.git() is None


def test_a_wheel_inside_a_foreign_checkout_is_not_part_of_it(monkeypatch):
    answers = {"rev-parse": "abc\n", "ls-files": None, "status": ""}
    monkeypatch.setattr(environment, "_ask_git", lambda *words: answers[words[0]])
    assert environment.git() is None
    answers["ls-files"] = "experiments/environment.py\n"
    assert environment.git() == {"commit": "abc", "dirty": False}
    answers["status"] = " M agents/ppo.py\n"
    assert environment.git() == {"commit": "abc", "dirty": True}


def test_other_versions_are_told(copied, capsys):
    starts = json.loads(copied.environment.read_text())
    starts["starts"][-1]["versions"]["torch"] = "1.0"
    copied.environment.write_text(json.dumps(starts))
    shorter(copied)
    training.train(RunConfig(resume=str(copied.path)))
    assert f"(torch 1.0 then, {torch.__version__} now)" in capsys.readouterr().out


# ---- again


def command(monkeypatch, *words, main=training.main):
    monkeypatch.setattr(sys, "argv", ["experiment", *words])
    main()


def test_a_run_is_repeated_by_one_command(copied, finished, monkeypatch):
    monkeypatch.chdir(copied.path.parent.parent)
    relative = copied.path.relative_to(copied.path.parent.parent)
    command(monkeypatch, f"repeat={relative}")
    (again,) = (path for path in copied.path.parent.iterdir() if path != copied.path)
    same_runs(RunFolder(again), finished)
    theirs, ours = RunFolder(again).read_config(), finished.read_config()
    assert replace(theirs, folder="") == replace(ours, folder="")
    assert theirs.folder == str(relative.parent)


def test_a_repeated_run_takes_changes(copied, monkeypatch, tmp_path):
    words = ("seed=4", "train.games=64", "train.minibatch=1024", f"folder={tmp_path / 'other'}")
    command(monkeypatch, f"repeat={copied.path}", *words)
    (again,) = (tmp_path / "other").iterdir()
    config = RunFolder(again).read_config()
    assert (config.seed, config.train.games, config.train.steps) == (4, 64, 16)
    assert checkpoint.read(checkpoint.find(again))["seed"] == 4


def test_the_first_weights_do_not_depend_on_the_threads_around(tmp_path):
    config, first = small(tmp_path), []
    config.agent.trunk = [64]
    before = torch.get_num_threads()
    try:
        for threads in (1, 2):
            torch.set_num_threads(threads)
            session = set_up(config, RunFolder.create(config))
            first.append(session.model.policy.state_dict())
    finally:
        torch.set_num_threads(before)
    same(*first)


def test_a_league_that_kept_no_score_of_each_member_does_not_go_on(copied, monkeypatch):
    read_state = checkpoint.read_state

    def earlier(zip_file):
        state = read_state(zip_file)
        del state["league"]["standings"]
        return state

    monkeypatch.setattr(checkpoint, "read_state", earlier)
    with pytest.raises(checkpoint.CheckpointError, match="league kept no score of each member"):
        resume(str(copied.path), ["train.decisions=2048"])


# ---- the same opponent


@pytest.fixture
def against(copied, tmp_path):
    """A run against another run alone, killed half-way."""
    return shorter(RunFolder(training.train(small(tmp_path / "mine", against=str(copied.path)))))


def test_a_run_goes_on_against_the_same_opponent(against, copied, capsys):
    training.train(RunConfig(resume=str(against.path)))
    assert checkpoint.read(checkpoint.find(against.path))["decisions"] == 1024
    assert "does not say" not in capsys.readouterr().out


def test_an_opponent_that_was_trained_on_is_refused(against, copied):
    before = {file: file.read_bytes() for file in against.path.rglob("*") if file.is_file()}
    final = copied.checkpoints / "final.zip"
    then = identity(str(copied.path), load(copied.path))
    kept = final.read_bytes()
    final.unlink()
    now = identity(str(copied.path), load(copied.path))
    words = f"was trained against {then}; here it is {now} (train.against={copied.path})"
    with pytest.raises(ConfigError, match=re.escape(words)):
        training.train(RunConfig(resume=str(against.path)))
    del before[against.path / lock.NAME]
    assert all(file.read_bytes() == content for file, content in before.items())
    final.write_bytes(kept)
    training.train(RunConfig(resume=str(against.path)))


def test_an_opponent_counts_as_it_was_when_training_began(copied, tmp_path, monkeypatch):
    """The other run gets another checkpoint while this one trains against what it loaded."""
    then, final = identity(str(copied.path), load(copied.path)), copied.checkpoints / "final.zip"
    learn = training.learn

    def meanwhile(session):
        final.unlink()
        return learn(session)

    monkeypatch.setattr(training, "learn", meanwhile)
    folder = training.train(small(tmp_path / "mine", against=str(copied.path)))
    assert checkpoint.read(checkpoint.find(folder))["against"] == then


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("train.against=greedy", "here it is agents.greedy:GreedyAgent (train.against=greedy)"),
        ("train.against=null", "final.zip [0-9a-f]{16}; here it is a league"),
    ],
)
def test_another_opponent_is_refused(against, change, words):
    with pytest.raises(ConfigError, match=words.replace("(", r"\(").replace(")", r"\)")):
        resume(str(against.path), [change])


def test_a_league_does_not_turn_into_one_opponent(copied):
    words = "was trained against a league; here it is agents.random:RandomAgent"
    with pytest.raises(ConfigError, match=words):
        resume(str(shorter(copied).path), ["train.against=random"])


def test_a_checkpoint_that_does_not_name_its_opponent_goes_on(against, monkeypatch, capsys):
    read = checkpoint.read

    def earlier(zip_file):
        return {key: value for key, value in read(zip_file).items() if key != "against"}

    monkeypatch.setattr(checkpoint, "read", earlier)
    training.train(RunConfig(resume=str(against.path)))
    shown = capsys.readouterr().out
    assert "decisions_000000512.zip does not say which " in shown
    assert "this one is taken as the same" in shown


# ---- wrong settings


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["repeat=nowhere"], "nowhere: is no run folder"),
        (["repeat=a", "resume=b"], "repeat: must be none where resume names a run, not 'a'"),
        (["checkpoint=final"], "checkpoint: must be none where no run is resumed, not 'final'"),
        (["chekpoint=final"], "chekpoint: there is no such setting; the nearest is checkpoint"),
        (["repaet=runs"], "repaet: there is no such setting; the nearest is repeat"),
        (["train.keep_checkpoint=3"], "the nearest is train.keep_checkpoints"),
        (["train.keep_checkpoints=0"], "train.keep_checkpoints: must be above 0, not 0"),
        (["train.keep_checkpoints=few"], "train.keep_checkpoints: .*'few'.*Integer"),
        (["repeat={run}", "train=quick"], "train=quick: only single settings can change"),
        (["repeat={run}", "train.games=0"], "train.games: must be above 0, not 0"),
        (["resume={run}", "train.gmaes=5"], "train.gmaes: there is no such setting"),
        (["resume={run}", "train.games=64"], r"train\.games: .*final\.zip holds 32 games, not 64"),
        (["resume={run}", "train.opponents.expert=0"], r"train\.opponents\.expert: .*nobody joins"),
        (["resume={run}", "agent.trunk=[8]"], r"agent: .*final\.zip holds another network"),
        (["folder={run}/config.yaml"], "folder: .*config.yaml"),
    ],
)
def test_wrong_settings_are_named(finished, monkeypatch, capsys, words, message, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stop:
        command(monkeypatch, *(word.format(run=finished.path) for word in words))
    assert stop.value.code == launch.FAILURE
    error = capsys.readouterr().err
    assert re.search(message, error), error
    assert "Traceback" not in error


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


# ---- checkpoints of format version 1


@pytest.fixture
def first_format(finished, tmp_path):
    """A checkpoint as the first format had it: the JSON beside a zip without state."""
    data = io.BytesIO()
    source = finished.checkpoints / "final.zip"
    with zipfile.ZipFile(source) as before, zipfile.ZipFile(data, "w") as after:
        for name in before.namelist():
            if name not in (checkpoint.DETAILS, checkpoint.STATE):
                after.writestr(name, before.read(name))
    (tmp_path / "final.zip").write_bytes(data.getvalue())
    details = checkpoint.read(source) | {"format_version": 1}
    (tmp_path / "final.json").write_text(json.dumps(details))
    return tmp_path / "final.zip"


def test_the_first_format_loads_for_play(first_format, finished):
    batch = Batch(20)
    batch.deal(np.arange(20))
    paths = [first_format, first_format.with_suffix(".json"), first_format.parent, finished.path]
    answers = [PPOAgent.load(p).act(batch.view(), np.random.default_rng(0)) for p in paths]
    for answer in answers[1:]:
        assert np.array_equal(answer, answers[0])


def test_the_first_format_is_no_run_to_continue(first_format, copied):
    with pytest.raises(CheckpointError, match=r"checkpoint format 1.*cannot be continued"):
        checkpoint.read_state(first_format)
    for file in checkpoint.listed(copied.checkpoints):
        file.unlink()
    for suffix in (".zip", ".json"):
        shutil.copy(first_format.with_suffix(suffix), copied.checkpoints)
    copied.evaluation.unlink()
    before = copied.metrics.read_bytes()
    with pytest.raises(CheckpointError, match="loads for play"):
        training.train(RunConfig(resume=str(copied.path)))
    assert copied.metrics.read_bytes() == before


def test_the_first_format_is_named_when_damaged(first_format):
    whole = first_format.read_bytes()
    first_format.write_bytes(cut(whole))
    with pytest.raises(CheckpointError, match=r"final\.zip: is cut off or damaged"):
        PPOAgent.load(first_format)
    first_format.write_bytes(whole)
    first_format.with_suffix(".json").unlink()
    with pytest.raises(CheckpointError, match=r"has no checkpoint\.json in it, and no final\.json"):
        PPOAgent.load(first_format)


# ---- the list of runs


@pytest.fixture
def many(finished, tmp_path):
    """Folders of all kinds."""
    for name in ("a_finished", "b_stopped", "c_killed", "d_no_config", "e_checkpoint", "f_arena"):
        shutil.copytree(finished.path, tmp_path / name)
    for name in ("b_stopped", "c_killed"):
        shorter(RunFolder(tmp_path / name))
    (tmp_path / "c_killed" / lock.NAME).write_text("4194304")
    (tmp_path / "d_no_config" / "config.yaml").unlink()
    final = tmp_path / "e_checkpoint" / "checkpoints" / "final.zip"
    final.write_bytes(cut(final.read_bytes()))
    (tmp_path / "f_arena" / "evaluation.json").write_text("{")
    (tmp_path / "no_run").mkdir()
    (tmp_path / "notes.txt").write_text("none either")
    return tmp_path


def test_runs_are_listed(many):
    with lock.held(many / "f_arena"):
        rows = {row["name"]: row for row in listing.list_runs(many)}
    assert list(rows) == [
        "a_finished", "b_stopped", "c_killed", "d_no_config", "e_checkpoint", "f_arena",
    ]  # fmt: skip
    first = rows["a_finished"]
    assert (first["decisions"], first["total"], first["seed"]) == (1024, 1024, 0)
    assert (first["network"], first["card_set"]) == ("16+16|16 relu", "in_new_york 1")
    assert first["strength"].keys() == {"random"}
    assert first["arena"]
    assert first["seconds"] > 0
    assert {name[2:]: row["state"] for name, row in rows.items()} == {
        "finished": "finished", "stopped": "stopped", "killed": "killed",
        "no_config": "stopped", "checkpoint": "stopped", "arena": "running",
    }  # fmt: skip
    assert (rows["b_stopped"]["decisions"], rows["b_stopped"]["arena"]) == (512, False)
    assert rows["b_stopped"]["strength"].keys() >= {"past", "heuristic"}
    assert [bool(row["damage"]) for row in rows.values()] == [False] * 3 + [True] * 3
    assert "has no config.yaml" in rows["d_no_config"]["damage"][0]
    assert "final.zip: is cut off" in rows["e_checkpoint"]["damage"][0]
    assert "evaluation.json: is damaged" in rows["f_arena"]["damage"][0]


def test_the_list_is_sorted(many):
    names = [row["name"] for row in listing.list_runs(many, "decisions")]
    assert names[0] == "a_finished"
    assert names[-1] == "e_checkpoint"
    strongest = listing.list_runs(many, "strength")
    means = [listing.mean(row["strength"]) for row in strongest]
    assert means == sorted(means, reverse=True)
    seconds = [row["seconds"] for row in listing.list_runs(many, "seconds")]
    assert seconds == sorted(seconds, reverse=True)


def test_the_list_has_four_forms(many, monkeypatch, capsys):
    def shown(*words):
        command(monkeypatch, f"folder={many}", *words, main=run_module.main)
        return capsys.readouterr().out

    plain = shown().splitlines()
    assert plain[0].split() == list(listing.HEADINGS)
    assert re.match(r"a_finished +16\+16\|16 relu +in_new_york 1 +0 +1,024 of 1,024 ", plain[1])
    assert len([line for line in plain if line.startswith("damaged: ")]) == 3
    rows = json.loads(shown("format=json"))
    assert rows == listing.list_runs(many)
    table = list(csv.DictReader(io.StringIO(shown("format=csv"))))
    assert [row["name"] for row in table] == [row["name"] for row in rows]
    assert table[0]["strength"] == f"random={rows[0]['strength']['random']}"
    text = io.StringIO()
    Console(file=text, width=200).print(listing.as_table(rows))
    assert "a_finished" in text.getvalue()
    assert "1,024 of 1,024" in text.getvalue()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["folder=nowhere"], "folder: nowhere is not there, or no folder"),
        (["format=xml"], "format: must be table or csv or json, not 'xml'"),
        (["sort=age"], "sort: must be name or decisions or strength or seconds, not 'age'"),
        (["formt=csv"], "formt: there is no such setting; the nearest is format"),
    ],
)
def test_a_wrong_list_is_named(monkeypatch, capsys, words, message, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stop:
        command(monkeypatch, *words, main=run_module.main)
    assert stop.value.code == launch.FAILURE
    assert message in capsys.readouterr().err


def test_every_setting_of_the_list_has_one_sentence():
    for key, _, _, sentence in settings(RunsConfig):
        assert re.fullmatch(r"[A-Z].{10,70}\.", sentence), key


def test_an_empty_folder_says_so(monkeypatch, capsys, tmp_path):
    command(monkeypatch, f"folder={tmp_path}", main=run_module.main)
    assert "there is no run in this folder" in capsys.readouterr().out
