import csv
import importlib.util
import json
import sys
import types
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from stable_baselines3.common.save_util import load_from_zip_file

from agents import checkpoint
from agents.base import load
from configs.schema import (
    AgentConfig,
    CompareConfig,
    ConfigError,
    EvaluateConfig,
    ReplicateConfig,
    RunConfig,
    TrainConfig,
    settings,
)
from experiments import board, curves, learning, numbers, replicate
from experiments import compare as comparing
from experiments import train as training
from experiments.clock import Clock, timing
from experiments.league import League
from experiments.measures import Bootstrap, improvement, iqm, mean, optimality_gap
from experiments.numbers import Tally, Yardstick, due
from experiments.runs import RunFolder
from experiments.selfplay_env import SelfPlayVecEnv
from experiments.session import set_up
from skirmish_env.game import NEW_YORK

SEATS = ("villains", "heroes")


def small(folder, seed=0, name="ppo", **changes):
    """Settings of a run that takes about a second."""
    t = TrainConfig(
        decisions=2048, games=32, steps=16, minibatch=256, epochs=2, snapshot_every=512,
        checkpoint_every=1024, snapshots=2, threads=1, evaluate_every=1024, evaluate_deals=4,
        evaluate_opponents=["random", "heuristic"],
    )  # fmt: skip
    return RunConfig(
        name=name,
        seed=seed,
        folder=str(folder),
        agent=AgentConfig(trunk=[16], policy=[16], value=[16]),
        train=replace(t, **changes),
        evaluate=EvaluateConfig(opponents=["random"], deals=4),
    )


@pytest.fixture(scope="module")
def watched(tmp_path_factory):
    """A run with evaluations and TensorBoard."""
    return RunFolder(training.train(small(tmp_path_factory.mktemp("watched"), tensorboard=True)))


def policy_of(run):
    return load_from_zip_file(checkpoint.find(run), load_data=False)[1]["policy"]


# ---- metrics.csv


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


# ---- evaluations during training


@pytest.mark.parametrize(
    ("before", "now", "every", "right"),
    [(0, 512, 1024, False), (512, 1024, 1024, True), (1024, 1536, 1024, False),
     (900, 2100, 1000, True), (0, 4096, 0, False)],
)  # fmt: skip
def test_when_an_evaluation_is_due(before, now, every, right):
    assert due(before, now, every) is right


def test_evaluations_leave_training_as_it_was(watched, tmp_path):
    """Bit by bit the same weights, and the same numbers, with and without."""
    without = RunFolder(training.train(small(tmp_path, evaluate_every=0)))
    left, right = policy_of(watched.path), policy_of(without.path)
    assert all(torch.equal(value, right[key]) for key, value in left.items())
    ours = [name for name in watched.read_metrics()[0] if name.startswith(("score_", "entropy"))]
    for one, other in zip(watched.read_metrics(), without.read_metrics()):
        assert [one[name] for name in ours] == [other[name] for name in ours]
        assert other["eval_random"] == ""


def test_an_evaluation_repeats_and_leaves_all_generators_alone(tmp_path):
    config = small(tmp_path)
    session = set_up(config, RunFolder.create(config))
    before = torch.get_rng_state(), np.random.get_state(legacy=False), session.env.state()
    first = session.yardstick.measure(session.model.policy)
    assert first == session.yardstick.measure(session.model.policy)
    assert set(first) == set(session.yardstick.nothing())
    after = torch.get_rng_state(), np.random.get_state(legacy=False), session.env.state()
    assert torch.equal(before[0], after[0])
    assert np.array_equal(before[1]["state"]["key"], after[1]["state"]["key"])
    assert before[1]["state"]["pos"] == after[1]["state"]["pos"]
    assert before[2]["deals"] == after[2]["deals"]
    assert before[2]["moves"] == after[2]["moves"]


