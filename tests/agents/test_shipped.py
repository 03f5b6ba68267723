"""Trained agents that come with the package: found by name, played without torch, or refused."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tomllib
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch

import agents
from agents import shipped
from agents.base import Stochastic
from agents.checkpoint import CheckpointError
from agents.network import NetworkSpec
from agents.ppo import PPOAgent
from agents.search.network import SearchAgent
from experiments.identity import identity
from skirmish_env import opponents
from skirmish_env.batch import Batch
from skirmish_env.common.sections import Layout
from skirmish_env.game import NEW_YORK
from tests.learning.helpers import frozen

ROOT = Path(__file__).parents[2]
DEEP = NetworkSpec([24], [16, 12], [8], "silu")


@dataclass(frozen=True)
class Entry:
    name: str
    found: Any

    def load(self) -> Any:
        return self.found


@pytest.fixture(scope="module")
def trained():
    """An agent as it comes out of training."""
    return frozen(spec=DEEP, seed=3)


@pytest.fixture
def weights(trained, tmp_path, monkeypatch) -> Path:
    """A folder of weights in the place of the package's, with one agent, `tiny-v1`."""
    shipped.write("tiny-v1", trained.policy.parts(), {"network": DEEP.as_dict()}, tmp_path)
    monkeypatch.setattr(shipped, "home", lambda: tmp_path)
    found = {"skirmish_env.trained": [Entry("shipped", shipped)], "skirmish_env.agents": []}
    monkeypatch.setattr(opponents, "entry_points", lambda group: found[group])
    return tmp_path


def dealt(n: int = 64) -> Batch:
    """Games at moments of all kinds, none of them over."""
    games, rng = Batch(n), np.random.default_rng(0)
    games.deal(np.arange(n))
    for _ in range(30):
        live = np.flatnonzero(~games.over)
        games.step(games.view(live).policy("random", rng), live)
    return games


def change(folder: Path, **details: Any) -> None:
    file = folder / "tiny-v1.json"
    data = {**json.loads(file.read_text("utf-8")), **details}
    file.write_text(json.dumps(data), encoding="utf-8")


# ---- play


def test_an_agent_is_loaded_by_its_name(weights):
    agent = agents.load("tiny-v1")
    assert type(agent) is shipped.NetworkAgent
    assert agent.name == "tiny-v1"
    assert (
        agent.sha256 == hashlib.sha256((weights / "tiny-v1.safetensors").read_bytes()).hexdigest()
    )
    assert shipped.names() == ["tiny-v1"]


@pytest.mark.parametrize("deterministic", [True, False])
def test_it_answers_as_the_trained_agent_does(weights, trained, deterministic):
    agent = agents.load("tiny-v1")
    assert agent.deterministic
    agent.deterministic = trained.deterministic = deterministic
    games = dealt()
    view = games.view(np.flatnonzero(~games.over))
    assert len(view) > 30
    found = agent.act(view, np.random.default_rng(1))
    assert np.array_equal(found, trained.act(view, np.random.default_rng(1)))
    assert view.mask[np.arange(len(view)), found].all()
    if not deterministic:
        assert (found != agent.act(view, np.random.default_rng(2))).any()


@pytest.mark.parametrize("deterministic", [True, False])
def test_it_says_how_likely_it_plays_what(weights, trained, deterministic):
    agent = agents.load("tiny-v1")
    agent.deterministic = trained.deterministic = deterministic
    assert isinstance(agent, Stochastic)
    games = dealt()
    view = games.view(np.flatnonzero(~games.over))
    said = agent.probabilities(view)
    assert (said.shape, said.dtype) == (view.mask.shape, np.float64)
    assert said == pytest.approx(trained.probabilities(view), abs=1e-6)
    assert said.sum(axis=1) == pytest.approx(np.ones(len(view)))
    assert (said[view.mask == 0] == 0).all()
    if deterministic:
        played = agent.act(view, np.random.default_rng(0))
        assert (said[np.arange(len(view)), played] == 1).all()


def test_it_draws_as_often_as_it_says(weights):
    agent, n = agents.load("tiny-v1"), 2000
    agent.deterministic = False
    games = dealt(4)
    view = games.view(np.flatnonzero(~games.over))
    said = agent.probabilities(view)
    drawn = agent.act(view[np.repeat(np.arange(len(view)), n)], np.random.default_rng(0))
    shares = np.stack([np.bincount(row, minlength=said.shape[1]) / n
                       for row in drawn.reshape(len(view), n)])  # fmt: skip
    assert shares == pytest.approx(said, abs=4 * 0.5 / n**0.5)


