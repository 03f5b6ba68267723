"""Train an agent by self-play: `python -m experiments.train seed=3 train.decisions=500_000`.

The story of a run: set the league, the games and the learner up; collect decisions and learn from
them until enough are made; play the arena; leave everything in a run folder.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.save_util import load_from_zip_file
from stable_baselines3.common.utils import LinearSchedule

from agents import checkpoint
from agents.base import Agent, load
from agents.network import MaskedPolicy, NetworkSpec
from agents.ppo import PPOAgent
from configs.schema import ConfigError, EvaluateConfig, RunConfig, TrainConfig
from experiments import arena, board, curves, numbers, runs
from experiments.clock import Clock, timing
from experiments.collected import Collected
from experiments.launch import command_line, launch
from experiments.league import LATEST, PAST, League
from experiments.numbers import Tally, Yardstick, due, short
from experiments.progress import Display
from experiments.runs import RunFolder
from experiments.seeds import chosen_deals, stream
from experiments.selfplay_env import SelfPlayVecEnv
from skirmish_env.game import CardSet, Game

SHORT_EVALUATION = 100  # deals after a run that was stopped


@dataclass
class Session:
    """All that takes part in one run."""

    config: RunConfig
    run: RunFolder
    game: Game
    card_set: CardSet
    network: NetworkSpec
    league: League
    env: SelfPlayVecEnv
    model: MaskablePPO
    yardstick: Yardstick


def train(config: RunConfig) -> Path:
    """Train an agent by self-play, then play it against others; return the run folder."""
    began = time.monotonic()
    if config.resume:
        session = resume(config.resume, command_line())
    else:
        session = set_up(config, RunFolder.create(config))
    print(f"Run folder: {session.run.path}", flush=True)
    stopped = learn(session)
    curves.draw(session.run.read_metrics(), session.run.curve)
    if stopped:
        print(f"Stopped ({stopped}); `resume={session.run.path}` goes on from here.", flush=True)
    try:
        report(session, short=bool(stopped))
    except KeyboardInterrupt:
        print(f"No evaluation; later: python -m experiments.evaluate run={session.run.path}")
    print(f"Took {time.monotonic() - began:.0f} s. Everything is in {session.run.path}")
    return session.run.path


# ---- set up


def set_up(config: RunConfig, run: RunFolder) -> Session:
    """Make the league, the games and the learner of a config."""
    game, card_set = runs.find_game(config)
    find_opponents(config.evaluate, game)  # a wrong name is better told before training than after
    find_deals(config.evaluate)
    board.check(config)
    yardstick = Yardstick.of(config.train, game, card_set)
    network = NetworkSpec(**asdict(config.agent))
    league = make_league(config)
    env = SelfPlayVecEnv(
        config.train.games,
        league,
        deals=stream(config.seed, "deals"),
        moves=stream(config.seed, "moves"),
        shaping=config.train.shaping,
        discount=config.train.gamma,
        game=game,
        card_set=card_set,
    )
    model = make_learner(config, env, network)
    league.add_snapshot(PPOAgent.copy_of(model.policy, game, network, "snapshot"), 0)
    return Session(config, run, game, card_set, network, league, env, model, yardstick)


def find_opponents(e: EvaluateConfig, game: Game) -> list[Agent]:
    """Load the opponents of the arena.

    Raises:
        ConfigError: one of them does not exist.
    """
    try:
        return [load(name, game=game) for name in e.opponents]
    except ValueError as error:
        raise ConfigError(f"evaluate.opponents: {error}") from error


def find_deals(e: EvaluateConfig) -> np.ndarray:
    """Return the seeds int64 (n,) of the arena's deals.

    Raises:
        ConfigError: there are no such deals.
    """
    try:
        return chosen_deals(e.deals, e.first_deal)
    except ValueError as error:
        raise ConfigError(f"evaluate.{error}") from error


def make_league(config: RunConfig) -> League:
    """Make a league of baselines; snapshots come later."""
    shares = asdict(config.train.opponents)
    if not shares["expert"]:
        del shares["expert"]
    names = [name for name in shares if name not in (LATEST, PAST)]
    return League(
        {name: load(name) for name in names},
        shares,
        config.train.snapshots,
        stream(config.seed, "opponents"),
    )


def make_learner(config: RunConfig, env: SelfPlayVecEnv, network: NetworkSpec) -> MaskablePPO:
    """Make an untrained learner."""
    t = config.train
    model = MaskablePPO(
        MaskedPolicy,
        env,
        learning_rate=LinearSchedule(t.learning_rate, t.final_learning_rate, 1.0),
        n_steps=t.steps,
        batch_size=t.minibatch,
        n_epochs=t.epochs,
        gamma=t.gamma,
        gae_lambda=t.gae_lambda,
        clip_range=t.clip,
        ent_coef=t.entropy,
        vf_coef=t.value_weight,
        max_grad_norm=t.max_grad_norm,
        rollout_buffer_class=Collected,
        policy_kwargs=network.policy_kwargs(),
        seed=int(stream(config.seed, "network").integers(2**31)),
        device="cpu",
    )
    model.set_logger(Logger(None, []))
    return model


# ---- learn


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
        self.snapshot_at = _next(session.model.num_timesteps, session.config.train.snapshot_every)
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


# ---- checkpoints


def save(session: Session, name: str) -> None:
    """Save weights, optimiser and counters, and beside them all that a resumed run needs."""
    config, model = session.config, session.model
    folder = session.run.checkpoints
    zip_file = folder / f"{checkpoint.UNFINISHED}{name}.zip"
    # Its observations and generators are in the state file.
    model.save(zip_file, exclude=["_last_obs", "_last_episode_starts", "ep_info_buffer"])
    checkpoint.write(
        zip_file,
        session.game,
        decisions=model.num_timesteps,
        total_decisions=config.train.decisions,
        updates=model._n_updates,
        seed=config.seed,
        network=session.network.as_dict(),
        card_set=cards_of(session),
        rules=dict(session.card_set.rules),
    )
    numpy_state = np.random.get_state(legacy=False)
    state = {
        "decisions": model.num_timesteps,
        "updates": model._n_updates,
        "episode_starts": model._last_episode_starts,
        "torch": torch.get_rng_state(),
        "numpy": numpy_state,
        "env": session.env.state(),
        "league": session.league.state(lambda agent: agent.policy.state_dict()),
    }
    runs.save_state(zip_file, state)
    checkpoint.finish(folder, name)


def resume(folder: str, overrides: list[str]) -> Session:
    """Set a session up exactly as an earlier run left it, with its own settings.

    Args:
        folder: of the earlier run; it is continued there.
        overrides: "key=value" changes, as on the command line.

    Raises:
        ConfigError, CheckpointError: the run cannot be continued.
    """
    run = RunFolder.open(folder)
    changes = [one for one in overrides if not one.startswith("resume=")]
    config = run.read_config(changes)
    session = set_up(config, run)
    zip_file = checkpoint.find(run.path)
    data = checkpoint.read(zip_file)
    checkpoint.check(data, session.game, zip_file)
    if data["card_set"] != cards_of(session) or data["rules"] != session.card_set.rules:
        raise ConfigError(
            f"env: {zip_file} was trained with card set {data['card_set']} and rules "
            f"{data['rules']}; here they are {cards_of(session)} and {session.card_set.rules}"
        )
    if data["network"] != session.network.as_dict():
        raise ConfigError(f"agent: {zip_file} holds another network, {data['network']}")
    restore(session, zip_file)
    run.cut_metrics(session.model.num_timesteps)
    run.write_config(config)
    return session


def cards_of(session: Session) -> dict[str, str]:
    """Say which card set a session plays."""
    cards = session.card_set
    return {"name": cards.name, "version": cards.version, "hash": cards.hash}


def restore(session: Session, zip_file: Path) -> None:
    """Bring a checkpoint's weights, optimiser, games, league and generators back."""
    model, state = session.model, runs.load_state(zip_file)
    _, parameters, _ = load_from_zip_file(zip_file, load_data=False, device="cpu")
    model.set_parameters(parameters, exact_match=True, device="cpu")

    def thaw(weights: dict[str, torch.Tensor]) -> Agent:
        return PPOAgent.of_weights(weights, session.game, session.network, "snapshot")

    session.league.restore(state["league"], thaw)
    model._last_obs = session.env.restore(state["env"])
    model._last_episode_starts = state["episode_starts"]
    model.num_timesteps = state["decisions"]
    model._n_updates = state["updates"]
    torch.set_rng_state(state["torch"])
    np.random.set_state(state["numpy"])


