import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import minari
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch

from configs import schema
from configs.schema import ConfigError, RecordConfig, settings
from experiments import launch
from experiments import record as experiment
from experiments.minari_export import environment
from experiments.record import COLUMNS, RecordingError, check, read, record, to_minari
from experiments.seeds import TRAINING_SEEDS
from skirmish_env import skirmish_v0
from skirmish_env.game import NEW_YORK
from skirmish_env.views import View

DOCS = Path(__file__).parents[2] / "docs" / "offline.md"
FIRST = TRAINING_SEEDS.start
GAMES = 24
BLOCK = 8  # games; small here, so that files and row groups are several


def write(folder, **changes):
    """Record games of two compiled players into a folder; return it."""
    options = {"agents": ["random", "heuristic"], "games": GAMES, "file_games": 16, "seed": 5}
    record(RecordConfig(out=str(folder), **{**options, **changes}))
    return folder


@pytest.fixture(scope="module", autouse=True)
def small_blocks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiment, "BLOCK", BLOCK)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory, small_blocks):
    return write(tmp_path_factory.mktemp("recorded") / "duel")


@pytest.fixture(scope="module")
def rows(folder):
    return read(folder).arrays(*COLUMNS)


def of_game(rows, game):
    """Return the decisions of a game in order, one dictionary each."""
    found = np.flatnonzero(rows["game"] == game)
    return [{name: column[at] for name, column in rows.items()} for at in found]


def streams(rows):
    """Yield what each seat of each game decided, in order."""
    for game in range(GAMES):
        for seat in NEW_YORK.seats:
            yield [row for row in of_game(rows, game) if row["seat"] == seat]


def paths(folder):
    return sorted(folder.glob("*.parquet"))


def contents(folder):
    return [path.read_bytes() for path in paths(folder)]


def rewritten(folder, other, change):
    """Copy a recording; `change` makes another table of that of the first file."""
    other.mkdir()
    for number, path in enumerate(paths(folder)):
        table = pq.read_table(path)
        pq.write_table(change(table) if number == 0 else table, other / path.name)
    return other


def with_metadata(table, **changes):
    about = json.loads(table.schema.metadata[b"skirmish_recording"])
    changed = json.dumps({**about, **changes}, sort_keys=True)
    return table.replace_schema_metadata({b"skirmish_recording": changed})


# -- What a row says ------------------------------------------------------------------------------


def test_rows_are_what_pettingzoo_shows(rows):
    """Seat, observation, mask and turn of each decision; final observations; the result."""
    for game in range(0, GAMES, 5):
        env = skirmish_v0.raw_env()
        decisions = of_game(rows, game)
        env.reset(seed=int(decisions[0]["deal"]))
        for number, row in enumerate(decisions):
            seen = env.observe(env.agent_selection)
            assert row["number"] == number
            assert row["seat"] == env.agent_selection
            assert row["observation"].tobytes() == seen["observation"].tobytes()
            assert row["mask"].tobytes() == seen["action_mask"].tobytes()
            assert not any(env.terminations.values())
            env.step(row["action"])
        assert all(env.terminations.values())
        for seat in env.possible_agents:
            last = [row for row in decisions if row["seat"] == seat][-1]
            assert last["reward"] == env.rewards[seat]
            assert last["final_observation"].tobytes() == env.observe(seat)["observation"].tobytes()


def test_every_action_is_legal_and_stands_in_words(rows):
    assert rows["mask"].dtype == np.int8
    assert (rows["mask"][np.arange(len(rows["action"])), rows["action"]] == 1).all()
    assert rows["mask"].sum(axis=1).min() >= 2  # forced questions are not put
    assert [NEW_YORK.moves[a] for a in rows["action"]] == rows["move"].tolist()


def test_a_mask_shows_the_cards_of_its_observation(rows):
    """Who may recruit a card holds it; both come from the seat that decides."""
    hand = NEW_YORK.layout.span("own hand")
    plays = [a for a, move in enumerate(NEW_YORK.moves) if re.fullmatch(r"play \w+", move)]
    recruiting = np.flatnonzero(rows["mask"][:, plays].any(axis=1))
    assert len(recruiting) > 50
    held = (rows["observation"][:, hand] > 0).sum(axis=1)
    assert (rows["mask"][recruiting][:, plays].sum(axis=1) <= held[recruiting]).all()


