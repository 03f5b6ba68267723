"""Train an agent by self-play: `python -m experiments.train seed=3 train.decisions=500_000`.

The story of a run: set the league, the games and the learner up; collect decisions and learn from
them until enough are made; play the arena; leave everything in a run folder.
"""

from __future__ import annotations

import io
import os
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
from agents.critic import learning_policy
from agents.network import FULL, NetworkSpec
from agents.ppo import PPOAgent
from configs.schema import ConfigError, EvaluateConfig, RunConfig, TrainConfig
from experiments import arena, board, curves, environment, numbers, runs
from experiments.clock import Clock, timing
from experiments.collected import Collected
from experiments.identity import identity
from experiments.launch import NO_ROOM, command_line, launch
from experiments.league import LATEST, PAST, League
from experiments.numbers import Tally, Yardstick, due, short
from experiments.progress import Display
from experiments.runs import RunFolder
from experiments.seeds import chosen_deals, stream
from experiments.selfplay_env import SelfPlayVecEnv
from skirmish_env.game import CardSet, Game

AGAINST = "against"  # the only opponent, where there is no league
SHORT_EVALUATION = 100  # deals after a run that was stopped


@dataclass
class Session:
    """All that takes part in one run.

    Attributes:
        against: what tells `train.against` from another of its name; None where a league plays.
    """

    config: RunConfig
    run: RunFolder
    game: Game
    card_set: CardSet
    network: NetworkSpec
    league: League
    env: SelfPlayVecEnv
    model: MaskablePPO
    yardstick: Yardstick
    against: str | None

    @property
    def finished(self) -> bool:
        """All decisions are made."""
        return self.model.num_timesteps >= self.config.train.decisions


def train(config: RunConfig) -> Path:
    """Train an agent by self-play, then play it against others; return the run folder."""
    return train_until(config)[0]


def train_until(config: RunConfig) -> tuple[Path, str]:
    """Do what `train` does; return the run folder, and the signal that ended it early or ""."""
    began = time.monotonic()
    if config.resume:
        run = RunFolder.open(config.resume)
    else:
        config = repeated(config) if config.repeat else config
        run = RunFolder.create(config)
    with run.lock() as killed:
        if killed:
            print(f"Process {killed} ended here without a word; going on from what it saved.")
        if config.resume:
            session = resume(config.resume, command_line(), config.checkpoint)
        else:
            session = set_up(config, run)
            note_environment(session)
        print(f"Run folder: {run.path}", flush=True)
        stopped = "" if session.finished else learn(session)
        curves.draw(run.read_metrics(), run.curve)
        if stopped:
            print(f"Stopped ({stopped}); `resume={run.path}` goes on from here.", flush=True)
        try:
            report(session, short=bool(stopped))
        except KeyboardInterrupt:
            print(f"No evaluation; later: python -m experiments.evaluate run={run.path}")
        print(f"Took {time.monotonic() - began:.0f} s. Everything is in {run.path}")
    return run.path, stopped if stopped in signal.Signals.__members__ else ""


# ---- set up


def set_up(config: RunConfig, run: RunFolder, *, restored: bool = False) -> Session:
    """Make the league, the games and the learner of a config.

    Where they will be `restored` from the run's own checkpoint, `train.start` is not asked for.
    """
    game, card_set = runs.find_game(config)
    find_opponents(config.evaluate, game)  # a wrong name is better told before training than after
    find_deals(config.evaluate)
    board.check(config)
    yardstick = Yardstick.of(config.train, game, card_set)
    network = NetworkSpec(**asdict(config.agent))
    league = make_league(config, game)
    against = opponent_of(config, league)
    env = SelfPlayVecEnv(
        config.train.games,
        league,
        deals=stream(config.seed, "deals"),
        moves=stream(config.seed, "moves"),
        shaping=config.train.shaping,
        discount=config.train.gamma,
        game=game,
        card_set=card_set,
        full=network.critic == FULL,
    )
    torch.set_num_threads(1)  # the first weights depend on how many there are
    model = make_learner(config, env, network, game)
    if config.train.start and not restored:
        begin_with(model, config.train.start, game, network)
    league.add_snapshot(PPOAgent.copy_of(model.policy, game, network, "snapshot"), 0)
    return Session(config, run, game, card_set, network, league, env, model, yardstick, against)


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


