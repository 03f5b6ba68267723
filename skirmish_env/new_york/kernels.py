"""Compiled functions over many games, and the policies that run inside compiled code.

Arrays: `states` (N,) of `STATE`; `cards` (S,) of `CARDS`; `sets` (N,) int64, the card set of each
game; `index` (n,) int64, the games meant. The caller has checked shapes and ranges.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from skirmish_env.common.jit import compiled
from skirmish_env.common.rng import POLICY_STREAM, below, pick, seed_rng
from skirmish_env.new_york.ids import OVER
from skirmish_env.new_york.observation import write_observation
from skirmish_env.new_york.rules import (
    DEAL,
    START,
    STEP,
    STRIDE,
    advance,
    copy,
    drive,
    legal,
    look,
    observe,
    observe_full,
    outcome,
    redeal,
    write_mask,
)
from skirmish_env.new_york.state import is_legal

ONE_SET = np.zeros(1, np.int64)


@compiled
def drive_many(states, cards, sets, index, what, numbers, skip_forced):
    """Deal, start or step each game: see `rules.drive`."""
    for n in range(len(index)):
        drive(states, index[n], cards, sets, what, numbers[n], skip_forced)


def deal_many(states, cards, sets, index, seeds, skip_forced):
    """Set games up from seeds (n,) int64."""
    drive_many(states, cards, sets, index, DEAL, seeds, skip_forced)


def start_many(states, cards, sets, index):
    """Run records that hold positions to their first questions."""
    drive_many(states, cards, sets, index, START, np.zeros(len(index), np.int64), 0)


def step_many(states, cards, sets, index, actions):
    """Take one decision in each game; all actions (n,) int64 are legal."""
    drive_many(states, cards, sets, index, STEP, actions, 0)


def stride_many(states, cards, sets, index, actions):
    """Go on by one stride; where a question is open, the action (n,) int64 is legal."""
    drive_many(states, cards, sets, index, STRIDE, actions, 0)


def decide_one(states, cards, action):
    """Take a decision in the first game; return (seat to decide or -1, turn, victory marker).

    Raises:
        ValueError: the action, any int64, is not legal; nothing has changed.
    """
    return drive(states, 0, cards, ONE_SET, STEP, action, 0)


def look_one(states, cards, viewer, observation, mask):
    """Write observation (SIZE,) float32 and action mask (ACTIONS,) int8 of the first game."""
    look(states, 0, cards, ONE_SET, viewer, observation, mask)


@compiled
def first_illegal(states, index, actions):
    """Return the first n whose action (n,) int64 is illegal in its game, or -1."""
    for n in range(len(index)):
        if not is_legal(states[index[n]], actions[n]):
            return n
    return -1


@compiled
def draw_legal(states, lots, out):
    """Write a legal action of each game, drawn by a lot (N,) in [0, 1); 0 where nothing is asked.

    `out` (N,) int64.
    """
    for i in range(len(states)):
        g = states[i]
        out[i] = g.options[int(lots[i] * g.option_count)] if g.option_count > 0 else 0


@compiled
def observe_many(states, cards, sets, index, viewers, out):
    """Write observations (n, SIZE) float32."""
    for n in range(len(index)):
        observe(states, index[n], cards, sets, viewers[n], out[n])


@compiled
def full_many(states, cards, sets, index, out):
    """Write full-information vectors (n, FULL_SIZE) float32."""
    for n in range(len(index)):
        observe_full(states, index[n], cards, sets, out[n])


@compiled
def masks_many(states, index, viewers, out):
    """Write action masks (n, ACTIONS) int8."""
    for n in range(len(index)):
        legal(states, index[n], viewers[n], out[n])


@compiled
def outcomes_many(states, index, out):
    """Write rewards (n, 2) float32."""
    for n in range(len(index)):
        outcome(states, index[n], out[n])


@compiled
def copy_many(states, index, into, places):
    """Write each game of `index` (n,) over the game of `places` (n,) in another array."""
    for n in range(len(index)):
        copy(states, index[n], into, places[n])


@compiled
def redeal_many(states, cards, sets, index, viewers, seeds):
    """Resample what each game's viewer (n,) cannot know, in place, from seeds (n,) int64."""
    for n in range(len(index)):
        redeal(states, index[n], cards, sets, viewers[n], seeds[n])


@compiled
def random_action(g, rng):
    """Draw one legal action uniformly; `rng` is int64[4]."""
    return int(g.options[pick(rng, int(g.option_count))])


@compiled
def random_many(states, cards, sets, index, seeds, out):
    """Write one uniformly drawn legal action for each game."""
    rng = np.zeros(4, np.int64)
    for n in range(len(index)):
        seed_rng(rng, seeds[n], POLICY_STREAM)
        out[n] = random_action(states[index[n]], rng)


@compiled(parallel=True)
def rollout(states, cards, sets, rngs, episodes, decisions, observations, masks, look):
    """Play each game on at random for so many decisions; finished games start anew.

    `rngs` (N, 4) int64 drives the policy and seeds of new games, `episodes` (N,) counts finished
    games. With `look`, mask and observation of the deciding seat are written every time.
    """
    for i in prange(len(states)):
        g, k, rng, observation, mask = states[i], cards[sets[i]], rngs[i], observations[i], masks[i]
        for _ in range(decisions):
            if g.phase == OVER:
                advance(g, k, DEAL, below(rng, 2**31), g.skip_forced)
                if g.phase == OVER:  # rules under which a deal ends without a question
                    continue
            if look:
                write_observation(g, k, int(g.asked), observation)
                write_mask(g, int(g.asked), mask)
            advance(g, k, STEP, random_action(g, rng), 0)
            episodes[i] += g.phase == OVER
