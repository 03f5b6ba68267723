"""What comes out of an adapter is the caller's own.

Every public name of every adapter is listed: what it hands out is neither changed later by the
adapter, nor a way to change anything inside.
"""

from __future__ import annotations

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo import AECEnv

from skirmish_env import Table, skirmish_v0
from skirmish_env.batch import Batch
from skirmish_env.gym_env import LegalDiscrete, SkirmishEnv
from skirmish_env.views import View
from tests.api.helpers import (
    AGENTS,
    draw_legal,
    ids,
    is_over,
    legal,
    pick,
    snapshot,
    winning_attack,
)
from tests.api.moments import moments

RNG = np.random.default_rng

# Names that hand out nothing that could be written into.
ACTS = {
    "AECEnv": {"reset", "step", "close", "agent_iter", "choose"},
    "Env": {"reset", "step", "close"},
    "Batch": {"check", "deal", "step", "stride", "redeal", "unpack", "players"},
    "Table": {"new", "from_position", "play", "from_bytes", "replay", "save"},
    "View": set(),
}

# Settings, and parts that are public so that they can be replaced or written into.
OPEN = {
    "AECEnv": {
        "game", "shaping", "skip_forced", "max_turns", "render_mode", "render_viewer", "metadata",
        "np_random", "unwrapped", "observation_spaces", "action_spaces", "state_space",
        "observation_space", "action_space",
    },
    "Env": {
        "game", "shaping", "render_mode", "metadata", "np_random", "np_random_seed", "unwrapped",
        "opponent", "observation_space", "action_space", "spec", "get_wrapper_attr",
        "set_wrapper_attr", "has_wrapper_attr",
    },
    "Batch": {"game", "skip_forced", "states", "card_set", "card_sets"},
    "Table": {"card_set"},
    "View": set(),
}  # fmt: skip

# PettingZoo's wrappers write into these books of the environment, so they are not copies; but the
# environment makes them anew and never changes one that it has shown.
BOOKS = ("possible_agents", "agents", "rewards", "terminations", "truncations", "infos")

AEC_READS = {
    "last": lambda env: env.last(),
    "observe": lambda env: [env.observe(agent) for agent in AGENTS],
    "mask": lambda env: [env.mask(agent) for agent in AGENTS],
    "state": lambda env: env.state(),
    "position": lambda env: [env.position(who) for who in (None, *AGENTS, "all")],
    "text": lambda env: env.text(),
    "render": lambda env: env.render(),
    "view": lambda env: [seen(env.view(agent)) for agent in AGENTS],
    "marker": lambda env: env.marker,
    "agent_selection": lambda env: env.agent_selection,
    "num_agents": lambda env: env.num_agents,
    "max_num_agents": lambda env: env.max_num_agents,
    **{name: lambda env, name=name: getattr(env, name) for name in BOOKS},
}
GYM_READS = {
    "side": lambda env: env.side,
    "action_masks": lambda env: env.action_masks(),
    "position": lambda env: env.position(),
    "render": lambda env: env.render(),
}
BATCH_READS = {
    **{
        name: lambda games, name=name: getattr(games, name)
        for name in (
            "seat over rewards winner ending turns marker decisions set_of_game".split()
        )
    },
    **{
        name: lambda games, name=name: getattr(games, name)()
        for name in ("observe", "masks", "full")
    },
    "view": lambda games: [seen(games.view()), seen(games.view()[:2]), seen(games.view([0, 2]))],
    "copy": lambda games: [games.copy().states, games.copy([1, 1]).states],
    "playout": lambda games: games.copy().playout(np.arange(len(games))),
    "pack": lambda games: [games.pack(i) for i in range(len(games))],
}
TABLE_READS = {
    **{
        name: lambda table, name=name: getattr(table, name)
        for name in "to_move question question_source winner ending log states".split()
    },
    "legal": lambda table: table.legal(),
    "position": lambda table: [table.position(viewer) for viewer in (None, *AGENTS)],
    "text": lambda table: table.text(),
    "to_bytes": lambda table: table.to_bytes(),
    "replay_data": lambda table: [table.replay_data(viewer) for viewer in (None, *AGENTS)],
    "clone": lambda table: [table.clone().legal(), table.clone().log, table.clone().states],
}
READS = {"AECEnv": AEC_READS, "Env": GYM_READS, "Batch": BATCH_READS, "Table": TABLE_READS}


