"""A small network trained when the layouts were frozen is loaded and decides as it did then.

`tests/data/weights_v1.zip` holds the weights alone, of
`python -m experiments.train agent.trunk=[8] agent.policy=[8] agent.value=[8] train.games=64
train.steps=8 train.minibatch=256 train.decisions=2048`; the JSON beside it is the checkpoint's.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest
import torch

from agents.checkpoint import CheckpointError
from agents.ppo import PPOAgent
from skirmish_env.common.sections import Layout
from skirmish_env.game import NEW_YORK
from tests.layout import fixture
from tests.layout.test_frozen import stored

WEIGHTS = fixture.DATA / "weights_v1.zip"
# Log-probability of the best legal move at every 12th moment that asks the Villains.
BEST = {
    0: ("play zola_2", -1.0934),
    19: ("fetch taskmaster_1", -1.5982),
    44: ("artifact tactigon", -0.6902),
    73: ("target h1", -0.6911),
    103: ("discard red_hulk_2", -0.6864),
    126: ("discard taskmaster_2", -0.6909),
    146: ("discard hela_1", -0.6904),
    164: ("yes", -0.6854),
    190: ("discard avengers_mansion", -1.9376),
    219: ("play leader_1", -1.3719),
    246: ("target h6", -1.3786),
    262: ("yes", -0.6855),
    282: ("play hela_1", -1.0947),
    300: ("discard baron_zemo_2", -1.7823),
    323: ("fetch ares_2", -2.63),
    342: ("done", -0.6882),
    366: ("discard destroyed_park_area", -1.6061),
    383: ("done", -0.6916),
    399: ("play leader_1", -2.0707),
}


def moments_of_the_villains():
    arrays = stored()[1]
    asked = np.flatnonzero(arrays["masks"][:, 0].any(axis=1))[::12]
    return asked, arrays["observations"][asked, 0], arrays["masks"][asked, 0]


def best_moves() -> dict[int, tuple[str, float]]:
    agent = PPOAgent.load(WEIGHTS)
    rows, observations, masks = moments_of_the_villains()
    with torch.inference_mode():
        features = agent.policy.features_extractor(torch.from_numpy(observations))
        chances = torch.log_softmax(agent.policy.logits(features, masks), dim=-1).numpy()
    return {
        int(row): (NEW_YORK.moves[chance.argmax()], round(float(chance.max()), 4))
        for row, chance in zip(rows, chances)
    }


def test_stored_weights_decide_as_when_they_were_stored():
    found = best_moves()
    assert {row: move for row, (move, _) in found.items()} == {r: m for r, (m, _) in BEST.items()}
    for row, (_, chance) in found.items():
        assert chance == pytest.approx(BEST[row][1], abs=2e-4)


@pytest.mark.parametrize("changed", ["observation", "actions"])
def test_weights_of_another_layout_are_refused_by_name(changed, tmp_path):
    for suffix in (".zip", ".json"):
        shutil.copy(WEIGHTS.with_suffix(suffix), tmp_path)
    later = (
        replace(NEW_YORK, layout=Layout(2, *NEW_YORK.layout.sections))
        if changed == "observation"
        else replace(NEW_YORK, action_version=2)
    )
    with pytest.raises(CheckpointError, match="2"):
        PPOAgent.load(tmp_path / WEIGHTS.name, game=later)
    data = json.loads((tmp_path / "weights_v1.json").read_text(encoding="utf-8"))
    assert data["observation_version"] == data["action_version"] == 1
    assert PPOAgent.load(tmp_path / WEIGHTS.name).name == "ppo"
