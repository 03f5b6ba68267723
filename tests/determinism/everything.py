"""One hash for each way to play, each from seeds alone; run as a script, it prints them.

Two processes that print the same lines dealt and played the same games, whatever their hash salt,
their number of threads and their mode.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator

import gymnasium
import numba
import numpy as np

from skirmish_env import Table, skirmish_v0
from skirmish_env.batch import Batch
from skirmish_env.common.rng import POLICY_STREAM, seed_rng
from skirmish_env.game import NEW_YORK
from tests.parity.random_games import trail


def digest(*parts: object) -> str:
    hashed = hashlib.sha256()
    for part in parts:
        hashed.update(part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode())
    return hashed.hexdigest()[:16]


def table_game(seed: int) -> str:
    table, rng = Table.new(seed), np.random.default_rng(seed)
    while table.to_move is not None:
        legal = table.legal()
        table.play(legal[rng.integers(len(legal))])
    return digest(table.log, table.position(), table.winner)


def aec_game(seed: int) -> str:
    env, seen = skirmish_v0.env(), hashlib.sha256()
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter():
        observation, reward, *ended, _ = env.last()
        seen.update(observation["observation"].tobytes() + repr((agent, reward, ended)).encode())
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if any(ended) else legal[rng.integers(len(legal))])
    return seen.hexdigest()[:16]


def gym_game(seed: int, opponent: str = "heuristic") -> str:
    env, seen = gymnasium.make("skirmish_env/Skirmish-v0", opponent=opponent), hashlib.sha256()
    observation, info = env.reset(seed=seed)
    rng, over = np.random.default_rng(seed), False
    while not over:
        seen.update(observation.tobytes() + info["side"].encode())
        legal = np.flatnonzero(info["action_mask"])
        observation, reward, over, _, info = env.step(legal[rng.integers(len(legal))])
        seen.update(repr(reward).encode())
    return seen.hexdigest()[:16]


def batch_games(games: int, policy: str, seed: int = 0) -> Batch:
    """Games 0, 1, 2, ... with the same compiled policy in both seats."""
    batch, rng = Batch(games), np.random.default_rng(seed)
    batch.deal(np.arange(games))
    while (live := np.flatnonzero(~batch.over)).size:
        batch.step(batch.view(live).policy(policy, rng), live)
    return batch


def rolled_out(games: int, decisions: int, first: int = 0) -> list[np.ndarray]:
    """All that the parallel kernel writes about games `first`, `first` + 1, ..."""
    batch, rngs = Batch(games), np.zeros((games, 4), np.int64)
    batch.deal(np.arange(first, first + games))
    for i in range(games):
        seed_rng(rngs[i], first + i, POLICY_STREAM)
    episodes, sets = np.zeros(games, np.int64), np.zeros(games, np.int64)
    seen, masks = batch.observe(), batch.masks()
    NEW_YORK.kernels.rollout(
        batch.states, batch.card_set.record, sets, rngs, episodes, decisions, seen, masks, True
    )
    return [batch.states, rngs, episodes, seen, masks]


def lines(games: int) -> Iterator[str]:
    """A line for each way to play, over so many games each."""
    seeds = range(games)
    yield f"cards {NEW_YORK.load().hash}"
    yield f"trails {digest([trail(n) for n in seeds])}"
    yield f"table {digest([table_game(seed) for seed in seeds])}"
    yield f"aec {digest([aec_game(seed) for seed in seeds])}"
    yield f"gym {digest([gym_game(seed) for seed in seeds])}"
    for policy in sorted(NEW_YORK.policies):
        yield f"batch of {policy} {digest(batch_games(games, policy).states)}"
    yield f"rollout {digest(*rolled_out(8 * games, 150))}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Print a hash for each way to play.")
    parser.add_argument("games", type=int)
    print("\n".join(lines(parser.parse_args().games)))
    print(f"threads {numba.get_num_threads()}")
