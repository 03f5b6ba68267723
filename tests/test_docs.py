"""The generated reference pages match the code they describe."""

from pathlib import Path

import pytest

from experiments.docs import PAGES

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize("name", PAGES)
def test_generated_page_is_up_to_date(name):
    """After a change of layout or cards: python -m experiments.docs."""
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name]()
