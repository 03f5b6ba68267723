"""One seed is one game: Table, AEC environment, Gymnasium environment and Batch agree.

Which card set, which rules options and whether forced questions are asked change from game to
game; many games at once are the same games as one by one.
"""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from skirmish_env import Table, action_to_move, skirmish_v0
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK
from tests.api.helpers import AGENTS, decisions, is_over, pick, play
from tests.api.moments import moments

LOOK_EVERY = 5  # decisions; the records are compared at every one
RULES = (
    {},
    {"attack_effect": "each_attack"},
    {"villains_goal": 12, "heroes_goal": 12, "draws_per_turn": 2},
    {"manhattan_slots": 2, "sanctum_slots": 1, "tower_slots": 1, "civilian_floor": -1},
    {"cards_removed": 40, "villains_opening_hand": 7, "civilians": "rg", "artifact_track": 2},
)  # fmt: skip
SETTINGS = [
    {"skip_forced": skip_forced, "rules": rules} for rules in RULES for skip_forced in (True, False)
]


def record(states):
    """A record's bytes; who answers forced questions, the table or the rules, left aside."""
    states = states.copy()
    states["skip_forced"] = 0
    return states.tobytes()


@pytest.mark.parametrize("seed", range(len(SETTINGS)))
def test_table_aec_and_batch_play_the_same_game(seed):
    settings = SETTINGS[seed]
    env = skirmish_v0.env(**settings)
    env.reset(seed=seed)
    table = Table.new(seed, **settings)
    batch = Batch(2, **settings)
    batch.deal([seed + 1, seed])
    rng = np.random.default_rng(seed)
    while not is_over(env):
        agent = env.agent_selection
        assert table.to_move == agent == AGENTS[batch.seat[1]]
        assert env.unwrapped._states[0].tobytes() == batch.states[1].tobytes()
        assert record(table.states) == record(batch.states[1:])
        mask = env.unwrapped.mask(agent)
        assert (mask == batch.masks([1])[0]).all()
        assert [action_to_move(a) for a in np.flatnonzero(mask)] == table.legal()
        if len(table.log) % LOOK_EVERY == 0:
            seen = env.observe(agent)
            assert (seen["observation"] == batch.observe([1])[0]).all()
            assert (seen["action_mask"] == mask).all()
            assert (env.state() == batch.full([1])[0]).all()
            assert env.unwrapped.position("all") == table.position()
        action = pick(mask, rng)
        table.play(action_to_move(action))
        batch.step([action], [1])
        env.step(action)
    assert table.winner == env.infos["heroes"]["winner"]
    assert batch.rewards[1].tolist() == [env.rewards[agent] for agent in AGENTS]
    assert record(table.states) == record(batch.states[1:]) == record(env.unwrapped._states)
    assert env.unwrapped.position("all") == table.position()


@pytest.mark.parametrize("side", AGENTS)
@pytest.mark.parametrize("seed", [0, 2, 7, 9])
def test_gymnasium_plays_the_same_game(seed, side):
    settings = SETTINGS[seed]
    aec = skirmish_v0.env(**settings)
    aec.reset(seed=seed)
    script = play(aec, np.random.default_rng(seed))
    ended = aec.unwrapped._states.tobytes()

    moves = iter(script)
    env = gymnasium.make(
        "skirmish_env/Skirmish-v0", side=side, opponent=lambda view, rng: next(moves), **settings
    )
    observation, info = env.reset(seed=seed)
    aec.reset(seed=seed)
    replay = iter(script)
    over = False
    while not over:
        while aec.agent_selection != side:
            aec.step(next(replay))
        seen = aec.last()[0]
        assert (observation == seen["observation"]).all()
        assert (info["action_mask"] == seen["action_mask"]).all()
        assert env.unwrapped._table._states.tobytes() == aec.unwrapped._states.tobytes()
        aec.step(next(replay))
        observation, reward, over, _, info = env.step(next(moves))
        while not over and aec.agent_selection != side:
            aec.step(next(replay))
    assert env.unwrapped._table._states.tobytes() == ended
    assert next(moves, None) is None
    assert reward == {side: 1.0, "draw": 0.0}.get(info["winner"], -1.0)


def test_a_view_holds_what_the_agent_is_shown():
    env = skirmish_v0.env()
    env.reset(seed=1)
    raw = env.unwrapped
    for number, agent in enumerate(decisions(env, np.random.default_rng(1))):
        if number % 5:
            continue
        view = raw.view()
        assert AGENTS[view.viewer[0]] == agent
        assert (view.observation[0] == env.observe(agent)["observation"]).all()
        assert (view.mask[0] == env.observe(agent)["action_mask"]).all()
        for name in ("random", "heuristic"):
            action = view.policy(name, np.random.default_rng(number))[0]
            assert view.mask[0][action]
            assert raw.choose(name, np.random.default_rng(number)) == action
    assert len(raw.view("heroes")) == 1


