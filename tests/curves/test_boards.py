"""TensorBoard and Weights & Biases."""

import importlib.util
import sys
import types
from collections import Counter
from dataclasses import replace

import pytest

from configs.schema import ConfigError, RunConfig
from experiments import board, learning
from experiments import train as training
from experiments.runs import RunFolder
from tests.curves.helpers import small


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
