"""Many learners' games in one call: each is the game that is played alone."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from skirmish_env import IllegalAction
from skirmish_env.batch import Batch
from skirmish_env.common.jit import PLAIN
from skirmish_env.common.rng import pick
from skirmish_env.game import NEW_YORK
from skirmish_env.gym_env import SkirmishEnv
from skirmish_env.new_york import heuristic
from skirmish_env.new_york.kernels import random_action
from skirmish_env.new_york.vector import deal_seed, episode_rng
from skirmish_env.vector_env import SkirmishVectorEnv

SAME, NEXT, DISABLED = AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED
ROOT = Path(__file__).parents[2]


def made(n: int = 3, **settings) -> SkirmishVectorEnv:
    return SkirmishVectorEnv(n, **{"opponent": "random", **settings})


def chosen(masks: np.ndarray, step: int) -> np.ndarray:
    """A legal action in each game, by nothing but its number, its mask and the step."""
    scattered = (np.arange(len(masks)) * 40503 + step * 2654435761) % 4294967291 // 101
    nth = scattered % np.maximum(masks.sum(axis=1, dtype=int), 1)
    return np.argmax(masks.cumsum(axis=1, dtype=int) > nth[:, None], axis=1)


def played(envs: SkirmishVectorEnv, steps: int, **reset) -> Iterator[tuple]:
    """Yield what the reset and each step show: observations, rewards, ends, cuts, infos."""
    observations, infos = envs.reset(**reset)
    nothing = np.zeros(envs.num_envs)
    yield observations, nothing, nothing.astype(bool), nothing.astype(bool), infos
    for step in range(steps):
        shown = envs.step(chosen(infos["action_mask"], step))
        infos = shown[-1]
        yield shown


def digest(shown: tuple, games: slice = slice(None)) -> list[bytes]:
    """Everything that a step shows of some games."""
    *arrays, infos = shown
    arrays += [infos["action_mask"], infos["seat"]]
    return [array[games].tobytes() for array in arrays]


def to_the_end(envs: SkirmishVectorEnv, most: int = 400, **reset) -> tuple:
    """Play until a game ends; return what that step shows."""
    for shown in played(envs, most, **reset):
        if shown[2].any() or shown[3].any():
            return shown
    raise AssertionError("no game ended")


# ------------------------------------------------------------------------------------------------
# The same game as elsewhere.


def answer(games: Batch, opponent: str, rng: np.ndarray) -> int:
    """The decision of a compiled policy, by its one-game function."""
    if opponent == "random":
        return int(random_action(games.states[0], rng))
    weights = {"heuristic": heuristic.SENSE_WEIGHTS, "expert": heuristic.EXPERT_WEIGHTS}[opponent]
    notes = np.zeros(1, heuristic.NOTES)
    g, k = games.states[0], games.card_set.record[0]
    w = weights[int(g.asked)]
    return int(heuristic.heuristic_action(g, k, w, notes[0], rng))


class Replay:
    """One episode of one game by itself, through `Batch`."""

    def __init__(self, opponent: str, seed: int, number: int, episode: int) -> None:
        self.opponent, self.rng = opponent, np.zeros(4, np.int64)
        episode_rng(self.rng, seed, number, episode)
        self.games = Batch(1)
        self.games.deal([deal_seed(self.rng)])
        self.seat = int(pick(self.rng, 2))
        self.decisions = 0
        self._let_opponent_play()

    def _let_opponent_play(self) -> None:
        while not self.games.over[0] and self.games.seat[0] != self.seat:
            self.games.step([answer(self.games, self.opponent, self.rng)])

    def step(self, action: int) -> None:
        self.games.step([action])
        self.decisions += 1
        self._let_opponent_play()

    @property
    def observation(self) -> np.ndarray:
        return self.games.observe(viewer=[self.seat])[0]


@pytest.mark.parametrize("opponent", ["random", "heuristic", "expert"])
def test_every_decision_and_result_is_that_of_the_game_played_alone(opponent):
    envs = made(2, opponent=opponent, autoreset_mode=SAME)
    alone = [Replay(opponent, 11, number, 0) for number in range(2)]
    episode, finished = [0, 0], 0
    masks = None
    for step, shown in enumerate(played(envs, 500, seed=11)):
        observations, rewards, terminations, _, infos = shown
        if masks is not None:
            for game, action in zip(alone, chosen(masks, step - 1).tolist()):
                game.step(action)
        for i, game in enumerate(alone):
            assert terminations[i] == game.games.over[0]
            if terminations[i]:
                assert rewards[i] == game.games.rewards[0, game.seat]
                assert (infos["final_obs"][i] == game.observation).all()
                final = infos["final_info"]
                assert final["turns"][i] == game.games.turns[0]
                assert final["marker"][i] == game.games.marker[0]
                assert final["seat"][i] == game.seat
                winner = game.games.winner[0]
                assert final["winner"][i] == ("draw" if winner < 0 else envs.game.seats[winner])
                finished, episode[i] = finished + 1, episode[i] + 1
                alone[i] = game = Replay(opponent, 11, i, episode[i])
            else:
                assert rewards[i] == 0
            assert infos["seat"][i] == game.seat
            assert (observations[i] == game.observation).all()
            assert (infos["action_mask"][i] == game.games.masks()[0]).all()
        if finished >= 2:
            return
        masks = infos["action_mask"]
    raise AssertionError("no two games ended")


def test_a_game_is_the_same_among_few_and_among_many():
    for few, many in zip(
        played(made(2, autoreset_mode=SAME), 60, seed=5),
        played(made(5, autoreset_mode=SAME), 60, seed=5),
    ):
        assert digest(few) == digest(many, slice(0, 2))


THREADS = """
import hashlib, sys, numba
from tests.api.test_vector import digest, made, played
print(numba.config.NUMBA_NUM_THREADS, end=" ")
found = hashlib.sha256()
for shown in played(made(70, opponent="heuristic", autoreset_mode="SameStep"), 60, seed=1):
    for piece in digest(shown):
        found.update(piece)
