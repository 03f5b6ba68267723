"""Tree search over games dealt anew, in compiled code; leaves may be judged outside.

A simulation belongs to one redealt game. It goes down a tree by the rules of `tree.select`, with
the actions that are legal in its game, until it meets a node that has not been visited. There the
game is judged: played on by a compiled player, for some turns or to its end, valued by the
forecast where it did not end, or handed to the caller. What comes out is added on the whole path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numba import get_num_threads, prange, set_num_threads

from skirmish_env.common.jit import compiled
from skirmish_env.common.rng import POLICY_STREAM, seed_rng
from skirmish_env.new_york.boards import begin, new_board
from skirmish_env.new_york.forecast import forecast
from skirmish_env.new_york.heuristic import option_worth
from skirmish_env.new_york.ids import (
    ACTIONS,
    ASK_PAYMENT,
    DISCARD,
    HEROES,
    MAX_OPTIONS,
    OVER,
    VILLAINS,
    WAIVE,
    WAND,
)
from skirmish_env.new_york.kernels import masks_many, observe_many
from skirmish_env.new_york.observation import SIZE
from skirmish_env.new_york.rules import STEP, advance, write_outcome
from skirmish_env.new_york.state import HAND_TYPES, hand_type
from skirmish_env.new_york.tree import (
    MOST_STEPS,
    NO_NODE,
    ROOT,
    SETTINGS,
    add_child,
    back_up,
    link,
    missing,
    planted,
    select,
    unlink,
    with_room,
)
from skirmish_env.new_york.vector import OUTSIDE, PLAYERS, WEIGHTS, answer
from skirmish_env.new_york.weights import EXPERT_WEIGHTS, NOTES

TO_THE_END = -1  # turns to play on
NO_WIDENING = -1.0
# Log-odds of the Villains: bias, that of the Heroes' turn, forecasts and hands of both seats.
# `python -m tests.search.fit --games 2000`: the expert against itself, one move in ten at random.
FIT = (1.444, -0.890, 0.198, 0.200, 0.193, -0.002)
FIRST_NODES = 64  # room of a tree that has not grown
LEAVES_OF_A_THREAD = 4  # where they are judged outside: with fewer, threads wait for each other

Judge = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


# -------------------------------------------------------------------------------------------------
# Worth of a game that is not over.


@compiled
def hand_worth(g, k, w, o, seat):
    """Worth of a seat's hand to it, as the scripted player sees it."""
    begin(g, k, w, o, seat)
    total = 0.0
    for n in range(HAND_TYPES):
        card = hand_type(seat, n)
        if g.hand[seat, card] > 0:
            total += g.hand[seat, card] * o.keep[card]
    return total


@compiled
def table_worth(g, k, w, o):
    """Worth of the table to the seat for which `begin` was called, by its weights."""
    o.boards = 0
    return forecast(new_board(g, k, o), k, w, o, int(g.on_turn), int(g.artifact_owner[WAND]))


@compiled
def judge(g, k, o, outcome, settings):
    """Write what tables and hands promise each seat (2,), from -1 to 1.

    Each seat's forecast and hand are weighed as in a logistic regression (docs/search.md).
    """
    logit = settings.bias + settings.second * (g.on_turn == HEROES)
    for seat in range(2):
        w, sign = EXPERT_WEIGHTS[seat], 1 - 2 * seat
        logit += sign * settings.hand[seat] * hand_worth(g, k, w, o, seat)
        logit += sign * settings.table[seat] * table_worth(g, k, w, o)
    outcome[VILLAINS] = np.tanh(0.5 * logit)
    outcome[HEROES] = -outcome[VILLAINS]


@compiled
def play_on(g, k, o, rng, outcome, settings):
    """Play a game on with the compiled player and write the outcome by seat (2,)."""
    last = g.turn + settings.turns
    while g.phase != OVER and (settings.turns < 0 or g.turn < last):
        advance(g, k, STEP, answer(g, k, rng, settings.player, WEIGHTS, o), 0)
    if g.phase == OVER:
        write_outcome(g, outcome)
    else:
        judge(g, k, o, outcome, settings)


# -------------------------------------------------------------------------------------------------
# Nodes.


@compiled
def promise(g, k, w, o, seat, action):
    """Worth of an option as the script sees it, payments included."""
    if g.question != ASK_PAYMENT:
        return option_worth(g, k, w, o, seat, action)
    return 0.0 if action == WAIVE else -o.keep[action - DISCARD]


