"""The ladder: pairs of fewer deals, what was asked, the page from the files alone, the floors."""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from agents.base import load
from agents.random import RandomAgent
from agents.search.tree import ISMCTS, TreeSearch
from configs.schema import ArenaConfig, ConfigError, LeaderboardConfig
from experiments import arena as arenas
from experiments import arena_plots
from experiments.arena import play_pairs
from experiments.arena_folder import READERS, ArenaFolder, going_on
from experiments.arena_report import standings
from experiments.asked import Asked
from experiments.floors import floors_rows
from experiments.identity import identity
from experiments.leaderboard import leaderboard
from experiments.pairs import Pairs
from experiments.ratings import rate
from skirmish_env.game import NEW_YORK
from skirmish_env.new_york.search import Search

NAMES = ["random", "heuristic", "searcher"]


class Searcher(RandomAgent):
    """Stands for an agent that searches: slow, so that it plays fewer deals."""

    name = "searcher"

    def __init__(self, playouts=7):
        self.playouts = playouts


def with_searcher(name, **more):
    return Searcher() if name == "searcher" else load(name, **more)


@pytest.fixture(autouse=True)
def known(monkeypatch):
    """One more agent has a name."""
    monkeypatch.setattr(arenas, "load", with_searcher)


def settings(folder, **changes):
    standard = {
        "agents": NAMES, "searching": ["searcher"], "deals": 8, "search_deals": 3,
        "resamples": 100, "jobs": 1, "folder": str(folder / "arenas"), "page": str(folder / "docs"),
    }  # fmt: skip
    return LeaderboardConfig(**{**standard, **changes})


def only_arena(folder):
    (path,) = (folder / "arenas").iterdir()
    return path


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """One small leaderboard: the folder that holds its arena and its page."""
    folder = tmp_path_factory.mktemp("leaderboard")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arenas, "load", with_searcher)
        patch.setattr(arena_plots, "draw", lambda *_: None)
        leaderboard(settings(folder))
    return folder


def test_who_searches_and_comes_later_plays_few_deals_too(tmp_path):
    first = ArenaFolder.create(settings(tmp_path, agents=["random", "heuristic"], searching=[]), {})
    later = settings(tmp_path)
    assert going_on(first, later, {"agents"}).searching == ["searcher"]
    assert going_on(first, later, {"jobs"}).searching == []


def test_pairs_with_an_agent_that_searches_play_the_first_deals_only(played):
    files = sorted((only_arena(played) / "games").iterdir())
    deals = {file.stem: READERS[file.suffix](file)["deal"] for file in files}
    for name, found in deals.items():
        a, b = name.split("__")
        n = 3 if "searcher" in (a, b) else 8
        assert found == np.repeat(np.arange(n), 1 if a == b else 2).tolist()


def test_the_page_is_written_again_without_playing(played, monkeypatch):
    page = played / "docs" / "leaderboard.md"
    before = page.read_bytes()
    pictures = [page.with_name(name) for name in re.findall(r"\]\((\w+\.png)\)", before.decode())]
    assert len(pictures) == 3
    for file in (page, *pictures):
        file.unlink()
    monkeypatch.setattr(arenas, "play_pairs", None)
    again = LeaderboardConfig(report=str(only_arena(played)), page=str(played / "docs"))
    assert leaderboard(again) == page
    assert page.read_bytes() == before
    assert all(file.stat().st_size for file in pictures)


def test_the_page_says_what_was_played_with_which_settings(played):
    page = (played / "docs" / "leaderboard.md").read_text()
    assert "Pairs with searcher: the first 3 of them" in page
    assert "8 deals, each played twice" in page
    assert ":Searcher(playouts=7)`" in page
    assert "No circle a > b > c > a" in page or "Circle: " in page
    scores = play_pairs(load("heuristic"), load("random"), np.arange(8)).scores
    table = page.partition("## Everybody against everybody")[2].partition("##")[0]
    (row,) = re.findall(r"^\| heuristic .*", table, re.M)
    assert f"{scores.mean():.1%}" in row
    assert "| ppo-v1 | expert | 75% | - | not played |" in page


def test_what_agents_cost_is_measured_where_they_were_asked(played):
    speeds = json.loads((only_arena(played) / "speed.json").read_text())
    assert speeds["heuristic__random"]["asked"] == {}
    asked = speeds["heuristic__searcher"]["asked"]
    assert set(asked) == {"heuristic", "searcher"}
    assert all(answers > 0 and cpu > 0 for answers, cpu in asked.values())
    costs = json.loads((only_arena(played) / "summary.json").read_text())["costs"]
    assert costs["searcher"]["compiled"] is None
    assert costs["random"]["compiled"] > 0