print(found.hexdigest())
"""


@pytest.mark.skipif(PLAIN, reason="plain Python has one thread")
def test_one_thread_and_two_play_the_same_games():
    digests = set()
    for threads in "12":
        variables = {**os.environ, "NUMBA_NUM_THREADS": threads, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", THREADS]
        done = subprocess.run(
            command, cwd=ROOT, env=variables, check=True, capture_output=True, text=True
        )
        used, found = done.stdout.split()
        assert used == threads
        digests.add(found)
    assert len(digests) == 1


@pytest.mark.parametrize("side", ["random", "heroes", "villains"])
def test_a_list_of_seeds_gives_each_game_the_deal_and_the_side_it_has_alone(side):
    seeds = [0, 7, 2**63 - 1, 7]
    envs = made(4, side=side)
    _, infos = envs.reset(seed=seeds)
    assert envs.deals.tolist() == seeds
    for i, seed in enumerate(seeds):
        alone = SkirmishEnv(opponent="random", side=side)
        _, info = alone.reset(seed=seed)
        assert infos["side"][i] == info["side"]
    assert infos["action_mask"][1].tobytes() == infos["action_mask"][3].tobytes()


def test_without_opponent_whoever_is_asked_acts():
    envs = made(2, opponent=None, autoreset_mode=SAME)
    games = Batch(2)
    masks = None
    for step, shown in enumerate(played(envs, 500, seed=4)):
        observations, rewards, terminations, _, infos = shown
        if masks is None:
            games.deal(envs.deals)
        else:
            actors = games.seat.astype(int)
            games.step(chosen(masks, step - 1))
            assert (infos["rewards"] == games.rewards).all()
        assert (terminations == games.over).all()
        if terminations.any():
            i = int(np.argmax(terminations))
            assert rewards[i] == games.rewards[i, actors[i]]
            assert (infos["final_obs"][i] == games.observe([i], [actors[i]])[0]).all()
            return
        assert (infos["seat"] == games.seat).all()
        assert (observations == games.observe()).all()
        masks = infos["action_mask"]
        assert (masks == games.masks()).all()


# ------------------------------------------------------------------------------------------------
# Seeds and sides.


def test_zero_is_a_seed_and_gives_each_game_another_deal():
    envs = made(4)
    envs.reset(seed=0)
    first = envs.deals
    assert len(set(first.tolist())) == 4
    envs.reset(seed=1)
    assert not set(first.tolist()) & set(envs.deals.tolist())
    envs.reset(seed=0)
    assert (envs.deals == first).all()


def test_every_reset_without_a_seed_deals_anew_in_an_order_that_the_seed_fixes():
    envs, twin = made(3), made(3)
    dealt = []
    for seed in (6, None, None):
        envs.reset(seed=seed)
        twin.reset(seed=seed)
        assert (envs.deals == twin.deals).all()
        dealt += envs.deals.tolist()
    assert len(set(dealt)) == 9


def test_environments_without_a_seed_play_different_games():
    envs, other = made(2), made(2)
    envs.reset()
    other.reset()
    assert not set(envs.deals.tolist()) & set(other.deals.tolist())


@pytest.mark.parametrize("seed", [-1, 1.5, True, "7", [1, 2], [1, 2, -3], [1, 2, None]])
def test_an_impossible_seed_is_refused_and_nothing_changes(seed):
    envs = made(3)
    envs.reset(seed=1)
    before = envs._games.states.tobytes()
    with pytest.raises(ValueError, match="seed"):
        envs.reset(seed=seed)
    assert envs._games.states.tobytes() == before


def test_alternating_sides_change_with_every_game():
    envs = made(3, side="alternate")
    seats = [envs.reset(seed=2)[1]["seat"].tolist(), envs.reset()[1]["seat"].tolist()]
    assert seats == [[0, 1, 0], [1, 0, 1]]


def test_random_sides_fall_on_both_seats():
    _, infos = made(40).reset(seed=3)
    assert 10 < infos["seat"].sum() < 30
    assert infos["side"].tolist() == [("villains", "heroes")[seat] for seat in infos["seat"]]


# ------------------------------------------------------------------------------------------------
# Ends of games.


def test_next_step_shows_the_end_and_deals_with_the_next_action_whatever_it_is():
    envs = made(2, autoreset_mode=NEXT)
    _, rewards, terminations, _, infos = to_the_end(envs, seed=8)
    i = int(np.argmax(terminations))
    assert "final_obs" not in infos
    assert not infos["action_mask"][i].any()
    assert infos["_winner"].tolist() == terminations.tolist()
    assert rewards[i] == {"draw": 0, infos["side"][i]: 1}.get(infos["winner"][i], -1)
    dealt = envs.deals
    actions = chosen(infos["action_mask"], 0)
    actions[i] = 10_000
    _, rewards, terminations, _, infos = envs.step(actions)
    assert envs.deals[i] != dealt[i]
    assert envs.deals[1 - i] == dealt[1 - i]
    assert (rewards[i], terminations[i]) == (0, False)
    assert infos["action_mask"][i].any()
    assert "winner" not in infos


def test_same_step_shows_the_next_game_and_keeps_the_last_observation():
    same, following = made(2, autoreset_mode=SAME), made(2, autoreset_mode=NEXT)
    shown, ended = to_the_end(same, seed=8), to_the_end(following, seed=8)
    i = int(np.argmax(shown[2]))
    final = shown[-1]["final_info"]
    assert shown[-1]["_final_obs"].tolist() == shown[2].tolist()
    assert shown[-1]["final_obs"][1 - i] is None
    assert shown[1].tolist() == ended[1].tolist()
    assert (shown[-1]["final_obs"][i] == ended[0][i]).all()
    assert not final["action_mask"][i].any()
    for key in ("winner", "ending", "turns", "marker"):
        assert final[key].tolist() == ended[-1][key].tolist()
        assert final[f"_{key}"].tolist() == shown[2].tolist()
    after = following.step(chosen(ended[-1]["action_mask"], 0))
    assert (shown[0][i] == after[0][i]).all()
    assert (shown[-1]["action_mask"][i] == after[-1]["action_mask"][i]).all()


def test_disabled_waits_until_the_ended_games_are_reset():
    envs = made(2, autoreset_mode=DISABLED)
    observations, _, terminations, _, infos = to_the_end(envs, seed=8)
    with pytest.raises(ResetNeeded, match=f"game {np.argmax(terminations)} has ended"):
        envs.step(chosen(infos["action_mask"], 0))
    dealt = envs.deals
    again, _ = envs.reset(options={"reset_mask": terminations})
    running = ~terminations
    assert (envs.deals[running] == dealt[running]).all()
    assert (again[running] == observations[running]).all()
    assert (envs.deals[terminations] != dealt[terminations]).all()


@pytest.mark.parametrize("mode", [SAME, NEXT, DISABLED])
def test_a_reset_of_the_other_game_tells_no_result_again(mode):
    envs = made(2, autoreset_mode=mode)
    shown = to_the_end(envs, seed=8)
    again, infos = envs.reset(options={"reset_mask": ~shown[2]})
    assert not infos.keys() & {"winner", "final_obs", "final_info"}
    assert (again[shown[2]] == shown[0][shown[2]]).all()
    masks = shown[-1]["action_mask"]
    assert (infos["action_mask"][shown[2]] == masks[shown[2]]).all()


@pytest.mark.parametrize("mode", [SAME, NEXT])
def test_max_turns_truncates_without_a_result(mode):
    envs = made(2, max_turns=2, autoreset_mode=mode)
    observations, rewards, terminations, truncations, infos = to_the_end(envs, seed=8)
    i = int(np.argmax(truncations))
    told = infos["final_info"] if mode is SAME else infos
    assert not terminations.any()
    assert rewards[i] == 0
    assert (told["winner"][i], told["ending"][i], told["turns"][i]) == (None, "max_turns", 3)
    assert not told["action_mask"][i].any()
    assert infos["action_mask"][i].any() == (mode is SAME)
    last = infos["final_obs"][i] if mode is SAME else observations[i]
    assert not (last == made(2, max_turns=2).reset(seed=8)[0][i]).all()


def test_games_that_end_before_the_learner_is_asked_are_dealt_anew():
    envs = made(2, side="heroes", max_turns=1)
    _, infos = envs.reset(seed=0)
    assert infos["action_mask"].any(axis=1).all()
    first = [deal_of(0, number) for number in range(2)]
    assert envs.deals.tolist() != first


def deal_of(seed: int, number: int) -> int:
    rng = np.zeros(4, np.int64)
    episode_rng(rng, seed, number, 0)
    return int(deal_seed(rng))


# ------------------------------------------------------------------------------------------------
# What goes in and out.


def test_an_illegal_action_names_its_game_and_nothing_changes():
    envs = made(3)
    _, infos = envs.reset(seed=1)
    actions = chosen(infos["action_mask"], 0)
    actions[1] = int(np.argmin(infos["action_mask"][1]))
    before = envs._games.states.tobytes(), envs._engine.course.tobytes()
    with pytest.raises(IllegalAction, match=r"game 1: .* legal: "):
        envs.step(actions)
    assert (envs._games.states.tobytes(), envs._engine.course.tobytes()) == before


def test_samples_are_legal_in_every_game_and_reach_every_move():
    envs, twin = made(6, max_turns=2), made(6, max_turns=2)
    envs.action_space.seed(1)
    twin.action_space.seed(1)
    envs.reset(seed=1)
    twin.reset(seed=1)
    for _ in range(30):
        drawn = envs.action_space.sample()
        assert (drawn == twin.action_space.sample()).all()
        envs.step(drawn)
        twin.step(drawn)
    masks = envs.reset(seed=[5] * 6)[1]["action_mask"]
    drawn = np.concatenate([envs.action_space.sample() for _ in range(20)])
    assert set(drawn) == set(np.flatnonzero(masks[0]))


@pytest.mark.parametrize("actions", [[1, 2], [[1, 2, 3]], [1.0, 2.0, 3.0], [True] * 3, 5, None])
def test_actions_are_one_whole_number_for_each_game(actions):
    envs = made(3)
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="actions: 3 whole numbers"):
        envs.step(actions)


def test_nothing_can_be_stepped_before_a_reset():
    with pytest.raises(ResetNeeded):
        made(2).step([0, 0])


def arrays_in(shown: tuple) -> list[np.ndarray]:
    """All arrays that a step hands out."""
    *arrays, infos = shown
    for value in (*infos.values(), *infos.get("final_info", {}).values()):
        arrays += [value] if isinstance(value, np.ndarray) else []
    return arrays


@pytest.mark.parametrize("mode", [SAME, NEXT])
@pytest.mark.parametrize("opponent", ["random", None])
def test_what_was_handed_out_with_copy_never_changes(mode, opponent):
    envs = made(2, opponent=opponent, autoreset_mode=mode)
    kept = []
    for shown in played(envs, 150, seed=3):
        kept += [(array, array.copy()) for array in arrays_in(shown)]
    assert len(kept) > 151 * 8
    for array, then in kept:
        assert array.dtype == object or array.tobytes() == then.tobytes()
        for now, before in zip(array.ravel(), then.ravel()) if array.dtype == object else ():
            assert now is before or (now == before).all()


def test_final_observations_handed_out_with_copy_never_change():
    envs = made(2, max_turns=2, autoreset_mode=SAME)
    infos = to_the_end(envs, seed=3)[-1]
    i = int(np.argmax(infos["_final_obs"]))
    last, then = infos["final_obs"][i], infos["final_obs"][i].copy()
    for _ in played(envs, 30):
        pass
    assert (last == then).all()


def test_without_copy_the_same_arrays_are_written_again():
    shown = list(played(made(2, copy=False), 3, seed=3))
    for step in shown[2:]:
        assert all(step[n] is shown[1][n] for n in range(4))
        assert step[-1]["action_mask"] is shown[0][-1]["action_mask"]
    assert shown[0][0] is shown[1][0]


def test_copying_changes_no_game():
    for one, other in zip(played(made(2), 40, seed=3), played(made(2, copy=False), 40, seed=3)):
        assert digest(one) == digest(other)


def test_make_vec_finds_it_and_the_spaces_fit():
    envs = gymnasium.make_vec(
        "skirmish_env/Skirmish-v0", num_envs=3, opponent="random", autoreset_mode=SAME
    )
    assert isinstance(envs, SkirmishVectorEnv)
    assert envs.metadata["autoreset_mode"] is SAME
    observations, infos = envs.reset(seed=0)
    assert observations in envs.observation_space
    assert observations[0] in envs.single_observation_space
    actions = chosen(infos["action_mask"], 0)
    assert actions in envs.action_space
    observations, rewards, terminations, truncations, _ = envs.step(actions)
    assert observations in envs.observation_space
    assert (rewards.dtype, terminations.dtype, truncations.dtype) == (np.float64, bool, bool)
    envs.close()


def test_gymnasiums_own_wrappers_count_episodes():
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(made(2, max_turns=2))
    shown = list(played(envs, 30, seed=8))
    steps = next(n for n, (_, _, _, truncations, _) in enumerate(shown) if truncations.any())
    _, _, _, truncations, infos = shown[steps]
    assert infos["_episode"].tolist() == truncations.tolist()
    assert set(infos["episode"]["l"][truncations].tolist()) == {steps}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"opponent": "ppo"}, 'vectorization_mode="sync"'),
        ({"opponent": lambda view, rng: 0}, 'vectorization_mode="sync"'),
        ({"side": "both"}, "side: 'both'"),
        ({"opponent": None, "side": "heroes"}, "both seats"),
        ({"max_turns": 0}, "max_turns"),
        ({"autoreset_mode": "never"}, "never"),
        ({"n": 0}, "1 game or more"),
        ({"game": replace(NEW_YORK, engine=None)}, "no compiled engine"),
        ({"rules": {"colour": 1}}, "colour"),
    ],
)
def test_an_impossible_setting_is_refused(settings, said):
    with pytest.raises(ValueError, match=said):
        made(**settings)


@pytest.mark.parametrize(
    "options",
    [
        {"position": {}},
        {"reset_mask": np.zeros(3, bool)},
        {"reset_mask": np.ones(2, bool)},
        {"reset_mask": [1, 0, 1]},
        7,
    ],
)
def test_an_impossible_option_is_refused(options):
    envs = made(3)
    envs.reset(seed=1)
    dealt = envs.deals
    with pytest.raises(ValueError, match="reset"):
        envs.reset(options=options)
    assert (envs.deals == dealt).all()


def test_no_game_is_dealt_that_is_kept_for_evaluation():
    envs = gymnasium.make_vec("skirmish_env/Skirmish-v0", 500, opponent="random")
    for _ in range(4):
        envs.reset()
        assert envs.unwrapped.deals.min() >= 2**32
        assert envs.unwrapped.deals.max() < 2**62
