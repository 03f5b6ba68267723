"""Many games in one call: decide, let the compiled players answer, restart, look.

Each game has its own course: who plays its seats, whose seat the learner has, its random numbers,
and how its last step went. What happens in one game depends on nothing but its own course and
record, so neither the number of games nor that of threads changes a result.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numba import prange

from skirmish_env.common.jit import compiled
from skirmish_env.common.rng import (
    EPISODE_STREAM,
    MASK,
    POLICY_STREAM,
    next_bits,
    pick,
    seed_rng,
)
from skirmish_env.new_york.heuristic import heuristic_action
from skirmish_env.new_york.ids import ACTIONS, NO_ACTION, NOBODY, OVER
from skirmish_env.new_york.kernels import random_action
from skirmish_env.new_york.observation import SIZE, write_observation
from skirmish_env.new_york.rules import DEAL, STEP, advance, write_mask, write_outcome
from skirmish_env.new_york.weights import (
    EXPERT_WEIGHTS,
    NOTES,
    SENSE_WEIGHTS,
)

REST = -1  # beside DEAL and STEP: a game that only shows itself
PLAY_OUT = 4  # and one whose compiled players go on from where it stands
ANSWER = 5  # and one whose compiled player only says what it would do next
MOST_DEALS = 100  # how many deals may end before the learner is asked
LANES = 64  # runs of games that share scratch paper

OUTSIDE, RANDOM, HEURISTIC, EXPERT = range(-1, 3)  # who plays a seat: the caller, or compiled code
PLAYERS = MappingProxyType({"random": RANDOM, "heuristic": HEURISTIC, "expert": EXPERT})
ANY_SIDE, ALTERNATE = 2, 3  # beside the seats 0 and 1
SIDES = MappingProxyType({"random": ANY_SIDE, "alternate": ALTERNATE})
WEIGHTS = np.stack([SENSE_WEIGHTS, EXPERT_WEIGHTS])  # of HEURISTIC, EXPERT

SETTINGS = np.dtype(
    (
        np.record,
        [
            ("side", "i8"),  # the learner's: a seat, ANY_SIDE or ALTERNATE
            ("skip_forced", "i8"),
            ("max_turns", "i8"),  # 0: no limit
            ("restart", "i8"),  # 1: deal ended games anew at once
            ("both", "i8"),  # 1: whoever is asked is the learner
        ],
    )
)

COURSE = np.dtype(
    (
        np.record,
        [
            ("seed", "i8"),  # with the number, what every episode is drawn from
            ("number", "i8"),
            ("episode", "i8"),  # of the next deal
            ("next_seat", "i8"),  # the learner's in the next deal; -1: as the settings say
            ("opponent", "i8"),  # who plays the other seat
            ("players", "i8", (2,)),  # who plays each seat of the running game
            ("rng", "i8", (4,)),  # what the compiled players decide with
            ("move", "i8"),  # what one of them said that it would do
            ("deal", "i8"),  # seed of the running game
            ("seat", "i8"),  # the learner's; where both seats are, that of whoever is asked
            ("open", "i8"),  # 1: the learner is asked
            ("decisions", "i8"),  # of the learner in this game
            ("stuck", "i8"),  # 1: no deal was found in which the learner is asked
            # How the last step went.
            ("actor", "i8"),  # the learner's seat in the game that it was taken in
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


class Shown(NamedTuple):
    """Arrays of the caller's that a step of N games is written to.

    Attributes:
        observations: float32 (N, D), of the learner.
        masks: int8 (N, A), of the learner: all zero in a game that has ended.
        seats: int8 (N,): the learner's.
        rewards: float64 (N,), the learner's; `by_seat`: float32 (N, 2).
        terminations, truncations: bool (N,).
        final: float32 (N, D), last observations of games that were dealt anew.
    """

    observations: np.ndarray
    masks: np.ndarray
    seats: np.ndarray
    rewards: np.ndarray
    by_seat: np.ndarray
    terminations: np.ndarray
    truncations: np.ndarray
    final: np.ndarray

    @classmethod
    def of(cls, n: int, size: int, actions: int, final: np.ndarray | None = None) -> Shown:
        """Make arrays for n games; `final` may be shared: it is written where games end."""
        return cls(
            np.empty((n, size), np.float32),
            np.empty((n, actions), np.int8),
            np.empty(n, np.int8),
            np.empty(n, np.float64),
            np.empty((n, 2), np.float32),
            np.empty(n, bool),
            np.empty(n, bool),
            np.empty((n, size), np.float32) if final is None else final,
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
    if settings.side == ALTERNATE:
        seat = (c.number + c.episode) % 2
    elif settings.side != ANY_SIDE:
        seat = settings.side
    if c.next_seat >= 0:
        seat = c.next_seat
    c.next_seat = NOBODY
    c.episode += 1
    c.seat = seat
    c.players[seat] = OUTSIDE
    c.players[1 - seat] = c.opponent
    c.decisions = 0
    c.deal = deal
    return deal


@compiled
def answer(g, k, rng, player, weights, notes):
    """Return a compiled player's action; `weights` (2, 2): of each script, for each seat."""
    if player == RANDOM:
        return random_action(g, rng)
    w = weights[player - HEURISTIC][max(0, int(g.asked))]
    return heuristic_action(g, k, w, notes, rng)


