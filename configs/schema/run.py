"""Settings of one training."""

# ruff: noqa: RUF009  (`setting` makes a field, and a fresh list or dictionary for each object)

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from configs.schema.base import check_deals, require, setting


@dataclass
class EnvConfig:
    """The game that is played."""

    game: str = setting("new_york", "Name of the game.")
    card_set: str | None = setting(None, "Card set: a name, or a path; none is the default one.")
    rules: dict[str, Any] = setting({}, "Rules options that differ from the card set's own.")


@dataclass
class AgentConfig:
    """The network of the learner."""

    trunk: list[int] = setting([256], "Widths of the layers that policy and value share.")
    policy: list[int] = setting([256], "Widths of the policy's own layers.")
    value: list[int] = setting([256], "Widths of the value's own layers.")
    activation: str = setting("relu", "What stands between layers: relu, tanh or silu.")
    critic: str = setting("seen", "What values are made of: seen, or full with all hidden cards.")


@dataclass
class OpponentsConfig:
    """How often each kind of opponent is drawn, before `hardness`; scaled to sum to 1."""

    latest: float = setting(0.4, "Share of the newest frozen copy of the learner.")
    past: float = setting(0.2, "Share of older frozen copies, spread over all of them.")
    heuristic: float = setting(0.15, "Share of the scripted player.")
    random: float = setting(0.05, "Share of the player who draws legal moves.")
    expert: float = setting(0.2, "Share of the scripted player with tuned weights.")


@dataclass
class TrainConfig:
    """How the learner learns."""

    decisions: int = setting(2_000_000, "Length of the run; all schedules end here.")
    minutes: float | None = setting(None, "Stop early after this long; schedules do not change.")
    games: int = setting(1024, "Games played side by side.")
    steps: int = setting(32, "Decisions in each game between two updates.")
    minibatch: int = setting(4096, "Decisions in one gradient step.")
    epochs: int = setting(4, "Passes over the collected decisions in one update.")
    learning_rate: float = setting(1e-3, "Adam's step size at the start.")
    final_learning_rate: float = setting(0.0, "Step size at the end; it changes linearly.")
    entropy: float = setting(0.01, "Weight of the entropy bonus at the start.")
    final_entropy: float = setting(0.001, "Weight of the bonus at the end; it changes linearly.")
    gamma: float = setting(0.997, "Discount for each decision of the learner.")
    gae_lambda: float = setting(0.95, "How far advantages look ahead: 0 one step, 1 to the end.")
    clip: float = setting(0.2, "How far a probability ratio may move in one update.")
    value_weight: float = setting(0.5, "Weight of the value's loss beside the policy's.")
    max_grad_norm: float = setting(0.5, "Longer gradients are shortened to this length.")
    shaping: float = setting(0.0, "Potential for a point on the victory marker; 0 is off.")
    opponents: OpponentsConfig = field(
        default_factory=OpponentsConfig, metadata={"help": "Whom the learner plays against."}
    )
    hardness: float = setting(2.0, "Shares count by (1 - score) to this power, latest's apart.")
    memory: float = setting(200.0, "Games that such a score looks back on; older ones fade.")
    against: str | None = setting(None, "Name or run to play against alone, without a league.")
    start: str | None = setting(None, "Run, checkpoint or name (ppo-v1) to begin with its weights.")
    snapshot_every: int = setting(65_536, "Decisions between two frozen copies of the learner.")
    snapshots: int = setting(6, "Frozen copies that opponents are drawn from.")
    checkpoint_every: int = setting(1_000_000, "Decisions between two checkpoints.")
    keep_checkpoints: int = setting(5, "Newest ones that stay, the final one besides.")
    threads: int = setting(2, "Threads of one update; play itself uses one.")
    evaluate_every: int = setting(131_072, "Decisions between two evaluations; 0 is never.")
    evaluate_deals: int = setting(100, "Deals of an evaluation, each in both seats.")
    evaluate_opponents: list[str] = setting(
        ["random", "heuristic", "expert"], "Names or runs to play against in evaluations."
    )
    tensorboard: bool = setting(False, "Write numbers for TensorBoard too (extra: log).")
    wandb: str = setting("off", "Weights & Biases: off, offline or online (extra: wandb).")
    wandb_project: str = setting("skirmish-env", "Project in Weights & Biases.")


@dataclass
class EvaluateConfig:
    """The arena after training."""

    opponents: list[str] = setting(
        ["random", "heuristic", "expert"], "Names or runs to play against."
    )
    deals: int | str = setting(1000, "Deals for each opponent: a number, or a set (deals-v1).")
    first_deal: int = setting(0, "Seed of the first deal, where `deals` is a number.")
    deterministic: bool = setting(True, "Play the most probable move instead of drawing one.")
    games: int = setting(1024, "Games played side by side.")
    seed: int = setting(0, "Seed of the players' own choices.")


