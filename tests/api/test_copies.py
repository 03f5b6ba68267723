"""Copies taken at every kind of question: equal to the end, and independent of each other."""

from __future__ import annotations

import copy
import pickle

import gymnasium
import numpy as np
import pytest

from skirmish_env import Table, action_to_move, skirmish_v0
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK
from skirmish_env.gym_env import SkirmishEnv
from tests.api.helpers import AGENTS, draw_legal, is_over, legal, pick, snapshot
from tests.api.moments import moments

QUESTIONS = NEW_YORK.questions[1:]
CAP = 3  # turns that most games still have from their moment on; the others end by themselves
COPIES = {"deepcopy": copy.deepcopy, "pickle": lambda one: pickle.loads(pickle.dumps(one))}


@pytest.fixture(params=QUESTIONS)
def moment(request):
    return moments()[QUESTIONS.index(request.param)]


@pytest.fixture
def turn(moment):
    """Choose one thing after the other, from moment to moment."""
    return lambda *choices: choices[QUESTIONS.index(moment.question) % len(choices)]


@pytest.fixture
def settings(moment, turn):
    cap = int(moment.record["turn"][0]) + CAP
    return {"shaping": 0.1, "max_turns": turn(cap, cap, cap, None)}


def test_there_is_a_moment_for_every_kind_of_question():
    assert tuple(moment.question for moment in moments()) == QUESTIONS
    assert sum(int(moment.record["depth"][0]) > 0 for moment in moments()) == len(QUESTIONS) - 4


# -- The AEC environment --------------------------------------------------------------------------


def aec(moment, make, settings):
    """An environment at a moment, with its spaces' generators somewhere on their way."""
    env = make(**settings)
    env.reset(seed=moment.seed, options=moment.options)
    for action in moment.actions:
        env.step(action)
    for number, agent in enumerate(AGENTS):
        env.action_space(agent).seed(number)
        env.action_space(agent).sample()
    return env


def whole(env):
    """What an AEC environment shows, and the generators of its spaces."""
    generators = [env.action_space(agent).np_random.bit_generator.state for agent in AGENTS]
    return {**snapshot(env), "spaces": generators}


def books(env):
    """What changes from step to step; all else is read off the record."""
    return (
        env.unwrapped._states.tobytes(), env.agent_selection, env.rewards, env._cumulative_rewards,
        env.terminations, env.truncations, env.infos,
    )  # fmt: skip


def finish(*envs):
    """Feed environments the same drawn actions to the end, comparing all the way."""
    rng = np.random.default_rng(5)
    while not is_over(envs[0]):
        action = pick(envs[0].unwrapped.mask(envs[0].agent_selection), rng)
        for env in envs:
            env.step(action)
        assert all(books(env) == books(envs[0]) for env in envs)
    assert all(whole(env) == whole(envs[0]) for env in envs)
    for env in envs:
        while env.agents:
            env.step(None)
        env.reset()
    assert all(whole(env) == whole(envs[0]) for env in envs)


def test_copies_of_the_aec_environment(moment, turn, settings):
    env = aec(moment, turn(skirmish_v0.env, skirmish_v0.raw_env), settings)
    before = whole(env)
    twins = [copied(env) for copied in COPIES.values()]
    stray = turn(*COPIES.values())(env)
    for twin in twins:
        assert type(twin) is type(env)
        assert twin.unwrapped is not env.unwrapped
        assert whole(twin) == before
    stray.unwrapped.np_random.random()
    stray.action_space(moment.agent).sample()
    stray.step(legal(stray.last()[0]["action_mask"])[-1])
    assert whole(env) == whole(twins[0]) == whole(twins[1]) == before
    env.step(legal(env.last()[0]["action_mask"])[0])
    assert env.unwrapped._states.tobytes() != stray.unwrapped._states.tobytes()
    assert whole(twins[0]) == whole(twins[1]) == before
    for twin in twins:
        twin.step(legal(twin.last()[0]["action_mask"])[0])
    finish(env, *twins)


# -- The Gymnasium environment --------------------------------------------------------------------


class Walking:
    """An opponent with a memory: takes the first, second, ... legal action in turn."""

    def __init__(self):
        self.steps = 0

    def act(self, view, rng):
        self.steps += 1
        options = legal(view.mask[0])
        return options[(self.steps + rng.integers(2)) % len(options)]


def bare(**settings):
    return SkirmishEnv(**settings)


def made(**settings):
    return gymnasium.make("skirmish_env/Skirmish-v0", **settings)


def gym(moment, make, settings):
    """A Gymnasium environment whose learner is asked at a moment."""
    env = make(opponent=Walking(), side=moment.agent, **settings)
    env.action_space.seed(3)
    env.reset(seed=moment.seed)
    raw = env.unwrapped
    raw._table._states[:] = moment.record
    raw._table.agent_selection = moment.agent
    raw.action_space.allow(np.flatnonzero(raw._table.mask(moment.agent)))
    return env


