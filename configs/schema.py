"""Every setting of the experiments: its type, its default, and a sentence on what it does.

The YAML groups beside this file only say where a choice differs from these defaults. Counts of
decisions are decisions of the learner.
"""

# ruff: noqa: RUF009  (`setting` makes a field, and a fresh list or dictionary for each object)

from __future__ import annotations

import re
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
    start: str | None = setting(None, "Run or checkpoint whose weights the learner begins with.")
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
        _check_agent(self.agent)
        _check_train(self.train)
        _check_evaluate(self.evaluate)


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


@dataclass
class ExploitConfig:
    """One run of `experiments.exploit`."""

    agents: list[str] = setting(
        ["random", "heuristic", "expert"], "Names or runs; none measures nobody."
    )
    env: EnvConfig = field(default_factory=EnvConfig, metadata={"help": "A game to be solved."})
    target: float = setting(1e-3, "Exploitability of the solution, in points, that is enough.")
    iterations: int = setting(20_000, "Iterations of the solver at most.")
    samples: int = setting(64, "Times to ask an agent that cannot say its probabilities; even.")
    seed: int = setting(0, "Seed of the agents' own choices.")
    results: str = setting("build/exploitability.json", "File that keeps all agents' results.")
    write: str | None = setting(None, "Folder for the page and its picture; none writes neither.")

    def __post_init__(self) -> None:
        twice = sorted({one for one in self.agents if self.agents.count(one) > 1})
        require(not twice, "agents", self.agents, f"different agents; twice: {', '.join(twice)}")
        require(self.target > 0, "target", self.target, "above 0")
        require(self.iterations > 0, "iterations", self.iterations, "above 0")
        even = self.samples >= 2 and self.samples % 2 == 0
        require(even, "samples", self.samples, "even, 2 or more")
        require(self.seed >= 0, "seed", self.seed, "0 or more")


@dataclass
class SweepConfig:
    """One search of `experiments.sweep` for better settings of a run."""

    name: str = setting("sweep", "Last part of the sweep folder's name.")
    seed: int = setting(0, "The proposals follow from this number and from the results.")
    folder: str = setting("runs", "Where sweep folders lie; relative to where you start it.")
    resume: str | None = setting(None, "Sweep folder to go on with; its settings stay.")
    run: list[str] = setting([], "Overrides of `experiments.train` that all trials share.")
    space: dict[str, Any] = setting({}, "What is searched: a range or choices for each key.")
    trials: int = setting(20, "Trials in all, those of a sweep that goes on included.")
    minutes: float | None = setting(None, "No trial begins after this long.")
    baseline: bool = setting(True, "First try what the settings are without a sweep.")
    seeds: list[int] = setting([0], "Seeds of a trial's runs; its score is their mean.")
    jobs: int = setting(1, "Processes; more than one gives each a single thread.")
    sampler: str = setting("tpe", "Where proposals come from: tpe or random.")
    random_trials: int = setting(10, "Trials drawn at random before tpe learns from them.")
    opponent: str = setting("heuristic", "Name or run to score against at a run's end.")
    deals: int | str = setting(500, "Deals of that score: a number, or a set (deals-v1).")
    first_deal: int = setting(1_000_000, "Seed of the first deal, where `deals` is a number.")
    deterministic: bool = setting(True, "Score with the most probable moves, not drawn ones.")
    deals_seed: int = setting(0, "Seed of the players' own choices in these deals.")
    pruner: str = setting("median", "How poor trials are ended early: median, halving, none.")
    watch: str = setting("heuristic", "Kind of opponent whose training score the pruner sees.")
    report_every: int = setting(65_536, "Decisions between two looks of the pruner.")
    prune_after: int = setting(0, "Decisions that every trial may make unpruned.")
    prune_after_trials: int = setting(5, "Finished trials before the median pruner begins.")
    failures: int = setting(3, "Trials that fail of themselves before the sweep stops.")

    def __post_init__(self) -> None:
        require(bool(self.name) and "/" not in self.name, "name", self.name, "one word")
        for key in ("seed", "random_trials", "deals_seed", "prune_after", "prune_after_trials"):
            require(getattr(self, key) >= 0, key, getattr(self, key), "0 or more")
        for key in ("trials", "jobs", "report_every", "failures"):
            require(getattr(self, key) > 0, key, getattr(self, key), "above 0")
        require(self.minutes is None or self.minutes > 0, "minutes", self.minutes, "above 0")
        different = len(set(self.seeds)) == len(self.seeds) > 0 and min(self.seeds) >= 0
        require(different, "seeds", self.seeds, "different numbers, each 0 or more")
        require(self.sampler in SAMPLERS, "sampler", self.sampler, " or ".join(SAMPLERS))
        require(self.pruner in PRUNERS, "pruner", self.pruner, " or ".join(PRUNERS))
        kinds = [one.name for one in fields(OpponentsConfig)]
        require(self.watch in kinds, "watch", self.watch, " or ".join(kinds))
        if isinstance(self.deals, int):
            require(self.deals > 0, "deals", self.deals, "above 0")
            inside = self.first_deal >= 0 and self.first_deal + self.deals <= 2**32
            require(inside, "first_deal", self.first_deal, "0 or more, all deals below 2**32")
        for override in self.run:
            _check_shared(override, "run", "a sweep")
        search_space(self.space)


