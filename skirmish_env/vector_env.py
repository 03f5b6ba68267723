"""Thousands of games as one Gymnasium vector environment, stepped by one compiled call.

    envs = gymnasium.make_vec("skirmish_env/Skirmish-v0", num_envs=4096, opponent="heuristic")
    observations, infos = envs.reset(seed=0)        # infos["action_mask"]: int8 (N, A)

Each game is drawn from a base seed, its number, and how many games were dealt in its place
before: threads and the number of games change nothing in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from skirmish_env.aec import TURN_LIMIT
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK, CardSet, Game
from skirmish_env.gym_env import ALTERNATE, RANDOM, SIDE_STREAM

RESET_MASK = "reset_mask"


class LegalActions(spaces.MultiDiscrete):
    """One action id for each game; `sample()` without a mask draws a legal one in each.

    Args:
        count: number of action ids.
        games: number of games.
        draw: called with lots float64 (N,) in [0, 1), returns a legal id for each, int64 (N,).
    """

    def __init__(
        self, count: int, games: int, draw: Callable[[np.ndarray], np.ndarray]
    ) -> None:
        super().__init__(np.full(games, count))
        self._draw = draw

    def sample(self, mask: Any = None, probability: Any = None) -> np.ndarray:
        """Draw from `mask` or `probability` where given, else legal ids; any for an ended game."""
        if mask is not None or probability is not None:
            return super().sample(mask, probability)
        return self._draw(self.np_random.random(len(self.nvec)))


class SkirmishVectorEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """N games of a learner against a compiled opponent, or of whoever is asked.

    Observations are float32 (N, D), actions whole numbers (N,) of which `action_space.sample()`
    draws legal ones, rewards float64 (N,): +1, -1 or 0
    for the seat that has just decided, at the end of its game. `info` holds `action_mask` int8
    (N, A) and `side` (N,), the learner's seat, also as the number `seat`; both are of the question
    now open. A game just ended adds `winner`, `ending`, `turns` and `marker`, as in `SkirmishEnv`.

    With AutoresetMode.NEXT_STEP an ended game shows its last observation and an empty mask, and
    its next action, whatever it is, deals anew. With SAME_STEP it is dealt anew at once: what it
    ended with stands in `info["final_obs"]` and `info["final_info"]`. With DISABLED
    `reset(options={"reset_mask": ...})` deals it anew.

    Args:
        num_envs: N.
        opponent: "random", "heuristic" or "expert". None: there is none; whoever is asked acts,
            and `info["rewards"]`, float32 (N, seats), holds the rewards of both.
        side: a seat; "random" draws one for each game; "alternate" changes it with every game,
            and game i starts in seat i modulo 2.
        card_set, rules: as in `SkirmishEnv`; or a list of N, one for each game.
        skip_forced, max_turns: as in `SkirmishEnv`.
        copy: hand out arrays of the caller's own. False: observations, masks, seats, rewards,
            terminations and truncations are the same arrays every time, overwritten by the next
            `step` or `reset`.
        autoreset_mode: one of AutoresetMode, or its value.
        game: the game to play.

    Raises:
        ValueError: a setting is not one of those above.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        *,
        opponent: str | None = "heuristic",
        side: str = RANDOM,
        card_set: str | Path | CardSet | list[Any] | tuple[Any, ...] | None = None,
        rules: dict[str, Any] | list[Any] | tuple[Any, ...] | None = None,
        skip_forced: bool = True,
        max_turns: int | None = None,
        copy: bool = True,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        game: Game = NEW_YORK,
    ) -> None:
        self.game = game
        self._check(opponent, side, max_turns)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.opponent = opponent
        self.side = side
        self.copy = bool(copy)
        self._games = Batch(
            num_envs, card_set=card_set, rules=rules, skip_forced=skip_forced, game=game
        )
        self._engine = game.engine(
            self._games.states,
            self._games._cards,
            self._games._sets,
            opponent=opponent,
            side=game.seats.index(side) if side in game.seats else side,
            skip_forced=bool(skip_forced),
            max_turns=max_turns,
            restart=self.autoreset_mode is AutoresetMode.SAME_STEP,
        )
        self._lay_out(int(num_envs))

    def _check(self, opponent: Any, side: Any, max_turns: Any) -> None:
        if self.game.engine is None:
            raise ValueError(f"game: {self.game.name!r} brings no compiled engine")
        compiled = self.game.engine.players
        if opponent is not None and opponent not in compiled:
            raise ValueError(
                f"opponent: {opponent!r} is not compiled, as {', '.join(compiled)} and None are. "
                'Other opponents play in make_vec(..., vectorization_mode="sync")'
            )
        known = (*self.game.seats, RANDOM, ALTERNATE)
        if side not in known:
            raise ValueError(f"side: {side!r} is none of {', '.join(known)}")
        if opponent is None and side != RANDOM:
            raise ValueError(f"side: without an opponent both seats learn, so not {side!r}")
        if max_turns is None:
            return
        if (
            isinstance(max_turns, bool)
            or not isinstance(max_turns, (int, np.integer))
            or max_turns < 1
        ):
            raise ValueError(f"max_turns is None or a whole number from 1, not {max_turns!r}")

    def _lay_out(self, n: int) -> None:
        """Make spaces and buffers."""
        game = self.game
        self.num_envs = n
        self.single_observation_space = spaces.Box(
            game.low, game.high, (game.observation_size,), np.float32
        )
        self.single_action_space = spaces.Discrete(game.action_count)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = LegalActions(game.action_count, n, self._draw)
        self._seats = np.array(game.seats)
        self._everyone = np.ones(n, bool)
        self._everyone.setflags(write=False)
        self._no_masks = np.zeros((n, game.action_count), np.int8)
        self._no_masks.setflags(write=False)
        self._seeded = self._dealt = False
        self._shown = self._engine.arrays()

    def _draw(self, lots: np.ndarray) -> np.ndarray:
        actions = np.empty(self.num_envs, np.int64)
        self.game.kernels.draw_legal(self._games.states, lots, actions)
        return actions

    def _fresh(self) -> None:
        """Make the arrays that the next step writes, unless the last ones may be overwritten."""
        if self.copy:
            self._shown = self._engine.arrays(self._shown.final)

    @property
    def deals(self) -> np.ndarray:
        """Seeds of the deals under way, int64 (N,): `Table.new` and `Batch` deal them again."""
        return self._engine.course["deal"].copy()

    # -----------------------------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | Sequence[int] | np.ndarray | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal all games, or those of the bool array `options["reset_mask"]`.

        A seed fixes all games to come, each by its number. Of a list of seeds, one for each game,
        game i gets the deal, and the random side, that `SkirmishEnv.reset(seed=seeds[i])` gives.
        Without a seed each game goes on to its next deal.

        Raises:
            ValueError: an impossible seed or option: nothing has changed; or, under rules that end
                games at once, no deal was found in which the learner is asked.
        """
        rows = self._rows(options)
        deals = self._sow(seed, rows)
        self._fresh()
        self._engine.deal(rows, deals, self._shown)
        self._dealt = True
        self._look_for_stuck()
        return self._shown.observations, self._info()

    def _rows(self, options: Any) -> np.ndarray:
        """Numbers of the games that a reset means."""
        if options is None or options == {}:
            return np.arange(self.num_envs)
        if not isinstance(options, dict) or options.keys() != {RESET_MASK}:
            raise ValueError(
                f'reset: options are a dictionary with "{RESET_MASK}" or nothing, not {options!r}; '
                "card_set and rules are given when the environment is made"
            )
        mask = np.asarray(options[RESET_MASK])
        if mask.shape != (self.num_envs,) or mask.dtype != bool or not mask.any():
            raise ValueError(f"{RESET_MASK}: a bool array ({self.num_envs},), not all False")
        if not self._dealt and not mask.all():
            raise ValueError(f"{RESET_MASK}: the first reset deals all games")
        return np.flatnonzero(mask)

    def _sow(self, seed: Any, rows: np.ndarray) -> np.ndarray | None:
        """Seed these games; return the deals that are given, None where they are drawn."""
        if seed is None and self._seeded:
            return None
        if seed is None or np.ndim(seed) == 0:
            if seed is not None:
                seed = self.game.checked_seed(seed)
                super().reset(seed=seed)
            base = int(self.np_random.integers(2**63 - 1)) if seed is None else seed
            self._engine.seed(rows, np.int64(base), rows)
            self._seeded = True
            return None
        return self._sow_each([self.game.checked_seed(number) for number in seed], rows)

    def _sow_each(self, seeds: list[int], rows: np.ndarray) -> np.ndarray:
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed: {len(seeds)} seeds for {self.num_envs} games")
        deals = np.array(seeds, np.int64)[rows]
        self._engine.seed(rows, deals, np.zeros(len(rows), np.int64))
        self._seeded = True
        if self.side == RANDOM:
            self._engine.course["next_seat"][rows] = [self._side_of(deal) for deal in deals]
        return deals

    def _side_of(self, deal: int) -> int:
        """Draw the seat that the single environment draws from a deal's seed."""
        stream = np.random.SeedSequence(int(deal), spawn_key=(SIDE_STREAM,))
        return int(np.random.default_rng(stream).integers(len(self.game.seats)))

    def step(
        self, actions: Any
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Answer each open question, then play on to the learner's next one or to the end.

        Raises:
            IllegalAction: names the game and its legal moves; nothing has changed.
            ValueError: not one whole number for each game.
            ResetNeeded: no game was dealt, or with DISABLED one has ended.
        """
        if not self._dealt:
            raise ResetNeeded("no game is under way: call reset()")
        is_open = self._engine.course["open"] == 1
        chosen = self._read(actions, is_open)
        self._fresh()
        self._engine.step(chosen, self._shown)
        shown = self._shown
        ended = shown.terminations | shown.truncations
        if ended.any() or not is_open.all():  # some games were dealt anew
            self._look_for_stuck()
        info = self._info()
        if self.opponent is None:
            info |= {"rewards": shown.by_seat, "_rewards": self._everyone}
        if ended.any():
            info |= self._outcome(ended)
        return shown.observations, shown.rewards, shown.terminations, shown.truncations, info

    def _read(self, actions: Any, is_open: np.ndarray) -> np.ndarray:
        """Return the actions int64 (N,); those of ended games stand for nothing."""
        found = np.asarray(actions)
        if found.shape != (self.num_envs,) or found.dtype.kind not in "iu":
            raise ValueError(
                f"actions: {self.num_envs} whole numbers, not shape {found.shape} of {found.dtype}"
            )
        if is_open.all():
            return self._games.check(found)
        if self.autoreset_mode is AutoresetMode.DISABLED:
            ended = ", ".join(map(str, np.flatnonzero(~is_open)[:5]))
            raise ResetNeeded(f'game {ended} has ended: call reset(options={{"reset_mask": ...}})')
        chosen = np.zeros(self.num_envs, np.int64)
        chosen[is_open] = self._games.check(found[is_open], is_open)
        return chosen

    def _look_for_stuck(self) -> None:
        stuck = np.flatnonzero(self._engine.course["stuck"])
        if len(stuck):
            self._dealt = False
            raise ValueError(
                f"game {stuck[0]} ends, however it is dealt, before it asks the learner"
            )

    # -----------------------------------------------------------------------------------------

    def _info(self) -> dict[str, Any]:
        """Say what is asked now."""
        seat = self._shown.seats
        info = {"action_mask": self._shown.masks, "side": self._seats.take(seat), "seat": seat}
        return info | {f"_{key}": self._everyone for key in info}

    def _outcome(self, ended: np.ndarray) -> dict[str, Any]:
        """Say how games ended in the last step."""
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            return self._last_words(ended)
        return self._result(ended)

    def _result(self, ended: np.ndarray) -> dict[str, Any]:
        """How games ended, as Gymnasium has it: arrays (N,), and beside each where it counts."""
        rows = np.flatnonzero(ended)
        last = self._engine.course[rows]
        winner = np.empty(self.num_envs, object)  # None everywhere
        ending = np.empty(self.num_envs, object)
        turns, marker = np.zeros(self.num_envs, np.int64), np.zeros(self.num_envs, np.int64)
        over = last["terminated"] == 1
        names = np.array([*self.game.seats, "draw"], object)  # a draw's winner is -1
        winner[rows] = np.where(over, names[last["winner"]], None)
        ending[rows] = np.where(
            over, np.array(self.game.endings, object)[last["ending"]], TURN_LIMIT
        )
        turns[rows], marker[rows] = last["turns"], last["marker"]
        result = {"winner": winner, "ending": ending, "turns": turns, "marker": marker}
        return result | {f"_{key}": ended.copy() for key in result}

    def _last_words(self, ended: np.ndarray) -> dict[str, Any]:
        """What games that were dealt anew ended with."""
        rows = np.flatnonzero(ended)
        final = np.empty(self.num_envs, object)
        final[rows] = list(self._shown.final[rows])
        actor = self._engine.course["actor"].astype(np.int8)
        told = {
            "action_mask": self._no_masks.copy() if self.copy else self._no_masks,
            "side": self._seats.take(actor),
            "seat": actor,
        }
        told |= {f"_{key}": ended.copy() for key in told}
        return {
            "final_obs": final,
            "_final_obs": ended.copy(),
            "final_info": told | self._result(ended),
            "_final_info": ended.copy(),
        }
