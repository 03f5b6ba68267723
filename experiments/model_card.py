"""The model card of a trained agent: all but one section follows from its JSON file.

The section on known weaknesses is written by hand, in the card or in a file, and stays when the
card is written again.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from agents.shipped import EXTRA
from configs.schema import ConfigError
from experiments import curves

WEAKNESSES = "## Known weaknesses"
NOT_WRITTEN = "Nobody has looked for them yet. That says nothing about how many there are."


def write(data: dict[str, Any], rows: list[dict[str, str]], folder: Path, weaknesses: str) -> Path:
    """Write an agent's card and its learning curve into a folder; return the card.

    Args:
        data: what the JSON file of the agent says.
        rows: of metrics.csv.
        folder: where to; it is made.
        weaknesses: text of the section on known weaknesses.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = data["name"]
    curves.draw([row for row in rows if int(row["decisions"]) <= data["decisions"]],
                folder / f"{name}.png")  # fmt: skip
    path = folder / f"{name}.md"
    path.write_text(card(data, weaknesses), encoding="utf-8")
    return path


def weaknesses(file: str | None, earlier: Path) -> str:
    """Return the text on known weaknesses: a file's, else that of an earlier card.

    Raises:
        ConfigError: there is no such file.
    """
    if file is not None:
        try:
            return Path(file).expanduser().read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ConfigError(f"weaknesses: {file}: {error.strerror}") from error
    if not earlier.is_file():
        return NOT_WRITTEN
    text = earlier.read_text(encoding="utf-8")
    found = re.search(rf"^{WEAKNESSES}\n+(.*?)(?=^## |\Z)", text, re.M | re.S)
    return found[1].strip() if found else NOT_WRITTEN


def card(data: dict[str, Any], weaknesses: str) -> str:
    """Return the text of an agent's card."""
    name = data["name"]
    sections = [
        f"# {name}",
        _introduction(data),
        "## Use",
        _use(name),
        "## Scores",
        _scores(data["evaluation"]),
        "## Training",
        _training(data),
        f"![Learning curve of {name}]({name}.png)",
        "## What it is for",
        INTENDED.format(name=name),
        "## Limits",
        LIMITS.format(seed=data["seed"]),
        WEAKNESSES,
        weaknesses,
        "## Settings",
        f"All that differ from run to run but the seed ({data['seed']}); what each one means, "
        "`configs/schema/` says.",
        _settings(data["settings"]),
    ]
    return "\n\n".join(sections) + "\n"


INTENDED = """\
- An opponent and a yardstick: whoever trains an agent can play against `{name}` on
  [`deals-v1`](../training.md#the-arena) and compare by seat.
- The start of a search: its value branch lies in the same file.
- A baseline to reproduce: settings, seed and versions are all here."""

LIMITS = """\
- One run, seed {seed}: other seeds of the same settings would come out differently, by more than
  the intervals above say.
- It sees the [observation](../observation.md) of its version, and nothing of how the game came to
  that point.
- It knows the one card set and the rules that it was trained with. It plays others whose layouts
  are the same, but nobody has rated it there.
- With most probable moves it answers the same position always alike: who trains against it alone
  may learn its mistakes rather than the game."""


def _introduction(data: dict[str, Any]) -> str:
    network, cards = data["network"], data["card_set"]
    widths = ", ".join(f"{part} {network[part]}" for part in ("trunk", "policy", "value"))
    rows = [
        ("plays", f"{data['game']}, card set `{cards['name']}` version {cards['version']}"),
        ("observation", f"version {data['observation_version']}, "
                        f"{data['observation_size']} entries"),
        ("actions", f"version {data['action_version']}, {data['action_count']} ids"),
        ("network", f"{widths}, {network['activation']}"),
        ("training", f"{data['decisions']:,} decisions of the learner, seed {data['seed']}"),
        ("weights", f"float32, SHA-256 `{data['sha256']}`"),
        ("licence", "that of this repository"),
    ]  # fmt: skip
    about = "A masked PPO agent, trained by self-play."
    return f"{about}\n\n{_table(('', ''), rows)}"


