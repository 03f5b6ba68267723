"""Takes the move that leaves the best table when the turn is over (docs/strategy.md)."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from skirmish_env.views import View

if TYPE_CHECKING:
    from skirmish_env.batch import Batch
    from skirmish_env.common.sections import Layout

REDEALS = 2  # games that a move is tried in, hidden cards dealt anew; the same for all moves
LOTS = 32  # drawn for each redealt game; one that asks more begins again
EQUAL = 1e-9  # worths nearer than this count as equal

# What a table is worth to its viewer, in victory points; what the other side has counts against it.
WIN = 100.0
POINT = 1.0  # of the victory marker
CIVILIAN = 0.8  # freed, to the Heroes; they need not pay with it
FREED = 0.2  # and still there to pay with
STRENGTH, HEALTH = 0.4, 0.3  # of a card in play
OPEN = 0.8  # a card that nobody faces, and so takes a bonus
CARD = 0.5  # in hand
BODY = 0.05  # a point of strength or health on a card of the own hand
ARTIFACT = 1.5
STEP = 0.3  # of the artifact marker

# Where the observation shows it (docs/observation.md).
FACTION_CARDS = 28  # of a hand; battlegrounds follow
SLOTS = 6
FEATURES, STRENGTH_AT, HEALTH_AT, PER_POINT = 26, 20, 21, 0.125  # of a slot
ARTIFACT_FEATURES = 6


class GreedyAgent:
    """Tries each move in redealt games, lets the turn end, and values the table by one formula.

    A trial takes the move, then passes wherever passing is offered; what has to be answered all
    the same (a payment, a place, a target) is drawn by lot. Nothing is tried beyond this turn.
    """

    name = "greedy"

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """Choose one legal action in every row, int64 (n,); a row's does not depend on later rows.

        Raises:
            ValueError: a viewer is not the one to decide.
        """
        options = view.mask.sum(axis=1)
        if not options.all():
            row = np.flatnonzero(options == 0)[0]
            raise ValueError(f"greedy: the viewer of row {row} is not the one to decide")
        chosen = view.mask.argmax(axis=1)
        open_rows = np.flatnonzero(options > 1)
        dealer, drawer = (np.random.default_rng(seed) for seed in rng.integers(2**62, size=2))
        if not len(open_rows):
            return chosen
        seen = view[open_rows]
        games = seen.redeal(dealer, np.repeat(np.arange(len(seen)), REDEALS))
        lots = drawer.random((len(games), LOTS))
        rows, actions = np.nonzero(seen.mask)
        tried = (rows[:, None] * REDEALS + np.arange(REDEALS)).ravel()
        trials, turns = games.copy(tried), games.turns[tried]
        trials.step(np.repeat(actions, REDEALS))
        _end_turn(trials, turns, lots[tried])
        worths = _worth(trials, seen.viewer[tried // REDEALS]).reshape(-1, REDEALS).mean(axis=1)
        chosen[open_rows] = _best(rows, actions, worths, lots[::REDEALS, 0])
        return chosen


def _best(
    rows: np.ndarray, actions: np.ndarray, worths: np.ndarray, lots: np.ndarray
) -> np.ndarray:
    """Action of the greatest worth in each row; the row's lot picks one of several."""
    first = np.flatnonzero(np.diff(rows, prepend=-1))
    best = worths >= np.maximum.reduceat(worths, first)[rows] - EQUAL
    ties = np.add.reduceat(best, first)
    rank = best.cumsum() - best  # how many best ones come before, those of earlier rows too
    wanted = rank[first] + (lots * ties).astype(np.int64)
    return actions[best & (rank == wanted[rows])]


def _end_turn(trials: Batch, turns: np.ndarray, lots: np.ndarray) -> None:
    """Pass wherever passing is offered, draw by lot elsewhere, until each game's turn is over."""
    done = trials.game.move_to_action("done")
    for step in count(1):
        live = np.flatnonzero(~trials.over & (trials.turns == turns))
        if not len(live):
            return
        masks = trials.masks(live)
        wanted = (lots[live, step % LOTS] * masks.sum(axis=1)).astype(np.int64)
        drawn = (masks.cumsum(axis=1) > wanted[:, None]).argmax(axis=1)
        trials.step(np.where(masks[:, done], done, drawn), live)


def _worth(games: Batch, viewers: np.ndarray) -> np.ndarray:
    """Worth of each table to its viewer, float64 (n,)."""
    seen = games.observe(viewer=viewers)
    worth = WIN * games.rewards[np.arange(len(games)), viewers].astype(np.float64)
    for number, card_set in enumerate(games.card_sets):
        for seat in range(len(games.game.seats)):
            rows = (games.set_of_game == number) & (viewers == seat)
            worth[rows] += seen[rows] @ _weights(games.game.layout, card_set.record[0], seat)
    own, other = (
        seen[:, games.game.layout.span(f"{side} slots")].reshape(len(seen), SLOTS, -1)[..., 0] > 0
        for side in ("own", "other")
    )
    return worth + OPEN * ((own & ~other).sum(axis=1) - (other & ~own).sum(axis=1))


def _weights(layout: Layout, cards: np.record, seat: int) -> np.ndarray:
    """Worth of every entry of an observation to a seat, float64 (D,)."""
    weights = np.zeros(layout.size)
    heroes = 1 if seat == 1 else -1
    first = seat * FACTION_CARDS
    body = (cards["strength"] + cards["health"])[first : first + FACTION_CARDS]
    _put(weights, layout, "own hand", slice(FACTION_CARDS), BODY * body)
    _put(weights, layout, "victory", 0, POINT)
    _put(weights, layout, "artifact marker", 0, STEP)
    _put(weights, layout, "civilians to go", 0, -heroes * CIVILIAN)
    _put(weights, layout, "freed", slice(None), heroes * FREED)
    _put(weights, layout, "sizes", slice(2), [CARD, -CARD])
    for side, sign in (("own slots", 1), ("other slots", -1)):
        _put(weights, layout, side, slice(STRENGTH_AT, None, FEATURES), sign * STRENGTH / PER_POINT)
        _put(weights, layout, side, slice(HEALTH_AT, None, FEATURES), sign * HEALTH / PER_POINT)
    for owner, sign in enumerate((1, -1)):
        _put(weights, layout, "artifacts", slice(owner, None, ARTIFACT_FEATURES), sign * ARTIFACT)
    return weights


def _put(
    weights: np.ndarray, layout: Layout, name: str, entries: int | slice, worth: object
) -> None:
    """Set the worth of some entries of a section, for each unit that they count."""
    weights[layout.span(name)][entries] = np.asarray(worth) / layout.section(name).scale
