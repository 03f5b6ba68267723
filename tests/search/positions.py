"""Moments that the search tests ask about."""

import numpy as np

from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK as game

RNG = np.random.default_rng


def row(*cards: str | None) -> list[str | None]:
    return [*cards, *[None] * (6 - len(cards))]


# Captain America has nobody before him: in his next attack he frees the last civilian needed.
HEROES = {"hand": [], "slots": row(None, "captain_america_2")}
# The Villains' attack is under way: Baron Zemo has brought them to 8, and a card given up is the
# ninth point. Else the Heroes win.
POINT_THAT_WINS = {
    "victory": 7,
    "civilians": ["r", "y", "g"],
    "villains": {"hand": ["thanos_2"], "slots": row("baron_zemo_1")},
    "heroes": HEROES,
}
# Only an agent in his way stops him, and a turn later the Villains win. Playing the agent, paying
# and placing it are decisions of one seat.
MUST_BLOCK = {
    "victory": 6,
    "civilians": ["r", "y", "g"],
    "villains": {
        "hand": ["hydra_agents_red", "thanos_2"],
        "slots": row("zola_2", None, "hydra_agents_yellow"),
    },
    "heroes": HEROES,
}
AGENT_IS_PAID = ("play hydra_agents_red", "discard thanos_2")


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