@compiled
def begin_step(c, what, number):
    c.stuck = 0
    c.terminated = 0
    c.truncated = 0
    c.rewards[0] = 0.0
    c.rewards[1] = 0.0
    c.actor = c.seat
    if what == PLAY_OUT:
        seed_rng(c.rng, number, POLICY_STREAM)
    if what != DEAL:
        c.decisions += 1


@compiled
def goes_on(g, settings):
    if g.phase == OVER:
        return False
    return settings.max_turns == 0 or g.turn - 1 < settings.max_turns


@compiled
def note_result(g, c):
    write_outcome(g, c.rewards)
    c.terminated = int(g.phase == OVER)
    c.truncated = 1 - c.terminated
    c.winner = g.winner
    c.ending = g.ending
    c.turns = g.turn
    c.marker = g.victory


@compiled
def play_on(g, k, c, settings, what, number, weights, notes, final):
    """Deal, take a decision or neither, then play to the next question for the caller or the end.

    A deal that ends before the learner is asked is replaced by the next episode's. With `restart`
    an ended game goes on with its next episode, its last observation written to `final`.
    ANSWER changes nothing but the players' random numbers.
    """
    begin_step(c, what, number)
    deals = 0
    while True:
        if what == DEAL:
            number = begin_episode(c, settings, number)
        if what == DEAL or what == STEP:
            advance(g, k, what, number, settings.skip_forced)
        if goes_on(g, settings):
            if settings.both:
                c.seat = g.asked
            player = int(c.players[int(g.asked)])
            if player == OUTSIDE:
                c.open = 1
                return
            number = answer(g, k, c.rng, player, weights, notes)
            if what == ANSWER:
                c.move = number
                return
            what = STEP
            continue
        c.open = 0
        if c.decisions == 0:
            deals += 1
            if deals == MOST_DEALS:
                c.stuck = 1
                return
        else:
            note_result(g, c)
            if settings.restart == 0:
                return
            write_observation(g, k, c.actor, final)
        what = DEAL
        number = NO_ACTION


@compiled
def show_result(c, i, shown):
    """Write how the last step of a game went (numba would lose these lines in the loop below)."""
    shown.seats[i] = c.seat
    shown.rewards[i] = c.rewards[int(c.actor)]
    shown.by_seat[i, 0] = c.rewards[0]
    shown.by_seat[i, 1] = c.rewards[1]
    shown.terminations[i] = c.terminated != 0
    shown.truncations[i] = c.truncated != 0


