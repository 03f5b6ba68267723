"""Checkpoints of format version 1 load for play."""

import io
import json
import shutil
import zipfile

import numpy as np
import pytest

from agents import checkpoint
from agents.checkpoint import CheckpointError
from agents.ppo import PPOAgent
from configs.schema import RunConfig
from experiments import train as training
from skirmish_env.batch import Batch
from tests.lifecycle.helpers import cut


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
