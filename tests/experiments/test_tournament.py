"""An arena as one plays it: agents meet, it is stopped, goes on, is shown again."""

import csv
import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from agents.base import load
from agents.random import RandomAgent
from configs.schema import ArenaConfig, ConfigError
from experiments import arena as arenas
from experiments import arena_folder, arena_plots, launch
from experiments.arena import arena, play_pairs
from experiments.arena_folder import ArenaFolder, file_kind
from experiments.seeds import chosen_deals

WEIGHTS = str(Path(__file__).parents[1] / "data" / "weights_v1.zip")
THREE = ["random", "heuristic", "expert"]


class Drawn(RandomAgent):
    """Plays at random, and must be asked for every decision."""

    name = "drawn"


class Lowest:
    """Takes the legal action with the lowest id."""

    name = "lowest"

    def act(self, view, rng):
        return view.mask.argmax(axis=1)


DRAW = arena_plots.draw
OWN = {"drawn": Drawn, "lowest": Lowest}


@pytest.fixture(autouse=True)
def own_agents(monkeypatch):
    """Two agents that must be asked for every decision, beside those with a name."""

    def with_own(name, **options):
        return OWN[name]() if name in OWN else load(name, **options)

    monkeypatch.setattr(arenas, "load", with_own)
    monkeypatch.setattr(arena_plots, "draw", lambda *_: None)  # one test below draws


def settings(folder, **changes):
    standard = {"agents": ["random", "heuristic"], "deals": 6, "resamples": 100}
    return ArenaConfig(folder=str(folder), **{**standard, **changes})


def games_of(path):
    """Every game that lies in an arena's folder, by the file's name."""
    files = sorted((path / "games").glob("[!.]*"))
    return {file.stem: arena_folder.READERS[file.suffix](file) for file in files}


def summary_of(path):
    return json.loads((path / "summary.json").read_text())


def results_of(path):
    """A summary without what depends on the hour and on the order of the config."""
    found = summary_of(path)
    for key in ("settings", "made_with", "seconds", "costs"):
        del found[key]
    for one in (*found["pairs"], *found["mirror"]):
        del one["seconds"], one["cpu"], one["decisions_per_second"]
    return found


# ---- playing


