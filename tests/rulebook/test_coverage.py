"""Every statement, example, ruling, card and artifact has a test, and docs/rules.md shows which."""

from __future__ import annotations

import pytest

from tests.rulebook import page, statements

ROWS = statements.rows()
TESTS = statements.scenarios()
NAMED = {reference for test in TESTS for reference in test.references}
RULINGS = 50


@pytest.mark.parametrize("row", ROWS, ids=[row.reference for row in ROWS])
def test_is_held_by_a_scenario_or_says_why_not(row):
    assert (row.reference in NAMED) != bool(row.not_applicable)


def test_every_scenario_names_what_it_plays():
    nameless = [f"{test.file}: {test.name}" for test in TESTS if not test.references]
    assert not nameless


def test_scenarios_name_only_what_exists():
    assert not NAMED - {row.reference for row in ROWS}


def test_every_statement_has_a_name_and_a_gist_of_its_own():
    for rows in statements.statement_sections().values():
        assert rows
        assert len({row.gist for row in rows}) == len(rows)
    assert len({row.reference for row in ROWS}) == len(ROWS)


def test_every_ruling_card_and_artifact_is_counted():
    assert [row.reference for row in statements.rulings()] == [
        f"ruling {number}" for number in range(1, RULINGS + 1)
    ]
    cards = {row.reference for row in statements.cards()}
    assert (len(cards), len(statements.artifacts())) == (64, 12)


def test_the_page_is_up_to_date():
    """After a change of the statements or the marks: make docs."""
    assert page.PAGE.read_text(encoding="utf-8") == page.page(TESTS)
