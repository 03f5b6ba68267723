"""The command that measures start-up opens every door."""

import json

import pytest

from experiments.startup import COUNTED, DOORS, Start, start


@pytest.mark.parametrize("name", DOORS)
def test_a_door_is_opened_and_counted(name: str) -> None:
    taken, output = start(["-c", COUNTED.replace("{door}", DOORS[name])])
    assert isinstance(taken, Start) and taken.wall > 0 < taken.cpu
    functions, compiling, llvm = json.loads(output)
    if name.startswith(("import", "from")):
        assert functions == compiling == 0
    else:
        assert llvm > 0, "loading machine code is LLVM's work, too"
