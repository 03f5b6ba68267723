"""A finished run, a copy of it that a test may change, and processes that start fast."""

import multiprocessing
import shutil
from pathlib import Path

import pytest

from experiments import train as training
from experiments.runs import RunFolder
from tests.lifecycle.helpers import small


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A run with the checkpoints decisions_000000512 and final (1024); copy it to change it."""
    return RunFolder(training.train(small(tmp_path_factory.mktemp("finished"))))


@pytest.fixture
def copied(finished, tmp_path):
    return RunFolder(Path(shutil.copytree(finished.path, tmp_path / finished.path.name)))


@pytest.fixture(scope="session")
def context():
    """Processes that start in a tenth of a second: forked from one that has all modules."""
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload(["experiments.train", "tests.lifecycle.processes"])
    return made
