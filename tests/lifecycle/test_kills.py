"""A run that was killed, once or ten times, ends as if it had not been."""

import os
import signal
import time

import numpy as np
import pytest

from agents import checkpoint
from configs.schema import ConfigError, RunConfig
from experiments import listing, lock
from experiments import train as training
from experiments.learning import stop_signals
from experiments.runs import RunFolder
from tests.lifecycle.helpers import same_runs, shorter, small, without_clocks
from tests.lifecycle.processes import outcome, start

DONE = 2  # exit status where all decisions are made and rated
EVERY = 1024  # decisions between two checkpoints; an update has 512


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