@dataclass
class RunsConfig:
    """One listing of `experiments.runs`."""

    folder: str = setting("runs", "Where run folders lie; relative to where you are.")
    format: str = setting("table", "How they are shown: table, csv or json.")
    sort: str = setting("name", "What comes first: name, decisions, strength or seconds.")

    def __post_init__(self) -> None:
        for key, known in (
            ("format", ("table", "csv", "json")),
            ("sort", ("name", "decisions", "strength", "seconds")),
        ):
            value = getattr(self, key)
            require(value in known, key, value, " or ".join(known))


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
class ExportConfig:
    """One run of `experiments.export`."""

    run: str | None = setting(None, "Folder of the run whose weights are exported.")
    checkpoint: str = setting("final", "Which checkpoint of the folder, by name.")
    name: str | None = setting(None, "Name of the agent and of its files, as in ppo-v1.")
    folder: str | None = setting(None, "Where the files go; none is the package itself.")
    card: str | None = setting(None, "Folder of the model card; none is docs/models or `folder`.")
    weaknesses: str | None = setting(None, "File with the card's text about known weaknesses.")
    decisions: int = setting(10_000, "Decisions on which file and checkpoint are compared.")
    overwrite: bool = setting(False, "Replace files of this name that are there already.")
    unfinished: bool = setting(False, "Take weights from before the end of the schedules.")

    def __post_init__(self) -> None:
        right = self.name is None or bool(re.fullmatch(r"[a-z0-9][a-z0-9._-]*", self.name))
        require(right, "name", self.name, "made of a-z, 0-9, dots and dashes")
        require(self.decisions > 0, "decisions", self.decisions, "above 0")


@dataclass
class ArenaConfig:
    """One run of `experiments.arena`."""

    agents: list[str] = setting(
        ["random", "heuristic", "expert"], "Who plays: names or runs; two or more."
    )
    deals: int | str = setting("deals-v1", "Deals of each pair: a number, or a set (deals-v1).")
    first_deal: int = setting(0, "Seed of the first deal, where `deals` is a number.")
    seed: int = setting(0, "Seed of the players' own choices.")
    deterministic: bool = setting(True, "Trained agents play their most probable move.")
    searching: list[str] = setting([], "Agents whose pairs play the first `search_deals` only.")
    search_deals: int = setting(200, "Deals of each pair with an agent that searches.")
    jobs: int = setting(1, "Processes of one thread for pairs; 1 is this one, 0 one a core.")
    env: EnvConfig = field(default_factory=EnvConfig, metadata={"help": "The game."})
    reference: str | None = setting(None, "Agent rated 0; none is random, else the first.")
    resamples: int = setting(1000, "Draws of all deals behind the intervals of ratings.")
    games: int = setting(4096, "Games of one compiled call; no result depends on it.")
    name: str = setting("arena", "Last part of the arena folder's name.")
    folder: str = setting("arenas", "Where arena folders lie; relative to where you start.")
    resume: str | None = setting(None, "Arena folder to finish; it may be given more agents.")
    report: str | None = setting(None, "Arena folder to show again; nothing is played.")

    def __post_init__(self) -> None:
        require(len(self.agents) >= 2, "agents", self.agents, "two or more")
        twice = sorted({one for one in self.agents if self.agents.count(one) > 1})
        require(not twice, "agents", self.agents, f"different agents; twice: {', '.join(twice)}")
        unknown = [name for name in self.searching if name not in self.agents]
        require(not unknown, "searching", unknown, f"among {', '.join(self.agents)}")
        require(self.search_deals > 0, "search_deals", self.search_deals, "above 0")
        require(self.jobs >= 0, "jobs", self.jobs, "0 or more")
        _check_deals(self.deals, self.first_deal)
        require(self.seed >= 0, "seed", self.seed, "0 or more")
        require(self.resamples >= 100, "resamples", self.resamples, "100 or more")
        require(self.games > 0, "games", self.games, "above 0")
        require(bool(self.name) and "/" not in self.name, "name", self.name, "one word")
        both = self.resume is None or self.report is None
        require(both, "report", self.report, "left out where resume is given")