def shown(env):
    """What a Gymnasium environment holds and tells."""
    raw = env.unwrapped
    return (
        snapshot(raw._table),
        raw.side,
        raw.position(),
        raw.action_masks().tobytes(),
        raw.action_space.legal.tobytes(),
        raw.action_space.np_random.bit_generator.state,
        raw._opponent_rng.bit_generator.state,
        raw.opponent.steps,
        raw.np_random.bit_generator.state,
    )


def flat(step):
    *rest, info = step
    observation = rest.pop(0)
    mask = info["action_mask"]
    return observation.tobytes(), mask.tobytes(), rest, {**info, "action_mask": None}


def test_copies_of_the_gymnasium_environment(moment, turn, settings):
    env = gym(moment, turn(bare, made), settings)
    before = shown(env)
    stray, twin = (copied(env) for copied in turn(list, reversed)(list(COPIES.values())))
    assert shown(stray) == shown(twin) == before
    rest = legal(env.unwrapped.action_masks())
    stray.unwrapped.np_random.random()
    stray.action_space.sample()
    stray.step(rest[-1])
    assert shown(env) == shown(twin) == before
    step = env.step(rest[0])
    assert shown(stray)[0]["record"] != shown(env)[0]["record"]
    assert shown(twin) == before
    assert flat(twin.step(rest[0])) == flat(step)
    while not (step[2] or step[3]):
        action = int(env.action_space.sample())
        assert int(twin.action_space.sample()) == action
        step = env.step(action)
        assert flat(step) == flat(twin.step(action))
    assert shown(twin) == shown(env)
    assert flat(env.reset()) == flat(twin.reset())
    assert shown(twin) == shown(env)


# -- The table ------------------------------------------------------------------------------------

TABLE_COPIES = {
    "clone": Table.clone,
    "copy": copy.copy,
    **COPIES,
    "bytes": lambda table: Table.from_bytes(table.to_bytes(), skip_forced=True),
}


def table(moment):
    if moment.options is None:
        dealt = Table.new(moment.seed, skip_forced=True)
    else:
        dealt = Table.from_position(moment.options["position"], moment.seed, skip_forced=True)
    return dealt.play(*map(action_to_move, moment.actions))


def laid(table):
    """What a table shows; its log, and so its replay, does not go through bytes."""
    return (
        table.states.tobytes(),
        table.to_bytes(),
        table.to_move,
        table.question,
        table.question_source,
        table.legal(),
        table.position(),
        table.winner,
        table.ending,
        str(table),
        table.card_set.rules,
    )


def test_copies_of_the_table(moment, turn):
    original = table(moment)
    assert original.question == moment.question
    before, log, replay = laid(original), original.log, original.replay_data()
    twins = {name: copied(original) for name, copied in TABLE_COPIES.items()}
    for number, (name, twin) in enumerate(twins.items()):
        assert laid(twin) == before
        assert twin.log == ([] if name == "bytes" else log)
        if name != "bytes":
            assert twin.replay_data() == replay
        twin.play(original.legal()[number % len(original.legal())])
    assert (laid(original), original.log, original.replay_data()) == (before, log, replay)
    name = turn(*TABLE_COPIES)
    twin, rng = TABLE_COPIES[name](original), np.random.default_rng(5)
    while original.winner is None:
        move = str(rng.choice(original.legal()))
        assert original.play(move).states.tobytes() == twin.play(move).states.tobytes()
    assert laid(twin) == laid(original)
    assert twin.log == original.log[0 if name != "bytes" else len(log) :]


# -- The batch ------------------------------------------------------------------------------------


def batch():
    """All the moments side by side."""
    games = Batch(len(QUESTIONS))
    games.states[:] = np.concatenate([moment.record for moment in moments()])
    return games


def held(games):
    """What a batch holds and tells."""
    told = (
        games.seat, games.over, games.rewards, games.winner, games.ending, games.turns,
        games.marker, games.decisions, games.observe(), games.masks(), games.full(),
    )  # fmt: skip
    return games.states.tobytes(), *(np.asarray(one).tobytes() for one in told)


def first_legal(games, live, last=False):
    masks = games.masks(live)
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(1) if last else masks.argmax(1)


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_copies_of_a_batch_at_every_kind_of_question(copied):
    games = batch()
    before = held(games)
    twin, other = copied(games), copied(games)
    assert held(twin) == held(other) == before
    live = np.arange(len(games))
    games.step(first_legal(games, live), live)
    assert held(twin) == before
    other.step(first_legal(other, live, last=True), live)
    assert (games.states != other.states).all()
    twin.step(first_legal(twin, live), live)
    assert held(twin) == held(games)
    rng, few = np.random.default_rng(2), np.arange(len(games)) % 4 == 0
    while not games.over[few].all():
        actions, live = draw_legal(games, rng)
        for one in (games, twin):
            one.step(actions[few[live]], live[few[live]])
        assert games.states.tobytes() == twin.states.tobytes()
    assert held(twin) == held(games)
    for one in (games, twin):
        one.deal(np.arange(len(one)))
    assert held(twin) == held(games)
