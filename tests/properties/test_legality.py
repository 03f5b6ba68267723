"""The mask against brute force: what is outside is refused, what is inside moves the game."""

from __future__ import annotations

import functools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest

from skirmish_env import IllegalAction, Table, action_to_move, skirmish_v0
from skirmish_env.batch import Batch
from skirmish_env.common.jit import PLAIN
from skirmish_env.new_york import ids, notation, rules
from skirmish_env.new_york.cards import load
from skirmish_env.new_york.observation import LAYOUT, SIZE
from skirmish_env.new_york.state import STATE
from skirmish_env.new_york.table import BYTES_TAG
from skirmish_env.testing import problems
from tests.api import helpers
from tests.rulebook.helpers import side, table

CARDS = load()
ONE_SET = np.zeros(1, np.int64)
KINDS = frozenset(ids.QUESTIONS[1:])
OUT_OF_RANGE = (-1, ids.ACTIONS, -ids.ACTIONS, 2**31 - 1)
GAMES = 6 if PLAIN else 60
RARE_GAMES = 2 if PLAIN else 4  # from each position
OF_A_KIND = 2 if PLAIN else 12  # records kept of each kind of question
WHOLE_GAMES = 1 if PLAIN else 6

either_skip = pytest.mark.parametrize("skip_forced", [0, 1])
few_or_many = pytest.mark.parametrize("times", [1, pytest.param(10, marks=pytest.mark.slow)])


# -- Records of every kind ------------------------------------------------------------------------

RARE = (
    dict(  # the Eye takes one of three artifacts
        villains=side(hand=["hydra_agents_blue"], artifacts=["eye_of_agamotto"]),
        heroes=side(hand=["thor_1"], artifacts=["darkhold", "norn_stones", "tactigon"]),
    ),
    dict(  # a replacement wakes Warlock's Eye, M.O.D.O.K. leads, Taskmaster attacks twice
        villains=side(
            hand=["zola_1", "zola_2", "leader_1"],
            slots={1: "zola_1:1", 2: "modok_1", 3: "taskmaster_2"},
            artifacts=["warlocks_eye", "norn_stones"],
        ),
        heroes=side(hand=["thor_1", "hulk_1"], slots={3: "hulk_2"}),
    ),
    dict(  # villains that bring villains, Loki before a hero who will fall
        villains=side(
            hand=["hydra_agents_green", "hydra_agents_blue", "ares_1", "zola_1", "kang_1"],
            discard=["leader_1", "ares_1", "modok_1"],
            slots={1: "loki_1", 2: "kang_2"},
        ),
        heroes=side(hand=["thor_1", "hulk_1"], slots={1: "nick_fury_1:2"}),
    ),
    dict(  # healing of one, of each, of a choice
        villains=side(
            slots={1: "zola_2:1", 2: "ares_2:2", 3: "modok_2:2"},
            hand=["hydra_agents_yellow"],
            artifacts=["lifeline_tablet"],
        ),
        heroes=side(hand=["thor_1"], slots={6: "hulk_2:1"}),
    ),
    dict(
        villains=side(slots={1: "zola_1:1", 2: "leader_1:1"}, hand=["hydra_agents_yellow"]),
        heroes=side(hand=["thor_1"]),
    ),
    dict(  # heroes that bring heroes, damage that moves, an answer to each defeat
        to_move="heroes",
        heroes=side(
            hand=["iron_man_2", "thor_1", "hawkeye_2", "black_panther_2"],
            slots={2: "iron_man_1:1", 4: "nick_fury_1:1", 5: "thor_2", 6: "black_panther_1"},
            artifacts=["ebony_blade"],
        ),
        villains=side(
            hand=["thanos_1"],
            slots={1: "ares_2", 2: "hydra_agents_blue", 3: "leader_1:2"},
            artifacts=["eternal_flame"],
        ),
    ),
)


def starts(skip_forced: int, games: int) -> Iterator[np.ndarray]:
    """Positions that lead to rare questions, then dealt games."""
    for words in RARE * RARE_GAMES:
        states = notation.build(table(**words).position(), CARDS)
        states["skip_forced"] = skip_forced
        rules.start(states, 0, CARDS.record, ONE_SET)
        yield states
    for seed in range(games):
        states = np.zeros(1, STATE)
        rules.new_game(states, 0, CARDS.record, ONE_SET, seed, skip_forced)
        yield states


def options(states: np.ndarray) -> list[int]:
    return states[0].options[: states[0].option_count].tolist()


