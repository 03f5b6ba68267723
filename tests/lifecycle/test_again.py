"""A run is done again, or goes on, with settings that fit it."""

import re
from dataclasses import replace

import pytest
import torch

from agents import checkpoint
from experiments import launch
from experiments.runs import RunFolder
from experiments.saving import resume
from experiments.session import set_up
from tests.lifecycle.helpers import command, same, same_runs, small


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
