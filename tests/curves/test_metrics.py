"""The numbers of an update in metrics.csv, and their picture."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from experiments import curves, numbers
from experiments import train as training
from experiments.clock import Clock, timing
from experiments.league import League
from experiments.numbers import Tally
from experiments.selfplay_env import SelfPlayVecEnv
from skirmish_env.game import NEW_YORK
from tests.curves.helpers import SEATS, small


def test_the_columns_are_those_of_the_docs(watched):
    """One name a row in docs/curves.md; KIND, OPPONENT and SEAT stand for all there are."""
    page = (Path(__file__).parents[2] / "docs" / "curves.md").read_text(encoding="utf-8")
    (section,) = [one for one in page.split("\n## ") if one.startswith("metrics.csv")]
    named = [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")]
    words = {
        "KIND": ("heuristic", "random", "expert", "latest", "past"),
        "OPPONENT": ("random", "heuristic"),
        "SEAT": SEATS,
    }
    for placeholder, there in words.items():
        named = [
            name.replace(placeholder, word)
            for name in named
            for word in (there if placeholder in name else ("",))
        ]
    assert sorted(watched.read_metrics()[0]) == sorted(named)


def test_the_numbers_of_an_update(watched):
    rows = watched.read_metrics()
    assert [int(row["decisions"]) for row in rows] == [512, 1024, 1536, 2048]
    for row in rows:
        shares = [float(row[f"share_{part}"]) for part in numbers.PARTS]
        assert sum(shares) == pytest.approx(1, abs=1e-3)
        assert min(shares[:4]) > 0
        assert 0 < float(row["entropy"]) < np.log(NEW_YORK.action_count)
        assert 0 <= float(row["clip_fraction"]) <= 1
        assert float(row["explained_variance"]) <= 1
        assert float(row["decisions_per_second"]) > 0
    evaluated = [bool(row["eval_random"]) for row in rows]
    assert evaluated == [False, True, False, True]
    assert [float(row["share_evaluation"]) > 0 for row in rows] == evaluated
    last = rows[-1]
    by_seat = [float(last[f"eval_random_{seat}"]) for seat in SEATS]
    assert float(last["eval_random"]) == pytest.approx(np.mean(by_seat))


class Fixed:
    """A league in which members are kinds."""

    def kind(self, member):
        return ("random", "latest")[member]


def ended(reward, length):
    return {"episode": {"r": reward, "l": length}}


def test_games_are_counted_by_the_seat_and_opponent_they_had():
    tally = Tally(SEATS, ["random", "latest"])
    seat, opponent = np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])
    tally.look(seat, opponent)
    seat[:], opponent[:] = 1 - seat, 1 - opponent  # dealt anew within the step
    infos = [ended(1.0, 10), ended(-1.0, 20), {}, ended(0.0, 30)]
    tally.count(np.array([0, 1, 3]), infos, Fixed())
    tally.look(seat, opponent)
    tally.count(np.array([3]), [{}, {}, {}, ended(1.0, 20)], Fixed())
    assert tally.take() == {
        "game_length": 20.0,
        "draw_rate": 0.25,
        "score_random_villains": 1.0,
        "score_random_heroes": 0.0,
        "score_latest_villains": "",
        "score_latest_heroes": 0.5,
    }
    assert set(tally.take().values()) == {""}


def test_scores_by_seat_in_a_training_add_up_to_those_of_the_league(monkeypatch, tmp_path):
    """What the league counts game by game, the tally finds again from outside."""
    seen, told = Counter(), Counter()
    record, count = League.record, Tally.count

    def recorded(self, member, seat, reward):
        seen[self.kind(member), seat, float(reward)] += 1
        record(self, member, seat, reward)

    def counted(self, games, infos, league):
        count(self, games, infos, league)
        for game in games.tolist():
            kind = league.kind(int(self._opponent[game]))
            told[kind, int(self._seat[game]), infos[game]["episode"]["r"]] += 1

    monkeypatch.setattr(League, "record", recorded)
    monkeypatch.setattr(Tally, "count", counted)
    training.train(small(tmp_path, evaluate_every=0))
    assert told == seen
    assert sum(told.values()) > 20


def test_the_seats_of_ended_games_are_those_they_were_played_in(monkeypatch, tmp_path):
    """The environment reports a game before it changes its seat."""
    env_class = SelfPlayVecEnv
    report, count = env_class._report, Tally.count
    seen, told = [], []

    def reported(self, games):
        seen.extend(zip(games.tolist(), self.seat[games].tolist()))
        report(self, games)

    def counted(self, games, infos, league):
        told.extend(zip(games.tolist(), self._seat[games].tolist()))
        count(self, games, infos, league)

    monkeypatch.setattr(env_class, "_report", reported)
    monkeypatch.setattr(Tally, "count", counted)
    training.train(small(tmp_path, evaluate_every=0))
    assert Counter(told) == Counter(seen)


def test_time_is_charged_to_the_innermost_part():
    now = [0.0]
    clock = Clock("other", lambda: now[0])

    class Games:
        def step(self):
            now[0] += 2
            self.answer()

        def answer(self):
            now[0] += 3

    games = Games()
    now[0] = 1
    with timing(clock, games, {"step": "rules", "answer": "opponents"}):
        clock.switch("forward")
        games.step()
        now[0] += 4
    games.step()
    assert clock.take() == {"other": 1, "forward": 9, "rules": 2, "opponents": 3}
    assert clock.take() == {"forward": 0}
    with pytest.raises(AttributeError, match="nowhere"), timing(clock, games, {"nowhere": "rules"}):
        pass


def test_the_picture_of_a_run(watched, tmp_path):
    for rows in ([], watched.read_metrics()[:1], watched.read_metrics()):
        curves.draw(rows, tmp_path / "run.png")
        assert (tmp_path / "run.png").read_bytes().startswith(b"\x89PNG")
