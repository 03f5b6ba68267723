"""Measures over runs and their intervals, beside numbers worked out by hand."""

import numpy as np
import pytest

from experiments.measures import Bootstrap, improvement, iqm, mean, optimality_gap


def test_measures_on_numbers_worked_out_by_hand():
    scores = np.array([[0.0, 0.2, 0.4, 0.6], [0.1, 0.3, 0.5, 1.5]])
    assert mean(scores) == pytest.approx(3.6 / 8)
    assert iqm(scores) == pytest.approx((0.2 + 0.3 + 0.4 + 0.5) / 4)
    assert optimality_gap(scores) == pytest.approx(1 - 3.1 / 8)
    assert optimality_gap(scores, 0.5) == pytest.approx(0.5 - 2.5 / 8)
    assert iqm(np.array([[0.1], [0.4], [0.9]])) == pytest.approx(1.4 / 3)  # no quarter of three


def test_measures_keep_further_axes():
    scores = np.random.default_rng(0).random((4, 3, 5))
    for measure in (mean, iqm, optimality_gap):
        each = [measure(scores[:, :, t]) for t in range(5)]
        assert measure(scores) == pytest.approx(each)


def test_probability_of_improvement_by_hand():
    """First task: 0.5 beats 0.4, ties 0.5, loses to 0.6; second task: always better."""
    a = np.array([[0.5, 0.9]])
    b = np.array([[0.4, 0.1], [0.5, 0.2], [0.6, 0.3]])
    assert improvement(a, b) == pytest.approx((0.5 + 1) / 2)
    assert improvement(b, a) == pytest.approx((0.5 + 0) / 2)


# IQM, optimality gap to 0.6 and probability of improvement as rliable 1.2.0 gives them.
@pytest.mark.parametrize(
    ("shape", "known"),
    [
        ((3, 6), (0.459, 0.189444444, 0.509259259)),
        ((10, 5), (0.528846154, 0.1662, 0.53)),
        ((5, 7), (0.473157895, 0.192857143, 0.402857143)),
    ],
)
def test_measures_are_those_of_rliable(shape, known):
    rng = np.random.default_rng(3)
    a, b = rng.random(shape).round(2), rng.random(shape).round(2)
    assert (iqm(a), optimality_gap(a, 0.6), improvement(a, b)) == pytest.approx(known)


def test_intervals_of_two_runs_by_hand():
    """Drawn again, both are run 0 or run 1 with a chance of a quarter each: the ends."""
    scores = np.array([[0.2, 0.4], [0.6, 0.8]])
    found = Bootstrap(400).interval(mean, scores)
    assert (found.value, found.low, found.high) == pytest.approx((0.5, 0.3, 0.7))


def test_runs_are_drawn_whole_unless_tasks_stand_apart():
    """Scores that cancel out within each run: their mean is sure for whole runs only."""
    scores = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    whole = Bootstrap(400).interval(mean, scores)
    assert (whole.low, whole.high) == (0.5, 0.5)
    apart = Bootstrap(400, apart=True).interval(mean, scores)
    assert apart.low < 0.3 < 0.7 < apart.high


def test_intervals_cover_what_they_should():
    """20 runs of normal scores: the interval holds the mean about 92 times of 100 (see docs)."""
    rng = np.random.default_rng(1)
    hits = 0
    for number in range(300):
        found = Bootstrap(200, number).interval(mean, rng.standard_normal((20, 1)))
        hits += found.low <= 0 <= found.high
    assert 0.87 < hits / 300 < 0.97


def test_intervals_repeat_and_each_group_is_drawn_by_itself():
    rng = np.random.default_rng(2)
    a, b = rng.random((5, 3)), rng.random((8, 3)) + 0.2
    first, again = (Bootstrap(300).interval(improvement, a, b) for _ in range(2))
    assert (first.low, first.high) == (again.low, again.high)
    assert first.low < first.value < first.high
    with pytest.raises(ValueError, match="expected \\(runs, tasks"):
        Bootstrap(10).interval(mean, np.zeros((0, 2)))