def test_an_evaluation_is_the_arenas(tmp_path):
    """The columns are the arena's numbers of a deterministic agent."""
    yardstick = Yardstick({"it": load("random")}, np.arange(6), NEW_YORK, NEW_YORK.load(None, None))
    config = small(tmp_path)
    session = set_up(config, RunFolder.create(config))
    agent = numbers.PPOAgent(session.model.policy, deterministic=True)
    found = numbers.arena.play_pairs(agent, load("random"), np.arange(6))
    villains, heroes = found.scores.mean(axis=0)
    assert yardstick.measure(session.model.policy) == {
        "eval_it": numbers.short(found.scores.mean()),
        "eval_it_villains": numbers.short(villains),
        "eval_it_heroes": numbers.short(heroes),
        "eval_it_draws": numbers.short((found.scores == 0.5).mean()),
    }


def test_wrong_opponents_of_evaluations_are_told_before_training(tmp_path):
    with pytest.raises(ConfigError, match=r"train\.evaluate_opponents: .*nobody"):
        training.train(small(tmp_path, evaluate_opponents=["nobody"]))
    with pytest.raises(ConfigError, match="two are called 'random'"):
        training.train(small(tmp_path, evaluate_opponents=["random", "random"]))
    with pytest.raises(ConfigError, match=r"train\.evaluate_deals: must be from 1"):
        small(tmp_path, evaluate_deals=0)


# ---- boards


def events(folder):
    """All points in a folder's event files, in the order they were written: (tag, step, value)."""
    from tensorboard.backend.event_processing.event_file_loader import EventFileLoader

    found = []
    for file in sorted(folder.glob("events.*")):
        for event in EventFileLoader(str(file)).Load():
            for value in event.summary.value:
                number = value.tensor.float_val[0]
                found.append((value.tag, event.step, number))
    return found


def assert_events_are_the_metrics(run):
    found = events(run.path / board.TENSORBOARD)
    steps = Counter((name, step) for name, step, _ in found)
    assert set(steps.values()) == {1}
    values = {(name, step): value for name, step, value in found}
    rows = run.read_metrics()
    assert len(values) == sum(len(board.points(row)) for row in rows)
    for row in rows:
        for name, value in board.points(row).items():
            assert values[name, int(row["decisions"])] == pytest.approx(value, rel=1e-6)
    assert len(rows) == 4


def test_tensorboard_has_every_point_once(watched):
    pytest.importorskip("tensorboard")
    assert_events_are_the_metrics(watched)
    names = {name for name, *_ in events(watched.path / board.TENSORBOARD)}
    assert {"train/approx_kl", "eval/random_heroes", "share/rules", "score/past"} <= names


def test_a_resumed_run_goes_on_in_the_same_log(tmp_path, monkeypatch):
    """Killed after three updates, with a checkpoint after two: the third comes again, once."""
    pytest.importorskip("tensorboard")

    class Killed(RuntimeError):
        pass

    class KilledSoon(learning.Loop):
        def close_iteration(self, last=False):
            super().close_iteration(last)
            if self.model.num_timesteps >= 1536:
                raise Killed

    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr(learning, "Loop", KilledSoon)
        training.train(small(tmp_path, tensorboard=True))
    (folder,) = tmp_path.iterdir()
    assert {step for _, step, _ in events(folder / board.TENSORBOARD)} == {512, 1024, 1536}
    run = RunFolder(training.train(RunConfig(resume=str(folder))))
    assert_events_are_the_metrics(run)


class FakeWandb(types.ModuleType):
    """What of the package is used, kept in a list."""

    def __init__(self):
        super().__init__("wandb")
        self.started, self.logged, self.ended = [], [], 0

    def init(self, **options):
        self.started.append(options)
        return self

    def log(self, values, step):
        self.logged.append((step, values))

    def finish(self):
        self.ended += 1


