"""Ruling 50: no interface tells a player what is hidden from that player.

Twins are made in two ways: by `redeal`, and by exchanging hidden cards by hand (twins.py), so that
a hidden thing that `redeal` forgets would show.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from dataclasses import replace

import gymnasium
import numpy as np
import pytest

from skirmish_env import Table
from skirmish_env.aec import env as wrapped_env
from skirmish_env.aec import raw_env
from skirmish_env.batch import Batch
from skirmish_env.common.jit import PLAIN
from skirmish_env.game import NEW_YORK
from skirmish_env.gym_env import SkirmishEnv
from skirmish_env.new_york.actions import CARD_IDS
from skirmish_env.new_york.ids import ARTIFACT_IDS, QUESTIONS
from skirmish_env.testing.leaks import differences
from skirmish_env.testing.watched import watch
from tests.properties.twins import CARDS, FROM_HAND, SEATS, moments, twin_of, twin_start

KINDS = {words for words in QUESTIONS if words}
VIEWERS = (0, 1)
ONLY = np.zeros(1, np.int64)
AEC_SETTINGS = (
    {},
    {"render_mode": "ansi"},
    {"render_mode": "ansi", "render_viewer": "villains"},
    {"render_mode": "ansi", "render_viewer": "heroes", "shaping": 0.5},
    {"render_mode": "human"},
    {"render_mode": "human", "render_viewer": "heroes", "max_turns": 60},
    {"render_mode": "human", "render_viewer": "villains"},
)
GYM_SETTINGS = (
    {"opponent": "heuristic", "render_mode": "ansi"},
    {"opponent": "random", "shaping": 0.5},
    {"opponent": "expert", "side": "alternate", "max_turns": 60},
    {"opponent": lambda view, rng: int(np.flatnonzero(view.mask[0])[-1])},
)


# ---------------------------------------------------------------------------------------------
# One moment, held by each interface.


def as_table(moment, states, start):
    table = Table(states.copy(), CARDS, False, start)
    table._log = moment.table.log
    return watch(table)


def as_batch(states):
    batch = Batch(2, card_set=CARDS, skip_forced=bool(states["skip_forced"][0]))
    batch.states[:] = states
    return watch(batch)


many = pytest.mark.skipif(PLAIN, reason="thousands of observations: compiled code only")


@functools.cache
def unused(make, number):
    """An environment of every setting, made once."""
    settings = (GYM_SETTINGS if make is SkirmishEnv else AEC_SETTINGS)[number]
    made = watch(make(card_set=CARDS, **settings))
    made.begin(0)
    return made


def hold(table, states):
    """Let a raw environment go on from a record."""
    table._states[:] = states
    table.agents = list(table.possible_agents)
    table.skip_forced = bool(states["skip_forced"][0])
    table._go_on()


def as_aec(states, make, number):
    watched = unused(make, number).copy()
    watched._listened(lambda: hold(watched.made.unwrapped, states))
    return watched


def as_gym(states, viewer, number):
    watched = unused(SkirmishEnv, number).copy()
    env = watched.made
    hold(env._table, states)
    env._side, env._running = SEATS[viewer], env._table.agent_selection == SEATS[viewer]
    watched.done = any(env._table.terminations.values())
    watched.told = env._look()
    return watched


def same(one, other, viewer):
    """Assert that two watched environments show a viewer the same, and told the same before."""
    told = [getattr(watched, "told", None) for watched in (one, other)]
    first, second = (watched.shown(SEATS[viewer]) for watched in (one, other))
    first["told"], second["told"] = told
    found = [field for field, *_ in differences(first, second)]
    assert not found, f"{SEATS[viewer]} can tell twins apart by {found[:4]}"


def pairs(moment, one, other, viewer, n):
    """A moment and its twin in every interface, by the interface's name."""
    rng = np.random.default_rng(n)
    starts = moment.table._start, twin_start(moment, viewer, rng)
    both = one, other
    yield "Table", [as_table(moment, s, start) for s, start in zip(both, starts)]
    yield "Batch", [as_batch(s) for s in both]
    yield "raw", [as_aec(s, raw_env, n % len(AEC_SETTINGS)) for s in both]
    yield "wrapped", [as_aec(s, wrapped_env, (n + 3) % len(AEC_SETTINGS)) for s in both]
    if one["asked"][0] in (viewer, -1):
        yield "Gymnasium", [as_gym(s, viewer, n % len(GYM_SETTINGS)) for s in both]