LADDER = (
    "random", "greedy", "heuristic", "expert", "mc100", "ismcts", "ppo-v1", "ppo-v1+search",
)  # fmt: skip
SEARCHERS = ("mc100", "ismcts", "ppo-v1+search")


@dataclass
class LeaderboardConfig(ArenaConfig):
    """One run of `experiments.leaderboard`: an arena with a page about it."""

    agents: list[str] = setting(list(LADDER), "Who plays: names or runs; two or more.")
    searching: list[str] = setting(
        list(SEARCHERS), "Agents whose pairs play the first `search_deals` only."
    )
    jobs: int = setting(0, "Processes of one thread for pairs; 1 is this one, 0 one a core.")
    name: str = setting("leaderboard", "Last part of the arena folder's name.")
    page: str = setting("docs", "Folder for leaderboard.md and its pictures.")

    def __post_init__(self) -> None:
        absent = [name for name in SEARCHERS if name not in self.agents]
        self.searching = [name for name in self.searching if name not in absent]
        super().__post_init__()


@dataclass
class PlayStatsConfig:
    """One run of `experiments.play_stats`."""

    arena: str | None = setting(None, "Arena folder whose games are watched again.")
    games: int = setting(1000, "Games of each pair that are watched, the first ones; 0 is all.")
    agents: list[str] = setting([], "Whose play is shown, in any of these games; none is all.")
    page: str | None = setting("docs", "Folder for play.md and its pictures; none writes neither.")

    def __post_init__(self) -> None:
        require(bool(self.arena), "arena", self.arena, "an arena folder, as in arena=arenas/first")
        require(self.games >= 0, "games", self.games, "0 or more")


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
        _check_seeds(self.seeds)
        require(self.jobs >= 0, "jobs", self.jobs, "0 or more")
        require(bool(self.name) and "/" not in self.name, "name", self.name, "one word")
        _check_agent(self.agent)
        _check_train(self.train)
        _check_evaluate(self.evaluate)


@dataclass
class AblateConfig:
    """One run of `experiments.ablate`."""

    variants: dict[str, list[str]] = setting({}, "Names and overrides of a run that make each.")
    run: list[str] = setting([], "Overrides of `experiments.train` that all variants share.")
    seeds: list[int] = setting([0, 1, 2], "One run of every variant for each.")
    jobs: int = setting(1, "Processes at once, one thread each; 0 is one for each core.")
    name: str = setting("ablations", "Name of the folder that holds all runs.")
    folder: str = setting("runs", "Where that folder lies; relative to where you are.")
    write: str = setting("docs", "Folder for the page and its picture; relative to where you are.")

    def __post_init__(self) -> None:
        require(bool(self.variants), "variants", self.variants, "one or more, as in {large: [...]}")
        _check_seeds(self.seeds)
        require(self.jobs >= 0, "jobs", self.jobs, "0 or more")
        for name in (self.name, *self.variants):
            require(bool(name) and "/" not in name, "name", name, "one word")
        for override in self.run:
            _check_shared(override, "run", "an ablation")
        for name, overrides in self.variants.items():
            for override in overrides:
                _check_shared(override, f"variants.{name}", "an ablation")


@dataclass
class BenchConfig:
    """One run of `experiments.bench`."""

    games: int = setting(4096, "Games played side by side.")
    seconds: float = setting(0.5, "Length of one measurement.")
    repeats: int = setting(5, "Measurements of each row; the table gives their median.")
    threads: list[int] = setting([], "Numbers of threads to measure; none is 1, 2, 4, ... all.")
    moments: int = setting(2000, "Records of each kind of question.")
    groups: list[str] | None = setting(None, "Groups of rows to measure; none is all.")
    training: bool = setting(False, "Measure the environment's part of PPO training, too; once.")
    cold: bool = setting(False, "Measure start-up from an empty cache, too; once.")
    peers: list[str] | None = setting(None, "Peers; none is all that `make bench-peers` made.")
    peers_folder: str = setting("build/peers", "Where the environments of the peers lie.")
    results: str = setting("build/bench.json", "File that the results are kept in.")
    page: str | None = setting(None, "File of results to show instead of measuring.")
    write: str | None = setting(None, "Folder for the page and its picture; none writes neither.")

    def __post_init__(self) -> None:
        for key in ("games", "seconds", "repeats", "moments"):
            require(getattr(self, key) > 0, key, getattr(self, key), "above 0")
        require(all(n > 0 for n in self.threads), "threads", self.threads, "above 0")


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


