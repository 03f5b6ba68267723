"""A run against one agent goes on against the same one only."""

import hashlib
import re

import pytest

from agents import checkpoint
from agents.base import load
from configs.schema import ConfigError, RunConfig
from experiments import lock
from experiments import train as training
from experiments.exploit import find_agents, played
from experiments.identity import identity
from experiments.runs import RunFolder
from experiments.saving import resume
from skirmish_env.game import NEW_YORK
from tests.lifecycle.helpers import shorter, small


@pytest.fixture
def against(copied, tmp_path):
    """A run against another run alone, killed half-way."""
    return shorter(RunFolder(training.train(small(tmp_path / "mine", against=str(copied.path)))))


def test_a_run_goes_on_against_the_same_opponent(against, copied, capsys):
    training.train(RunConfig(resume=str(against.path)))
    assert checkpoint.read(checkpoint.find(against.path))["decisions"] == 1024
    assert "does not say" not in capsys.readouterr().out


def test_a_search_is_told_by_the_checkpoint_of_its_run(copied):
    """A hash of the whole file: values judge leaves, so another value branch is another agent."""
    name = f"{copied.path}+search"
    words, file = identity(name, load(name)), copied.checkpoints / "final.zip"
    assert f"guide={file.name} {hashlib.sha256(file.read_bytes()).hexdigest()[:16]}," in words
    assert "policy" not in words
    assert str(copied.path) not in words


def test_a_run_is_measured_by_its_checkpoint_however_it_plays(copied):
    """Tables call it by its folder's name, where nothing lies."""
    file = copied.checkpoints / "final.zip"
    weights = f"{file.name} {hashlib.sha256(file.read_bytes()).hexdigest()[:16]}"
    assert [played(*one) for one in find_agents([str(copied.path)], NEW_YORK).values()] == [
        f"{weights}, drawing", f"{weights}, most probable moves",
    ]  # fmt: skip


def test_an_opponent_that_was_trained_on_is_refused(against, copied):
    before = {file: file.read_bytes() for file in against.path.rglob("*") if file.is_file()}
    final = copied.checkpoints / "final.zip"
    then = identity(str(copied.path), load(copied.path))
    kept = final.read_bytes()
    final.unlink()
    now = identity(str(copied.path), load(copied.path))
    met = f"was trained against {copied.path.name}, {then}"
    words = f"{met}; here it is {now} (train.against={copied.path}). Bring that opponent back"
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
    words = (
        "was trained against a league; here it is agents.random:RandomAgent "
        "(train.against=random). Leave train.against out (null), or begin a new run"
    )
    with pytest.raises(ConfigError, match=re.escape(words)):
        resume(str(shorter(copied).path), ["train.against=random"])


@pytest.fixture
def earlier(monkeypatch):
    """Checkpoints as an earlier version made them: none names an opponent."""
    read, new = checkpoint.read, {"against", "against_name"}
    monkeypatch.setattr(
        checkpoint, "read", lambda file: {k: v for k, v in read(file).items() if k not in new}
    )


def test_an_earlier_league_does_not_turn_into_one_opponent(copied, earlier, capsys):
    with pytest.raises(ConfigError, match="nobody joins or leaves"):
        resume(str(shorter(copied).path), ["train.against=random"])
    assert "taken as the same" not in capsys.readouterr().out


def test_a_checkpoint_that_does_not_name_its_opponent_goes_on(against, earlier, capsys):
    training.train(RunConfig(resume=str(against.path)))
    shown = capsys.readouterr().out
    assert "decisions_000000512.zip does not say which " in shown
    assert "this one is taken as the same" in shown
