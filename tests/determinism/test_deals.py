"""Named deals: the same name means the same deals, card by card, for ever."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

import skirmish_env
from skirmish_env import Table, deals
from skirmish_env.batch import Batch
from skirmish_env.common.jit import PLAIN
from skirmish_env.game import NEW_YORK

DOCS = Path(__file__).parents[2] / "docs" / "training.md"
FIRST, LAST = 3_000_000_000, 3_000_001_999

# sha256 over the start positions in notation, one JSON line each with sorted keys.
FINGERPRINTS = {
    100: "0ec81379b5095e0b0962e6ec29c158ba7004d15ab43bbb82310cf174aff8c3c2",
    2000: "9dda60826173b8e11bc2b03dc6505cc34570823747c9e6c342700a130f86f41a",
}


def fingerprint(seeds: np.ndarray) -> str:
    """Hash what is dealt, in words: a change of the record's layout does not matter."""
    digest = hashlib.sha256()
    batch = Batch(len(seeds), skip_forced=False)
    batch.deal(seeds)
    for i in range(len(seeds)):
        position = NEW_YORK.describe(batch.states, i, batch.card_set)
        digest.update(json.dumps(position, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()


def test_the_seeds_are_written_down():
    seeds = deals("deals-v1")
    assert seeds.tolist() == list(range(FIRST, LAST + 1))
    assert (seeds.shape, seeds.dtype) == ((2000,), np.int64)
    assert deals("deals-v1", 5).tolist() == seeds[:5].tolist()
    assert "deals" in skirmish_env.__all__


@pytest.mark.parametrize(
    "n", [100, pytest.param(2000, marks=pytest.mark.slow if PLAIN else ())], ids=str
)
def test_the_same_name_deals_the_same_cards(n):
    assert fingerprint(deals("deals-v1", n)) == FINGERPRINTS[n]


def test_another_deal_has_another_fingerprint():
    assert fingerprint(deals("deals-v1", 5)) != fingerprint(deals("deals-v1", 5) + 1)


def test_no_one_can_change_a_set():
    with pytest.raises(ValueError, match="read-only"):
        deals("deals-v1")[0] = 7
    assert deals("deals-v1")[0] == FIRST


@pytest.mark.parametrize(
    ("name", "n", "said"),
    [
        ("deals-v2", None, "called 'deals-v2'; did you mean 'deals-v1'"),
        ("deal_v1", None, "did you mean 'deals-v1'"),
        ("everything", None, "called 'everything'; known: deals-v1"),
        (7, None, "called 7; known: deals-v1"),
        ("deals-v1", 0, "1 to 2000 deals to give, not 0"),
        ("deals-v1", 2001, "1 to 2000 deals to give, not 2001"),
        ("deals-v1", 1.5, "1 to 2000 deals to give, not 1.5"),
        ("deals-v1", True, "1 to 2000 deals to give, not True"),
    ],
)
def test_what_is_no_set_of_deals_is_named(name, n, said):
    with pytest.raises(ValueError, match=said):
        deals(name, n)


def test_table_and_batch_take_the_seeds_as_they_are():
    seeds = deals("deals-v1", 2)
    batch = Batch(2, skip_forced=False)
    batch.deal(seeds)
    for i, seed in enumerate(seeds):
        described = NEW_YORK.describe(batch.states, i, batch.card_set)
        assert Table.new(seed).position() == described


def hands(seed: int) -> str:
    """The two hands of a deal as docs/training.md writes them down."""
    position = Table.new(seed).position()
    words = [" ".join(position[side]["hand"]) for side in ("villains", "heroes")]
    return f"{seed}: {words[0]}; {words[1]}"


@pytest.mark.parametrize("seed", [FIRST, LAST])
def test_the_first_and_the_last_deal_stand_in_the_documentation(seed):
    assert hands(seed) in " ".join(DOCS.read_text(encoding="utf-8").split())