def test_the_first_question_is_not_counted():
    asked = Asked(RandomAgent())
    games = play_pairs(asked, RandomAgent(), np.arange(3))
    alone = play_pairs(Searcher(), RandomAgent(), np.arange(3))
    assert np.array_equal(games.moves, alone.moves)
    taken = (games.moves >= 0).sum()
    assert 0 < asked.answers < taken


def test_moves_are_kept_for_agents_that_were_asked(played):
    folder = ArenaFolder.open(only_arena(played))
    assert folder.read_moves("heuristic", "random") is None
    pairs = play_pairs(Searcher(), load("random"), np.arange(3))
    assert np.array_equal(folder.read_moves("searcher", "random"), pairs.moves)
    assert np.array_equal(folder.read_moves("random", "searcher"), pairs.moves[:, ::-1])


# ---- going on


def test_who_searches_may_change_for_later_agents_only(played):
    resume = str(only_arena(played))
    with pytest.raises(ConfigError, match=r"searching: .* it may change, not for random"):
        arenas.arena(ArenaConfig(resume=resume, agents=NAMES, searching=["random"]))
    with pytest.raises(ConfigError, match=r"search_deals: .* was played with 3, not with 5"):
        arenas.arena(ArenaConfig(resume=resume, search_deals=5))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"searching": ["sercher"]}, r"searching: must be among random, heuristic, searcher"),
        ({"search_deals": 0}, "search_deals: must be above 0"),
        ({"jobs": -1}, "jobs: must be 0 or more"),
    ],
)
def test_settings_out_of_their_range_are_refused(tmp_path, changes, said):
    with pytest.raises(ConfigError, match=said):
        settings(tmp_path, **changes)


def test_searchers_of_the_ladder_that_do_not_take_part_are_left_out():
    assert LeaderboardConfig().searching == ["mc100", "ismcts", "ppo-v1+search"]
    assert LeaderboardConfig(agents=["random", "mc100"]).searching == ["mc100"]


