"""What somebody can do who has installed the wheel with its extra `play`: run with `python -I`."""

import sys
from importlib.util import find_spec

import gymnasium
import numpy as np

import agents
import skirmish_env
from agents import shipped
from skirmish_env.batch import Batch


def play_against(opponent: str) -> str:
    """Play a Gymnasium game at random against somebody."""
    env = gymnasium.make("skirmish_env/Skirmish-v0", opponent=opponent)
    rng, over = np.random.default_rng(0), False
    _, info = env.reset(seed=0)
    while not over:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        _, _, over, _, info = env.step(action)
    return info["winner"]


def play_itself(name: str) -> None:
    """Play 16 games to their ends."""
    agent, batch, rng = agents.load(name), Batch(16), np.random.default_rng(0)
    batch.deal(np.arange(16))
    while (live := np.flatnonzero(~batch.over)).size:
        batch.step(agent.act(batch.view(live), rng), live)
    assert (batch.turns > 1).all()


def search_a_move(name: str) -> None:
    """Let an agent's network guide the search for one move."""
    batch, rng = Batch(1), np.random.default_rng(0)
    batch.deal(np.arange(1))
    (move,) = agents.load(name).act(batch.view(), rng)
    assert batch.view().mask[0, move]


def main() -> None:
    """Fail with the first thing that is missing."""
    assert "site-packages" in skirmish_env.__file__, skirmish_env.__file__
    assert not find_spec("torch")
    for name in shipped.names():
        assert play_against(name) in {"villains", "heroes", "draw"}
        play_itself(name)
        search_a_move(f"{name}+search")
    print(f"Trained agents that play: {', '.join(shipped.names()) or 'none'} ({sys.version})")


if __name__ == "__main__":
    main()