def test_everybody_meets_everybody_on_the_same_deals(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(arena_plots, "draw", DRAW)
    path = arena(settings(tmp_path, agents=THREE, deals="deals-v1:6"))
    games = games_of(path)
    assert list(games) == [
        "expert__expert", "expert__heuristic", "expert__random",
        "heuristic__heuristic", "heuristic__random", "random__random",
    ]  # fmt: skip
    deals = chosen_deals("deals-v1:6").tolist()
    for name, table in games.items():
        a, b = name.split("__")
        assert set(table["agent"]) == {a}
        assert set(table["opponent"]) == {b}
        each = 1 if a == b else 2
        assert table["deal"] == np.repeat(deals, each).tolist()
        assert table["seat"] == ["villains", "heroes"][:each] * 6
        assert set(table["score"]) <= {0, 0.5, 1}
        assert set(table["ending"]) <= {"victory", "civilians", "deck"}
    found = summary_of(path)
    assert found["games"] == 3 * 12 + 3 * 6
    assert found["decisions"] == sum(sum(table["decisions"]) for table in games.values())
    assert {one["agent"] for one in found["mirror"]} == set(THREE)
    assert [row["agent"] for row in found["ratings"]["agents"]][-1] == "random"
    assert found["ratings"]["agents"][-1]["elo"] == 0
    assert all((path / name).stat().st_size > 0 for name in arena_plots.PICTURES)
    assert (path / "report.txt").read_text().strip() in capsys.readouterr().out


def test_an_arena_plays_what_two_agents_play_alone(tmp_path):
    path = arena(settings(tmp_path, seed=5))
    rows = play_pairs(load("heuristic"), load("random"), np.arange(6), seed=5).rows()
    table = games_of(path)["heuristic__random"]
    assert [dict(zip(table, row)) for row in zip(*table.values())] == rows


@pytest.mark.parametrize("agents", [["random", "heuristic", "expert"], ["drawn", "random"]])
def test_neither_batch_size_nor_order_changes_a_result(tmp_path, agents):
    one = arena(settings(tmp_path, agents=agents, games=1000))
    other = arena(settings(tmp_path, agents=agents[::-1], games=4))
    assert games_of(one) == games_of(other)
    assert results_of(one) == results_of(other)


def test_another_seed_plays_other_games(tmp_path):
    one, other = (arena(settings(tmp_path, seed=seed)) for seed in (0, 1))
    assert games_of(one) != games_of(other)


def test_a_trained_agent_plays_its_most_probable_move_where_that_is_wanted(tmp_path):
    config = settings(tmp_path, agents=[WEIGHTS, "lowest"], deals=3)
    one, other = (arena(replace(config, seed=seed)) for seed in (0, 1))
    assert games_of(one) == games_of(other)
    drawing = [arena(replace(config, seed=seed, deterministic=False)) for seed in (0, 1)]
    assert games_of(drawing[0]) != games_of(drawing[1])
    made = json.loads((one / "made_with.json").read_text())
    assert re.fullmatch(r"weights_v1\.zip [0-9a-f]{16}", made["agents"][WEIGHTS])
    assert "torch" in made


def test_the_mirror_stands_beside_the_score_of_each_seat(tmp_path):
    path = arena(settings(tmp_path, deals=40))
    (mirror,) = [one["seats"] for one in summary_of(path)["mirror"] if one["agent"] == "random"]
    pairs = play_pairs(load("random"), load("random"), np.arange(40))
    assert mirror["villains"]["score"] == pytest.approx(pairs.scores[:, 0].mean())
    assert mirror["villains"]["score"] + mirror["heroes"]["score"] == pytest.approx(1)
    assert f"{mirror['heroes']['score']:.1%}" in seat_line(path, "heuristic", "random", "heroes")


def seat_line(path, *words):
    """The line of the report that begins with these words."""
    (line,) = [
        line
        for line in (path / "report.txt").read_text().splitlines()
        if re.match(" +".join(words), line)
    ]
    return line


def test_a_circle_of_agents_is_reported(tmp_path, monkeypatch):
    """Rock, scissors and paper in a game of the same length: found in tables and summary."""
    beats = {("paper", "rock"): 0.9, ("paper", "scissors"): 0.1, ("rock", "scissors"): 0.9}

    def play(a, b, deals, **options):
        pairs = whole(RandomAgent(), RandomAgent(), deals, **options)
        won = np.arange(len(deals)) < beats.get((a.name, b.name), 0.5) * len(deals)
        return replace(pairs, scores=np.repeat(won[:, None], 2, axis=1).astype(float))

    def named(name, **_):
        agent = Drawn()
        agent.name = name
        return agent

    whole = arenas.play_pairs
    monkeypatch.setattr(arenas, "play_pairs", play)
    monkeypatch.setattr(arenas, "load", named)
    path = arena(settings(tmp_path, agents=["rock", "scissors", "paper"], deals=50))
    found = summary_of(path)
    assert [one["agents"] for one in found["cycles"]] == [["paper", "rock", "scissors"]]
    assert found["ratings"]["gap"]["clear"]
    report = (path / "report.txt").read_text()
    assert "Circle: paper > rock > scissors > paper (90.0%, 90.0%, 90.0%)" in report
    assert "one rating each does not say it all" in report
    assert [row["elo"] for row in found["ratings"]["agents"]] == pytest.approx([0] * 3, abs=1e-3)


# ---- stopping and going on


def stopped_after(monkeypatch, pairs):
    """Let an arena be stopped in the middle of its next pair after so many; lists their calls."""
    began = []
    whole = arenas.play_pairs

    def play(*arguments, **options):
        began.append(1)
        if len(began) > pairs:
            raise KeyboardInterrupt
        return whole(*arguments, **options)

    monkeypatch.setattr(arenas, "play_pairs", play)
    return began


def only_folder(tmp_path):
    (path,) = tmp_path.iterdir()
    return path


@pytest.mark.parametrize("agents", [THREE, ["drawn", "random", "lowest"]])
def test_an_arena_that_was_stopped_goes_on_to_the_same_results(tmp_path, monkeypatch, agents):
    whole = arena(settings(tmp_path / "whole", agents=agents))
    with monkeypatch.context() as patched:
        stopped_after(patched, 2)
        with pytest.raises(SystemExit):
            arena(settings(tmp_path / "stopped", agents=agents))
    path = only_folder(tmp_path / "stopped")
    kept = games_of(path)
    assert len(kept) == 2
    began = stopped_after(monkeypatch, 100)
    assert arena(ArenaConfig(resume=str(path))) == path
    probed = 2 if agents == THREE else 0  # a few games of stored pairs, where both are compiled
    assert len(began) == 4 + probed
    assert games_of(path) == games_of(whole)
    assert results_of(path) == results_of(whole)


def test_half_a_file_does_not_count(tmp_path, monkeypatch):
    whole = arena(settings(tmp_path / "whole"))
    suffix = f".{file_kind()}"
    write = arena_folder.WRITERS[suffix]
    written = []

    def dies(path, table):
        write(path, table)
        written.append(path)
        if len(written) == 2:
            path.write_bytes(path.read_bytes()[:50])
            raise MemoryError

    with monkeypatch.context() as patched:
        patched.setitem(arena_folder.WRITERS, suffix, dies)
        with pytest.raises(MemoryError):
            arena(settings(tmp_path / "died"))
    path = only_folder(tmp_path / "died")
    assert len(games_of(path)) == 1
    assert written[1].exists()
    arena(ArenaConfig(resume=str(path)))
    assert games_of(path) == games_of(whole)
    assert not written[1].exists()


def test_agents_can_come_later(tmp_path, monkeypatch):
    whole = arena(settings(tmp_path / "whole", agents=THREE))
    path = arena(settings(tmp_path / "grown", agents=["random", "expert"]))
    assert arena(ArenaConfig(resume=str(path), agents=["expert", "random", "heuristic"])) == path
    assert games_of(path) == games_of(whole)
    assert results_of(path) == results_of(whole)
    began = stopped_after(monkeypatch, 100)
    arena(ArenaConfig(resume=str(path)))  # nothing is missing: the probes are all that is played
    assert len(began) == 6


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seed": 1}, r"seed: .* was played with 0, not with 1; leave it out, or start another"),
        ({"deals": 7}, "deals: .* was played with 6, not with 7"),
        ({"deals": "deals-v1:6"}, "deals: .* was played with 6, not with 'deals-v1:6'"),
        ({"first_deal": 3, "deals": 6}, "first_deal: .* was played with 0, not with 3"),
        ({"deterministic": False}, "deterministic: .* was played with True, not with False"),
        ({"agents": ["random", "expert"]}, "agents: .* holds games of heuristic too"),
        ({"name": "other"}, "name: .* has its place and name already"),
        ({"reference": "expert"}, "reference: 'expert' does not take part; random, heuristic do"),
    ],
)
def test_a_folder_of_other_settings_is_refused(tmp_path, changes, said):
    path = arena(settings(tmp_path))
    before = {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}
    with pytest.raises(ConfigError, match=said):
        arena(ArenaConfig(resume=str(path), **changes))
    assert {file: file.read_bytes() for file in path.rglob("*") if file.is_file()} == before


