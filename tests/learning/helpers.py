"""Leagues and environments for tests."""

import numpy as np
import torch

from agents.network import NetworkSpec, build_policy
from agents.ppo import PPOAgent
from agents.random import RandomAgent
from experiments.league import League
from experiments.seeds import stream
from experiments.selfplay_env import SelfPlayVecEnv
from skirmish_env.game import NEW_YORK, Game

SMALL = NetworkSpec([16], [16], [16])


class Tagged(RandomAgent):
    """Plays at random, and remembers which games it was asked in (by their rows' count)."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.asked = 0

    def act(self, view, rng):
        self.asked += len(view)
        return super().act(view, rng)


def random_league(seed: int = 0, **agents) -> League:
    agents = agents or {"random": RandomAgent()}
    return League(agents, dict.fromkeys(agents, 1.0), 2, stream(seed, "opponents"))


def environment(
    size: int = 8, *, seed: int = 0, league: League | None = None, game: Game = NEW_YORK, **options
) -> SelfPlayVecEnv:
    return SelfPlayVecEnv(
        size,
        league or random_league(seed),
        deals=stream(seed, "deals"),
        moves=stream(seed, "moves"),
        game=game,
        **options,
    )


def frozen(game: Game = NEW_YORK, spec: NetworkSpec = SMALL, seed: int = 0) -> PPOAgent:
    torch.manual_seed(seed)
    return PPOAgent(build_policy(game, spec))


def any_legal(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.array([rng.choice(np.flatnonzero(row)) for row in masks])
