"""Search trees as arrays: one tree is one row, and stands for what one seat knows.

A tree is shared by games that were dealt differently, so which actions are legal at a node differs
from visit to visit, and a seat may decide several times running. Hence each node counts how often
its action was on offer, and keeps a sum of outcomes for each seat: whoever decides at its parent
reads his own. No sign is turned anywhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from skirmish_env.common.jit import compiled
from skirmish_env.new_york.ids import ACTIONS, ASK_PAYMENT, MAX_OPTIONS

ROOT, NO_NODE = 0, -1
MOST_STEPS = 256  # decisions that one simulation makes inside a tree

SETTINGS = np.dtype(
    (
        np.record,
        [
            ("player", "i8"),  # who plays on from a leaf; -1: its worth comes from outside
            ("turns", "i8"),  # played on before the forecast decides; -1: to the end of the game
            ("explore", "f8"),  # weight of what has been tried little
            ("unseen", "f8"),  # how much less than its parent an untried action promises
            ("sharpness", "f8"),  # how much the script's opinion counts as prior; 0: not at all
            ("widening", "f8"),  # payments considered: 1 and this times the root of the visits
            ("bias", "f8"),  # log-odds of the Villains in a game that the forecast judges,
            ("second", "f8"),  # what they gain if it is the Heroes' turn,
            ("table", "f8", (2,)),  # by the worth of each seat's forecast to it
            ("hand", "f8", (2,)),  # and of its hand
        ],
    )
)


class Trees(NamedTuple):
    """T trees of up to M nodes, node 0 the root.

    Attributes:
        visits: int32 (T, M), simulations that passed a node.
        worth: float64 (T, M, 2), sum of their outcomes by seat, each from -1 to 1.
        offered: int32 (T, M), visits of the parent in which the node's action was legal.
        prior: float64 (T, M), how promising the action looked; only ratios count.
        action: int64 (T, M), what leads to a node.
        first, sibling: int32 (T, M), a node's first child and its parent's next; -1 none.
        used: int64 (T,), nodes in use.
        links: int32 (T, A), scratch: the child of each legal action.
        promises: float64 (T, MAX_OPTIONS), scratch: what the script makes of each legal action.
        path: int32 (T, MOST_STEPS + 1), nodes of the simulation under way.
        steps: int64 (T,), how many nodes of the path are in use beyond the root.
        pending: int64 (T,), 1: the path's last node waits for its worth.
        seat: int64 (T,), who decides there; -1 where nothing is pending.
    """

    visits: np.ndarray
    worth: np.ndarray
    offered: np.ndarray
    prior: np.ndarray
    action: np.ndarray
    first: np.ndarray
    sibling: np.ndarray
    used: np.ndarray
    links: np.ndarray
    promises: np.ndarray
    path: np.ndarray
    steps: np.ndarray
    pending: np.ndarray
    seat: np.ndarray


def planted(trees: int, nodes: int) -> Trees:
    """Return trees that have a root and room for so many nodes."""
    shape = (trees, nodes)
    return Trees(
        np.zeros(shape, np.int32),
        np.zeros((*shape, 2), np.float64),
        np.zeros(shape, np.int32),
        np.ones(shape, np.float64),
        np.full(shape, -1, np.int64),
        np.full(shape, NO_NODE, np.int32),
        np.full(shape, NO_NODE, np.int32),
        np.ones(trees, np.int64),
        np.full((trees, ACTIONS), NO_NODE, np.int32),
        np.zeros((trees, MAX_OPTIONS), np.float64),
        np.zeros((trees, MOST_STEPS + 1), np.int32),
        np.zeros(trees, np.int64),
        np.zeros(trees, np.int64),
        np.full(trees, -1, np.int64),
    )


def with_room(trees: Trees, nodes: int) -> Trees:
    """Return the same trees with room for so many more nodes; larger arrays where needed."""
    needed, room = int(trees.used.max()) + nodes, trees.visits.shape[1]
    if needed <= room:
        return trees
    larger = planted(len(trees.used), max(needed, 2 * room))
    for name in ("visits", "worth", "offered", "prior", "action", "first", "sibling"):
        getattr(larger, name)[:, :room] = getattr(trees, name)
    kept = {name: getattr(trees, name) for name in ("used", "path", "steps", "pending", "seat")}
    return larger._replace(**kept)


@compiled
def link(tree, t, node):
    """Note the child of each action at a node."""
    child = tree.first[t, node]
    while child != NO_NODE:
        tree.links[t, tree.action[t, child]] = child
        child = tree.sibling[t, child]


@compiled
def unlink(tree, t, node):
    """Clear what `link` noted."""
    child = tree.first[t, node]
    while child != NO_NODE:
        tree.links[t, tree.action[t, child]] = NO_NODE
        child = tree.sibling[t, child]


@compiled
def missing(g, tree, t):
    """How many legal actions have no child yet."""
    count = 0
    for n in range(g.option_count):
        count += tree.links[t, g.options[n]] == NO_NODE
    return count


@compiled
def add_child(tree, t, node, action, prior):
    """Give a node a child for an action."""
    child = tree.used[t]
    tree.used[t] = child + 1
    tree.action[t, child] = action
    tree.prior[t, child] = prior
    tree.sibling[t, child] = tree.first[t, node]
    tree.first[t, node] = child
    tree.links[t, action] = child


@compiled
def considered(g, tree, t, node, settings):
    """How many legal actions, best prior first, are looked at: of many payments only some."""
    count = int(g.option_count)
    if g.question == ASK_PAYMENT and settings.widening >= 0:
        count = min(count, 1 + int(settings.widening * np.sqrt(tree.visits[t, node])))
    return count


@compiled
def least_prior(g, tree, t, count):
    """Return the prior of the legal action that comes last of so many best ones."""
    least = np.inf
    for _ in range(count):
        below = -1.0
        for n in range(g.option_count):
            prior = tree.prior[t, tree.links[t, g.options[n]]]
            if below < prior < least:
                below = prior
        least = below
    return least


@compiled
def select(g, tree, t, node, settings):
    """Return the child to visit next: high worth to the seat that decides, or tried little.

    All legal actions have a child. Each of them is counted as offered.
    """
    seat, count = int(g.asked), considered(g, tree, t, node, settings)
    least = least_prior(g, tree, t, count) if count < g.option_count else 0.0
    total = 0.0
    for n in range(g.option_count):
        child = tree.links[t, g.options[n]]
        tree.offered[t, child] += 1
        if tree.prior[t, child] >= least:
            total += tree.prior[t, child]
    untried = tree.worth[t, node, seat] / max(1, tree.visits[t, node]) - settings.unseen
    best, chosen = -np.inf, NO_NODE
    for n in range(g.option_count):
        child = tree.links[t, g.options[n]]
        if tree.prior[t, child] < least:
            continue
        visits = tree.visits[t, child]
        value = tree.worth[t, child, seat] / visits if visits > 0 else untried
        share = tree.prior[t, child] / total
        value += settings.explore * share * np.sqrt(tree.offered[t, child]) / (1 + visits)
        if value > best:
            best, chosen = value, child
    return chosen


@compiled
def back_up(tree, t, outcome):
    """Add an outcome (2,) to all nodes of the path."""
    for step in range(tree.steps[t] + 1):
        node = tree.path[t, step]
        tree.visits[t, node] += 1
        tree.worth[t, node, 0] += outcome[0]
        tree.worth[t, node, 1] += outcome[1]
    tree.pending[t] = 0
    tree.seat[t] = -1
