"""`check_no_leak` finds what gives something away, names it, and leaves the rest in peace."""

from __future__ import annotations

import re

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import RecordEpisodeStatistics
from pettingzoo.utils.wrappers import BaseWrapper

from skirmish_env import Table, skirmish_v0
from skirmish_env.batch import Batch
from skirmish_env.common.jit import PLAIN
from skirmish_env.testing import Leak, check_no_leak
from skirmish_env.testing.leaks import differences
from tests.properties.leaky import LEAKS

pytestmark = pytest.mark.skipif(PLAIN, reason="thousands of observations: compiled code only")

ENV_ID = "skirmish_env/Skirmish-v0"


@pytest.mark.parametrize("leaky", LEAKS, ids=lambda leaky: leaky.__name__)
def test_a_leak_is_found_and_named(leaky):
    make, field = LEAKS[leaky]
    with pytest.raises(Leak) as found:
        check_no_leak(make(leaky), games=1)
    leak = found.value
    assert leak.viewer in ("villains", "heroes")
    assert re.match(field, leak.field), leak
    assert re.match(r"game of seed 0, decision \d+ \([a-z ]+\)", leak.moment), leak
    for named in (leak.viewer, f"`{leak.field}`", leak.moment):
        assert named in str(leak)


class Busy(BaseWrapper):
    """Adds what everybody may know, and counts for itself."""

    def reset(self, seed=None, options=None):
        self.steps = 0
        self.env.reset(seed=seed, options=options)

    def step(self, action):
        self.env.step(action)
        self.steps += 1

    @property
    def infos(self):
        seats = self.env.possible_agents
        return {seat: {**self.env.infos[seat], "steps": self.steps} for seat in seats}


TIGHT = {
    "wrapped": (skirmish_v0.env, 2),
    "every decision of a short game": (lambda: skirmish_v0.raw_env(max_turns=2), 1),
    "forced ones asked, drawn for all": (
        lambda: skirmish_v0.raw_env(skip_forced=False, render_mode="ansi"), 25),
    "drawn for the Heroes, printed": (
        lambda: skirmish_v0.env(render_mode="human", render_viewer="heroes", shaping=0.9), 10),
    "a wrapper with infos": (lambda: Busy(skirmish_v0.raw_env()), 10),
    "a learner": (lambda: gymnasium.make(ENV_ID, shaping=0.5, render_mode="ansi"), 3),
    "a learner with a clock": (
        lambda: RecordEpisodeStatistics(gymnasium.make(ENV_ID, side="heroes", max_turns=3)), 1),
    "a table": (lambda: Table.new(5), 20),
    "a table that skips": (lambda: Table.new(6, skip_forced=True), 20),
    "a batch": (lambda: Batch(3), 10),
}  # fmt: skip


@pytest.mark.parametrize("name", TIGHT)
def test_what_is_tight_passes(name, capsys):
    factory, every = TIGHT[name]
    assert check_no_leak(factory, games=1, every=every) > 10
    assert capsys.readouterr().out == ""


OPPONENTS = ("random", "heuristic", "expert", lambda view, rng: int(view.policy("random", rng)[0]))


@pytest.mark.slow
@pytest.mark.parametrize("opponent", OPPONENTS, ids=lambda one: getattr(one, "__name__", one))
@pytest.mark.parametrize("side", ["villains", "heroes", "random", "alternate"])
def test_learners_of_every_kind_are_tight(opponent, side):
    settings = {"opponent": opponent, "side": side, "skip_forced": side != "heroes"}
    assert check_no_leak(lambda: gymnasium.make(ENV_ID, **settings), games=4, every=1) > 200


@pytest.mark.slow
@pytest.mark.parametrize("skip_forced", [False, True])
def test_whole_games_are_tight(skip_forced):
    for factory in (
        lambda: skirmish_v0.env(skip_forced=skip_forced, render_mode="ansi"),
        lambda: Table.new(11, skip_forced=skip_forced),
        lambda: Batch(2, skip_forced=skip_forced),
    ):
        assert check_no_leak(factory, games=2, every=2) > 200


def test_fewer_decisions_make_fewer_comparisons():
    often = check_no_leak(lambda: Table.new(2), games=1, every=30)
    rarely = check_no_leak(lambda: Table.new(2), games=1, every=60)
    assert often > rarely > 10


@pytest.mark.parametrize("numbers", [{"games": 0}, {"every": 0}])
def test_a_check_of_nothing_is_refused(numbers):
    with pytest.raises(ValueError, match="games and every are 1 or more"):
        check_no_leak(skirmish_v0.raw_env, **numbers)


def test_foreign_environments_are_refused():
    with pytest.raises(TypeError, match="no environment of this package"):
        check_no_leak(lambda: gymnasium.make("CartPole-v1"))


def test_differences_name_the_place():
    one = {"a": [1, {"b": np.zeros(3)}], "c": "x", "d": True}
    other = {"a": [1, {"b": np.array([0.0, 0.0, 2.0])}], "c": "x", "d": 1}
    assert [field for field, *_ in differences(one, other)] == ["a[1]['b'][2]", "d"]
    assert not list(differences(one, one))
    assert [field for field, *_ in differences({"a": {}}, {"a": {1: 2}})] == ["a (keys)"]
    assert [field for field, *_ in differences([0.0], [-0.0])] == ["[0]"]


def test_what_cannot_be_compared_by_value_is_compared_by_what_it_holds():
    one, other = Batch(1), Batch(1)
    assert not list(differences([one], [other]))
    other.states["turn"] = 3
    assert [field for field, *_ in differences([one], [other])] == ["[0]"]
