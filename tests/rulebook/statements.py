"""What must have a test, and what the tests name: the rows of docs/rules.md."""

from __future__ import annotations

import importlib
import pkgutil
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType

from skirmish_env import card_sets
from tests import rulebook
from tests.rulebook import examples_a, examples_b
from tests.rulebook.helpers import ARTIFACTS, BATTLEGROUNDS, FACTION_CARDS

HERE = Path(__file__).parent
DOCS = HERE.parent.parent / "docs"
CARDS = [*FACTION_CARDS["villains"], *FACTION_CARDS["heroes"], *BATTLEGROUNDS]
COUNTING = "test_coverage"


@dataclass(frozen=True)
class Row:
    """Something that a test has to hold, or the reason why none can."""

    reference: str  # as marks name it, such as "rule setup.hands" or "ruling 21"
    gist: str
    not_applicable: str = ""

    @property
    def name(self) -> str:
        """The reference without its kind."""
        return self.reference.partition(" ")[2]


@dataclass(frozen=True)
class Scenario:
    """A test function of this folder with the references of its marks."""

    file: str
    name: str
    references: frozenset[str]


def statement_sections() -> dict[str, list[Row]]:
    """Return the rulebook's statements by the titles of their sections."""
    tables = tomllib.loads((HERE / "statements.toml").read_text(encoding="utf-8"))
    titles = tables.pop("sections")
    assert list(titles) == list(tables), "every section has a title, in the same order"
    return {
        titles[section]: [_statement(f"rule {section}.{key}", said) for key, said in table.items()]
        for section, table in tables.items()
    }


def _statement(reference: str, said: str | dict[str, str]) -> Row:
    return Row(reference, **said) if isinstance(said, dict) else Row(reference, said)


def rulings() -> list[Row]:
    """Return the rulings of docs/rulings.md, each with its first sentence."""
    text = (DOCS / "rulings.md").read_text(encoding="utf-8")
    found = re.findall(r"^(\d+)\. (.*?)(?=^\d+\. |^#|\Z)", text, re.MULTILINE | re.DOTALL)
    return [Row(f"ruling {number}", _first_sentence(said)) for number, said in found]


def _first_sentence(markdown: str) -> str:
    words = re.sub(r"\*\*\[[EA]\]\*\* ", "", " ".join(markdown.split()))
    return re.split(r"(?<=\.) (?=[A-Z])", words)[0].rstrip(".")


def cards() -> list[Row]:
    """Return the cards with what they do."""
    said = card_sets.read().tables["cards"]
    return [Row(f"card {card}", said[card]["text"]) for card in CARDS]


def artifacts() -> list[Row]:
    """Return the artifacts with what they do."""
    said = card_sets.read().tables["artifacts"]
    return [Row(f"artifact {tile}", said[tile]["text"]) for tile in ARTIFACTS]


def examples() -> list[Row]:
    """Return the worked examples of the rulebook."""
    both = {**examples_a.EXAMPLES, **examples_b.EXAMPLES}
    return [Row(f"example {name}", gist) for name, gist in both.items()]


def rows() -> list[Row]:
    """Return everything that needs a test or a reason, in the order of the page."""
    stated = [row for section in statement_sections().values() for row in section]
    return [*stated, *examples(), *rulings(), *cards(), *artifacts()]


def scenarios() -> list[Scenario]:
    """Return every test function of this folder but the ones that count, by file."""
    return [
        Scenario(f"{module.__name__.rpartition('.')[2]}.py", name, references_of(member))
        for module in _modules()
        for name, member in vars(module).items()
        if name.startswith("test_")
        and isinstance(member, FunctionType)
        and member.__module__ == module.__name__
    ]


def _modules() -> Iterator[ModuleType]:
    for module in pkgutil.iter_modules(rulebook.__path__, f"{rulebook.__name__}."):
        name = module.name.rpartition(".")[2]
        if name.startswith("test_") and name != COUNTING:
            yield importlib.import_module(module.name)


def references_of(test: FunctionType) -> frozenset[str]:
    """What the `rule` marks of a test name, those of its single parameters included."""
    marks = list(getattr(test, "pytestmark", ()))
    for mark in getattr(test, "pytestmark", ()):
        if mark.name == "parametrize":
            marks += [one for case in mark.args[1] for one in getattr(case, "marks", ())]
    return frozenset(reference for mark in marks if mark.name == "rule" for reference in mark.args)
