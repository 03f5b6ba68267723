"""Write games down for offline learning: `python -m experiments.record out=data/first`.

A recording is a folder of Parquet files with one row for each decision. `read` gives it back as
arrays, `check` plays it again and compares, `to_minari` makes a Minari dataset of it.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numba
import numpy as np

import skirmish_env
from agents import checkpoint
from agents.base import Agent, load
from agents.shipped import NetworkAgent
from configs.schema import ConfigError, RecordConfig
from experiments.launch import launch
from experiments.minari_export import to_minari
from experiments.progress import Display
from experiments.recordings import (
    COLUMNS,
    FILES,
    FORMAT,
    FORMAT_VERSION,
    Recording,
    RecordingError,
    pa,
    pq,
    read,
    read_metadata,
    schema,
    to_table,
)
from experiments.seeds import EVALUATION_SEEDS, TRAINING_SEEDS, chosen_deals, stream
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK, CardSet, Game, IllegalAction
from skirmish_env.views import View

__all__ = ["COLUMNS", "Recording", "RecordingError", "check", "read", "record", "to_minari"]

STOPPED = 130  # exit status after Ctrl-C

# Games of a block are played side by side and share a generator, so their number is part of what
# a seed means. A block is a row group.
BLOCK = 128


# ---- who plays what


@dataclass(frozen=True)
class Plan:
    """All games of a recording, in order: deal by deal, pair by pair, then seats swapped.

    Attributes:
        players: (G, 2) numbers of agents by seat.
        deals: int64 (G,) seeds.
        blocks: (first game, end) of each block.
    """

    players: np.ndarray
    deals: np.ndarray
    blocks: list[tuple[int, int]]

    @classmethod
    def of(cls, config: RecordConfig) -> Plan:
        """Plan the games of a config.

        Raises:
            ConfigError: deals that do not exist, or that are kept for evaluation.
        """
        tables = tables_of(len(config.agents))
        deals = choose_deals(config, config.games // len(tables))
        together = max(1, BLOCK // len(tables)) * len(tables)
        games = len(deals) * len(tables)
        blocks = [(at, min(at + together, games)) for at in range(0, games, together)]
        return cls(np.tile(tables, (len(deals), 1)), np.repeat(deals, len(tables)), blocks)

    def files(self, most_games: int) -> list[list[tuple[int, int]]]:
        """Return the blocks of each file, as many as hold at most so many games.

        Raises:
            ConfigError: a block has more games than that.
        """
        block = self.blocks[0][1] - self.blocks[0][0]
        if most_games < block:
            raise ConfigError(f"file_games: must be {block} or more, the games of a block")
        many = most_games // block
        return [self.blocks[at : at + many] for at in range(0, len(self.blocks), many)]


def tables_of(agents: int) -> list[tuple[int, int]]:
    """Return who sits where in the games of one deal: every pair twice, one agent with itself."""
    if agents == 1:
        return [(0, 0)]
    return [seats for a, b in combinations(range(agents), 2) for seats in ((a, b), (b, a))]


def choose_deals(config: RecordConfig, n: int) -> np.ndarray:
    """Return the seeds int64 (n,) of a config's deals.

    Raises:
        ConfigError: there are no such deals, or they are kept for evaluation.
    """
    if config.deals is None:
        first = config.first_deal
        if first + n > TRAINING_SEEDS.stop:
            raise ConfigError(f"first_deal: all deals lie below {TRAINING_SEEDS.stop}")
        found = np.arange(first, first + n, dtype=np.int64)
    else:
        try:
            found = chosen_deals(config.deals)
        except ValueError as error:
            raise ConfigError(str(error)) from error
        if len(found) < n:
            raise ConfigError(f"games: {config.deals} has {len(found)} deals; {n} are needed")
        found = found[:n].copy()
    if int(found[0]) in EVALUATION_SEEDS and not config.evaluation_deals:
        where = "first_deal" if config.deals is None else "deals"
        raise ConfigError(
            f"{where}: deals below {EVALUATION_SEEDS.stop} are kept for evaluation; who learns "
            "from them cannot be measured on them (evaluation_deals=true records them anyway)"
        )
    return found


def load_agents(names: list[str], game: Game) -> list[Agent]:
    """Load agents by names or runs; ConfigError where there is none."""
    try:
        return [load(name, game=game) for name in names]
    except ValueError as error:
        raise ConfigError(f"agents: {error}") from error


def described(names: list[str], agents: list[Agent]) -> list[dict[str, str]]:
    """Return each agent's name, and what its checkpoint is where it has one."""
    found = [{"name": name} for name in names]
    for one, agent in zip(found, agents, strict=True):
        if isinstance(agent, NetworkAgent):
            one["sha256"] = agent.sha256
        elif hasattr(type(agent), "load") and Path(one["name"]).expanduser().exists():
            file = checkpoint.find(one["name"])
            one["checkpoint"] = file.stem
            one["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
    return found


# ---- play

Chooser = Callable[[View, np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def play_block(
    choose: Chooser, players: np.ndarray, deals: np.ndarray, cards: CardSet, game: Game
) -> dict[str, np.ndarray]:
    """Play games side by side; return a column for each fact of a decision, game by game.

    Args:
        choose: `(view, player, game, number)` gives actions int64 (n,), from what the viewers
            see, the number of each row's player, its game and the number of its decision.
        players: (G, 2) numbers of players by seat.
        deals: int64 (G,) seeds.
        cards, game: what is played.

    Returns:
        Arrays (rows, ...), ordered by game and decision. Words are numbers here, `game` is the
        row in `players`. "final" is float32 (G, seats, D), what each seat sees at the end.
    """
    batch = Batch(len(deals), card_set=cards, game=game)
    batch.deal(deals)
    counts = np.zeros(len(deals), np.int32)
    steps: list[dict[str, np.ndarray]] = []
    while (live := np.flatnonzero(~batch.over)).size:
        view = batch.view(live)
        seats = batch.seat[live]
        step = {
            "game": live, "number": counts[live], "seat": seats,
            "player": players[live, seats], "other": players[live, 1 - seats],
            "turn": batch.turns[live], "question": batch.states["question"][live],
            "observation": view.observation.copy(), "mask": view.mask.copy(),
        }  # fmt: skip
        actions = choose(view, step["player"], live, step["number"])
        steps.append({**step, "action": actions.astype(np.int16)})
        batch.step(actions, live)
        counts[live] += 1
    return _with_results(steps, batch)


def by_agents(agents: list[Agent], rng: np.random.Generator) -> Chooser:
    """Let agents choose: each is asked once for all of its rows, and sees their views alone."""

    def choose(view: View, player: np.ndarray, *_: np.ndarray) -> np.ndarray:
        actions = np.empty(len(view), np.int64)
        for number in np.unique(player):
            rows = np.flatnonzero(player == number)
            actions[rows] = agents[number].act(view[rows], rng)
        return actions

    return choose


def _with_results(steps: list[dict[str, np.ndarray]], batch: Batch) -> dict[str, np.ndarray]:
    """Join the steps of a block, and add what only the end of a game tells."""
    if not steps:
        raise ConfigError("rules: under these rules games end before anybody decides")
    joined = {key: np.concatenate([step[key] for step in steps]) for key in steps[0]}
    order = np.lexsort((joined["number"], joined["game"]))
    rows = {key: column[order] for key, column in joined.items()}
    games, seats = rows["game"], rows["seat"]
    last = np.zeros((len(batch), len(batch.game.seats)), np.int64)
    last[games, seats] = np.arange(len(games))  # the highest row is written last
    rows["ended"] = last[games, seats] == np.arange(len(games))
    rows["return"] = batch.rewards[games, seats]
    rows["reward"] = np.where(rows["ended"], rows["return"], np.float32(0))
    rows["winner"] = batch.winner[games]
    rows["ending"] = batch.ending[games]
    everyone = np.arange(len(batch))
    viewers = [np.full(len(batch), seat) for seat in range(len(batch.game.seats))]
    rows["final"] = np.stack([batch.observe(everyone, viewer) for viewer in viewers], axis=1)
    return rows


# ---- files


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Give a path to write to, and its name to what lies there when nothing went wrong."""
    part = path.with_name(f".{path.name}.unfinished")
    try:
        yield part
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_file(path: Path, tables: Iterable[pa.Table], kinds: pa.Schema) -> int:
    """Write tables as row groups of one file; return its rows. One is written while one is played.

    The file has its name only when it is complete.
    """
    rows = 0
    pending: Future[Any] | None = None
    with (
        new_file(path) as part,
        pq.ParquetWriter(part, kinds, compression="zstd", use_dictionary=True) as writer,
        ThreadPoolExecutor(1) as pool,
    ):
        for table in tables:
            if pending is not None:
                pending.result()
            pending = pool.submit(writer.write_table, table, row_group_size=table.num_rows)
            rows += table.num_rows
        if pending is not None:
            pending.result()
    return rows


# ---- the experiment


def record(config: RecordConfig) -> dict[str, Any]:
    """Play games between agents and write every decision to Parquet files, or check a recording."""
    if config.check is not None:
        return check_and_tell(config)
    if config.out is None:
        raise ConfigError("out: name a folder for the recording, as in out=data/first")
    game = NEW_YORK
    try:
        cards = game.load(config.card_set, config.rules)
    except (ValueError, OSError) as error:
        raise ConfigError(f"card_set: {error}") from error
    plan = Plan.of(config)
    agents = load_agents(config.agents, game)
    about = metadata(config, plan, described(config.agents, agents), game, cards)
    out = Path(config.out).expanduser()
    missing = missing_files(out, plan.files(config.file_games), about, config.resume)
    done = config.games - sum(blocks[-1][1] - blocks[0][0] for _, blocks, _ in missing)
    began = time.monotonic()
    rows = 0
    with Display(config.games, done, unit="games") as display:

        def tables(blocks: list[tuple[int, int]]) -> Iterator[pa.Table]:
            nonlocal done
            for first, end in blocks:
                choose = by_agents(agents, stream(config.seed, "moves", first))
                numbers, deals = np.arange(first, end), plan.deals[first:end]
                played = play_block(choose, plan.players[first:end], deals, cards, game)
                yield to_table(played, numbers, deals, config.agents, game)
                done += end - first
                display.show(done, {}, last=done == config.games)

        try:
            for path, blocks, of_file in missing:
                rows += write_file(path, tables(blocks), schema(game, of_file))
        except KeyboardInterrupt:
            print(f"Stopped; resume=true goes on in {out}", file=sys.stderr)
            sys.exit(STOPPED)
    return summary(out, rows, time.monotonic() - began)


def summary(out: Path, rows: int, seconds: float) -> dict[str, Any]:
    """Say what was written, and return the numbers."""
    recording = read(out)
    size = sum(path.stat().st_size for path in recording.paths)
    facts = {
        "games": recording.metadata["games"],
        "rows": len(recording),
        "files": len(recording.paths),
        "bytes_a_row": size / max(1, len(recording)),
        "rows_a_second": rows / max(seconds, 1e-9),
    }
    print(
        f"{facts['rows']:,} decisions of {facts['games']:,} games in {facts['files']} files, "
        f"{facts['bytes_a_row']:.0f} bytes each; {rows:,} new, {facts['rows_a_second']:,.0f}/s"
    )
    return facts


def metadata(
    config: RecordConfig, plan: Plan, agents: list[dict[str, str]], game: Game, cards: CardSet
) -> dict[str, Any]:
    """Return what a recording tells about itself; the same settings give the same."""
    as_replay = game.proof.replay({}, [], cards)
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        **checkpoint.layouts(game),
        **{key: as_replay[key] for key in ("rules_version", "card_set", "rules")},
        "skip_forced": True,
        "agents": agents,
        "games": config.games,
        "seed": config.seed,
        "deals": {
            "set": config.deals,
            "first": int(plan.deals[0]),
            "last": int(plan.deals[-1]),
            "for_evaluation": int(plan.deals[0]) in EVALUATION_SEEDS,
        },
        "block": BLOCK,
        "file_games": config.file_games,
        "versions": {
            "skirmish_env": skirmish_env.__version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "numba": numba.__version__,
            "pyarrow": pa.__version__,
        },
    }


def missing_files(
    out: Path, files: list[list[tuple[int, int]]], about: dict[str, Any], resume: bool
) -> list[tuple[Path, list[tuple[int, int]], dict[str, Any]]]:
    """Return path, blocks and metadata of each file that is still to be written.

    Raises:
        ConfigError: a recording lies there and `resume` was not asked for, or another one.
    """
    out.mkdir(parents=True, exist_ok=True)
    present = sorted(out.glob(FILES))
    if present and not resume:
        raise ConfigError(
            f"out: a recording lies in {out}; resume=true goes on with it, another folder "
            "starts a new one"
        )
    wanted = {}
    for number, blocks in enumerate(files):
        games = [blocks[0][0], blocks[-1][1]]
        of_file = {**about, "file": {"number": number, "of": len(files), "games": games}}
        wanted[out / f"part-{number:05d}.parquet"] = blocks, of_file
    for path in present:
        _same_recording(path, wanted[path][1] if path in wanted else about)
    for left in out.glob(".part-*.unfinished"):
        left.unlink()
    return [(path, *rest) for path, rest in wanted.items() if path not in present]


def _same_recording(path: Path, wanted: dict[str, Any]) -> None:
    found = read_metadata(path)
    wanted = json.loads(json.dumps(wanted))
    wrong = [
        f"{key} {found.get(key)!r} where this is {wanted.get(key)!r}"
        for key in sorted({*found, *wanted})
        if found.get(key) != wanted.get(key)
    ]
    if wrong:
        raise ConfigError(f"resume: {path} is of another recording: {'; '.join(wrong)}")


# ---- playing a recording again


def check(folder: str | Path, *, card_set: Any = None, game: Game = NEW_YORK) -> tuple[int, int]:
    """Deal the games of a recording again, take the actions, and compare every column.

    Args:
        folder: the recording.
        card_set: name or path of its card set, where it is not the default one.
        game: what was played.

    Returns:
        How many games and decisions were compared.

    Raises:
        RecordingError: not this card set, or names game, decision and column that differ.
    """
    recording = read(folder, game=game)
    cards = game.load(card_set, recording.metadata["rules"])
    if cards.hash != recording.metadata["card_set"]["hash"]:
        raise RecordingError(
            f"{folder}: recorded with the card set {recording.metadata['card_set']}, not with "
            f"{cards.name!r} ({cards.hash}): name its file"
        )
    games = 0
    for path, number, _ in recording.groups:
        stored = recording.rows_of(path, number, list(COLUMNS))
        again = recording.decoded(_played_again(stored, cards, game, path))
        _compare(stored, again, path)
        games += len(np.unique(stored["game"]))
    return games, len(recording)


def _played_again(
    stored: dict[str, np.ndarray], cards: CardSet, game: Game, path: Path
) -> pa.Table:
    """Deal the games of stored rows, take their actions, and return the table that this gives."""
    numbers, first, place = np.unique(stored["game"], return_index=True, return_inverse=True)
    actions = np.full((len(numbers), int(stored["number"].max()) + 1), -1, np.int64)
    actions[place, stored["number"]] = stored["action"]
    names, sides = np.unique([stored["agent"], stored["opponent"]], return_inverse=True)
    mine, other = sides.reshape(2, -1)[:, first]
    seats = np.array([game.seats.index(seat) for seat in stored["seat"][first]])
    players = np.stack([np.where(seats == 0, mine, other), np.where(seats == 0, other, mine)], 1)

    def choose(view: View, player: np.ndarray, games: np.ndarray, number: np.ndarray) -> Any:
        gone = number >= actions.shape[1]
        return np.where(gone, -1, actions[games, np.where(gone, 0, number)])

    deals = stored["deal"][first]
    try:
        rows = play_block(choose, players, deals, cards, game)
    except IllegalAction as error:
        raise RecordingError(
            f"{path}: does not replay (its games start with {numbers[0]}): {error}"
        ) from error
    return to_table(rows, numbers, deals, names.tolist(), game)


def _compare(stored: dict[str, np.ndarray], again: dict[str, np.ndarray], path: Path) -> None:
    """Raise a RecordingError at the first decision and column that differ."""
    games = stored["game"]
    if not np.array_equal(games, again["game"]):
        n = min(len(games), len(again["game"]))
        row = int((games[:n] != again["game"][:n]).argmax()) if n else 0
        raise RecordingError(f"{path}: game {games[row]}: has another number of decisions")
    for name in COLUMNS:
        left, right = stored[name], again[name]
        if name == "final_observation":
            wrong = np.array([not np.array_equal(*pair) for pair in zip(left, right, strict=True)])
        else:
            wrong = (left != right).reshape(len(games), -1).any(axis=1)
        if wrong.any():
            row = int(wrong.argmax())
            raise RecordingError(
                f"{path}: game {games[row]}, decision {stored['number'][row]}: the column "
                f"{name!r} is not what the game gives when it is played again"
            )


def check_and_tell(config: RecordConfig) -> dict[str, Any]:
    """Check the recording that a config names; return what was compared."""
    try:
        games, rows = check(config.check, card_set=config.card_set)
    except RecordingError as error:
        raise ConfigError(f"check: {error}") from error
    print(f"{rows:,} decisions of {games:,} games replay")
    return {"games": games, "rows": rows}


def main() -> None:
    """Record with the settings of the command line."""
    launch(record, "record")


if __name__ == "__main__":
    main()