@compiled(parallel=True)
def play_many(states, cards, sets, course, settings, whats, numbers, weights, notes, look, shown):
    """Do in each game what `whats` (N,) says: DEAL, STEP, PLAY_OUT, ANSWER or REST; show
    what it led to.

    `numbers` (N,) int64: legal actions, seeds of play-outs, or seeds of deals, where a negative one
    means the seed that the course gives. `notes` (lanes,) are scratch paper. `shown` holds the
    arrays of `Shown`, of which observations, masks and `final` are written with `look` only.
    """
    lanes, games = len(notes), len(states)
    for lane in prange(lanes):
        for i in range(lane * games // lanes, (lane + 1) * games // lanes):
            g, k, c = states[i], cards[sets[i]], course[i]
            final = shown.final[i if look else 0]
            if whats[i] != REST:
                what, number = int(whats[i]), int(numbers[i])
                play_on(g, k, c, settings[0], what, number, weights, notes[lane], final)
            show_result(c, i, shown)
            if look:
                write_observation(g, k, int(c.seat), shown.observations[i])
                write_mask(g, int(c.seat) if c.open else NOBODY, shown.masks[i])


class Engine:
    """The courses of N games, and the arrays that a step of them needs.

    Args:
        states: records (N,), the caller's.
        cards: card sets (S,).
        sets: int64 (N,), the card set of each game.
        opponent: name of the compiled player of the learner's opponent. None: there is none, and
            the learner is whoever is asked.
        side: a seat, "random" or "alternate".
        skip_forced, max_turns: as in `SkirmishVectorEnv`.
        restart: deal ended games anew at once.

    Attributes:
        states: as given.
        course: (N,) of COURSE.
    """

    players = PLAYERS

    def __init__(
        self,
        states: np.ndarray,
        cards: np.ndarray,
        sets: np.ndarray,
        *,
        opponent: str | None = None,
        side: int | str = "random",
        skip_forced: bool = True,
        max_turns: int | None = None,
        restart: bool = False,
    ) -> None:
        lanes = min(len(states), LANES)
        self.states = states
        self.course = np.zeros(len(states), COURSE)
        self.course["next_seat"] = NOBODY
        self.course["opponent"] = OUTSIDE if opponent is None else PLAYERS[opponent]
        self._cards = cards
        self._sets = sets
        self._settings = np.zeros(1, SETTINGS)
        self._settings["side"] = SIDES[side] if isinstance(side, str) else side
        self._settings["skip_forced"] = skip_forced
        self._settings["max_turns"] = max_turns or 0
        self._settings["restart"] = restart
        self._settings["both"] = opponent is None
        self._notes = np.zeros(lanes, NOTES)
        self._unseen: Shown | None = None

    def arrays(self, final: np.ndarray | None = None) -> Shown:
        """Make arrays for `deal` and `step` to write."""
        return Shown.of(len(self.states), SIZE, ACTIONS, final)

    def seed(self, rows: np.ndarray, seeds: np.ndarray, numbers: np.ndarray) -> None:
        """Let these games start with episode 0 of their (seed, number)."""
        self.course["seed"][rows] = seeds
        self.course["number"][rows] = numbers
        self.course["episode"][rows] = 0
        self.course["next_seat"][rows] = NOBODY

    def deal(self, rows: np.ndarray, seeds: np.ndarray | None, shown: Shown) -> None:
        """Start the next episode of these games: of these deals, or where None of its own."""
        whats = np.full(len(self.states), REST, np.int64)
        numbers = np.full(len(self.states), NO_ACTION, np.int64)
        whats[rows] = DEAL
        if seeds is not None:
            numbers[rows] = seeds
        self._play(whats, numbers, shown, look=True)

    def step(self, actions: np.ndarray, shown: Shown) -> None:
        """Take legal actions int64 (N,) in open games, and start the others' next episodes."""
        closed = self.course["open"] == 0
        if not closed.any():
            whats = np.full(len(self.states), STEP, np.int64)
        else:
            whats = np.where(closed, DEAL, STEP)
            actions = np.where(closed, NO_ACTION, actions)
        self._play(whats, actions, shown, look=True)

    def play_out(
        self, rows: np.ndarray, seeds: np.ndarray, players: tuple[str, ...]
    ) -> np.ndarray:
        """Play these games to their ends; return the rewards by seat float32 (n, seats).

        Args:
            rows: int64 (n,), none twice; `seeds`: int64 (n,), what each game's players draw from.
            players: name of the compiled player of each seat.
        """
        shown = self._unwatched()
        self.course["players"][rows] = [PLAYERS[name] for name in players]
        whats = np.full(len(self.states), REST, np.int64)
        numbers = np.zeros(len(self.states), np.int64)
        whats[rows] = PLAY_OUT
        numbers[rows] = seeds
        self._play(whats, numbers, shown, look=False)
        return shown.by_seat[rows]

    def seat_players(
        self, rows: np.ndarray, seeds: np.ndarray, players: tuple[str, ...]
    ) -> None:
        """Let compiled players take the seats of these games, as `play_out` does."""
        self.course["players"][rows] = [PLAYERS[name] for name in players]
        for row, seed in zip(rows, seeds, strict=True):
            seed_rng(self.course["rng"][row], seed, POLICY_STREAM)

    def answers(self, rows: np.ndarray) -> np.ndarray:
        """Return what the players to decide in these games would do next, int64 (n,).

        They draw on from their random numbers, so that each decision is asked for once.
        """
        whats = np.full(len(self.states), REST, np.int64)
        whats[rows] = ANSWER
        self._play(whats, np.zeros(len(self.states), np.int64), self._unwatched(), look=False)
        return self.course["move"][rows]

    def _unwatched(self) -> Shown:
        if self._unseen is None:
            self._unseen = Shown.of(len(self.states), 0, 0, np.empty((1, SIZE), np.float32))
        return self._unseen

    def _play(self, whats: np.ndarray, numbers: np.ndarray, shown: Shown, *, look: bool) -> None:
        play_many(
            self.states, self._cards, self._sets, self.course, self._settings, whats, numbers,
            WEIGHTS, self._notes, int(look), shown,
        )  # fmt: skip
