"""The checkers of PettingZoo, Gymnasium and Stable-Baselines3, with warnings as errors."""

from __future__ import annotations

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

from skirmish_env import skirmish_v0

# What PettingZoo's test says of every environment with masks in a dict and agents with names.
KNOWN = [
    "ignore:Observation space for each agent probably should be",
    "ignore:We recommend agents to be named in the format",
    "ignore:Observation is not a NumPy array",
    "ignore:Action mask is all zeros",
]


def known_remarks(test):
    for message in KNOWN:
        test = pytest.mark.filterwarnings(message)(test)
    return test


@known_remarks
@pytest.mark.slow
@pytest.mark.parametrize("make", [skirmish_v0.env, skirmish_v0.raw_env])
def test_pettingzoo_api_for_many_cycles(make):
    api_test(make(shaping=0.1, render_mode="ansi"), num_cycles=20_000)


@known_remarks
@pytest.mark.parametrize("settings", [{}, {"shaping": 0.1}, {"max_turns": 4}], ids=repr)
def test_pettingzoo_api(settings):
    api_test(skirmish_v0.env(**settings), num_cycles=400)


@known_remarks
def test_pettingzoo_api_with_forced_questions_and_without_wrapper():
    api_test(skirmish_v0.raw_env(skip_forced=False), num_cycles=400)


def test_pettingzoo_seeds():
    seed_test(skirmish_v0.env, num_cycles=200)


def test_pettingzoo_rendering(capsys):
    render_test(skirmish_v0.env)
    assert "recruitment" in capsys.readouterr().out


@pytest.mark.parametrize("side", ["villains", "heroes", "random"])
@pytest.mark.parametrize("opponent", ["random", "heuristic"])
def test_gymnasium_env(opponent, side):
    env = gymnasium.make("skirmish_env/Skirmish-v0", opponent=opponent, side=side)
    check_env(env.unwrapped)


@pytest.mark.parametrize("mode", ["ansi", "human"])
@pytest.mark.parametrize("skip", [False, True])
def test_gymnasium_env_with_pictures(mode, skip, capsys):
    env = gymnasium.make("skirmish_env/Skirmish-v0", render_mode=mode)
    check_env(env.unwrapped, skip_render_check=skip)


@pytest.mark.parametrize("side", ["villains", "heroes", "random"])
def test_stable_baselines3_env(side):
    sb3 = pytest.importorskip("stable_baselines3.common.env_checker")
    env = gymnasium.make("skirmish_env/Skirmish-v0", side=side)
    sb3.check_env(env.unwrapped, warn=True, skip_render_check=False)


def test_sb3_contrib_finds_the_masks():
    maskable = pytest.importorskip("sb3_contrib.common.maskable.utils")
    env = gymnasium.make("skirmish_env/Skirmish-v0")
    env.reset(seed=0)
    assert maskable.is_masking_supported(env)
    assert maskable.get_action_masks(env).any()
