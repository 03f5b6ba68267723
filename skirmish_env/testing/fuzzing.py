"""Random games, every invariant checked after every decision, failures shrunk to a replay."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from skirmish_env.game import NEW_YORK, CardSet, Game
from skirmish_env.testing.shrinking import RULE_ERRORS, shrink

CHUNK = 2_000  # games that a worker plays before it reports
LONGEST = 4_096  # decisions in one game
MOST_FOUND = 16  # problems named at one time
MOST_GAMES = 2**31
VARIANTS: tuple[dict[str, Any], ...] = ({}, {"attack_effect": "each_attack"})


@dataclass(frozen=True)
class Failure:
    """The first game that went wrong.

    Attributes:
        number: which game of the run; `problems`: what was wrong, in words.
        replay: the shortest moves found, as a replay; it ends where the problem shows.
    """

    number: int
    problems: list[str]
    replay: dict[str, Any]

    def save(self, path: str | Path) -> None:
        """Write the replay, with the problems beside the moves."""
        text = json.dumps({**self.replay, "problems": self.problems}, indent=1)
        Path(path).write_text(text + "\n", encoding="utf-8")

    def __str__(self) -> str:
        moves = ", ".join(self.replay["moves"]) or "no move at all"
        return f"game {self.number}: {'; '.join(self.problems)} after {moves}"


def problems(table: Any) -> list[str]:
    """Name everything that is wrong with a `Table` or the games of a `Batch`; [] if nothing is.

    Problems of a batch say which game they are in.
    """
    states, card_set = table.states, table.card_set
    game = getattr(table, "game", NEW_YORK)
    if len(states) == 1:
        return game.proof.problems(states, 0, card_set)
    return [
        f"game {i}: {problem}"
        for i in range(len(states))
        for problem in game.proof.problems(states, i, card_set)
    ]


def fuzz(
    games: int,
    seed: int = 0,
    *,
    card_set: str | Path | CardSet | None = None,
    rules: dict[str, Any] | None = None,
    look_every: int = 50,
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
    game: Game = NEW_YORK,
) -> Failure | None:
    """Play random games and check each after every decision; return the first failure or None.

    Half of the games answer forced questions by themselves; without `rules` the rules option
    `attack_effect` changes from game to game. Once in `look_every` decisions (0: never) every
    option is tried on a copy and both seats redeal. The result depends on `seed` only, not on
    `jobs`, the number of processes. `progress` is told how many games have passed.

    Raises:
        ValueError: a number out of range, or a card set that cannot be loaded.
    """
    for name, value, most in (("games", games, MOST_GAMES), ("seed", seed, 2**30)):
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise ValueError(f"{name} is a whole number from 0 to {most:,}, not {value!r}")
    if jobs < 1 or look_every < 0:
        raise ValueError(f"jobs is 1 or more and look_every 0 or more, not {jobs}, {look_every}")
    sets = _variants(card_set, rules, game)
    cards = np.concatenate([one.record for one in sets])
    pieces = (
        (game, cards, seed, first, min(CHUNK, games - first), look_every)
        for first in range(0, games, CHUNK)
    )
    done = 0
    for piece, report in _in_order(pieces, jobs):
        if report is not None:
            return _failure(report, sets, game)
        done += piece[4]
        if progress is not None:
            progress(done)
    return None


def _variants(
    card_set: str | Path | CardSet | None, rules: dict[str, Any] | None, game: Game
) -> list[CardSet]:
    if isinstance(card_set, CardSet) or rules is not None:
        return [game.load(card_set, rules)]
    return [game.load(card_set, variant) for variant in VARIANTS]


def _in_order(pieces: Iterator[Any], jobs: int) -> Iterator[tuple[Any, dict[str, Any] | None]]:
    """Play pieces in this process or in others; reports come in the order of the pieces."""
    if jobs == 1:
        for piece in pieces:
            yield piece, play_piece(*piece)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        waiting: list[tuple[Any, Future[dict[str, Any] | None]]] = []
        try:
            while True:
                for piece in islice(pieces, 2 * jobs - len(waiting)):
                    waiting.append((piece, pool.submit(play_piece, *piece)))
                if not waiting:
                    return
                piece, future = waiting.pop(0)
                yield piece, future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def play_piece(
    game: Game, cards: np.ndarray, seed: int, first: int, games: int, look_every: int
) -> dict[str, Any] | None:
    """Play some games; return None or all that is needed to play the failing one again."""
    states = np.zeros(2, game.state_dtype)
    raw = states.view(np.uint8).reshape(2, game.state_dtype.itemsize)
    moves = np.zeros(LONGEST, np.int64)
    at = np.zeros(len(game.proof.fuzz_fields), np.int64)
    found = np.zeros((MOST_FOUND, 3), np.int64)
    error = None
    count = 0
    try:
        count = game.proof.fuzz(
            states, raw, cards, seed, first, games, look_every, moves, at, found
        )
    except RULE_ERRORS as raised:
        error = f"{type(raised).__name__}: {raised}"
    if error is None and count == 0:
        return None
    told = dict(zip(game.proof.fuzz_fields, at.tolist(), strict=True))
    return {**told, "moves": moves[: told["decisions"]].tolist(), "rows": found[:count],
            "error": error}  # fmt: skip


def _failure(report: dict[str, Any], sets: list[CardSet], game: Game) -> Failure:
    """Play a failing game again, shorten it, and put it into words."""
    card_set = sets[report["card_set"]]
    only = np.zeros(1, np.int64)
    start = np.zeros(1, game.state_dtype)
    told = [report["error"]] if report["error"] else game.proof.words(report["rows"])
    game.kernels.deal(
        start, card_set.record, only, only, np.array([report["deal_seed"]]), report["skip_forced"]
    )
    actions = report["moves"] + [a for a in (report["tried"],) if a >= 0]

    def check(states: np.ndarray, first: np.ndarray) -> list[str]:
        found = game.proof.problems(states, 0, card_set, first)
        if not found and report["redeal_seed"] >= 0:
            found = _redeal_problems(states, report["redeal_seed"], card_set, game)
        return found

    try:
        start, actions, found = shrink(start, actions, check, card_set, game)
    except ValueError:  # it does not show when played again: keep all of it
        found = []
    replay = game.proof.replay(game.describe(start, 0, card_set), actions, card_set)
    return Failure(report["number"], found or told, replay)


def _redeal_problems(
    states: np.ndarray, seed: int, card_set: CardSet, game: Game
) -> list[str]:
    """Do what the kernel did: redeal for each seat on a copy and play on."""
    pair = np.concatenate([states, states])
    raw = pair.view(np.uint8).reshape(2, -1)
    found = np.zeros((MOST_FOUND, 3), np.int64)
    for viewer, seat in enumerate(game.seats):
        try:
            count = game.proof.try_redeal(
                pair, raw, card_set.record, np.zeros(2, np.int64), viewer, seed, found
            )
        except RULE_ERRORS as error:
            return [f"redeal for {seat}: {type(error).__name__}: {error}"]
        if count:
            return [f"redeal for {seat}: {one}" for one in game.proof.words(found[:count])]
    return []
