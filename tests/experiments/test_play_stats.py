"""Games of an arena watched again: they come out as they were played, and what they show counts."""

import csv
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from agents.base import load
from configs.schema import ArenaConfig, ConfigError, PlayStatsConfig
from experiments import arena_plots
from experiments.arena import arena
from experiments.arena_folder import ArenaFolder
from experiments.pairs import estimate, play_pairs
from experiments.play_stats import first_deals, play_stats, read_event
from experiments.replays import ReplayError, Words, replay
from experiments.seat_games import SeatGames
from skirmish_env import Table
from skirmish_env.game import NEW_YORK

WEIGHTS = str(Path(__file__).parents[1] / "data" / "weights_v1.zip")
WORDS = Words.of(NEW_YORK)
DEALS = np.arange(6)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """An arena of a compiled player and of one that is asked, its folder."""
    folder = tmp_path_factory.mktemp("arenas")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arena_plots, "draw", lambda *_: None)
        agents = ["heuristic", "random", WEIGHTS]
        return arena(ArenaConfig(agents=agents, deals=6, resamples=100, folder=str(folder)))


# ---- the same games


def test_every_game_of_an_arena_comes_out_as_it_was_played(played):
    """`replay` compares score, turns, decisions and ending of each game with the arena's row."""
    event = read_event(ArenaFolder.open(played))
    for a, b in event.pairs():
        pairs = first_deals(event, a, b, 0)
        assert len(pairs.deals) == 6
        asked = {name: load(name) for name in (a, b)}
        for seen in replay(pairs, asked[a], asked[b]):
            assert (seen.plays.sum(axis=(1, 2)) > 0).all()


@pytest.mark.parametrize("key", ["scores", "turns", "decisions", "endings"])
def test_a_game_that_comes_out_otherwise_is_named(key):
    pairs = play_pairs(load("heuristic"), load("random"), DEALS)
    wrong = getattr(pairs, key).copy()
    wrong[4, 1] = "elsewhere" if key == "endings" else 0.25 if key == "scores" else 999
    with pytest.raises(ReplayError, match=rf"deal 4, heuristic as heroes: {key} were .* and are"):
        replay(replace(pairs, **{key: wrong}), load("heuristic"), load("random"))


def test_another_seed_is_found_out():
    pairs = play_pairs(load("heuristic"), load("random"), DEALS)
    with pytest.raises(ReplayError, match="rules or players changed"):
        replay(pairs, load("heuristic"), load("random"), seed=1)


def test_moves_that_do_not_fit_are_found_out():
    pairs = play_pairs(load(WEIGHTS), load("random"), DEALS[:2])
    moves = pairs.moves.copy()
    moves[0, 0, 3] = NEW_YORK.move_to_action("waive")
    with pytest.raises(ReplayError, match="the kept moves do not fit: game 0: 'waive' is not"):
        replay(replace(pairs, moves=moves), load(WEIGHTS), load("random"))
    with pytest.raises(ReplayError, match="moves were not kept, and only compiled players can"):
        replay(replace(pairs, moves=None), load(WEIGHTS), load("random"))


# ---- what is counted


def told_again(pairs, column, row):
    """Play a game by its kept moves on a table, every question asked.

    Returns the table, (who, question, move) of each, and the battlegrounds that came into a hand.
    """
    t = Table.new(int(pairs.deals[row]))
    kept = [int(move) for move in pairs.moves[row, column] if move >= 0]
    said, drawn = [], 0
    while t.to_move is not None:
        move = t.legal()[0] if len(t.legal()) == 1 else NEW_YORK.moves[kept.pop(0)]
        said.append((t.to_move, t.question, move))
        held = t.states["hand"][0, :, 56:]
        t.play(move)
        drawn += int((t.states["hand"][0, :, 56:] > held).sum())
    assert not kept
    return t, said, drawn


def test_cards_artifacts_civilians_and_bonuses_are_those_of_the_moves():
    pairs = play_pairs(load(WEIGHTS), load("random"), DEALS)
    for column, seen in enumerate(replay(pairs, load(WEIGHTS), load("random"))):
        for row in range(len(DEALS)):
            t, said, drawn = told_again(pairs, column, row)
            for s, seat in enumerate(NEW_YORK.seats):
                own = [(question, move) for who, question, move in said if who == seat]
                played = [move.split()[1] for _, move in own if move.startswith(("play", "fetch"))]
                counted = {w: n for w, n in zip(WORDS.cards, seen.plays[row, s]) if n}
                assert counted == Counter(played)
                first = seen.first[row, s]
                assert (WORDS.cards[first] if first >= 0 else None) == next(iter(played), None)
                freed = sum(question == "free civilian" for question, _ in own)
                assert seen.civilians[row, s] == freed
                gained = [move.split()[1] for question, move in own if question == "choose tile"]
                counted = [w for w, n in zip(WORDS.artifacts, seen.artifacts[row, s]) if n]
                assert sorted(gained) == counted
            left = sum(len(one) for one in t.position()["civilians"])
            assert seen.civilians[row].sum() == 12 - left
            tower = WORDS.locations.index("tower")
            assert seen.bonuses[row, :, tower].sum() == drawn  # no stack ran out in these games


