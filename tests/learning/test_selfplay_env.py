import warnings

import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from agents.random import RandomAgent
from experiments.matchmaking import Standings
from experiments.seeds import TRAINING_SEEDS
from skirmish_env.game import NEW_YORK, IllegalAction

from .helpers import Tagged, any_legal, environment, frozen, random_league
from .toy import ROUNDS, TOY


def play(env, steps, seed=0, watch=None):
    """Play the learner at random; `watch(step, result)` sees every step."""
    rng = np.random.default_rng(seed)
    env.reset()
    for step in range(steps):
        masks = env.env_method("action_masks")
        result = env.step(any_legal(masks, rng))
        if watch:
            watch(step, *result)


def test_masks_are_the_learners_legal_moves():
    env = environment(16)

    def check(step, observations, rewards, dones, infos):
        masks = get_action_masks(env)
        assert masks.shape == (16, NEW_YORK.action_count)
        assert masks.any(axis=1).all()
        assert np.array_equal(env.batch.seat, env.seat)
        for row, g in zip(masks, env.batch.states):
            assert np.array_equal(np.flatnonzero(row), np.sort(g["options"][: g["option_count"]]))

    assert is_masking_supported(env)
    play(env, 150, watch=check)
    assert env.finished > 16


def test_both_seats_are_played_in_turn():
    env = environment(6)
    games = [[] for _ in range(6)]

    def check(step, observations, rewards, dones, infos):
        for i in np.flatnonzero(dones):
            games[i].append(int(env.seat[i]))

    play(env, 300, watch=check)
    for i, seats in enumerate(games):
        assert len(seats) >= 2
        assert seats == [(i + 1 + k) % 2 for k in range(len(seats))]


@pytest.mark.parametrize("hardness", [0.0, 2.0])
def test_an_opponent_stays_from_deal_to_end(hardness):
    league = random_league(a=Tagged("a"), b=Tagged("b"))
    league.hardness = hardness
    env = environment(12, league=league)
    seen = []
    env.reset()
    now = env.opponent.copy()
    rng = np.random.default_rng(0)
    for _ in range(200):
        _, _, dones, _ = env.step(any_legal(env.action_masks(), rng))
        assert np.array_equal(env.opponent[~dones], now[~dones])
        seen += now[dones].tolist()
        now = env.opponent.copy()
    assert set(seen) == {0, 1}
    assert league.games["a"] == seen.count(0)
    assert league.games["b"] == seen.count(1)
    assert all(o.agent.asked > 100 for o in league.members.values())


def test_results_count_for_the_seat_in_which_they_were_made():
    """By hand from outside: who sat where before each step, and how the game ended."""
    league = random_league(a=Tagged("a"), b=Tagged("b"))
    league.standings = Standings(seats=2, memory=1e12)
    env = environment(12, league=league)
    points, games = np.zeros((2, 2)), np.zeros((2, 2))
    env.reset()
    rng = np.random.default_rng(0)
    for _ in range(150):
        seat, opponent = env.seat.copy(), env.opponent.copy()
        _, rewards, dones, _ = env.step(any_legal(env.action_masks(), rng))
        np.add.at(points, (seat[dones], opponent[dones]), (1 + rewards[dones]) / 2)
        np.add.at(games, (seat[dones], opponent[dones]), 1)
    assert games.min() > 3
    assert league.standings.scores([0, 1]) == pytest.approx((points + 5) / (games + 10))


def test_a_reward_on_the_opponents_move_reaches_the_learner():
    """In the toy game seat 0 never makes the last move, seat 1 always."""
    env = environment(8, game=TOY)
    rewards_by_seat = {0: [], 1: []}

    def check(step, observations, rewards, dones, infos):
        for i in np.flatnonzero(dones):
            ended = 1 - int(env.seat[i])  # the seat has moved on already
            rewards_by_seat[ended].append(float(rewards[i]))
            assert infos[i]["episode"] == {"r": rewards[i], "l": ROUNDS}
        assert not rewards[~dones].any()

    play(env, 60, watch=check)
    for rewards in rewards_by_seat.values():
        assert {-1.0, 1.0} <= set(rewards) <= {-1.0, 0.0, 1.0}


def test_losers_of_the_real_game_learn_of_it():
    """A game that ends on the opponent's move ends the learner's stream, won or lost."""
    env = environment(32)
    found = set()
    original, ended = env.batch.step, np.zeros(32, bool)

    def remember(actions):
        original(actions)
        ended[:] = env.batch.over

    env.batch.step = remember  # the learner's moves; the opponents' do not come this way

    def check(step, observations, rewards, dones, infos):
        for i in np.flatnonzero(dones):
            found.add((bool(ended[i]), float(rewards[i])))

    play(env, 200, watch=check)
    assert {(True, 1.0), (False, -1.0)} <= found


