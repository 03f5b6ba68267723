"""Many games at once for stable-baselines3: the learner has one seat in each.

The opponents' decisions are part of the environment: between two decisions of the learner the
opponent makes all of its own, and a reward that falls on its move reaches the learner's step
before. Several decisions in a row by one seat are one stream: each is a step of its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces

from agents.base import Agent
from agents.expert import ExpertAgent
from agents.heuristic import HeuristicAgent
from agents.random import RandomAgent
from experiments.league import League
from experiments.seeds import training_seeds
from experiments.side_by_side import SideBySide
from skirmish_env.batch import Batch, compiled_policy
from skirmish_env.game import NEW_YORK, CardSet, Game

SCRIPTED = (RandomAgent, HeuristicAgent, ExpertAgent)  # play the compiled policies of their names


class SelfPlayVecEnv(SideBySide):
    """N games of a learner against opponents from a league.

    Each game has its opponent from deal to end. Slot i starts in seat i modulo the number of
    seats and moves to the next seat with every game. A finished game is dealt anew at once;
    `infos` of finished games hold `terminal_observation`, `TimeLimit.truncated` (always False)
    and `episode` (`r`, `l`), those of running games are empty.

    Args:
        size: games at once.
        league: draws opponents and counts results; it must be able to draw before `reset`.
        deals, moves: generators of the games' seeds and of the opponents' choices.
        shaping: potential for one point of the victory marker (see `skirmish_env.shaping`);
            0 leaves only the result of the game.
        discount: the learner's gamma, which shaping needs to leave the best play unchanged.
        game, card_set, rules, skip_forced: as in `Batch`.
        full: rows for a critic that reads what is hidden: after the D entries that the learner
            sees come full information and the learner's seat (see `agents.critic`).
    """

    def __init__(
        self,
        size: int,
        league: League,
        *,
        deals: np.random.Generator,
        moves: np.random.Generator,
        shaping: float = 0.0,
        discount: float = 1.0,
        game: Game = NEW_YORK,
        card_set: str | Path | CardSet | None = None,
        rules: dict[str, Any] | None = None,
        skip_forced: bool = True,
        full: bool = False,
    ) -> None:
        self.game = game
        self.full = full
        self.batch = Batch(size, card_set=card_set, rules=rules, skip_forced=skip_forced, game=game)
        self._cards = self.batch.card_set.record
        self._sets = np.zeros(size, np.int64)  # one card set for all
        self._observations = np.empty((size, game.observation_size), np.float32)
        self._masks = np.empty((size, game.action_count), np.int8)
        self.league = league
        self.deals = deals
        self.moves = moves
        self.shaping = shaping
        self.discount = discount
        self.seat = (np.arange(size) % len(game.seats)).astype(np.int64)  # the learner's
        self.opponent = np.full(size, -1, np.int64)  # member of the league
        self.length = np.zeros(size, np.int64)  # learner's decisions in the running game
        self.finished = 0
        self._potential = np.zeros(size, np.float32)
        self._results = np.zeros(size, np.float32)  # of games that ended in this step
        self._dones = np.zeros(size, bool)
        self._infos: list[dict[str, Any]] = []
        self._actions = np.zeros(size, np.int64)
        super().__init__(
            size,
            spaces.Box(game.low, game.high, (self._row_size(),), np.float32),
            spaces.Discrete(game.action_count),
        )

    # ---- what stable-baselines3 calls

    def reset(self) -> np.ndarray:
        """Deal all games; observations float32 (N, D), with `full` (N, D + F + seats)."""
        everyone = np.arange(self.num_envs)
        self._deal(everyone)
        self._play_on(everyone)
        self._potential = self._marker()
        return self._told(everyone)

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the learner's actions (N,) for `step_wait`."""
        self._actions = np.asarray(actions, np.int64)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play the learner's actions and all that the opponents then decide."""
        self._results[:] = 0
        self._dones[:] = False
        self._infos = [{} for _ in range(self.num_envs)]
        self.batch.step(self._actions)
        self.length += 1
        everyone = np.arange(self.num_envs)
        self._play_on(everyone)
        rewards = self._results + self._shaping()
        return self._told(everyone), rewards, self._dones.copy(), self._infos

    def action_masks(self) -> np.ndarray:
        """Legal actions of the learner, int8 (N, A)."""
        return self.batch.masks()

    def _row_size(self) -> int:
        seen, seats = self.game.observation_size, len(self.game.seats)
        return seen + self.game.full_observation_size + seats if self.full else seen

    def _told(self, index: np.ndarray) -> np.ndarray:
        """Return what the learner is told of games, float32 (n, D) or (n, D + F + seats)."""
        seats = self.seat[index]
        observations = self.batch.observe(index, seats)
        if not self.full:
            return observations
        seat = np.eye(len(self.game.seats), dtype=np.float32)[seats]
        return np.hstack([observations, self.batch.full(index), seat])

    # ---- the course of a game

    def _deal(self, index: np.ndarray) -> None:
        """Start games, each with its opponent."""
        self.batch.deal(training_seeds(self.deals, len(index)), index)
        self.opponent[index] = self.league.draw(self.seat[index])
        self.length[index] = 0

    def _play_on(self, index: np.ndarray) -> None:
        """Let the opponents decide until the learner must in every game; deal ended ones anew."""
        states = self.batch.states
        while True:
            ended = index[states["ending"][index] != 0]
            if len(ended):
                self._report(ended[self.length[ended] > 0])
                self.seat[ended] = (self.seat[ended] + 1) % len(self.game.seats)
                self._deal(ended)
            index = index[states["asked"][index] != self.seat[index]]
            if not len(index):
                return
            actions = self._answers(index)
            self.game.kernels.step(states, self._cards, self._sets, index, actions)

    def _answers(self, index: np.ndarray) -> np.ndarray:
        """Opponents' legal actions int64 (n,): those of all networks in one call."""
        members = self.opponent[index]
        places = self.league.places[members]
        actions = np.empty(len(index), np.int64)
        (rows,) = (places >= 0).nonzero()
        if len(rows):
            seen = self._look(index[rows])
            actions[rows] = self.league.team.answers(*seen, places[rows], self.moves)
        for member, agent in self.league.baselines.items():
            (rows,) = (members == member).nonzero()
            if len(rows):
                actions[rows] = self._answers_of(agent, index[rows])
        return actions

    def _look(self, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what those to decide see, float32 (n, D) and int8 (n, A), until the next call."""
        kernels, states, n = self.game.kernels, self.batch.states, len(index)
        observations, masks = self._observations[:n], self._masks[:n]
        viewers = states["asked"][index].astype(np.int64)
        kernels.observe(states, self._cards, self._sets, index, viewers, observations)
        kernels.masks(states, index, viewers, masks)
        return observations, masks

    def _answers_of(self, agent: Agent, index: np.ndarray) -> np.ndarray:
        """One opponent's legal actions int64 (n,); a scripted one needs no observation."""
        if type(agent) not in SCRIPTED:
            return self.batch.check(agent.act(self.batch.view(index), self.moves), index)
        actions = np.empty(len(index), np.int64)
        seeds = self.moves.integers(0, 2**62, len(index))
        choose = compiled_policy(self.game, agent.name)
        choose(self.batch.states, self._cards, self._sets, index, seeds, actions)
        return actions

    def _marker(self) -> np.ndarray:
        """Potential of every game from the learner's side, float32 (N,)."""
        towards = np.where(self.seat == 0, 1.0, -1.0) * self.batch.marker
        return (self.shaping * towards).astype(np.float32)

    def _shaping(self) -> np.ndarray:
        """Discounted gain in potential since the last step; the potential of an end is 0."""
        before, self._potential = self._potential, self._marker()
        return self.discount * np.where(self._dones, 0, self._potential) - before

    def _report(self, ended: np.ndarray) -> None:
        """Keep the results of games in which the learner has decided."""
        rewards = np.zeros((len(ended), len(self.game.seats)), np.float32)
        self.game.kernels.outcomes(self.batch.states, ended, rewards)
        self._results[ended] = rewards[np.arange(len(ended)), self.seat[ended]]
        self._dones[ended] = True
        last = self._told(ended)
        for row, game in enumerate(ended.tolist()):
            reward = float(self._results[game])
            self.league.record(int(self.opponent[game]), int(self.seat[game]), reward)
            self._infos[game] = {
                "terminal_observation": last[row],
                "TimeLimit.truncated": False,
                "episode": {"r": reward, "l": int(self.length[game])},
            }
        self.finished += len(ended)

    # ---- checkpoints

    def state(self) -> dict[str, Any]:
        """Return everything that a later `restore` needs to continue, the league excepted."""
        return {
            "states": np.frombuffer(self.batch.states.tobytes(), np.uint8),
            "seat": self.seat.copy(),
            "opponent": self.opponent.copy(),
            "length": self.length.copy(),
            "potential": self._potential.copy(),
            "finished": self.finished,
            "deals": self.deals.bit_generator.state,
            "moves": self.moves.bit_generator.state,
        }

    def restore(self, state: dict[str, Any]) -> np.ndarray:
        """Continue from `state`; observations as from `reset`.

        Raises:
            ValueError: it holds another number of games, or another version's records.
        """
        if len(state["seat"]) != self.num_envs:
            raise ValueError(
                f"the checkpoint holds {len(state['seat'])} games, not {self.num_envs}"
            )
        data = bytearray(state["states"].tobytes())
        if len(data) != self.num_envs * self.game.state_dtype.itemsize:
            raise ValueError("the checkpoint's games are records of another version")
        self.batch.states[:] = np.frombuffer(data, self.game.state_dtype)
        self.seat, self.opponent = state["seat"].copy(), state["opponent"].copy()
        self.length, self._potential = state["length"].copy(), state["potential"].copy()
        self.finished = state["finished"]
        self.deals.bit_generator.state = state["deals"]
        self.moves.bit_generator.state = state["moves"]
        return self._told(np.arange(self.num_envs))