def test_each_seat_gets_its_result_on_its_own_last_decision(rows):
    """Even where the game ends on the other's move, or on a move of its own that is not the last.

    Rewards before are 0, and returns are what is still to come.
    """
    ended_by_other = 0
    for decisions in streams(rows):
        last = decisions[-1]
        assert [row["ended"] for row in decisions] == [False] * (len(decisions) - 1) + [True]
        assert not any(row["reward"] for row in decisions[:-1])
        assert last["reward"] == {last["seat"]: 1, "draw": 0}.get(last["winner"], -1)
        rewards = np.array([row["reward"] for row in decisions])
        assert [row["return"] for row in decisions] == np.cumsum(rewards[::-1])[::-1].tolist()
        ended_by_other += last["number"] < of_game(rows, last["game"])[-1]["number"]
    assert ended_by_other == GAMES
    assert set(rows["winner"]) == set(NEW_YORK.seats)
    assert "" not in rows["ending"]


def test_the_last_decision_alone_has_a_final_observation(rows):
    lengths = np.array([len(seen) for seen in rows["final_observation"]])
    assert (lengths == np.where(rows["ended"], NEW_YORK.observation_size, 0)).all()


def test_several_decisions_running_are_rows_of_their_own(rows):
    running = (rows["seat"][1:] == rows["seat"][:-1]) & (rows["game"][1:] == rows["game"][:-1])
    assert running.sum() > 200
    for game in range(GAMES):
        decisions = of_game(rows, game)
        assert [row["number"] for row in decisions] == list(range(len(decisions)))
    assert (np.diff(rows["game"]) >= 0).all()


def test_every_deal_is_played_in_both_seats(rows):
    for game in range(0, GAMES, 2):
        one, other = of_game(rows, game), of_game(rows, game + 1)
        assert one[0]["deal"] == other[0]["deal"] == FIRST + game // 2
        for decisions, villains in ((one, "random"), (other, "heuristic")):
            heroes = {"random": "heuristic", "heuristic": "random"}[villains]
            for row in decisions:
                pair = villains, heroes
                assert (row["agent"], row["opponent"]) == (
                    pair if row["seat"] == "villains" else pair[::-1]
                )


def test_all_pairs_of_three_and_one_with_itself(tmp_path):
    three = read(write(tmp_path / "3", agents=["random", "heuristic", "expert"], games=6)).arrays()
    seen = {
        (row["agent"], row["opponent"]) for game in range(6) for row in of_game(three, game)
        if row["seat"] == "villains"
    }  # fmt: skip
    names = ("random", "heuristic", "expert")
    assert seen == {(a, b) for a in names for b in names if a != b}
    assert set(three["deal"]) == {FIRST}
    alone = read(write(tmp_path / "1", agents=["random"], games=2)).arrays("agent", "deal")
    assert set(alone["agent"]) == {"random"}
    assert set(alone["deal"]) == {FIRST, FIRST + 1}


# -- Agents ---------------------------------------------------------------------------------------


class Prying:
    """Takes the first legal action, keeps what it got, and writes into it."""

    name = "prying"

    def __init__(self):
        self.got = []

    def act(self, *arguments):
        self.got.append([type(one) for one in arguments])
        view = arguments[0]
        actions = view.mask.argmax(axis=1)
        view.observation[:] = 9
        view.mask[:] = 1
        return actions


def test_agents_get_views_alone_and_cannot_change_what_is_recorded(tmp_path, monkeypatch):
    agent = Prying()
    monkeypatch.setattr(experiment, "load", lambda name, game: agent)
    written = write(tmp_path / "prying", agents=["prying"], games=2)
    assert agent.got
    assert all(got == [View, np.random.Generator] for got in agent.got)
    assert check(written)[0] == 2


# -- The same games -------------------------------------------------------------------------------


def test_the_same_settings_give_the_same_bytes(folder, tmp_path):
    again = write(tmp_path / "again")
    assert contents(again) == contents(folder)
    other = write(tmp_path / "other", seed=6)
    assert contents(other) != contents(folder)