def test_infos_are_what_stable_baselines_expects():
    env = environment(8)

    def check(step, observations, rewards, dones, infos):
        assert observations.shape == (8, NEW_YORK.observation_size)
        assert observations.dtype == np.float32
        assert rewards.dtype == np.float32
        assert len(infos) == 8
        for done, info in zip(dones, infos):
            assert bool(info) == done
            if done:
                assert info["TimeLimit.truncated"] is False
                assert info["terminal_observation"].shape == (NEW_YORK.observation_size,)

    play(env, 120, watch=check)
    assert env.get_attr("num_envs") == [8] * 8
    assert env.env_is_wrapped(object) == [False] * 8
    assert len(env.env_method("action_masks", indices=[1, 3])) == 2
    with pytest.raises(AttributeError, match="no method 'render'"):
        env.env_method("render")


def test_the_same_seeds_give_the_same_training():
    def run(seed):
        env = environment(8, seed=seed)
        seen = []
        play(env, 80, watch=lambda step, o, r, d, i: seen.append((o.sum(), r.sum(), d.sum())))
        return np.array(seen)

    assert np.array_equal(run(3), run(3))
    assert not np.array_equal(run(3), run(4))


def test_deals_come_from_the_training_seeds(monkeypatch):
    env = environment(8)
    dealt = []
    original = env.batch.deal

    def remember(seeds, index=None):
        dealt.extend(seeds.tolist())
        original(seeds, index)

    monkeypatch.setattr(env.batch, "deal", remember)
    play(env, 150)
    assert len(dealt) > 16
    assert len(set(dealt)) == len(dealt)
    assert all(seed in TRAINING_SEEDS for seed in dealt)


def test_shaping_adds_up_to_the_lead_at_the_start():
    """Undiscounted, the terms of a game sum to minus the potential at its first decision."""
    plain, shaped = environment(8), environment(8, shaping=0.05)
    totals = {}

    def collect(env, name):
        def watch(step, observations, rewards, dones, infos):
            totals.setdefault(name, []).append(rewards)
            totals.setdefault(f"{name} dones", []).append(dones)

        play(env, 150, watch=watch)
        return np.array(totals[name]), np.array(totals[f"{name} dones"])

    rewards, dones = collect(plain, "plain")
    with_terms, same_dones = collect(shaped, "shaped")
    assert np.array_equal(dones, same_dones)
    assert (with_terms[~dones] != 0).any()
    for i in range(8):
        ends = np.flatnonzero(dones[:, i])
        first, second = ends[0], ends[1]
        whole = slice(first + 1, second + 1)
        start = -np.sum(with_terms[whole, i] - rewards[whole, i])
        assert abs(start) <= 0.05 * 9 + 1e-6
        assert start == pytest.approx(round(start / 0.05) * 0.05, abs=1e-5)


def test_state_and_restore_continue_exactly():
    env = environment(8, seed=5)
    play(env, 50)
    state = env.state()
    env.league.rng, again = np.random.default_rng(9), environment(8, seed=6)
    again.league.rng = np.random.default_rng(9)
    again.restore(state)
    rng, rng_again = np.random.default_rng(1), np.random.default_rng(1)
    for _ in range(80):
        left = env.step(any_legal(env.action_masks(), rng))
        right = again.step(any_legal(again.action_masks(), rng_again))
        assert np.array_equal(left[0], right[0])
        assert np.array_equal(left[1], right[1])
    with pytest.raises(ValueError, match="holds 8 games, not 4"):
        environment(4).restore(state)


def test_every_network_plays_its_own_games():
    """Games of many networks are answered in one call, after some snapshots have gone."""
    league = random_league(a=Tagged("a"))
    league.shares = {"latest": 1.0, "past": 1.0, "a": 0.5}
    for number in range(3):
        league.add_snapshot(frozen(seed=number), number)
    env = environment(40, league=league)
    env.reset()
    league.add_snapshot(frozen(seed=3), 3)  # drops another, which still plays
    league.forget(env.opponent)
    play_on, asked = env._answers, 0

    def check(index):
        nonlocal asked
        actions = play_on(index)
        for member in np.unique(env.opponent[index]).tolist():
            rows = np.flatnonzero(env.opponent[index] == member)
            if member:
                alone = league.members[member].agent.act(env.batch.view(index[rows]), env.moves)
                assert np.array_equal(actions[rows], alone)
                asked += len(rows)
        return actions

    for opponent in league.members.values():
        if opponent.kind == "snapshot":
            opponent.agent.deterministic = True
    league._gather()
    env._answers = check
    rng = np.random.default_rng(0)
    for _ in range(60):
        env.step(any_legal(env.action_masks(), rng))
    assert asked > 500


def test_an_opponents_illegal_answer_is_refused():
    class Cheat(RandomAgent):
        def act(self, view, rng):
            return view.mask.argmin(axis=1)

    env = environment(4, league=random_league(a=Cheat()))
    with pytest.raises(IllegalAction, match="is not legal"):
        play(env, 50)


def test_snapshots_play_too():
    league = random_league()
    league.shares = {"latest": 1.0}
    league.add_snapshot(frozen(), 0)
    env = environment(4, league=league)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        play(env, 60)
    assert league.games["latest"] == env.finished > 0
