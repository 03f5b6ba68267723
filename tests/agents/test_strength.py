"""How strong the scripted players are, against fixed yardsticks on a few fixed deals."""

import numpy as np
import pytest

from agents.base import load
from agents.search.flat import FlatMonteCarlo
from experiments.pairs import play_pairs


# Measured over 2,000 deals (200 against Monte Carlo): 85%, 82%, 69% and 97% (docs/strategy.md).
@pytest.mark.slow
@pytest.mark.parametrize(
    ("agent", "opponent", "deals", "least"),
    [
        ("expert", load("heuristic"), 400, 0.75),
        ("expert", load("greedy"), 200, 0.70),
        ("expert", FlatMonteCarlo(), 10, 0.40),
        ("greedy", load("random"), 200, 0.90),
    ],
    ids=["heuristic", "greedy", "monte carlo", "random"],
)
def test_scores_against(agent, opponent, deals, least):
    scores = play_pairs(load(agent), opponent, np.arange(deals) + 20_000).scores
    assert scores.mean() >= least