@dataclass
class RunConfig:
    """One run of `experiments.train`."""

    name: str = setting("ppo", "Last part of the run folder's name.")
    seed: int = setting(0, "Everything random in the run follows from this number.")
    folder: str = setting("runs", "Where run folders lie; relative to where you start the run.")
    resume: str | None = setting(None, "Run folder to continue with its own settings.")
    checkpoint: str | None = setting(None, "Which one `resume` starts from; none is the newest.")
    repeat: str | None = setting(None, "Run folder to do again, in a new folder beside it.")
    env: EnvConfig = field(default_factory=EnvConfig, metadata={"help": "The game."})
    agent: AgentConfig = field(default_factory=AgentConfig, metadata={"help": "The network."})
    train: TrainConfig = field(default_factory=TrainConfig, metadata={"help": "The training."})
    evaluate: EvaluateConfig = field(
        default_factory=EvaluateConfig, metadata={"help": "The arena at the end."}
    )

    def __post_init__(self) -> None:
        both = self.resume is not None and self.repeat is not None
        require(not both, "repeat", self.repeat, "none where resume names a run")
        alone = self.checkpoint is None or self.resume is not None
        require(alone, "checkpoint", self.checkpoint, "none where no run is resumed")
        if self.resume is not None or self.repeat is not None:
            return  # the settings that count are the earlier run's, and are checked with it
        require(self.seed >= 0, "seed", self.seed, "0 or more")
        require(bool(self.name) and "/" not in self.name, "name", self.name, "one word")
        check_agent(self.agent)
        check_train(self.train)
        check_evaluate(self.evaluate)


@dataclass
class BestResponseConfig(RunConfig):
    """One run of `experiments.best_response`: the settings of a run, and these."""

    against: str | None = setting(None, "Agent to find a best response to: a name or a run.")
    results: str | None = setting(
        "build/exploitability.json", "File that the result is added to; none keeps it apart."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.against is not None, "against", self.against, "a name or a run folder")
        own = self.train.against is None
        require(own, "train.against", self.train.against, "left out: `against` says it")
        alone = self.resume is None and self.repeat is None
        require(alone, "resume", self.resume or self.repeat, "left out: see experiments.train")


def check_agent(agent: AgentConfig) -> None:
    """Refuse a network that cannot be."""
    for key in ("trunk", "policy", "value"):
        widths = getattr(agent, key)
        require(all(w > 0 for w in widths), f"agent.{key}", widths, "a list of widths above 0")
    known = ("relu", "tanh", "silu")
    require(agent.activation in known, "agent.activation", agent.activation, " or ".join(known))
    critics = ("seen", "full")
    require(agent.critic in critics, "agent.critic", agent.critic, " or ".join(critics))


def check_train(train: TrainConfig) -> None:
    """Refuse settings of learning that are out of their range."""
    for key in (
        "decisions", "games", "steps", "minibatch", "epochs", "learning_rate", "max_grad_norm",
        "clip", "snapshot_every", "checkpoint_every", "keep_checkpoints", "threads",
    ):  # fmt: skip
        value = getattr(train, key)
        require(value > 0, f"train.{key}", value, "above 0")
    for key in (
        "final_learning_rate", "entropy", "final_entropy", "value_weight", "shaping",
        "evaluate_every",
    ):  # fmt: skip
        value = getattr(train, key)
        require(value >= 0, f"train.{key}", value, "0 or more")
    require(train.minutes is None or train.minutes > 0, "train.minutes", train.minutes, "above 0")
    require(0 <= train.hardness <= 10, "train.hardness", train.hardness, "from 0 to 10")
    require(train.memory >= 1, "train.memory", train.memory, "1 or more")
    require(0 < train.gamma <= 1, "train.gamma", train.gamma, "above 0 and at most 1")
    require(0 <= train.gae_lambda <= 1, "train.gae_lambda", train.gae_lambda, "from 0 to 1")
    most = 2**32  # see experiments/seeds.py
    deals = train.evaluate_deals
    require(0 < deals <= most, "train.evaluate_deals", deals, f"from 1 to {most}")
    modes = ("off", "offline", "online")
    require(train.wandb in modes, "train.wandb", train.wandb, " or ".join(modes))
    require(train.minibatch >= 2, "train.minibatch", train.minibatch, "2 or more")
    require(train.snapshots >= 2, "train.snapshots", train.snapshots, "2 or more")
    collected = train.games * train.steps
    require(
        train.minibatch <= collected,
        "train.minibatch",
        train.minibatch,
        f"at most games x steps ({collected})",
    )
    shares = {one.name: getattr(train.opponents, one.name) for one in fields(train.opponents)}
    for kind, share in shares.items():
        require(share >= 0, f"train.opponents.{kind}", share, "0 or more")
    require(sum(shares.values()) > 0, "train.opponents", shares, "above 0 for one of them")


def check_evaluate(evaluate: EvaluateConfig) -> None:
    """Refuse settings of the arena that are out of their range."""
    require(evaluate.games >= 2, "evaluate.games", evaluate.games, "2 or more")
    require(evaluate.seed >= 0, "evaluate.seed", evaluate.seed, "0 or more")
    check_deals(evaluate.deals, evaluate.first_deal, "evaluate.")
