"""The loop of a training: collect decisions, learn from them, save, write numbers down."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback

from agents import checkpoint
from agents.ppo import PPOAgent
from configs.schema import ConfigError, TrainConfig
from experiments import board, numbers
from experiments.clock import Clock, timing
from experiments.numbers import Tally, due, short
from experiments.progress import Display
from experiments.saving import save
from experiments.session import Session


def learn(session: Session) -> str:
    """Collect decisions and learn from them, save; return why that ended early, or ""."""
    t, model = session.config.train, session.model
    left = t.decisions - model.num_timesteps
    if left <= 0:
        raise ConfigError(
            f"train.decisions: {model.num_timesteps:,} are made already, not fewer than "
            f"{t.decisions:,}"
        )
    with (
        Display(t.decisions, model.num_timesteps) as display,
        stop_signals() as stop_requested,
    ):
        loop = Loop(session, display, stop_requested)
        with loop.watching():
            model.learn(left, callback=loop, log_interval=None, reset_num_timesteps=False)
            loop.stopped = loop.stopped or stop_requested()
            loop.close_iteration(last=True)
    if model.num_timesteps >= t.decisions:
        save(session, checkpoint.FINAL)
    return loop.stopped


class Loop(BaseCallback):
    """What happens between two updates: schedules, snapshots, checkpoints, numbers."""

    def __init__(
        self, session: Session, display: Display, stop_requested: Callable[[], str]
    ) -> None:
        super().__init__()
        self.session = session
        self.display = display
        self.stop_requested = stop_requested
        self.stopped = ""
        newest = session.league.members[session.league.snapshots[-1]]
        self.snapshot_at = _next(newest.decisions, session.config.train.snapshot_every)
        self.checkpoint_at = _next(
            session.model.num_timesteps, session.config.train.checkpoint_every
        )
        rows = session.run.read_metrics()
        self.earlier = float(rows[-1]["seconds"]) if rows else 0.0
        self.began = time.monotonic()
        self.reported = session.model.num_timesteps
        self.clock = Clock(numbers.OTHER)
        self.tally = Tally(session.game.seats, list(session.league.games))
        self.boards: list[board.Board] = []
        self.notes: dict[str, str] = {}  # numbers for the display

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Time the parts of training, and keep the logs open, as long as the block runs."""
        env = self.session.env
        self.boards = board.open_boards(self.session.config, self.session.run)
        parts = dict.fromkeys(("step_wait", "action_masks"), numbers.RULES)
        try:
            with timing(self.clock, env, {**parts, "_answers": numbers.OPPONENTS}):
                yield
        finally:
            for one in self.boards:
                one.close()

    @property
    def seconds(self) -> float:
        """Time spent learning, earlier parts of a continued run included."""
        return self.earlier + time.monotonic() - self.began

    def _on_training_start(self) -> None:
        self.clock.take()  # the first games are dealt, and compiled code is loaded

    def _on_rollout_start(self) -> None:
        """Between an update and the next decisions."""
        self.clock.switch(numbers.OTHER)
        self.close_iteration()
        t, model = self.session.config.train, self.session.model
        if model.num_timesteps >= self.snapshot_at:
            self.snapshot_at = _next(model.num_timesteps, t.snapshot_every)
            self._take_snapshot()
        if model.num_timesteps >= self.checkpoint_at:
            self.checkpoint_at = _next(model.num_timesteps, t.checkpoint_every)
            save(self.session, f"decisions_{model.num_timesteps:09d}")
        self.stopped = self.stop_requested()
        if t.minutes is not None and time.monotonic() - self.began > 60 * t.minutes:
            self.stopped = f"after {t.minutes:g} minutes"
        if self.stopped:
            save(self.session, checkpoint.FINAL)  # now, before the games go on by one step
        model.ent_coef = scheduled_entropy(t, model.num_timesteps)
        torch.set_num_threads(1)  # small batches: more threads only wait for each other
        self.tally.look(self.session.env.seat, self.session.env.opponent)
        self.clock.switch(numbers.FORWARD)

    def _on_step(self) -> bool:
        s = self.session
        self.tally.count(np.flatnonzero(self.locals["dones"]), self.locals["infos"], s.league)
        self.tally.look(s.env.seat, s.env.opponent)
        return not self.stopped

    def _on_rollout_end(self) -> None:
        self.clock.switch(numbers.LEARNING)
        torch.set_num_threads(self.session.config.train.threads)

    def _take_snapshot(self) -> None:
        s = self.session
        frozen = PPOAgent.copy_of(s.model.policy, s.game, s.network, "snapshot")
        s.league.add_snapshot(frozen, s.model.num_timesteps)
        s.league.forget(s.env.opponent)

    def close_iteration(self, last: bool = False) -> None:
        """Write the numbers of the last update, and show them."""
        model, scores = self.session.model, self.session.league.scores()
        if model.num_timesteps > self.reported and not self.stopped:
            row = self._numbers(scores)
            self.reported = model.num_timesteps
            self.session.run.add_metrics(row)
            for one in self.boards:
                one.write(row)
            self.notes |= numbers.notes(row)
        self.display.show(self.reported, scores, list(self.notes.values()), last=last)

    def _numbers(self, scores: dict[str, float]) -> dict[str, Any]:
        """Return the row of an update: always the same columns, "" where there is no number."""
        model, fixed = self.session.model, self._evaluated()
        taken = self.clock.take()
        at_work = sum(taken.values()) - taken.get(numbers.EVALUATION, 0.0)
        row = {
            "decisions": model.num_timesteps,
            "seconds": round(self.seconds, 2),
            "decisions_per_second": short((model.num_timesteps - self.reported) / at_work),
            "games": self.session.env.finished,
        }
        row |= {f"{numbers.SCORE}{kind}": short(score) for kind, score in scores.items()}
        row |= self.tally.take()
        row |= numbers.of_learner(model.logger.name_to_value)
        row |= {"entropy_weight": short(model.ent_coef)}
        return row | numbers.of_clock(taken) | fixed

    def _evaluated(self) -> dict[str, Any]:
        """Return what the yardstick says now, where it is due."""
        s = self.session
        if not due(self.reported, s.model.num_timesteps, s.config.train.evaluate_every):
            return s.yardstick.nothing()
        with self.clock.part(numbers.EVALUATION):
            return s.yardstick.measure(s.model.policy)


def scheduled_entropy(t: TrainConfig, decisions: int) -> float:
    """Weight of the entropy bonus after so many decisions."""
    done = min(decisions / t.decisions, 1.0)
    return t.entropy + (t.final_entropy - t.entropy) * done


def _next(decisions: int, every: int) -> int:
    """Return the first multiple of `every` after so many decisions."""
    return (decisions // every + 1) * every


@contextmanager
def stop_signals() -> Iterator[Callable[[], str]]:
    """Turn Ctrl-C and SIGTERM into a wish that the loop asks for; a second one ends at once."""
    wish: list[str] = []

    def wished(number: int, frame: FrameType | None) -> None:
        if wish:
            raise KeyboardInterrupt
        wish.append(signal.Signals(number).name)
        print("\nStopping after this update; once more stops at once.", flush=True)

    before = {number: signal.signal(number, wished) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: wish[0] if wish else ""
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
