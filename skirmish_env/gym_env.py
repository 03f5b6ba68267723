"""A game as a Gymnasium environment: the learner plays one seat, an opponent the other."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from skirmish_env.aec import MOST_SEEDS, RENDER_MODES, next_deal, raw_env
from skirmish_env.batch import compiled_policy
from skirmish_env.game import NEW_YORK, CardSet, Game, IllegalAction
from skirmish_env.opponents import CompiledOpponent, find_opponent
from skirmish_env.shaping import Shaping

RANDOM, ALTERNATE = "random", "alternate"

# What an episode's seed is spawned into (numpy SeedSequence keys).
SIDE_STREAM, OPPONENT_STREAM, NEXT_DEAL_STREAM = 0, 1, 2
NO_SEEDS = np.zeros(0, np.int64)
DEALS = 100  # how many deals may end before the learner is asked


class LegalDiscrete(spaces.Discrete):
    """Action ids; `sample()` without a mask draws a legal one of the open question.

    Attributes:
        legal: legal ids, ascending; empty while no game is under way.
    """

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self._nothing = np.zeros(n, np.int8)
        self._mask = self._nothing

    @property
    def legal(self) -> np.ndarray:
        """A copy of the ids that a sample is drawn from."""
        return np.flatnonzero(self._mask)

    @property
    def mask(self) -> np.ndarray:
        """The same as a mask, bool (n,)."""
        return self._mask.astype(bool)

    def allow(self, legal: np.ndarray) -> None:
        """Draw from these ids (k,)."""
        self._mask = np.zeros(int(self.n), np.int8)
        self._mask[legal] = 1

    def allow_mask(self, mask: np.ndarray) -> None:
        """Draw where a mask int8 (n,) is 1: looked through only when somebody draws."""
        self._mask = mask.copy()

    def allow_nothing(self) -> None:
        """Draw any id: no game is under way."""
        self._mask = self._nothing

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Draw an id: from `mask` or `probability` where given, else any legal one."""
        legal = self.legal
        if mask is not None or probability is not None or len(legal) == 0:
            return super().sample(mask, probability)
        return AnyLegal.drawn(float(self.np_random.random()), legal)


class AnyLegal(np.int64):
    """An id that was drawn as "any legal one".

    Checkers draw an action, then reset, then step: where the id is not legal then, the same draw
    picks again. (A plain id that is not legal is always refused.)
    """

    draw: float | None = None  # None for an id that was not drawn after all

    def __reduce__(self) -> Any:
        return _drawn_before, (int(self), self.draw)

    @classmethod
    def drawn(cls, draw: float, legal: np.ndarray) -> AnyLegal:
        """Turn a number in [0, 1) into one of the legal ids."""
        action = cls(legal[int(draw * len(legal))])
        action.draw = draw
        return action

    def among(self, legal: np.ndarray) -> np.int64:
        """The id itself where it is legal, else the one that the same draw picks."""
        if self.draw is None or self in legal:
            return self
        return AnyLegal.drawn(self.draw, legal)


def _drawn_before(number: int, draw: float | None) -> AnyLegal:
    action = AnyLegal(number)
    action.draw = draw
    return action


