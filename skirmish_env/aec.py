"""A game as a PettingZoo AEC environment: whoever is asked acts next."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv  # type: ignore[import-untyped]
from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # type: ignore[import-untyped]

from skirmish_env.batch import Batch, compiled_policy
from skirmish_env.common.words import nearest
from skirmish_env.game import NEW_YORK, CardSet, Game, IllegalAction
from skirmish_env.shaping import Shaping
from skirmish_env.views import View

RENDER_MODES = ("ansi", "human")
RESET_OPTIONS = ("position", "card_set", "rules")
API_TEST_OPTIONS = {"options": 1}  # what PettingZoo's api_test resets every environment with
TURN_LIMIT = "max_turns"  # the `ending` of a truncated game
EVERYTHING = "all"
ENDLESS = 2**31  # a turn that no game reaches
MOST_SEEDS = 64  # for decisions of a policy in one call

ONLY = np.zeros(1, np.int64)  # the one game of an environment, and its one card set
SEATS = np.arange(8).reshape(8, 1)  # seat numbers as the kernels take them


def env(**settings: Any) -> OrderEnforcingWrapper:
    """Make a `raw_env` that complains about calls in the wrong order."""
    return OrderEnforced(raw_env(**settings))


class OrderEnforced(OrderEnforcingWrapper):
    """PettingZoo's wrapper with short cuts through the calls of every decision.

    Its own `last` and `step` look six attributes up that the wrapper lacks, so that each is sought
    in vain, then by two functions in Python: more time than the rules take for the decision.
    """

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return what `raw_env.last` returns."""
        return self.env.last(observe) if self._has_reset else super().last(observe)

    def step(self, action: Any) -> None:
        """Answer as in `raw_env.step`; warn where no agent is left."""
        if self._has_reset and self.env.agents:
            self._has_updated = True
            self.env.step(action)
        else:
            super().step(action)

    def __str__(self) -> str:
        return str(self.env)


