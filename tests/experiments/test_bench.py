import json
import sys

import pytest

from configs.schema import BenchConfig, ConfigError
from experiments.bench import page
from experiments.bench.groups import GROUPS
from experiments.bench.peers import Running, wanted
from experiments.bench.run import bench, usable
from experiments.peers import environments
from experiments.peers.environments import Peer, known, reason_in

PEER = '''
from serving import MICROSECONDS, Row, calling, serve

def counting():
    print("a peer that talks")
    return lambda decisions: (decisions, decisions / 1000)

def broken():
    raise OSError("no such file: /some/where/cards.txt")

serve(["pip"], [
    Row("a game", "step", counting),
    Row("another", "step", broken),
    Row("a game", "clone", lambda: calling(dict), MICROSECONDS),
])
'''


def settings(folder, **changes):
    small = {"games": 8, "seconds": 0.001, "repeats": 2, "threads": [1], "moments": 3, "peers": []}
    return BenchConfig(**{**small, "results": str(folder / "kept.json"), **changes})


@pytest.fixture
def peer(tmp_path, monkeypatch):
    """A peer whose interpreter is this one."""
    script = tmp_path / "peer.py"
    script.write_text(f"import sys; sys.path.insert(0, {str(environments.HERE)!r})\n{PEER}")
    one = Peer("toy", "Toy", str(script), "3.11", [])
    home = tmp_path / "peers" / "toy"
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "python").symlink_to(sys.executable)
    (home / environments.INSTALLED).write_text(repr(one))
    for module in ("experiments.bench.peers", "experiments.bench.run", "experiments.bench.page"):
        monkeypatch.setattr(f"{module}.known", lambda: {"toy": one, **known()})
    return one


def test_the_benchmark_measures_every_row(tmp_path, capsys):
    slow = ("start", "training")  # start-up runs Python anew; training is off
    groups = [group for group in GROUPS if group not in slow]
    results = bench(settings(tmp_path, groups=groups))
    assert {row["door"] for row in results["rows"]} == set(groups)
    assert all(value > 0 for row in results["rows"] for value in row["values"])
    varying = [row for row in results["rows"] if row["door"] != "memory"]
    assert {len(row["values"]) for row in varying} == {2}
    assert json.loads((tmp_path / "kept.json").read_text()) == results
    printed = capsys.readouterr().out
    assert all(GROUPS[group].title in printed for group in groups)


def test_a_peer_is_measured_in_the_same_run(tmp_path, peer, capsys):
    config = settings(
        tmp_path, groups=["step", "clone"], peers=["toy", "pgx"],
        peers_folder=str(tmp_path / "peers"), write=str(tmp_path / "docs"),
    )  # fmt: skip
    results = bench(config)
    told = {row["name"]: row for row in results["rows"] if row["peer"] and row["door"] == "step"}
    assert told["a game"]["values"] == [pytest.approx(1000), pytest.approx(1000)]
    assert told["another"]["error"] == "OSError: no such file: cards.txt"
    assert results["peers"]["toy"]["versions"].keys() == {"pip"}
    assert results["missing"]["pgx"]["why"] == "not installed: make bench-peers ARGS=pgx"
    assert "Pgx: not installed" in capsys.readouterr().out
    text = (tmp_path / "docs" / page.PAGE).read_text()
    assert "| Toy | a game | 1 | 1,000 |" in text and "does not run: OSError" in text
    assert (tmp_path / "docs" / page.PICTURE).read_bytes().startswith(b"\x89PNG")
    again = bench(BenchConfig(page=str(tmp_path / "kept.json")))
    assert page.markdown(again) == text


def test_ratios_are_to_the_row_with_as_many_threads(tmp_path):
    def row(peer, name, threads, *values):
        return {"peer": peer, "name": name, "threads": threads, "values": values, "note": ""}

    group = GROUPS["batch"]
    found = [
        row("", group.reference, 1, 10.0), row("", group.reference, 2, 19.0, 20.0, 40.0),
        row("pgx", "a", 2, 5.0), row("pgx", "b", 1, 5.0), row("pgx", "c", 7, 2.0),
    ]  # fmt: skip
    assert [page.ratio(one, found, group) for one in found] == ["1", "1", "0.25", "0.5", "0.1"]
    assert page.ratio(found[2], found[2:], group) == ""


def test_a_peer_that_ends_says_why(tmp_path, peer):
    broken = Peer("toy", "Toy", str(tmp_path / "broken.py"), "3.11", [])
    (tmp_path / "broken.py").write_text("raise ImportError('libdeck.so is missing')")
    with Running(broken, tmp_path / "peers", 0.001) as running:
        assert running.measure("step") == []
        assert running.failure == "does not run here: ImportError: libdeck.so is missing"


def test_pins_name_scripts_and_exact_versions():
    for one in known().values():
        assert (environments.HERE / one.script).is_file()
        assert all("==" in package for package in one.packages)
    with pytest.raises(ValueError, match="no peer 'opnspiel'; there are openspiel, "):
        wanted(["opnspiel"], environments.FOLDER)


def test_other_pins_mean_another_environment(tmp_path, peer):
    assert peer.is_there(tmp_path / "peers")
    newer = Peer("toy", "Toy", peer.script, "3.11", ["pip==99"])
    assert not newer.is_there(tmp_path / "peers")


def test_a_peer_without_its_python_is_told_so(tmp_path):
    one = Peer("toy", "Toy", "toy.py", "2.0", [])
    assert one.install(tmp_path) == "Python 2.0 is not on this machine"
    assert one.why_not(tmp_path) == "does not install here: Python 2.0 is not on this machine"
    assert not one.is_there(tmp_path)


def test_reasons_are_single_lines_without_paths():
    text = "Collecting\n  ERROR: no file /home/me/build/x.txt in it\nsee the log\n"
    assert reason_in(text) == "ERROR: no file x.txt in it"


def test_threads_are_as_many_as_there_are(capsys):
    assert usable([1, 512]) == [1]
    assert "512 threads: this process may use" in capsys.readouterr().out
    assert usable([])[0] == 1


def test_wrong_settings_are_refused(tmp_path):
    with pytest.raises(ConfigError, match="seconds: must be above 0, not 0"):
        BenchConfig(seconds=0)
    with pytest.raises(ConfigError, match="peers: no peer 'chess'"):
        bench(settings(tmp_path, peers=["chess"]))
    with pytest.raises(ConfigError, match=r"page: .* is not there"):
        bench(BenchConfig(page=str(tmp_path / "no.json")))
    with pytest.raises(ConfigError, match="groups: 'setp' is none of step, "):
        bench(settings(tmp_path, groups=["setp"]))
