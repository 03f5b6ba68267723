"""A run says what made it."""

import getpass
import json
import os
import socket
import sys
from contextlib import suppress
from pathlib import Path

import torch

from agents import checkpoint
from configs.schema import RunConfig
from experiments import environment
from experiments import train as training
from tests.lifecycle.helpers import shorter


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