@pytest.mark.parametrize("changes", [{"file_games": 8}, {"file_games": 99}, {"games": 16}])
def test_rows_do_not_depend_on_files_or_on_later_games(rows, tmp_path, changes):
    other = read(write(tmp_path / "other", **changes)).arrays()
    n = len(other["game"])
    assert n == (rows["game"] < changes.get("games", GAMES)).sum()
    for name, column in other.items():
        assert column.tobytes() == rows[name][:n].astype(column.dtype).tobytes(), name


def test_files_are_bounded_and_row_groups_hold_whole_games(folder):
    recording = read(folder)
    assert recording.complete
    assert [path.name for path in recording.paths] == ["part-00000.parquet", "part-00001.parquet"]
    games = [
        set(recording.rows_of(path, number, ["game"])["game"].tolist())
        for path, number, _ in recording.groups
    ]
    assert games == [set(range(at, at + BLOCK)) for at in range(0, GAMES, BLOCK)]


def test_the_metadata_say_what_was_played(folder):
    about = read(folder).metadata
    assert about["game"] == "new_york"
    assert (about["observation_version"], about["action_version"]) == (1, 1)
    assert about["card_set"]["hash"] == NEW_YORK.load().hash
    assert about["rules"] == dict(NEW_YORK.load().rules)
    assert [agent["name"] for agent in about["agents"]] == ["random", "heuristic"]
    assert about["deals"] == {
        "set": None, "first": FIRST, "last": FIRST + 11, "for_evaluation": False,
    }  # fmt: skip
    assert about["versions"]["numpy"] == np.__version__
    assert (about["seed"], about["games"], about["block"]) == (5, GAMES, BLOCK)


# -- Playing again --------------------------------------------------------------------------------


def test_recorded_games_replay(folder, rows, capsys):
    assert check(folder) == (GAMES, len(rows["game"]))
    record(RecordConfig(check=str(folder)))
    assert f"decisions of {GAMES} games replay" in capsys.readouterr().out


def changed(name, change):
    """Return a function that changes one column of a table at its 30th decision."""

    def of(table):
        values = table[name].to_pylist()
        values[30] = change(values[30])
        column = pa.array(values, table.schema.field(name).type)
        return table.set_column(table.column_names.index(name), table.schema.field(name), column)

    return of


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("observation", lambda seen: [*seen[:-1], seen[-1] + 0.25]),
        ("mask", lambda bits: bytes([bits[0] ^ 1, *bits[1:]])),
        ("reward", lambda reward: 1 - reward),
        ("return", lambda reward: -reward),
        ("turn", lambda turn: turn + 1),
        ("question", lambda _: "chosen"),
        ("winner", {"villains": "heroes", "heroes": "villains"}.get),
        ("deal", lambda deal: deal + 1),
        ("action", lambda action: (action + 1) % NEW_YORK.action_count),
        ("ended", lambda ended: not ended),
        ("final_observation", lambda seen: [*seen, 0.0]),
    ],
)
def test_a_changed_recording_does_not_replay(folder, tmp_path, name, change):
    """A changed action gives an illegal one, or another game; each other column is named."""
    other = rewritten(folder, tmp_path / "changed", changed(name, change))
    said = f"the column '{name}'" if name != "action" else "not legal|number of dec|the column"
    with pytest.raises(RecordingError, match=said) as error:
        check(other)
    assert "part-00000.parquet" in str(error.value)


def test_a_game_cut_short_does_not_replay(folder, tmp_path):
    other = rewritten(folder, tmp_path / "cut", lambda table: table.slice(0, len(table) - 1))
    with pytest.raises(RecordingError, match=r"does not replay.*not legal|number of decisions"):
        check(other)


def test_a_recording_by_other_rules_replays_by_them(tmp_path):
    rules = {"villains_opening_hand": 4}
    other = write(tmp_path / "rules", rules=rules, games=4)
    assert read(other).metadata["rules"]["villains_opening_hand"] == 4
    assert check(other)[0] == 4
    table = rewritten(other, tmp_path / "lie", lambda t: with_metadata(t, rules=dict(
        NEW_YORK.load().rules)))  # fmt: skip
    with pytest.raises(RecordingError):
        check(table)


