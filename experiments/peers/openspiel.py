"""OpenSpiel's card games through its Python interface, and its random rollouts in C++."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import make_observation
from serving import MICROSECONDS, Play, Row, calling, draw, serve

GAMES = ["gin_rummy", "hanabi", "crazy_eights", "dou_dizhu", "leduc_poker"]
STARTS = 16
COUNTED = 20
ROLLOUTS = 64


def advance(state: Any) -> None:
    """Draw what chance decides, up to a player's question or the end."""
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(random.choices(outcomes, weights)[0])


def stepping(name: str, look: bool = True) -> Play:
    """Play at random; the observer writes into a numpy array, the faster of two ways."""
    game = pyspiel.load_game(name)
    observer, actions = make_observation(game), game.num_distinct_actions()
    state = game.new_initial_state()

    def play(decisions: int) -> int:
        nonlocal state
        done = 0
        while done < decisions:
            advance(state)
            if state.is_terminal():
                state = game.new_initial_state()
                continue
            legal = state.legal_actions()
            if len(legal) > 1:
                if look:
                    observer.set_from(state, state.current_player())
                    mask = np.zeros(actions, np.int8)
                    mask[legal] = 1
                done += 1
            state.apply_action(draw(legal))
        return done

    return play


def rolling(name: str) -> Play:
    """Play games to their end in C++: one search step that does nothing but random rollouts.

    Where rewards come before the end the search refuses, and C++ players of its own play instead.
    What a rollout counts is the mean of random games from the same starts, played here.
    """
    game = pyspiel.load_game(name)
    starts = [started(game) for _ in range(STARTS)]
    mean = sum(decisions_of(start) for start in starts * COUNTED) / (STARTS * COUNTED)
    terminal = game.get_type().reward_model == pyspiel.GameType.RewardModel.TERMINAL
    roll = rollouts(game) if terminal else games_of_bots(game)
    turn = 0

    def play(decisions: int) -> int:
        nonlocal turn
        done = 0.0
        while done < decisions:
            done += mean * roll(starts[turn % STARTS])
            turn += 1
        return round(done)

    return play


def rollouts(game: Any) -> Callable[[Any], int]:
    """Return what plays random games from a state in C++ and says how many."""
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    search = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 64, False, 1, False)

    def roll(start: Any) -> int:
        search.mcts_search(start)
        return ROLLOUTS

    return roll


def games_of_bots(game: Any) -> Callable[[Any], int]:
    """Return what lets C++ players that draw their moves play a game to its end."""
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]

    def roll(start: Any) -> int:
        pyspiel.evaluate_bots(start.clone(), bots, random.getrandbits(31))
        return 1

    return roll


def started(game: Any) -> Any:
    """Return a game at its first question."""
    state = game.new_initial_state()
    advance(state)
    return state


def decisions_of(start: Any) -> int:
    """Return how many questions with a choice a random game has."""
    state, done = start.clone(), 0
    while not state.is_terminal():
        legal = state.legal_actions()
        done += len(legal) > 1
        state.apply_action(draw(legal))
        advance(state)
    return done


def cloning(name: str) -> Play:
    """Copy a state at its first question."""
    return calling(started(pyspiel.load_game(name)).clone)


def rows(name: str) -> list[Row]:
    """Return what is measured of a game."""
    bind = functools.partial
    return [
        Row(name, "step", bind(stepping, name)),
        Row(name, "step rules", bind(stepping, name, look=False)),
        Row(name, "rollout rules", bind(rolling, name)),
        Row(name, "clone", bind(cloning, name), MICROSECONDS),
    ]


if __name__ == "__main__":
    serve(["open_spiel", "numpy"], [row for name in GAMES for row in rows(name)])
