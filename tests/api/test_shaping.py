"""Shaping rewards: they telescope, add up to zero between the seats, and end at potential 0."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from skirmish_env import skirmish_v0
from skirmish_env.shaping import Shaping
from tests.api.helpers import AGENTS, FREE, decisions, pick, position

COEFFICIENT = 0.25


def terms(env, seed, options, rng):
    """Shaping terms of one game, by decision and agent: rewards less the result."""
    env.reset(seed=seed, options=options)
    found = []
    for number, _ in enumerate(decisions(env, rng)):
        if number:
            found.append([env.rewards[agent] for agent in AGENTS])
    winner = env.infos["heroes"]["winner"]
    result = [{agent: 1.0, "draw": 0.0, None: 0.0}.get(winner, -1.0) for agent in AGENTS]
    found.append([env.rewards[agent] - paid for agent, paid in zip(AGENTS, result)])
    return np.array(found)


def ahead():
    """The Heroes are three points ahead; the decks are shuffled by the seed."""
    hands = {
        "villains": {"hand": ["ares_1", "ares_2", "zola_1", "zola_2", "loki_1", FREE]},
        "heroes": {"hand": ["thor_1", "hulk_1", "hulk_2", "hawkeye_1"]},
    }
    return {"position": {"victory": -3, **hands}}


@pytest.mark.parametrize("gamma", [1.0, 0.97])
def test_discounted_terms_add_up_to_minus_the_first_potential(gamma):
    env = skirmish_v0.env(shaping={"coefficient": COEFFICIENT, "gamma": gamma})
    for seed in range(6):
        rng = np.random.default_rng(seed)
        for options, start in ((None, 0), (ahead(), -3)):
            found = terms(env, seed, options, rng)
            sums = gamma ** np.arange(len(found)) @ found
            assert found.any()
            assert sums == pytest.approx([-COEFFICIENT * start, COEFFICIENT * start])


def test_terms_add_up_to_zero_between_the_seats():
    env = skirmish_v0.env(shaping=Shaping(COEFFICIENT, gamma=0.9))
    found = terms(env, 1, ahead(), np.random.default_rng(1))
    assert (found[:, 0] == -found[:, 1]).all()


def test_a_point_pays_the_coefficient():
    env = skirmish_v0.env(shaping=COEFFICIENT)
    where = position(villains={
        "hand": [FREE], "discard": [], "artifacts": [],
        "slots": ["hydra_agents_blue", None, None, None, None, None],
    })  # fmt: skip
    env.reset(seed=0, options={"position": where})
    env.step(241)
    assert env.rewards == {"villains": COEFFICIENT, "heroes": -COEFFICIENT}


def test_with_gamma_one_every_return_is_shifted_alike():
    """Whatever is played, shaping adds the same to the return: optimal play stays optimal."""
    plain, shaped = [
        [
            returned(skirmish_v0.env(shaping=shaping), np.random.default_rng(seed))
            for seed in range(12)
        ]
        for shaping in (None, COEFFICIENT)
    ]
    assert set(plain) == {1.0, -1.0}
    assert np.subtract(shaped, plain) == pytest.approx(-3 * COEFFICIENT)


def returned(env, rng):
    """Sum of the Heroes' rewards in one game from the same position."""
    env.reset(seed=0, options=ahead())
    total = 0.0
    for _ in decisions(env, rng):
        total += env.rewards["heroes"]
    return total + env.rewards["heroes"]


def test_accumulated_rewards_hold_the_terms():
    env = skirmish_v0.env(shaping=COEFFICIENT)
    env.reset(seed=2)
    owed = dict.fromkeys(AGENTS, 0.0)
    paid = 0
    acted = None
    for agent in decisions(env, np.random.default_rng(2)):
        if acted:
            owed[acted] = 0.0
            owed = {one: owed[one] + env.rewards[one] for one in AGENTS}
        assert env.last()[1] == pytest.approx(owed[agent])
        paid += owed[agent] != 0
        acted = agent
    assert paid > 3


def test_a_truncated_game_keeps_its_last_potential():
    env = skirmish_v0.env(shaping=COEFFICIENT, max_turns=4)
    found = terms(env, 3, ahead(), np.random.default_rng(3))
    assert env.truncations["heroes"]
    marker = env.infos["heroes"]["marker"]
    assert found[:, 0].sum() == pytest.approx(COEFFICIENT * (marker + 3))


@pytest.mark.parametrize("gamma", [1.0, 0.95])
@pytest.mark.parametrize("side", AGENTS)
def test_a_learners_terms_telescope_over_his_own_decisions(side, gamma):
    env = gymnasium.make(
        "skirmish_env/Skirmish-v0",
        opponent="random",
        side=side,
        shaping={"coefficient": COEFFICIENT, "gamma": gamma},
    )
    for seed in range(4):
        rng = np.random.default_rng(seed)
        _, info = env.reset(seed=seed)
        lead = env.unwrapped.position()["victory"] * (1 if side == "villains" else -1)
        rewards, over = [], False
        while not over:
            _, reward, over, _, info = env.step(pick(info["action_mask"], rng))
            rewards.append(reward)
        rewards[-1] -= {side: 1.0, "draw": 0.0}.get(info["winner"], -1.0)
        assert np.any(rewards)
        total = gamma ** np.arange(len(rewards)) @ np.array(rewards)
        assert total == pytest.approx(-COEFFICIENT * lead)


@pytest.mark.parametrize(
    "spec",
    [
        "much", True, float("nan"), {"gamma": 0.9}, {"coefficient": 1, "discount": 0.9},
        {"coefficient": 1, "gamma": 0}, {"coefficient": 1, "gamma": 1.1},
    ],
    ids=repr,
)  # fmt: skip
def test_wrong_shaping_is_refused(spec):
    with pytest.raises(ValueError, match="shaping"):
        skirmish_v0.env(shaping=spec)
