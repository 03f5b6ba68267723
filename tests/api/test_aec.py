"""The AEC environment: spaces, turns, rewards, endings, refusals, copies."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from skirmish_env import IllegalAction, skirmish_v0
from skirmish_env.game import NEW_YORK
from tests.api.helpers import (
    AGENTS,
    asking_the_other,
    decisions,
    ids,
    is_over,
    last_draw,
    legal,
    pick,
    play,
    position,
    snapshot,
    winning_attack,
)
from tests.rulebook.helpers import side


@pytest.fixture
def env():
    return skirmish_v0.env()


def at(env, where, *moves):
    """Reset to a position and play moves."""
    env.reset(seed=0, options={"position": where})
    for action in ids(*moves):
        env.step(action)
    return env


# -- What it says about itself --------------------------------------------------------------------


def test_env_wraps_raw_env_once(env):
    assert isinstance(env, OrderEnforcingWrapper)
    assert type(env.env) is skirmish_v0.raw_env
    assert env.unwrapped is env.env


def test_there_is_no_parallel_environment():
    assert not hasattr(skirmish_v0, "parallel_env")


def test_metadata(env):
    assert env.metadata == {
        "name": "skirmish_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
    }
    assert str(env) == "skirmish_v0"
    assert env.possible_agents == ["villains", "heroes"]


def test_spaces_are_the_same_objects_and_hold_every_observation(env):
    for agent in AGENTS:
        space = env.observation_space(agent)
        assert space is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        assert env.action_space(agent) == spaces.Discrete(NEW_YORK.action_count)
        assert space["observation"].dtype == np.float32
        assert space["action_mask"] == spaces.Box(0, 1, (NEW_YORK.action_count,), np.int8)
    assert env.state_space.dtype == np.float32
    env.reset(seed=1)
    for _ in decisions(env, np.random.default_rng(1)):
        assert all(env.observation_space(agent).contains(env.observe(agent)) for agent in AGENTS)
        assert env.state_space.contains(env.state())


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"render_mode": "rgb_array"}, "render_mode: 'rgb_array'"),
        ({"render_viewer": "hero"}, "render_viewer: 'hero'"),
        ({"max_turns": 0}, "max_turns"),
        ({"max_turns": True}, "max_turns"),
        ({"max_turns": 2.5}, "max_turns"),
        ({"rules": {"hero_goal": 7}}, "heroes_goal"),
        ({"card_set": "in_new_yrok"}, "in_new_yrok"),
    ],
)
def test_wrong_settings_are_named(settings, complaint):
    with pytest.raises(ValueError, match=complaint):
        skirmish_v0.env(**settings)


# -- Whose turn it is -----------------------------------------------------------------------------


def test_only_the_agent_who_is_asked_has_legal_actions(env):
    env.reset(seed=3)
    for agent in decisions(env, np.random.default_rng(3)):
        for other in AGENTS:
            assert env.observe(other)["action_mask"].any() == (other == agent)


def test_one_agent_may_decide_several_times_running(env):
    at(env, position(villains=side(hand=["kang_1", "hela_1", "ultron_1", "ares_1", "zola_1"])))
    for action in ids("play kang_1", "discard hela_1", "discard ares_1", "discard zola_1"):
        assert env.agent_selection == "villains"
        env.step(action)


def test_a_question_can_go_to_the_agent_whose_turn_it_is_not(env):
    at(env, asking_the_other(), "play hydra_agents_blue", "slot 1")
    assert env.agent_selection == "heroes"
    assert legal(env.last()[0]["action_mask"]) == ids("yes", "no")
    env.step(*ids("no"))
    assert env.agent_selection == "villains"
    assert env.unwrapped.position()["on_turn"] == "villains"


def test_forced_questions_are_skipped_unless_they_are_wanted():
    for skip_forced in (True, False):
        env = skirmish_v0.env(skip_forced=skip_forced)
        env.reset(seed=5)
        rng = np.random.default_rng(5)
        counts = {len(legal(env.last()[0]["action_mask"])) for _ in decisions(env, rng)}
        assert (1 in counts) is not skip_forced


# -- Rewards and endings --------------------------------------------------------------------------


def test_the_losers_last_reward_arrives_though_the_other_moved_last(env):
    at(env, winning_attack(), "done")
    seen = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        assert (terminated, truncated) == (True, False)
        assert not observation["action_mask"].any()
        seen[agent] = reward, info
        env.step(None)
    result = {"winner": "villains", "ending": "victory", "turns": 1, "marker": 9}
    assert seen == {"villains": (1.0, result), "heroes": (-1.0, result)}
    assert env.agents == []


def test_a_draw_pays_nobody(env):
    at(env, last_draw(), "done")
    assert env.terminations == {"villains": True, "heroes": True}
    assert env.rewards == env._cumulative_rewards == {"villains": 0.0, "heroes": 0.0}
    assert env.infos["heroes"] == {"winner": "draw", "ending": "deck", "turns": 1, "marker": 0}


def test_every_game_ends_with_one_result_for_both(env):
    for seed in range(12):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        for _ in decisions(env, rng):
            assert set(env.rewards.values()) == {0.0}
            assert env.infos == {"villains": {}, "heroes": {}}
        winner = env.infos["villains"]["winner"]
        if winner == "draw":
            assert env.rewards == {"villains": 0.0, "heroes": 0.0}
        else:
            assert env.rewards == {**dict.fromkeys(AGENTS, -1.0), winner: 1.0}
        assert env.infos["villains"] == env.infos["heroes"]
        assert env.infos["villains"] is not env.infos["heroes"]
        assert env.infos["villains"]["ending"] in NEW_YORK.endings[1:]


def test_last_and_observe_work_after_the_end(env):
    at(env, winning_attack(), "done")
    _, reward, terminated, truncated, info = env.last()
    assert (reward, terminated, truncated) == (env.rewards[env.agent_selection], True, False)
    assert info["winner"] == "villains"
    assert not any(env.observe(agent)["action_mask"].any() for agent in AGENTS)
    play(env, np.random.default_rng(0))
    assert not env.observe("heroes")["action_mask"].any()


def test_an_agent_that_is_done_takes_none_only(env):
    at(env, winning_attack(), "done")
    with pytest.raises(ValueError, match="None"):
        env.step(*ids("done"))


def test_a_position_that_is_over_pays_at_once(env):
    over = {**winning_attack(), "phase": "over", "victory": 9}
    at(env, over)
    seen = {}
    for agent in env.agent_iter():
        seen[agent] = env.last()[1:4]
        env.step(None)
    assert seen == {"villains": (1.0, True, False), "heroes": (-1.0, True, False)}


def test_max_turns_truncates_both_without_a_result():
    env = skirmish_v0.env(max_turns=3)
    env.reset(seed=2)
    for _ in decisions(env, np.random.default_rng(2)):
        assert env.unwrapped.position()["turn"] <= 3
    assert env.unwrapped.position()["turn"] == 4
    assert env.truncations == {"villains": True, "heroes": True}
    assert env.terminations == {"villains": False, "heroes": False}
    assert env.rewards == {"villains": 0.0, "heroes": 0.0}
    assert env.infos["villains"]["winner"] is None
    assert env.infos["villains"]["ending"] == "max_turns"
    assert not any(env.observe(agent)["action_mask"].any() for agent in AGENTS)
    play(env, np.random.default_rng(0))
    assert env.agents == []


def test_a_game_that_ends_in_its_last_turn_is_not_truncated():
    env = at(skirmish_v0.env(max_turns=1), winning_attack(), "done")
    assert not any(env.truncations.values())
    assert env.rewards["villains"] == 1.0


def test_max_turns_count_from_the_position():
    env = at(skirmish_v0.env(max_turns=2), {**asking_the_other(), "turn": 9})
    for _ in decisions(env, np.random.default_rng(0)):
        assert env.unwrapped.position()["turn"] <= 10
    assert env.truncations["heroes"]


# -- Refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action",
    [-1, 242, 1.5, None, True, False, "done", np.float64(241), np.array([241]), np.bool_(True)],
    ids=repr,
)
def test_what_is_no_action_is_refused_and_changes_nothing(env, action):
    env.reset(seed=4)
    play(env, np.random.default_rng(4), decisions=7)
    before = snapshot(env)
    with pytest.raises(IllegalAction):
        env.step(action)
    assert snapshot(env) == before


def test_a_masked_action_is_refused_and_changes_nothing(env):
    env.reset(seed=4)
    rng = np.random.default_rng(4)
    for number, _ in enumerate(decisions(env, rng)):
        if number % 9 == 0:
            before = snapshot(env)
            with pytest.raises(IllegalAction):
                env.step(pick(1 - env.last()[0]["action_mask"], rng))
            assert snapshot(env) == before


def test_the_refusal_tells_the_acting_agent_its_legal_moves_and_no_more(env):
    at(env, asking_the_other(), "play hydra_agents_blue", "slot 1")
    with pytest.raises(IllegalAction) as refusal:
        env.step(*ids("play thor_1"))
    assert str(refusal.value) == "'play thor_1' is not legal for heroes (draw); legal: yes, no"
    env.step(*ids("no"))
    with pytest.raises(IllegalAction) as refusal:
        env.step(*ids("yes"))
    assert "play hydra_agents_yellow" in str(refusal.value)
    assert "thor" not in str(refusal.value)


@pytest.mark.parametrize("kind", [int, np.int64, np.int16, np.uint8, np.array], ids=repr)
def test_integers_of_every_kind_are_actions(env, kind):
    at(env, asking_the_other(), "play hydra_agents_blue", "slot 1")
    env.step(kind(*ids("no")))
    assert env.agent_selection == "villains"


def test_the_wrapper_complains_about_calls_before_reset(env):
    with pytest.raises(AssertionError, match="reset"):
        env.step(0)
    with pytest.raises(AssertionError, match="reset"):
        env.observe("heroes")


def test_an_unknown_agent_is_named(env):
    env.reset(seed=0)
    with pytest.raises(ValueError, match="'thanos'"):
        env.observe("thanos")


# -- Arrays and copies ----------------------------------------------------------------------------


def test_returned_arrays_belong_to_the_caller(env):
    env.reset(seed=6)
    before = snapshot(env)
    for agent in AGENTS:
        for array in env.observe(agent).values():
            array[:] = 1
    env.state()[:] = 1
    assert snapshot(env) == before
    kept = {agent: env.observe(agent) for agent in AGENTS}
    words = {agent: {key: a.copy() for key, a in kept[agent].items()} for agent in AGENTS}
    state = env.state()
    state_before = state.copy()
    play(env, np.random.default_rng(6), decisions=20)
    assert (state == state_before).all()
    for agent in AGENTS:
        assert all((kept[agent][key] == words[agent][key]).all() for key in kept[agent])


COPIES = {"deepcopy": copy.deepcopy, "pickle": lambda env: pickle.loads(pickle.dumps(env))}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_copies_go_on_as_the_original_does(copied):
    env = skirmish_v0.env(shaping=0.1, max_turns=30)
    for seed in range(3):
        env.reset(seed=seed)
        for agent in AGENTS:
            env.action_space(agent).seed(seed)
        play(env, np.random.default_rng(seed), decisions=11 * seed + 1)
        twin = copied(env)
        assert twin.unwrapped is not env.unwrapped
        assert snapshot(twin) == snapshot(env)
        while not is_over(env):
            agent = env.agent_selection
            assert env.action_space(agent).sample() == twin.action_space(agent).sample()
            assert snapshot(twin) == snapshot(env)
            action = pick(env.last()[0]["action_mask"], np.random.default_rng(9))
            twin.step(action)
            env.step(action)
        assert snapshot(twin) == snapshot(env)
        for one in (env, twin):
            one.reset()
        assert snapshot(twin) == snapshot(env)


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_copies_are_independent_in_the_middle_of_an_effect(env, copied):
    at(env, asking_the_other(), "play hydra_agents_blue", "slot 1")
    twin = copied(env)
    before = snapshot(twin)
    play(env, np.random.default_rng(0))
    assert snapshot(twin) == before
    twin.step(*ids("yes"))
    assert len(twin.unwrapped.position("heroes")["heroes"]["hand"]) == 2


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_a_copy_between_the_dead_steps_ends_as_the_original(env, copied):
    at(env, winning_attack(), "done")
    env.step(None)
    twin = copied(env)
    assert twin.last()[1] == env.last()[1] == -1.0
    twin.step(None)
    assert (twin.agents, env.agents) == ([], ["heroes"])


# -- Rendering ------------------------------------------------------------------------------------


def test_ansi_returns_the_board_without_hands():
    env = at(skirmish_v0.env(render_mode="ansi"), asking_the_other())
    text = env.render()
    assert "Villains: hand 3; deck" in text
    assert "Heroes: hand 1; deck 8" in text


@pytest.mark.parametrize(
    ("viewer", "shown"),
    [("villains", ("ares_1",)), ("heroes", ("thor_1",)), ("all", ("ares_1", "thor_1"))],
)
def test_the_render_viewer_sees_his_own_hand(viewer, shown):
    env = skirmish_v0.env(render_mode="ansi", render_viewer=viewer)
    text = at(env, asking_the_other()).render()
    assert [card for card in ("ares_1", "thor_1") if card in text] == list(shown)


def test_human_prints_at_every_step(capsys):
    env = at(skirmish_v0.env(render_mode="human"), asking_the_other())
    assert capsys.readouterr().out.startswith("turn 1 (villains), recruitment")
    env.step(*ids("done"))
    assert "turn 3 (villains), recruitment" in capsys.readouterr().out
    assert env.render() is None
    assert "turn 3 (villains), recruitment" in capsys.readouterr().out


def test_rendering_without_a_mode_warns(env):
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None