@compiled
def open_by_script(g, k, tree, t, node, o, settings):
    """Give a node a child for each legal action that has none; what the script likes comes first.

    Without sharpness all are alike.
    """
    if settings.sharpness == 0:
        for n in range(g.option_count):
            if tree.links[t, g.options[n]] == NO_NODE:
                add_child(tree, t, node, int(g.options[n]), 1.0)
        return
    seat = int(g.asked)
    w = EXPERT_WEIGHTS[seat]
    begin(g, k, w, o, seat)
    best = -np.inf
    for n in range(g.option_count):
        tree.promises[t, n] = promise(g, k, w, o, seat, int(g.options[n]))
        best = max(best, tree.promises[t, n])
    for n in range(g.option_count):
        action = int(g.options[n])
        if tree.links[t, action] == NO_NODE:
            prior = np.exp(max(-20.0, settings.sharpness * (tree.promises[t, n] - best)))
            add_child(tree, t, node, action, prior)


@compiled
def descend(g, k, tree, t, o, settings):
    """Go down to a leaf and stop there; the game has gone along."""
    node, steps = ROOT, 0
    tree.path[t, 0] = ROOT
    while g.phase != OVER and steps < MOST_STEPS:
        link(tree, t, node)
        fresh = missing(g, tree, t) > 0
        if (node != ROOT and tree.visits[t, node] == 0) or (fresh and settings.player == OUTSIDE):
            unlink(tree, t, node)
            break
        if fresh and tree.used[t] + MAX_OPTIONS > tree.visits.shape[1]:
            unlink(tree, t, node)
            break
        if fresh:
            open_by_script(g, k, tree, t, node, o, settings)
        child = select(g, tree, t, node, settings)
        unlink(tree, t, node)
        advance(g, k, STEP, int(tree.action[t, child]), 0)
        node = child
        steps += 1
        tree.path[t, steps] = node
    tree.steps[t] = steps


@compiled
def take_up(g, tree, t, priors, value, outcome):
    """End a simulation whose leaf was judged outside."""
    node = int(tree.path[t, tree.steps[t]])
    link(tree, t, node)
    for n in range(g.option_count):
        action = int(g.options[n])
        if tree.links[t, action] == NO_NODE:
            add_child(tree, t, node, action, priors[action])
    unlink(tree, t, node)
    seat = int(tree.seat[t])
    outcome[seat] = value
    outcome[1 - seat] = -value
    back_up(tree, t, outcome)


@compiled
def simulate(g, k, tree, t, o, rng, seed, settings, outcome):
    """Run one simulation in its game: to its end, or to a leaf that is judged outside."""
    g.skip_forced = 1
    descend(g, k, tree, t, o, settings)
    if g.phase == OVER:
        write_outcome(g, outcome)
    elif settings.player == OUTSIDE:
        tree.pending[t] = 1
        tree.seat[t] = g.asked
        return
    else:
        seed_rng(rng, seed, POLICY_STREAM)
        play_on(g, k, o, rng, outcome, settings)
    back_up(tree, t, outcome)


@compiled
def grow(states, cards, sets, seeds, tree, t, begin_at, end_at, o, rng, outcome, settings, priors,
         values):  # fmt: skip
    """Run the simulations of one tree in games from `begin_at` up to `end_at`.

    If a leaf of its last game (the one before) was judged outside meanwhile, that one is ended
    first; and where leaves are judged outside only one game is given at a time.
    """
    if tree.pending[t]:
        i = begin_at - 1
        take_up(states[i], tree, t, priors[t], values[t], outcome)
    for i in range(begin_at, end_at):
        g, k = states[i], cards[sets[i]]
        simulate(g, k, tree, t, o, rng, seeds[i], settings, outcome)


@compiled(parallel=True)
def grow_many(states, cards, sets, seeds, tree, begins, ends, notes, rngs, outcomes, settings,
              priors, values):  # fmt: skip
    """Run simulations of all trees: of tree t in the games from `begins[t]` up to `ends[t]`.

    `priors` (T, A) and `values` (T,) are what the caller makes of leaves that wait for it.
    """
    for t in prange(len(begins)):
        grow(states, cards, sets, seeds, tree, t, begins[t], ends[t], notes[t], rngs[t],
             outcomes[t], settings[0], priors, values)  # fmt: skip


@contextmanager
def at_most(threads: int) -> Iterator[None]:
    """Let compiled loops use so many threads, one or more, and no more than before."""
    before = get_num_threads()
    set_num_threads(max(1, min(before, threads)))
    try:
        yield
    finally:
        set_num_threads(before)


