"""Opponents by name, object, function and checkpoint."""

from __future__ import annotations

from dataclasses import dataclass

import gymnasium
import numpy as np
import pytest

from skirmish_env import IllegalAction, gym_env, opponents
from skirmish_env.game import NEW_YORK
from skirmish_env.opponents import CompiledOpponent, find_opponent
from skirmish_env.views import View
from tests.api.helpers import AGENTS, ids, pick


class First:
    """Plays the first legal action."""

    name = "first"

    def act(self, view, rng):
        return view.mask.argmax(axis=1)


class Trained(First):
    def __init__(self, path):
        self.path = path

    @classmethod
    def load(cls, path):
        return cls(path)


class Other(Trained):
    pass


@dataclass(frozen=True)
class Entry:
    name: str
    found: type

    def load(self):
        return self.found


@pytest.fixture
def registered(monkeypatch):
    """Register agents as an installed package would."""
    classes = {}

    def entries(group):
        assert group in ("skirmish_env.agents", "skirmish_env.trained")
        found = classes if group == "skirmish_env.agents" else {}
        return [Entry(name, one) for name, one in found.items()]

    monkeypatch.setattr(opponents, "entry_points", entries)
    return classes


def find(wanted):
    return find_opponent(wanted, NEW_YORK)


def test_compiled_policies_by_name():
    assert {find(name).name for name in NEW_YORK.policies} == set(NEW_YORK.policies)
    assert find("heuristic") == CompiledOpponent("heuristic")


def test_an_object_answers_as_it_is():
    agent = First()
    assert find(agent) is agent


def test_an_opponent_sees_views_and_gets_a_generator():
    seen = []

    def opponent(view, rng):
        seen.append((type(view), len(view), AGENTS[view.viewer[0]], type(rng)))
        return view.mask.argmax(axis=1)

    env = gymnasium.make("skirmish_env/Skirmish-v0", side="villains", opponent=opponent)
    _, info = env.reset(seed=0)
    over = False
    while not over:
        *_, over, _, info = env.step(pick(info["action_mask"], np.random.default_rng(0)))
    assert set(seen) == {(View, 1, "heroes", np.random.Generator)}


def test_a_compiled_opponent_plays_as_its_view_would():
    """The short cut for compiled policies changes no answer."""

    class Slow:
        def act(self, view, rng):
            return CompiledOpponent("heuristic").act(view, rng)

    endings = []
    for opponent in ("heuristic", Slow()):
        env = gymnasium.make("skirmish_env/Skirmish-v0", opponent=opponent)
        _, info = env.reset(seed=4)
        rng, over, path = np.random.default_rng(4), False, []
        while not over:
            observation, _, over, _, info = env.step(pick(info["action_mask"], rng))
            path.append(observation.tobytes())
        endings.append(path)
    assert endings[0] == endings[1]


@pytest.mark.parametrize("answer", [-1, 1.5, None, [1, 2], np.array([], int), "no"], ids=repr)
def test_an_answer_that_is_no_legal_action_stops_the_game(answer):
    env = gymnasium.make(
        "skirmish_env/Skirmish-v0", side="villains", opponent=lambda view, rng: answer
    )
    env.reset(seed=0)
    with pytest.raises(IllegalAction, match="opponent's answer"):
        while True:
            env.step(*ids("done"))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.unwrapped.step(241)


def test_registered_agents_by_name(registered):
    registered.update(first=First, trained=Trained)
    assert isinstance(find("first"), First)
    with pytest.raises(ValueError, match="'trained:PATH'"):
        find("trained")


def test_a_checkpoint_goes_to_the_agent_that_loads(registered, tmp_path):
    path = tmp_path / "agent.zip"
    path.touch()
    registered.update(first=First, trained=Trained)
    for words in (path, str(path), f"trained:{path}"):
        agent = find(words)
        assert type(agent) is Trained
        assert agent.path == path


def test_a_checkpoint_that_several_agents_load_needs_a_name(registered, tmp_path):
    registered.update(trained=Trained, other=Other)
    with pytest.raises(ValueError, match="'trained:PATH'"):
        find(str(tmp_path))
    assert type(find(f"other:{tmp_path}")) is Other


def test_a_checkpoint_without_an_agent_is_refused(registered, tmp_path):
    registered["first"] = First
    with pytest.raises(ValueError, match="no registered agent"):
        find(tmp_path)
    with pytest.raises(ValueError, match="loads no checkpoint"):
        find(f"first:{tmp_path}")


def test_a_missing_checkpoint_is_named(registered, tmp_path):
    registered["trained"] = Trained
    with pytest.raises(ValueError, match=r"gone\.zip"):
        find(f"trained:{tmp_path / 'gone.zip'}")


def test_unknown_names_list_the_known_ones(registered):
    registered["trained"] = Trained
    with pytest.raises(ValueError, match=r"did you mean 'random'.*heuristic, random, trained"):
        find("randm")


@pytest.mark.parametrize("wanted", [None, 7, First], ids=repr)
def test_what_is_no_opponent_is_refused(wanted):
    with pytest.raises(ValueError, match="opponent"):
        find(wanted)


# -- Compiled policies, which play on in one call ------------------------------------------------


def games(opponent, **settings):
    """What a learner is told in games that are cut off after three turns, in an opponent's call."""
    env = gymnasium.make("skirmish_env/Skirmish-v0", opponent=opponent, **settings)
    told = []
    for seed in (6, 7, 14):
        rng, over = np.random.default_rng(1), False
        _, info = env.reset(seed=seed)
        while not over:
            seen, reward, ended, late, info = env.step(pick(info["action_mask"], rng))
            over = ended or late
            result = {**info, "action_mask": info["action_mask"].tolist()}
            told.append((seen.tobytes(), reward, ended, late, result))
    return told


@pytest.mark.parametrize(
    "settings", [{}, {"side": "villains", "max_turns": 3}], ids=["whole", "three turns"]
)
@pytest.mark.parametrize("name", NEW_YORK.policies)
def test_a_policy_plays_on_as_it_plays_decision_by_decision(monkeypatch, name, settings):
    monkeypatch.setattr(gym_env, "MOST_SEEDS", 5)  # so that they run out in the midst of a turn
    asked = 0

    def one_by_one(view, rng):
        nonlocal asked
        asked += 1
        return view.policy(name, rng)

    assert games(name, **settings) == games(one_by_one, **settings)
    assert asked > 5
