"""Moments that the search tests ask about."""

import numpy as np

from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK as game

RNG = np.random.default_rng


def row(*cards: str | None) -> list[str | None]:
    return [*cards, *[None] * (6 - len(cards))]


# The Villains need one point: the card brings it as it is placed. Two decisions of one seat.
POINT_THAT_WINS = {
    "victory": 8,
    "villains": {"hand": ["hydra_agents_blue", "thanos_2", "loki_1", "ares_1", "ares_2"]},
}
# Zola has nobody before him: if nobody comes, he takes the last point.
CARD_THAT_WOULD_WIN = {
    "to_move": "heroes",
    "victory": 8,
    "villains": {"hand": [], "slots": row(None, "zola_2")},
    "heroes": {"hand": ["thor_1", "hulk_2", "shield_agents_red", "black_panther_2"]},
}
THOR_IS_PAID = (
    "play thor_1", "discard black_panther_2", "discard hulk_2", "discard shield_agents_red",
)  # fmt: skip


def at(position: dict, *moves: str) -> Batch:
    """One game: a position, and some moves from there."""
    table = game.table.from_position(position).play(*moves)
    games = Batch(1, skip_forced=False)
    games.states[:] = table.states
    return games


def middle(n: int = 8, moves: int = 25) -> Batch:
    """Games some decisions of the heuristic old."""
    games, rng = Batch(n), RNG(n)
    games.deal(np.arange(n))
    for _ in range(moves):
        games.step(games.view().policy("heuristic", rng))
    return games


def in_words(actions: np.ndarray) -> list[str]:
    return [game.action_to_move(int(action)) for action in actions]
