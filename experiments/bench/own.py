"""What is measured of this project, as a table of rows.

A new door is a row in `rows`, with a function that returns a play: see `serving.Row`.
"""

from __future__ import annotations

import copy
import functools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from configs.schema import BenchConfig
from experiments.bench import groups, questions, searching
from experiments.peers.serving import GAMES, MICROSECONDS, SECONDS, Play, Row, calling
from skirmish_env import ENV_ID, Table, skirmish_v0
from skirmish_env.batch import Batch
from skirmish_env.common.rng import POLICY_STREAM, seed_rng
from skirmish_env.game import NEW_YORK, Game
from skirmish_env.views import View

SIZES = (1, 16, 256, 4096)
SCAN = 64  # decisions of each game in one call of the kernel
OPPONENTS = ("random", "heuristic")
MIDDLE = 40  # decisions into a game
FIRST_STEPS = {
    "Table": "from skirmish_env import Table; t = Table.new(); t.play(t.legal()[0])",
    "PettingZoo": "from skirmish_env import skirmish_v0; e = skirmish_v0.env(); e.reset(0); "
    "e.step(e.last()[0]['action_mask'].argmax())",
}


def rows(config: BenchConfig, threads: list[int]) -> list[Row]:
    """Return all rows; `threads` are the numbers of threads to measure, in rising order."""
    bind = functools.partial
    games, most = config.games, threads[-1]
    table = [
        Row(groups.WRAPPED, "step", bind(aec, skirmish_v0.env)),
        Row("PettingZoo raw", "step", bind(aec, skirmish_v0.raw_env)),
        Row("Table.play", "step rules", playing_words, note="the choice of the move left aside"),
    ]
    for n in threads:
        table += [
            Row(groups.ALL_COPIED, "batch", bind(vector, games, None, True), threads=n),
            Row("make_vec, no opponent, copy=False", "batch", bind(vector, games), threads=n),
            Row(groups.KERNEL, "rollout", bind(rollout, games), threads=n),
            Row(groups.KERNEL_ALONE, "rollout rules", bind(rollout, games, False), threads=n),
        ]
    for opponent in OPPONENTS:
        table += [
            Row(f"make_vec against {opponent}, copy={kept}", "opponent",
                bind(vector, games, opponent, kept), threads=most) for kept in (True, False)
        ]  # fmt: skip
    for opponent in OPPONENTS:
        table += [
            Row(f"Gymnasium against {opponent}, 1 game", "opponent", bind(gym, opponent)),
            Row(f"Gymnasium against {opponent}, 1 game, both sides' decisions", "opponent",
                bind(gym, opponent, both=True)),
        ]  # fmt: skip
    table += [
        Row("random games, mask and observation", "games",
            bind(rollout, games, counting=True), GAMES, n) for n in threads
    ]  # fmt: skip
    table += [
        Row("random games, rules alone", "games",
            bind(rollout, games, False, counting=True), GAMES, n) for n in threads
    ]  # fmt: skip
    table += [*playouts(games, threads), *searching.rows(threads, games, running)]
    table += [*clones(games), *states(games)]
    table += scaling(games, threads)
    table += [*questions.rows(config.moments), *starts()]
    return table


def playouts(games: int, threads: list[int]) -> list[Row]:
    """Return games played on from their middle to the end, as search does."""
    return [
        Row(f"Batch.playout, {name}", "playout",
            functools.partial(playing_out, min(games, 1024), name), GAMES, n)
        for name in OPPONENTS for n in threads
    ]  # fmt: skip


def clones(games: int) -> list[Row]:
    """Return the ways to copy a game."""
    bind = functools.partial
    return [
        Row(groups.RAW_CLONE, "clone", record_copy, MICROSECONDS),
        Row("one game in compiled code", "clone", bind(compiled_copy, games), MICROSECONDS),
        Row(f"{games:,} games as one array, each", "clone", bind(array_copy, games), MICROSECONDS),
        Row("Table.clone", "clone", lambda: calling(middle().clone), MICROSECONDS),
        Row("PettingZoo in its wrapper, copy.deepcopy", "clone", deep_copy, MICROSECONDS),
    ]


def states(games: int) -> list[Row]:
    """Return what is done with one game besides playing it."""
    return [
        Row(f"View.redeal, {games:,} games, each", "state",
            functools.partial(redealing, games), MICROSECONDS),
        Row("View.redeal, 1 game", "state", functools.partial(redealing, 1), MICROSECONDS),
        Row(f"Batch.redeal, {games:,} games, each", "state",
            functools.partial(redealing_in_place, games), MICROSECONDS),
        Row("Batch.pack", "state", packing, MICROSECONDS),
        Row("Table.to_bytes", "state", lambda: calling(middle().to_bytes), MICROSECONDS),
        Row("Table.from_bytes", "state", from_bytes, MICROSECONDS),
        Row("Table.position", "state", lambda: calling(middle().position), MICROSECONDS),
        Row("Table.from_position", "state", from_position, MICROSECONDS),
        Row("Table.replay_data", "state", lambda: calling(middle().replay_data), MICROSECONDS),
        Row(f"Table.replay, {MIDDLE} moves", "state", replaying, MICROSECONDS),
    ]  # fmt: skip