@pytest.mark.parametrize("deterministic", [True, False])
def test_it_says_nothing_about_a_decision_that_is_not_its_viewers(weights, deterministic):
    agent = agents.load("tiny-v1")
    agent.deterministic = deterministic
    games = dealt(4)
    view = games.view(np.arange(4), 1 - games.view().viewer)
    with pytest.raises(ValueError, match="row 0: its viewer is not the one to decide"):
        agent.probabilities(view)


def test_it_brings_the_branch_of_the_value_along(weights, trained):
    agent = agents.load("tiny-v1")
    shape, packed = agent.branch("value")
    assert shape.widths == (NEW_YORK.observation_size, 24, 8, 1)
    assert packed.shape == (shape.size,)
    games = dealt()
    x = games.view(np.flatnonzero(~games.over)).observation
    layers = [*agent.parts["trunk"], *agent.parts["value"]]
    with torch.no_grad():
        wanted = trained.policy.predict_values(torch.from_numpy(x)).numpy()
    for at, (matrix, bias) in enumerate(layers, 1):
        x = x @ matrix.T + bias
        x = x / (1 + np.exp(-x)) if at < len(layers) else x
    assert x == pytest.approx(wanted, abs=1e-5)


def test_its_network_guides_a_search_by_name(weights, trained):
    searching = agents.load("tiny-v1+search")
    assert searching.name == "tiny-v1+search"
    assert identity("tiny-v1+search", searching).count(searching.guide.sha256[:16]) == 1
    games = dealt()
    view = games.view(~games.over)
    found = searching.judge(view.observation, view.mask)
    for mine, theirs in zip(found, trained.judge()(view.observation, view.mask)):
        np.testing.assert_allclose(mine, theirs, atol=1e-6)
    for find in (agents.load, lambda name: opponents.find_opponent(name, NEW_YORK)):
        with pytest.raises(ValueError, match=r"heuristic\+search: .* offers no `with_search`"):
            find("heuristic+search")
        with pytest.raises(ValueError, match=r"'tiny-v2' is .*mean 'tiny-v1'.*heuristic.*tiny-v1"):
            find("tiny-v2+search")
        with pytest.raises(ValueError, match=r"known: .*tiny-v1; .*'\+search' behind a trained"):
            find("nobody")
        with pytest.raises(ValueError, match=r"'\+search' is no agent's name.*known: .*tiny-v1"):
            find("+search")
    for name in ("heuristic+search", "tiny-v2+search", "+search"):
        with pytest.raises(ValueError, match=r"^opponent: "):
            opponents.find_opponent(name, NEW_YORK)


def test_a_network_whose_critic_read_hidden_cards_only_moves(weights, trained):
    parts = {**trained.policy.parts(), "value": []}
    network = {**DEEP.as_dict(), "critic": "full"}
    shipped.write("tiny-v1", parts, {"network": network}, weights)
    agent = agents.load("tiny-v1")
    assert np.array_equal(agent.weights, trained.weights)
    with pytest.raises(ValueError, match="tiny-v1: its network has no branch for the value"):
        agent.branch("value")
    said = r"tiny-v1\+search: value branch: this network has none"
    with pytest.raises(ValueError, match=f"^{said}"):
        agents.load("tiny-v1+search")
    with pytest.raises(ValueError, match=f"^opponent: {said}"):
        opponents.find_opponent("tiny-v1+search", NEW_YORK)


def test_it_is_an_opponent_by_its_name(weights, monkeypatch):
    asked, act = 0, shipped.NetworkAgent.act

    def counted(self, view, rng):
        nonlocal asked
        asked += 1
        return act(self, view, rng)

    monkeypatch.setattr(shipped.NetworkAgent, "act", counted)
    env = gymnasium.make("skirmish_env/Skirmish-v0", opponent="tiny-v1", side="heroes")
    rng, over = np.random.default_rng(0), False
    _, info = env.reset(seed=0)
    while not over:
        *_, over, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
    assert asked > 5
    assert info["winner"] in ("villains", "heroes", "draw")


