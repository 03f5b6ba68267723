"""What two agents do in their games: cards and hands turn by turn, places, payments, endings.

Run `python -m tests.agents.habits expert heuristic --deals 400`: the first has the Villains.
"""

import argparse
from collections import Counter, defaultdict

import numpy as np

from agents.base import load
from skirmish_env.batch import Batch
from skirmish_env.new_york.actions import CARD_IDS
from skirmish_env.new_york.ids import (
    FIRST_BATTLEGROUND,
    FIRST_HERO_PLACE,
    FIRST_TUCKED_PLACE,
    NO_CARD,
)

COUNTED = ("recruitment", "placement", "payment")


def kind_of(move: str) -> str:
    """Sort a move: places by their words, payments and plays by what is paid or done."""
    verb, _, thing = move.partition(" ")
    if verb != "discard":
        return move if verb == "slot" else verb
    return "discard battleground" if CARD_IDS.index(thing) >= FIRST_BATTLEGROUND else verb


def standing(batch: Batch) -> np.ndarray:
    """Cards in play and in hand by side, the marker, civilians left; int64 (N, 6)."""
    g = batch.states
    there = g["card"] != NO_CARD
    civilians = np.unpackbits(g["civilians"].view(np.uint8), axis=1).sum(axis=1)
    columns = (
        there[:, :FIRST_HERO_PLACE].sum(axis=1),
        there[:, FIRST_HERO_PLACE:FIRST_TUCKED_PLACE].sum(axis=1),
        *g["hand_size"].T, g["victory"], civilians,
    )  # fmt: skip
    return np.stack(columns, axis=1).astype(np.int64)


def watch(names: tuple[str, str], deals: int, seed: int) -> None:
    """Play and print."""
    agents, rng = [load(name) for name in names], np.random.default_rng(seed)
    batch = Batch(deals)
    batch.deal(np.arange(seed, seed + deals))
    moves: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    tables = defaultdict(list)
    while not batch.over.all():
        turns, seats = batch.turns, batch.seat
        for seat, agent in enumerate(agents):
            index = np.flatnonzero(seats == seat)
            actions = agent.act(batch.view(index), rng)
            for i, action in zip(index, actions, strict=True):
                if batch.game.questions[batch.states["question"][i]] in COUNTED:
                    moves[seat][kind_of(batch.game.action_to_move(action))] += 1
            batch.step(actions, index)
        after = standing(batch)
        for i in np.flatnonzero(batch.turns != turns):
            tables[turns[i]].append(after[i])
    print("turn | villains, heroes in play | in their hands | marker | civilians left")
    for turn in range(2, 18, 2):
        print(turn, *np.mean(tables[turn], axis=0).round(1))
    for name, side, counted in zip(names, batch.game.seats, moves, strict=True):
        print(
            f"{name}, {side}: { ({key: round(n / deals, 1) for key, n in counted.most_common()}) }"
        )
    ends = Counter(zip(batch.winner.tolist(), batch.ending.tolist(), strict=True))
    for (winner, ending), n in ends.most_common():
        words = batch.game.seats[winner] if winner >= 0 else "nobody"
        print(f"{words} by {batch.game.endings[ending]}: {n / deals:.1%}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("villains")
    parser.add_argument("heroes")
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--seed", type=int, default=5_000, help="of the first deal")
    given = parser.parse_args()
    watch((given.villains, given.heroes), given.deals, given.seed)