def redealt(states, viewer, seed):
    twin = states.copy()
    seats, seeds = np.array([viewer]), np.array([seed])
    NEW_YORK.kernels.redeal(twin, CARDS.record, ONLY, ONLY, seats, seeds)
    return twin


def prepared(moment, n):
    """The moment; every other one that may skips forced questions."""
    table = moment.table.clone()
    table._states["skip_forced"] = n % 2 and len(table.legal()) != 1
    return replace(moment, table=table)


@many
def test_no_interface_tells_twins_apart():
    """Every kind of question, seen by who decides and by who waits, in every interface."""
    seen, skipping = Counter(), Counter()
    for n, (moment, viewer) in enumerate(itertools.product(moments(), VIEWERS)):
        moment = prepared(moment, n // 2)
        states = moment.record
        role = "decides" if states["asked"][0] == viewer else "waits"
        rng = np.random.default_rng(n)
        for name, (one, twin) in pairs(moment, states, twin_of(moment, viewer, rng), viewer, n):
            same(one, twin, viewer)
            seen[moment.table.question, role, name] += 1
            skipping[name, bool(states["skip_forced"][0])] += 1
        same(as_batch(states), as_batch(redealt(states, viewer, n)), viewer)
    interfaces = ("Table", "Batch", "raw", "wrapped")
    expected = set(itertools.product(KINDS, ("decides", "waits"), interfaces))
    expected |= {(None, "waits", name) for name in (*interfaces, "Gymnasium")}  # the end
    expected |= {(kind, "decides", "Gymnasium") for kind in KINDS}
    assert set(seen) == expected
    assert set(skipping) == set(itertools.product((*interfaces, "Gymnasium"), (False, True)))


@many
def test_twins_stay_the_same_after_the_same_answer():
    """Unless the answer tells something: then what both may know differs too."""
    compared = Counter()
    for n, (moment, viewer) in enumerate(itertools.product(moments(), VIEWERS)):
        decides = moment.table.to_move == SEATS[viewer]
        if not moment.table.legal() or (not decides and moment.table.question in FROM_HAND):
            continue
        states = moment.record
        other = twin_of(moment, viewer, np.random.default_rng(n))
        one, twin = (as_aec(s, raw_env, n % len(AEC_SETTINGS)) for s in (states, other))
        action = one.any_legal(np.random.default_rng(n))
        assert twin.is_legal(action)
        one.told, twin.told = one.take(action), twin.take(action)
        if one.knowledge(SEATS[viewer]) == twin.knowledge(SEATS[viewer]):
            same(one, twin, viewer)
            compared[decides] += 1
    assert compared[True] > 60
    assert compared[False] > 30


# ---------------------------------------------------------------------------------------------
# What both know, by three independent accounts.


def expected_words(moment, viewer):
    """What a position shows of half-hidden lists, from what was noted down."""
    g, other = moment.record[0], 1 - viewer
    held = [CARD_IDS[c] for c in sorted(moment.seen_battlegrounds) if g["hand"][other, c]]
    if moment.open_card is not None and moment.table.to_move == SEATS[other]:
        name = CARD_IDS[moment.open_card]
        held = sorted({*held, name}, key=CARD_IDS.index)
    stack = [int(c) for c in g["stack"][: g["stack_size"]]]
    tiles = [int(t) for t in g["tiles"][: g["tiles_size"]]]
    return {
        "hand": held + ["?"] * (int(g["hand_size"][other]) - len(held)),
        "battlegrounds": [CARD_IDS[c] if c in moment.seen_battlegrounds else "?" for c in stack],
        "artifact_stack": [ARTIFACT_IDS[t] if t in moment.seen_tiles else "?" for t in tiles],
    }


def spelt_out(words):
    return ["?"] * words if isinstance(words, int) else words


def test_positions_show_what_was_seen_and_no_more():
    known = Counter()
    running = [moment for moment in moments() if moment.table.winner is None]
    for moment, viewer in itertools.product(running, VIEWERS):
        position = moment.table.position(SEATS[viewer])
        found = {key: position[key] for key in ("battlegrounds", "artifact_stack")}
        found["hand"] = position[SEATS[1 - viewer]]["hand"]
        expected = expected_words(moment, viewer)
        assert {key: spelt_out(words) for key, words in found.items()} == expected
        known.update(key for key, words in expected.items() if {*words} - {"?"})
    assert min(known[key] for key in ("hand", "battlegrounds", "artifact_stack")) > 20


def test_a_battleground_that_wins_the_game_stays_in_sight():
    """Whatever is played is open to both, at the end too."""
    t = Table.from_position({
        "victory": 8,
        "villains": {"hand": ["financial_district", "zola_1", "loki_1", "ares_1", "ares_2"],
                     "slots": [None, "hydra_agents_yellow", None, None, None, None]},
    })  # fmt: skip
    t.play("play financial_district")
    while t.winner is None:
        assert "financial_district" in t.position("heroes")["villains"]["hand"]
        t.play(t.legal()[0])
    assert t.winner == "villains"
    assert "financial_district" in spelt_out(t.position("heroes")["villains"]["hand"])


def test_known_agrees_with_twins_by_hand():
    """`known` is equal for twins, and for the other player it is not."""
    told_apart = 0
    for n, (moment, viewer) in enumerate(itertools.product(moments(), VIEWERS)):
        states = moment.record
        twin = twin_of(moment, viewer, np.random.default_rng(n))
        known = NEW_YORK.proof.known
        assert known(states, 0, viewer) == known(twin, 0, viewer)
        told_apart += known(states, 0, 1 - viewer) != known(twin, 0, 1 - viewer)
    assert told_apart > 100


CELLS = ("rng", "hand", "deck", "stack", "tiles")


def changed(states, twins):
    """The entries of a record that differ in any of its twins."""
    found = set()
    for field in states.dtype.names:
        differs = (twins[field] != states[field]).reshape(len(twins), -1).any(axis=0)
        found |= {(field, int(n)) for n in np.flatnonzero(differs)}
    return {cell for cell in found if cell[0] not in ("options", "option_count")}


@many
@pytest.mark.parametrize("viewer", VIEWERS)
def test_redeal_changes_all_that_is_hidden_and_nothing_else(viewer):
    """Each entry that changes when cards are exchanged by hand changes in some redeal."""
    for n, moment in enumerate(m for m in moments()[::5] if m.table.to_move == SEATS[viewer]):
        states = moment.record
        rng = np.random.default_rng(n)
        by_hand = np.concatenate([twin_of(moment, viewer, rng) for _ in range(150)])
        guesses = np.repeat(states, 600)
        games = np.arange(len(guesses))
        NEW_YORK.kernels.redeal(
            guesses, CARDS.record, 0 * games, games, np.full(len(games), viewer), games
        )
        assert changed(states, by_hand[:30]) <= changed(states, guesses)
        assert changed(states, guesses[:60]) <= changed(states, by_hand)
        assert {field for field, _ in changed(states, guesses)} <= set(CELLS)
    assert n > 5


def test_a_seeded_game_starts_the_same_for_who_cannot_know_the_seed():
    """Right after a reset: nothing but the own hand tells two deals apart."""
    env = gymnasium.make("skirmish_env/Skirmish-v0", side="villains")
    first, info = env.reset(seed=3)
    record = env.unwrapped._table._states.copy()
    for seed in range(5):
        twin = redealt(record, 0, seed)
        position = NEW_YORK.describe(twin, 0, CARDS)
        again, told = env.reset(seed=seed, options={"position": position})
        assert not list(differences((first, info), (again, told)))
