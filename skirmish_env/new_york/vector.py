"""Many learners' games in one call: decide, let the other seat answer, restart, look.

Each game has its own course: whose seat the learner has, its random numbers, and how its last
step went. What happens in one game depends on nothing but its own course and record, so neither
the number of games nor that of threads changes a result.
"""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from numba import prange

from skirmish_env.common.jit import compiled
from skirmish_env.common.rng import EPISODE_STREAM, MASK, next_bits, pick, seed_rng
from skirmish_env.new_york.heuristic import heuristic_action
from skirmish_env.new_york.ids import NO_ACTION, NOBODY, OVER
from skirmish_env.new_york.kernels import random_action
from skirmish_env.new_york.rules import DEAL, STEP, drive, legal, observe, outcome
from skirmish_env.new_york.weights import (
    BOARD,
    EXPERT_WEIGHTS,
    MAX_BOARDS,
    NOTES,
    SENSE_WEIGHTS,
)

REST = -1  # beside DEAL and STEP: a game that only shows itself
MOST_DEALS = 100  # how many deals may end before the learner is asked
LANES = 64  # runs of games that share scratch paper

OPPONENT, SIDE, SKIP_FORCED, MAX_TURNS, RESTART = range(5)  # entries of `settings`
NO_OPPONENT, RANDOM, HEURISTIC, EXPERT = range(-1, 3)
OPPONENTS = MappingProxyType({"random": RANDOM, "heuristic": HEURISTIC, "expert": EXPERT})
ANY_SIDE, ALTERNATE = 2, 3  # beside the seats 0 and 1
SIDES = MappingProxyType({"random": ANY_SIDE, "alternate": ALTERNATE})
WEIGHTS = np.stack([SENSE_WEIGHTS, EXPERT_WEIGHTS])  # of HEURISTIC, EXPERT

COURSE = np.dtype(
    (
        np.record,
        [
            ("seed", "i8"),  # with the number, what every episode is drawn from
            ("number", "i8"),
            ("episode", "i8"),  # of the next deal
            ("next_seat", "i8"),  # the learner's in the next deal; -1: as the settings say
            ("rng", "i8", (4,)),  # what the opponent decides with
            ("deal", "i8"),  # seed of the running game
            ("seat", "i8"),  # the learner's; without an opponent whoever is asked
            ("open", "i8"),  # 1: the learner is asked
            ("decisions", "i8"),  # of the learner in this game
            ("stuck", "i8"),  # 1: no deal was found in which the learner is asked
            # How the last step went.
            ("actor", "i8"),  # seat that decided
            ("rewards", "f4", (2,)),  # by seat
            ("terminated", "i8"),
            ("truncated", "i8"),
            ("winner", "i8"),
            ("ending", "i8"),
            ("turns", "i8"),
            ("marker", "i8"),
        ],
    )
)


@compiled
def episode_rng(rng, seed, number, episode):
    """Start `rng` (int64[4]) for an episode of game `number` under a base seed."""
    seed_rng(rng, seed, EPISODE_STREAM)
    rng[0] ^= number & MASK
    rng[1] ^= episode & MASK
    for _ in range(15):
        next_bits(rng)


@compiled
def deal_seed(rng):
    """Draw a deal's seed from 2**32 up to 2**62: the deals below are kept for evaluation."""
    high = 1 + pick(rng, 2**30 - 1)
    return (high << 32) | next_bits(rng)


@compiled
def begin_episode(c, settings, given):
    """Draw the learner's seat and, unless it is given (0 or more), the deal; return that."""
    episode_rng(c.rng, c.seed, c.number, c.episode)
    deal = deal_seed(c.rng)
    seat = pick(c.rng, 2)
    if given >= 0:
        deal = given
    if settings[SIDE] == ALTERNATE:
        seat = (c.number + c.episode) % 2
    elif settings[SIDE] != ANY_SIDE:
        seat = settings[SIDE]
    if c.next_seat >= 0:
        seat = c.next_seat
    c.next_seat = NOBODY
    c.episode += 1
    c.seat = seat
    c.decisions = 0
    c.deal = deal
    return deal


@compiled
def answer(states, i, cards, sets, rng, opponent, weights, notes, boards):
    """Return the opponent's action."""
    if opponent == RANDOM:
        return random_action(states[i], rng)
    row = weights[opponent - HEURISTIC]
    return heuristic_action(states, i, cards, sets, rng, row, notes, boards)


@compiled
def begin_step(c, what):
    c.stuck = 0
    c.terminated = 0
    c.truncated = 0
    c.rewards[0] = 0.0
    c.rewards[1] = 0.0
    c.actor = c.seat
    if what == STEP:
        c.decisions += 1


@compiled
def goes_on(g, settings):
    if g.phase == OVER:
        return False
    return settings[MAX_TURNS] == 0 or g.turn - 1 < settings[MAX_TURNS]


@compiled
def note_result(states, i, c):
    g = states[i]
    outcome(states, i, c.rewards)
    c.terminated = int(g.phase == OVER)
    c.truncated = 1 - c.terminated
    c.winner = g.winner
    c.ending = g.ending
    c.turns = g.turn
    c.marker = g.victory


