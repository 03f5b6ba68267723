"""Train an agent by self-play: `python -m experiments.train seed=3 train.decisions=500_000`.

The story of a run: set the league, the games and the learner up (`experiments.session`), or bring
them back (`experiments.saving`); collect decisions and learn from them until enough are made
(`experiments.learning`); play the arena; leave everything in a run folder.
"""

from __future__ import annotations

import signal
import time
from dataclasses import replace
from pathlib import Path

from agents.base import load
from agents.ppo import PPOAgent
from configs.schema import EvaluateConfig, RunConfig
from experiments import arena, curves, runs
from experiments.evaluate import find_deals, play_arena
from experiments.launch import command_line, launch
from experiments.learning import learn
from experiments.runs import RunFolder
from experiments.saving import repeated, resume
from experiments.seeds import stream
from experiments.session import Session, note_environment, set_up

SHORT_EVALUATION = 100  # deals after a run that was stopped


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


def main() -> None:
    """Train with the settings of the command line."""
    launch(train, "run")


if __name__ == "__main__":
    main()
