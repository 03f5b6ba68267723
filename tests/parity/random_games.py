"""Seeded random games as one hash each; run as a script, it prints the hashes of many.

The hash covers the whole record after every decision, and now and then both seats' observations,
the full information and redeals for both, so two runs that print the same hashes computed the
same games bit for bit. Rules options and `skip_forced` change from game to game.
"""

from __future__ import annotations

import argparse
import hashlib
import random

import numpy as np

from skirmish_env.new_york import ids, rules
from skirmish_env.new_york.cards import load
from skirmish_env.new_york.observation import FULL_SIZE, SIZE
from skirmish_env.new_york.state import STATE

CARDS = np.concatenate([load(rules={"attack_effect": option}).record for option in (
    "once_per_phase", "each_attack",
)])  # fmt: skip
LOOK_EVERY = 9  # decisions
SEED_STEP = 61_803_398_874_989_485  # seeds far apart: all 63 bits take part


def trail(number: int) -> str:
    """Play random game `number` to its end; 16 hexadecimal digits and the decisions it took."""
    states, sets = np.zeros(1, STATE), np.array([number // 2 % 2])
    rules.new_game(states, 0, CARDS, sets, number * SEED_STEP % 2**63, number % 2)
    digest = hashlib.sha256(states.tobytes())
    chooser = random.Random(number)
    state = states[0]
    while state.phase != ids.OVER:
        choice = chooser.randrange(int(state.option_count))
        rules.step(states, 0, CARDS, sets, int(state.options[choice]))
        digest.update(states.tobytes())
        if state.decisions % LOOK_EVERY == 0:
            digest.update(look(states, sets))
    return f"{digest.hexdigest()[:16]} {state.decisions}"


def look(states: np.ndarray, sets: np.ndarray) -> bytes:
    """All that is derived from a record: observations, full information, mask, rewards, redeal."""
    seen = np.zeros((2, SIZE), np.float32)
    full, mask = np.zeros(FULL_SIZE, np.float32), np.zeros((2, ids.ACTIONS), np.int8)
    rewards = np.zeros(2, np.float32)
    for seat in range(2):
        rules.observe(states, 0, CARDS, sets, seat, seen[seat])
        rules.legal(states, 0, seat, mask[seat])
    rules.observe_full(states, 0, CARDS, sets, full)
    rules.outcome(states, 0, rewards)
    guesses = [states.copy(), states.copy()]
    for seat, guess in enumerate(guesses):
        rules.redeal(guess, 0, CARDS, sets, seat, int(states[0].decisions))
    return b"".join(a.tobytes() for a in (seen, full, mask, rewards, *guesses))


def trails(games: int) -> list[str]:
    return [trail(number) for number in range(games)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Print a hash for each of many random games.")
    parser.add_argument("games", type=int)
    print("\n".join(trails(parser.parse_args().games)))
