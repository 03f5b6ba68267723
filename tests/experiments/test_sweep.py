"""Sweeps: what a space may hold, trials and their runs, going on after a stop."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from multiprocessing import Pipe
from pathlib import Path
from threading import Thread

import numba
import numpy as np
import pytest
import torch
from omegaconf import OmegaConf
from optuna.trial import create_trial

from configs.schema import ConfigError, RunConfig, SweepConfig, nearest, search_space, settings
from experiments import launch, processes, sweep_report, sweep_study, sweep_trials
from experiments.runs import RunFolder
from experiments.sweep import search, train_and_rate
from experiments.sweep_trials import Outcome

ROOT = Path(__file__).parents[2]
CLIP = {"train.clip": {"low": 0.1, "high": 0.5}}
TINY = [
    "agent=small", "agent.trunk=[8]", "agent.policy=[8]", "agent.value=[8]", "train.threads=1",
    "train.decisions=1024", "train.games=32", "train.steps=16", "train.minibatch=256",
    "train.epochs=1",
]  # fmt: skip


DRAW = sweep_report.draw_history


def fake(config, report, kill_at=None, stop_at=None):
    """Score by the clip alone, after four reports; clips above 0.4 look hopeless."""
    for decisions in (100, 200, 300, 400):
        stop = report(decisions, 0.0 if config.train.clip > 0.4 else config.train.clip)
        if stop:
            return Outcome(None, "stopped")
    if (config.name, decisions) == kill_at:
        os.kill(os.getpid(), signal.SIGKILL)
    if (config.name, decisions) == stop_at:
        raise KeyboardInterrupt
    return Outcome(1 - config.train.clip, f"{config.name}:{config.seed}")


@pytest.fixture(autouse=True)
def no_picture(monkeypatch):
    """Only mark where a picture would be: drawing takes longer than all the rest."""
    monkeypatch.setattr(sweep_report, "draw_history", lambda trials, path: path.write_text("drawn"))


def settings_of(folder, **changes):
    config = SweepConfig(
        folder=str(folder), space=CLIP, trials=4, random_trials=2, report_every=100, deals=2,
        pruner="none", baseline=False,
    )  # fmt: skip
    return replace(config, **changes)


def values(done):
    return [(one.params, one.value, one.state.name) for one in done.trials]


# ---- search spaces


@pytest.mark.parametrize(
    ("space", "message"),
    [
        ({"train.lerning_rate": {"low": 1, "high": 2}}, "no such setting; the nearest is train.le"),
        ({"train": {"clp": {"low": 1, "high": 2}}}, r"train\.clp: .*the nearest is train\.clip"),
        ({"train.clip": {"lo": 1, "high": 2}}, r"train\.clip\.lo: .*the nearest is low"),
        ({"train.clip": {"low": 1}}, r"train\.clip\.high: must be a number of type float"),
        ({"train.clip": {"low": 2, "high": 1}}, r"train\.clip: must be a low below its high"),
        ({"train.clip": {"low": 0, "high": 1, "log": True}}, "must be above 0 where log is true"),
        ({"train.clip": {"low": 0, "high": 1, "step": 2}}, "step: must be above 0, within the r"),
        ({"train.games": {"low": 1.5, "high": 2}}, r"games\.low: must be a number of type i"),
        ({"agent.trunk": {"low": 1, "high": 2}}, r"must be \{choices\}, as a list\[int\] has no r"),
        ({"train.clip": {"choices": [0.1]}}, "choices: must be a list of two or more"),
        ({"train.clip": {"choices": [0.1, 0.1]}}, "choices: must be different from each other"),
        ({"train.clip": {"choices": [1, 2], "low": 1}}, "must be choices alone"),
        ({"train.clip": 0.5}, r"must be \{low, high\} with log or step"),
        ({"train": 0.5}, "must hold settings below it"),
        ({"seed": {"choices": [1, 2]}}, r"space\.seed: a sweep sets this itself; see its seeds"),
        ({"evaluate.deals": {"low": 1, "high": 2}}, "a sweep sets this itself"),
    ],
)
def test_a_wrong_space_is_named_at_load(space, message):
    with pytest.raises(ConfigError, match=message):
        SweepConfig(space=space)


def test_nested_and_dotted_keys_are_the_same_space():
    clip, trunk = {"low": 0.1, "high": 0.5}, {"choices": [[8], [16]]}
    dotted = search_space({"train.clip": clip, "agent.trunk": trunk, "train.gamma": None})
    nested = search_space({"train": {"clip": clip}, "agent": {"trunk": trunk}})
    assert dotted == nested
    assert list(dotted) == ["train.clip", "agent.trunk"]
    assert list(search_space({"agent": {"choices": ["small", "ppo"]}})) == ["agent"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"space": {}}, "space: names nothing to search"),
        ({"space": {"train.gamma": {"low": 0.9, "high": 1.1}}}, r"space\.train\.gamma: must be a"),
        ({"space": {"agent": {"choices": ["small", "huge"]}}}, "huge"),
        ({"space": {"train.epochs": {"choices": [1, "many"]}}}, r"space\.train\.epochs: .*many"),
        ({"run": ["train.clp=1"]}, r"run: train\.clp: .*the nearest is train\.clip"),
        ({"opponent": "heurist"}, "evaluate.opponents: .*heurist"),
        ({"deals": "deals-v2"}, "deals-v2"),
        (
            {"pruner": "median", "watch": "expert", "run": ["train.opponents.expert=0"]},
            r"watch: .*against expert, but with train\.clip=0\.1 train\.opponents\.expert is 0",
        ),
    ],
)
def test_a_space_that_no_run_can_have_is_refused(tmp_path, changes, message):
    with pytest.raises(ConfigError, match=message):
        search(settings_of(tmp_path, **changes), fake)
    assert not list(tmp_path.iterdir())


def test_an_end_may_need_another_searched_setting(tmp_path):
    """4,096 decisions are collected only with 128 games, and both are searched."""
    space = {"train.games": {"choices": [32, 128]}, "train.minibatch": {"choices": [256, 4096]}}
    config = settings_of(tmp_path, run=TINY, space=space)
    with pytest.raises(ConfigError, match=r"space\.train\.minibatch: must be at most games x st"):
        sweep_study.check(config)
    sweep_study.check(replace(config, run=[*TINY, "train.steps=32"]))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seeds": [0, 0]}, "seeds: must be different numbers"),
        ({"seeds": []}, "seeds: must be different numbers"),
        ({"jobs": 0}, "jobs: must be above 0"),
        ({"sampler": "gp"}, "sampler: must be tpe or random, not 'gp'"),
        ({"pruner": "medium"}, "pruner: must be median or halving or none"),
        ({"watch": "me"}, "watch: must be latest or past or heuristic"),
        ({"deals": 0}, "deals: must be above 0"),
        ({"run": ["seed=3"]}, "run: seed=3: a sweep sets this itself; see its seeds"),
        ({"run": ["quick"]}, 'run: must be "key=value"'),
    ],
)
def test_wrong_settings_of_a_sweep(changes, message):
    with pytest.raises(ConfigError, match=re.escape(message)):
        SweepConfig(**changes)


def test_every_setting_has_one_sentence():
    for key, _, _, sentence in settings(SweepConfig):
        assert sentence[0].isupper(), key
        assert sentence.endswith("."), key
        assert len(sentence) <= 72, key
    assert nearest("trails", SweepConfig) == "trials"


@pytest.mark.parametrize("name", ["sweep", "sweep_long"])
def test_the_examples_can_be_swept(monkeypatch, name):
    kept = []
    monkeypatch.setattr(sys, "argv", ["sweep", "--config-name", name, "trials=7"])
    launch.launch(kept.append, "sweep")
    assert kept[0].trials == 7
    sweep_study.check(kept[0])


@pytest.mark.parametrize(
    "value", [0.1, 1e-5, 3, True, None, "small", "a b", "1", "", [128], [128, 64], "deals-v1:5"]
)
def test_a_value_written_as_an_override_is_read_back(value):
    from hydra.core.override_parser.overrides_parser import OverridesParser

    parsed = OverridesParser.create().parse_override(f"key={sweep_study.as_text(value)}")
    read = parsed.value()
    assert (str(read) if isinstance(value, str) else read) == value


# ---- trials


def test_equal_seeds_make_equal_sweeps(tmp_path):
    first = search(settings_of(tmp_path), fake)
    again = search(settings_of(tmp_path), fake)
    other = search(settings_of(tmp_path, seed=1), fake)
    assert values(first) == values(again)
    assert values(first) != values(other)
    assert len(first.trials) == 4
    assert first.best.value == max(value for _, value, _ in values(first))


def test_a_trial_is_the_mean_of_its_seeds(tmp_path):
    def by_seed(config, report):
        return Outcome({3: 0.25, 8: 0.75}[config.seed])

    done = search(settings_of(tmp_path, trials=1, seeds=[3, 8]), by_seed)
    assert done.best.value == 0.5
    assert done.best.user_attrs["scores"] == [0.25, 0.75]
    assert re.search(r"0 +50\.0% +25\.0% +75\.0%", done.folder.table.read_text())


def test_the_baseline_comes_first(tmp_path):
    done = search(settings_of(tmp_path, trials=2, baseline=True), fake)
    assert done.trials[0].params == {"train.clip": RunConfig().train.clip}
    assert "baseline" in done.folder.table.read_text()


def test_a_hopeless_trial_is_pruned_and_no_other(tmp_path):
    space = {"train.clip": {"choices": [0.2, 0.3, 0.45]}}
    config = settings_of(
        tmp_path, space=space, trials=12, sampler="random", pruner="median", prune_after_trials=1,
        prune_after=150,
    )  # fmt: skip
    done = search(config, fake)
    tried = {(params["train.clip"], state) for params, _, state in values(done)}
    assert ("0.45", "PRUNED") in tried
    assert ("0.2", "PRUNED") in tried  # scores better at the end, but looked worse on the way
    assert ("0.3", "PRUNED") not in tried
    steps = {one.last_step for one in done.trials if one.state.name == "PRUNED"}
    assert steps == {200}, "not before prune_after"
    assert "pruned at 200, 0%" in done.folder.table.read_text()


def test_halving_lets_the_better_part_go_on(tmp_path):
    """Its first rung is the first look; of two there, only the better one passes."""
    space = {"train.clip": {"choices": [0.2, 0.3, 0.45]}}
    config = settings_of(
        tmp_path, space=space, trials=9, sampler="random", pruner="halving", report_every=100
    )
    done = search(config, fake)
    for one in done.trials:
        if one.params["train.clip"] == "0.45" and one.number:
            assert (one.state.name, one.last_step) == ("PRUNED", 100)
    assert done.best.params["train.clip"] != "0.45"
    assert any(one.params["train.clip"] == "0.45" for one in done.trials[1:])


def test_no_trial_begins_after_the_time_is_up(tmp_path):
    done = search(settings_of(tmp_path, minutes=1e-9), fake)
    assert done.trials == []
    assert done.best is None
    assert done.folder.table.read_text().startswith("trial  score")


def test_the_same_settings_are_not_run_twice(tmp_path):
    ran = []

    def counting(config, report):
        ran.append(config.train.epochs)
        return Outcome(0.5)

    done = search(
        settings_of(tmp_path, trials=6, space={"train.epochs": {"choices": [2, 3]}}), counting
    )
    assert sorted(ran) == [2, 3]
    assert len(done.trials) == 6


def test_failing_trials_are_told_and_end_the_sweep(tmp_path, capsys):
    def failing(config, report):
        raise RuntimeError("no luck")

    done = search(settings_of(tmp_path, failures=2), failing)
    assert [one.state.name for one in done.trials] == ["FAIL", "FAIL"]
    assert done.best is None
    assert "failed: RuntimeError: no luck" in capsys.readouterr().err
    assert "failed" in done.folder.table.read_text()


def test_settings_that_do_not_fit_together_fail_by_name(tmp_path, capsys):
    space = {"train.games": {"choices": [32, 128]}, "train.minibatch": {"choices": [256, 2048]}}
    config = settings_of(tmp_path, run=TINY, space=space, trials=8, sampler="random", failures=9)
    done = search(config, fake)
    wrong = [one for one in done.trials if one.state.name == "FAIL"]
    assert wrong
    for one in wrong:
        assert one.params == {"train.games": "32", "train.minibatch": "2048"}
        assert one.user_attrs["failure"].startswith("train.minibatch: must be at most")


# ---- going on


def test_a_stopped_sweep_goes_on_as_if_it_had_not_been(tmp_path, capsys):
    whole = search(settings_of(tmp_path), fake)
    stopped = search(settings_of(tmp_path), partial(fake, stop_at=("trial_002_seed_0", 400)))
    assert f"resume={stopped.folder.path}" in capsys.readouterr().out
    assert [state for _, _, state in values(stopped)] == ["COMPLETE"] * 2 + ["RUNNING"]
    with stopped.folder.study.open("a") as journal:
        journal.write('{"op_code":6,"trial_')  # as when killed while writing
    again = search(SweepConfig(resume=str(stopped.folder.path)), fake)
    assert again.folder.path == stopped.folder.path
    assert values(again) == values(whole)
    assert again.trials[2].user_attrs["repeats"] == 2
    with pytest.raises(ConfigError, match="trials: 4 are made already, not fewer than 4"):
        search(SweepConfig(resume=str(stopped.folder.path)), fake)


def test_settings_are_not_mixed(tmp_path, monkeypatch):
    folder = search(settings_of(tmp_path, trials=1), fake).folder
    for change in ("deals=9", "space={}", "seeds=[1]", "+trials=3"):
        with pytest.raises(ConfigError, match=r"cannot be mixed.*may change trials, minutes"):
            folder.read_config([change])
    assert folder.read_config(["trials=3", "minutes=5"]).trials == 3

    written = OmegaConf.load(folder.config)
    for key, value, message in (
        ("deals", 9, "deals: the trials of this study were made with 2, not 9"),
        ("run", ["train.epochs=7"], r"run\.train\.epochs: .* made with 4, not 7"),
        ("jobs", 2, "jobs: .* made with 1, not above 1"),
        ("space", {"train.clip": {"low": 0.1, "high": 0.6}}, r"space\.train\.clip\.high: .*0\.5"),
    ):
        changed = OmegaConf.merge(written, {key: value, "trials": 3})
        OmegaConf.save(changed, folder.config)
        with pytest.raises(ConfigError, match=message):
            search(SweepConfig(resume=str(folder.path)), fake)
    with pytest.raises(ConfigError, match="is no sweep folder"):
        search(SweepConfig(resume=str(tmp_path)), fake)


def test_one_process_at_a_time(tmp_path):
    folder = search(settings_of(tmp_path, trials=1), fake).folder
    with (
        sweep_study.alone(folder),
        pytest.raises(ConfigError, match="another process runs this sweep"),
        sweep_study.alone(folder),
    ):
        pass


# ---- real runs

KILLED = """
import os, signal, sys
from configs.schema import SweepConfig
from experiments.sweep import search, train_and_rate