def seen(view: View) -> list[np.ndarray]:
    return [view.observation, view.mask, view.viewer]


def scribble(value: Any) -> None:
    """Write into everything that can be written into."""
    if isinstance(value, np.ndarray):
        value.view(np.uint8)[...] = 77
    elif isinstance(value, dict):
        for inner in value.values():
            scribble(inner)
        value.clear()
    elif isinstance(value, (list, tuple)):
        for inner in value:
            scribble(inner)
        if isinstance(value, list):
            value.clear()


def same(one: Any, other: Any) -> bool:
    """Whether two values are alike, arrays by their bytes."""
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.tobytes() == other.tobytes()
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def aec():
    middle = next(moment for moment in moments() if moment.question == "give up card")
    env = skirmish_v0.raw_env(render_mode="ansi")
    env.reset(seed=middle.seed)
    for action in middle.actions:
        env.step(action)
    return env


def gym():
    env = SkirmishEnv(opponent="random", render_mode="ansi", max_turns=6)
    _, info = env.reset(seed=1)
    for _ in range(6):
        *_, info = env.step(legal(info["action_mask"])[0])
    return env


def batch():
    games = Batch(3)
    games.deal([5, 6, 7])
    for number in range(12):
        games.step(*draw_legal(games, RNG(number)))
    return games


def table():
    played = Table.new(433, skip_forced=True)
    for number in range(15):
        played.play(played.legal()[number % len(played.legal())])
    return played


MAKERS = {"AECEnv": aec, "Env": gym, "Batch": batch, "Table": table}


def play_on(one):
    """Play some way on, so that whatever is shared must show it."""
    if isinstance(one, AECEnv):
        while not is_over(one):
            one.step(one.choose("random", RNG(0)))
        while one.agents:
            one.step(None)
    elif isinstance(one, gymnasium.Env):
        over = False
        while not over:
            one.step(pick(one.action_masks(), RNG(0)))
            over = not one.action_masks().any()
    elif isinstance(one, Batch):
        for number in range(20):
            one.step(*draw_legal(one, RNG(number)))
    else:
        for _ in range(20):
            one.play(one.legal()[-1])


def inside(one):
    """Everything that decides how things go on."""
    if isinstance(one, AECEnv):
        return snapshot(one)
    if isinstance(one, gymnasium.Env):
        return snapshot(one._table), one.action_masks().tobytes()
    if isinstance(one, Batch):
        return one.states.tobytes()
    return one.to_bytes(), one.log, one.replay_data()


def cases(reads):
    return [pytest.param(kind, name, id=f"{kind}-{name}") for kind in reads for name in reads[kind]]


def public(one: Any) -> set[str]:
    """Public names of an object, those of its instance included."""
    return {name for name in dir(one) if not name.startswith("_")}


@pytest.mark.parametrize("kind", READS)
def test_every_public_name_is_listed(kind):
    listed = READS[kind].keys() | ACTS[kind] | OPEN[kind]
    assert public(MAKERS[kind]()) == listed


def test_a_view_has_no_other_public_names():
    assert public(batch().view()) == {"observation", "mask", "viewer", "redeal", "policy"}


@pytest.mark.parametrize(("kind", "name"), cases(READS))
def test_what_was_handed_out_is_not_changed_later(kind, name):
    one = MAKERS[kind]()
    handed = READS[kind][name](one)
    kept = copy.deepcopy(handed)
    play_on(one)
    assert same(handed, kept)


@pytest.mark.parametrize(
    ("kind", "name"), [case for case in cases(READS) if case.values[1] not in BOOKS]
)
def test_writing_into_what_was_handed_out_changes_nothing(kind, name):
    one = MAKERS[kind]()
    before = inside(one)
    kept = copy.deepcopy(READS[kind][name](one))
    for _ in range(2):
        scribble(READS[kind][name](one))
        assert inside(one) == before
        assert same(READS[kind][name](one), kept)


@pytest.mark.parametrize("name", BOOKS)
def test_books_shown_at_the_end_stay_as_the_agents_leave(name):
    env = skirmish_v0.raw_env(shaping=0.1)
    env.reset(options={"position": winning_attack()})
    env.step(*ids("done"))
    shown = getattr(env, name)
    kept = copy.deepcopy(shown)
    assert len(kept) == len(AGENTS)
    env.step(None)
    between = getattr(env, name)
    kept_between = copy.deepcopy(between)
    env.step(None)
    assert (shown, between) == (kept, kept_between)


