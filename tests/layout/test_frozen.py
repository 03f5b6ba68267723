"""The layouts of a version never change: weights trained for them stay loadable."""

from __future__ import annotations

import functools
import json

import numpy as np
import pytest

from skirmish_env.batch import Batch
from skirmish_env.common.jit import PLAIN
from skirmish_env.game import NEW_YORK
from tests.layout import fixture

LATER = "the layout of this version is frozen: give the change a version of its own"


@functools.cache
def stored():
    words, numbers = fixture.files()
    with np.load(numbers) as arrays:
        return json.loads(words.read_text(encoding="utf-8")), dict(arrays)


def test_sections_actions_questions_and_bounds_are_those_of_this_version():
    assert NEW_YORK.observation_version == NEW_YORK.action_version == NEW_YORK.full_layout.version
    now, kept = fixture.layout(), stored()[0]["layout"]
    for key in kept:
        assert now[key] == kept[key], LATER
    assert now.keys() == kept.keys()


def test_every_moment_is_shown_as_it_was():
    words, arrays = stored()
    rows = range(0, len(words["games"]), 6 if PLAIN else 1)
    for row in rows:
        for key, value in fixture.shown(words["games"][row]).items():
            assert value.dtype == arrays[key].dtype
            wrong = np.argwhere(value != arrays[key][row])
            assert not len(wrong), f"moment {row}, {key} at {wrong[:5].tolist()}: {LATER}"


def test_the_batch_shows_the_same():
    words, arrays = stored()
    dealt = [row for row, game in enumerate(words["games"]) if not game["options"]]
    for row in dealt[:: 20 if PLAIN else 3]:
        game = words["games"][row]
        batch = Batch(1)
        batch.deal([game["seed"]])
        for action in game["actions"]:
            batch.step([action])
        for seat in range(2):
            assert (batch.observe(viewer=[seat])[0] == arrays["observations"][row, seat]).all()
            assert (batch.masks(viewer=[seat])[0] == arrays["masks"][row, seat]).all()
        assert (batch.full()[0] == arrays["full"][row]).all()


@pytest.mark.parametrize("name", [section.name for section in NEW_YORK.layout.sections])
def test_the_moments_say_something_in_every_section(name):
    observations = stored()[1]["observations"].reshape(-1, NEW_YORK.observation_size)
    entries = observations[:, NEW_YORK.layout.span(name)]
    assert (entries != entries[0]).any(), "a change in this section would go unnoticed"


def test_the_moments_offer_most_moves():
    offered = stored()[1]["masks"].any(axis=(0, 1))
    assert offered.mean() > 0.8
    asked = {NEW_YORK.questions[q] for q in range(1, len(NEW_YORK.questions))}
    at = NEW_YORK.layout.span("question")
    kinds = stored()[1]["observations"][:, 0, at].argmax(axis=1)
    assert {NEW_YORK.questions[q] for q in kinds} >= asked


def test_a_frozen_version_is_not_written_again():
    before = [file.read_bytes() for file in fixture.files()]
    assert "is frozen" in fixture.write()
    assert [file.read_bytes() for file in fixture.files()] == before
