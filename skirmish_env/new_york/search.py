"""Tree search over games dealt anew: simulations run in compiled code, leaves may be judged outside.

A simulation belongs to one redealt game. It goes down a tree by the rules of `tree.select`, with
the actions that are legal in its game, until it meets a node that has not been visited. There the
game is judged: played on by a compiled player, for some turns or to its end, valued by the
forecast where it did not end, or handed to the caller. What comes out is added on the whole path.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

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
    NOBODY,
    OVER,
    VILLAINS,
    WAIVE,
    WAND,
)
from skirmish_env.new_york.observation import SIZE, write_observation
from skirmish_env.new_york.rules import STEP, advance, write_mask, write_outcome
from skirmish_env.new_york.state import HAND_TYPES, hand_type
from skirmish_env.new_york.tree import (
    MOST_STEPS,
    NO_NODE,
    ROOT,
    SETTINGS,
    Trees,
    add_child,
    back_up,
    link,
    missing,
    planted,
    select,
    unlink,
    with_room,
)
from skirmish_env.new_york.vector import OUTSIDE, PLAYERS, RANDOM, WEIGHTS, answer
from skirmish_env.new_york.weights import EXPERT_WEIGHTS, NOTES

TO_THE_END = -1  # turns to play on


class Leaves(NamedTuple):
    """What the caller of T trees judges leaves by, and where it writes what it found.

    Attributes:
        observations: float32 (T, D), of the seat that decides; masks: int8 (T, A).
        priors: float32 (T, A), the caller's: how promising each legal action is.
        values: float32 (T,), the caller's: worth to the seat that decides, from -1 to 1.
    """

    observations: np.ndarray
    masks: np.ndarray
    priors: np.ndarray
    values: np.ndarray


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
def judge(g, k, o, outcome):
    """Write what the forecast promises each seat (2,), from -1 to 1."""
    w = EXPERT_WEIGHTS[VILLAINS]
    worth = -hand_worth(g, k, EXPERT_WEIGHTS[HEROES], o, HEROES) + hand_worth(g, k, w, o, VILLAINS)
    o.boards = 0
    board = new_board(g, k, o)
    worth += forecast(board, k, w, o, int(g.on_turn), int(g.artifact_owner[WAND]))
    outcome[VILLAINS] = np.tanh(0.1 * worth)
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
        judge(g, k, o, outcome)


# -------------------------------------------------------------------------------------------------
# Nodes.


@compiled
def promise(g, k, w, o, seat, action):
    """Worth of an option as the script sees it, payments included."""
    if g.question != ASK_PAYMENT:
        return option_worth(g, k, w, o, seat, action)
    return 0.0 if action == WAIVE else -o.keep[action - DISCARD]


@compiled
def open_children(g, k, tree, t, node, o, settings, priors, outside):
    """Give a node a child for each legal action that has none.

    Its prior comes from `priors` (A,) if they were found outside, else from the script.
    """
    if outside:
        for n in range(g.option_count):
            action = int(g.options[n])
            if tree.links[t, action] == NO_NODE:
                add_child(tree, t, node, action, priors[action])
        return
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
def descend(g, k, tree, t, o, settings, priors):
    """Go down to a leaf and stop there; the game has gone along."""
    node, steps = ROOT, 0
    tree.path[t, 0] = ROOT
    while g.phase != OVER and steps < MOST_STEPS:
        link(tree, t, node)
        fresh = missing(g, tree, t) > 0
        leaf = node != ROOT and tree.visits[t, node] == 0 or fresh and settings.player == OUTSIDE
        if leaf:
            unlink(tree, t, node)
            break
        if fresh:
            open_children(g, k, tree, t, node, o, settings, priors, False)
        child = select(g, tree, t, node, settings)
        unlink(tree, t, node)
        advance(g, k, STEP, int(tree.action[t, child]), 0)
        node = child
        steps += 1
        tree.path[t, steps] = node
    tree.steps[t] = steps


@compiled
def take_up(g, k, tree, t, o, settings, priors, value, outcome):
    """End a simulation whose leaf was judged outside."""
    node = int(tree.path[t, tree.steps[t]])
    link(tree, t, node)
    open_children(g, k, tree, t, node, o, settings, priors, True)
    unlink(tree, t, node)
    seat = int(tree.seat[t])
    outcome[seat] = value
    outcome[1 - seat] = -value
    back_up(tree, t, outcome)


@compiled
def simulate(g, k, tree, t, o, rng, seed, settings, priors, outcome):
    """Run one simulation in its game: to its end, or to a leaf that is judged outside."""
    g.skip_forced = 1
    descend(g, k, tree, t, o, settings, priors)
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
def grow(states, cards, sets, seeds, tree, t, begin_at, end_at, o, rng, outcome, settings, leaves):
    """Run the simulations of one tree in games from `begin_at` up to `end_at`.

    If a leaf of its last game (the one before) was judged outside meanwhile, that one is ended
    first; and where leaves are judged outside only one game is given at a time.
    """
    if tree.pending[t]:
        i = begin_at - 1
        take_up(states[i], cards[sets[i]], tree, t, o, settings, leaves.priors[t],
                leaves.values[t], outcome)  # fmt: skip
    for i in range(begin_at, end_at):
        g, k = states[i], cards[sets[i]]
        simulate(g, k, tree, t, o, rng, seeds[i], settings, leaves.priors[t], outcome)
        if tree.pending[t]:
            write_observation(g, k, int(g.asked), leaves.observations[t])
            write_mask(g, int(g.asked), leaves.masks[t])


@compiled(parallel=True)
def grow_many(states, cards, sets, seeds, tree, begins, ends, notes, rngs, outcomes, settings,
              leaves):  # fmt: skip
    """Run simulations of all trees: of tree t in the games from `begins[t]` up to `ends[t]`."""
    for t in prange(len(begins)):
        grow(states, cards, sets, seeds, tree, t, begins[t], ends[t], notes[t], rngs[t],
             outcomes[t], settings[0], leaves)  # fmt: skip


class Search:
    """Grows T trees, each with simulations in games that belong to it.

    Args:
        trees: T.
        player: name of the compiled player who plays on from leaves. None: the caller judges them.
        turns: how many turns he plays before the forecast decides; None: to the end of the game.
        explore, unseen, sharpness, widening: see `tree.SETTINGS`.
    """

    players = PLAYERS

    def __init__(
        self,
        trees: int,
        *,
        player: str | None = "expert",
        turns: int | None = None,
        explore: float = 1.0,
        unseen: float = 0.0,
        sharpness: float = 1.0,
        widening: float = -1.0,
    ) -> None:
        self.trees = planted(trees, 64)
        self._settings = np.zeros(1, SETTINGS)
        settings = self._settings[0]
        settings.player = OUTSIDE if player is None else PLAYERS[player]
        settings.turns = TO_THE_END if turns is None else turns
        settings.explore, settings.unseen = explore, unseen
        settings.sharpness, settings.widening = sharpness, widening
        outside = trees if player is None else 1
        self.leaves = Leaves(
            np.zeros((outside, SIZE), np.float32),
            np.zeros((outside, ACTIONS), np.int8),
            np.zeros((trees, ACTIONS if player is None else 0), np.float32),
            np.zeros(trees, np.float32),
        )
        self._notes = np.zeros(trees, NOTES)
        self._rngs = np.zeros((trees, 4), np.int64)
        self._outcomes = np.zeros((trees, 2), np.float32)

    def run(self, states, cards, sets, seeds, begins, ends) -> None:
        """Run simulations of tree t in games `begins[t]` up to `ends[t]`, all int64 (T,)."""
        most = int((ends - begins).max()) + 1
        self.trees = with_room(self.trees, most * MAX_OPTIONS)
        grow_many(
            states, cards, sets, seeds, self.trees, begins, ends, self._notes, self._rngs,
            self._outcomes, self._settings, self.leaves,
        )  # fmt: skip

    def roots(self) -> tuple[np.ndarray, np.ndarray]:
        """Return visits int64 (T, A) and summed outcomes by seat (T, A, 2) of the roots' moves."""
        trees = len(self.trees.used)
        visits = np.zeros((trees, ACTIONS), np.int64)
        worth = np.zeros((trees, ACTIONS, 2))
        tree, every = self.trees, np.arange(trees)
        child = tree.first[:, ROOT]
        while (child != NO_NODE).any():
            t = every[child != NO_NODE]
            found = child[t]
            visits[t, tree.action[t, found]] = tree.visits[t, found]
            worth[t, tree.action[t, found]] = tree.worth[t, found]
            child = np.where(child != NO_NODE, tree.sibling[every, child], NO_NODE)
        return visits, worth
