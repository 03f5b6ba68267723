"""The Hanabi Learning Environment: its environment in Python, and the C++ game below it."""

from __future__ import annotations

import numpy as np
from hanabi_learning_environment import pyhanabi, rl_env
from serving import MICROSECONDS, Play, Row, calling, draw, serve


def stepping() -> Play:
    """Play at random through `rl_env`, which describes the game to both players."""
    env = rl_env.make("Hanabi-Full", num_players=2)
    observations = env.reset()

    def play(decisions: int) -> int:
        nonlocal observations
        done = 0
        while done < decisions:
            seen = observations["player_observations"][observations["current_player"]]
            legal = seen["legal_moves_as_int"]
            if len(legal) > 1:
                np.asarray(seen["vectorized"], np.float32)
                mask = np.zeros(env.num_moves(), np.int8)
                mask[legal] = 1
                done += 1
            observations, _, over, _ = env.step(draw(legal))
            if over:
                observations = env.reset()
        return done

    return play


def stepping_below() -> Play:
    """Play at random through `pyhanabi`, encoding the deciding player's observation alone."""
    env = rl_env.make("Hanabi-Full", num_players=2)
    env.reset()
    game, encoder, state = env.game, env.observation_encoder, env.state

    def play(decisions: int) -> int:
        nonlocal state
        done = 0
        while done < decisions:
            while state.cur_player() == pyhanabi.CHANCE_PLAYER_ID:
                state.deal_random_card()
            if state.is_terminal():
                state = game.new_initial_state()
                continue
            moves = state.legal_moves()
            if len(moves) > 1:
                seen = state.observation(state.cur_player())
                np.asarray(encoder.encode(seen), np.float32)
                mask = np.zeros(game.max_moves(), np.int8)
                mask[[game.get_move_uid(move) for move in moves]] = 1
                done += 1
            state.apply_move(draw(moves))
        return done

    return play


def cloning() -> Play:
    """Copy a state by its own method."""
    env = rl_env.make("Hanabi-Full", num_players=2)
    env.reset()
    return calling(env.state.copy)


if __name__ == "__main__":
    rows = [
        Row("Hanabi-Full by rl_env", "step", stepping, note="both players' views"),
        Row("Hanabi-Full by pyhanabi", "step", stepping_below, note="the deciding player's view"),
        Row("Hanabi-Full by pyhanabi", "clone", cloning, MICROSECONDS),
    ]
    serve(["hanabi-learning-environment", "numpy"], rows)
