"""Card sets that select from another, and the small one that comes with the package."""

from __future__ import annotations

import re

import numpy as np
import pytest

from skirmish_env import Table, card_sets
from skirmish_env.batch import Batch
from skirmish_env.new_york import cards, ids
from skirmish_env.testing import problems

HEAD = '[card_set]\nname = "mine"\nversion = "1"\ntitle = "Mine"\nbase = "in_new_york"\n'
SMALL = "\n[rules]\ncards_removed = 0\nvillains_opening_hand = 1\nheroes_opening_hand = 1\n"
TWO = "\n[cards.ares_1]\nstrength = 4\n\n[cards.thor_1]\n"


@pytest.fixture
def write(tmp_path):
    def written(text, name="mine.toml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return written


def test_a_selection_holds_the_cards_it_names_with_what_it_changes(write):
    mine = cards.load(write(HEAD + SMALL + TWO))
    printed, k = cards.load(), mine.record[0]
    named = {c for c in range(ids.CARDS) if k.copies[c]}
    assert named == {cards.card_ids().index("ares_1"), cards.card_ids().index("thor_1")}
    ares = cards.card_ids().index("ares_1")
    assert k.strength[ares] == 4 != printed.record[0].strength[ares]
    assert (k.code == printed.record[0].code).all()
    assert mine.names == printed.names
    assert mine.basis["ares_1"]["strength"] == "assumed"
    assert mine.basis["ares_1"]["name"] == "printed"
    assert mine.rules["draws_per_turn"] == printed.rules["draws_per_turn"]
    assert not k.artifact_copies.any()


def test_named_artifacts_are_dealt_and_no_others(write):
    tiles = '\n[artifacts.darkhold]\n\n[artifacts.ten_rings]\n\n[artifacts.norn_stones]\n'
    path = write(HEAD + SMALL + TWO + tiles)
    for seed in range(8):
        t = Table.new(seed=seed, card_set=path)
        p = t.position()
        assert {*p["artifact_row"], *p["artifact_stack"]} == {
            "darkhold", "ten_rings", "norn_stones"
        }  # fmt: skip
        assert Table.from_position(p, card_set=path).position() == p
        assert problems(t) == []
    again = Table.from_position({"villains": {"deck": ["ares_1"]}}, card_set=path).position()
    assert len(again["artifact_row"]) == 2
    assert len(again["artifact_stack"]) == 1
    with pytest.raises(ValueError, match="artifact_row: one tactigon too many"):
        Table.from_position({"artifact_row": ["tactigon"]}, card_set=path)


def test_the_hash_follows_both_texts(write, monkeypatch):
    path = write(HEAD + SMALL + TWO)
    first = cards.load(path).hash
    assert first == cards.load(path).hash != cards.load().hash
    write(HEAD + SMALL + TWO.replace("4", "3"))
    assert cards.load(path).hash != first
    file, base = card_sets.read(path), card_sets.read()
    other = card_sets.CardSetFile(base.source, base.tables, "0" * 16)
    own = card_sets.CardSetFile(file.source, {"card_set": {}}, file.hash)
    assert card_sets._selection(own, other).hash != card_sets._selection(own, base).hash


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('base = "in_new_york"', 'base = "new_york"', "base must be another of ['in_new_york'"),
        ("[cards.thor_1]", "[cards.thor_3]", "65 cards, but 64 are expected"),
        ("strength = 4", "strenght = 4", "ares_1: unknown key 'strenght'"),
        ("strength = 4", "copies = 3", "ares_1: copies must be a whole number 0 to 2"),
        ("cards_removed = 0", "card_removed = 0", "unknown key 'card_removed'"),
    ],
)
def test_a_wrong_selection_is_refused_by_name_and_place(write, old, new, said):
    with pytest.raises(ValueError, match=re.escape(said)) as error:
        cards.load(write((HEAD + SMALL + TWO).replace(old, new)))
    assert "mine.toml" in str(error.value)


def test_no_set_is_its_own_base(monkeypatch):
    file = card_sets.CardSetFile("tiny.toml", {"card_set": {"base": "tiny"}}, "0" * 16)
    with pytest.raises(ValueError, match=r"tiny\.toml: \[card_set\]: base must be another"):
        card_sets._base(file)


# ---------------------------------------------------------------------------------------------
# The small game.


def test_tiny_ends_in_four_turns_and_every_way_and_both_can_win():
    games = Batch(4000, card_set="tiny")
    games.deal(np.arange(4000))
    games.playout(np.arange(4000), "random")
    assert games.turns.max() == 4
    assert set(games.winner.tolist()) == {-1, 0, 1}
    assert set(games.ending.tolist()) == {ids.BY_VICTORY, ids.BY_CIVILIANS, ids.BY_DECK}


def test_tiny_asks_for_payments_places_targets_and_the_other_player():
    asked, other = set(), 0
    for seed in range(60):
        t = Table.new(seed=seed, card_set="tiny")
        rng = np.random.default_rng(seed)
        while t.winner is None:
            legal = t.legal()
            if len(legal) > 1:
                asked.add(t.question)
                other += t.to_move != t.position()["on_turn"]
            t.play(legal[rng.integers(len(legal))])
        assert problems(t) == []
        assert Table.replay(t.replay_data()).winner == t.winner
    assert {"recruitment", "payment", "placement"} <= asked
    assert len(asked) >= 6
    assert other > 0