class SkirmishEnv(gymnasium.Env[np.ndarray, np.int64]):
    """One seat of a game; what the opponent decides happens inside `reset` and `step`.

    Observations are float32 (D,), actions ids in [0, A). The mask of legal actions is
    `info["action_mask"]`, int8 (A,), and `action_masks()`, bool (A,). `info["side"]` is the
    learner's seat; at the end `winner` (a seat, "draw", or None after `max_turns`), `ending`,
    `turns` and `marker` stand beside it. The reward is +1, -1 or 0, for the learner, at the end.

    Args:
        opponent: what `find_opponent` takes: "heuristic", "expert", "random", an agent, a function
            of (view, rng), the path of a checkpoint. It sees a view, never the game.
        side: the learner's seat; "random" draws one for each game from its seed, "alternate"
            changes it every game, the first seat first after a seeded reset.
        render_mode: "ansi" or "human"; the board is drawn as the learner may know it.
        card_set, rules, skip_forced, max_turns: as in `aec.raw_env`.
        shaping: None, or what `Shaping.read` takes; its step is one decision of the learner.
        game: the game to play.

    Raises:
        ValueError: a setting is not one of those above.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        *,
        opponent: Any = "heuristic",
        side: str = RANDOM,
        render_mode: str | None = None,
        card_set: str | Path | CardSet | None = None,
        rules: dict[str, Any] | None = None,
        skip_forced: bool = True,
        shaping: Shaping | float | Mapping[str, Any] | None = None,
        max_turns: int | None = None,
        game: Game = NEW_YORK,
    ) -> None:
        if side not in (*game.seats, RANDOM, ALTERNATE):
            known = ", ".join((*game.seats, RANDOM, ALTERNATE))
            raise ValueError(f"side: {side!r} is none of {known}")
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode: {render_mode!r} is none of {', '.join(RENDER_MODES)}")
        self.game = game
        self.render_mode = render_mode
        self.shaping = Shaping.read(shaping)
        self.opponent = find_opponent(opponent, game)
        self._side_rule = side
        self._side = ""
        self._games = 0
        self._running = False
        self._opponent_rng = np.random.default_rng()
        self._opponent_seeds = NO_SEEDS
        self._seeds_used = 0
        self._table = raw_env(
            card_set=card_set,
            rules=rules,
            skip_forced=skip_forced,
            max_turns=max_turns,
            game=game,
        )
        self._table.np_random = np.random.default_rng(0)  # never drawn from: seeds are given
        size = (game.observation_size,)
        self.observation_space = spaces.Box(game.low, game.high, size, np.float32)
        self.action_space: LegalDiscrete = LegalDiscrete(game.action_count)

    @property
    def side(self) -> str:
        """The learner's seat in this game; empty before the first reset."""
        return self._side

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal a game and play it up to the learner's first question.

        The seed deals the game of `Table.new(seed)`; the side and the opponent's randomness come
        from it too. Options as in `aec.raw_env.reset`. A dealt game that is over before the
        learner is asked (short games under changed rules) is replaced by another one.

        Raises:
            ValueError: an impossible seed or option: nothing has changed; a position in which
                the learner is never asked: no game is under way.
        """
        with next_deal(self.game, seed, self.np_random) as (number, _):
            self._table._deal(number, options)  # first: what it refuses changes nothing
        if seed is not None:
            super().reset(seed=number)
            self._games = 0
        self._side = self._next_side(number)
        self._play_to_learner(number, options)
        self._games += 1
        if self.render_mode == "human":
            self.render()
        return self._look()

    def _next_side(self, number: int) -> str:
        seats = self.game.seats
        if self._side_rule == RANDOM:
            return seats[_stream(number, SIDE_STREAM).integers(len(seats))]
        if self._side_rule == ALTERNATE:
            return seats[self._games % len(seats)]
        return self._side_rule

    def _play_to_learner(self, number: int, options: dict[str, Any] | None) -> None:
        """Let the opponent open the game; deal others if it ends before the learner is asked."""
        for _ in range(DEALS):
            self._opponent_rng = _stream(number, OPPONENT_STREAM)
            self._opponent_seeds = NO_SEEDS
            self._seeds_used = 0
            self._let_opponent_play(self._table._is_playing(self._side))
            if self._running:
                return
            if options and options.get("position") is not None:
                break
            number = int(_stream(number, NEXT_DEAL_STREAM).integers(2**63 - 1, endpoint=True))
            self._table._deal(number, options)
        raise ValueError(f"reset: the game ends before {self._side} are asked anything")

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Answer the learner's question, then play on to the next one or to the end.

        Actions are what `aec.raw_env.step` takes.

        Raises:
            IllegalAction: names the legal moves; nothing has changed.
            ResetNeeded: no game is under way.
        """
        if not self._running:
            raise ResetNeeded("no game is under way: call reset()")
        if isinstance(action, AnyLegal):
            action = action.among(self.action_space.legal)
        before = self._potential()
        goes_on = self._table._decide(self.game.checked_action(action))
        self._let_opponent_play(goes_on)
        terminated = self._table.terminations[self._side]
        reward = self._table.rewards[self._side]
        if self.shaping is not None:
            reward += self.shaping.term(before, 0.0 if terminated else self._potential())
        if self.render_mode == "human":
            self.render()
        observation, info = self._look()
        return observation, reward, terminated, self._table.truncations[self._side], info

    def _let_opponent_play(self, goes_on: bool) -> None:
        """Play until the learner is asked or the game is done, which the table books then."""
        table, self._running = self._table, False  # an opponent that fails ends the game
        self.action_space.allow_nothing()
        while goes_on and table.agent_selection != self._side:
            if isinstance(self.opponent, CompiledOpponent):
                goes_on = self._let_policy_play(self.opponent.name)
            else:
                goes_on = self._answered(self.opponent.act(table.view(), self._opponent_rng))
        if not goes_on:
            table._end()
        self._running = goes_on

    def _let_policy_play(self, name: str) -> bool:
        """Let a compiled policy take a decision or, where it can, all up to the learner's next.

        Each has a seed of its own, in the same order either way. False when the game is done.
        """
        seeds = self._opponent_seeds[self._seeds_used :]
        if len(seeds) == 0:
            seeds = self._opponent_seeds = self._opponent_rng.integers(0, 2**62, MOST_SEEDS)
            self._seeds_used = 0
        play_on = self.game.kernels.play_on.get(name)
        if play_on is None:
            self._seeds_used += 1
            choose = compiled_policy(self.game, name)
            return self._table._decide(self._table._chosen(choose, seeds[:1]))
        goes_on, used = self._table._let_play(play_on, seeds, self._side)
        self._seeds_used += used
        return goes_on

    def _answered(self, answer: Any) -> bool:
        """Play the opponent's answer, an int or an array of one; False when the game is done."""
        try:
            actions = np.asarray(answer).reshape(-1)
            number = self.game.checked_action(actions[0] if len(actions) == 1 else answer)
            return self._table._decide(number)
        except ValueError:  # IllegalAction, or a list that is no array at all
            pass
        # Said outside, without the legal moves: they would show the learner the opponent's hand.
        raise IllegalAction(
            f"the opponent's answer is no legal action: {answer!r} ({self.opponent!r})"
        )

    def _potential(self) -> float:
        if self.shaping is None:
            return 0.0
        return self.shaping.potential(self._table.marker, self.game.seats.index(self._side))

    def _look(self) -> tuple[np.ndarray, dict[str, Any]]:
        seen = self._table.observe(self._side)
        self.action_space.allow_mask(seen["action_mask"])
        result = self._table.infos[self._side]
        info = {"action_mask": seen["action_mask"], "side": self._side, **result}
        return seen["observation"], info

    def action_masks(self) -> np.ndarray:
        """Legal actions, bool (A,), for maskable learners; all False while no game is under way."""
        return self.action_space.mask

    def position(self) -> dict[str, Any]:
        """Describe the position as the learner may know it."""
        return self._table.position(self._side)

    def render(self) -> str | None:
        """Draw the board as the learner may know it: returned in "ansi", printed in "human"."""
        if self.render_mode is None:
            gymnasium.logger.warn("render: no render_mode was given when this was made")
            return None
        text = self._table.text(self._side)
        if self.render_mode == "ansi":
            return text
        print(text, flush=True)
        return None


def _stream(seed: int, key: int) -> np.random.Generator:
    """Return the generator that a seed spawns under a key."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(key,)))