def test_a_default_that_is_written_out_counts_as_chosen(tmp_path, monkeypatch):
    path = arena(settings(tmp_path))
    monkeypatch.setattr(arenas, "command_line", lambda: [f"resume={path}", "deals=deals-v1"])
    with pytest.raises(ConfigError, match=r"deals: .* was played with 6, not with 'deals-v1'"):
        arena(ArenaConfig(resume=str(path)))


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("skirmish_env", "0.0.9", "skirmish_env was 0.0.9 and is "),
        ("card_set", {"name": "mine", "version": "1", "hash": "0"}, "card_set was {'name': 'mine'"),
        ("format", 99, "has format 99; this version reads 1"),
        (
            "agents",
            {"random": "elsewhere:Random"},
            "agent random was elsewhere:Random and is agents.random:RandomAgent",
        ),
    ],
)
def test_a_folder_made_with_something_else_is_refused(tmp_path, key, value, said):
    path = arena(settings(tmp_path, deals=2))
    file = path / "made_with.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), key: value}))
    with pytest.raises(ConfigError, match=said):
        arena(ArenaConfig(resume=str(path)))


def test_other_weights_in_the_same_place_are_refused(tmp_path):
    zip_file = tmp_path / "learner.zip"
    for suffix in (".zip", ".json"):
        shutil.copy(Path(WEIGHTS).with_suffix(suffix), zip_file.with_suffix(suffix))
    path = arena(settings(tmp_path / "arenas", agents=[str(zip_file), "lowest"], deals=2))
    arena(ArenaConfig(resume=str(path)))
    zip_file.write_bytes(zip_file.read_bytes() + b"\0")
    with pytest.raises(ConfigError, match=r"agent .*learner\.zip was learner.zip .* and is learn"):
        arena(ArenaConfig(resume=str(path)))