class raw_env(AECEnv):
    """One game among agents that are named after its seats.

    An observation is a dict: `observation`, float32 (D,), what the agent may know, and
    `action_mask`, int8 (A,), 1 where an action is legal, all 0 for an agent who is not asked.
    Rewards are +1, -1 or 0 and come when the game is over. `infos` are empty until then and hold
    `winner` (an agent, "draw", or None after `max_turns`), `ending`, `turns` and `marker`. Arrays,
    dictionaries and lists are made anew at every step: what was handed out is not changed later.

    Args:
        render_mode: "ansi" (`render` returns text), "human" (it prints; so does every step).
        card_set, rules: as `Table.new` takes them.
        skip_forced: answer questions with one legal move without asking.
        shaping: None, or what `Shaping.read` takes; its step is one decision of either seat.
        max_turns: truncate both agents, without a result, once so many turns have been played.
        render_viewer: None shows what everybody knows, an agent what it may know, "all" all.
        game: the game to play.

    Raises:
        ValueError: a setting is not one of those above.
        ResetNeeded: from whatever plays or looks, before the first reset.
    """

    metadata = {  # noqa: RUF012
        "name": "skirmish_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
    }

    def __init__(
        self,
        *,
        render_mode: str | None = None,
        card_set: str | Path | CardSet | None = None,
        rules: dict[str, Any] | None = None,
        skip_forced: bool = True,
        shaping: Shaping | float | Mapping[str, Any] | None = None,
        max_turns: int | None = None,
        render_viewer: str | None = None,
        game: Game = NEW_YORK,
    ) -> None:
        super().__init__()
        _check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        _check_choice("render_viewer", render_viewer, (None, *game.seats, EVERYTHING))
        _check_max_turns(max_turns)
        self.game = game
        self.render_mode = render_mode
        self.render_viewer = render_viewer
        self.skip_forced = bool(skip_forced)
        self.shaping = Shaping.read(shaping)
        self.max_turns = max_turns
        self.np_random = np.random.default_rng()
        self._settings = {"card_set": card_set, "rules": copy.copy(rules)}
        self._default_cards = self._cards = game.load(card_set, rules)
        self._states = np.zeros(1, game.state_dtype)
        self._sizes = game.observation_size, game.action_count
        self._answers = np.zeros(MOST_SEEDS, np.int64)  # where kernels note a policy's actions
        self._first_turn = 1
        self._dealt = False
        self.possible_agents = list(game.seats)
        self._seat_agents([])
        low, high = game.low, game.high
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, (game.observation_size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (game.action_count,), np.int8),
                }
            )
            for agent in game.seats
        }
        self.action_spaces = {agent: spaces.Discrete(game.action_count) for agent in game.seats}
        self.state_space = spaces.Box(low, high, (game.full_observation_size,), np.float32)

    def observation_space(self, agent: str) -> spaces.Dict:
        """Space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    # -----------------------------------------------------------------------------------------
    # Playing.

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a game: the one of `Table.new(seed)`, or without a seed a new one each time.

        The deals that follow a seeded reset are the same every time. Options, each for this game
        only: `position` (its left-out decks are shuffled by the seed), `card_set` and `rules` in
        place of the constructor's.

        Raises:
            ValueError: an unknown option (the nearest is named), or an impossible value; nothing
                has changed, the stream of deals included.
        """
        with next_deal(self.game, seed, self.np_random) as (number, stream):
            self._deal(number, options)
        self.np_random = stream

    def _deal(self, number: int, options: dict[str, Any] | None) -> None:
        """Deal the game of a seed, and leave the stream of deals alone."""
        wanted = _checked_options(options)
        cards = self._default_cards
        if wanted.keys() & self._settings.keys():
            chosen = {**self._settings, **wanted}
            cards = self.game.load(chosen["card_set"], chosen["rules"])
        self._set_up(cards, number, wanted.get("position"))
        self._dealt = True
        self._seat_agents(self.game.seats)
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._go_on()

    def _seat_agents(self, agents: Iterable[str]) -> None:
        """Write the books that PettingZoo keeps by agent, for a game that begins."""
        self.agents = list(agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)

    def _set_up(self, cards: CardSet, seed: int, position: dict[str, Any] | None) -> None:
        if position is None:
            self._first_turn = 1
            self.game.kernels.deal(
                self._states, cards.record, ONLY, ONLY, np.array([seed]), int(self.skip_forced)
            )
        else:
            self._states[:] = self.game.build(position, cards, seed)
            self._states["skip_forced"] = self.skip_forced
            self._first_turn = int(self._states["turn"][0])
            self.game.kernels.start(self._states, cards.record, ONLY, ONLY)
        self._cards = cards

    def step(self, action: Any) -> None:
        """Answer the open question for `agent_selection`; None removes an agent that is done.

        An action is an id of any whole-number type, a 0-d integer array included; bools, floats,
        strings and longer arrays are refused.

        Raises:
            IllegalAction: names the legal moves; nothing has changed.
            ResetNeeded: no agent is left, or none was ever there.
        """
        if not self.agents:
            raise ResetNeeded("no game is under way: call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        marker = self.marker if self.shaping is not None else 0
        goes_on = self._decide(self.game.checked_action(action))
        self._cumulative_rewards = {**self._cumulative_rewards, agent: 0.0}
        self._begin_books()
        if not goes_on:
            self._end()
        if self.shaping is not None:
            self._shape(marker)
        if self.shaping is not None or not goes_on:
            self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _decide(self, number: int) -> bool:
        """Take a decision and pass the word to who is asked next; False when the game is done.

        The books that PettingZoo keeps are left as they are: `step` writes them.

        Raises:
            IllegalAction: names the legal moves; nothing has changed.
        """
        kernels, record = self.game.kernels, self._cards.record
        try:  # the rules refuse by themselves: to look first would be another call
            asked, turn, _ = kernels.decide_one(self._states, record, number)
        except ValueError:
            raise self._refusal(number) from None
        return self._pass_on(asked, turn)

    def _let_play(
        self, play_on: Callable[..., tuple[int, int, int]], seeds: np.ndarray, learner: str
    ) -> tuple[bool, int]:
        """Let a policy of `kernels.play_on` play up to a learner's decision, or to its last seed.

        Returns what `_decide` returns, and how many seeds were used.
        """
        limit = self.max_turns
        end = ENDLESS if limit is None else self._first_turn + limit
        record, seat = self._cards.record, self.game.seats.index(learner)
        asked, turn, used = play_on(self._states, record, seeds, self._answers, seat, end)
        return self._pass_on(asked, turn), used

    def _pass_on(self, asked: int, turn: int) -> bool:
        """Name the seat that is asked; False when the game is over or out of turns."""
        if asked >= 0:
            self.agent_selection = self.game.seats[asked]
        limit = self.max_turns
        return asked >= 0 and (limit is None or turn - self._first_turn < limit)

    def _was_dead_step(self, action: Any) -> None:
        # PettingZoo's own takes entries out in place, under the eyes of whoever holds the books.
        self.agents = list(self.agents)
        self.rewards, self.infos = dict(self.rewards), dict(self.infos)
        self.terminations, self.truncations = dict(self.terminations), dict(self.truncations)
        self._cumulative_rewards = dict(self._cumulative_rewards)
        super()._was_dead_step(action)

    def _refusal(self, number: int) -> IllegalAction:
        g, moves = self._states[0], self.game.moves
        legal = ", ".join(moves[a] for a in g["options"][: g["option_count"]])
        return IllegalAction(
            f"{moves[number]!r} is not legal for {self.agent_selection} "
            f"({self.game.questions[g['question']]}); legal: {legal}"
        )

    def _go_on(self) -> None:
        """Open the books for a game that begins, or is over before anybody is asked."""
        self._begin_books()
        if not self._pass_on(int(self._states["asked"][0]), int(self._states["turn"][0])):
            self._end()
            self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _begin_books(self) -> None:
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.infos = {agent: {} for agent in self.agents}

    @property
    def _is_over(self) -> bool:
        return bool(self._states["asked"][0] < 0)

    def _end(self) -> None:
        """Hand out results, and say to every agent that the game is over or out of turns."""
        over = self._is_over
        results = np.zeros((1, len(self.agents)), np.float32)
        self.game.kernels.outcomes(self._states, ONLY, results)
        self.rewards = dict(zip(self.agents, results[0].tolist(), strict=True))
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, not over)
        self.infos = {agent: self._result(over) for agent in self.agents}

    def _result(self, over: bool) -> dict[str, Any]:
        g = self._states[0]
        winner = self.game.seats[g["winner"]] if g["winner"] >= 0 else "draw"
        return {
            "winner": winner if over else None,
            "ending": self.game.endings[g["ending"]] if over else TURN_LIMIT,
            "turns": int(g["turn"]),
            "marker": self.marker,
        }

    def _shape(self, marker_before: int) -> None:
        assert self.shaping is not None
        over = self._is_over
        for seat, agent in enumerate(self.agents):
            before = self.shaping.potential(marker_before, seat)
            after = 0.0 if over else self.shaping.potential(self.marker, seat)
            self.rewards[agent] += self.shaping.term(before, after)

    # -----------------------------------------------------------------------------------------
    # Looking.

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Observation of an agent at any time, in arrays of its own."""
        self._check_dealt()
        entries, actions = self._sizes
        observation, mask = np.empty(entries, np.float32), np.empty(actions, np.int8)
        self.game.kernels.look_one(
            self._states, self._cards.record, self._seat(agent), observation, mask
        )
        if not self._is_playing(agent):
            mask[:] = 0
        return {"observation": observation, "action_mask": mask}

    def mask(self, agent: str) -> np.ndarray:
        """Legal actions of an agent, int8 (A,): all 0 for one who is not asked."""
        self._check_dealt()
        viewers = SEATS[self._seat(agent)]
        mask = np.zeros((1, self.game.action_count), np.int8)
        if self._is_playing(agent):
            self.game.kernels.masks(self._states, ONLY, viewers, mask)
        return mask[0]

    def _is_playing(self, agent: str) -> bool:
        return not (self.terminations.get(agent, True) or self.truncations.get(agent, True))

    def _check_dealt(self) -> None:
        if not self._dealt:
            raise ResetNeeded("no game was dealt yet: call reset()")

    @property
    def marker(self) -> int:
        """Victory marker; positive towards the first seat's win."""
        return int(self._states["victory"][0])

    def state(self) -> np.ndarray:
        """Full information, float32 (F,): for critics, never for players."""
        self._check_dealt()
        out = np.empty((1, self.game.full_observation_size), np.float32)
        self.game.kernels.full(self._states, self._cards.record, ONLY, ONLY, out)
        return out[0]

    def view(self, agent: str | None = None) -> View:
        """Return a view of one row for an agent object; by default of the agent who is asked."""
        self._check_dealt()
        batch = Batch(1, card_set=self._cards, skip_forced=self.skip_forced, game=self.game)
        batch.states[:] = self._states
        seat = self._seat(self.agent_selection if agent is None else agent)
        view = batch.view(viewer=SEATS[seat])
        if not self._is_playing(self.game.seats[seat]):
            view.mask[:] = 0
        return view

    def choose(self, policy: str, rng: np.random.Generator) -> int:
        """Action of a compiled policy (`game.policies`) for the agent who is asked.

        The same as `view().policy(policy, rng)`, only faster.

        Raises:
            ValueError: no such policy, or nobody is asked.
        """
        self._check_dealt()
        choose = compiled_policy(self.game, policy)
        if not self._is_playing(self.agent_selection):
            raise ValueError("nobody is asked: the game is over")
        return self._chosen(choose, rng.integers(0, 2**62, 1))

    def _chosen(self, choose: Callable[..., Any], seeds: np.ndarray) -> int:
        """Action of a compiled policy, from a seed (1,) int64, in a running game."""
        out = np.empty(1, np.int64)
        choose(self._states, self._cards.record, ONLY, ONLY, seeds, out)
        return out.item()

    def position(self, viewer: str | None = None) -> dict[str, Any]:
        """Describe the position as `viewer` may know it: see `render_viewer`."""
        self._check_dealt()
        _check_choice("viewer", viewer, (None, *self.game.seats, EVERYTHING))
        if viewer == EVERYTHING:
            return self.game.describe(self._states, 0, self._cards)
        if viewer is not None:
            return self.game.describe(self._states, 0, self._cards, self._seat(viewer))
        return self._public_position()

    def _public_position(self) -> dict[str, Any]:
        """Each side as the next seat sees it: nobody's own cards are in it."""
        seats = self.game.seats
        public = self.game.describe(self._states, 0, self._cards, 0)
        public[seats[0]] = self.game.describe(self._states, 0, self._cards, 1)[seats[0]]
        return public

    def text(self, viewer: str | None = None) -> str:
        """Draw the board as `viewer` may know it: see `render_viewer`."""
        position = self.position(viewer)
        question = self.game.questions[self._states["question"][0]] or None
        return self.game.draw(position, self._cards, question)

    def render(self) -> str | None:
        """Draw the board for `render_viewer`: returned in mode "ansi", printed in "human"."""
        if self.render_mode is None:
            gymnasium.logger.warn("render: no render_mode was given when this was made")
            return None
        text = self.text(self.render_viewer)
        if self.render_mode == "ansi":
            return text
        print(text, flush=True)
        return None

    def close(self) -> None:
        """Nothing is open."""

    def _seat(self, agent: str) -> int:
        if agent not in self.game.seats:
            raise ValueError(f"no agent {agent!r}; there are {', '.join(self.game.seats)}")
        return self.game.seats.index(agent)


