"""gym-locm: battles of Legends of Code and Magic, both sides played through the environment."""

from __future__ import annotations

import os
import random

import numpy as np
from gym_locm.envs import LOCMBattleEnv
from serving import MICROSECONDS, Play, Row, calling, draw, serve

DECKS = 64
NOTE = "battles only: time and decisions of deck building are left out"


def made() -> LOCMBattleEnv:
    """Return the environment.

    Raises:
        RuntimeError: the package was built without its data, as 2.0.0b1 was.
    """
    try:
        return LOCMBattleEnv(return_action_mask=True, seed=1, version="1.2")
    except FileNotFoundError as error:
        missing = os.path.basename(error.filename)
        raise RuntimeError(f"the package comes without its cards ({missing})") from error


def stepping() -> Play:
    """Play battles at random; the decks are built when the play is made."""
    env = made()
    starts = []
    for _ in range(DECKS):
        env.reset()
        starts.append(env.state.clone())

    def play(decisions: int) -> int:
        done = 0
        mask = env.state.action_mask
        while done < decisions:
            legal = np.asarray(mask, np.int8).nonzero()[0]
            done += len(legal) > 1
            _, _, terminated, _, info = env.step(int(draw(legal)))
            mask = info["action_mask"]
            if terminated:
                env.state = random.choice(starts).clone()
                mask = env.state.action_mask
        return done

    return play


def cloning() -> Play:
    """Copy a battle's state by its own method."""
    env = made()
    env.reset()
    return calling(env.state.clone)


if __name__ == "__main__":
    game = "LOCM battle 1.2"
    rows = [Row(game, "step", stepping, note=NOTE), Row(game, "clone", cloning, MICROSECONDS)]
    serve(["gym-locm", "numpy"], rows)
