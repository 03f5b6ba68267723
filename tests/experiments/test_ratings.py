import sys

import numpy as np
import pytest

from experiments import ratings
from experiments.ratings import MissingExtra, cycles, rate

DOUBLE = 400 * np.log10(2)  # twice as strong


def table(scores, n=1000):
    """Scores (deals,) by (row, column); a number is spread over n deals as won and lost ones."""
    k = 1 + max(max(pair) for pair in scores)
    deals = {pair: spread(value, n) for pair, value in scores.items()}
    whole = np.full((k, k, len(next(iter(deals.values())))), 0.5)
    for (i, j), column in deals.items():
        whole[i, j], whole[j, i] = column, 1 - column
    return whole


def spread(value, n):
    if not np.isscalar(value):
        return np.asarray(value, float)
    won = round(value * n)
    assert won == pytest.approx(value * n), "choose n so that the score comes out even"
    return np.repeat([1.0, 0.0], [won, n - won])


def drawn(rng, chance, n):
    """Two games on each of n deals, won with this chance."""
    return (rng.random((n, 2)) < chance).mean(axis=1)


def test_three_wins_in_four_are_191_points_by_hand():
    """The odds are 3 to 1, and ten to one are 400 points: 400 log10(3) = 190.85."""
    found = rate(["a", "b"], table({(1, 0): 0.75}, 10_000), resamples=100)
    assert found.elo == pytest.approx([0, 190.85], abs=0.05)
    assert found.predicted[1, 0] == pytest.approx(0.75, abs=1e-4)


def test_strengths_one_two_four_by_hand():
    """Scores 1/3, 1/5 and 1/3 belong to strengths 1, 2 and 4."""
    scores = table({(0, 1): 1 / 3, (0, 2): 1 / 5, (1, 2): 1 / 3}, 15_000)
    found = rate(["a", "b", "c"], scores, resamples=100)
    assert found.elo == pytest.approx([0, DOUBLE, 2 * DOUBLE], abs=0.1)
    assert not found.gap.clear
    assert found.gap.found - found.gap.predicted == pytest.approx(0, abs=1e-4)
    middle = rate(["a", "b", "c"], scores, reference="b", resamples=100)
    assert middle.elo == pytest.approx([-DOUBLE, 0, DOUBLE], abs=0.1)
    assert middle.low[1] == middle.high[1] == 0


def test_one_drawn_game_is_added_to_each_pair():
    """Two deals, all four games won: 4.5 to 0.5 with the drawn one, odds of nine."""
    found = rate(["a", "b"], table({(1, 0): [1, 1]}), resamples=100)
    assert found.elo[1] == pytest.approx(400 * np.log10(9), abs=1e-4)


def test_a_draw_is_half_a_win_for_each():
    half_won = table({(0, 1): [1, 0, 1, 0], (0, 2): [1, 1, 0, 0], (1, 2): [0.5, 1, 1, 0.5]})
    half_drawn = table({(0, 1): [0.5] * 4, (0, 2): [1, 0, 0.5, 0.5], (1, 2): [1, 0.5, 1, 0.5]})
    names = ["a", "b", "c"]
    one, other = (rate(names, scores, resamples=100) for scores in (half_won, half_drawn))
    assert one.elo == pytest.approx(other.elo)
    nothing_but_draws = rate(names, np.full((3, 3, 5), 0.5), resamples=100)
    assert nothing_but_draws.elo == pytest.approx([0, 0, 0], abs=1e-6)


def test_intervals_are_as_wide_as_the_spread_of_deals_by_hand():
    """A score p with standard error s moves the rating by s / (p (1 - p)) natural units."""
    column = drawn(np.random.default_rng(1), 0.7, 800)
    found = rate(["a", "b"], table({(1, 0): column}), resamples=2000)
    p, error = column.mean(), column.std(ddof=1) / 800**0.5
    margin = 1.96 * 400 / np.log(10) * error / (p * (1 - p))
    assert found.high[1] - found.elo[1] == pytest.approx(margin, rel=0.12)
    assert found.elo[1] - found.low[1] == pytest.approx(margin, rel=0.12)


def test_games_of_a_deal_that_go_together_make_intervals_wider():
    """The same 200 games: on 100 deals both games fall alike, or 200 that each stand for two."""
    rng = np.random.default_rng(2)
    games = (rng.random(200) < 0.6).astype(float)
    apart = table({(1, 0): games})
    together = table({(1, 0): games[:100]})
    widths = [
        np.ptp([found.low[1], found.high[1]])
        for found in (rate(["a", "b"], scores, resamples=1000) for scores in (apart, together))
    ]
    assert widths[1] / widths[0] == pytest.approx(2**0.5, rel=0.15)


@pytest.mark.slow
def test_intervals_hold_the_truth_about_as_often_as_they_say():
    """Ratings 0, 120 and 241, measured on 200 deals, a hundred times."""
    chances = {(0, 1): 1 / 3, (0, 2): 1 / 5, (1, 2): 1 / 3}
    rng, held, clear = np.random.default_rng(3), 0, 0
    for _ in range(100):
        scores = table({pair: drawn(rng, chance, 200) for pair, chance in chances.items()})
        found = rate(["a", "b", "c"], scores, resamples=200)
        truth = np.array([0, DOUBLE, 2 * DOUBLE])
        held += int(((found.low <= truth) & (truth <= found.high))[1:].sum())
        clear += found.gap.clear
    assert 180 <= held <= 199
    assert clear <= 12  # five expected where the ratings fit


