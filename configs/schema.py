"""Every setting of the experiments: its type, its default, and a sentence on what it does.

The YAML groups beside this file only say where a choice differs from these defaults. Counts of
decisions are decisions of the learner.
"""

# ruff: noqa: RUF009  (`setting` makes a field, and a fresh list or dictionary for each object)

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from typing import Any, get_type_hints


class ConfigError(ValueError):
    """A setting that is unknown or out of its range; the message names its key."""


def setting(default: Any, sentence: str) -> Any:
    """Make a field with a default and its sentence."""
    if isinstance(default, (list, dict)):
        return field(default_factory=default.copy, metadata={"help": sentence})
    return field(default=default, metadata={"help": sentence})


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


@dataclass
class OpponentsConfig:
    """How often each kind of opponent is drawn; the shares are scaled to sum to 1."""

    latest: float = setting(0.4, "Share of the newest frozen copy of the learner.")
    past: float = setting(0.15, "Share of older frozen copies, each as likely as the others.")
    heuristic: float = setting(0.4, "Share of the scripted player.")
    random: float = setting(0.05, "Share of the player who draws legal moves.")
    expert: float = setting(0.0, "Share of the scripted player with tuned weights.")


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
    snapshot_every: int = setting(65_536, "Decisions between two frozen copies of the learner.")
    snapshots: int = setting(6, "Frozen copies that opponents are drawn from.")
    checkpoint_every: int = setting(1_000_000, "Decisions between two checkpoints.")
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
    env: EnvConfig = field(default_factory=EnvConfig, metadata={"help": "The game."})
    agent: AgentConfig = field(default_factory=AgentConfig, metadata={"help": "The network."})
    train: TrainConfig = field(default_factory=TrainConfig, metadata={"help": "The training."})
    evaluate: EvaluateConfig = field(
        default_factory=EvaluateConfig, metadata={"help": "The arena at the end."}
    )

    def __post_init__(self) -> None:
        require(self.seed >= 0, "seed", self.seed, "0 or more")
        require(bool(self.name) and "/" not in self.name, "name", self.name, "one word")
        _check_agent(self.agent)
        _check_train(self.train)
        _check_evaluate(self.evaluate)


@dataclass
class EvaluationConfig:
    """One run of `experiments.evaluate`."""

    run: str | None = setting(None, "Folder of the run.")
    checkpoint: str = setting("final", "Which checkpoint of the folder, by name.")
    deals: int | str | None = setting(None, "Deals, as in evaluate.deals; none is as in the run.")
    first_deal: int | None = setting(None, "Seed of the first deal; none is as in the run.")
    opponents: list[str] | None = setting(None, "Names or runs; none is as in the run.")
    deterministic: bool | None = setting(None, "Most probable moves; none is as in the run.")
    seed: int | None = setting(None, "Seed of the players' choices; none is as in the run.")


@dataclass
class CompareConfig:
    """One run of `experiments.compare`."""

    runs: list[str] = setting([], "Run folders, or folders that hold run folders.")
    by: str = setting("config", "One group is: config, equal but for the seed; or name.")
    folder: str | None = setting(None, "Where results go; none is beside the first run.")
    resamples: int = setting(2000, "Resamples of the bootstrap.")
    resample: str = setting("runs", "Drawn again: whole runs, or runs for each of the tasks.")
    seed: int = setting(0, "Seed of the bootstrap.")

    def __post_init__(self) -> None:
        require(bool(self.runs), "runs", self.runs, "one folder or more, as in runs=[runs/a]")
        require(self.by in ("config", "name"), "by", self.by, "config or name")
        require(self.resamples > 0, "resamples", self.resamples, "above 0")
        known = ("runs", "tasks")
        require(self.resample in known, "resample", self.resample, " or ".join(known))
        require(self.seed >= 0, "seed", self.seed, "0 or more")


@dataclass
class ReplicateConfig:
    """One run of `experiments.replicate`."""

    seeds: list[int] = setting([0, 1, 2], "One run for each.")
    jobs: int = setting(0, "Processes at once, one thread each; 0 is one for each core.")
    name: str = setting("curves", "Name of the folder that holds all of them.")
    folder: str = setting("runs", "Where that folder lies; relative to where you are.")
    env: EnvConfig = field(default_factory=EnvConfig, metadata={"help": "The game."})
    agent: AgentConfig = field(default_factory=AgentConfig, metadata={"help": "The network."})
    train: TrainConfig = field(default_factory=TrainConfig, metadata={"help": "The training."})
    evaluate: EvaluateConfig = field(
        default_factory=EvaluateConfig, metadata={"help": "The arena at the end."}
    )

    def __post_init__(self) -> None:
        each_once = bool(self.seeds) and len(set(self.seeds)) == len(self.seeds)
        right = each_once and min(self.seeds) >= 0
        require(right, "seeds", self.seeds, "one or more, 0 or higher, none twice")
        require(self.jobs >= 0, "jobs", self.jobs, "0 or more")
        require(bool(self.name) and "/" not in self.name, "name", self.name, "one word")
        _check_agent(self.agent)
        _check_train(self.train)
        _check_evaluate(self.evaluate)


