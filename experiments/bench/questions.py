"""How long one decision takes, by kind of question.

Random games are stopped at every question; thousands of records of each kind are kept. A play then
steps copies of them in one compiled call, or writes what their players see.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from experiments.peers.serving import MICROSECONDS, Play, Row
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK, Game

SIDE_BY_SIDE = 2048
LONGEST = 3000  # decisions of each game, after which a rare kind has what it has
PART = 0.1  # of the usual time of a measurement: there are many of these


class Moments(NamedTuple):
    """Records (n,) that wait at one kind of question, with a drawn answer (n,) to each."""

    states: np.ndarray
    actions: np.ndarray


Collected = Callable[[], dict[str, Moments]]


def rows(wanted: int, game: Game = NEW_YORK) -> list[Row]:
    """Return a row for the step and one for the look at each kind, from so many records."""
    kinds = [kind for kind in game.questions if kind]
    collected = functools.cache(lambda: moments(wanted, game))  # once, and only if it is needed
    table = [("question", stepping), ("look", looking)]
    return [
        Row(kind, door, functools.partial(make, collected, kind, game), MICROSECONDS, part=PART)
        for door, make in table
        for kind in kinds
    ]


def moments(wanted: int, game: Game) -> dict[str, Moments]:
    """Collect records of every kind of question from random games, up to `wanted` of each.

    Raises:
        LookupError: the games have not come to a question of some kind.
    """
    batch, rng = Batch(SIDE_BY_SIDE, game=game), np.random.default_rng(0)
    batch.deal(np.arange(SIDE_BY_SIDE))
    kept: dict[int, list[np.ndarray]] = {n: [] for n in range(1, len(game.questions))}
    missing = dict.fromkeys(kept, wanted)
    next_deal = SIDE_BY_SIDE
    for _ in range(LONGEST):
        asked = batch.states["question"]
        for kind in [kind for kind, left in missing.items() if left > 0]:
            found = np.flatnonzero(asked == kind)[: missing[kind]]
            kept[kind].append(batch.states[found])
            missing[kind] -= len(found)
        if not any(left > 0 for left in missing.values()):
            break
        batch.step(drawn_actions(batch.states, batch, rng))
        over = np.flatnonzero(batch.over)
        batch.deal(np.arange(next_deal, next_deal + len(over)), over)
        next_deal += len(over)
    found_all = {game.questions[kind]: np.concatenate(parts) for kind, parts in kept.items()}
    if none := [kind for kind, states in found_all.items() if not len(states)]:
        raise LookupError(f"no question {none[0]!r} in random games of {LONGEST} decisions")
    return {kind: Moments(s, drawn_actions(s, batch, rng)) for kind, s in found_all.items()}


def drawn_actions(states: np.ndarray, batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """Draw a legal action (n,) for each of some records."""
    out = np.empty(len(states), np.int64)
    numbers, sets = np.arange(len(states)), np.zeros(len(states), np.int64)
    seeds = rng.integers(0, 2**62, len(states))
    batch.game.policies["random"](states, batch.card_set.record, sets, numbers, seeds, out)
    return out


def stepping(collected: Collected, kind: str, game: Game) -> Play:
    """Answer the question in copies of the records; only the compiled call counts."""
    found = collected()[kind]
    states, count = found.states.copy(), len(found.states)
    cards = Batch(1, game=game).card_set.record
    numbers, sets = np.arange(count), np.zeros(count, np.int64)

    def play(decisions: int) -> tuple[int, float]:
        done, taken = 0, 0.0
        while done < decisions:
            states.view(np.uint8)[:] = found.states.view(np.uint8)
            began = time.perf_counter()
            game.kernels.step(states, cards, sets, numbers, found.actions)
            taken += time.perf_counter() - began
            done += count
        return done, taken

    return play


def looking(collected: Collected, kind: str, game: Game) -> Play:
    """Write mask and observation of the deciding player."""
    states = collected()[kind].states
    count = len(states)
    cards = Batch(1, game=game).card_set.record
    numbers, sets = np.arange(count), np.zeros(count, np.int64)
    viewers = states["asked"].astype(np.int64)
    observations = np.empty((count, game.observation_size), np.float32)
    masks = np.empty((count, game.action_count), np.int8)

    def play(decisions: int) -> int:
        done = 0
        while done < decisions:
            game.kernels.observe(states, cards, sets, numbers, viewers, observations)
            game.kernels.masks(states, numbers, viewers, masks)
            done += count
        return done

    return play
