"""What somebody can do who has installed the wheel and nothing else: run with `python -I`."""

import sys
import tomllib
from importlib import metadata, resources

import gymnasium
import numpy as np

import skirmish_env
from skirmish_env import Table
from skirmish_env.game import NEW_YORK


def play_random_game(seed: int) -> str:
    """Play legal moves at random to the end and return the winner."""
    rng = np.random.default_rng(seed)
    table = Table.new(seed=seed)
    while table.winner is None:
        table.play(rng.choice(table.legal()).item())
    return table.winner


def files(package: str, suffix: str) -> list[str]:
    """Return the names of a package's files with this suffix, folders below included."""
    found, folders = [], [resources.files(package)]
    while folders:
        for entry in folders.pop().iterdir():
            if entry.is_dir():
                folders.append(entry)
            elif entry.name.endswith(suffix):
                found.append(entry.name)
    return sorted(found)


def main() -> None:
    """Fail with the first thing that is missing."""
    assert "site-packages" in skirmish_env.__file__, skirmish_env.__file__
    assert play_random_game(seed=7) in {"villains", "heroes", "draw"}

    cards = NEW_YORK.load()
    assert len(cards.hash) >= 8, cards.hash
    data = resources.files("skirmish_env").joinpath("card_sets/in_new_york.toml")
    assert tomllib.loads(data.read_text(encoding="utf-8"))
    assert resources.files("skirmish_env").joinpath("py.typed").is_file()
    assert files("configs", ".yaml"), "no configuration in the wheel"

    assert "skirmish_env/Skirmish-v0" in gymnasium.registry
    named = {agent.name: agent for agent in metadata.entry_points(group="skirmish_env.agents")}
    assert {"random", "heuristic", "ppo"} <= named.keys(), named
    for name in ("random", "heuristic"):
        assert named[name].load()().name == name

    assert "torch" not in sys.modules
    print(f"skirmish-env {metadata.version('skirmish-env')} works on {sys.version.split()[0]}")


if __name__ == "__main__":
    main()
