"""The Gymnasium environment: a learner's side of the game."""

from __future__ import annotations

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from skirmish_env import IllegalAction, Table
from skirmish_env.game import NEW_YORK
from tests.api.helpers import (
    AGENTS,
    asking_the_other,
    ids,
    last_draw,
    legal,
    pick,
    position,
    winning_attack,
)
from tests.rulebook.helpers import side

ENV_ID = "skirmish_env/Skirmish-v0"


def make(**settings):
    return gymnasium.make(ENV_ID, **settings)


def run(env, rng, info):
    """Play to the end at random; return every step."""
    steps = []
    while not steps or not (steps[-1][2] or steps[-1][3]):
        mask = steps[-1][4]["action_mask"] if steps else info["action_mask"]
        steps.append(env.step(pick(mask, rng)))
    return steps


def flat(steps):
    """Steps in a form that can be compared."""
    return [
        (o.tobytes(), r, te, tr, {**i, "action_mask": i["action_mask"].tobytes()})
        for o, r, te, tr, i in steps
    ]


def everything(env):
    return env.unwrapped._table.position("all")


def test_spaces():
    env = make()
    assert isinstance(env.observation_space, gymnasium.spaces.Box)
    assert env.observation_space.dtype == np.float32
    assert env.observation_space.shape == (NEW_YORK.observation_size,)
    assert env.action_space == gymnasium.spaces.Discrete(NEW_YORK.action_count)


@pytest.mark.parametrize("opponent", ["random", "heuristic"])
def test_games_run_to_their_result(opponent):
    env = make(opponent=opponent)
    _, info = env.reset(seed=0)
    for _ in range(6):
        assert set(info) == {"action_mask", "side"}
        steps = run(env, np.random.default_rng(0), info)
        for observation, reward, terminated, truncated, info in steps[:-1]:
            assert env.observation_space.contains(observation)
            assert (reward, terminated, truncated) == (0.0, False, False)
            assert set(info) == {"action_mask", "side"}
            assert info["action_mask"].any()
        observation, reward, terminated, truncated, info = steps[-1]
        assert (terminated, truncated) == (True, False)
        assert reward == {info["side"]: 1.0, "draw": 0.0}.get(info["winner"], -1.0)
        assert info["ending"] in NEW_YORK.endings[1:]
        assert info["turns"] >= 1
        assert isinstance(info["marker"], int)
        assert not info["action_mask"].any()
        with pytest.raises(ResetNeeded):
            env.step(0)
        _, info = env.reset()


def test_the_learner_is_paid_when_the_opponent_moves_last():
    env = make(side="heroes", opponent=lambda view, rng: view.mask.argmax(axis=1))
    where = position(
        to_move="heroes",
        turn=4,
        victory=8,
        villains=side(slots={1: "hydra_agents_blue"}, hand=["ares_1"]),
        heroes=side(hand=["shield_agents_red", "thor_1", "hulk_1"]),
    )
    env.reset(seed=0, options={"position": where})
    _, reward, terminated, truncated, info = env.step(*ids("done"))
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert (info["winner"], info["turns"]) == ("villains", 5)


def test_a_draw_pays_nothing():
    env = make(side="villains")
    env.reset(options={"position": last_draw()})
    _, reward, terminated, _, info = env.step(*ids("done"))
    assert (reward, terminated, info["winner"]) == (0.0, True, "draw")


def test_opponents_questions_inside_the_learners_turn_are_answered():
    asked = []

    def opponent(view, rng):
        asked.append(legal(view.mask[0]))
        return ids("no")[0]

    env = make(side="villains", opponent=opponent)
    env.reset(options={"position": asking_the_other()})
    env.step(*ids("play hydra_agents_blue"))
    env.step(*ids("slot 1"))
    assert asked == [ids("yes", "no")]


# -- Masks and refusals ---------------------------------------------------------------------------


