"""Settings of what measures agents: arenas, pages about them, a game that is solved."""

# ruff: noqa: RUF009  (`setting` makes a field, and a fresh list or dictionary for each object)

from __future__ import annotations

from dataclasses import dataclass, field

from configs.schema.base import check_deals, require, setting
from configs.schema.run import EnvConfig

LADDER = (
    "random", "greedy", "heuristic", "expert", "mc100", "ismcts", "ppo-v1", "ppo-v1+search",
)  # fmt: skip
SEARCHERS = ("mc100", "ismcts", "ppo-v1+search")


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
        check_deals(self.deals, self.first_deal)
        require(self.seed >= 0, "seed", self.seed, "0 or more")
        require(self.resamples >= 100, "resamples", self.resamples, "100 or more")
        require(self.games > 0, "games", self.games, "above 0")
        require(bool(self.name) and "/" not in self.name, "name", self.name, "one word")
        both = self.resume is None or self.report is None
        require(both, "report", self.report, "left out where resume is given")


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