def test_players_who_changed_their_ways_are_found_out(tmp_path, monkeypatch):
    """The names, classes and versions are those that were written down; the play is another's."""
    path = arena(settings(tmp_path))
    kept = ArenaFolder.open(path).read_made_with()
    other = {"random": "heuristic", "heuristic": "heuristic"}
    monkeypatch.setattr(arenas, "load", lambda name, **options: load(other[name]))
    monkeypatch.setattr(arenas, "made_with", lambda *_: kept)
    with pytest.raises(ConfigError, match="heuristic against random does not come out as in"):
        arena(ArenaConfig(resume=str(path)))


def test_a_damaged_file_is_named(tmp_path):
    path = arena(settings(tmp_path, agents=["lowest", "drawn"]))
    (file,) = (path / "games").glob("drawn__lowest.*")
    file.write_bytes(file.read_bytes()[:40])
    with pytest.raises(ConfigError, match=r"drawn__lowest\.\w+: does not hold the games of drawn"):
        arena(ArenaConfig(report=str(path)))


def test_games_of_other_deals_are_not_taken_for_these(tmp_path):
    one = arena(settings(tmp_path, agents=["lowest", "drawn"]))
    other = arena(settings(tmp_path, agents=["lowest", "drawn"], first_deal=3))
    (file,) = (other / "games").glob("drawn__lowest.*")
    shutil.copy(file, one / "games" / file.name)
    with pytest.raises(ConfigError, match=r"on these deals \(column deal is another\)"):
        arena(ArenaConfig(report=str(one)))


# ---- showing again


def test_the_tables_are_printed_again_from_the_files(tmp_path, capsys, monkeypatch):
    path = arena(settings(tmp_path, agents=THREE))
    text = (path / "report.txt").read_text()
    began = stopped_after(monkeypatch, 100)
    capsys.readouterr()
    arena(ArenaConfig(report=str(path)))
    assert capsys.readouterr().out == text
    assert not began
    arena(ArenaConfig(report=str(path), reference="expert"))
    assert "expert at 0" in capsys.readouterr().out


def test_half_an_arena_is_shown_as_far_as_it_was_played(tmp_path, capsys, monkeypatch):
    stopped_after(monkeypatch, 3)
    with pytest.raises(SystemExit):
        arena(settings(tmp_path, agents=THREE))
    path = only_folder(tmp_path)
    assert f"`resume={path}` goes on" in capsys.readouterr().out
    arena(ArenaConfig(report=str(path)))
    shown = capsys.readouterr().out
    assert "3 of 6 pairs are not played yet" in shown
    assert re.search(r"1 random +- +- +\d", shown)
    assert "Bradley-Terry" not in shown


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_games_are_kept_as_parquet_or_csv(tmp_path, monkeypatch, kind):
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    whole = arena(settings(tmp_path / "whole"))
    monkeypatch.setattr(arenas, "file_kind", lambda: kind)
    path = arena(settings(tmp_path / kind))
    assert {file.suffix for file in (path / "games").iterdir()} == {f".{kind}"}
    assert games_of(path) == games_of(whole)
    assert results_of(path) == results_of(whole)
    if kind == "csv":
        with (path / "games" / "heuristic__random.csv").open(newline="") as file:
            first = next(csv.DictReader(file))
        assert first["agent"] == "heuristic"
        assert first["seat"] == "villains"


