"""Runs of several seeds are compared."""

import json

import pytest

from configs.schema import CompareConfig, ConfigError, ReplicateConfig, settings
from experiments import compare as comparing
from experiments.measures import Bootstrap
from tests.curves.helpers import made_run, read_rows


def test_runs_that_differ_in_the_seed_alone_are_one_group(tmp_path):
    found = [
        made_run(tmp_path, 0, 0.5, 0.5),
        made_run(tmp_path, 1, 0.5, 0.5, tensorboard=True, checkpoint_every=77),
        made_run(tmp_path, 0, 0.5, 0.5, gamma=0.9),
        made_run(tmp_path, 1, 0.5, 0.5, gamma=0.9),
    ]
    groups = comparing.grouped([comparing.read(path) for path in found], "config")
    assert {label: [run.seed for run in members] for label, members in groups.items()} == {
        "train.gamma=0.997": [0, 1],
        "train.gamma=0.9": [0, 1],
    }
    with pytest.raises(ConfigError, match="seed 0 is there twice"):
        comparing.grouped([comparing.read(path) for path in found], "name")


def test_groups_are_called_after_names_or_folders(tmp_path):
    runs = [
        comparing.read(made_run(tmp_path / kind, seed, 0.5, 0.5, name, gamma=gamma))
        for kind, gamma in (("one", 0.9), ("other", 0.95))
        for seed, name in ((0, "seed0"), (1, "seed1"))
    ]
    assert list(comparing.grouped(runs, "config")) == ["one", "other"]
    assert list(comparing.grouped(runs[:2], "config")) == ["one"]
    named = [
        comparing.read(made_run(tmp_path / "named", seed, 0.5, 0.5, name))
        for name in ("a", "b") for seed in (0, 1)
    ]  # fmt: skip
    assert list(comparing.grouped(named, "name")) == ["a", "b"]


def test_a_comparison_writes_tables_and_pictures(tmp_path, capsys):
    for seed, score in enumerate((0.2, 0.4, 0.6)):
        made_run(tmp_path / "weak", seed, score, score, curve=(score, score + 0.1))
        made_run(tmp_path / "strong", seed, score + 0.3, score + 0.3, gamma=0.9)
    out = comparing.compare(
        CompareConfig(
            runs=[str(tmp_path / "weak"), str(tmp_path / "strong")], folder=str(tmp_path / "out")
        )
    )
    assert {path.name for path in out.iterdir()} == {
        "curves.csv", "curves.png", "measures.csv", "measures.png", "measures.txt", "scores.csv",
    }  # fmt: skip
    for picture in out.glob("*.png"):
        assert picture.read_bytes().startswith(b"\x89PNG")
    rows = {(row["measure"], row["group"]): row for row in read_rows(out / "measures.csv")}
    assert float(rows["IQM", "weak"]["value"]) == pytest.approx(0.4)
    assert float(rows["mean", "strong"]["value"]) == pytest.approx(0.7)
    assert float(rows["optimality gap", "strong"]["value"]) == pytest.approx(0.3)
    beats = rows["probability of improvement", "weak beats strong"]
    assert float(beats["value"]) == pytest.approx(1 / 9)  # 0.6 beats 0.5 alone
    curve = [
        row for row in read_rows(out / "curves.csv")
        if row["group"] == "weak" and row["seat"] == "heroes"
    ]  # fmt: skip
    assert [int(row["decisions"]) for row in curve] == [1024, 2048]
    assert float(curve[0]["value"]) == pytest.approx((0.1 + 0.2 + 0.3) / 3)
    assert float(curve[0]["low"]) == pytest.approx(0.1)
    assert float(curve[0]["high"]) == pytest.approx(0.3)
    assert len(read_rows(out / "scores.csv")) == 12
    printed = capsys.readouterr().out
    assert "Intervals of 3 runs are too narrow" in printed
    assert (out / "measures.txt").read_text() in printed


def test_curves_have_the_points_that_all_runs_have(tmp_path):
    runs = [
        comparing.read(made_run(tmp_path, 0, 0.5, 0.5, curve=(0.1, 0.2, 0.3))),
        comparing.read(made_run(tmp_path, 1, 0.5, 0.5, curve=(0.3, 0.4))),
    ]
    lines = comparing.curves_of("all", runs, Bootstrap(10))
    assert [list(line[3]) for line in lines] == [[1024, 2048]] * 3
    bare = [comparing.read(made_run(tmp_path, seed, 0.5, 0.5, curve=())) for seed in (2, 3)]
    assert comparing.curves_of("all", bare, Bootstrap(10)) == []


def test_what_cannot_be_compared_is_said(tmp_path):
    path = made_run(tmp_path, 0, 0.5, 0.5)
    with pytest.raises(ConfigError, match="is no run folder, and there is none in it"):
        comparing.compare(CompareConfig(runs=[str(tmp_path / "nowhere")]))
    other = made_run(tmp_path, 1, 0.5, 0.5)
    data = json.loads((other / "evaluation.json").read_text())
    data["settings"]["deals"] = 9
    (other / "evaluation_2.json").write_text(json.dumps(data))
    with pytest.raises(ConfigError, match=r"the arenas differ: deals is 4 in .* and 9 in"):
        comparing.compare(CompareConfig(runs=[str(path), str(other)]))
    (path / "evaluation.json").unlink()
    with pytest.raises(ConfigError, match="was never evaluated"):
        comparing.compare(CompareConfig(runs=[str(path)]))


@pytest.mark.parametrize("kind", [CompareConfig, ReplicateConfig])
def test_every_setting_has_one_sentence(kind):
    for key, _, _, sentence in settings(kind):
        assert sentence[0].isupper() and sentence.endswith("."), key
        assert len(sentence) <= 72, key


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: CompareConfig(), "runs: must be one folder or more"),
        (lambda: CompareConfig(runs=["a"], by="seed"), "by: must be config or name"),
        (lambda: CompareConfig(runs=["a"], resample="games"), "resample: must be runs or tasks"),
        (lambda: CompareConfig(runs=["a"], resamples=0), "resamples: must be above 0"),
        (lambda: ReplicateConfig(seeds=[1, 1]), "seeds: must be one or more"),
        (lambda: ReplicateConfig(seeds=[]), "seeds: must be one or more"),
        (lambda: ReplicateConfig(jobs=-1), "jobs: must be 0 or more"),
        (lambda: ReplicateConfig(name="a/b"), "name: must be one word"),
    ],
)
def test_wrong_settings_are_named(make, words):
    with pytest.raises(ConfigError, match=words):
        make()