def scaling(games: int, threads: list[int]) -> list[Row]:
    """Return two doors at several batch sizes, with one thread and more."""
    sizes = [size for size in SIZES if size <= games]
    few_and_all = dict.fromkeys((1, threads[-1]))
    table = [
        Row(f"make_vec, {counted(size)}", "scaling", functools.partial(vector, size), threads=n)
        for n in few_and_all for size in sizes
    ]  # fmt: skip
    table += [
        Row(f"batch kernel, {counted(size)}", "scaling rollout",
            functools.partial(rollout, size), threads=n)
        for n in few_and_all for size in sizes
    ]  # fmt: skip
    return table


def counted(games: int) -> str:
    """Return a number of games in words."""
    return "1 game" if games == 1 else f"{games:,} games"


def starts() -> list[Row]:
    """Return start-ups from a filled cache."""
    return [
        Row(f"{door}, filled cache", "start", functools.partial(starting, code), SECONDS)
        for door, code in FIRST_STEPS.items()
    ]


# ---- one game


def cheap_choice(mask: np.ndarray, lots: Iterator[float]) -> int:
    """Draw a legal action in as little time as numpy and one lot allow."""
    legal = mask.nonzero()[0]
    return int(legal[int(next(lots) * len(legal))])


def drawn(seed: int) -> Iterator[float]:
    """Yield numbers in [0, 1), drawn many at a time."""
    rng = np.random.default_rng(seed)
    while True:
        yield from rng.random(1000).tolist()


def aec(make: Callable[[], Any]) -> Play:
    """Play through a PettingZoo environment: `last`, a choice, `step`."""
    env, lots = make(), drawn(0)
    env.reset(seed=0)

    def play(decisions: int) -> int:
        done = 0
        while done < decisions:
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.reset()
                continue
            env.step(cheap_choice(observation["action_mask"], lots))
            done += 1
        return done

    return play


def gym(opponent: str, *, both: bool = False) -> Play:
    """Play through the Gymnasium environment; `both` counts the opponent's decisions too."""
    env = gymnasium.make(ENV_ID, opponent=opponent, side="random")
    weight = 1 + answers_a_decision(opponent) if both else 1.0
    play_through = gym_loop(env)
    return lambda decisions: play_through(decisions) * weight


def gym_loop(env: Any) -> Callable[[int], int]:
    """Return what plays the learner's decisions at random."""
    lots = drawn(0)
    _, info = env.reset(seed=0)

    def play(decisions: int) -> int:
        nonlocal info
        for _ in range(decisions):
            _, _, terminated, truncated, info = env.step(cheap_choice(info["action_mask"], lots))
            if terminated or truncated:
                _, info = env.reset()
        return decisions

    return play


def answers_a_decision(opponent: str, decisions: int = 2000) -> float:
    """Return how many decisions an opponent has for each of the learner's."""
    answers = 0

    def counting(view: View, rng: np.random.Generator) -> np.ndarray:
        nonlocal answers
        answers += len(view)
        return view.policy(opponent, rng)

    gym_loop(gymnasium.make(ENV_ID, opponent=counting, side="random"))(decisions)
    return answers / decisions


def playing_words() -> Play:
    """Play through `Table.play`; only the calls count."""
    lots = drawn(0)
    table = Table.new(0, skip_forced=True)

    def play(decisions: int) -> tuple[int, float]:
        nonlocal table
        taken = 0.0
        for number in range(decisions):
            legal = table.legal()
            move = legal[int(next(lots) * len(legal))]
            began = time.perf_counter()
            table.play(move)
            taken += time.perf_counter() - began
            if table.winner is not None:
                table = Table.new(number, skip_forced=True)
        return decisions, taken

    return play


# ---- many games


def vector(games: int, opponent: str | None = None, copy: bool = False) -> Play:
    """Step games of one vector environment; the space draws the actions."""
    envs: Any = gymnasium.make_vec(
        ENV_ID, games, opponent=opponent, copy=copy, autoreset_mode=AutoresetMode.SAME_STEP
    )
    envs.reset(seed=0)
    envs.action_space.seed(0)

    def play(decisions: int) -> int:
        done = 0
        while done < decisions:
            envs.step(envs.action_space.sample())
            done += games
        return done

    return play