@pytest.mark.parametrize("name", ["tiny-v1+search", "ppo:{}+search", "{}+search"])
def test_a_search_that_its_network_guides_is_an_opponent_by_its_name(
    weights, trained, monkeypatch, name
):
    """The checkpoint of a run goes to the agent that loads it, and that one searches."""
    loaded = classmethod(lambda cls, path: trained)
    monkeypatch.setattr(PPOAgent, "load", loaded)
    found = {"skirmish_env.trained": [Entry("shipped", shipped)],
             "skirmish_env.agents": [Entry("ppo", PPOAgent)]}  # fmt: skip
    monkeypatch.setattr(opponents, "entry_points", lambda group: found[group])
    env = gymnasium.make("skirmish_env/Skirmish-v0", opponent=name.format(weights))
    searching = env.unwrapped.opponent
    assert type(searching) is SearchAgent
    assert np.array_equal(searching.guide.weights, trained.weights)
    searching.simulations = 4
    _, info = env.reset(seed=0)
    for _ in range(5):
        *_, info = env.step(np.flatnonzero(info["action_mask"])[0])


def test_weights_anywhere_are_loaded_by_their_path(weights, monkeypatch, tmp_path):
    monkeypatch.setattr(shipped, "home", lambda: tmp_path / "nothing")
    assert shipped.names() == []
    agent = agents.load(weights / "tiny-v1.safetensors")
    assert agent.name == "tiny-v1"
    (weights / "tiny-v1.json").unlink()
    with pytest.raises(CheckpointError, match=r"has no tiny-v1\.json beside it"):
        agents.load(weights / "tiny-v1.safetensors")


