"""The scripted player: weighs each option by what the open table promises, and takes the best.

Its one idea is the `forecast`: both sides keep attacking with what lies on the table and nobody
plays another card. Slots, markers, civilians and the decks' ends are counted some turns ahead in
plain arithmetic, later turns weighing less. An option is worth the change it makes to the
forecast, plus or minus the cards that it costs or brings.

Only what the deciding seat may know is read: the own hand, what lies open, and how many cards lie
elsewhere. The forecast works on a `BOARD`, which has no room for a hand, a deck or a stack.

Short names throughout: `g` the game, `k` its card set, `w` the weights of the deciding seat, `o`
the notes of the decision, `b` a board.
"""

from __future__ import annotations

import numpy as np

from skirmish_env.common.jit import compiled
from skirmish_env.common.rng import POLICY_STREAM, below, seed_rng
from skirmish_env.new_york.boards import (
    begin,
    best_artifact,
    means,
    propose,
)
from skirmish_env.new_york.forecast import (
    forecast,
)
from skirmish_env.new_york.ids import (
    ANY,
    ARTIFACT,
    ASK_ATTACK_AGAIN,
    ASK_CIVILIAN,
    ASK_DAMAGE_OPPOSITE,
    ASK_HEAL_EACH,
    ASK_HEAL_SELF,
    ASK_PAYMENT,
    ASK_REMOVE_ARTIFACT,
    ASK_TILE,
    ASK_WARLOCK,
    CIVILIAN,
    DISCARD,
    EYE_OF_AGAMOTTO,
    NOBODY,
    WAIVE,
    WAND,
    YES,
)
from skirmish_env.new_york.play import (
    next_symbol,
)
from skirmish_env.new_york.rules import STEP as DECISION
from skirmish_env.new_york.rules import advance
from skirmish_env.new_york.state import (
    opponent,
    owed_in_all,
)
from skirmish_env.new_york.weights import (
    EQUAL,
    EXPERT_WEIGHTS,
    NOTES,
    SENSE_WEIGHTS,
)

# ---------------------------------------------------------------------------------------------
# Questions that need no look at the table.


@compiled
def cheaper_means(g, o, seat, n):
    """How many means on offer are worth less than the n-th option, or as much and come first."""
    limit = o.keep[g.options[n] - DISCARD]
    cheaper = 0
    for m in range(g.option_count):
        other = int(g.options[m]) - DISCARD
        if other == WAIVE - DISCARD or m == n:
            continue
        if o.keep[other] < limit or (o.keep[other] == limit and m < n):
            cheaper += means(g, seat, int(g.source), other)
    return cheaper


@compiled
def choose_payment(g, o, seat):
    """Pay with the first means that is among the cheapest for all equal symbols still owed."""
    symbol = next_symbol(g)
    owed = int(g.owed[symbol])
    if symbol == ANY:
        owed -= int(g.cube)
    if symbol == ANY or owed == owed_in_all(g):
        owed -= int(g.rings)
    for n in range(g.option_count):
        if g.options[n] == WAIVE or cheaper_means(g, o, seat, n) < owed:
            return int(g.options[n])
    return int(g.options[int(g.option_count) - 1])


@compiled
def plain_worth(g, k, w, o, seat, action):
    """Worth of an option of a question that needs no look at the table."""
    if g.question == ASK_CIVILIAN:
        return o.need[action - CIVILIAN]
    if g.question == ASK_WARLOCK:
        return -o.keep[action - DISCARD]
    if action < ARTIFACT or action >= YES:
        return 1.0 if action == YES else 0.0
    worth = w.artifact[action - ARTIFACT]
    if g.question == ASK_TILE and action == ARTIFACT + EYE_OF_AGAMOTTO:
        worth += best_artifact(g, w, opponent(seat))
    return worth


@compiled
def is_plain(question):
    """Whether a question needs no look at the table; a yes is always right to the last four."""
    return question in (
        ASK_CIVILIAN,
        ASK_WARLOCK,
        ASK_TILE,
        ASK_REMOVE_ARTIFACT,
        ASK_ATTACK_AGAIN,
        ASK_DAMAGE_OPPOSITE,
        ASK_HEAL_SELF,
        ASK_HEAL_EACH,
    )


