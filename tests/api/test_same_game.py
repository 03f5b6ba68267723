"""One seed is one game: Table, AEC environment, Gymnasium environment and Batch agree."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from skirmish_env import Table, action_to_move, skirmish_v0
from skirmish_env.batch import Batch
from tests.api.helpers import AGENTS, decisions, is_over, pick, play

SEEDS = (0, 1, 2, 3)


@pytest.mark.parametrize("seed", SEEDS)
def test_table_aec_and_batch_play_the_same_game(seed):
    env = skirmish_v0.env()
    env.reset(seed=seed)
    table = Table.new(seed, skip_forced=True)
    batch = Batch(2)
    batch.deal([seed + 1, seed])
    rng = np.random.default_rng(seed)
    while not is_over(env):
        agent = env.agent_selection
        assert table.to_move == agent == AGENTS[batch.seat[1]]
        assert env.unwrapped.position("all") == table.position()
        assert env.unwrapped._states[0].tobytes() == batch.states[1].tobytes()
        seen = env.observe(agent)
        assert (seen["observation"] == batch.observe([1])[0]).all()
        assert (seen["action_mask"] == batch.masks([1])[0]).all()
        assert [action_to_move(a) for a in np.flatnonzero(seen["action_mask"])] == table.legal()
        assert (env.state() == batch.full([1])[0]).all()
        action = pick(seen["action_mask"], rng)
        table.play(action_to_move(action))
        batch.step([action], [1])
        env.step(action)
    assert table.winner == env.infos["heroes"]["winner"]
    assert batch.rewards[1].tolist() == [env.rewards[agent] for agent in AGENTS]
    assert env.unwrapped.position("all") == table.position()


@pytest.mark.parametrize("side", AGENTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_gymnasium_plays_the_same_game(seed, side):
    aec = skirmish_v0.env()
    aec.reset(seed=seed)
    script = play(aec, np.random.default_rng(seed))
    winner = aec.unwrapped.position("all")

    moves = iter(script)
    env = gymnasium.make(
        "skirmish_env/Skirmish-v0", side=side, opponent=lambda view, rng: next(moves)
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
        assert env.unwrapped.position() == aec.unwrapped.position(side)
        aec.step(next(replay))
        observation, reward, over, _, info = env.step(next(moves))
        while not over and aec.agent_selection != side:
            aec.step(next(replay))
    assert env.unwrapped._table.position("all") == winner
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