def test_the_order_of_agents_changes_no_rating():
    rng = np.random.default_rng(4)
    scores = table({(0, 1): drawn(rng, 0.3, 50), (0, 2): drawn(rng, 0.2, 50), (1, 2): [0.5] * 50})
    found = rate(["a", "b", "c"], scores, resamples=200)
    order = [2, 0, 1]
    moved = rate(["c", "a", "b"], scores[np.ix_(order, order)], reference="a", resamples=200)
    for key in ("elo", "low", "high"):
        assert getattr(moved, key) == pytest.approx(getattr(found, key)[order], abs=1e-4)


def test_rock_paper_scissors_is_found_out():
    """Everybody scores half over all: equal ratings, which miss each score by ten points."""
    scores = table({(0, 1): 0.6, (1, 2): 0.6, (2, 0): 0.6})
    names = ["rock", "scissors", "paper"]
    found = rate(names, scores, resamples=300)
    assert found.elo == pytest.approx([0, 0, 0], abs=0.1)
    gap = found.gap
    assert gap.found == pytest.approx(0.6)
    assert gap.predicted == pytest.approx(0.5, abs=1e-3)
    assert gap.low < 0.1 < gap.high
    assert 0 < gap.chance < 0.05
    assert gap.clear
    score, low = scores.mean(axis=2), scores.mean(axis=2) - 0.03
    (circle,) = cycles(names, score, low)
    assert circle["agents"] == names
    assert circle["scores"] == pytest.approx([0.6] * 3)
    assert circle["least"] == pytest.approx(0.57)


def test_a_circle_runs_either_way_and_must_clear_a_half():
    score = table({(0, 2): 0.6, (2, 1): 0.6, (1, 0): 0.6}).mean(axis=2)
    (circle,) = cycles("abc", score, score - 0.03)
    assert circle["agents"] == ["a", "c", "b"]
    assert not cycles("abc", score, score - 0.1)
    in_line = table({(0, 1): 0.6, (1, 2): 0.6, (0, 2): 0.8}).mean(axis=2)
    assert not cycles("abc", in_line, in_line - 0.03)


def test_the_clearest_circle_comes_first():
    score = np.full((4, 4), 0.5)
    for i, j, value in [(0, 1, 0.7), (1, 2, 0.6), (2, 0, 0.6), (1, 3, 0.9), (3, 0, 0.9)]:
        score[i, j], score[j, i] = value, 1 - value
    found = cycles("abcd", score, score - 0.05)
    assert [one["agents"] for one in found] == [["a", "b", "d"], ["a", "b", "c"]]
    assert [one["least"] for one in found] == pytest.approx([0.65, 0.55])


def test_an_end_is_open_where_an_agent_won_or_lost_everything():
    scores = table({(0, 1): 0.4, (2, 0): 1.0, (2, 1): 1.0}, 50)
    found = rate(["a", "b", "never beaten"], scores, resamples=100)
    assert found.rows()[0]["agent"] == "never beaten"
    assert found.rows()[0]["high"] is None
    assert found.low[2] > found.high[1]
    assert np.isfinite(found.high[:2]).all()
    below = rate(["a", "b", "never beaten"], scores, reference="never beaten", resamples=100)
    assert [row["low"] for row in below.rows()] == [0, None, None]
    assert not found.gap.clear


def test_who_never_met_defeat_against_one_is_bounded_by_another():
    """Agent c lost nothing to a, but b did take games from c, and a from b."""
    found = rate(
        ["a", "b", "c"], table({(1, 0): 0.8, (2, 0): 1.0, (2, 1): 0.8}, 100), resamples=200
    )
    assert np.isfinite(found.high).all()
    assert found.elo[2] > found.elo[1] > 0


def test_random_is_at_zero_where_it_takes_part():
    scores = table({(0, 1): 0.6, (0, 2): 0.9, (1, 2): 0.8}, 100)
    assert rate(["a", "b", "random"], scores, resamples=100).reference == "random"
    assert rate(["a", "b", "c"], scores, resamples=100).reference == "a"


@pytest.mark.parametrize(
    ("names", "scores", "options", "said"),
    [
        (["a"], np.full((1, 1, 3), 0.5), {}, "two agents or more, not 1"),
        (["a", "b"], np.full((3, 3, 3), 0.5), {}, r"shape \(2, 2, deals\), not \(3, 3, 3\)"),
        (["a", "b"], np.full((2, 2, 0), 0.5), {}, r"not \(2, 2, 0\)"),
        (["a", "b"], np.full((2, 2, 3), 0.6), {}, "must sum to 1"),
        (["a", "b"], np.full((2, 2, 3), np.nan), {}, "ratings need every pair"),
        (["a", "b"], np.full((2, 2, 3), 0.5), {"reference": "c"}, "'c' is not among a, b"),
    ],
)
def test_tables_that_cannot_be_rated_are_refused(names, scores, options, said):
    with pytest.raises(ValueError, match=said):
        rate(names, scores, **options)


def test_the_missing_library_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "choix", None)
    with pytest.raises(MissingExtra, match=r"skirmish-env\[arena\]"):
        ratings.need_choix()
