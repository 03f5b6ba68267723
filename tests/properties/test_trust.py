"""The Python blocks of docs/trust.md run, in order, and say what the page says they say."""

import re
from pathlib import Path

import pytest

from skirmish_env.common.jit import PLAIN

PAGE = (Path(__file__).parents[2] / "docs" / "trust.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.S)
LEAK = "villains can tell twins apart by `infos['next']`, game of seed 0, decision 0 (recruitment)"


@pytest.mark.skipif(PLAIN, reason="thousands of observations: compiled code only")
def test_every_block_runs(capsys):
    session = {}
    for block in BLOCKS:
        exec(compile(block, "docs/trust.md", "exec"), session)
    assert session["comparisons"] > 50
    assert LEAK in PAGE
    assert capsys.readouterr().out.startswith(LEAK)
