"""Write games down for offline learning: `python -m experiments.record out=data/first`.

A recording is a folder of Parquet files with one row for each decision (`COLUMNS`). `read` gives
it back as arrays, `check` plays it again and compares, `to_minari` makes a Minari dataset of it.
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
from functools import cached_property
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import gymnasium
import numba
import numpy as np

import skirmish_env
from agents import checkpoint
from agents.base import Agent, load
from configs.schema import ConfigError, RecordConfig
from experiments.launch import launch
from experiments.progress import Display
from experiments.seeds import EVALUATION_SEEDS, TRAINING_SEEDS, chosen_deals, stream
from skirmish_env.batch import Batch
from skirmish_env.game import NEW_YORK, CardSet, Game, IllegalAction
from skirmish_env.views import View

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as error:
    raise ImportError(
        "recordings are Parquet files and need the extra: pip install 'skirmish-env[train,data]'"
    ) from error

FORMAT = "skirmish-recording"
FORMAT_VERSION = 1
METADATA = b"skirmish_recording"  # key in the metadata of a file's schema, of JSON
FILES = "part-*.parquet"
DRAW = "draw"
MINARI_ROOT = "MINARI_DATASETS_PATH"
STOPPED = 130  # exit status after Ctrl-C

# Games of a block are played side by side and share a generator, so their number is part of what
# a seed means. A block is a row group.
BLOCK = 128

COLUMNS = {
    "game": "int64: number of the game in the recording",
    "deal": "int64: the seed that it was dealt from",
    "number": "int32: number of the decision in the game, both seats counted, from 0",
    "seat": "words: who decides",
    "agent": "words: who plays this seat, as `agents` names it",
    "opponent": "words: who plays the other seat",
    "turn": "int16: number of the turn",
    "question": "words: the question that is answered",
    "observation": "float32 (D,): what this seat sees before the decision",
    "mask": "bits (A,), eight a byte, the lowest first: 1 for legal actions; int8 when read",
    "action": "int16: the action taken",
    "move": "words: the same",
    "reward": "float32: of this seat for this step: 0, and the result on its last decision",
    "return": "float32: rewards of this seat from here to its end, undiscounted",
    "ended": "bool: this is the seat's last decision",
    "winner": f"words: the seat that wins the game, or {DRAW!r}",
    "ending": "words: how the game ends",
    "final_observation": "float32 (D,) on a seat's last decision: what it sees after the game's "
    "end; empty elsewhere",
}  # fmt: skip


class RecordingError(ValueError):
    """A recording that is missing, damaged, of another layout, or does not replay."""


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
        """Return the blocks of each file: as many as hold at most so many games, at least one."""
        many = max(1, most_games // (self.blocks[0][1] - self.blocks[0][0]))
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
        if hasattr(type(agent), "load"):
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


# ---- Parquet


def schema(game: Game, about: dict[str, Any] | None = None) -> pa.Schema:
    """Return the columns of a file; `about` is kept as its metadata."""
    words = pa.dictionary(pa.int16(), pa.string())
    numbers = pa.list_(pa.field("item", pa.float32(), nullable=False), game.observation_size)
    kinds = {
        "game": pa.int64(), "deal": pa.int64(), "number": pa.int32(), "turn": pa.int16(),
        "observation": numbers, "mask": pa.binary((game.action_count + 7) // 8),
        "action": pa.int16(), "reward": pa.float32(), "return": pa.float32(), "ended": pa.bool_(),
        "final_observation": pa.list_(pa.field("item", pa.float32(), nullable=False)),
    }  # fmt: skip
    fields = [pa.field(name, kinds.get(name, words), nullable=False) for name in COLUMNS]
    metadata = {METADATA: json.dumps(about, sort_keys=True)} if about else None
    return pa.schema(fields, metadata)


def to_table(
    rows: dict[str, np.ndarray], numbers: np.ndarray, deals: np.ndarray, names: list[str],
    game: Game,
) -> pa.Table:  # fmt: skip
    """Lay the rows of a block out as a table; `numbers` and `deals` (G,) are of its games."""
    kinds = schema(game)
    winners = [*game.seats, DRAW]
    words = {
        "seat": (rows["seat"], game.seats),
        "agent": (rows["player"], names),
        "opponent": (rows["other"], names),
        "question": (rows["question"], game.questions),
        "move": (rows["action"], game.moves),
        "winner": (np.where(rows["winner"] < 0, len(game.seats), rows["winner"]), winners),
        "ending": (rows["ending"], game.endings),
    }
    ended = rows["ended"]
    finals = rows["final"][rows["game"][ended], rows["seat"][ended]]
    ends = np.concatenate([[0], np.cumsum(ended)]) * game.observation_size
    columns = {
        **{name: rows[name] for name in ("number", "turn", "action", "reward", "return", "ended")},
        **{name: _in_words(*pair) for name, pair in words.items()},
        "game": numbers[rows["game"]],
        "deal": deals[rows["game"]],
        "observation": pa.FixedSizeListArray.from_arrays(
            rows["observation"].reshape(-1), type=kinds.field("observation").type
        ),
        "mask": _packed(rows["mask"]),
        "final_observation": pa.ListArray.from_arrays(
            ends.astype(np.int32), finals.reshape(-1), type=kinds.field("final_observation").type
        ),
    }
    return pa.table([columns[name] for name in COLUMNS], schema=kinds)


def _in_words(codes: np.ndarray, words: Iterable[str]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(codes.astype(np.int16), pa.array(words, pa.string()))


def _packed(masks: np.ndarray) -> pa.Array:
    bits = np.packbits(masks, axis=1, bitorder="little")
    kind = pa.binary(bits.shape[1])
    return pa.Array.from_buffers(kind, len(bits), [None, pa.py_buffer(bits.tobytes())])


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


# ---- reading


def read_metadata(path: Path) -> dict[str, Any]:
    """Return what a file tells about its recording.

    Raises:
        RecordingError: no Parquet file, damaged, no recording, or of another format version.
    """
    try:
        found = pq.read_schema(path).metadata or {}
    except (pa.ArrowInvalid, OSError) as error:
        raise RecordingError(f"{path}: cannot be read: {error}") from error
    if METADATA not in found:
        raise RecordingError(f"{path}: is no file of a recording")
    about = json.loads(found[METADATA])
    if about["format_version"] != FORMAT_VERSION:
        raise RecordingError(
            f"{path}: recording format {about['format_version']!r}; "
            f"this version reads {FORMAT_VERSION}"
        )
    return about


@dataclass(frozen=True)
class Recording:
    """The decisions of a recording, in order: game by game.

    Attributes:
        folder, game: where it lies, and what was played.
        paths: its files.
        metadata: layouts, card set, rules, agents, deals, seeds and versions.

    `len` counts decisions.
    """

    folder: Path
    game: Game
    paths: tuple[Path, ...]
    metadata: dict[str, Any]

    @cached_property
    def groups(self) -> list[tuple[Path, int, int]]:
        """Return (file, number in it, rows) of each row group: whole games, at most 128."""
        found = []
        for path in self.paths:
            about = pq.read_metadata(path)
            counts = [about.row_group(i).num_rows for i in range(about.num_row_groups)]
            found += [(path, i, count) for i, count in enumerate(counts)]
        return found

    def __len__(self) -> int:
        return sum(count for *_, count in self.groups)

    @property
    def complete(self) -> bool:
        """Whether all of its files are there."""
        return len(self.paths) == self.metadata["files"]

    def arrays(self, *columns: str) -> dict[str, np.ndarray]:
        """Return whole columns as arrays (rows, ...).

        An observation has 4 x D bytes, a mask A. Without names: all but "final_observation".
        """
        names = self._checked(columns)
        parts = [self.rows_of(path, i, names) for path, i, _ in self.groups]
        return {name: np.concatenate([part.pop(name) for part in parts]) for name in names}

    def batches(
        self, size: int, *columns: str, rng: np.random.Generator | None = None
    ) -> Iterator[dict[str, np.ndarray]]:
        """Yield columns as arrays (size, ...), the last of them shorter; one pass.

        Only a few row groups are in memory. With `rng` the row groups come in a random order,
        and so do the rows of each.

        Raises:
            ValueError: a size below 1, or a column that there is not.
        """
        if size < 1:
            raise ValueError(f"size: must be above 0, not {size!r}")
        names = self._checked(columns)
        order = np.arange(len(self.groups)) if rng is None else rng.permutation(len(self.groups))
        return self._cut(size, names, [self.groups[at] for at in order], rng)

    def _cut(
        self, size: int, names: list[str], groups: list[tuple[Path, int, int]],
        rng: np.random.Generator | None,
    ) -> Iterator[dict[str, np.ndarray]]:  # fmt: skip
        left: dict[str, np.ndarray] = {}
        for path, i, count in groups:
            rows = self.rows_of(path, i, names)
            if rng is not None:
                mixed = rng.permutation(count)
                rows = {name: column[mixed] for name, column in rows.items()}
            if left:
                rows = {name: np.concatenate([left[name], rows[name]]) for name in names}
            n = len(rows[names[0]])
            for at in range(0, n - size + 1, size):
                yield {name: column[at : at + size] for name, column in rows.items()}
            left = {name: column[n - n % size :] for name, column in rows.items()}
        if left and len(left[names[0]]):
            yield left

    def _checked(self, columns: tuple[str, ...]) -> list[str]:
        for name in columns:
            if name not in COLUMNS:
                raise ValueError(f"columns: there is no {name!r}; there are {', '.join(COLUMNS)}")
        return list(columns) or [name for name in COLUMNS if name != "final_observation"]

    def rows_of(self, path: Path, number: int, names: list[str]) -> dict[str, np.ndarray]:
        """Return columns of a row group."""
        with pq.ParquetFile(path) as file:
            table = file.read_row_group(number, columns=names, use_threads=False)
        return self.decoded(table)

    def decoded(self, table: pa.Table) -> dict[str, np.ndarray]:
        """Return the columns of a table as arrays."""
        return {
            name: self._array(name, table[name].combine_chunks()) for name in table.column_names
        }

    def _array(self, name: str, column: Any) -> np.ndarray:
        if name == "observation":
            flat = column.flatten().to_numpy(zero_copy_only=False)
            return flat.reshape(-1, self.game.observation_size)
        if name == "mask":
            wide = column.type.byte_width
            raw = np.frombuffer(column.buffers()[1], np.uint8)
            bits = raw[column.offset * wide :][: len(column) * wide].reshape(-1, wide)
            whole = np.unpackbits(bits, axis=1, count=self.game.action_count, bitorder="little")
            return whole.view(np.int8)
        if name == "final_observation":
            ends = column.offsets.to_numpy()
            values = column.values.to_numpy(zero_copy_only=False)
            out = np.empty(len(column), object)
            out[:] = [values[a:b] for a, b in pairwise(ends)]
            return out
        if pa.types.is_dictionary(column.type):
            return np.array(column.dictionary.to_pylist())[column.indices.to_numpy()]
        return column.to_numpy(zero_copy_only=False)


def read(folder: str | Path, *, game: Game = NEW_YORK) -> Recording:
    """Open a recording; an interrupted one as far as it is written.

    Raises:
        RecordingError: there is none, a file is damaged, files are of different recordings, or it
            is of another game or of other versions of the layouts (each is named).
    """
    paths = tuple(sorted(Path(folder).expanduser().glob(FILES)))
    if not paths:
        raise RecordingError(f"{folder}: no recording in this folder")
    found = [read_metadata(path) for path in paths]
    files = [about.pop("file") for about in found]
    for path, about in zip(paths, found, strict=True):
        if about != found[0]:
            raise RecordingError(f"{path}: is of another recording than {paths[0].name}")
    wrong = [
        f"{key.replace('_', ' ')} {found[0].get(key)!r} where this is {value!r}"
        for key, value in checkpoint.layouts(game).items()
        if found[0].get(key) != value
    ]
    if wrong:
        raise RecordingError(
            f"{folder}: recorded with {', '.join(wrong)}; use that version of the environment, or "
            "record again"
        )
    return Recording(
        Path(folder).expanduser(), game, paths, {**found[0], "files": files[0]["of"]}
    )


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


# ---- Minari


def to_minari(
    folder: str | Path, dataset_id: str, root: str | Path | None = None, **details: Any
) -> Any:
    """Make a local Minari dataset of a recording: an episode for each seat of each game.

    An episode has `observations` (T + 1, D) with the one after the game's end, `actions` (T,),
    `rewards`, `terminations`, `truncations` (T,) and `infos["action_mask"]` int8 (T + 1, A). Its
    seed is the deal; its metadata name game, seat, agent and opponent.

    Args:
        folder: the recording.
        dataset_id: as Minari names datasets: "skirmish/expert-v0".
        root: folder of all Minari datasets; None takes the variable MINARI_DATASETS_PATH. To load
            the dataset, Minari needs the variable too.
        details: what else `minari.create_dataset_from_buffers` takes, as in `author`.

    Raises:
        ImportError: Minari is not installed.
        ValueError: neither `root` nor the variable is set, or the dataset is there already.
        RecordingError: as in `read`.
    """
    try:
        import minari
    except ImportError as error:
        raise ImportError(
            "Minari needs the extra: pip install 'skirmish-env[train,minari]'"
        ) from error
    if root is None and not os.environ.get(MINARI_ROOT):
        raise ValueError(f"root: name a folder, or set {MINARI_ROOT}")
    recording = read(folder)
    game, about = recording.game, recording.metadata
    agents = [agent["name"] for agent in about["agents"]]
    env = gymnasium.spec(skirmish_env.ENV_ID)
    options = {
        "env": env,
        "eval_env": env,
        "observation_space": gymnasium.spaces.Box(
            game.low, game.high, (game.observation_size,), np.float32
        ),
        "action_space": gymnasium.spaces.Discrete(game.action_count),
        "algorithm_name": ", ".join(agents),
        "description": f"Decisions of both seats of {about['games']:,} games of {game.name}",
        "data_format": "parquet",
        **details,
    }
    with minari_root(root):
        return minari.create_dataset_from_buffers(dataset_id, episodes(recording), **options)


@contextmanager
def minari_root(root: str | Path | None) -> Iterator[None]:
    """Let Minari keep its datasets in a folder for a while; None changes nothing."""
    before = os.environ.get(MINARI_ROOT)
    if root is not None:
        os.environ[MINARI_ROOT] = str(Path(root).expanduser().resolve())
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(MINARI_ROOT, None)
        else:
            os.environ[MINARI_ROOT] = before


def episodes(recording: Recording) -> Iterator[Any]:
    """Yield each seat's stream of a recording as Minari's `EpisodeBuffer`."""
    from minari.data_collector import EpisodeBuffer

    seats = recording.game.seats
    for path, number, _ in recording.groups:
        rows = recording.rows_of(path, number, list(COLUMNS))
        for found in np.unique(rows["game"]):
            for seat in seats:
                at = np.flatnonzero((rows["game"] == found) & (rows["seat"] == seat))
                if len(at):
                    yield EpisodeBuffer(**_episode({k: v[at] for k, v in rows.items()}))


def _episode(rows: dict[str, np.ndarray]) -> dict[str, Any]:
    """Return the fields of an episode from the rows of a seat in a game."""
    masks = rows["mask"]
    return {
        "seed": int(rows["deal"][0]),
        "options": {
            "game": int(rows["game"][0]),
            **{name: str(rows[name][0]) for name in ("seat", "agent", "opponent")},
        },
        "observations": np.concatenate([rows["observation"], rows["final_observation"][-1][None]]),
        "actions": rows["action"].astype(np.int64),
        "rewards": rows["reward"].tolist(),
        "terminations": rows["ended"].tolist(),
        "truncations": [False] * len(masks),
        "infos": {"action_mask": np.concatenate([masks, np.zeros_like(masks[:1])])},
    }


def main() -> None:
    """Record with the settings of the command line."""
    launch(record, "record")


if __name__ == "__main__":
    main()