def step(states: np.ndarray, action: int) -> None:
    rules.step(states, 0, CARDS.record, ONE_SET, action)


def one_of_each(states: np.ndarray, rng: random.Random) -> dict[int, np.ndarray]:
    """Play to the end; of each kind of question one record, drawn from all that were met."""
    chosen: dict[int, np.ndarray] = {}
    met: Counter[int] = Counter()
    while states[0].phase != ids.OVER:
        kind = int(states[0].question)
        met[kind] += 1
        if rng.random() < 1 / met[kind]:
            chosen[kind] = states.copy()
        choices = options(states)
        step(states, min(rng.choice(choices), rng.choice(choices)))
    return chosen


@functools.cache
def records(skip_forced: int, times: int = 1) -> tuple[np.ndarray, ...]:
    """Records met in random play: of each kind of question the same number, one from each game."""
    kept: list[np.ndarray] = []
    count: Counter[int] = Counter()
    for number, states in enumerate(starts(skip_forced, GAMES * times)):
        for kind, met in one_of_each(states, random.Random(number)).items():
            count[kind] += 1
            if count[kind] <= OF_A_KIND * times:
                kept.append(met)
    return tuple(kept)


def one_of_a_kind(skip_forced: int) -> list[np.ndarray]:
    return list({int(states[0].question): states for states in records(skip_forced)}.values())


def outside(states: np.ndarray) -> list[int]:
    return sorted(set(range(ids.ACTIONS)) - set(options(states)))


def as_table(states: np.ndarray) -> Table:
    skip_forced = bool(states[0].skip_forced)
    return Table.from_bytes(BYTES_TAG + states.tobytes(), skip_forced, CARDS)


def as_batch(states: np.ndarray, size: int = 1) -> Batch:
    games = Batch(size, card_set=CARDS, skip_forced=bool(states[0].skip_forced))
    games.states[:] = states
    return games


@either_skip
def test_every_kind_of_question_is_met(skip_forced):
    met = {ids.QUESTIONS[states[0].question] for states in records(skip_forced)}
    assert met == KINDS


# -- Outside the mask -----------------------------------------------------------------------------


@few_or_many
@either_skip
def test_the_door_refuses_all_other_actions(skip_forced, times):
    for states in records(skip_forced, times):
        before = states.tobytes()
        for action in (*outside(states), *OUT_OF_RANGE):
            with pytest.raises(ValueError, match="illegal action"):
                step(states, action)
            assert states.tobytes() == before, action


@either_skip
def test_a_table_refuses_all_other_moves(skip_forced):
    for states in one_of_a_kind(skip_forced):
        game = as_table(states)
        before, legal = game.to_bytes(), game.legal()
        for action in outside(states):
            with pytest.raises(IllegalAction):
                game.play(action_to_move(action))
        late = legal[0], "no such move", action_to_move(outside(states)[0])
        with pytest.raises(IllegalAction):
            game.play(*late)
        assert game.to_bytes() == before
        assert game.log == []


@either_skip
def test_a_batch_refuses_all_other_actions(skip_forced):
    """One refused action holds all games back."""
    for states in one_of_a_kind(skip_forced):
        games = as_batch(states, 2)
        before = games.states.tobytes()
        for action in (*outside(states), *OUT_OF_RANGE):
            with pytest.raises(IllegalAction):
                games.step([options(states)[0], action])
            assert games.states.tobytes() == before, action


@either_skip
def test_the_environment_refuses_all_other_actions(skip_forced):
    env = skirmish_v0.env(skip_forced=bool(skip_forced))
    env.reset(seed=5)
    rng = np.random.default_rng(5)
    for number, agent in enumerate(helpers.decisions(env, rng)):
        if number % 40 == 0:
            before = helpers.snapshot(env)
            for action in (*outside(env.unwrapped._states), *OUT_OF_RANGE, 0.5, "no"):
                with pytest.raises(IllegalAction):
                    env.step(action)
            assert helpers.snapshot(env) == before, agent


@either_skip
def test_a_finished_game_refuses_everything(skip_forced):
    states = records(skip_forced)[0].copy()
    while states[0].phase != ids.OVER:
        step(states, options(states)[-1])
    game, games = as_table(states), as_batch(states)
    before, shown = states.tobytes(), game.to_bytes()
    assert outside(states) == list(range(ids.ACTIONS))
    assert game.legal() == [] and not games.masks().any()
    for action in range(ids.ACTIONS):
        with pytest.raises(ValueError, match="illegal action"):
            step(states, action)
        with pytest.raises(IllegalAction):
            game.play(action_to_move(action))
        with pytest.raises(IllegalAction):
            games.step([action])
    assert before == states.tobytes() == games.states.tobytes()
    assert shown == game.to_bytes()