# -- Refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"action_version": 2}, "action version 1 where this is 2"),
        ({"name": "old_york"}, "game 'new_york' where this is 'old_york'"),
        ({"moves": NEW_YORK.moves[:-1]}, "action count 242 where this is 241"),
    ],
)
def test_recordings_of_other_layouts_are_refused_by_name(folder, changes, said):
    with pytest.raises(RecordingError, match=said):
        read(folder, game=replace(NEW_YORK, **changes))


def test_an_observation_of_another_version_is_refused(folder, tmp_path):
    other = rewritten(
        folder, tmp_path / "v0", lambda table: with_metadata(table, observation_version=0)
    )
    paths(other)[1].unlink()
    with pytest.raises(RecordingError, match="observation version 0 where this is 1"):
        read(other)


def test_other_files_are_refused(folder, tmp_path):
    with pytest.raises(RecordingError, match="no recording in this folder"):
        read(tmp_path)
    mixed = rewritten(folder, tmp_path / "mixed", lambda table: with_metadata(table, seed=1))
    with pytest.raises(RecordingError, match=r"part-00001\.parquet: is of another recording"):
        read(mixed)
    newer = rewritten(folder, tmp_path / "2", lambda table: with_metadata(table, format_version=2))
    with pytest.raises(RecordingError, match="recording format 2; this version reads 1"):
        read(newer)
    foreign = rewritten(folder, tmp_path / "foreign", lambda table: pa.table({"x": [1]}))
    with pytest.raises(RecordingError, match=r"part-00000\.parquet: is no file of a recording"):
        read(foreign)
    damaged = rewritten(folder, tmp_path / "damaged", lambda table: table)
    paths(damaged)[0].write_bytes(paths(damaged)[0].read_bytes()[:-100])
    with pytest.raises(RecordingError, match=r"part-00000\.parquet: cannot be read"):
        read(damaged)


def test_deals_kept_for_evaluation_are_refused_unless_asked_for(tmp_path):
    for changes in ({"first_deal": FIRST - 1}, {"deals": "deals-v1"}):
        with pytest.raises(ConfigError, match=r"kept for evaluation.*evaluation_deals=true"):
            write(tmp_path / "no", **changes)
        assert not (tmp_path / "no").exists()
    other = write(tmp_path / "yes", deals="deals-v1:2", games=4, evaluation_deals=True)
    recording = read(other)
    assert set(recording.arrays("deal")["deal"]) == {3_000_000_000, 3_000_000_001}
    assert recording.metadata["deals"]["for_evaluation"]
    with pytest.raises(ConfigError, match="deals-v1:2 has 2 deals; 3 are needed"):
        write(tmp_path / "no", deals="deals-v1:2", games=6, evaluation_deals=True)


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        (["games=7"], "games: must be a multiple of 2 .*as 8, not 7"),
        (["agents=[random,random]"], "agents: must be one name or more, each once"),
        (["agents=[]"], "agents: must be one name or more"),
        (["deals=deals-v1", "first_deal=3"], "first_deal: must be left out where deals names"),
        (["file_games=0"], "file_games: must be above 0"),
        (["gmaes=4"], "gmaes: there is no such setting; the nearest is games"),
    ],
)
def test_wrong_settings_are_named(monkeypatch, capsys, overrides, said):
    monkeypatch.setattr(sys, "argv", ["record", *overrides])
    with pytest.raises(SystemExit):
        launch.launch(lambda config: pytest.fail("started"), "record")
    assert re.search(said, capsys.readouterr().err)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"agents": ["expret"]}, "agents: 'expret' is no agent's name.*'expert'"),
        ({"rules": {"tower": 1}}, "card_set: rules: unknown key 'tower'"),
        ({"file_games": 7}, "file_games: must be 8 or more, the games of a block"),
        ({"deals": "deals-v9"}, "no set of deals is called 'deals-v9'"),
        ({"first_deal": TRAINING_SEEDS.stop}, "first_deal: all deals lie below"),
    ],
)
def test_what_is_not_there_is_named_before_anything_is_written(tmp_path, changes, said):
    with pytest.raises(ConfigError, match=said):
        write(tmp_path / "none", **changes)
    assert not (tmp_path / "none").exists()
    with pytest.raises(ConfigError, match="out: name a folder"):
        record(RecordConfig())


