"""Random games with every invariant checked after every decision, at compiled speed."""

from __future__ import annotations

import numpy as np

from skirmish_env.common.jit import compiled
from skirmish_env.common.rng import FUZZ_STREAM, below, seed_rng
from skirmish_env.new_york.ids import (
    ARTIFACTS,
    BATTLEGROUNDS,
    CARDS,
    NO_ACTION,
    NOBODY,
    OVER,
    PLACES,
    VILLAINS,
)
from skirmish_env.new_york.kernels import random_action
from skirmish_env.new_york.problems import (
    NO_END,
    STOCK_SIZE,
    WRONG_REDEAL,
    WRONG_REWARDS,
    find_problems,
    note,
    take_stock,
)
from skirmish_env.new_york.rules import DEAL, STEP, drive, outcome, redeal

# What `at` int64 (7,) says about the game being played.
NUMBER, DECISIONS, DEAL_SEED, SKIP_FORCED, CARD_SET, TRIED, REDEAL_SEED = range(7)
FIELDS = (
    "number", "decisions", "deal_seed", "skip_forced", "card_set", "tried", "redeal_seed",
)  # fmt: skip
PLAY_ON = 3  # decisions taken in a game that was dealt again


@compiled
def fuzz_many(states, raw, cards, seed, first, games, look_every, moves, at, found):
    """Play games `first`, `first + 1`, ...; stop at the first problem, return its rows.

    `states` (2,): the game and a copy to try things on; `raw` uint8 (2, itemsize) is the same
    memory. `moves` int64 (M,) receives the actions of the game under way and `at` where it
    stands, so that the caller can play it again even after an error. Now and then (once in
    `look_every` decisions, 0 for never) every option is tried and both seats redeal.
    """
    rng = np.zeros(4, np.int64)
    for n in range(games):
        at[NUMBER] = first + n
        seed_rng(rng, (seed << 32) + first + n, FUZZ_STREAM)
        count = fuzz_one(states, raw, cards, rng, look_every, moves, at, found)
        if count > 0:
            return count
    return 0


@compiled
def fuzz_one(states, raw, cards, rng, look_every, moves, at, found):
    sets = np.zeros(2, np.int64)
    stock = np.zeros(STOCK_SIZE, np.int64)
    at[DECISIONS] = 0
    at[TRIED] = NO_ACTION
    at[REDEAL_SEED] = -1
    at[DEAL_SEED] = below(rng, 2**31)
    at[SKIP_FORCED] = below(rng, 2)
    at[CARD_SET] = below(rng, len(cards))
    sets[:] = at[CARD_SET]
    hasty = below(rng, 2)
    drive(states, 0, cards, sets, DEAL, at[DEAL_SEED], at[SKIP_FORCED])
    g, k = states[0], cards[sets[0]]
    take_stock(g, k, stock)
    while True:
        count = find_problems(g, k, stock, found)
        if count > 0:
            return count
        if g.phase == OVER:
            return check_rewards(states, found)
        if look_every > 0 and below(rng, look_every) == 0:
            count = look_closer(states, raw, cards, sets, rng, stock, at, found)
            if count > 0:
                return count
        if at[DECISIONS] == len(moves):
            return note(found, 0, NO_END, int(g.turn), at[DECISIONS])
        action = random_action(g, rng)
        if hasty:  # low ids play and use cards, high ones decline
            action = min(action, random_action(g, rng))
        moves[at[DECISIONS]] = action
        at[DECISIONS] += 1
        drive(states, 0, cards, sets, STEP, action, 0)


@compiled
def check_rewards(states, found):
    rewards = np.zeros(2, np.float32)
    outcome(states, 0, rewards)
    winner = int(states[0].winner)
    expected = 0.0 if winner == NOBODY else (1.0 if winner == VILLAINS else -1.0)
    if rewards[0] != expected or rewards[1] != -expected:
        return note(found, 0, WRONG_REWARDS, int(rewards[0]), int(rewards[1]))
    return 0


@compiled
def look_closer(states, raw, cards, sets, rng, stock, at, found):
    """Try every option on a copy; redeal for both seats and play on from there."""
    g, twin, k = states[0], states[1], cards[sets[1]]
    for n in range(int(g.option_count)):
        at[TRIED] = int(g.options[n])
        raw[1, :] = raw[0, :]
        drive(states, 1, cards, sets, STEP, at[TRIED], 0)
        count = find_problems(twin, k, stock, found)
        if count > 0:
            return count
    at[TRIED] = NO_ACTION
    for viewer in range(2):
        at[REDEAL_SEED] = below(rng, 2**31)
        count = check_redeal(states, raw, cards, sets, viewer, at[REDEAL_SEED], found)
        if count > 0:
            return note(found, count, WRONG_REDEAL, viewer, at[REDEAL_SEED])
    at[REDEAL_SEED] = -1
    return 0


@compiled
def check_redeal(states, raw, cards, sets, viewer, seed, found):
    """Redeal on a copy: a possible game, there and some decisions later, that the viewer knows."""
    twin, k = states[1], cards[sets[1]]
    rng = np.zeros(4, np.int64)
    seed_rng(rng, seed, FUZZ_STREAM)
    unknown = np.zeros(STOCK_SIZE, np.int64)  # cards out of the game may have come in
    unknown[:] = -1
    raw[1, :] = raw[0, :]
    redeal(states, 1, cards, sets, viewer, seed)
    if not looks_the_same(states[0], twin, viewer):
        return note(found, 0, WRONG_REDEAL, viewer, seed)
    count = find_problems(twin, k, unknown, found)
    for _ in range(PLAY_ON):
        if count > 0 or twin.phase == OVER:
            break
        drive(states, 1, cards, sets, STEP, random_action(twin, rng), 0)
        count = find_problems(twin, k, unknown, found)
    return count


@compiled
def looks_the_same(g, twin, viewer):
    """Whether two records agree in all cards that a viewer can see, and in the sizes of piles."""
    same = True
    for card in range(CARDS):
        same &= g.hand[viewer, card] == twin.hand[viewer, card]
        for seat in range(2):
            same &= g.discard[seat, card] == twin.discard[seat, card]
    for seat in range(2):
        same &= g.hand_size[seat] == twin.hand_size[seat]
        same &= g.deck_size[seat] == twin.deck_size[seat]
        for n in range(BATTLEGROUNDS):
            same &= g.hand_known[seat, n] == twin.hand_known[seat, n]
    for place in range(PLACES):
        same &= (g.card[place] == twin.card[place]) & (g.damage[place] == twin.damage[place])
    for n in range(BATTLEGROUNDS):
        same &= (g.stack_known[n] == 0) | (g.stack[n] == twin.stack[n])
    for n in range(ARTIFACTS):
        same &= (g.tiles_known[n] == 0) | (g.tiles[n] == twin.tiles[n])
    same &= (g.question == twin.question) & (g.asked == twin.asked) & (g.depth == twin.depth)
    return same