def test_weights_and_biases_gets_every_update_once(watched, tmp_path, monkeypatch):
    fake = FakeWandb()
    monkeypatch.setitem(sys.modules, "wandb", fake)
    run = RunFolder(tmp_path)
    config = replace(small(tmp_path, wandb="offline"), seed=7)
    rows = watched.read_metrics()
    for row in rows[:2]:
        run.add_metrics(row)
    (begun,) = board.open_boards(config, run)
    begun.write(rows[2])
    begun.close()
    (again,) = board.open_boards(config, run)  # from the checkpoint after two updates
    for row in rows[2:]:
        again.write(row)
    again.close()
    assert [step for step, _ in fake.logged] == [512, 1024, 1536, 2048]
    assert fake.logged[-1][1] == board.points(rows[-1])
    assert fake.ended == 2
    assert {(one["id"], one["mode"], one["resume"]) for one in fake.started} == {
        (tmp_path.name, "offline", "allow")
    }
    assert fake.started[0]["config"]["seed"] == 7


@pytest.mark.parametrize(
    ("changes", "package", "extra"),
    [({"tensorboard": True}, "tensorboard", "log"), ({"wandb": "offline"}, "wandb", "wandb")],
)
def test_a_missing_package_is_named_with_its_extra(tmp_path, monkeypatch, changes, package, extra):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ConfigError, match=rf"train\.{package}: .*skirmish-env\[{extra}\]"):
        training.train(small(tmp_path, **changes))


def test_without_boards_no_such_package_is_loaded(tmp_path):
    config = small(tmp_path)
    assert board.open_boards(config, RunFolder(tmp_path)) == []
    with pytest.raises(ConfigError, match=r"train\.wandb: must be off or offline or online"):
        small(tmp_path, wandb="on")
    if importlib.util.find_spec("wandb"):
        assert "wandb" not in sys.modules


# ---- measures


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


# ---- comparing


def made_run(folder, seed, villains, heroes, name="ppo", curve=(0.1, 0.2), **changes):
    """A run folder with results, as training leaves it."""
    config = small(folder, seed, name, **changes)
    run = RunFolder.create(config)
    seats = {"villains": {"score": villains}, "heroes": {"score": heroes}}
    results = [{"opponent": "random", "score": (villains + heroes) / 2, "seats": seats}]
    arena = {"opponents": ["random"], "deals": 4}
    run.evaluation.write_text(json.dumps({"settings": arena, "results": results}))
    for number, score in enumerate(curve, 1):
        run.add_metrics({
            "decisions": 1024 * number, "seconds": number, "score_random": 0.5,
            "eval_random": score, "eval_random_villains": score, "eval_random_heroes": score / 2,
            "eval_random_draws": 0,
        })  # fmt: skip
    return run.path


def read_rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_runs_that_differ_in_the_seed_alone_are_one_group(tmp_path):
    found = [
        made_run(tmp_path, 0, 0.5, 0.5),
        made_run(tmp_path, 1, 0.5, 0.5, tensorboard=True, checkpoint_every=77),
        made_run(tmp_path, 0, 0.5, 0.5, gamma=0.9),
        made_run(tmp_path, 1, 0.5, 0.5, gamma=0.9),
    ]
    groups = comparing.grouped([comparing.read(path) for path in found], "config")
    assert {label: [run.seed for run in members] for label, members in groups.items()} == {
        "train.gamma=0.997": [0, 1],
        "train.gamma=0.9": [0, 1],
    }
    with pytest.raises(ConfigError, match="seed 0 is there twice"):
        comparing.grouped([comparing.read(path) for path in found], "name")


def test_groups_are_called_after_names_or_folders(tmp_path):
    runs = [
        comparing.read(made_run(tmp_path / kind, seed, 0.5, 0.5, name, gamma=gamma))
        for kind, gamma in (("one", 0.9), ("other", 0.95))
        for seed, name in ((0, "seed0"), (1, "seed1"))
    ]
    assert list(comparing.grouped(runs, "config")) == ["one", "other"]
    assert list(comparing.grouped(runs[:2], "config")) == ["one"]
    named = [
        comparing.read(made_run(tmp_path / "named", seed, 0.5, 0.5, name))
        for name in ("a", "b") for seed in (0, 1)
    ]  # fmt: skip
    assert list(comparing.grouped(named, "name")) == ["a", "b"]