def test_every_setting_has_one_sentence():
    for key, _, _, sentence in settings(schema.RecordConfig):
        assert sentence[0].isupper(), key
        assert sentence.endswith("."), key
        assert len(sentence) <= 72, key


# -- Going on -------------------------------------------------------------------------------------


def stopped(folder, monkeypatch, after, what=KeyboardInterrupt):
    """Start a recording that is interrupted after so many blocks."""
    play, blocks = experiment.play_block, []

    def stopping(*arguments):
        blocks.append(1)
        if len(blocks) > after:
            raise what
        return play(*arguments)

    with monkeypatch.context() as patch, pytest.raises((SystemExit, what)):
        patch.setattr(experiment, "play_block", stopping)
        write(folder)


@pytest.mark.parametrize("what", [KeyboardInterrupt, MemoryError])
def test_an_interrupted_recording_is_valid_and_goes_on(folder, tmp_path, monkeypatch, what):
    """Two blocks make a file of 16 games; the third is lost and played again."""
    other = tmp_path / "stopped"
    stopped(other, monkeypatch, 2, what)
    assert [path.name for path in other.iterdir()] == ["part-00000.parquet"]
    recording = read(other)
    assert not recording.complete
    assert check(other)[0] == 16
    before = paths(other)[0].stat().st_mtime_ns
    write(other, resume=True)
    assert paths(other)[0].stat().st_mtime_ns == before
    assert contents(other) == contents(folder)
    write(other, resume=True)
    assert contents(other) == contents(folder)


def test_an_interrupted_file_leaves_nothing_behind(folder, tmp_path, monkeypatch):
    other = tmp_path / "stopped"
    stopped(other, monkeypatch, 1)
    assert list(other.iterdir()) == []
    (other / ".part-00000.parquet.unfinished").write_bytes(b"killed here")
    (other / "notes.txt").write_text("mine")
    write(other, resume=True)
    assert contents(other) == contents(folder)
    assert sorted(path.name for path in other.iterdir()) == [
        "notes.txt", "part-00000.parquet", "part-00001.parquet",
    ]  # fmt: skip


def test_a_recording_is_never_written_over(folder, tmp_path):
    before = contents(folder)
    with pytest.raises(ConfigError, match=r"a recording lies in .*; resume=true goes on"):
        write(folder)
    for changes, said in (({"seed": 6}, "seed 5 where this is 6"), ({"games": 48}, "games 24")):
        with pytest.raises(ConfigError, match=f"is of another recording: .*{said}"):
            write(folder, resume=True, **changes)
    assert contents(folder) == before


# -- Reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_batches_hold_every_row_once_in_order(folder, rows, size):
    names = ("observation", "action", "move")
    batches = list(read(folder).batches(size, *names))
    sizes = [len(batch["action"]) for batch in batches]
    assert sizes[:-1] == [size] * (len(batches) - 1)
    assert sum(sizes) == len(rows["action"])
    for name in names:
        joined = np.concatenate([batch[name] for batch in batches])
        assert joined.tolist() == rows[name].tolist()


def test_mixed_batches_hold_every_row_once(folder, rows):
    def numbers(seed):
        batches = read(folder).batches(50, "game", "number", rng=np.random.default_rng(seed))
        return [pair for b in batches for pair in zip(b["game"].tolist(), b["number"].tolist())]

    in_order = list(zip(rows["game"].tolist(), rows["number"].tolist()))
    assert sorted(numbers(0)) == in_order
    assert numbers(0) == numbers(0) != numbers(1) != in_order


def test_wrong_columns_and_sizes_are_refused(folder):
    with pytest.raises(ValueError, match="columns: there is no 'obs'; there are game"):
        read(folder).arrays("obs")
    with pytest.raises(ValueError, match="size: must be above 0, not 0"):
        read(folder).batches(0)