def make_league(config: RunConfig, game: Game) -> League:
    """Make a league of baselines; snapshots come later."""
    t, shares = config.train, asdict(config.train.opponents)
    if not shares["expert"]:
        del shares["expert"]
    names = {name: name for name in shares if name not in (LATEST, PAST)}
    if config.train.against:
        shares, names = {AGAINST: 1.0}, {AGAINST: config.train.against}
    return League(
        {kind: find_agent(name) for kind, name in names.items()},
        shares,
        t.snapshots,
        stream(config.seed, "opponents"),
        hardness=t.hardness,
        memory=t.memory,
        seats=len(game.seats),
    )


def opponent_of(config: RunConfig, league: League) -> str | None:
    """Return the identity of the only opponent as it is loaded now, or None of a league."""
    if config.train.against is None:
        return None
    (agent,) = league.baselines.values()
    return identity(config.train.against, agent)


def find_agent(name: str) -> Agent:
    """Load an agent to play against.

    Raises:
        ConfigError: there is none of this name.
    """
    try:
        return load(name)
    except ValueError as error:
        raise ConfigError(f"train.against: {error}") from error


def begin_with(model: MaskablePPO, path: str, game: Game, network: NetworkSpec) -> None:
    """Give a learner the weights of a checkpoint; its optimiser starts anew.

    Raises:
        ConfigError: the checkpoint holds another network.
        CheckpointError: nothing is there, or it belongs to another game or layout.
    """
    zip_file = checkpoint.find(path)
    data = checkpoint.read(zip_file)
    checkpoint.check(data, game, zip_file)
    if NetworkSpec(**data["network"]) != network:
        raise ConfigError(f"train.start: {zip_file} holds another network, {data['network']}")
    _, parameters, _ = load_from_zip_file(zip_file, load_data=False, device="cpu")
    model.policy.load_state_dict(parameters["policy"])


