"""The README's Python blocks run, in order, as a reader would paste them."""

import re
from pathlib import Path

BLOCKS = re.findall(
    r"```python\n(.*?)```",
    (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8"),
    re.S,
)


def test_every_block_runs(capsys):
    assert len(BLOCKS) == 8
    session = {}
    for block in BLOCKS:
        exec(compile(block, "README.md", "exec"), session)
    assert session["games"].over.all()
    assert "turn 1 (villains)" in capsys.readouterr().out
    fetched = ["fetch ares_1", "fetch leader_1", "fetch ultron_1", "fetch zola_1"]
    assert session["t"].legal() == [*fetched, "no"]