def objective(config, report):
    def killing(decisions, score):
        if config.name == "trial_001_seed_0" and decisions:
            os.kill(os.getpid(), signal.SIGKILL)
        return report(decisions, score)
    return train_and_rate(config, killing, watch="heuristic")

search(SweepConfig(**eval(sys.argv[1])), objective)
"""


def test_a_killed_sweep_goes_on_to_the_same_trials(tmp_path):
    """The whole way: real runs, a kill amid the second trial, and the best settings train."""
    given = {
        "space": {"train.learning_rate": {"low": 1e-4, "high": 1e-2, "log": True}},
        "run": TINY, "trials": 2, "deals": 10, "report_every": 512, "pruner": "none",
    }  # fmt: skip
    program = [sys.executable, "-c", KILLED, repr(given | {"folder": str(tmp_path / "killed")})]
    killed = subprocess.run(program, cwd=ROOT, capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    (left,) = (tmp_path / "killed").iterdir()
    assert len(list((left / "trials").iterdir())) == 2

    objective = partial(train_and_rate, watch="heuristic")
    again = search(SweepConfig(resume=str(left)), objective)
    whole = search(SweepConfig(folder=str(tmp_path / "whole"), **given), objective)
    assert values(again) == values(whole)
    assert again.trials[1].number == 2
    assert [sorted(one.intermediate_values) for one in whole.trials] == [[512]] * 2

    (run,) = whole.best.user_attrs["runs"]
    run = RunFolder(Path(run))
    assert (run.checkpoints / "final.zip").is_file()
    assert len(run.read_metrics()) == 2
    results = json.loads(run.evaluation.read_text())
    assert results["results"][0]["score"] == whole.best.value
    assert results["settings"]["first_deal"] == 1_000_000
    assert "python -m experiments.train agent=small" in whole.folder.table.read_text()
    assert whole.folder.history.read_text() == "drawn"
    DRAW(whole.trials, whole.folder.history)
    assert whole.folder.history.read_bytes().startswith(b"\x89PNG")


def test_the_best_settings_are_ones_that_train_accepts(tmp_path, monkeypatch):
    space = CLIP | {"agent.trunk": {"choices": [[8], [16, 8]]}}
    space |= {"agent": {"choices": ["small", "ppo"]}}
    done = search(settings_of(tmp_path, run=["train=quick"], space=space, trials=2), fake)
    text = done.folder.table.read_text()
    lines = [one for one in text.splitlines() if "experiments.train" in one]
    assert len(lines) == 2
    kept = []
    for line in lines:
        monkeypatch.setattr(sys, "argv", ["train", *shlex.split(line)[3:]])
        launch.launch(kept.append, "run")
    assert kept[0] == kept[1]
    assert kept[0].seed == 1
    assert kept[0].train.clip == done.best.params["train.clip"]
    assert f"agent.trunk={done.best.params['agent.trunk']}" in shlex.split(lines[0])
    assert kept[0].train.decisions == 8192


def test_importances_need_enough_trials(tmp_path):
    space = CLIP | {"train.gamma": {"low": 0.9, "high": 1.0}}
    done = search(settings_of(tmp_path, space=space, trials=1), fake)
    draw = np.random.default_rng(0)
    for _ in range(19):
        assert sweep_report.importances(done) == {}
        params = {"train.clip": draw.uniform(0.1, 0.5), "train.gamma": draw.uniform(0.9, 1.0)}
        score = 1 - params["train.clip"]
        one = create_trial(params=params, distributions=done.space, value=score)
        done.study.add_trial(one)
    weights = sweep_report.importances(done)
    assert sum(weights.values()) == pytest.approx(1)
    assert weights["train.clip"] > 0.7


def test_without_the_extra_its_name_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    spec = spec_from_file_location("without_optuna", sweep_study.__file__)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'skirmish-env\[train,sweep\]'"):
        spec.loader.exec_module(module_from_spec(spec))


# ---- processes


def test_a_worker_stops_a_run_when_told(monkeypatch):
    """Told in time, told too late for the run before, and its other end closed."""
    monkeypatch.setattr(processes.signal, "signal", lambda number, handler: None)
    ours, theirs = Pipe()
    worker = Thread(target=processes.begin, args=(theirs, sweep_trials.work, fake), daemon=True)
    config = RunConfig()
    for message in (config, sweep_trials.STOP, sweep_trials.STOP, config):
        ours.send(message)
    worker.start()
    assert ours.recv() == (100, 0.2)
    assert ours.recv() == Outcome(None, "stopped")
    assert [ours.recv()[0] for _ in range(4)] == [100, 200, 300, 400]
    assert ours.recv().score == 0.8
    ours.close()
    worker.join(60)
    assert not worker.is_alive()


def in_a_process(config, report):
    """Fail unless this process has one thread; three epochs kill it."""
    if config.train.epochs == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    threads = {torch.get_num_threads(), numba.config.NUMBA_NUM_THREADS, config.train.threads}
    threads.add(int(os.environ["OMP_NUM_THREADS"]))
    if threads != {1} or os.environ["OMP_WAIT_POLICY"] != "PASSIVE":
        raise ValueError(f"threads {threads}")
    return Outcome(config.train.epochs / 10 + config.seed / 100, str(os.getpid()))


@pytest.mark.slow
def test_runs_in_processes_have_one_thread_each(tmp_path, monkeypatch):
    """A process that dies fails its trial; another one takes its place."""
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    config = settings_of(
        tmp_path, jobs=2, seeds=[0, 2], trials=8, sampler="random",
        space={"train.epochs": {"choices": [1, 2, 3]}},
    )  # fmt: skip
    done = search(config, in_a_process)
    assert os.environ["OMP_NUM_THREADS"] == "2"
    scores = {one.params["train.epochs"]: (one.state.name, one.value) for one in done.trials}
    assert scores["1"] == ("COMPLETE", pytest.approx(0.11))
    assert scores["2"] == ("COMPLETE", pytest.approx(0.21))
    assert scores["3"] == ("FAIL", None)
    told = {one.user_attrs["failure"] for one in done.trials if one.state.name == "FAIL"}
    assert told == {f"its process ended with code {-signal.SIGKILL}"}
    pids = {pid for one in done.trials for pid in one.user_attrs.get("runs", [])}
    assert str(os.getpid()) not in pids


PARENT = """
import sys, time
from configs.schema import SweepConfig
from experiments.sweep import search
from tests.experiments.test_sweep import until_alone