def rollout(
    games: int, look: bool = True, *, counting: bool = False, game: Game = NEW_YORK
) -> Play:
    """Play many games by the compiled rollout; `counting` counts finished games, not decisions."""
    batch = Batch(games, game=game)
    batch.deal(np.arange(games))
    rngs = np.zeros((games, 4), np.int64)
    for i in range(games):
        seed_rng(rngs[i], i, POLICY_STREAM)
    episodes, sets = np.zeros(games, np.int64), np.zeros(games, np.int64)
    observations = np.zeros((games, game.observation_size), np.float32)
    masks = np.zeros((games, game.action_count), np.int8)
    arrays = (batch.states, batch.card_set.record, sets, rngs, episodes)

    def play(n: int) -> int:
        done, finished = 0, episodes.sum()
        while done < n:
            game.kernels.rollout(*arrays, SCAN, observations, masks, look)
            done = int(episodes.sum() - finished) if counting else done + games * SCAN
        return done

    return play


# ---- copies, saves, redeals


def middle() -> Table:
    """Return a table some random moves into a game."""
    table, lots = Table.new(7, skip_forced=True), drawn(7)
    for _ in range(MIDDLE):
        legal = table.legal()
        table.play(legal[int(next(lots) * len(legal))])
    return table


def dealt(games: int) -> Batch:
    """Return freshly dealt games."""
    batch = Batch(games)
    batch.deal(np.arange(games))
    return batch


def each(games: int, call: Callable[[], Any]) -> Play:
    """Return a play whose every call does something to so many games, which all count."""

    def play(wanted: int) -> int:
        done = 0
        while done < wanted:
            call()
            done += games
        return done

    return play


def record_copy() -> Play:
    """Copy one record of a batch into another batch by its bytes, from Python."""
    source, target = (dealt(16).states.view(np.uint8).reshape(16, -1) for _ in range(2))

    def copy_one() -> None:
        target[3] = source[5]

    return calling(copy_one)


def array_copy(games: int) -> Play:
    """Copy all games of a batch at once."""
    source, target = (dealt(games).states.view(np.uint8) for _ in range(2))
    return each(games, lambda: np.copyto(target, source))


def deep_copy() -> Play:
    """Copy an environment with all that belongs to it."""
    env = skirmish_v0.env()
    env.reset(seed=0)
    return calling(lambda: copy.deepcopy(env))


def compiled_copy(games: int) -> Play:
    """Copy one record after the other within compiled code."""
    source, target, all_games = dealt(games).states, dealt(games).states, np.arange(games)
    return each(games, lambda: NEW_YORK.kernels.copy(source, all_games, target, all_games))


def running(games: int) -> Batch:
    """Return games some random decisions old."""
    batch, rng = dealt(games), np.random.default_rng(0)
    for _ in range(MIDDLE):
        batch.step(batch.view().policy("random", rng))
        while (over := np.flatnonzero(batch.over)).size:
            batch.deal(rng.integers(0, 2**31, len(over)), over)
    return batch


def playing_out(games: int, player: str) -> Play:
    """Copy running games and play the copies to their ends."""
    batch, seeds = running(games), np.arange(games)
    return each(games, lambda: batch.copy().playout(seeds, player))


def redealing_in_place(games: int) -> Play:
    """Deal anew, in place, what the deciding players of so many running games cannot know."""
    batch, seeds = running(games), np.arange(games)
    return each(games, lambda: batch.redeal(seeds))


def redealing(games: int) -> Play:
    """Deal anew what the deciding players of so many running games cannot know."""
    rng = np.random.default_rng(0)
    view = running(games).view()
    return each(games, lambda: view.redeal(rng))


def packing() -> Play:
    """Put a game of a batch into bytes."""
    batch = dealt(16)
    return calling(lambda: batch.pack(5))


def from_bytes() -> Play:
    """Rebuild a game from its bytes."""
    data = middle().to_bytes()
    return calling(lambda: Table.from_bytes(data))


def from_position() -> Play:
    """Rebuild a game from its position in words: one that is at a player's recruitment."""
    table, lots = middle(), drawn(8)
    while table.question != "recruitment":
        legal = table.legal()
        table.play(legal[int(next(lots) * len(legal))])
    position = table.position()
    return calling(lambda: Table.from_position(position))


def replaying() -> Play:
    """Play a stored game again from words."""
    data = middle().replay_data()
    return calling(lambda: Table.replay(data))


# ---- the rest


def starting(code: str) -> Play:
    """Run code in a fresh Python."""
    return calling(lambda: subprocess.run([sys.executable, "-c", code], check=True, timeout=600))


def cold_starts() -> dict[str, float]:
    """Return start-ups from an empty cache, in seconds."""
    found = {}
    for door, code in FIRST_STEPS.items():
        with tempfile.TemporaryDirectory() as empty:
            began = time.perf_counter()
            subprocess.run(
                [sys.executable, "-c", code], check=True, timeout=600, capture_output=True,
                env={**os.environ, "SKIRMISH_CACHE_DIR": empty},
            )  # fmt: skip
            found[f"{door}, empty cache"] = time.perf_counter() - began
    return found


def bytes_of_a_game(game: Game = NEW_YORK) -> dict[str, int]:
    """Return the sizes of what one game of a batch needs, in bytes."""
    return {
        "record": game.state_dtype.itemsize,
        "observation": 4 * game.observation_size,
        "mask": game.action_count,
    }