def test_masks_are_fresh_and_reach_through_the_wrappers():
    env = make(side="villains")
    _, info = env.reset(seed=1)
    assert info["action_mask"].dtype == np.int8
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == bool
    assert (masks == info["action_mask"]).all()
    info["action_mask"][:] = 0
    masks[:] = False
    assert env.unwrapped.action_masks().any()
    _, _, _, _, later = env.step(pick(env.unwrapped.action_masks(), np.random.default_rng(0)))
    assert not info["action_mask"].any()
    assert (env.unwrapped.action_masks() == later["action_mask"]).all()


@pytest.mark.parametrize("action", [-1, 242, 1.5, None, True, "done"], ids=repr)
def test_what_is_no_action_is_refused_and_changes_nothing(action):
    env = make(side="villains")
    _, info = env.reset(seed=2)
    before = everything(env)
    with pytest.raises(IllegalAction):
        env.step(action)
    with pytest.raises(IllegalAction):
        env.step(np.int64(np.argmin(info["action_mask"])))
    assert everything(env) == before
    twin = make(side="villains")
    twin.reset(seed=2)
    rng = np.random.default_rng
    assert flat(run(env, rng(2), info)) == flat(run(twin, rng(2), info))


def test_samples_are_legal():
    env = make(opponent="random")
    env.action_space.seed(1)
    env.reset(seed=1)
    drawn = set()
    for _ in range(300):
        action = env.action_space.sample()
        assert env.unwrapped.action_masks()[action]
        drawn.add(int(action))
        _, _, terminated, _, _ = env.step(action)
        if terminated:
            env.reset()
    assert len(drawn) > 30


def test_a_sample_from_before_a_reset_picks_again_but_a_plain_id_does_not():
    env = make(side="villains")
    env.reset(options={"position": position(villains=side(hand=["kang_1", "ares_1", "hela_1"]))})
    env.action_space.seed(0)
    stale = next(a for a in iter(env.action_space.sample, None) if a == ids("play kang_1")[0])
    where = {"position": position(villains=side(hand=["zola_1", "leader_1", "ultron_1"]))}
    env.reset(options=where)
    with pytest.raises(IllegalAction):
        env.step(int(stale))
    env.step(stale)


def test_samples_obey_a_given_mask():
    env = make(side="villains")
    env.reset(seed=1)
    mask = np.zeros(NEW_YORK.action_count, np.int8)
    mask[17] = 1
    assert env.action_space.sample(mask=mask) == 17


# -- Seeds, sides, options ------------------------------------------------------------------------


@pytest.mark.parametrize("opponent", ["random", "heuristic"])
def test_a_seed_deals_the_game_of_the_table(opponent):
    env = make(side="villains", opponent=opponent)
    for seed in (0, 1, 12345):
        env.reset(seed=seed)
        assert everything(env) == Table.new(seed, skip_forced=True).position()


def test_games_repeat_with_the_seed():
    one, other = make(opponent="random"), make(opponent="random")
    games = []
    for env in (one, other):
        _, info = env.reset(seed=9)
        played = flat(run(env, np.random.default_rng(1), info))
        _, info = env.reset()
        games.append([*played, *flat(run(env, np.random.default_rng(2), info))])
    assert games[0] == games[1]


def test_the_opponents_randomness_differs_from_game_to_game():
    streams = []

    def opponent(view, rng):
        streams[-1].append(int(rng.integers(2**32)))
        return view.policy("random", rng)

    env = make(side="heroes", opponent=opponent)
    for seed in (0, 0, 1, None, None):
        streams.append([])
        env.reset(seed=seed)
    assert streams[0] == streams[1]
    assert len({stream[0] for stream in streams}) == 4


def test_random_sides_come_from_the_seed_and_are_balanced():
    env = make(opponent="random")
    first = [env.reset(seed=seed)[1]["side"] for seed in range(60)]
    again = [env.reset(seed=seed)[1]["side"] for seed in range(60)]
    assert first == again
    assert 18 <= first.count("heroes") <= 42
    env.reset(seed=0)
    later = [env.reset()[1]["side"] for _ in range(60)]
    assert 18 <= later.count("heroes") <= 42