def test_playing_needs_no_torch(weights):
    script = f"""
import sys
missing = ("torch", "stable_baselines3", "sb3_contrib", "hydra", "matplotlib")
sys.modules.update(dict.fromkeys(missing))
import agents
assert "agents.base" not in sys.modules, "importing agents brings the game along"
agent = agents.load({str(weights / "tiny-v1.safetensors")!r})
import numpy as np
from skirmish_env.batch import Batch
games = Batch(4)
games.deal(np.arange(4))
print(*agent.act(games.view(), np.random.default_rng(0)))
print(*agent.probabilities(games.view()).argmax(axis=1))
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True,
                          text=True, check=True)  # fmt: skip
    games = Batch(4)
    games.deal(np.arange(4))
    wanted = agents.load("tiny-v1").act(games.view(), np.random.default_rng(0))
    assert done.stdout.split() == [str(action) for action in wanted] * 2


def test_the_package_says_who_brings_trained_agents():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    sources = project["entry-points"][opponents.TRAINED]
    assert [import_module(module) for module in sources.values()] == [shipped]
    assert {"play", "train"} == {
        extra for extra, needed in project["optional-dependencies"].items()
        if any(one.startswith("safetensors") for one in needed)
    }  # fmt: skip


def test_the_package_offers_load_and_nothing_else():
    with pytest.raises(AttributeError, match="'agents' has no attribute 'lode'"):
        _ = agents.lode


# ---- refused


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (
            replace(NEW_YORK, layout=Layout(2, *NEW_YORK.layout.sections)),
            "tiny-v1: trained for observation version 1 where this is 2",
        ),
        (replace(NEW_YORK, action_version=3), "tiny-v1: trained for action version 1 where this"),
        (replace(NEW_YORK, name="old_york"), "tiny-v1: trained for game 'new_york' where this is"),
    ],
    ids=["observation", "actions", "game"],
)
def test_other_layouts_and_games_are_refused(weights, game, message):
    for find in (agents.load, lambda name, game: opponents.find_opponent(name, game)):
        with pytest.raises(CheckpointError, match=message):
            find("tiny-v1", game=game)


@pytest.mark.parametrize("at", [20, -1])
def test_a_changed_byte_is_found(weights, at):
    file = weights / "tiny-v1.safetensors"
    content = bytearray(file.read_bytes())
    content[at] ^= 1
    file.write_bytes(content)
    with pytest.raises(CheckpointError, match=r"tiny-v1\.safetensors: is damaged: its SHA-256"):
        agents.load("tiny-v1")


def test_a_missing_file_is_named(weights):
    (weights / "tiny-v1.safetensors").unlink()
    with pytest.raises(CheckpointError, match=r"tiny-v1\.safetensors: is missing beside tiny-v1"):
        agents.load("tiny-v1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is damaged: not valid JSON"),
        ("[]", "does not describe the weights of an agent"),
        ('{"format": "skirmish-checkpoint"}', "does not describe the weights of an agent"),
        ('{"format": "skirmish-weights", "format_version": 2}', "format 2 of weights; .* reads 1"),
        ('{"format": "skirmish-weights", "format_version": 1}', "describes no network"),
    ],
)
def test_a_description_that_is_none_is_refused(weights, text, message):
    (weights / "tiny-v1.json").write_text(text, encoding="utf-8")
    with pytest.raises(CheckpointError, match=rf"tiny-v1\.json: .*{message}"):
        agents.load("tiny-v1")


def test_a_description_without_a_checksum_is_refused(weights):
    change(weights, sha256=None)
    with pytest.raises(CheckpointError, match=r"tiny-v1\.json: is damaged: it holds no SHA-256"):
        agents.load("tiny-v1")


@pytest.mark.parametrize(
    ("network", "message"),
    [
        ({**DEEP.as_dict(), "trunk": [25]}, r"trunk\.0: \(24, 943\), not \(25, 943\)"),
        ({**DEEP.as_dict(), "value": [8, 8]}, r"value\.1"),
        ({**DEEP.as_dict(), "policy": [16]}, r"policy\.1"),
        ({"activation": "silu"}, "trunk"),
    ],
)
def test_weights_of_another_network_are_refused(weights, network, message):
    change(weights, network=network)
    with pytest.raises(CheckpointError, match=f"does not hold the network that .*{message}"):
        agents.load("tiny-v1")


@pytest.mark.parametrize(("kind", "extra"), [(np.float16, {}), (np.float32, {"eyes": 1})])
def test_other_numbers_and_more_of_them_are_refused(weights, trained, kind, extra, monkeypatch):
    monkeypatch.setattr(shipped, "NUMBERS", kind)
    parts = trained.policy.parts()
    more = dict.fromkeys(extra, parts["value"])
    shipped.write("tiny-v1", {**parts, **more}, {"network": DEEP.as_dict()}, weights)
    monkeypatch.undo()
    with pytest.raises(CheckpointError, match=r"float16, not float32|too much: eyes\.0\.bias"):
        agents.load(weights / "tiny-v1.safetensors")


def test_what_is_no_safetensors_file_is_refused(weights):
    (weights / "tiny-v1.safetensors").write_bytes(b"nothing")
    change(weights, sha256=hashlib.sha256(b"nothing").hexdigest())
    with pytest.raises(CheckpointError, match=r"tiny-v1\.safetensors: is no file of weights"):
        agents.load("tiny-v1")


def test_an_unknown_name_is_answered_with_the_nearest(weights):
    for find in (agents.load, shipped.load, lambda name: opponents.find_opponent(name, NEW_YORK)):
        with pytest.raises(ValueError, match=r"'tiny-v2' is no agent's name.*mean 'tiny-v1'"):
            find("tiny-v2")


def test_without_safetensors_the_extra_is_named(weights, monkeypatch):
    for module in ("safetensors", "safetensors.numpy"):
        monkeypatch.setitem(sys.modules, module, None)
    for find in (agents.load, lambda name: opponents.find_opponent(name, NEW_YORK)):
        with pytest.raises(CheckpointError, match=r"pip install 'skirmish-env\[play\]'"):
            find("tiny-v1")


# ---- what the package brings


@pytest.mark.parametrize("name", shipped.names())
def test_a_shipped_agent_plays_and_has_its_card(name):
    agent, data = agents.load(name), shipped.read(name)
    games = dealt()
    view = games.view(np.flatnonzero(~games.over))
    chosen = agent.act(view, np.random.default_rng(0))
    assert view.mask[np.arange(len(view)), chosen].all()
    assert data["card_set"]["hash"] == NEW_YORK.load().hash
    assert agent.weights.nbytes < 8 * 2**20
    from experiments import model_card

    page = ROOT / "docs" / "models" / f"{name}.md"
    assert page.with_suffix(".png").is_file()
    written = page.read_text(encoding="utf-8")
    assert written == model_card.card(data, model_card.weaknesses(None, page))
