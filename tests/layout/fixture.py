"""The frozen layouts: what `tests/data/layout_v1.*` holds, and how it was made.

    python -m tests.layout.fixture          # writes a new version's files, never an old one's

Weights are trained for one observation layout and one action table. So neither may change without
a new version; the files of a version are written once.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from skirmish_env import skirmish_v0
from skirmish_env.game import NEW_YORK
from tests.api.moments import moments

DATA = Path(__file__).resolve().parents[1] / "data"
VERSION = NEW_YORK.observation_version
AGENTS = NEW_YORK.seats
SEEDS = range(400)


def layout() -> dict[str, Any]:
    """Both layouts and the action table, as far as a network depends on them."""
    return {
        "observation": [[s.name, s.length, s.scale] for s in NEW_YORK.layout.sections],
        "full_observation": [[s.name, s.length, s.scale] for s in NEW_YORK.full_layout.sections],
        "actions": list(NEW_YORK.moves),
        "bounds": [NEW_YORK.low, NEW_YORK.high],
        "questions": list(NEW_YORK.questions),
    }


def games() -> list[dict[str, Any]]:
    """Resets and decisions that lead to the moments; each moment is the end of one.

    One of every kind of question, and of random games each moment that moves an entry, or offers
    an action, that no moment before it did.
    """
    found = [
        {"seed": moment.seed, "options": moment.options, "actions": list(moment.actions)}
        for moment in moments()
    ]
    seen = [entries(shown(game)) for game in found]
    first, moved = seen[0], np.any([one != seen[0] for one in seen], axis=0)
    for seed in SEEDS:
        env, rng, actions = skirmish_v0.raw_env(), np.random.default_rng(seed), []
        env.reset(seed=seed)
        while True:
            changed = entries(look(env)) != first
            if (changed & ~moved).any():
                moved |= changed
                found.append({"seed": seed, "options": None, "actions": list(actions)})
            if any(env.terminations.values()):
                break
            actions.append(int(rng.choice(np.flatnonzero(env.mask(env.agent_selection)))))
            env.step(actions[-1])
    return found


def entries(seen: dict[str, np.ndarray]) -> np.ndarray:
    """One row: every entry of an observation and of the mask, whichever seat sees it."""
    return np.concatenate([seen["observations"].ravel(), seen["masks"].max(axis=0)])


def shown(game: dict[str, Any]) -> dict[str, np.ndarray]:
    """What the layouts show at the end of these decisions, to both seats and to a critic."""
    env = skirmish_v0.raw_env()
    env.reset(seed=game["seed"], options=game["options"])
    for action in game["actions"]:
        env.step(action)
    return look(env)


def look(env: Any) -> dict[str, np.ndarray]:
    """What an environment shows now."""
    return {
        "observations": np.stack([env.observe(agent)["observation"] for agent in AGENTS]),
        "masks": np.stack([env.observe(agent)["action_mask"] for agent in AGENTS]),
        "full": env.state(),
    }


def files(version: int = VERSION) -> tuple[Path, Path]:
    """The words and the numbers of a version."""
    return DATA / f"layout_v{version}.json", DATA / f"layout_v{version}.npz"


def write() -> str:
    """Write the files of the present version, unless they are there."""
    words, numbers = files()
    if words.exists() or numbers.exists():
        return f"version {VERSION} is frozen: {words.name} and {numbers.name} stay as they are"
    chosen = games()
    seen = [shown(game) for game in chosen]
    np.savez_compressed(numbers, **{key: np.stack([s[key] for s in seen]) for key in seen[0]})
    text = json.dumps({"layout": layout(), "games": chosen}, separators=(",", ":"))
    words.write_text(text + "\n", encoding="utf-8")
    return f"{len(chosen)} moments in {words.name} and {numbers.name}"


if __name__ == "__main__":
    sys.exit(print(write()))
