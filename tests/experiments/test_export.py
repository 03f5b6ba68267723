"""A run becomes an agent that comes with the package, or a reason why not."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from agents import shipped
from agents.base import load
from agents.checkpoint import CheckpointError, find
from agents.ppo import PPOAgent
from configs.schema import (
    AgentConfig,
    ConfigError,
    EvaluateConfig,
    EvaluationConfig,
    ExportConfig,
    RunConfig,
    TrainConfig,
)
from experiments import arena_folder, model_card, record
from experiments import train as training
from experiments.evaluate import evaluate
from experiments.export import differing, export
from experiments.runs import RunFolder
from skirmish_env.game import NEW_YORK


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> Path:
    """The folder of a run of a second."""
    t = TrainConfig(
        decisions=1024, games=32, steps=16, minibatch=256, epochs=1, snapshot_every=512,
        checkpoint_every=512, snapshots=2, threads=1, evaluate_every=0,
    )  # fmt: skip
    config = RunConfig(
        folder=str(tmp_path_factory.mktemp("runs")),
        agent=AgentConfig(trunk=[16], policy=[16], value=[16]),
        train=t,
        evaluate=EvaluateConfig(opponents=["random", "expert"], deals=4),
    )
    return training.train(config)


@pytest.fixture
def run(trained, tmp_path) -> Path:
    """A copy of that folder, to be changed."""
    return Path(shutil.copytree(trained, tmp_path / "run"))


def settings(run: Path, /, **changes) -> ExportConfig:
    folder = run.parent / "weights"
    standard = {"run": str(run), "name": "tiny-v1", "folder": str(folder), "decisions": 200}
    return ExportConfig(**{**standard, **changes})


def test_a_run_becomes_an_agent_with_a_card(run, capsys):
    folder = export(settings(run))
    names = ["tiny-v1.json", "tiny-v1.md", "tiny-v1.png", "tiny-v1.safetensors"]
    assert sorted(file.name for file in folder.iterdir()) == names
    agent = load(folder / "tiny-v1.safetensors")
    data, checkpoint = agent.details, PPOAgent.load(run)
    assert np.array_equal(agent.weights, checkpoint.weights)
    assert (data["decisions"], data["seed"], data["network"]["trunk"]) == (1024, 0, [16])
    assert data["compared_decisions"] >= 200
    assert data["card_set"]["hash"] == NEW_YORK.load().hash
    assert [one["opponent"] for one in data["evaluation"]["results"]] == ["random", "expert"]
    assert data["settings"]["train.games"] == 32
    assert str(run.parent) not in (folder / "tiny-v1.json").read_text("utf-8")
    card = (folder / "tiny-v1.md").read_text(encoding="utf-8")
    results = json.loads((run / "evaluation.json").read_text("utf-8"))["results"]
    for words in (
        agent.sha256, 'agents.load("tiny-v1")', "![Learning curve of tiny-v1](tiny-v1.png)",
        "1,024 decisions in ", "## Limits", model_card.NOT_WRITTEN,
        *(f"{one['seats'][seat]['score']:.1%} (" for one in results for seat in NEW_YORK.seats),
        *(f"{one['mirror'][seat]['score']:.1%} (" for one in results for seat in NEW_YORK.seats),
    ):  # fmt: skip
        assert words in card, words
    assert card == model_card.card(data, model_card.NOT_WRITTEN)
    assert "The package brings no tiny-v1" in capsys.readouterr().out


def test_what_is_there_stays_unless_it_may_be_replaced(run):
    folder = export(settings(run))
    before = (folder / "tiny-v1.json").read_bytes()
    with pytest.raises(ConfigError, match=r"name: 'tiny-v1' is in .* already; overwrite=true"):
        export(settings(run, decisions=1500))
    assert (folder / "tiny-v1.json").read_bytes() == before
    export(settings(run, decisions=1500, overwrite=True))
    assert (folder / "tiny-v1.json").read_bytes() != before


def test_the_section_on_weaknesses_is_kept(run, tmp_path):
    card = export(settings(run)) / "tiny-v1.md"
    by_hand = "It never\n\n- attacks **Thor**."
    text = card.read_text("utf-8").replace(model_card.NOT_WRITTEN, by_hand)
    card.write_text(text.replace("200", "XXX"), encoding="utf-8")
    export(settings(run, overwrite=True))
    assert card.read_text("utf-8") == text
    found = tmp_path / "found.txt"
    found.write_text("It forgets the civilians.\n")
    export(settings(run, overwrite=True, weaknesses=str(found)))
    assert card.read_text("utf-8") == text.replace(by_hand, "It forgets the civilians.")
    with pytest.raises(ConfigError, match="weaknesses: nowhere: No such file"):
        export(settings(run, overwrite=True, weaknesses="nowhere"))


def test_weights_that_answer_otherwise_are_not_written(run, monkeypatch):
    right = shipped.load

    def shaken(*arguments, **options):
        agent = right(*arguments, **options)
        agent.weights = agent.weights + np.linspace(0, 0.1, len(agent.weights), dtype=np.float32)
        return agent

    monkeypatch.setattr(shipped, "load", shaken)
    with pytest.raises(ConfigError, match=r"run: \d+ of \d+ decisions come out otherwise"):
        export(settings(run))
    assert not (run.parent / "weights").exists()


def test_decisions_of_both_kinds_and_both_seats_are_compared(run):
    agent = PPOAgent.load(run)
    written = shipped.load("tiny-v1", folder=export(settings(run)))
    asked = set()

    def noted(view, rng, act=written.act):
        asked.update((written.deterministic, int(seat)) for seat in view.viewer)
        return act(view, rng)

    written.act = noted
    compared = differing(written, agent, 2000, NEW_YORK)
    assert compared.different == 0
    assert compared.decisions >= 2000
    assert asked == {(True, 0), (True, 1), (False, 0), (False, 1)}


def test_equal_weights_are_told_from_others(run, capsys, monkeypatch, tmp_path):
    folder = export(settings(run))
    monkeypatch.setattr(shipped, "home", lambda: folder)
    again = settings(run, folder=str(tmp_path / "again"))
    export(again)
    assert "equal the package's tiny-v1, to the bit" in capsys.readouterr().out
    other = replace(RunFolder(run).read_config(), seed=1, folder=str(tmp_path / "other"))
    export(settings(training.train(other), folder=str(tmp_path / "others")))
    assert "NOT the package's tiny-v1: the greatest difference" in capsys.readouterr().out


def test_a_training_that_has_not_ended_is_refused(run):
    early = {"checkpoint": "decisions_000000512"}
    with pytest.raises(ConfigError, match="run: run has made 512 of 1,024 decisions"):
        export(settings(run, **early))
    with pytest.raises(ConfigError, match="rates the checkpoint of 1024 decisions, not of 512"):
        export(settings(run, unfinished=True, **early))
    evaluate(EvaluationConfig(run=str(run), **early))
    folder = export(settings(run, unfinished=True, **early))
    card = (folder / "tiny-v1.md").read_text("utf-8")
    assert "512 decisions in " in card
    assert "of 1,024 that the schedules are made for; checkpoint `decisions_000000512`" in card


def test_scores_that_are_not_this_agents_are_refused(run):
    evaluate(EvaluationConfig(run=str(run), deterministic=False))
    with pytest.raises(ConfigError, match=r"evaluation_2\.json rates drawn moves"):
        export(settings(run))
    for file in run.glob("evaluation*.json"):
        file.unlink()
    with pytest.raises(ConfigError, match=r"run has no evaluation; .* plays one"):
        export(settings(run))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"run": None}, "run, name: both are needed"),
        ({"name": None}, "run, name: both are needed"),
        ({"name": "expert"}, "name: 'expert' is a scripted player"),
        ({"checkpoint": "best"}, r"best\.zip: no such checkpoint"),
    ],
)
def test_what_cannot_be_exported_is_said(run, changes, message):
    with pytest.raises((ConfigError, CheckpointError), match=message):
        export(settings(run, **changes))
    assert not (run.parent / "weights").exists()


@pytest.mark.parametrize("name", ["PPO", "a b", "../a", ""])
def test_a_name_is_one_for_a_file(name):
    with pytest.raises(ConfigError, match="name: must be made of a-z, 0-9, dots and dashes"):
        ExportConfig(name=name)


def test_arenas_and_recordings_know_weights_by_their_hash(run, monkeypatch):
    folder = export(settings(run))
    monkeypatch.setattr(shipped, "home", lambda: folder)
    agent = load("tiny-v1")
    with pytest.raises(CheckpointError, match=r"tiny-v1\.safetensors: is no checkpoint: their"):
        find(folder / "tiny-v1.safetensors")
    assert arena_folder.identity("tiny-v1", agent) == f"tiny-v1 {agent.sha256[:16]}"
    made = arena_folder.made_with(NEW_YORK, NEW_YORK.load(), {"tiny-v1": agent}, ".csv")
    assert "torch" not in made
    (described,) = record.described(["tiny-v1"], [agent])
    assert described == {"name": "tiny-v1", "sha256": agent.sha256}
