"""All that takes part in one run, and how it is set up from its settings."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.save_util import load_from_zip_file
from stable_baselines3.common.utils import LinearSchedule

from agents import checkpoint, shipped
from agents.base import Agent, load
from agents.critic import learning_policy
from agents.network import FULL, NetworkSpec
from agents.ppo import PPOAgent
from configs.schema import ConfigError, RunConfig
from experiments import board, environment, runs
from experiments.collected import Collected
from experiments.evaluate import find_deals, find_opponents
from experiments.identity import identity
from experiments.league import LATEST, PAST, League
from experiments.numbers import Yardstick
from experiments.runs import RunFolder
from experiments.seeds import stream
from experiments.selfplay_env import SelfPlayVecEnv
from skirmish_env.game import CardSet, Game
from skirmish_env.opponents import no_agent, trained

AGAINST = "against"  # the only opponent, where there is no league


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


def find_agent(name: str, key: str = "train.against") -> Agent:
    """Load an agent to play against.

    Raises:
        ConfigError: there is none of this name, which the setting `key` gives.
    """
    try:
        return load(name)
    except ValueError as error:
        raise ConfigError(f"{key}: {error}") from error


def begin_with(model: MaskablePPO, start: str, game: Game, network: NetworkSpec) -> None:
    """Give a learner weights to begin with; its optimiser starts anew.

    Args:
        model: the learner.
        start: a run, a checkpoint, or a trained agent: its name or its `NAME.safetensors`.
        game, network: what the weights must fit.

    Raises:
        ConfigError: they belong to another network, the agent has none, or one without value, or
            this is neither a path nor an agent's name.
        CheckpointError: a file is missing or damaged, or belongs to another game or layout.
    """
    if start in trained() or start.endswith(shipped.WEIGHTS):
        begin_with_agent(model, start, game, network)
        return
    path = Path(start).expanduser()
    if not path.exists() and not path.with_suffix(".zip").exists():
        raise ConfigError(f"train.start: {no_agent(start, trained())}")
    zip_file = checkpoint.find(path)
    data = checkpoint.read(zip_file)
    checkpoint.check(data, game, zip_file)
    check_network(f"train.start: {zip_file}", data["network"], network)
    _, parameters, _ = load_from_zip_file(zip_file, load_data=False, device="cpu")
    model.policy.load_state_dict(parameters["policy"])


def begin_with_agent(model: MaskablePPO, start: str, game: Game, network: NetworkSpec) -> None:
    """Do so with the weights of a trained agent, found by name or `NAME.safetensors`."""
    agent = load(start, game=game) if start in trained() else shipped.load_file(start, game=game)
    if not isinstance(agent, shipped.NetworkAgent) or not agent.parts["value"]:
        raise ConfigError(f"train.start: {start} is no network with policy and value")
    check_network(f"train.start: {start}", agent.details["network"], network)
    for part, layers in model.policy.parts().items():
        for (weights, bias), (new_weights, new_bias) in zip(layers, agent.parts[part], strict=True):
            weights[:], bias[:] = new_weights, new_bias  # the learner's memory


def check_network(where: str, found: dict[str, Any], network: NetworkSpec) -> None:
    """Refuse weights of another network.

    Raises:
        ConfigError: always then; begins with `where`, says which settings they would need.
    """
    if NetworkSpec(**found) != network:
        words = {key: str(value).replace(" ", "") for key, value in found.items()}  # for a shell
        wanted = " ".join(f"agent.{key}={word}" for key, word in words.items())
        raise ConfigError(f"{where} holds another network: {wanted}")


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


def cards_of(session: Session) -> dict[str, str]:
    """Say which card set a session plays."""
    cards = session.card_set
    return {"name": cards.name, "version": cards.version, "hash": cards.hash}


def note_environment(session: Session) -> None:
    """Write down what this start of a run is made with."""
    start = environment.describe(session.game, session.card_set, session.config.train.threads)
    session.run.note_environment({"decisions": session.model.num_timesteps, **start})
