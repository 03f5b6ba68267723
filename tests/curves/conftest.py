"""A run that all numbers are taken of."""

import pytest

from experiments import train as training
from experiments.runs import RunFolder
from tests.curves.helpers import small


@pytest.fixture(scope="session")
def watched(tmp_path_factory):
    """A run with evaluations and TensorBoard."""
    return RunFolder(training.train(small(tmp_path_factory.mktemp("watched"), tensorboard=True)))
