"""Ablations: every variant is trained once, and the page says what came out."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hydra import compose, initialize_config_module
from omegaconf import OmegaConf

from configs.schema import AblateConfig, ConfigError
from experiments import ablate, replicate
from experiments.measures import of_few

SHORT = [
    "train=quick", "train.decisions=1024", "train.games=32", "train.steps=16",
    "train.minibatch=256", "train.snapshot_every=512", "train.evaluate_every=0",
    "agent.trunk=[16]", "agent.policy=[16]", "agent.value=[16]", "evaluate.deals=2",
    "evaluate.opponents=[random,heuristic]",
]  # fmt: skip


def config(folder, **changes):
    variants = {
        "default": [],
        "alone": ["train.opponents={latest: 1, expert: 0}", "train.clip=0.1"],
    }
    whole = AblateConfig(
        variants=variants, run=SHORT, seeds=[0, 1], name="few", folder=str(folder),
        write=str(folder / "pages"),
    )  # fmt: skip
    return replace(whole, **changes)


@pytest.fixture
def at_once(monkeypatch):
    """Train in this process; returns what was trained, as (folder of the variant, seed)."""
    trained = []

    def train_all(several, todo, folder):
        for one in todo:
            trained.append((Path(one.folder).name, one.seed))
            assert one.train.threads == 1
            replicate.work(one)
        return ""

    monkeypatch.setattr(replicate, "train_all", train_all)
    return trained


def test_every_variant_is_trained_once_and_written_down(tmp_path, at_once, monkeypatch):
    page = ablate.ablate(config(tmp_path))
    whole = [("default", 0), ("default", 1), ("alone", 0), ("alone", 1)]
    assert at_once == whole
    text = page.read_text()
    for opponent in ("random", "heuristic"):
        table = text.split(f"## Against {opponent}")[1].split("##")[0]
        assert re.findall(r"^\| `(\w+)` ", table, re.MULTILINE) == ["default", "alone"]
    assert "| `alone` | `train.opponents={latest: 1, expert: 0}`<br>`train.clip=0.1` |" in text
    assert "Not finished" not in text
    assert (page.parent / ablate.PICTURE).read_bytes().startswith(b"\x89PNG")

    assert ablate.ablate(config(tmp_path)) == page
    assert at_once == whole
    assert page.read_text() == text

    more = config(tmp_path)
    more.variants["later"] = ["train.clip=0.3"]
    monkeypatch.setattr(replicate, "train_all", lambda *_: "on request")
    assert ablate.ablate(more) is None
    assert "Not finished yet: `later`." in page.read_text()
    assert page.name == ablate.PAGE


def test_the_scores_of_the_page_are_those_of_the_runs(tmp_path, at_once):
    whole = config(tmp_path, variants={"default": []})
    text = ablate.ablate(whole).read_text()
    runs = [
        ablate.read(
            replicate.earlier(replicate.run_config(ablate.replication(whole, "default"), s)).path
        )
        for s in whole.seeds
    ]
    mean = np.mean([run.scores["heuristic", "heroes"] for run in runs])
    row = text.split("## Against heuristic")[1].strip().splitlines()[2]
    assert row.split(" | ")[-1].startswith(f"{mean:.1%} (")


def test_wrong_variants_are_told_before_anything_is_trained(tmp_path, at_once):
    for overrides, words in (
        (["train.clp=1"], r"variants\.bad: train\.clp: there is no such setting; .* train\.clip"),
        (["train.clip=-1"], r"variants\.bad: train\.clip: must be above 0"),
    ):
        with pytest.raises(ConfigError, match=words):
            ablate.ablate(config(tmp_path, variants={"default": [], "bad": overrides}))
    assert at_once == []
    for changes, words in (
        ({"variants": {}}, "variants: must be one or more"),
        ({"variants": {"a": ["seed=3"]}}, r"variants\.a: seed=3: an ablation sets this itself"),
        ({"run": ["folder=x"]}, "run: folder=x: an ablation sets this itself; see its folder"),
        ({"variants": {"a/b": []}}, "name: must be one word"),
        ({"seeds": [1, 1]}, "seeds: must be one or more"),
    ):
        with pytest.raises(ConfigError, match=words):
            config(tmp_path, **changes)


def test_the_variants_that_are_shipped_are_settings():
    with initialize_config_module("configs", version_base="1.3"):
        shipped = OmegaConf.to_object(compose("ablate"))
    found = {name: ablate.replication(shipped, name) for name in shipped.variants}
    kinds = ("latest", "past", "heuristic", "random", "expert")
    first = found["default"]
    assert (first.train.decisions, first.jobs, len(first.seeds)) == (1_000_000, 1, 3)
    assert first.train.hardness > 0
    for name, one in found.items():
        if name != "default":
            assert (one.agent, one.train) != (first.agent, first.train), name
    alone = found["latest_only"].train.opponents
    assert [getattr(alone, kind) for kind in kinds] == [1, 0, 0, 0, 0]
    assert found["full_critic"].agent.critic == "full"


def test_the_interval_of_three_runs():
    """Hand-worked: mean 0.5, standard deviation 0.1, and t(2) = 4.303: 4.303 x 0.1 / sqrt(3)."""
    found = of_few(np.array([0.4, 0.5, 0.6]))
    assert found.value == pytest.approx(0.5)
    assert (found.low, found.high) == pytest.approx((0.5 - 0.2484, 0.5 + 0.2484), abs=1e-4)
    alone = of_few(np.array([0.7]))
    assert (alone.low, alone.value, alone.high) == (0.0, 0.7, 1.0)
    assert of_few(np.array([0.9, 1.0, 1.0])).high == 1.0