def test_alternate_sides_start_over_with_a_seed():
    env = make(side="alternate", opponent="random")
    sides = [env.reset(seed=5)[1]["side"], *(env.reset()[1]["side"] for _ in range(4))]
    assert sides == ["villains", "heroes", "villains", "heroes", "villains"]
    assert env.reset(seed=6)[1]["side"] == "villains"


@pytest.mark.parametrize("side", AGENTS)
def test_a_side_can_be_fixed(side):
    env = make(side=side)
    assert {env.reset(seed=seed)[1]["side"] for seed in range(8)} == {side}
    assert env.unwrapped.side == side


def test_reset_options():
    env = make(side="villains")
    env.reset(seed=3, options={"position": asking_the_other()})
    assert everything(env) == asking_the_other()
    env.reset(seed=3, options={"rules": {"villains_opening_hand": 6}})
    assert len(env.unwrapped.position()["villains"]["hand"]) == 6
    with pytest.raises(ValueError, match="did you mean 'position'"):
        env.reset(options={"positions": {}})
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=-1)


def test_a_position_without_a_question_for_the_learner_is_refused():
    env = make(side="heroes", opponent=lambda view, rng: ids("done")[0])
    for where in (winning_attack(), {**winning_attack(), "phase": "over", "victory": 9}):
        with pytest.raises(ValueError, match="before heroes are asked"):
            env.reset(options={"position": where})
    with pytest.raises(ResetNeeded):
        env.step(0)


def test_a_deal_that_ends_before_the_learner_is_asked_is_dealt_again():
    settings = {"side": "heroes", "opponent": "random", "rules": {"villains_goal": 1}}
    env, twin = make(**settings), make(**settings)
    replaced = 0
    for seed in range(12):
        _, info = env.reset(seed=seed)
        assert info["action_mask"].any()
        twin.reset(seed=seed)
        assert everything(env) == everything(twin)
        dealt = Table.new(seed, rules=settings["rules"]).position()["heroes"]
        replaced += everything(env)["heroes"]["deck"] != dealt["deck"]
    assert 0 < replaced < 12


def test_max_turns_truncate():
    env = make(side="villains", max_turns=2, opponent="random")
    _, info = env.reset(seed=0)
    *_, (_, reward, terminated, truncated, info) = run(env, np.random.default_rng(0), info)
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert (info["winner"], info["ending"], info["turns"]) == (None, "max_turns", 3)


# -- Copies and pictures --------------------------------------------------------------------------

COPIES = {"deepcopy": copy.deepcopy, "pickle": lambda env: pickle.loads(pickle.dumps(env))}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_copies_go_on_as_the_original_does(copied):
    env = make(opponent="random", shaping=0.1)
    env.action_space.seed(0)
    for seed in range(3):
        _, info = env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        for _ in range(6):
            *_, info = env.step(pick(info["action_mask"], rng))
        twin = copied(env)
        assert (twin.unwrapped.action_masks() == info["action_mask"]).all()
        assert twin.action_space.sample() == env.action_space.sample()
        paths = [flat(run(one, np.random.default_rng(7), info)) for one in (env, twin)]
        assert paths[0] == paths[1]
        again = [one.reset() for one in (env, twin)]
        assert (again[0][0] == again[1][0]).all()


def test_ansi_shows_what_the_learner_knows():
    env = make(side="villains", render_mode="ansi")
    env.reset(options={"position": asking_the_other()})
    assert "ares_1" in env.render()
    assert "thor_1" not in env.render()


def test_human_prints(capsys):
    env = make(side="villains", render_mode="human")
    env.reset(options={"position": asking_the_other()})
    assert capsys.readouterr().out.count("turn 1 (villains)") == 1
    env.step(*ids("play hydra_agents_blue"))
    assert capsys.readouterr().out.count("turn 1 (villains)") == 1
    assert env.render() is None
    assert "turn 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"side": "hero"}, "side: 'hero'"),
        ({"opponent": "heuristc"}, "did you mean 'heuristic'"),
        ({"shaping": "much"}, "shaping"),
        ({"max_turns": 0}, "max_turns"),
    ],
)
def test_wrong_settings_are_named(settings, complaint):
    with pytest.raises(ValueError, match=complaint):
        make(**settings)