def test_parquet_files_without_their_library_name_the_extra(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    path = arena(settings(tmp_path, deals=2))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ConfigError, match=r"need pyarrow: pip install 'skirmish-env\[arena\]'"):
        arena(ArenaConfig(report=str(path)))


# ---- what is refused before a game is played


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"agents": ["random", "exprt"]}, "agents: 'exprt' is no agent's name.*did you mean 'exp"),
        ({"deals": "deals-v2"}, "deals: .*did you mean 'deals-v1'"),
        ({"deals": "deals-v1:9000"}, "1 to 2000 deals to give, not 9000"),
        ({"reference": "expert"}, "reference: 'expert' does not take part"),
    ],
)
def test_wrong_names_are_told_before_a_folder_is_made(tmp_path, changes, said):
    with pytest.raises(ConfigError, match=said):
        arena(settings(tmp_path, **changes))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"agents": ["random"]}, "agents: must be two or more"),
        ({"agents": ["random", "expert", "random"]}, "agents: .* twice: random"),
        ({"deals": 0}, "deals: must be above 0, not 0"),
        ({"deals": "deals-v1", "first_deal": 3}, "first_deal: must be 0 where deals is a name"),
        ({"resamples": 10}, "resamples: must be 100 or more, not 10"),
        ({"games": 0}, "games: must be above 0, not 0"),
        ({"resume": "a", "report": "b"}, "report: must be left out where resume is given"),
    ],
)
def test_settings_out_of_their_range_are_refused(changes, said):
    with pytest.raises(ConfigError, match=said):
        ArenaConfig(**changes)


def test_a_folder_that_is_no_arena_is_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"is no arena folder \(it has no config.yaml and no "):
        arena(ArenaConfig(resume=str(tmp_path)))


def test_without_the_library_for_ratings_nothing_is_played(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "choix", None)
    with pytest.raises(ConfigError, match=r"ratings need choix: pip install 'skirmish-env\[arena"):
        arena(settings(tmp_path))
    assert not list(tmp_path.iterdir())


def test_the_command_line(tmp_path, monkeypatch, capsys):
    words = ["agents=[random,heuristic]", "deals=deals-v1:3", "resamples=100"]
    monkeypatch.setattr(sys, "argv", ["arena", *words, f"folder={tmp_path}"])
    arenas.main()
    path = only_folder(tmp_path)
    monkeypatch.setattr(sys, "argv", ["arena", f"resume={path}", "deals=deals-v1"])
    with pytest.raises(SystemExit) as stop:
        arenas.main()
    assert stop.value.code == launch.FAILURE
    assert "was played with 'deals-v1:3', not with 'deals-v1'" in capsys.readouterr().err


@pytest.mark.slow
def test_a_killed_process_leaves_an_arena_that_goes_on(tmp_path):
    command = [sys.executable, "-m", "experiments.arena"]
    words = ["agents=[random,heuristic,expert]", "deals=deals-v1", f"folder={tmp_path}"]
    process = subprocess.Popen([*command, *words], stdout=subprocess.PIPE, text=True)
    path = Path(process.stdout.readline().partition(": ")[2].strip())
    while not any((path / "games").glob("[!.]*")):
        assert process.poll() is None
    process.kill()
    process.communicate()
    kept = games_of(path)
    assert 0 < len(kept) < 6
    subprocess.run([*command, f"resume={path}"], check=True, capture_output=True)
    found = games_of(path)
    assert len(found) == 6
    assert {name: found[name] for name in kept} == kept
    alone = play_pairs(load("heuristic"), load("random"), "deals-v1")
    assert found["heuristic__random"]["score"] == alone.scores.ravel().tolist()