def make_learner(
    config: RunConfig, env: SelfPlayVecEnv, network: NetworkSpec, game: Game
) -> MaskablePPO:
    """Make an untrained learner."""
    t = config.train
    policy, options = learning_policy(network, game)
    model = MaskablePPO(
        policy,
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
        policy_kwargs=options,
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


# ---- checkpoints


def save(session: Session, name: str) -> None:
    """Save all that a resumed run needs as one checkpoint; older ones may go.

    Without room, training says so and goes on: the checkpoint before still counts.

    Raises:
        CheckpointError: there was no room for the final one.
    """
    folder = session.run.checkpoints
    try:
        session.run.keep_metrics()  # no checkpoint is ahead of the rows
        checkpoint.write_file(folder / f"{name}.zip", packed(session))
    except OSError as error:
        words = f"checkpoint {name} could not be saved: {error.strerror}; {kept_so_far(folder)}"
        if name == checkpoint.FINAL or error.errno not in NO_ROOM:
            raise checkpoint.CheckpointError(words) from error
        print(f"{words}; training goes on", flush=True)
    else:
        checkpoint.prune(folder, session.config.train.keep_checkpoints)


def packed(session: Session) -> bytes:
    """Return the bytes of a checkpoint of this moment."""
    config, model, weights = session.config, session.model, io.BytesIO()
    # Its observations and generators are in the state.
    model.save(weights, exclude=["_last_obs", "_last_episode_starts", "ep_info_buffer"])
    return checkpoint.pack(
        weights,
        {
            "decisions": model.num_timesteps,
            "updates": model._n_updates,
            "episode_starts": model._last_episode_starts,
            "torch": torch.get_rng_state(),
            "numpy": np.random.get_state(legacy=False),
            "env": session.env.state(),
            "league": session.league.state(lambda agent: agent.policy.state_dict()),
        },
        session.game,
        decisions=model.num_timesteps,
        total_decisions=config.train.decisions,
        updates=model._n_updates,
        seed=config.seed,
        network=session.network.as_dict(),
        card_set=cards_of(session),
        rules=dict(session.card_set.rules),
        against=session.against,
    )


def kept_so_far(folder: Path) -> str:
    """Say which checkpoint is the last good one."""
    found, _ = checkpoint.newest(folder)
    if found is None:
        return "there is none before it"
    return f"the last one is {found.stem}, of {checkpoint.read(found)['decisions']:,} decisions"


def repeated(config: RunConfig) -> RunConfig:
    """Return the settings of an earlier run, with those that the command line names.

    The new run's folder lies beside the earlier one's, unless the command line says where.
    """
    earlier = RunFolder.open(config.repeat)
    changes = [one for one in command_line() if not one.startswith("repeat=")]
    again = earlier.read_config(changes)
    if not any(one.startswith("folder=") for one in changes):
        again.folder = os.path.relpath(earlier.path.parent)
    _warn_of_versions(earlier)
    return again


def resume(folder: str, overrides: list[str], name: str | None = None) -> Session:
    """Set a session up exactly as an earlier run left it, with its own settings.

    Args:
        folder: of the earlier run; it is continued there. The caller holds its lock.
        overrides: "key=value" changes, as on the command line.
        name: the checkpoint to start from; those with more decisions are set aside. None is the
            newest that is not damaged, or the beginning of a run that has not saved any yet.

    Raises:
        ConfigError, CheckpointError: the run cannot be continued.
    """
    run = RunFolder.open(folder)
    changes = [one for one in overrides if not one.startswith(("resume=", "checkpoint="))]
    config = run.read_config(changes)
    run.read_metrics()  # damage there is better told before anything changes
    _warn_of_versions(run)
    zip_file = chosen_checkpoint(run, name)
    session = set_up(config, run, restored=zip_file is not None)
    if zip_file is not None:
        _fits(session, zip_file)
        restore(session, zip_file)
    done = session.model.num_timesteps
    evaluated = runs.evaluated_at(run) if session.finished else None
    if evaluated is not None and evaluated >= done:
        raise ConfigError(
            f"train.decisions: {done:,} are made already, not fewer than {config.train.decisions:,}"
        )
    checkpoint.clear_unfinished(run.checkpoints)
    checkpoint.clear_unfinished(run.path)
    if name is not None:
        for moved in checkpoint.set_aside(run.checkpoints, done):
            print(f"Set aside: {moved.relative_to(run.path)}")
    for remark in run.cut_metrics(done):
        print(remark)
    run.write_config(config)
    note_environment(session)
    where = "the beginning: nothing was saved yet" if zip_file is None else zip_file.stem
    print(f"Going on from {where} ({done:,} decisions)")
    return session


def chosen_checkpoint(run: RunFolder, name: str | None) -> Path | None:
    """Return the checkpoint to start from, or None where none was ever saved.

    Raises:
        CheckpointError: all are damaged, or the one of this name is, or is not there.
    """
    if name is not None:
        zip_file = run.checkpoints / f"{name}.zip"
        if not zip_file.is_file():
            there = ", ".join(file.stem for file in checkpoint.listed(run.checkpoints)) or "none"
            raise checkpoint.CheckpointError(f"checkpoint: {name!r} is not there; there is {there}")
        return checkpoint.find(zip_file)
    found, damage = checkpoint.newest(run.checkpoints)
    if found is None and damage:
        raise checkpoint.CheckpointError("; ".join(damage))
    for one in damage:
        print(f"{one}; {found.name} is used instead", flush=True)
    return found


def _fits(session: Session, zip_file: Path) -> None:
    data = checkpoint.read(zip_file)
    checkpoint.check(data, session.game, zip_file)
    if data["card_set"] != cards_of(session) or data["rules"] != session.card_set.rules:
        raise ConfigError(
            f"env: {zip_file} was trained with card set {data['card_set']} and rules "
            f"{data['rules']}; here they are {cards_of(session)} and {session.card_set.rules}"
        )
    if NetworkSpec(**data["network"]) != session.network:
        raise ConfigError(f"agent: {zip_file} holds another network, {data['network']}")
    _same_opponent(session, data, zip_file)


def _same_opponent(session: Session, data: dict[str, Any], zip_file: Path) -> None:
    name = session.config.train.against
    if "against" not in data:  # an earlier version made it
        if name is not None:
            remark = f"does not say which {name} it met; this one is taken as the same"
            print(f"{zip_file.name} {remark}")
        return
    then, now = (one or "a league" for one in (data["against"], session.against))
    if then != now:
        of_name = f" (train.against={name})" if name is not None else ""
        raise ConfigError(
            f"train.against: {zip_file} was trained against {then}; here it is {now}{of_name}. "
            "Bring that opponent back, or begin a new run with train.start"
        )


def note_environment(session: Session) -> None:
    """Write down what this start of a run is made with."""
    start = environment.describe(session.game, session.card_set, session.config.train.threads)
    session.run.note_environment({"decisions": session.model.num_timesteps, **start})


def _warn_of_versions(run: RunFolder) -> None:
    starts = environment.read(run.environment)
    words = environment.differences(starts[-1]) if starts else ""
    if words:
        print(words, flush=True)


def cards_of(session: Session) -> dict[str, str]:
    """Say which card set a session plays."""
    cards = session.card_set
    return {"name": cards.name, "version": cards.version, "hash": cards.hash}


def restore(session: Session, zip_file: Path) -> None:
    """Bring a checkpoint's weights, optimiser, games, league and generators back.

    Raises:
        ConfigError: its league or its number of games is another than the session's.
        CheckpointError: its games or its league are of another version.
    """
    model, state = session.model, checkpoint.read_state(zip_file)
    if "standings" not in state["league"]:
        raise checkpoint.CheckpointError(
            f"{zip_file}: an earlier version made it, whose league kept no score of each member; "
            "it loads for play, but its run cannot be continued"
        )
    there, here = set(state["league"]["games"]), set(session.league.games)
    if there != here:
        other = ", ".join(sorted(there ^ here))
        raise ConfigError(
            f"train.opponents.{other}: {zip_file} has a league of {', '.join(sorted(there))}; "
            "nobody joins or leaves it when a run goes on"
        )
    games = len(state["env"]["seat"])
    if games != session.config.train.games:
        raise ConfigError(
            f"train.games: {zip_file} holds {games} games, not {session.config.train.games}"
        )
    _, parameters, _ = load_from_zip_file(zip_file, load_data=False, device="cpu")
    model.set_parameters(parameters, exact_match=True, device="cpu")

    def thaw(weights: dict[str, torch.Tensor]) -> Agent:
        return PPOAgent.of_weights(weights, session.game, session.network, "snapshot")

    session.league.restore(state["league"], thaw)
    try:
        model._last_obs = session.env.restore(state["env"])
    except ValueError as error:
        raise checkpoint.CheckpointError(f"{zip_file}: {error}") from error
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
    print(arena.table(results["results"]), flush=True)
    seats = session.game.seats
    players = {seats[0]: agent, seats[1]: load("heuristic")}
    rng = stream(session.config.seed, "sample")
    first = int(find_deals(e)[0])
    sample = runs.play_at_table(players, first, session.game, session.card_set, rng)
    sample.save(session.run.sample)
    # Last, because it says that a run has ended.
    runs.write_json(session.run.evaluation, {"decisions": session.model.num_timesteps, **results})


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
