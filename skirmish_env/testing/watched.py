"""What a player can fetch from an environment, by name, and how it is copied, stepped and reset.

One class for each kind: PettingZoo AEC, Gymnasium, `Table`, `Batch`; wrappers count as what they
wrap. What a wrapper adds or replaces is looked up on the wrapper first.
"""

from __future__ import annotations

import contextlib
import copy
import io
import re
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np

from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK, CardSet, Game
from skirmish_env.gym_env import LegalDiscrete

ONLY = np.zeros(1, np.int64)
WRONG_IDS: tuple[Any, ...] = (-1, None, 1.5)
VIEW_SEED = 7  # any number: a view is asked with the same one in both twins
ADDRESS = re.compile(r" at 0x[0-9a-f]+")

Shown = dict[str, Any]


def watch(made: Any) -> Watched:
    """Return how to look at an environment, a table or a batch, wrapped or not."""
    if isinstance(made, Batch):
        return WatchedBatch(made)
    if hasattr(made, "replay_data"):
        return WatchedTable(made)
    return WatchedAec(made) if hasattr(made, "possible_agents") else WatchedGym(made)


class Watched:
    """One environment under watch.

    Attributes:
        made: the environment, outermost wrapper first.
        printed: what it wrote to the standard output when it was last stepped or reset.
        spoilt: it took an action that is not legal, so its game is no longer the one it was.
    """

    game: Game = NEW_YORK

    def __init__(self, made: Any) -> None:
        self.made = made
        self.printed = ""
        self.spoilt = False

    # Each kind says these.

    @property
    def states(self) -> np.ndarray:
        """Record array inside, not a copy."""
        raise NotImplementedError

    @property
    def cards(self) -> CardSet:
        """Card set of the game under way."""
        raise NotImplementedError

    @property
    def is_over(self) -> bool:
        """Whether nothing is asked any more."""
        return bool((self.states["asked"] < 0).all())

    def viewers(self) -> list[str]:
        """Seats that look at this environment."""
        return list(self.game.seats)

    def begin(self, seed: int) -> Any:
        """Start a new game and return what a reset returns."""
        raise NotImplementedError

    def resume(self, position: dict[str, Any], seed: int) -> Any:
        """Start at a position; ValueError where that cannot be."""
        raise NotImplementedError

    def step(self, action: Any) -> Any:
        """Take one legal decision and return what a step returns."""
        raise NotImplementedError

    def fetched(self, viewer: str) -> Shown:
        """Everything that this viewer can fetch, by name."""
        raise NotImplementedError

    # The same for every kind.

    def shown(self, viewer: str) -> Shown:
        """Everything that this viewer can fetch now, error texts last."""
        return {**self.fetched(viewer), **self.error_texts(viewer)}

    def take(self, action: Any) -> Any:
        """Step, and keep what is printed meanwhile."""
        return self._listened(lambda: self.step(action))

    def start_at(self, position: dict[str, Any], seed: int) -> Any:
        """Resume, and keep what is printed meanwhile."""
        return self._listened(lambda: self.resume(position, seed))

    def _listened(self, do: Callable[[], Any]) -> Any:
        heard = io.StringIO()
        with contextlib.redirect_stdout(heard), contextlib.redirect_stderr(heard):
            told = do()
        self.printed = heard.getvalue()
        return told

    def copy(self) -> Watched:
        """Return a copy that can be played on by itself; what never changes is shared."""
        twin = copy.copy(self)
        twin.made = copy.deepcopy(self.made, {id(one): one for one in self.unchanging()})
        return twin

    def unchanging(self) -> list[Any]:
        """Spaces, card sets and specifications of every layer."""
        found: list[Any] = []
        for layer in layers(self.made):
            held = [*vars(layer).values()]
            held += [one for value in held if isinstance(value, dict) for one in value.values()]
            found += [one for one in held if _never_changes(one)]
        return found

    def redeal(self, viewer: str, seed: int) -> None:
        """Deal anew all that a viewer cannot know."""
        games = np.arange(len(self.states))
        seats = np.full(len(games), self.game.seats.index(viewer))
        sets = np.zeros(len(games), np.int64)
        self.game.kernels.redeal(
            self.states, self.cards.record, sets, games, seats, seed + games
        )

    def knowledge(self, viewer: str) -> list[bytes]:
        """All that a viewer may know of each game."""
        seat = self.game.seats.index(viewer)
        return [self.game.proof.known(self.states, i, seat) for i in range(len(self.states))]

    def options(self, i: int = 0) -> list[int]:
        """Legal actions of a game, whoever decides."""
        g = self.states[i]
        return [int(a) for a in g["options"][: g["option_count"]]]

    def any_legal(self, rng: np.random.Generator) -> Any:
        """Draw a legal action."""
        return int(rng.choice(self.options()))

    def is_legal(self, action: Any) -> bool:
        """Whether an action of `any_legal` is legal here too."""
        return action in self.options()

    def decides(self, viewer: str) -> bool:
        """Whether a viewer must answer now."""
        return not self.is_over and self.game.seats[int(self.states["asked"][0])] == viewer

    def error_texts(self, viewer: str) -> Shown:
        """Answers to ids that are not legal, and to what are no ids at all."""
        if not self.decides(viewer):
            return {}
        legal = self.options()
        masked = [a for a in range(self.game.action_count) if a not in legal]
        wrong = (masked[0], masked[len(masked) // 2], masked[-1], *WRONG_IDS)
        return {"error texts": list(self._answers(wrong, viewer))}

    def _answers(self, wrong: tuple[Any, ...], viewer: str) -> Iterator[Any]:
        for action in wrong:
            try:
                told = self.take(action)
            except Exception as error:  # whatever a step answers with is compared
                yield in_words(error)
            else:
                self.spoilt = True
                yield "taken", told, self.fetched(viewer)
                return


class WatchedAec(Watched):
    """A PettingZoo AEC environment."""

    def __init__(self, made: Any) -> None:
        super().__init__(made)
        self.game = _game_of(made.unwrapped)

    @property
    def states(self) -> np.ndarray:
        """Record array (1,) inside."""
        return self.made.unwrapped._states

    @property
    def cards(self) -> CardSet:
        """Card set of the game under way."""
        return self.made.unwrapped._cards

    @property
    def is_over(self) -> bool:
        """Whether the agents are done, truncated ones included."""
        raw = self.made.unwrapped
        return any((*raw.terminations.values(), *raw.truncations.values()))

    def begin(self, seed: int) -> Any:
        """Reset with a seed."""
        return self._listened(lambda: self.made.reset(seed=seed))

    def resume(self, position: dict[str, Any], seed: int) -> Any:
        """Reset to a position."""
        return self.made.reset(seed=seed, options={"position": position})

    def step(self, action: Any) -> Any:
        """Step the agent who is asked."""
        return self.made.step(action)

    def fetched(self, viewer: str) -> Shown:
        """Observation, rewards, infos, drawings, positions, and what a view offers."""
        env = self.made
        found = {
            "observe": env.observe(viewer),
            "agents": list(env.agents),
            "agent_selection": env.agent_selection,
            "rewards": env.rewards.get(viewer),
            "cumulative rewards": env._cumulative_rewards.get(viewer),
            "terminations": dict(env.terminations),
            "truncations": dict(env.truncations),
            "infos": env.infos.get(viewer),
            "spaces": repr((env.observation_space(viewer), env.action_space(viewer))),
            "str": str(env),
            "repr": [nameless(layer) for layer in layers(env)],
            "position": env.position(viewer),
            "public position": env.position(),
            "text": env.text(viewer),
            "public text": env.text(),
        }
        if env.agent_selection == viewer:
            found["last"] = env.last()
        return {**found, **self._drawn(viewer), **self._view(viewer)}

    def _drawn(self, viewer: str) -> Shown:
        """What `render` returns or prints, where it draws for this viewer or for everybody."""
        if self.made.render_mode is None or self.made.unwrapped.render_viewer not in (None, viewer):
            return {}
        before = self.printed
        drawn = self._listened(self.made.render)
        return {"render": (drawn, self.printed), "printed": before}

    def _view(self, viewer: str) -> Shown:
        env = self.made
        found = offered(env.view(viewer), self.decides(viewer), self.game)
        if self.decides(viewer):
            for name in self.game.policies:
                found[f"choose {name}"] = env.choose(name, np.random.default_rng(VIEW_SEED))
        return found


class WatchedGym(Watched):
    """A Gymnasium environment: only the learner looks."""

    def __init__(self, made: Any) -> None:
        super().__init__(made)
        self.game = _game_of(made.unwrapped)
        self.done = False

    @property
    def states(self) -> np.ndarray:
        """Record array (1,) inside."""
        return self.made.unwrapped._table._states

    @property
    def cards(self) -> CardSet:
        """Card set of the game under way."""
        return self.made.unwrapped._table._cards

    @property
    def is_over(self) -> bool:
        """Whether the episode is done."""
        return self.done

    def viewers(self) -> list[str]:
        """Return the learner's seat."""
        return [self.made.unwrapped.side]

    def begin(self, seed: int) -> Any:
        """Reset with a seed."""
        self.done = False
        return self._listened(lambda: self.made.reset(seed=seed))

    def resume(self, position: dict[str, Any], seed: int) -> Any:
        """Reset to a position."""
        self.done = False
        return self.made.reset(seed=seed, options={"position": position})

    def step(self, action: Any) -> Any:
        """Step the learner, and the opponent with him."""
        told = self.made.step(action)
        self.done = bool(told[2] or told[3])
        return told

    def fetched(self, viewer: str) -> Shown:
        """Masks, position, drawings; observation and infos come from `step` and `reset`."""
        env = self.made
        found = {
            "action_masks": env.get_wrapper_attr("action_masks")(),
            "position": env.get_wrapper_attr("position")(),
            "side": env.get_wrapper_attr("side"),
            "spaces": repr((env.observation_space, env.action_space)),
            "legal": getattr(env.action_space, "legal", None),
            "str": ADDRESS.sub("", str(env)),
            "repr": [nameless(layer) for layer in layers(env)],
            "printed": self.printed,
        }
        if env.render_mode is not None:
            found["render"] = (self._listened(env.render), self.printed)
        return found


class WatchedTable(Watched):
    """A `Table`, which may be a subclass of the package's."""

    @property
    def states(self) -> np.ndarray:
        """Record array (1,) inside."""
        return self.made._states

    @property
    def cards(self) -> CardSet:
        """Card set of the game."""
        return self.made.card_set

    def copy(self) -> Watched:
        """Copy every attribute: `clone` would leave out what a subclass adds."""
        twin = copy.copy(self)
        twin.made = object.__new__(type(self.made))
        shared = {id(one): one for one in self.unchanging()}
        vars(twin.made).update(copy.deepcopy(vars(self.made), shared))
        return twin

    def begin(self, seed: int) -> Any:
        """Play the table as it was made: it has no reset."""

    def resume(self, position: dict[str, Any], seed: int) -> Any:
        """Make another table of the same class."""
        skip = self.made._skip_forced
        self.made = type(self.made).from_position(
            position, seed=seed, skip_forced=skip, card_set=self.cards
        )

    def step(self, action: Any) -> Any:
        """Play a move in words."""
        words = self.game.moves
        known = isinstance(action, int) and 0 <= action < len(words)
        self.made.play(words[action] if known else action)

    def fetched(self, viewer: str) -> Shown:
        """Position, board, running replay, log, and the legal moves of who decides."""
        t = self.made
        found = {
            "position": t.position(viewer),
            "text": t.text(viewer),
            "repr": nameless(t),
            "log": t.log,
            "asked": (t.to_move, t.question, t.question_source),
            "result": (t.winner, t.ending),
        }
        if self.decides(viewer):
            found["legal"] = t.legal()
        if not self.is_over and t._start is not None:
            found["replay_data"] = t.replay_data(viewer)
        return found


class WatchedBatch(Watched):
    """A `Batch`: every game is compared, and an action is one for each game that runs."""

    def __init__(self, made: Any) -> None:
        super().__init__(made)
        self.game = made.game

    @property
    def states(self) -> np.ndarray:
        """Record array (N,) inside."""
        return self.made.states

    @property
    def cards(self) -> CardSet:
        """Card set of all games."""
        return self.made.card_set

    def live(self) -> np.ndarray:
        """Return which games run."""
        return np.flatnonzero(self.states["asked"] >= 0)

    def begin(self, seed: int) -> Any:
        """Deal all games."""
        return self.made.deal(seed + np.arange(len(self.made)))

    def resume(self, position: dict[str, Any], seed: int) -> Any:
        """Refuse: a batch starts at no position."""
        raise ValueError("a batch starts at no position")

    def step(self, action: Any) -> Any:
        """Take a decision in every game that runs."""
        return self.made.step(action, self.live())

    def any_legal(self, rng: np.random.Generator) -> Any:
        """Draw a legal action for each game that runs."""
        return np.array([rng.choice(self.options(i)) for i in self.live()])

    def is_legal(self, action: Any) -> bool:
        """Whether the actions of `any_legal` are legal here too."""
        return all(a in self.options(i) for i, a in zip(self.live(), action, strict=True))

    def decides(self, viewer: str) -> bool:
        """Whether every game that runs asks this viewer."""
        asked = self.states["asked"][self.live()]
        return len(asked) > 0 and bool((asked == self.game.seats.index(viewer)).all())

    def fetched(self, viewer: str) -> Shown:
        """Observations, masks, results, and what a view offers."""
        b, seat = self.made, self.game.seats.index(viewer)
        seats = np.full(len(b), seat)
        asked = np.flatnonzero(b.states["asked"] == seat)
        names = ("seat", "over", "rewards", "winner", "ending", "turns", "marker", "decisions")
        found = {
            "observe": b.observe(viewer=seats),
            "masks": b.masks(viewer=seats),
            "results": {name: getattr(b, name) for name in names},
            "repr": nameless(b),
            **offered(b.view(viewer=seats), False, self.game),
        }
        if len(asked):
            decided = offered(b.view(asked, seats[: len(asked)]), True, self.game)
            found |= {f"decider's {name}": value for name, value in decided.items()}
        return found

    def error_texts(self, viewer: str) -> Shown:
        """Complaint about an illegal action in the first game that asks this viewer."""
        asked = np.flatnonzero(self.states["asked"] == self.game.seats.index(viewer))
        if len(asked) == 0:
            return {}
        legal = self.options(asked[0])
        wrong = next(a for a in range(self.game.action_count) if a not in legal)
        try:
            self.made.step(np.array([wrong]), asked[:1])
        except Exception as error:  # as in `Watched._answers`
            return {"error texts": in_words(error)}
        self.spoilt = True
        return {"error texts": "taken"}


def offered(view: Any, decides: bool, game: Game) -> Shown:
    """What a view offers: its arrays, a redeal, and the policies of who decides."""
    guess = view.redeal(np.random.default_rng(VIEW_SEED))
    found: Shown = {
        "view": {"observation": view.observation, "mask": view.mask, "viewer": view.viewer},
        "redeal": guess.states,
    }
    if decides:
        for name in game.policies:
            found[f"policy {name}"] = view.policy(name, np.random.default_rng(VIEW_SEED))
    return found


def in_words(error: BaseException | None) -> str:
    """Return an error as its traceback would end, with notes and what led to it."""
    told = []
    while error is not None:
        words = [f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())]
        told.append("\n".join(words))
        error = error.__cause__ or error.__context__
    return "\nafter ".join(told)


def layers(made: Any) -> list[Any]:
    """Return the wrappers from the outside in, and what they wrap."""
    found = [made]
    while (inner := vars(found[-1]).get("env")) is not None:
        found.append(inner)
    if (table := vars(found[-1]).get("_table")) is not None:
        found.append(table)
    return found


def nameless(thing: Any) -> str:
    """Return a repr without addresses."""
    return ADDRESS.sub("", repr(thing))


def _never_changes(thing: Any) -> bool:
    if isinstance(thing, gymnasium.Space):
        return not isinstance(thing, LegalDiscrete)
    return isinstance(thing, (CardSet, gymnasium.envs.registration.EnvSpec))


def _game_of(raw: Any) -> Game:
    game = getattr(raw, "game", None)
    if not isinstance(game, Game):
        raise TypeError(f"{raw!r} is no environment of this package and wraps none")
    return game
