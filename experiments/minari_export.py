"""Minari datasets from recordings."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.envs.registration import EnvSpec

import skirmish_env
from experiments.recordings import COLUMNS, Recording, read

MINARI_ROOT = "MINARI_DATASETS_PATH"


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
        details: what else `minari.create_dataset_from_buffers` takes, as in `author`, or instead
            of what is given here.

    Raises:
        ImportError: Minari or h5py is not installed.
        ValueError: neither `root` nor the variable is set, or the dataset is there already.
        RecordingError: as in `read`.
    """
    try:
        import h5py  # noqa: F401  (Minari would say so after it made the dataset's folder)
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
    env = environment(recording)
    options = {
        "env": env,
        "eval_env": env,
        "observation_space": gymnasium.spaces.Box(
            game.low, game.high, (game.observation_size,), np.float32
        ),
        "action_space": gymnasium.spaces.Discrete(game.action_count),
        "algorithm_name": ", ".join(agents),
        "description": f"Decisions of both seats of {about['games']:,} games of {game.name}",
        "data_format": "hdf5",  # the others look through all episodes again for each new one
        **details,
    }
    with minari_root(root):
        return minari.create_dataset_from_buffers(dataset_id, episodes(recording), **options)


def environment(recording: Recording) -> EnvSpec | None:
    """Return the Gymnasium environment that plays by the rules of a recording.

    None where it has a card set of its own, which an environment needs the file of.
    """
    about, default = recording.metadata, recording.game.load()
    if about["card_set"]["hash"] != default.hash:
        return None
    spec = copy.deepcopy(gymnasium.spec(skirmish_env.ENV_ID))
    changed = {key: value for key, value in about["rules"].items() if value != default.rules[key]}
    spec.kwargs = {"rules": changed} if changed else {}
    return spec


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