# ---------------------------------------------------------------------------------------------
# The choice.


@compiled
def consider(o, rng, action, value):
    """Remember an option if it is the best so far; equal ones are drawn by lot."""
    if o.ties == 0 or value > o.best + EQUAL:
        o.best, o.action, o.ties = value, action, 1
    elif value > o.best - EQUAL:
        o.ties += 1
        if below(rng, o.ties) == 0:
            o.action = action


@compiled
def option_worth(g, k, w, o, seat, action):
    """Worth of an option to the seat that decides, after `begin`; payments are another matter."""
    if is_plain(g.question):
        return plain_worth(g, k, w, o, seat, action)
    propose(g, k, w, o, seat, action)
    best = -np.inf
    for m in range(o.boards):
        value = forecast(o.tables[m], k, w, o, int(g.on_turn), int(g.artifact_owner[WAND]))
        best = max(best, value)
    return best + o.added


@compiled
def heuristic_action(g, k, w, o, rng):
    """Return the scripted player's action in one game for the seat that decides.

    `w` are the weights of that seat, `rng` (int64[4]) draws lots between equal options. `o` of
    NOTES is scratch paper of the caller's: compiled code frees an array after its last use, even
    while records of it are in use.
    """
    if g.option_count == 1:
        return int(g.options[0])
    seat = int(g.asked)
    begin(g, k, w, o, seat)
    if g.question == ASK_PAYMENT:
        return choose_payment(g, o, seat)
    for n in range(g.option_count):
        action = int(g.options[n])
        consider(o, rng, action, option_worth(g, k, w, o, seat, action))
    return int(o.action)


ONE_SET = np.zeros(1, np.int64)


@compiled
def weighted_many(states, cards, sets, index, seeds, weights, out, learner, end):
    """Write the scripted player's action for each seed, by these weights (2,).

    For NOBODY the seeds belong to the games of `index`. For a learner's seat they belong to the
    decisions that follow in the one game there: these are taken, until the learner is asked, the
    game is over, turn `end` begins, or the seeds are used up. One function does both, because
    compiled code repeats the scripted player in each function that reaches him. Returns the seat
    to decide or -1, the turn, and how many seeds were used.
    """
    rng = np.zeros(4, np.int64)
    notes = np.zeros(1, NOTES)
    g = states[index[0]] if len(index) else states[0]
    asked, turn = int(g.asked), int(g.turn)
    for n in range(len(seeds)):
        if learner != NOBODY and (asked == NOBODY or asked == learner or turn >= end):
            return asked, turn, n
        i = index[n if learner == NOBODY else 0]
        seed_rng(rng, seeds[n], POLICY_STREAM)
        g, k = states[i], cards[sets[i]]
        w = weights[max(0, int(g.asked))]
        out[n] = heuristic_action(g, k, w, notes[0], rng)
        if learner != NOBODY:
            asked, turn, _ = advance(g, k, DECISION, out[n], 0)
    return asked, turn, len(seeds)


def heuristic_many(states, cards, sets, index, seeds, out):
    """Write the action of the player with common sense for each game."""
    weighted_many(states, cards, sets, index, seeds, SENSE_WEIGHTS, out, NOBODY, 0)


def expert_many(states, cards, sets, index, seeds, out):
    """Write the action of the player with tuned weights for each game."""
    weighted_many(states, cards, sets, index, seeds, EXPERT_WEIGHTS, out, NOBODY, 0)


def heuristic_on(states, cards, seeds, out, learner, end):
    """Let the player with common sense play on in the first game: see `weighted_many`."""
    return weighted_many(states, cards, ONE_SET, ONE_SET, seeds, SENSE_WEIGHTS, out, learner, end)


def expert_on(states, cards, seeds, out, learner, end):
    """Let the player with tuned weights play on in the first game: see `weighted_many`."""
    return weighted_many(states, cards, ONE_SET, ONE_SET, seeds, EXPERT_WEIGHTS, out, learner, end)