@contextmanager
def next_deal(
    game: Game, seed: Any, stream: np.random.Generator
) -> Iterator[tuple[int, np.random.Generator]]:
    """Seed of a deal, and the stream that later deals come from.

    Without a seed that is `stream`, one number further; where the deal fails, it is put back.

    Raises:
        ValueError: `seed` is neither None nor a seed.
    """
    if seed is not None:
        number = game.checked_seed(seed)
        yield number, np.random.default_rng(number)
        return
    before = stream.bit_generator.state
    try:
        yield int(stream.integers(2**63 - 1, endpoint=True)), stream
    except BaseException:
        stream.bit_generator.state = before
        raise


def _check_choice(name: str, value: Any, known: tuple[str | None, ...]) -> None:
    if value not in known:
        raise ValueError(f"{name}: {value!r} is none of {', '.join(map(repr, known))}")


def _check_max_turns(value: Any) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ValueError(f"max_turns is None or a whole number from 1, not {value!r}")


def _checked_options(options: Any) -> dict[str, Any]:
    if options is None or options == API_TEST_OPTIONS:
        return {}
    if not isinstance(options, dict):
        raise ValueError(f"reset: options are a dictionary, not {options!r}")
    for key in options:
        if key not in RESET_OPTIONS:
            raise ValueError(f"reset: unknown option {key!r}; {nearest(key, RESET_OPTIONS)}")
    return options
