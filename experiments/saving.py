"""Checkpoints of a run: all of a moment is saved, and a run goes on from it as if never stopped."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.save_util import load_from_zip_file

from agents import checkpoint
from agents.base import Agent
from agents.ppo import PPOAgent
from configs.schema import ConfigError, RunConfig
from experiments import environment, runs
from experiments.launch import NO_ROOM, command_line
from experiments.runs import RunFolder
from experiments.session import Session, cards_of, check_network, note_environment, set_up

# ---- save


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
        against_name=Path(config.train.against).name if config.train.against else None,
    )


def kept_so_far(folder: Path) -> str:
    """Say which checkpoint is the last good one."""
    found, _ = checkpoint.newest(folder)
    if found is None:
        return "there is none before it"
    return f"the last one is {found.stem}, of {checkpoint.read(found)['decisions']:,} decisions"


# ---- go on, or do again


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
        _unsure_of_opponent(session, zip_file)
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
    check_network(f"agent: {zip_file}", data["network"], session.network)
    _same_opponent(session, data, zip_file)


def _same_opponent(session: Session, data: dict[str, Any], zip_file: Path) -> None:
    then, now = data.get("against", session.against), session.against
    if then == now:
        return
    name, here = data.get("against_name"), session.config.train.against
    met = "a league" if then is None else f"{name}, {then}" if name else then
    meets = "a league" if now is None else f"{now} (train.against={here})"
    right = "Leave train.against out (null)" if then is None else "Bring that opponent back"
    raise ConfigError(
        f"train.against: {zip_file} was trained against {met}; here it is {meets}. "
        f"{right}, or begin a new run with train.start"
    )


def _unsure_of_opponent(session: Session, zip_file: Path) -> None:
    """Say of a restored checkpoint of an earlier version that it does not name its opponent."""
    name = session.config.train.against
    if name is not None and "against" not in checkpoint.read(zip_file):
        remark = f"does not say which {name} it met; this one is taken as the same"
        print(f"{zip_file.name} {remark}")


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


def _warn_of_versions(run: RunFolder) -> None:
    starts = environment.read(run.environment)
    words = environment.differences(starts[-1]) if starts else ""
    if words:
        print(words, flush=True)