def test_a_comparison_writes_tables_and_pictures(tmp_path, capsys):
    for seed, score in enumerate((0.2, 0.4, 0.6)):
        made_run(tmp_path / "weak", seed, score, score, curve=(score, score + 0.1))
        made_run(tmp_path / "strong", seed, score + 0.3, score + 0.3, gamma=0.9)
    out = comparing.compare(
        CompareConfig(
            runs=[str(tmp_path / "weak"), str(tmp_path / "strong")], folder=str(tmp_path / "out")
        )
    )
    assert {path.name for path in out.iterdir()} == {
        "curves.csv", "curves.png", "measures.csv", "measures.png", "measures.txt", "scores.csv",
    }  # fmt: skip
    for picture in out.glob("*.png"):
        assert picture.read_bytes().startswith(b"\x89PNG")
    rows = {(row["measure"], row["group"]): row for row in read_rows(out / "measures.csv")}
    assert float(rows["IQM", "weak"]["value"]) == pytest.approx(0.4)
    assert float(rows["mean", "strong"]["value"]) == pytest.approx(0.7)
    assert float(rows["optimality gap", "strong"]["value"]) == pytest.approx(0.3)
    beats = rows["probability of improvement", "weak beats strong"]
    assert float(beats["value"]) == pytest.approx(1 / 9)  # 0.6 beats 0.5 alone
    curve = [
        row for row in read_rows(out / "curves.csv")
        if row["group"] == "weak" and row["seat"] == "heroes"
    ]  # fmt: skip
    assert [int(row["decisions"]) for row in curve] == [1024, 2048]
    assert float(curve[0]["value"]) == pytest.approx((0.1 + 0.2 + 0.3) / 3)
    assert float(curve[0]["low"]) == pytest.approx(0.1)
    assert float(curve[0]["high"]) == pytest.approx(0.3)
    assert len(read_rows(out / "scores.csv")) == 12
    printed = capsys.readouterr().out
    assert "Intervals of 3 runs are too narrow" in printed
    assert (out / "measures.txt").read_text() in printed


def test_curves_have_the_points_that_all_runs_have(tmp_path):
    runs = [
        comparing.read(made_run(tmp_path, 0, 0.5, 0.5, curve=(0.1, 0.2, 0.3))),
        comparing.read(made_run(tmp_path, 1, 0.5, 0.5, curve=(0.3, 0.4))),
    ]
    lines = comparing.curves_of("all", runs, Bootstrap(10))
    assert [list(line[3]) for line in lines] == [[1024, 2048]] * 3
    bare = [comparing.read(made_run(tmp_path, seed, 0.5, 0.5, curve=())) for seed in (2, 3)]
    assert comparing.curves_of("all", bare, Bootstrap(10)) == []


def test_what_cannot_be_compared_is_said(tmp_path):
    path = made_run(tmp_path, 0, 0.5, 0.5)
    with pytest.raises(ConfigError, match="is no run folder, and there is none in it"):
        comparing.compare(CompareConfig(runs=[str(tmp_path / "nowhere")]))
    other = made_run(tmp_path, 1, 0.5, 0.5)
    data = json.loads((other / "evaluation.json").read_text())
    data["settings"]["deals"] = 9
    (other / "evaluation_2.json").write_text(json.dumps(data))
    with pytest.raises(ConfigError, match=r"the arenas differ: deals is 4 in .* and 9 in"):
        comparing.compare(CompareConfig(runs=[str(path), str(other)]))
    (path / "evaluation.json").unlink()
    with pytest.raises(ConfigError, match="was never evaluated"):
        comparing.compare(CompareConfig(runs=[str(path)]))


# ---- seeds side by side


def several(folder, **changes):
    one = small(folder, **changes)
    return ReplicateConfig(
        seeds=[0, 1], jobs=2, name="both", folder=str(folder), agent=one.agent, train=one.train,
        evaluate=one.evaluate,
    )  # fmt: skip


