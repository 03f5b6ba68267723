"""A flat vector laid out in named sections: one table gives offsets, words and documentation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """A run of entries: what they mean, and the factor that entries were multiplied by."""

    name: str
    length: int
    meaning: str
    scale: float = 1.0


class Layout:
    """Sections one after the other; the version changes whenever any of them does."""

    def __init__(self, version: int, *sections: Section) -> None:
        self.version = version
        self.sections = sections
        self._offsets: dict[str, int] = {}
        self.size = 0
        for section in sections:
            if section.name in self._offsets:
                raise ValueError(f"section {section.name!r} stands twice")
            self._offsets[section.name] = self.size
            self.size += section.length

    def offset(self, name: str) -> int:
        """Index of a section's first entry."""
        return self._offsets[name]

    def section(self, name: str) -> Section:
        """Return the section of this name."""
        return next(s for s in self.sections if s.name == name)

    def span(self, name: str) -> slice:
        """Indices of a section."""
        start = self.offset(name)
        return slice(start, start + self.section(name).length)

    def markdown(self) -> str:
        """Return the table as a documentation page shows it."""
        lines = ["| entries | section | meaning |", "|---|---|---|"]
        for section in self.sections:
            first = self.offset(section.name)
            last = first + section.length - 1
            factor = "" if section.scale == 1 else f" (times {section.scale:.4g})"
            lines.append(f"| {first}-{last} | {section.name} | {section.meaning}{factor} |")
        return "\n".join(lines)
