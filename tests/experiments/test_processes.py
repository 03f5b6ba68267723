"""Tasks shared among processes: results, what is said on the way, and processes that are lost."""

import os

import pytest

from experiments.processes import ONE_THREAD, ProcessLost, side_by_side, variables


def squared(task, say):
    """A task that tells something on the way; 99 ends its process."""
    if task == 99:
        os._exit(3)
    say(f"{task} begun with {os.environ['NUMBA_NUM_THREADS']} thread")
    return task**2, os.getpid()


def test_tasks_are_done_in_processes_of_one_thread(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "7")
    heard = []
    found = dict(side_by_side(squared, [3, 4, 5], 2, lambda *said: heard.append(said)))
    assert {task: result for task, (result, _) in found.items()} == {3: 9, 4: 16, 5: 25}
    assert os.getpid() not in {pid for _, pid in found.values()}
    assert sorted(heard) == [(n, f"{n} begun with 1 thread") for n in (3, 4, 5)]
    assert os.environ["NUMBA_NUM_THREADS"] == "7"


def test_a_process_that_is_lost_is_told_and_the_others_end():
    found = side_by_side(squared, [2, 99], 1, lambda *_: None)
    task, (result, pid) = next(found)
    assert (task, result) == (2, 4)
    with pytest.raises(ProcessLost, match="99: its process ended with code 3"):
        next(found)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_variables_are_put_back(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    with variables(ONE_THREAD):
        assert os.environ["OMP_NUM_THREADS"] == "1"
    assert "OMP_NUM_THREADS" not in os.environ