def test_who_plays_which_seat_has_the_score_of_that_seat():
    agents = {name: load(name) for name in ("heuristic", "random")}
    met = []
    for a, b in (("heuristic", "heuristic"), ("heuristic", "random")):
        pairs = play_pairs(agents[a], agents[b], np.arange(20))
        met.append((pairs, replay(pairs, agents[a], agents[b])))
    (mirror, _), (other, watched) = met
    for seat in (0, 1):
        games = SeatGames.of("heuristic", seat, met)
        expected = [mirror.scores[:, 0] if seat == 0 else 1 - mirror.scores[:, 0]]
        expected.append(other.scores[:, seat])
        assert games.scores.tolist() == np.concatenate(expected).tolist()
        assert np.array_equal(games.plays[20:], watched[seat].plays[:, seat])
        weak = SeatGames.of("random", seat, met)
        assert weak.scores.tolist() == (1 - other.scores[:, 1 - seat]).tolist()
        assert np.array_equal(weak.turns, other.turns[:, 1 - seat])
    with pytest.raises(ValueError, match="nobody: has played no game"):
        SeatGames.of("nobody", 0, met)


def seat_games(deals, scores, plays):
    n = len(deals)
    nothing = np.zeros((n, 1), np.int16)
    return SeatGames(
        "a", 0, np.array(deals), np.array(scores, float), np.zeros(n), np.full(n, "deck"),
        np.full(n, "b"), np.array(plays)[:, None], nothing[:, 0], nothing, nothing, nothing[:, 0],
    )  # fmt: skip


def test_shares_have_intervals_by_deal():
    rng = np.random.default_rng(0)
    won = rng.integers(2, size=(50, 3)).astype(float)
    games = seat_games(np.repeat(np.arange(50), 3), won.ravel(), np.ones(150, int))
    expected = estimate(won)
    found = games.score()
    assert (found.mean, found.low, found.high) == pytest.approx(
        (expected["score"], expected["low"], expected["high"])
    )
    twice = seat_games(np.tile(games.deals, 2), np.tile(games.scores, 2), np.ones(300, int))
    assert twice.score().low == pytest.approx(found.low)  # the same games again tell nothing new


def test_scores_with_a_card_count_games_or_copies():
    games = seat_games([0, 1, 2, 3], [1, 1, 0, 0], [3, 1, 1, 0])
    assert games.score_with(0).mean == pytest.approx(2 / 3)
    assert games.score_with(0).games == 3
    assert games.score_by_copy(0).mean == pytest.approx(4 / 5)
    assert games.score_without(0).mean == 0
    assert games.score_without(0).few
    assert games.score_without(0).high == 1  # one deal says nothing
    never = seat_games([0, 1], [1, 0], [0, 0])
    assert never.score_with(0).games == 0
    assert np.isnan(never.score_with(0).mean)


# ---- the command


def test_the_page_and_the_numbers_of_an_arena(played, tmp_path, capsys):
    play = play_stats(PlayStatsConfig(arena=str(played), games=4, page=str(tmp_path)))
    assert play.watched == 3 * 4 + 3 * 4
    page = (tmp_path / "play.md").read_text()
    assert "association, not cause" in page
    for name in ("play_endings.png", "play_lengths.png", "play_cards.png"):
        assert f"({name})" in page
        assert (tmp_path / name).stat().st_size
    assert "24 games of heuristic, random" in capsys.readouterr().out
    with (played / "play" / "cards.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["seat"] for row in rows} == set(NEW_YORK.seats)
    assert all(0 < float(row["share_played"]) <= 1 for row in rows)


def test_what_cannot_be_shown_is_refused(played, tmp_path):
    with pytest.raises(ConfigError, match=r"arena: must be an arena folder"):
        PlayStatsConfig()
    with pytest.raises(ConfigError, match=r"agents: 'expert' does not take part"):
        play_stats(PlayStatsConfig(arena=str(played), games=2, agents=["expert"], page=None))
    for file in (played / "moves").iterdir():
        file.rename(tmp_path / file.name)
    with pytest.raises(ConfigError, match=r"arena: .* moves were not kept"):
        play_stats(PlayStatsConfig(arena=str(played), games=2, page=None))
    for file in tmp_path.glob("*.npz"):
        file.rename(played / "moves" / file.name)
