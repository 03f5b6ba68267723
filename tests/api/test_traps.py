"""Calls in the wrong order, wrong values, resets in the middle: what a harness gets wrong."""

from __future__ import annotations

import copy
import math
import pickle
import random
from concurrent.futures import ThreadPoolExecutor

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.utils import TerminateIllegalWrapper

from skirmish_env import IllegalAction, skirmish_v0
from skirmish_env.batch import Batch
from skirmish_env.gym_env import SkirmishEnv
from skirmish_env.shaping import Shaping
from tests.api.helpers import (
    AGENTS,
    FREE,
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
from tests.api.moments import eye_of_agamotto, moments
from tests.rulebook.helpers import side

MAKERS = {"wrapped": skirmish_v0.env, "raw": skirmish_v0.raw_env}
RNG = np.random.default_rng


def at(env, where, *moves):
    env.reset(seed=0, options={"position": where})
    for action in ids(*moves):
        env.step(action)
    return env


def lost_by_the_last_card():
    """The Heroes draw their last card although the Villains lead."""
    heroes = side(hand=["shield_agents_red", "thor_1", "hulk_1"], deck=["hulk_2"])
    return position(to_move="heroes", victory=3, heroes=heroes)


# -- Calls in the wrong order ---------------------------------------------------------------------

LOOKS = {
    "step": lambda env: env.step(0),
    "observe": lambda env: env.observe("heroes"),
    "mask": lambda env: env.mask("heroes"),
    "state": lambda env: env.state(),
    "view": lambda env: env.view(),
    "choose": lambda env: env.choose("random", RNG(0)),
    "position": lambda env: env.position(),
    "text": lambda env: env.text(),
    "render": lambda env: env.render(),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_nothing_is_played_or_seen_before_the_first_reset(look):
    env = skirmish_v0.raw_env(render_mode="ansi")
    for _ in range(2):
        with pytest.raises(ResetNeeded, match="reset"):
            look(env)
        with pytest.raises(ValueError, match="position"):
            env.reset(options={"positon": {}})
    env.reset(seed=1)
    if look is not LOOKS["step"]:
        look(env)


def test_a_learner_neither_plays_nor_sees_before_the_first_reset():
    env = SkirmishEnv(render_mode="ansi")
    assert not env.action_masks().any()
    assert len(env.action_space.legal) == 0
    for look in (lambda: env.step(0), env.position, env.render):
        with pytest.raises(ResetNeeded, match="reset"):
            look()


def test_steps_after_both_agents_are_gone(caplog):
    wrapped, raw = (at(make(), winning_attack(), "done") for make in MAKERS.values())
    for env in (wrapped, raw):
        env.step(None)
        env.step(None)
        assert env.agents == []
        assert env.rewards == env.terminations == env.truncations == env.infos == {}
        assert env._cumulative_rewards == {}
    before = raw._states.tobytes()
    for action in (None, 241):
        wrapped.step(action)
        assert "reset() first" in caplog.text
        caplog.clear()
        with pytest.raises(ResetNeeded):
            raw.step(action)
    assert raw._states.tobytes() == wrapped.unwrapped._states.tobytes() == before


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_a_dead_agents_action_is_refused_and_changes_nothing(make):
    env = at(make(), winning_attack(), "done")
    for left in (2, 1):
        before = snapshot(env)
        for action in (*ids("done"), 0, -1, "done"):
            with pytest.raises(ValueError, match="None"):
                env.step(action)
        assert snapshot(env) == before
        assert len(env.agents) == left
        env.step(None)


def test_what_the_last_call_says_after_the_end():
    for where, move in ((winning_attack(), "done"), (last_draw(), "done")):
        env = at(skirmish_v0.env(shaping=0.5), where, move)
        for _ in AGENTS:
            observation, reward, terminated, truncated, info = env.last()
            assert env.observation_space("heroes").contains(observation)
            assert (type(reward), terminated, truncated) == (float, True, False)
            assert {key: type(value) for key, value in info.items()} == {
                "winner": str, "ending": str, "turns": int, "marker": int
            }  # fmt: skip
            assert env.last(observe=False)[0] is None
            env.step(None)


@pytest.mark.parametrize("name", ["random", "heuristic", "nobody"])
def test_no_policy_answers_when_nobody_is_asked(name):
    over = at(skirmish_v0.raw_env(), winning_attack(), "done")
    capped = skirmish_v0.raw_env(max_turns=1)
    capped.reset(seed=0)
    play(capped, RNG(0), decisions=1)
    for _ in decisions(capped, RNG(0)):
        pass
    for env in (over, capped):
        assert not env.view().mask.any()
        with pytest.raises(ValueError, match="nobody"):
            env.choose(name, RNG(0))


# -- Rewards and endings --------------------------------------------------------------------------


def test_the_loser_is_paid_when_he_moved_last_himself():
    env = at(skirmish_v0.env(), lost_by_the_last_card(), "done")
    assert env.agent_selection == "heroes"
    seen = {}
    for agent in env.agent_iter():
        seen[agent] = env.last()[1]
        env.step(None)
    assert seen == {"heroes": -1.0, "villains": 1.0}
    learner = gymnasium.make("skirmish_env/Skirmish-v0", side="heroes", opponent="random")
    learner.reset(options={"position": lost_by_the_last_card()})
    _, reward, terminated, _, info = learner.step(*ids("done"))
    assert (reward, terminated, info["winner"]) == (-1.0, True, "villains")


@pytest.mark.parametrize("settings", [{}, {"shaping": 0.3}, {"shaping": 0.3, "max_turns": 9}])
def test_no_reward_is_lost_or_paid_twice(settings):
    """What each agent collects from its own calls of `last` is all that was ever handed out."""
    env = skirmish_v0.env(**settings)
    running, ends = 0, []
    for seed in range(3):
        env.reset(seed=seed)
        paid, collected = dict.fromkeys(AGENTS, 0.0), dict.fromkeys(AGENTS, 0.0)
        rng, before = RNG(seed), None
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            collected[agent] += reward
            if terminated or truncated:
                env.step(None)
                continue
            running += agent == before
            env.step(pick(observation["action_mask"], rng))
            before = agent
            for one in AGENTS:
                paid[one] += env.rewards[one]
        ends.append(before)
        assert collected == pytest.approx(paid)
        assert sum(paid.values()) == pytest.approx(0)
    assert running > 60
    assert "max_turns" in settings or set(ends) == set(AGENTS)


# -- Refusals -------------------------------------------------------------------------------------

NO_ACTIONS = [
    -1, 242, 243, 2**70, 1.0, 1.5, math.nan, math.inf, None, True, False, "3", "done", b"3",
    np.float32(3), np.float64(241), np.float64("nan"), np.bool_(True), np.array(3.0),
    np.array([241]), np.array([241, 3]), np.array([], int), [241], (241,), {}, 3 + 0j,
]  # fmt: skip


def refused_everywhere(step, shown):
    """Give one illegal value after the other; nothing may change, to the byte."""
    before = shown()
    for action in NO_ACTIONS:
        with pytest.raises(IllegalAction, match="an action is a whole number 0 to 241, not"):
            step(action)
        assert shown() == before, action


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_what_is_no_action_changes_no_byte_of_the_aec_environment(make):
    env, twin = (at(make(), asking_the_other(), "play hydra_agents_blue", "slot 1") for _ in "12")
    refused_everywhere(env.step, lambda: env.unwrapped._states.tobytes())
    masked = [action for action in range(242) if action not in ids("yes", "no")]
    for action in masked:
        with pytest.raises(IllegalAction, match="legal: yes, no"):
            env.step(action)
    assert snapshot(env) == snapshot(twin)
    assert play(env, RNG(0)) == play(twin, RNG(0))
    assert env.unwrapped._states.tobytes() == twin.unwrapped._states.tobytes()


def test_what_is_no_action_changes_no_byte_of_the_gymnasium_environment():
    env, twin = (SkirmishEnv(side="villains", opponent="random") for _ in "12")
    for one in (env, twin):
        one.reset(seed=3)
    refused_everywhere(env.step, lambda: env._table._states.tobytes())
    masks = env.action_masks()
    for action in np.flatnonzero(~masks):
        with pytest.raises(IllegalAction, match="is not legal for villains"):
            env.step(action)
    assert (env.action_masks() == masks).all()
    steps = [one.step(legal(masks)[0]) for one in (env, twin)]
    assert (steps[0][0] == steps[1][0]).all()
    assert env._table._states.tobytes() == twin._table._states.tobytes()


def test_what_is_no_action_changes_no_byte_of_a_batch():
    games = Batch(2)
    games.deal([0, 1])
    before = games.states.tobytes()
    good = games.masks().argmax(1)
    for action in (1.0, math.nan, None, True, "3", 2**70):
        with pytest.raises(ValueError, match="actions"):
            games.step([action, action])
    with pytest.raises(ValueError, match="actions: expected 2 whole numbers"):
        games.step(good[:1])
    for action in (-1, 242, 2**62, -(2**63), *np.flatnonzero(games.masks()[1] == 0)):
        with pytest.raises(IllegalAction, match="game 1"):
            games.step([good[0], action])
    assert games.states.tobytes() == before
    games.step(good)


@pytest.mark.parametrize(
    "kind", [int, np.int8, np.int32, np.int64, np.uint64, np.array, np.intp], ids=repr
)
def test_whole_numbers_of_every_kind_are_actions_everywhere(kind):
    action = kind(legal(_opening_masks())[0])
    env = skirmish_v0.env()
    env.reset(seed=1)
    env.step(action)
    learner = SkirmishEnv(side="villains", opponent="random")
    learner.reset(seed=1)
    learner.step(action)
    games = Batch(1)
    games.deal([1])
    games.step([action])
    assert games.states.tobytes() == env.unwrapped._states.tobytes()


def _opening_masks():
    games = Batch(1)
    games.deal([1])
    return games.masks()[0]


def test_pettingzoos_wrapper_for_illegal_actions_ends_the_game(caplog):
    env = TerminateIllegalWrapper(skirmish_v0.env(), illegal_reward=-1)
    env.reset(seed=2)
    play(env, RNG(2), decisions=5)
    loser = env.agent_selection
    env.step(legal(1 - env.observe(loser)["action_mask"])[0])
    assert "Illegal move" in caplog.text
    assert env.terminations == {"villains": True, "heroes": True}
    seen = {}
    for agent in env.agent_iter():
        observation, seen[agent], *_ = env.last()
        assert not observation["action_mask"].any()
        env.step(None)
    assert seen == {**dict.fromkeys(AGENTS, 0), loser: -1}
    assert env.agents == []


# -- Resets ---------------------------------------------------------------------------------------


def state_of_mind(name):
    """An environment in one of the states that a reset may find."""
    env = skirmish_v0.env(max_turns=9)
    if name == "effect":
        at(env, asking_the_other(), "play hydra_agents_blue", "slot 1")
    elif name == "cut off":
        env.reset(seed=0, options={"position": {"turn": 5}, "rules": {"villains_goal": 30}})
        play(env, RNG(0))
    else:
        at(env, winning_attack(), "done")
    if name == "half removed":
        env.step(None)
    elif name == "refused":
        with pytest.raises(ValueError, match="victory"):
            env.reset(options={"position": {"victory": 99}})
    elif name == "closed":
        env.close()
    return env


@pytest.mark.parametrize("name", ["effect", "over", "half removed", "cut off", "refused", "closed"])
def test_a_reset_is_a_clean_start(name):
    env, fresh = state_of_mind(name), skirmish_v0.env(max_turns=9)
    for how in ({"seed": 4}, {}, {"seed": 4, "options": {"position": asking_the_other()}}, {}):
        for one in (env, fresh):
            one.reset(**how)
        assert snapshot(env) == snapshot(fresh)
        assert play(env, RNG(1), decisions=4) == play(fresh, RNG(1), decisions=4)
    assert play(env, RNG(2)) == play(fresh, RNG(2))


def test_a_refused_reset_leaves_the_stream_of_deals_alone():
    env, twin = skirmish_v0.env(), skirmish_v0.env()
    for one in (env, twin):
        one.reset(seed=3)
    for options in ({"positon": {}}, {"position": {"victory": 99}}, {"rules": {"x": 1}}):
        with pytest.raises(ValueError, match=r"position|victory|rules"):
            env.reset(options=options)
        assert snapshot(env) == snapshot(twin)
    for one in (env, twin):
        one.reset()
    assert snapshot(env) == snapshot(twin)


@pytest.mark.parametrize("rule", ["random", "alternate"])
def test_a_refused_reset_does_not_turn_the_table_round(rule):
    """Who sat with the Villains must not look into the Heroes' hand after a failed call."""
    env, twin = (SkirmishEnv(side=rule, opponent="random") for _ in "12")
    for one in (env, twin):
        one.reset(seed=5)
        one.reset()
    shown = lambda one: (one.side, one.position(), one.action_masks().tobytes())  # noqa: E731
    for seed in (None, *range(6)):
        for options in ({"positon": {}}, {"position": {"victory": 99}}, {"rules": {"x": 1}}):
            with pytest.raises(ValueError, match=r"position|victory|rules"):
                env.reset(seed=seed, options=options)
            assert shown(env) == shown(twin)
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=-1)
    action = legal(env.action_masks())[0]
    assert (env.step(action)[0] == twin.step(action)[0]).all()
    for _ in range(4):
        assert env.reset()[1]["side"] == twin.reset()[1]["side"]
        assert shown(env) == shown(twin)


def test_no_mask_outlives_its_game():
    answers = {"good": lambda view, rng: view.policy("random", rng)}
    answers["bad"] = lambda view, rng: -1
    env = SkirmishEnv(side="heroes", opponent=lambda view, rng: answers[mood](view, rng))
    mood = "good"
    env.reset(seed=1)
    assert env.action_masks().any()
    mood = "bad"
    with pytest.raises(IllegalAction, match="opponent"):
        env.reset(seed=2)
    assert not env.action_masks().any()
    assert len(env.action_space.legal) == 0
    with pytest.raises(ResetNeeded):
        env.step(0)
    mood = "good"
    _, info = env.reset(seed=1)
    assert info["action_mask"].any()


def forced_end():
    """An attack that asks nobody anything takes the Villains to their ninth point."""
    return position(
        phase="attack",
        victory=8,
        villains=side(slots={1: "hydra_agents_blue"}),
        heroes=side(hand=["thor_1"]),
    )


def test_a_position_may_end_by_itself():
    env = skirmish_v0.env(shaping=0.5)
    env.reset(seed=0, options={"position": forced_end()})
    assert env.terminations == {"villains": True, "heroes": True}
    assert env.rewards == env._cumulative_rewards == {"villains": 1.0, "heroes": -1.0}
    assert env.infos["heroes"]["winner"] == "villains"
    assert not any(env.observe(agent)["action_mask"].any() for agent in AGENTS)
    assert play(env, RNG(0)) == []
    env.reset(seed=0)
    assert env.agents == list(AGENTS)
    assert not is_over(env)
    learner = SkirmishEnv(side="heroes", opponent="random")
    learner.reset(seed=1)
    with pytest.raises(ValueError, match="before heroes are asked"):
        learner.reset(options={"position": forced_end()})
    assert not learner.action_masks().any()
    assert learner.reset(seed=1)[1]["action_mask"].any()


def test_the_spaces_are_the_same_objects_for_ever():
    env = skirmish_v0.env()
    spaces = [
        space(agent) for space in (env.observation_space, env.action_space) for agent in AGENTS
    ]
    for how in ({"seed": 1}, {}, {"options": {"position": eye_of_agamotto()}}):
        env.reset(**how)
        play(env, RNG(0), decisions=3)
        now = [
            space(agent) for space in (env.observation_space, env.action_space) for agent in AGENTS
        ]
        assert all(one is other for one, other in zip(now, spaces))


# -- Nothing global -------------------------------------------------------------------------------


def test_nobody_draws_from_the_global_generators():
    random.seed(1)
    np.random.seed(1)
    before = random.getstate(), repr(np.random.get_state())
    env = skirmish_v0.env(render_mode="ansi")
    env.reset()
    env.render()
    raw = env.unwrapped
    for _ in range(12):
        raw.view().redeal(RNG(0))
        env.step(raw.choose("heuristic", RNG(0)))
    learner = SkirmishEnv(opponent="random")
    for _ in range(3):
        learner.reset()
        learner.step(learner.action_space.sample())
    games = Batch(2)
    games.deal([0, 1])
    games.step(games.view().policy("expert", RNG(0)))
    assert (random.getstate(), repr(np.random.get_state())) == before


def test_environments_in_threads_do_not_meet():
    def record(seed):
        env = skirmish_v0.env(max_turns=10)
        env.reset(seed=seed)
        play(env, RNG(seed))
        return env.unwrapped._states.tobytes()

    alone = [record(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(record, range(4))) == alone


# -- Learners' frameworks -------------------------------------------------------------------------


def test_masks_come_through_vectors_of_environments():
    envs = gymnasium.make_vec(
        "skirmish_env/Skirmish-v0", 3, "sync", opponent="random", max_turns=2
    )
    _, infos = envs.reset(seed=1)
    rng, ended = RNG(0), 0
    for _ in range(60):
        masks = np.array(envs.call("action_masks"))
        assert masks.shape == infos["action_mask"].shape == (3, 242)
        assert (masks == infos["action_mask"]).all()
        actions = [pick(mask, rng) if mask.any() else 0 for mask in masks]
        _, _, terminated, truncated, infos = envs.step(actions)
        ended += (terminated | truncated).sum()
    assert ended > 3
    envs.close()


def test_masks_come_through_the_wrappers_of_stable_baselines3():
    vectors = pytest.importorskip("stable_baselines3.common.vec_env")
    monitor = pytest.importorskip("stable_baselines3.common.monitor")
    maskable = pytest.importorskip("sb3_contrib.common.maskable.utils")
    make = lambda: monitor.Monitor(  # noqa: E731
        gymnasium.make("skirmish_env/Skirmish-v0", opponent="random", max_turns=2)
    )
    envs = vectors.DummyVecEnv([make, make])
    assert maskable.is_masking_supported(envs)
    envs.seed(1)
    envs.reset()
    rng, ended = RNG(0), 0
    for _ in range(40):
        masks = maskable.get_action_masks(envs)
        assert masks.shape == (2, 242)
        assert masks.any(axis=1).all()
        _, _, dones, infos = envs.step(np.array([pick(mask, rng) for mask in masks]))
        ended += dones.sum()
        assert all(not info["action_mask"].any() for info, done in zip(infos, dones) if done)
    assert ended > 2


# -- Settings -------------------------------------------------------------------------------------


def test_a_batch_takes_each_game_once_and_nothing_for_no_games():
    games = Batch(2)
    with pytest.raises(ValueError, match="meant twice"):
        games.deal([1, 2], [0, 0])
    games.deal([], [])
    games.deal([3, 4])
    before = games.states.tobytes()
    games.step([], [])
    games.step([], np.zeros(2, bool))
    assert games.states.tobytes() == before


@pytest.mark.parametrize("size", [0, -1, 2.5, True, "3", None], ids=repr)
def test_what_is_no_size_of_a_batch(size):
    with pytest.raises(ValueError, match="a batch holds"):
        Batch(size)


@pytest.mark.parametrize("number", [1, np.float32(0.5), np.int64(2)], ids=repr)
def test_shaping_takes_numbers_of_every_kind_and_pays_floats(number):
    assert Shaping.read(number) == Shaping(float(number))
    where = position(villains=side(hand=[FREE], slots={1: "hydra_agents_blue"}))
    env = at(skirmish_v0.env(shaping=number), where, "done")
    assert env.rewards == {"villains": float(number), "heroes": -float(number)}
    assert {type(reward) for reward in env.rewards.values()} == {float}


def test_every_kind_of_question_is_refused_an_answer_to_another():
    """An id that is legal elsewhere is refused here, and the message names this question."""
    env = skirmish_v0.raw_env()
    env.reset(seed=0)
    for moment in moments():
        env._states[:] = moment.record
        env.agent_selection = moment.agent
        allowed = legal(env.mask(moment.agent))
        wrong = next(action for action in range(241, -1, -1) if action not in allowed)
        with pytest.raises(IllegalAction) as refusal:
            env.step(wrong)
        assert f"legal for {moment.agent} ({moment.question}); legal: " in str(refusal.value)
        assert env._states.tobytes() == moment.record.tobytes()


# -- Views and drawn ids --------------------------------------------------------------------------


def test_views_of_one_row_and_of_none():
    games = Batch(3)
    games.deal([0, 1, 2])
    view = games.view()
    assert [len(row) for row in view] == [1, 1, 1]
    assert (view[1].observation == view.observation[1:2]).all()
    none = view[np.zeros(0, int)]
    assert len(none) == len(none.redeal(RNG(0))) == len(none.policy("random", RNG(0))) == 0
    guess = view[2].redeal(RNG(0))
    guess.step(guess.view().policy("random", RNG(0)))


@pytest.mark.parametrize(
    "answer", [None, [], [1, 2], "done", [[1], [2, 3]], 1.0, np.array([[]]), -1], ids=repr
)
def test_an_opponents_nonsense_ends_the_game_and_says_whose_it_was(answer):
    env = SkirmishEnv(side="heroes", opponent=lambda view, rng: answer)
    with pytest.raises(IllegalAction, match="the opponent's answer is no legal action") as refusal:
        env.reset(seed=0)
    assert "legal:" not in str(refusal.value)
    with pytest.raises(ResetNeeded):
        env.step(0)


def test_an_id_that_only_looks_drawn_is_an_ordinary_one():
    env = SkirmishEnv(side="villains", opponent="random")
    env.reset(seed=0)
    drawn = env.action_space.sample()
    wrong = type(drawn)(np.argmin(env.action_masks()))
    for action in (wrong, pickle.loads(pickle.dumps(wrong)), copy.deepcopy(wrong)):
        with pytest.raises(IllegalAction):
            env.step(action)
    env.step(copy.deepcopy(drawn))
