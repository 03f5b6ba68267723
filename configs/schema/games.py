"""Settings of what needs no training: speed, the rules under random play, recordings."""

# ruff: noqa: RUF009  (`setting` makes a field, and a fresh list or dictionary for each object)

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from configs.schema.base import require, setting


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