@pytest.mark.slow
def test_a_leaderboard_in_processes_is_killed_and_goes_on_to_the_same_games(tmp_path):
    agents = f"agents=[random,expert,{Path(__file__).parents[1] / 'data' / 'weights_v1.zip'}]"
    words = [agents, "deals=deals-v1:300", "jobs=2", "resamples=100", f"page={tmp_path}"]
    command = [sys.executable, "-m", "experiments.leaderboard"]
    first = [*command, *words, f"folder={tmp_path / 'arenas'}"]
    process = subprocess.Popen(first, stdout=subprocess.PIPE, text=True)
    path = Path(process.stdout.readline().partition(": ")[2].strip())
    while not any((path / "games").glob("[!.]*")):
        assert process.poll() is None
    process.kill()
    process.communicate()
    assert len(list((path / "games").glob("[!.]*"))) < 6
    done = subprocess.run(
        [*command, f"resume={path}", agents, f"page={tmp_path}"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert "Floors" in done.stdout
    alone = play_pairs(load("expert"), load("random"), "deals-v1:300")
    (file,) = (path / "games").glob("expert__random.*")
    assert READERS[file.suffix](file)["score"] == alone.scores.ravel().tolist()


# ---- who plays


@dataclass
class Budget:
    simulations: int


def test_an_agent_is_told_by_its_settings_and_those_inside():
    agent = Searcher(100)
    agent.prior = Searcher(3)
    agent.budget = Budget(64)
    agent.weights = np.arange(4)
    agent.where = "/" + "home/somebody/weights.zip"
    agent._cache = 5
    words = identity("searcher", agent).partition(":")[2]
    assert words.startswith("Searcher(budget=Budget(simulations=64), playouts=100, ")
    assert "prior=Searcher(playouts=3)" in words
    assert "where='<path>'" in words
    assert "cache" not in words
    agent.weights = np.arange(1, 5)
    assert identity("searcher", agent).partition(":")[2] != words
    assert identity("random", RandomAgent()) == "agents.random:RandomAgent"


OTHER_DEFAULTS = {
    "player": "heuristic", "turns": 3, "explore": 0.7, "unseen": 0.1, "sharpness": 2.0,
    "widening": 1.5, "fit": (0.0,) * 6,
}  # fmt: skip


@pytest.mark.parametrize("key", sorted(Search.__init__.__kwdefaults__.keys() - {"outside"}))
def test_another_default_of_the_engine_makes_another_agent(monkeypatch, key):
    """Or stored games would pass for those of the new agent."""
    before = identity("search", TreeSearch())
    monkeypatch.setitem(Search.__init__.__kwdefaults__, key, OTHER_DEFAULTS[key])
    after = identity("search", TreeSearch())
    assert after != before
    monkeypatch.undo()
    assert identity("search", TreeSearch(**{key: OTHER_DEFAULTS[key]})) == after


def test_a_search_is_told_by_what_it_goes_by():
    words = identity("ismcts", ISMCTS())
    for setting in ("turns=2", "sharpness=4.0", "player='expert'", "explore=0.5", "unseen=0.0",
                    "widening=None", "simulations=300"):  # fmt: skip
        assert setting in words
    assert re.search(r"fit=[0-9a-f]{16},", words)
    judged = identity("search", TreeSearch(judge=lambda seen, masks: None, explore=2))
    assert "settings={explore=2.0, unseen=0.0, widening=None}" in judged


# ---- ratings of pairs that played some of the deals


def per_deal(pairs, n):
    """Scores (3, 3, n) of pairs {(i, j): scores of the first deals}."""
    found = np.full((3, 3, n), np.nan)
    for (i, j), scores in pairs.items():
        found[i, j, : len(scores)], found[j, i, : len(scores)] = scores, 1 - np.array(scores)
    return found


def test_pairs_of_fewer_deals_are_rated_by_the_games_they_played():
    rng = np.random.default_rng(0)
    a_b, a_c, b_c = (rng.integers(2, size=400).astype(float) for _ in range(3))
    everything = {(0, 1): a_b, (0, 2): a_c, (1, 2): b_c}
    whole = rate(["a", "b", "c"], per_deal(everything, 400), resamples=100)
    few = {(0, 1): a_b, (0, 2): a_c[:20], (1, 2): b_c[:20]}
    found = rate(["a", "b", "c"], per_deal(few, 400), resamples=100)
    wide = [one.high - one.low for one in (whole, found)]
    assert wide[1][2] > 2 * wide[0][2]  # c is known from 40 deals instead of 800
    assert wide[1][1] < 1.5 * wide[0][1]
    score = [np.mean(few[pair]) for pair in ((0, 2), (1, 2))]
    predicted = found.predicted[[0, 1], 2]
    assert predicted.mean() == pytest.approx(np.mean(score), abs=0.02)


def test_a_score_that_only_one_side_has_is_refused():
    scores = per_deal({(0, 1): [1, 0], (0, 2): [1, 0], (1, 2): [1, 0]}, 2)
    scores[0, 1, 1] = np.nan
    with pytest.raises(ValueError, match="must sum to 1"):
        rate(["a", "b", "c"], scores)


# ---- floors


def pairs_of(a, b, villains, heroes):
    """Games in which `a` won so many of 100 deals in each seat, the first ones."""
    won = np.arange(100)[:, None] < np.array([villains, heroes])
    nothing = np.zeros((100, 2), np.int64)
    rest = (nothing, nothing, nothing.astype(str))
    return Pairs(a, b, NEW_YORK.seats, np.arange(100), won * 1.0, *rest)


def verdicts(*pairs):
    names = sorted({name for one in pairs for name in (one.a, one.b)})
    config = ArenaConfig(agents=names, resamples=100)
    found = standings(config, {}, NEW_YORK.seats, {(one.a, one.b): one for one in pairs}, {})
    return {row[:2]: row[-1] for row in floors_rows(found)}


def test_a_floor_is_reached_or_not():
    told = verdicts(
        pairs_of("expert", "random", 100, 100),
        pairs_of("expert", "greedy", 71, 71),
        pairs_of("expert", "mc100", 48, 48),
        pairs_of("ismcts", "expert", 20, 20),
        pairs_of("ppo-v1+search", "ppo-v1", 58, 58),
    )
    assert told["expert", "random"] == "yes, but the interval begins below"
    assert told["expert", "greedy"] == "yes, but the interval begins below"
    assert told["expert", "mc100"] == "no, but the interval reaches it"
    assert told["ismcts", "expert"] == "no"
    assert told["ppo-v1+search", "ppo-v1"] == "no: the interval holds 50%"
    assert told["ppo-v1", "expert"] == "not played"


def test_a_seat_is_compared_with_the_opponent_itself():
    mirror = pairs_of("expert", "expert", 90, 10)
    told = verdicts(pairs_of("ppo-v1", "expert", 95, 60), mirror)
    assert told["ppo-v1 as villains", "expert"].startswith("yes: +5.0 points (+0.7 to ")
    assert told["ppo-v1 as heroes", "expert"].startswith("yes: +50.0 points")
    weaker = verdicts(pairs_of("ppo-v1", "expert", 85, 60), mirror)
    assert weaker["ppo-v1 as villains", "expert"].startswith("no: -5.0 points")
