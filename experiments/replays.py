"""Games that were played, watched again: who played which card, took which bonus, gained what.

A game follows from its deal and the moves. Moves that agents were asked for are kept with `Pairs`;
compiled players are asked again, and come to the same ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np

from agents.base import Agent
from experiments.pairs import NO_MOVE, Pairs, compiled_name, game_seeds
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK, CardSet, Game, IllegalAction

NONE = -1
TOGETHER = 1024  # games that are watched side by side; no result depends on it

Chooser = Callable[[Batch, np.ndarray], np.ndarray]


class ReplayError(ValueError):
    """Games that do not come out as they were played; the message says which."""


@dataclass(frozen=True)
class Words:
    """The things that the moves of a game name.

    Attributes:
        cards, artifacts, locations: their names.
        plays: int64 (actions,), the card that an action plays, from the hand or from the discard
            pile; -1 for other actions.
        takes: int64 (actions,), the artifact that an action names; -1 for other actions.
    """

    cards: tuple[str, ...]
    artifacts: tuple[str, ...]
    locations: tuple[str, ...]
    plays: np.ndarray
    takes: np.ndarray

    @classmethod
    def of(cls, game: Game) -> Words:
        """Read the words of a game; ValueError where its story cannot be told."""
        if game.story is None:
            raise ValueError(f"the game {game.name!r} brings no story")
        named = [move.partition(" ")[::2] for move in game.moves]
        cards = tuple(thing for verb, thing in named if verb == "play")
        artifacts = tuple(thing for verb, thing in named if verb == "artifact")
        plays = [cards.index(t) if verb in ("play", "fetch") else NONE for verb, t in named]
        takes = [artifacts.index(t) if verb == "artifact" else NONE for verb, t in named]
        return cls(cards, artifacts, game.story.locations, np.array(plays), np.array(takes))


@dataclass(frozen=True)
class Watched:
    """What happened in games (n,), by seat.

    Attributes:
        plays: int16 (n, seats, cards), how often each card was played, from the hand or from the
            discard pile.
        first: int16 (n, seats), the card that was played first; -1 where none was.
        bonuses: int16 (n, seats, locations), how often the bonus of an open location was taken.
        artifacts: int16 (n, seats, artifacts), how often each was gained.
        civilians: int16 (n, seats), civilians freed.
    """

    plays: np.ndarray
    first: np.ndarray
    bonuses: np.ndarray
    artifacts: np.ndarray
    civilians: np.ndarray

    @classmethod
    def nothing_yet(cls, n: int, seats: int, words: Words) -> Watched:
        """Make arrays for games that begin."""
        counts = [np.zeros((n, seats, len(things)), np.int16)
                  for things in (words.cards, words.locations, words.artifacts)]  # fmt: skip
        first = np.full((n, seats), NONE, np.int16)
        return cls(counts[0], first, counts[1], counts[2], np.zeros((n, seats), np.int16))

    @classmethod
    def joined(cls, parts: list[Watched]) -> Watched:
        """Put games behind each other."""
        return cls(
            *(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(cls))
        )


def replay(
    pairs: Pairs,
    a: Agent,
    b: Agent,
    *,
    seed: int = 0,
    game: Game = NEW_YORK,
    card_set: CardSet | None = None,
) -> tuple[Watched, ...]:
    """Watch the games of two agents again, and see to it that they come out as they were played.

    Args:
        pairs: as `play_pairs` gave it, or some of its deals.
        a, b: the agents; what they would do matters where `pairs` has no moves.
        seed, game, card_set: as they were played.

    Returns:
        The games in which `a` had the first seat, then those in which it had the second, each
        (deals,); an agent against itself has the first ones only.

    Raises:
        ReplayError: there are neither moves nor compiled players, or a game comes out otherwise.
    """
    words, cards = Words.of(game), card_set or game.load()
    found = []
    for column, players in enumerate(((a, b), (b, a)) if pairs.a != pairs.b else ((a, b),)):
        names = tuple(compiled_name(agent, game) for agent in players)
        if pairs.moves is None and None in names:
            raise ReplayError(
                f"{pairs.a} against {pairs.b}: moves were not kept, and only compiled players "
                "can be asked again"
            )
        parts = []
        for at in range(0, len(pairs.deals), TOGETHER):
            rows = slice(at, at + TOGETHER)
            batch = Batch(len(pairs.deals[rows]), card_set=cards, skip_forced=False, game=game)
            batch.deal(pairs.deals[rows])
            if pairs.moves is not None:
                choose = _kept(pairs.moves[rows, column])
            else:
                choose = _asked(batch, game_seeds(seed, pairs.deals[rows]), names)
            parts.append(_watch(batch, choose, words, f"{pairs.a} against {pairs.b}"))
            _compare(pairs, column, rows, batch)
        found.append(Watched.joined(parts))
    return tuple(found)


def _kept(moves: np.ndarray) -> Chooser:
    """Take the moves int16 (n, longest) that were kept."""
    taken = np.zeros(len(moves), np.int64)

    def choose(batch: Batch, games: np.ndarray) -> np.ndarray:
        over = taken[games] >= moves.shape[1]
        actions = np.where(over, NO_MOVE, moves[games, np.where(over, 0, taken[games])])
        taken[games] += 1
        return actions

    return choose


def _asked(batch: Batch, seeds: np.ndarray, names: tuple[str | None, ...]) -> Chooser:
    """Ask compiled players again."""
    answers = batch.players(seeds, names)
    return lambda batch, games: answers(games)


def _watch(batch: Batch, choose: Chooser, words: Words, who: str) -> Watched:
    """Play dealt games to their ends, stride by stride, and count what happens."""
    game = batch.game
    seen = Watched.nothing_yet(len(batch), len(game.seats), words)
    while (live := np.flatnonzero(~batch.over)).size:
        states = batch.states[live]
        asked, options = states["asked"], states["option_count"]
        actions = states["options"][:, 0].astype(np.int64)  # the only one, or not looked at
        choosing = (asked >= 0) & (options > 1)
        actions[choosing] = choose(batch, live[choosing])
        _note(seen, live, states, actions, words, batch)
        try:
            batch.stride(actions, live)
        except IllegalAction as error:
            raise ReplayError(f"{who}: the kept moves do not fit: {error}") from error
    return seen


def _note(
    seen: Watched,
    games: np.ndarray,
    states: np.ndarray,
    actions: np.ndarray,
    words: Words,
    batch: Batch,
) -> None:
    """Count what the next stride of games does, from their records (m,) before it."""
    game = batch.game
    seats = np.maximum(states["asked"], 0)

    def answered(question: str) -> np.ndarray:
        return states["question"] == game.questions.index(question)

    open_ = states["asked"] >= 0
    card = np.where(open_, words.plays[actions], NONE)
    playing = np.flatnonzero(card != NONE)
    seen.plays[games[playing], seats[playing], card[playing]] += 1
    begun = seen.first[games, seats] == NONE
    opening = playing[begun[playing]]
    seen.first[games[opening], seats[opening]] = card[opening]

    taking = np.flatnonzero(answered("choose tile"))
    seen.artifacts[games[taking], seats[taking], words.takes[actions[taking]]] += 1
    freeing = np.flatnonzero(answered("free civilian"))
    seen.civilians[games[freeing], seats[freeing]] += 1

    place = game.story.bonus(states, actions, batch.card_set)
    attacking = np.flatnonzero(place >= 0)
    on_turn = states["on_turn"][attacking]
    seen.bonuses[games[attacking], on_turn, place[attacking]] += 1


def _compare(pairs: Pairs, column: int, rows: slice, batch: Batch) -> None:
    """Raise a ReplayError where games did not come out as they were played."""
    scores = (1 + batch.rewards[:, column].astype(np.float64)) / 2
    endings = np.array(batch.game.endings)[batch.ending]
    for key, now in (
        ("scores", scores), ("turns", batch.turns), ("decisions", batch.decisions),
        ("endings", endings),
    ):  # fmt: skip
        then = getattr(pairs, key)[rows, column]
        if (wrong := np.flatnonzero(then != now)).size:
            deal = pairs.deals[rows][wrong[0]]
            raise ReplayError(
                f"{pairs.a} against {pairs.b}, deal {deal}, {pairs.a} as {pairs.seats[column]}: "
                f"{key} were {then[wrong[0]]} and are {now[wrong[0]]}: rules or players changed"
            )
