"""The shortest way to a failure: a late start and as few moves as still lead there."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from skirmish_env.game import NEW_YORK, CardSet, Game

ONLY = np.zeros(1, np.int64)

# What a faulty rule can raise while a game is played: a failure like any other.
RULE_ERRORS = (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError)

Check = Callable[[np.ndarray, np.ndarray], list[str]]


def follow(
    start: np.ndarray, actions: list[int], check: Check, card_set: CardSet, game: Game = NEW_YORK
) -> tuple[list[int], list[str]]:
    """Play actions from a record array of length 1 until `check` finds something.

    `check(states, start)` returns what is wrong in words. Actions that are not legal when their
    turn comes are left out. Returns the actions taken and what was found; an error that a step
    raised is found too.
    """
    states, taken = start.copy(), []
    found = check(states, start)
    for action in actions:
        if found:
            break
        number = np.array([action])
        if game.kernels.first_illegal(states, ONLY, number) >= 0:
            continue
        taken.append(action)
        try:
            game.kernels.step(states, card_set.record, ONLY, ONLY, number)
        except RULE_ERRORS as error:
            return taken, [f"{type(error).__name__}: {error}"]
        found = check(states, start)
    return taken, found


def shrink(
    start: np.ndarray, actions: list[int], check: Check, card_set: CardSet, game: Game = NEW_YORK
) -> tuple[np.ndarray, list[int], list[str]]:
    """Shorten a failing game: return a later start, the actions left, and what they lead to.

    Raises:
        ValueError: the game does not fail.
    """
    actions, found = follow(start, actions, check, card_set, game)
    if not found:
        raise ValueError("this game does not fail: there is nothing to shrink")
    start, actions = _start_later(start, actions, check, card_set, game)
    actions = _leave_out(start, actions, check, card_set, game)
    return start, *follow(start, actions, check, card_set, game)


def _start_later(
    start: np.ndarray, actions: list[int], check: Check, card_set: CardSet, game: Game
) -> tuple[np.ndarray, list[int]]:
    """Find the latest moment whose position in words still leads to a failure."""
    moments = [start.copy()]
    for action in actions[:-1]:
        states = moments[-1].copy()
        game.kernels.step(states, card_set.record, ONLY, ONLY, np.array([action]))
        moments.append(states)
    for n in range(len(moments) - 1, -1, -1):
        try:
            states = game.build(game.describe(moments[n], 0, card_set), card_set)
            game.kernels.start(states, card_set.record, ONLY, ONLY)
        except (ValueError, RuntimeError):  # words cannot hold this moment
            continue
        if check(states, states):
            continue
        taken, found = follow(states, actions[n:], check, card_set, game)
        if found:
            return states, taken
    return start, actions


def _leave_out(
    start: np.ndarray, actions: list[int], check: Check, card_set: CardSet, game: Game
) -> list[int]:
    """Leave out ever smaller pieces as long as the rest still fails."""
    piece = max(len(actions) // 2, 1)
    while True:
        first = 0
        while first < len(actions):
            taken, found = follow(
                start, actions[:first] + actions[first + piece :], check, card_set, game
            )
            if found and len(taken) < len(actions):
                actions = taken
            else:
                first += piece
        if piece == 1:
            return actions
        piece = max(piece // 2, 1)