@dataclass
class BenchConfig:
    """One run of `experiments.bench`."""

    games: int = setting(2048, "Games played side by side in the batch kernel.")
    decisions: int = setting(200, "Decisions of each of these games.")
    threads: list[int] = setting([1, 2], "Numbers of threads to measure.")
    steps: int = setting(5000, "Decisions of one game after the other, by each of its doors.")
    repeats: int = setting(5, "Measurements of each speed; the table gives their median.")

    def __post_init__(self) -> None:
        for key in ("games", "decisions", "steps", "repeats"):
            require(getattr(self, key) > 0, key, getattr(self, key), "above 0")
        require(bool(self.threads) and min(self.threads) > 0, "threads", self.threads, "above 0")


@dataclass
class FuzzConfig:
    """One run of `experiments.fuzz`."""

    games: int = setting(20_000, "Random games to play.")
    seed: int = setting(0, "Everything random in the run follows from this number.")
    jobs: int = setting(0, "Processes; 0 takes one for each core.")
    look_every: int = setting(50, "Try every option once in so many decisions; 0 never does.")
    card_set: str | None = setting(None, "Card set: a name, or a path; none is the default one.")
    rules: dict[str, Any] = setting({}, "Rules options that differ from the card set's own.")
    failure: str = setting("fuzz-failure.json", "Where the replay of a failing game is written.")

    def __post_init__(self) -> None:
        require(0 < self.games <= 2**31, "games", self.games, "from 1 to 2147483648")
        require(0 <= self.seed <= 2**30, "seed", self.seed, "from 0 to 1073741824")
        require(self.jobs >= 0, "jobs", self.jobs, "0 or more")
        require(self.look_every >= 0, "look_every", self.look_every, "0 or more")
        require(bool(self.failure), "failure", self.failure, "the path of a file")


def require(true: bool, key: str, value: Any, right: str) -> None:
    """Raise a ConfigError unless a setting is in its range."""
    if not true:
        raise ConfigError(f"{key}: must be {right}, not {value!r}")


def _check_agent(agent: AgentConfig) -> None:
    for key in ("trunk", "policy", "value"):
        widths = getattr(agent, key)
        require(all(w > 0 for w in widths), f"agent.{key}", widths, "a list of widths above 0")
    known = ("relu", "tanh", "silu")
    require(agent.activation in known, "agent.activation", agent.activation, " or ".join(known))


def _check_train(train: TrainConfig) -> None:
    for key in (
        "decisions", "games", "steps", "minibatch", "epochs", "learning_rate", "max_grad_norm",
        "clip", "snapshot_every", "checkpoint_every", "threads",
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
    require(0 < train.gamma <= 1, "train.gamma", train.gamma, "above 0 and at most 1")
    require(0 <= train.gae_lambda <= 1, "train.gae_lambda", train.gae_lambda, "from 0 to 1")
    most = 2**32  # see experiments/seeds.py
    deals = train.evaluate_deals
    require(0 < deals <= most, "train.evaluate_deals", deals, f"from 1 to {most}")
    modes = ("off", "offline", "online")
    require(train.wandb in modes, "train.wandb", train.wandb, " or ".join(modes))
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


def _check_evaluate(evaluate: EvaluateConfig) -> None:
    require(evaluate.games >= 2, "evaluate.games", evaluate.games, "2 or more")
    require(evaluate.seed >= 0, "evaluate.seed", evaluate.seed, "0 or more")
    deals, first = evaluate.deals, evaluate.first_deal
    if isinstance(deals, str):  # which sets there are, the experiment knows
        require(first == 0, "evaluate.first_deal", first, "0 where evaluate.deals is a name")
    else:
        require(deals > 0, "evaluate.deals", deals, "above 0")
        inside = first >= 0 and first + deals <= 2**32
        require(inside, "evaluate.first_deal", first, "0 or more, all deals below 2**32")


# ---- the settings as a list


def settings(schema: type, above: str = "") -> Iterator[tuple[str, str, Any, str]]:
    """Yield (key, type, default, sentence) of every setting below a schema."""
    hints = get_type_hints(schema)
    for one in fields(schema):
        key, kind = f"{above}{one.name}", hints[one.name]
        if is_dataclass(kind):
            yield from settings(kind, f"{key}.")
        else:
            default = one.default if one.default is not MISSING else one.default_factory()
            words = kind.__name__ if kind in (int, float, str, bool) else str(kind)
            yield key, words.replace("typing.", ""), default, one.metadata["help"]


def nearest(key: str, schema: type) -> str | None:
    """Return the setting most like a misspelt key, or None when nothing is."""
    keys = [known for known, *_ in settings(schema)]
    sections = {known.rpartition(".")[0] for known in keys} - {""}
    candidates = sorted({*keys, *sections})
    beside = [known for known in candidates if known.rpartition(".")[0] == key.rpartition(".")[0]]
    for choice, cutoff in ((beside, 0.5), (candidates, 0.5)):
        found = get_close_matches(key, choice, 1, cutoff)
        if found:
            return found[0]
    same_name = [known for known in keys if known.rpartition(".")[2] == key.rpartition(".")[2]]
    return same_name[0] if same_name else None