@compiled
def play_on(
    states, i, cards, sets, course, settings, what, number, weights, notes, boards, final
):  # fmt: skip
    """Deal or take a decision, then play to the learner's next question or to the end.

    A deal that ends before the learner is asked is replaced by the next episode's. With RESTART an
    ended game goes on with its next episode, its last observation kept in `final`.
    """
    g, c = states[i], course[i]
    begin_step(c, what)
    deals = 0
    while True:
        if what == DEAL:
            number = begin_episode(c, settings, number)
        drive(states, i, cards, sets, what, number, settings[SKIP_FORCED])
        if goes_on(g, settings):
            if settings[OPPONENT] == NO_OPPONENT:
                c.seat = g.asked
            if g.asked == c.seat:
                c.open = 1
                return
            what = STEP
            number = answer(
                states, i, cards, sets, c.rng, settings[OPPONENT], weights, notes, boards
            )
            continue
        c.open = 0
        if c.decisions == 0:
            deals += 1
            if deals == MOST_DEALS:
                c.stuck = 1
                return
        else:
            note_result(states, i, c)
            if settings[RESTART] == 0:
                return
            observe(states, i, cards, sets, c.actor, final[i])
        what = DEAL
        number = NO_ACTION


@compiled(parallel=True)
def play_many(
    states, cards, sets, course, settings, whats, numbers, weights, notes, boards,
    observations, masks, final,
):  # fmt: skip
    """Do in each game what `whats` (N,) says, DEAL, STEP or REST, and show it to the learner.

    `numbers` (N,) int64: legal actions, or seeds of deals, where a negative one means the seed
    that the course gives. `notes` (lanes, 1) and `boards` (lanes, MAX_BOARDS) are scratch paper.
    """
    lanes, games = len(notes), len(states)
    for lane in prange(lanes):
        for i in range(lane * games // lanes, (lane + 1) * games // lanes):
            c = course[i]
            if whats[i] != REST:
                play_on(
                    states, i, cards, sets, course, settings, whats[i], numbers[i],
                    weights, notes[lane], boards[lane], final,
                )  # fmt: skip
            observe(states, i, cards, sets, c.seat, observations[i])
            if c.open:
                legal(states, i, c.seat, masks[i])
            else:
                masks[i, :] = 0


class Engine:
    """The courses of N games, and the arrays that a step of them needs.

    Attributes:
        states: records (N,), the caller's.
        course: (N,) of COURSE.
    """

    opponents = tuple(OPPONENTS)

    def __init__(
        self,
        states: np.ndarray,
        cards: np.ndarray,
        *,
        opponent: str | None,
        side: int | str,
        skip_forced: bool,
        max_turns: int | None,
        restart: bool,
    ) -> None:
        """Take a seat, "random" or "alternate" as `side`; None as opponent: whoever is asked."""
        lanes = min(len(states), LANES)
        self.states = states
        self.course = np.zeros(len(states), COURSE)
        self.course["next_seat"] = NOBODY
        self._cards = cards
        self._sets = np.zeros(len(states), np.int64)
        self._settings = np.array(
            [
                NO_OPPONENT if opponent is None else OPPONENTS[opponent],
                SIDES[side] if isinstance(side, str) else side,
                skip_forced,
                max_turns or 0,
                restart,
            ],
            np.int64,
        )
        self._notes = np.zeros((lanes, 1), NOTES)
        self._boards = np.zeros((lanes, MAX_BOARDS), BOARD)

    def seed(self, rows: np.ndarray, seeds: np.ndarray, numbers: np.ndarray) -> None:
        """Let these games start with episode 0 of their (seed, number)."""
        self.course["seed"][rows] = seeds
        self.course["number"][rows] = numbers
        self.course["episode"][rows] = 0
        self.course["next_seat"][rows] = NOBODY

    def deal(self, rows: np.ndarray, seeds: np.ndarray | None, *shown: np.ndarray) -> None:
        """Start the next episode of these games: of these deals, or where None of its own."""
        whats = np.full(len(self.states), REST, np.int64)
        numbers = np.full(len(self.states), NO_ACTION, np.int64)
        whats[rows] = DEAL
        if seeds is not None:
            numbers[rows] = seeds
        self._play(whats, numbers, *shown)

    def step(self, actions: np.ndarray, *shown: np.ndarray) -> None:
        """Take legal actions int64 (N,) in open games, and start the others' next episodes."""
        is_open = self.course["open"] == 1
        whats = np.where(is_open, STEP, DEAL)
        self._play(whats, np.where(is_open, actions, NO_ACTION), *shown)

    def _play(
        self,
        whats: np.ndarray,
        numbers: np.ndarray,
        observations: np.ndarray,
        masks: np.ndarray,
        final: np.ndarray,
    ) -> None:
        play_many(
            self.states, self._cards, self._sets, self.course, self._settings, whats, numbers,
            WEIGHTS, self._notes, self._boards, observations, masks, final,
        )  # fmt: skip