def test_any_parquet_reader_sees_words_and_numbers(folder, rows):
    table = pq.read_table(folder)
    assert table.column_names == list(COLUMNS)
    assert len(table) == len(read(folder)) == len(rows["game"])
    assert table["move"].to_pylist() == rows["move"].tolist()
    assert table["observation"][3].as_py() == rows["observation"][3].tolist()
    bits = np.unpackbits(np.frombuffer(table["mask"][3].as_py(), np.uint8), bitorder="little")
    assert bits[: NEW_YORK.action_count].tolist() == rows["mask"][3].tolist()


# -- Minari ---------------------------------------------------------------------------------------


def test_minari_episodes_are_the_seats_streams(folder, rows, tmp_path, monkeypatch):
    home, root = tmp_path / "home", tmp_path / "datasets"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("MINARI_DATASETS_PATH", raising=False)
    with pytest.raises(ValueError, match="root: name a folder, or set MINARI_DATASETS_PATH"):
        to_minari(folder, "skirmish/duel-v0")
    details = {"author": "a", "author_email": "a@b.c", "code_permalink": "none"}
    to_minari(folder, "skirmish/duel-v0", root, **details)
    assert "MINARI_DATASETS_PATH" not in os.environ
    assert not home.exists()
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(root))
    dataset = minari.load_dataset("skirmish/duel-v0")
    wanted = [decisions for decisions in streams(rows) if decisions]
    assert len(dataset) == len(wanted)
    for episode, decisions in zip(dataset, wanted):
        last = decisions[-1]
        n = len(decisions)
        seen = [row["observation"] for row in decisions] + [last["final_observation"]]
        assert np.array_equal(episode.observations, np.stack(seen))
        assert episode.actions.tolist() == [row["action"] for row in decisions]
        assert episode.rewards.tolist() == [0.0] * (n - 1) + [last["reward"]]
        assert episode.terminations.tolist() == [False] * (n - 1) + [True]
        assert not episode.truncations.any()
        masks = episode.infos["action_mask"]
        assert masks.shape == (n + 1, NEW_YORK.action_count)
        assert masks[:-1].tolist() == [row["mask"].tolist() for row in decisions]
        assert not masks[-1].any()
    (about,) = dataset.storage.get_episode_metadata([1])
    assert about["seed"] == FIRST
    assert about["options"] == {
        "game": 0, "seat": "heroes", "agent": "heuristic", "opponent": "random",
    }  # fmt: skip


def test_minaris_environment_plays_by_the_rules_of_the_recording(folder, tmp_path):
    assert environment(read(folder)).kwargs == {}
    rules = {"villains_opening_hand": 4}
    other = read(write(tmp_path / "rules", rules=rules, games=2))
    assert environment(other).kwargs == {"rules": rules}
    card_set = {**other.metadata["card_set"], "hash": "0" * 16}
    assert environment(replace(other, metadata={**other.metadata, "card_set": card_set})) is None


# -- The page, and what is not installed ----------------------------------------------------------


def test_the_page_lists_every_column():
    page = DOCS.read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \|", page, re.M)
    assert [name for name in listed if name in COLUMNS] == list(COLUMNS)


def test_the_pages_example_runs(folder, tmp_path, monkeypatch, capsys):
    """As it stands there, on the few games recorded here."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "data" / "expert", agents=["heuristic", "expert"], games=12)
    (block,) = re.findall(r"```python\n(# Behaviour.*?)```", DOCS.read_text("utf-8"), re.S)
    small = block.replace("range(10)", "range(1)").replace("deals-v1:500", "deals-v1:2")
    assert small.count("range(1)") == small.count("deals-v1:2") == 1
    torch.manual_seed(0)
    exec(compile(small, str(DOCS), "exec"), {})
    assert re.search(r"accuracy 0\.\d+", capsys.readouterr().out)


def test_arrow_that_is_not_installed_is_named():
    program = "import sys; sys.modules['pyarrow'] = None; import experiments.record"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1
    assert "pip install 'skirmish-env[train,data]'" in done.stderr


@pytest.mark.parametrize("package", ["minari", "h5py"])
def test_minari_that_is_not_installed_is_named(folder, monkeypatch, tmp_path, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=r"skirmish-env\[train,minari\]"):
        to_minari(folder, "skirmish/duel-v0", tmp_path)
    assert not list(tmp_path.iterdir())