def test_seeds_side_by_side_and_once_only(tmp_path, monkeypatch):
    """Two seeds in processes of their own; the second time nothing is trained."""
    out = replicate.replicate(several(tmp_path))
    assert out == tmp_path / "both" / "comparison"
    paths = comparing.folders([str(tmp_path / "both")])
    by_seed = {path.name.rpartition("_")[2]: path for path in paths}
    assert sorted(by_seed) == ["seed0", "seed1"] and len(paths) == 2
    assert "both" in {row["group"] for row in read_rows(out / "curves.csv")}
    alone = training.train(small(tmp_path / "alone"))
    left, right = policy_of(alone), policy_of(by_seed["seed0"])
    assert all(torch.equal(value, right[key]) for key, value in left.items())

    monkeypatch.setattr(replicate, "train_all", None)
    assert replicate.replicate(several(tmp_path)) == out
    with pytest.raises(ConfigError, match=r"train\.gamma \(0\.997 there, 0\.9 here\)"):
        replicate.replicate(several(tmp_path, gamma=0.9))


def test_a_seed_goes_on_from_where_it_was_stopped(tmp_path, monkeypatch):
    config = replicate.run_config(several(tmp_path), 0)

    class StopSoon(learning.Loop):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            self.stop_requested = lambda: "TEST" if self.model.num_timesteps >= 1024 else ""

    assert replicate.earlier(config) is None
    with monkeypatch.context() as patched:
        patched.setattr(learning, "Loop", StopSoon)
        replicate.work(config)
    run = replicate.earlier(config)
    assert replicate.decisions_of(run) == 1024
    assert replicate.progress(config) == 1024
    assert not replicate.is_finished(config)
    replicate.work(config)
    assert replicate.is_finished(config)
    run.evaluation.unlink()
    assert not replicate.is_finished(config)
    replicate.work(config)
    assert replicate.is_finished(config)
    assert [path.name for path in Path(config.folder).iterdir()] == [run.path.name]


@pytest.mark.slow
def test_a_seed_that_fails_is_told_with_its_log(tmp_path):
    config = several(tmp_path, evaluate_opponents=["nobody"])
    with pytest.raises(ConfigError, match=r"seeds: 2 did not end well; see .*seed[01]\.log"):
        replicate.replicate(config)
    assert "nobody" in (tmp_path / "both" / "seed0.log").read_text()


def test_one_seeds_folder_is_not_anothers(tmp_path):
    config = replicate.run_config(replace(several(tmp_path), seeds=[1, 11]), 1)
    made_run(config.folder, 11, 0.5, 0.5, "seed11")
    assert replicate.folders_of(config) == []
    path = made_run(config.folder, 1, 0.5, 0.5, "seed1")
    assert [run.path for run in replicate.folders_of(config)] == [path]


# ---- settings, pictures


@pytest.mark.parametrize("kind", [CompareConfig, ReplicateConfig])
def test_every_setting_has_one_sentence(kind):
    for key, _, _, sentence in settings(kind):
        assert sentence[0].isupper() and sentence.endswith("."), key
        assert len(sentence) <= 72, key


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: CompareConfig(), "runs: must be one folder or more"),
        (lambda: CompareConfig(runs=["a"], by="seed"), "by: must be config or name"),
        (lambda: CompareConfig(runs=["a"], resample="games"), "resample: must be runs or tasks"),
        (lambda: CompareConfig(runs=["a"], resamples=0), "resamples: must be above 0"),
        (lambda: ReplicateConfig(seeds=[1, 1]), "seeds: must be one or more"),
        (lambda: ReplicateConfig(seeds=[]), "seeds: must be one or more"),
        (lambda: ReplicateConfig(jobs=-1), "jobs: must be 0 or more"),
        (lambda: ReplicateConfig(name="a/b"), "name: must be one word"),
    ],
)
def test_wrong_settings_are_named(make, words):
    with pytest.raises(ConfigError, match=words):
        make()


def test_the_picture_of_a_run(watched, tmp_path):
    for rows in ([], watched.read_metrics()[:1], watched.read_metrics()):
        curves.draw(rows, tmp_path / "run.png")
        assert (tmp_path / "run.png").read_bytes().startswith(b"\x89PNG")
