"""The list of runs."""

import csv
import io
import json
import re
import shutil

import pytest
from rich.console import Console

from configs.schema import RunsConfig, settings
from experiments import launch, listing, lock
from experiments import runs as run_module
from experiments.runs import RunFolder
from tests.lifecycle.helpers import command, cut, shorter


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