# -- Inside the mask ------------------------------------------------------------------------------

EVENTS = LAYOUT.offset("events")


def seen(states: np.ndarray) -> tuple[Any, ...]:
    """What is shown of a record: the position in words, the question, both seats' views.

    The list of last moves is left out: it changes with every move.
    """
    views = np.zeros((2, SIZE), np.float32)
    for seat in range(2):
        rules.observe(states, 0, CARDS.record, ONE_SET, seat, views[seat])
    words = repr(notation.describe(states, 0, CARDS))
    g = states[0]
    return words, int(g.asked), int(g.question), options(states), views[:, :EVENTS].tobytes()


@few_or_many
@either_skip
def test_every_legal_action_moves_the_game_elsewhere(skip_forced, times):
    """Each option is accepted, shows a change and leaves nothing wrong.

    Two cards that fell at once bring the Eternal Flame's question twice, the same each time.
    """
    for states in records(skip_forced, times):
        before = seen(states)
        games = as_batch(states, len(options(states)))
        games.step(options(states))
        assert problems(games) == []
        for n, action in enumerate(options(states)):
            after = states.copy()
            step(after, action)
            assert after.tobytes() == games.states[n : n + 1].tobytes(), action_to_move(action)
            assert after[0].decisions > states[0].decisions
            again = (int(states[0].question), action) == (ids.ASK_FLAME, ids.NO)
            assert again or seen(after) != before, f"{action_to_move(action)}: {before}"


@either_skip
def test_a_table_plays_every_legal_move(skip_forced):
    for states in one_of_a_kind(skip_forced):
        for move in as_table(states).legal():
            game = as_table(states).play(move)
            assert game.log[0] == move
            assert problems(game) == []


# -- One mask everywhere --------------------------------------------------------------------------


def as_mask(actions: list[int]) -> list[int]:
    return [int(action in actions) for action in range(ids.ACTIONS)]


@few_or_many
@either_skip
def test_masks_options_and_legal_moves_are_the_same(skip_forced, times):
    for states in records(skip_forced, times):
        expected, asked = options(states), int(states[0].asked)
        assert expected == sorted(set(expected)) and expected
        assert as_table(states).legal() == [action_to_move(action) for action in expected]
        games = as_batch(states)
        for seat in range(2):
            own = as_mask(expected) if seat == asked else [0] * ids.ACTIONS
            mask = np.ones(ids.ACTIONS, np.int8)
            rules.legal(states, 0, seat, mask)
            assert mask.tolist() == own
            assert games.masks(viewer=[seat])[0].tolist() == own
            assert games.view(viewer=[seat]).mask[0].tolist() == own
        assert games.masks()[0].tolist() == as_mask(expected)
        assert skip_forced == 0 or len(expected) > 1


@either_skip
@pytest.mark.parametrize("seed", range(WHOLE_GAMES))
def test_the_environment_shows_the_tables_mask(seed, skip_forced):
    env = skirmish_v0.env(skip_forced=bool(skip_forced))
    env.reset(seed=seed)
    game = Table.new(seed=seed, skip_forced=bool(skip_forced))
    rng = np.random.default_rng(seed)
    while game.winner is None:
        assert env.agent_selection == game.to_move
        masks = {agent: env.observe(agent)["action_mask"] for agent in env.agents}
        legal = helpers.ids(*game.legal())
        assert masks.pop(env.agent_selection).tolist() == as_mask(legal)
        assert not any(mask.any() for mask in masks.values())
        choice = int(rng.choice(legal))
        env.step(choice)
        game.play(action_to_move(choice))
    assert all(env.terminations.values())
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents)


@either_skip
@pytest.mark.parametrize("seed", range(WHOLE_GAMES))
def test_the_learners_mask_is_the_games(seed, skip_forced):
    env = gymnasium.make(
        "skirmish_env/Skirmish-v0", opponent="random", skip_forced=bool(skip_forced)
    )
    _, info = env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    over = False
    while not over:
        states = env.unwrapped._table._states
        assert ids.SIDES[states[0].asked] == info["side"]
        assert info["action_mask"].tolist() == as_mask(options(states))
        assert env.unwrapped.action_masks().tolist() == as_mask(options(states))
        _, _, over, _, info = env.step(int(rng.choice(options(states))))
    assert not info["action_mask"].any() and not env.unwrapped.action_masks().any()