def _use(name: str) -> str:
    return f"""\
```python
import agents, gymnasium, skirmish_env

agent = agents.load("{name}")          # {EXTRA}; torch is not needed
env = gymnasium.make("skirmish_env/Skirmish-v0", opponent="{name}")
```

It plays its most probable move, as in the scores below; with `agent.deterministic = False` it draws
its moves. `python -m experiments.arena agents=[expert,{name}]` plays it against others."""


def _scores(evaluation: dict[str, Any]) -> str:
    results, settings = evaluation["results"], evaluation["settings"]
    seats = list(results[0]["seats"])
    head = ("opponent", "both seats", *(f"as {seat}" for seat in seats), "draws",
            f"the opponent itself: {', '.join(seats)}")  # fmt: skip
    rows = [
        (
            result["opponent"],
            _interval(result),
            *(_interval(result["seats"][seat]) for seat in seats),
            f"{result['draws']:.1%}",
            ", ".join(_interval(result["mirror"][seat]) for seat in seats),
        )
        for result in results
    ]
    moves = "most probable moves" if settings["deterministic"] else "drawn moves"
    deals = settings["deals"]
    which = f"`{deals}`" if isinstance(deals, str) else f"from {settings['first_deal']} on"
    note = (
        f"{results[0]['deals']:,} deals ({which}), each played twice with seats swapped; {moves}, "
        f"seed {settings['seed']}. A score is wins and half the draws; 95% intervals count deals. "
        "The seats are not equally strong: the last column is what each opponent makes of them "
        "against itself."
    )
    return f"{_table(head, rows)}\n\n{note}"


def _interval(found: dict[str, float]) -> str:
    return f"{found['score']:.1%} ({found['low'] * 100:.1f} to {found['high'] * 100:.1f})"


def _training(data: dict[str, Any]) -> str:
    time = f" in {_time(data['seconds'])}" if data["seconds"] is not None else ""
    whole = data["decisions"] >= data["total_decisions"]
    short = "" if whole else f", of {data['total_decisions']:,} that the schedules are made for"
    lines = [
        *("```console", *(_command(one) for one in data["starts"]), "```", ""),
        f"{data['decisions']:,} decisions{time}{short}; checkpoint `{data['checkpoint']}`. The "
        f"weights answer as it does: {data['compared_decisions']:,} decisions were compared.",
        *(_made_with(one) for one in data["starts"][-1:]),
    ]
    return "\n".join(lines)


def _command(start: dict[str, Any]) -> str:
    words = " ".join(start["command"] or ["(from a program)"])
    later = f"  # after {start['decisions']:,} decisions" if start["decisions"] else ""
    return words + later


def _made_with(start: dict[str, Any]) -> str:
    processors, commit = start["processors"], start["git"]
    threads = processors["threads_update"]
    words = [
        "Made with " + ", ".join(f"{key} {one}" for key, one in start["versions"].items() if one),
        f"on {processors['usable']} processors ({processors['kind']})",
        f"{threads} thread{'s' * (threads != 1)} for an update",
    ]
    if commit:
        words.append(f"commit `{commit['commit'][:12]}`" + ", with changes" * bool(commit["dirty"]))
    return "; ".join(words) + "."


def _time(seconds: float) -> str:
    minutes = round(seconds / 60)
    hours = f"{minutes // 60} h {minutes % 60} min"
    return f"{seconds:.0f} s" if minutes < 10 else f"{minutes} min" if minutes < 120 else hours


def _settings(settings: dict[str, Any]) -> str:
    return _table(("setting", "value"), [(f"`{key}`", f"`{one}`") for key, one in settings.items()])


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [f"| {' | '.join(line)} |" for line in (head, *rows)]
    return "\n".join([lines[0], f"|{'---|' * len(head)}", *lines[1:]])