@dataclass
class RecordConfig:
    """One run of `experiments.record`."""

    agents: list[str] = setting(
        ["heuristic", "expert"], "Names or runs; each pair plays every deal in both seats."
    )
    games: int = setting(1000, "Games to play; a whole number of deals for all pairs.")
    out: str | None = setting(None, "Folder of the recording, as in data/first.")
    seed: int = setting(0, "Seed of the players' own choices.")
    first_deal: int = setting(2**32, "Seed of the first deal; evaluation's lie below 2**32.")
    deals: str | None = setting(None, "A set to take the deals from instead, as in deals-v1.")
    evaluation_deals: bool = setting(False, "Record deals that are kept for evaluation, too.")
    card_set: str | None = setting(None, "Card set: a name, or a path; none is the default one.")
    rules: dict[str, Any] = setting({}, "Rules options that differ from the card set's own.")
    file_games: int = setting(1024, "Most games in one file, in blocks of up to 128.")
    resume: bool = setting(False, "Go on with a recording that was interrupted.")
    check: str | None = setting(None, "Folder of a recording to play again and compare.")

    def __post_init__(self) -> None:
        names, n = self.agents, len(self.agents)
        require(bool(n) and len(set(names)) == n, "agents", names, "one name or more, each once")
        together = max(1, n * (n - 1))  # games of one deal
        above = -(-max(1, self.games) // together) * together
        right = f"a multiple of {together} (every pair plays a deal twice), as {above}"
        require(self.games == above, "games", self.games, right)
        require(self.seed >= 0, "seed", self.seed, "0 or more")
        require(self.first_deal >= 0, "first_deal", self.first_deal, "0 or more")
        named = self.deals is not None and self.first_deal != 2**32
        require(not named, "first_deal", self.first_deal, "left out where deals names a set")
        require(self.file_games > 0, "file_games", self.file_games, "above 0")


def require(true: bool, key: str, value: Any, right: str) -> None:
    """Raise a ConfigError unless a setting is in its range."""
    if not true:
        raise ConfigError(f"{key}: must be {right}, not {value!r}")


def _check_seeds(seeds: list[int]) -> None:
    right = bool(seeds) and len(set(seeds)) == len(seeds) and min(seeds) >= 0
    require(right, "seeds", seeds, "one or more, 0 or higher, none twice")


def _check_agent(agent: AgentConfig) -> None:
    for key in ("trunk", "policy", "value"):
        widths = getattr(agent, key)
        require(all(w > 0 for w in widths), f"agent.{key}", widths, "a list of widths above 0")
    known = ("relu", "tanh", "silu")
    require(agent.activation in known, "agent.activation", agent.activation, " or ".join(known))
    critics = ("seen", "full")
    require(agent.critic in critics, "agent.critic", agent.critic, " or ".join(critics))


def _check_train(train: TrainConfig) -> None:
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


def _check_evaluate(evaluate: EvaluateConfig) -> None:
    require(evaluate.games >= 2, "evaluate.games", evaluate.games, "2 or more")
    require(evaluate.seed >= 0, "evaluate.seed", evaluate.seed, "0 or more")
    _check_deals(evaluate.deals, evaluate.first_deal, "evaluate.")


def _check_deals(deals: int | str, first: int, above: str = "") -> None:
    if isinstance(deals, str):  # which sets there are, the experiment knows
        require(first == 0, f"{above}first_deal", first, f"0 where {above}deals is a name")
    else:
        require(deals > 0, f"{above}deals", deals, "above 0")
        inside = first >= 0 and first + deals <= 2**32
        require(inside, f"{above}first_deal", first, "0 or more, all deals below 2**32")


# ---- search spaces


SAMPLERS = ("tpe", "random")
PRUNERS = ("median", "halving", "none")
GROUPS = ("env", "agent", "train")
OWN = {
    "seed": "seeds", "name": "name", "folder": "folder", "resume": "resume",
    "evaluate": "opponent, deals and deterministic", "train.minutes": "train.decisions",
}  # fmt: skip
PARTS = ("low", "high", "log", "step", "choices")


def search_space(space: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what a sweep searches, one checked entry for each key of a run.

    Args:
        space: dotted or nested keys of a run, or of a group (`agent`), to an entry: `low` and
            `high` with `log` or `step`, or `choices`. None in an entry's place takes it out.

    Returns:
        Dotted key to {"kind": int or float, "low", "high", "log", "step"}, or to {"choices"}.

    Raises:
        ConfigError: a key is none of a run's, or an entry cannot be; names both.
    """
    return {key: _entry(key, entry) for key, entry in _entries(space) if entry is not None}


def _entries(space: dict[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (dotted key, entry), whichever way the keys are nested."""
    kinds = {key: kind for key, kind, *_ in settings(RunConfig)}
    for name, entry in space.items():
        key = f"{above}{name}"
        section = any(known.startswith(f"{key}.") for known in kinds)
        whole = entry is None or (isinstance(entry, dict) and set(entry) & set(PARTS))
        for own, instead in OWN.items():
            if key == own or key.startswith(f"{own}."):
                raise ConfigError(f"space.{key}: a sweep sets this itself; see its {instead}")
        if key in kinds or (key in GROUPS and whole):
            yield key, entry
        elif section and isinstance(entry, dict):
            yield from _entries(entry, f"{key}.")
        elif section:
            raise ConfigError(f"space.{key}: must hold settings below it, not {entry!r}")
        else:
            near = nearest(key, RunConfig)
            hint = f"; the nearest is {near}" if near else ""
            raise ConfigError(f"space.{key}: a run has no such setting{hint}")


def _entry(key: str, entry: Any) -> dict[str, Any]:
    """Check one entry of a search space and fill in what it leaves out."""
    where = f"space.{key}"
    right = "{low, high} with log or step, or {choices}"
    require(isinstance(entry, dict), where, entry, right)
    for part in entry:
        near = get_close_matches(part, PARTS, 1)
        hint = f"; the nearest is {near[0]}" if near else ""
        if part not in PARTS:
            raise ConfigError(f"{where}.{part}: there is no such part{hint} (it is {right})")
    if "choices" in entry:
        return _choices(where, entry)
    kind = {key: kind for key, kind, *_ in settings(RunConfig)}.get(key, "group")
    number = {"int": int, "float": float}.get(kind.partition(" ")[0])
    require(number is not None, where, entry, f"{{choices}}, as a {kind} has no range")
    return _range(where, entry, number)


def _choices(where: str, entry: dict[str, Any]) -> dict[str, Any]:
    choices = entry["choices"]
    require(set(entry) == {"choices"}, where, entry, "choices alone, or low and high")
    several = isinstance(choices, list) and len(choices) > 1
    require(several, f"{where}.choices", choices, "a list of two or more")
    repeated = any(one in choices[:at] for at, one in enumerate(choices))
    require(not repeated, f"{where}.choices", choices, "different from each other")
    return {"choices": choices}


def _range(where: str, entry: dict[str, Any], kind: type) -> dict[str, Any]:
    found = {"kind": kind, "log": False, "step": None} | entry
    for part in ("low", "high"):
        value = found.get(part)
        fits = isinstance(value, int if kind is int else (int, float)) and value is not True
        require(fits, f"{where}.{part}", value, f"a number of type {kind.__name__}")
    low, high, log, step = (found[part] for part in ("low", "high", "log", "step"))
    require(low < high, where, {"low": low, "high": high}, "a low below its high")
    require(isinstance(log, bool), f"{where}.log", log, "true or false")
    require(not log or low > 0, f"{where}.low", low, "above 0 where log is true")
    require(not log or step is None, f"{where}.step", step, "left out where log is true")
    if step is not None:
        fits = isinstance(step, int if kind is int else (int, float)) and step is not True
        require(fits and 0 < step <= high - low, f"{where}.step", step, "above 0, within the range")
    return {part: found[part] for part in ("kind", "low", "high", "log", "step")}


def _check_shared(override: str, where: str, who: str) -> None:
    """Refuse an override for many runs that is theirs to set who start them, or no "key=value"."""
    key, equals, _ = override.partition("=")
    require(bool(key and equals), where, override, '"key=value", as experiments.train takes it')
    for own in ("seed", "name", "folder", "resume"):
        if key.lstrip("+~") == own:
            raise ConfigError(f"{where}: {override}: {who} sets this itself; see its {OWN[own]}")


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
