"""metrics.csv: one row for each update, never half of one."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import Any

from agents import checkpoint
from configs.schema import ConfigError


class Metrics:
    """The rows of one file; a row that finds no room waits for the next one.

    Args:
        path: of the file, which need not be there yet.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._waiting: list[dict[str, Any]] = []
        self._columns: list[str] = []

    def add(self, row: dict[str, Any]) -> None:
        """Append a row, after those that wait; new columns go to the right end of all rows.

        Raises:
            OSError: there was no room; the file is as before, and the row waits.
        """
        self._waiting.append({key: str(value) for key, value in row.items()})
        self.flush()

    def flush(self) -> None:
        """Write the rows that wait, if any.

        Raises:
            OSError: there is still no room.
        """
        if not self._waiting:
            return
        if not self._columns:
            self._columns = self._header()
        more = [key for key in dict.fromkeys(_keys(self._waiting)) if key not in self._columns]
        if more:
            columns = self._columns + more
            checkpoint.write_file(self.path, _text(columns, self.read() + self._waiting, True))
            self._columns = columns
        else:
            self._append(_text(self._columns, self._waiting, False))
        self._waiting = []

    def _append(self, data: bytes) -> None:
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        try:
            before = os.fstat(descriptor).st_size
            try:
                checkpoint.put(descriptor, data)
            except OSError as error:
                os.ftruncate(descriptor, before)
                raise type(error)(error.errno, error.strerror, str(self.path)) from error
        finally:
            os.close(descriptor)

    def keep(self) -> None:
        """Bring all rows to the disk.

        Raises:
            OSError: there is no room for those that wait.
        """
        self.flush()
        if self.path.exists():
            descriptor = os.open(self.path, os.O_RDWR)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def _lines(self) -> tuple[str, str]:
        """Return all whole lines, and what stands behind the last of them."""
        if not self.path.exists():
            return "", ""
        text = self.path.read_bytes().decode("utf-8", errors="replace")
        whole, end, half = text.rpartition("\n")
        return whole + end, half

    def _header(self) -> list[str]:
        first, _, _ = self._lines()[0].partition("\n")
        return first.rstrip("\r").split(",") if first else []

    def read(self) -> list[dict[str, str]]:
        """Return all rows, without a half one at the end; none when there is no file yet.

        Raises:
            ConfigError: a row does not fit the header; it names file and line.
        """
        reader = csv.DictReader(io.StringIO(self._lines()[0]))
        rows = []
        for row in reader:
            fits = None not in row and None not in row.values()
            if not fits or not row.get("decisions", "").isdecimal():
                raise ConfigError(f"{self.path}: line {reader.line_num} is damaged: {_words(row)}")
            rows.append(row)
        return rows

    def cut(self, decisions: int) -> list[str]:
        """Drop rows of updates after so many decisions, and half a row; return what to say."""
        remarks, half = [], self._lines()[1]
        if half:
            remarks.append(f"{self.path.name}: dropped a half line at its end, {half[:40]!r}")
        rows = self.read()
        kept = [row for row in rows if int(row["decisions"]) <= decisions]
        if decisions and (not kept or int(kept[-1]["decisions"]) < decisions):
            last = int(kept[-1]["decisions"]) if kept else 0
            remarks.append(
                f"{self.path.name}: rows are missing between {last:,} and {decisions:,} decisions"
            )
        if self.path.exists() and (half or len(kept) < len(rows)):
            checkpoint.write_file(self.path, _text(self._header(), kept, True))
        self._columns = []
        return remarks


def _keys(rows: list[dict[str, Any]]) -> list[str]:
    return [key for row in rows for key in row]


def _words(row: dict[Any, Any]) -> str:
    values = [value for value in row.values() if isinstance(value, str)]
    return repr(",".join(values)[:40])


def _text(columns: list[str], rows: list[dict[str, Any]], header: bool) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    if header:
        writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode("utf-8")
