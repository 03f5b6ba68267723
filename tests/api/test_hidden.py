"""Nothing hidden gets out: two games that differ in hidden cards only look the same (ruling 50)."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from skirmish_env import IllegalAction, skirmish_v0
from tests.api.helpers import AGENTS, HERO_PAIRS, ids, twins

SHARED_MOVES = [
    "play hydra_agents_blue",
    "slot 1",
    "no",  # the Heroes do not draw
    "play ares_1",
    "discard ares_2",
]


def envs(**settings):
    pair = skirmish_v0.env(**settings), skirmish_v0.env(**settings)
    for env, where in zip(pair, twins()):
        env.reset(seed=0, options={"position": where})
    return pair


def seen(env, agent):
    """What an agent and the public are shown."""
    raw = env.unwrapped
    return (
        {key: array.tobytes() for key, array in env.observe(agent).items()},
        env.agent_selection,
        env.infos,
        env.rewards,
        [env.unwrapped.text(viewer) for viewer in (None, agent)],
        [raw.position(viewer) for viewer in (None, agent)],
    )


def refusal(env):
    with pytest.raises(IllegalAction) as complaint:
        env.step(*ids("play thanos_1"))
    return str(complaint.value)


def test_twins_look_the_same_to_the_villains_all_along():
    one, other = envs()
    for action in [None, *ids(*SHARED_MOVES)]:
        if action is not None:
            one.step(action)
            other.step(action)
        assert seen(one, "villains") == seen(other, "villains")
        if one.agent_selection == "villains":
            assert refusal(one) == refusal(other)
            assert bytes(one.unwrapped.view().observation) == bytes(
                other.unwrapped.view().observation
            )


def test_twins_differ_where_hidden_cards_belong():
    one, other = envs()
    assert (one.state() != other.state()).any()
    assert seen(one, "heroes")[0] != seen(other, "heroes")[0]
    assert one.unwrapped.position("all") != other.unwrapped.position("all")
    assert one.unwrapped.text("heroes") != other.unwrapped.text("heroes")


@pytest.mark.parametrize("viewer", [None, "villains"])
def test_twins_are_drawn_the_same(viewer):
    one, other = envs(render_mode="ansi", render_viewer=viewer)
    assert one.render() == other.render()
    assert not any(card in one.render() for pair in HERO_PAIRS for card in pair)


def test_the_deck_of_the_viewer_is_hidden_too():
    """Nobody knows the order of his own deck."""
    first, second = (dict(twins()[0]) for _ in range(2))
    second["heroes"] = {**second["heroes"], "deck": second["heroes"]["deck"][::-1]}
    assert first != second
    one, other = skirmish_v0.env(), skirmish_v0.env()
    one.reset(seed=0, options={"position": first})
    other.reset(seed=0, options={"position": second})
    assert (one.state() != other.state()).any()
    assert all(seen(one, agent) == seen(other, agent) for agent in AGENTS)


def test_the_public_position_shows_nobodys_hand():
    env, _ = envs()
    public = env.unwrapped.position()
    assert (public["villains"]["hand"], public["heroes"]["hand"]) == (5, 3)
    assert isinstance(public["villains"]["deck"], int)
    assert isinstance(public["heroes"]["deck"], int)


def test_twins_look_the_same_to_a_learner():
    settings = {"side": "villains", "opponent": "random", "render_mode": "ansi"}
    shown = []
    for where in twins():
        env = gymnasium.make("skirmish_env/Skirmish-v0", **settings)
        observation, info = env.reset(seed=0, options={"position": where})
        mask = info.pop("action_mask")
        with pytest.raises(IllegalAction) as complaint:
            env.step(*ids("play thanos_1"))
        shown.append((
            observation.tobytes(), mask.tobytes(), info, env.render(), str(complaint.value),
            env.unwrapped.position(),
        ))  # fmt: skip
    assert shown[0] == shown[1]


def test_an_opponents_mistake_does_not_show_his_hand():
    answers = lambda view, rng: np.array([int(np.argmin(view.mask[0]))])  # noqa: E731
    env = gymnasium.make("skirmish_env/Skirmish-v0", side="heroes", opponent=answers)
    with pytest.raises(IllegalAction) as complaint:
        env.reset(seed=0)
    error = complaint.value
    assert "opponent" in str(error)
    assert "legal:" not in str(error)
    assert error.__context__ is None