# -- Many at once, and one by one -----------------------------------------------------------------

MANY = 5


def derived(games, index=None):
    """All that is computed from records: what each seat sees, masks, rewards, full information."""
    told = [games.full(index), games.rewards[slice(None) if index is None else index]]
    rows = len(told[0])
    for seat in range(2):
        viewers = np.full(rows, seat)
        told += [games.observe(index, viewers), games.masks(index, viewers)]
    return told


@pytest.mark.parametrize("settings", SETTINGS[1:4], ids=repr)
def test_many_games_at_once_are_the_games_one_by_one(settings):
    many = Batch(MANY, **settings)
    singles = [
        Batch(1, card_set=many.card_set, skip_forced=settings["skip_forced"]) for _ in range(MANY)
    ]
    many.deal(np.arange(MANY))
    for seed, one in enumerate(singles):
        one.deal([seed])
    rng, rounds = np.random.default_rng(0), 0
    while len(live := np.flatnonzero(~many.over)):
        order = rng.permutation(live)[: max(1, len(live) - rounds % 3)]
        states = many.states[order]
        choices = rng.integers(states["option_count"])
        actions = states["options"][np.arange(len(order)), choices]
        many.step(actions, order)
        for number, action in zip(order, actions, strict=True):
            singles[number].step([action])
        assert many.states.tobytes() == b"".join(one.states.tobytes() for one in singles)
        if rounds % 50 == 0:
            apart = [derived(one) for one in singles]
            for column, whole in enumerate(derived(many)):
                assert whole.tobytes() == np.concatenate([row[column] for row in apart]).tobytes()
            for row, number in enumerate(order):
                for whole, single in zip(derived(many, order), apart[number]):
                    assert whole[row].tobytes() == single[0].tobytes()
        rounds += 1
    assert (many.rewards == np.concatenate([one.rewards for one in singles])).all()


def at_questions():
    """A batch in which every kind of question waits, and the seeds for each game."""
    records = np.concatenate([moment.record for moment in moments()])
    games = Batch(len(records))
    games.states[:] = records
    return games, np.random.default_rng(1).integers(0, 2**62, len(records))


@pytest.mark.parametrize("name", NEW_YORK.policies)
def test_policies_answer_many_as_they_answer_one(name):
    games, seeds = at_questions()
    choose, cards = NEW_YORK.policies[name], games.card_set.record
    before, sets = games.states.tobytes(), np.zeros(len(games), np.int64)
    order = np.random.default_rng(2).permutation(len(games))
    together, alone = np.full((2, len(games)), -1)
    choose(games.states, cards, sets, order, seeds[order], together)
    for row, number in enumerate(order):
        out = alone[row : row + 1]
        choose(games.states[number:][:1], cards, sets[:1], sets[:1], seeds[number:][:1], out)
    assert together.tolist() == alone.tolist()
    assert games.masks()[order, together].all()
    assert games.states.tobytes() == before


def test_redeals_of_many_are_the_redeals_of_one():
    games, seeds = at_questions()
    redeal, cards = NEW_YORK.kernels.redeal, games.card_set.record
    viewers, sets = games.seat.astype(np.int64), np.zeros(len(games), np.int64)
    together, alone = games.states.copy(), games.states.copy()
    redeal(together, cards, sets, np.arange(len(games)), viewers, seeds)
    for n in range(len(games)):
        one = slice(n, n + 1)
        redeal(alone[one], cards, sets[one], sets[one], viewers[one], seeds[one])
    assert together.tobytes() == alone.tobytes() != games.states.tobytes()


@pytest.mark.parametrize("look", [True, False])
def test_rollouts_of_many_are_the_rollouts_of_one(look):
    def rollout(rows, decisions=15):
        games, seeds = at_questions()
        games, seeds = games.copy(rows), seeds[rows]
        size = len(games)
        rngs = np.stack([seeds % 2**32, seeds >> 32, seeds % 7, np.ones(size, np.int64)], axis=1)
        seen, masks = np.zeros_like(games.observe()), np.zeros_like(games.masks())
        episodes = np.zeros(size, np.int64)
        NEW_YORK.kernels.rollout(
            games.states, games.card_set.record, np.zeros(size, np.int64), rngs, episodes,
            decisions, seen, masks, look,
        )  # fmt: skip
        return [games.states, rngs, episodes, seen, masks]

    some = np.arange(0, len(moments()), 3)
    together = rollout(some)
    assert together[3].any() == look
    apart = [rollout([number]) for number in some]
    for column, whole in enumerate(together):
        assert whole.tobytes() == np.concatenate([one[column] for one in apart]).tobytes()