def _seen(
    states: np.ndarray, cards: np.ndarray, sets: np.ndarray, games: np.ndarray, seats: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return observations float32 (m, D) and masks int8 (m, A) of who decides in some games."""
    observations = np.empty((len(games), SIZE), np.float32)
    masks = np.empty((len(games), ACTIONS), np.int8)
    observe_many(states, cards, sets, games, seats, observations)
    masks_many(states, games, seats, masks)
    return observations, masks


class Search:
    """Grows T trees, each with simulations in games that belong to it.

    Args:
        trees: T.
        outside: leaves are judged by the caller; else `player` and the forecast do it.
        player: name of the compiled player who plays on from leaves.
        turns: how many turns he plays until the forecast decides; None: to the end of the game.
        explore, unseen, sharpness, widening: see `tree.SETTINGS`; widening None: no limit.
        fit: how the worth of a game is made of forecast and hands, the last six of these.

    Attributes:
        trees: the arrays; others take their place as trees grow.
        settings: all of these by name, those at their defaults too, `fit` as float64 (6,); without
            `player`, `turns`, `sharpness` and `fit` where leaves are judged outside, which makes
            no use of them. Given as arguments they make the same search.

    Raises:
        ValueError: no such player, or a number below its range.
    """

    players = PLAYERS

    def __init__(
        self,
        trees: int,
        *,
        outside: bool = False,
        player: str = "expert",
        turns: int | None = 1,
        explore: float = 0.5,
        unseen: float = 0.0,
        sharpness: float = 1.0,
        widening: float | None = None,
        fit: Sequence[float] | np.ndarray = FIT,
    ) -> None:
        if player not in PLAYERS:
            raise ValueError(f"player: one of {', '.join(PLAYERS)}, not {player!r}")
        for name, value in (
            ("turns", turns), ("explore", explore), ("sharpness", sharpness),
            ("widening", widening),
        ):  # fmt: skip
            if value is not None and value < 0:
                raise ValueError(f"{name}: 0 or more, not {value}")
        self.trees = planted(trees, FIRST_NODES)
        self.settings: dict[str, Any] = {
            "explore": float(explore),
            "unseen": float(unseen),
            "widening": None if widening is None else float(widening),
        }
        if not outside:
            self.settings |= {
                "player": player,
                "turns": turns,
                "sharpness": float(sharpness),
                "fit": np.array(fit, np.float64),
            }
        self._settings = np.zeros(1, SETTINGS)
        settings = self._settings[0]
        settings.player = OUTSIDE if outside else PLAYERS[player]
        settings.turns = TO_THE_END if turns is None else turns
        settings.explore, settings.unseen, settings.sharpness = explore, unseen, sharpness
        settings.bias, settings.second = fit[:2]
        settings.table, settings.hand = fit[2:4], fit[4:]
        settings.widening = NO_WIDENING if widening is None else widening
        self._priors = np.zeros((trees if outside else 0, ACTIONS), np.float32)
        self._values = np.zeros(len(self._priors), np.float32)
        self._notes = np.zeros(trees, NOTES)
        self._rngs = np.zeros((trees, 4), np.int64)
        self._outcomes = np.zeros((trees, 2), np.float32)

    def run(
        self,
        states: np.ndarray,
        cards: np.ndarray,
        sets: np.ndarray,
        seeds: np.ndarray,
        counts: np.ndarray,
        judge: Judge | None = None,
    ) -> None:
        """Run a simulation in each game; the games are used up.

        Args:
            states: records (n,), those of the first tree first.
            cards: card sets (S,); `sets`: int64 (n,), the card set of each game.
            seeds: int64 (n,), what the players of each game draw from.
            counts: int64 (T,), games of each tree.
            judge: of leaves, where they are judged outside: from observations float32 (m, D) and
                masks int8 (m, A) of the seats that decide to priors float32 (m, A) and values
                float32 (m,), -1 to 1.
        """
        ends = np.cumsum(counts)
        begins = ends - counts
        self.trees = with_room(self.trees, (int(counts.max()) + 1) * MAX_OPTIONS)

        def grow(begins: np.ndarray, ends: np.ndarray) -> None:
            grow_many(
                states, cards, sets, seeds, self.trees, begins, ends, self._notes, self._rngs,
                self._outcomes, self._settings, self._priors, self._values,
            )  # fmt: skip

        if judge is None:
            grow(begins, ends)
            return
        with at_most(len(counts) // LEAVES_OF_A_THREAD):
            for step in range(int(counts.max())):
                at = np.minimum(begins + step, ends)
                grow(at, np.minimum(at + 1, ends))
                waiting = np.flatnonzero(self.trees.pending)
                if len(waiting):
                    seats = self.trees.seat[waiting]
                    seen = _seen(states, cards, sets, at[waiting], seats)
                    self._priors[waiting], self._values[waiting] = judge(*seen)
            grow(ends, ends)

    def roots(self) -> tuple[np.ndarray, np.ndarray]:
        """Return visits int64 (T, A) and summed outcomes by seat (T, A, 2) of the roots' moves."""
        tree, every = self.trees, np.arange(len(self.trees.used))
        visits = np.zeros((len(every), ACTIONS), np.int64)
        worth = np.zeros((len(every), ACTIONS, 2))
        child = tree.first[:, ROOT]
        while (child != NO_NODE).any():
            t = every[child != NO_NODE]
            action = tree.action[t, child[t]]
            visits[t, action] = tree.visits[t, child[t]]
            worth[t, action] = tree.worth[t, child[t]]
            child = np.where(child != NO_NODE, tree.sibling[every, child], NO_NODE)
        return visits, worth
