"""Recordings: folders of Parquet files with one row for each decision, and how to read them.

`experiments.record` writes them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from agents import checkpoint
from skirmish_env.game import NEW_YORK, Game

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