# ---- report


def report(session: Session, *, short: bool = False) -> None:
    """Play the arena and a sample game; print the table and write both down."""
    e = shortened(session.config.evaluate) if short else session.config.evaluate
    agent = PPOAgent.copy_of(session.model.policy, session.game, session.network, "ppo")
    agent.deterministic = e.deterministic
    results = play_arena(agent, e, session.game, session.card_set)
    runs.write_json(session.run.evaluation, results)
    print(arena.table(results["results"]), flush=True)
    seats = session.game.seats
    players = {seats[0]: agent, seats[1]: load("heuristic")}
    rng = stream(session.config.seed, "sample")
    first = int(find_deals(e)[0])
    sample = runs.play_at_table(players, first, session.game, session.card_set, rng)
    sample.save(session.run.sample)


def shortened(e: EvaluateConfig) -> EvaluateConfig:
    """Return the settings of an evaluation with its first deals only."""
    if len(find_deals(e)) <= SHORT_EVALUATION:
        return e
    if isinstance(e.deals, str):
        return replace(e, deals=f"{e.deals.partition(':')[0]}:{SHORT_EVALUATION}")
    return replace(e, deals=SHORT_EVALUATION)


def play_arena(
    agent: Agent, e: EvaluateConfig, game: Game, card_set: CardSet
) -> dict[str, Any]:
    """Play an agent against the opponents of a config; results with the settings they need."""
    results = arena.evaluate(
        agent,
        find_opponents(e, game),
        find_deals(e),
        seed=e.seed,
        games=e.games,
        game=game,
        card_set=card_set,
    )
    return {"settings": asdict(e), "results": results}


def main() -> None:
    """Train with the settings of the command line."""
    launch(train, "run")


if __name__ == "__main__":
    main()
