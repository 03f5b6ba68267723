"""Every ruling, card, artifact and worked example has a scenario test that names it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from types import FunctionType

import pytest

from tests import rulebook
from tests.rulebook import examples_a, examples_b
from tests.rulebook.helpers import ARTIFACTS, BATTLEGROUNDS, FACTION_CARDS

RULINGS = 50
CARDS = [*FACTION_CARDS["villains"], *FACTION_CARDS["heroes"], *BATTLEGROUNDS]

EXPECTED = [
    *(f"ruling {number}" for number in range(1, RULINGS + 1)),
    *(f"card {card}" for card in CARDS),
    *(f"artifact {artifact}" for artifact in ARTIFACTS),
    *(f"example {name}" for name in (*examples_a.EXAMPLES, *examples_b.EXAMPLES)),
]


def scenario_tests() -> Iterator[FunctionType]:
    """Every test function of this folder but the ones that count."""
    for module in pkgutil.iter_modules(rulebook.__path__, f"{rulebook.__name__}."):
        if module.name.rpartition(".")[2].startswith("test_") and module.name != __name__:
            for name, member in vars(importlib.import_module(module.name)).items():
                if name.startswith("test_") and isinstance(member, FunctionType):
                    yield member


def references_of(test: FunctionType) -> set[str]:
    """What the `rule` marks of a test name, those of its single parameters included."""
    marks = list(getattr(test, "pytestmark", ()))
    for mark in getattr(test, "pytestmark", ()):
        if mark.name == "parametrize":
            marks += [one for case in mark.args[1] for one in getattr(case, "marks", ())]
    return {reference for mark in marks if mark.name == "rule" for reference in mark.args}


TESTS = list(scenario_tests())
NAMED = {reference for test in TESTS for reference in references_of(test)}


@pytest.mark.parametrize("reference", EXPECTED)
def test_is_played_by_a_scenario(reference):
    assert reference in NAMED


def test_every_scenario_names_what_it_plays():
    nameless = [f"{test.__module__}.{test.__name__}" for test in TESTS if not references_of(test)]
    assert not nameless


def test_scenarios_name_only_what_exists():
    unknown = {name for name in NAMED - set(EXPECTED) if not name.startswith("rulebook ")}
    assert not unknown


def test_every_card_and_artifact_is_counted():
    assert (len(CARDS), len(set(CARDS)), len(ARTIFACTS)) == (64, 64, 12)