if __name__ == "__main__":
    search(SweepConfig(**eval(sys.argv[1])), until_alone)
"""


def until_alone(config, report):
    """Kill the parent, then report to it until the pipe breaks; leave a file when it did."""
    mark = Path(config.folder).parent / f"worker_{os.getpid()}"
    if mark.parent.joinpath("resumed").exists():
        return Outcome(0.5)
    os.kill(os.getppid(), signal.SIGKILL)
    try:
        while not report(0, 0.5):
            time.sleep(0.01)
    except BrokenPipeError:
        mark.touch()
        raise
    return Outcome(0.1)


@pytest.mark.slow
def test_workers_end_with_a_killed_parent(tmp_path):
    given = {"space": CLIP, "trials": 2, "jobs": 2, "deals": 2, "pruner": "none"}
    program = tmp_path / "parent.py"
    program.write_text(PARENT)
    arguments = [sys.executable, str(program), repr(given | {"folder": str(tmp_path)})]
    paths = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(arguments, cwd=ROOT, env=paths, capture_output=True, text=True)
    # The workers hold the same output open: it ends when all of them have.
    assert done.returncode == -signal.SIGKILL, done.stderr
    (left,) = tmp_path.glob("*_sweep")
    assert list(left.glob("worker_*"))
    (left / "resumed").touch()
    again = search(SweepConfig(resume=str(left)), until_alone)
    assert [one.value for one in again.trials] == [0.5, 0.5]


@pytest.mark.slow
def test_several_seeds_side_by_side_by_hydra(tmp_path):
    """The other way: `-m` with the joblib launcher."""
    program = [sys.executable, "-m", "experiments.train", "-m", "seed=1,2", *TINY]
    program += ["evaluate.deals=2"]
    program += ["hydra/launcher=joblib", "hydra.launcher.n_jobs=2"]
    paths = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run(program, cwd=tmp_path, env=paths, check=True)
    folders = [RunFolder(path) for path in (tmp_path / "runs").iterdir()]
    assert sorted(one.read_config().seed for one in folders) == [1, 2]
    assert all(one.evaluation.is_file() for one in folders)