@pytest.mark.parametrize("name", ["rewards", "infos", "possible_agents"])
def test_what_is_written_into_the_books_is_gone_after_the_next_step(name):
    env, twin = aec(), aec()
    for _ in range(3):
        scribble(getattr(env, name))
        if name != "possible_agents":
            setattr(env, name, dict.fromkeys(AGENTS, 5))
        action = legal(env.mask(env.agent_selection))[0]
        env.step(action)
        twin.step(action)
        assert snapshot(env) == snapshot(twin)
    env.reset(seed=1)
    twin.reset(seed=1)
    assert snapshot(env) == snapshot(twin)


def test_an_info_written_into_does_not_come_back():
    env = skirmish_v0.env()
    env.reset(seed=1)
    env.last()[4]["mine"] = 1
    env.step(legal(env.last()[0]["action_mask"])[0])
    assert env.infos == {"villains": {}, "heroes": {}}


# -- Steps, spaces, views, settings ---------------------------------------------------------------


def test_steps_of_the_gymnasium_environment():
    env, twin = gym(), gym()
    over, kept = False, []
    while not over:
        action = pick(env.action_masks(), RNG(1))
        step, other = env.step(action), twin.step(action)
        assert same(step, other)
        kept.append((other, copy.deepcopy(other)))
        scribble(step)
        assert inside(env) == inside(twin)
        over = other[2] or other[3]
    assert all(same(*pair) for pair in kept)


def test_samples_of_the_spaces():
    env = aec()
    before = snapshot(env)
    for agent in AGENTS:
        sample = env.observation_space(agent).sample()
        kept = copy.deepcopy(sample)
        env.observation_space(agent).sample()
        assert same(sample, kept)
        scribble(sample)
    scribble(env.state_space.sample())
    assert snapshot(env) == before


def test_the_legal_ids_of_the_gymnasium_space():
    env = gym()
    before = env.action_masks()
    assert isinstance(env.action_space, LegalDiscrete)
    held = env.action_space.legal
    assert held.tolist() == legal(before)
    held[:] = 0
    assert env.action_space.legal.tolist() == legal(before)
    assert (env.action_masks() == before).all()


def test_views_keep_their_moment_whatever_happens():
    games = batch()
    view, part = games.view(), games.view()[1:]
    wanted = view.policy("heuristic", RNG(3)), part.redeal(RNG(4)).states.tobytes()
    for one in (view, part):
        scribble(seen(one))
    play_on(games)
    assert (view.policy("heuristic", RNG(3)) == wanted[0]).all()
    guess = part.redeal(RNG(4))
    assert guess.states.tobytes() == wanted[1]
    play_on(guess)
    assert part.redeal(RNG(4)).states.tobytes() == wanted[1]


def test_what_was_handed_in_stays_the_callers_own():
    rules = {"villains_opening_hand": 4}
    where = aec().position("all")
    kept = copy.deepcopy(where)
    env = skirmish_v0.raw_env(rules=rules)
    options = {"position": where}
    env.reset(seed=1, options=options)
    play_on(env)
    assert where == kept
    assert options.keys() == {"position"}
    rules["villains_opening_hand"] = 6
    env.reset(seed=1, options={"card_set": "in_new_york"})
    assert len(env.position("villains")["villains"]["hand"]) == 4


def test_actions_and_seeds_handed_in_are_left_alone():
    games = batch()
    seeds, index = np.arange(3), np.array([2, 0])
    games.deal(seeds)
    actions = games.masks(index).argmax(1)
    kept = actions.copy()
    games.step(actions, index)
    assert (seeds == np.arange(3)).all()
    assert (index == [2, 0]).all()
    assert (actions == kept).all()


def test_two_environments_share_nothing():
    one, other = skirmish_v0.env(), skirmish_v0.env()
    one.reset(seed=1)
    other.reset(seed=1)
    before = snapshot(other)
    while not is_over(one):
        one.step(pick(one.observe(one.agent_selection)["action_mask"], RNG(0)))
    one.reset()
    assert snapshot(other) == before
