"""Write the stored games anew from their moves: `python -m tests.traces.write`.

For a change of rules, cards or words that is meant. Where a move is no longer legal the game is
refused: `python -m tests.traces.search` chooses other games.
"""

from __future__ import annotations

import sys

from tests.traces.trace import again, names, read, write


def main() -> int:
    """Write every game that still can be played; return how many cannot."""
    broken = 0
    for name in names():
        old, new = read(name), again(read(name))
        stopped = [line.strip() for line in new if line.startswith("  not played: ")]
        if stopped:
            broken += 1
            print(f"{name}: {stopped[0]}", file=sys.stderr)
        elif new != old:
            write(name, new)
            print(f"{name}: changed")
    return broken


if __name__ == "__main__":
    sys.exit(min(main(), 1))
