"""Trained agents that come with the package: they play without torch.

`weights/NAME.safetensors` holds the layers of the network, and `weights/NAME.json` says what they
are: the game, the versions and sizes of both layouts, the network, the training, the scores, and
the SHA-256 of the file with the layers. Neither holds code, so loading runs none. Weights are
`PART.NUMBER.weight` (after, before) and `PART.NUMBER.bias` (after,), in the order of the layers;
the parts are the trunk, and the branches for moves and for the value. `python -m
experiments.export` writes both files.
"""

from __future__ import annotations

import hashlib
import json
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np

from agents.checkpoint import CheckpointError, check, layouts, write_file
from agents.forward import ACTIVATIONS, Judge, Layers, Shape, answers, packed, probabilities
from agents.search.network import SearchAgent
from skirmish_env.game import NEW_YORK, Game
from skirmish_env.opponents import no_agent
from skirmish_env.views import View

FORMAT, FORMAT_VERSION = "skirmish-weights", 1
WEIGHTS, DETAILS = ".safetensors", ".json"
PARTS = ("trunk", "policy", "value")
NUMBERS = np.float32  # half of the digits would change some decisions
SEEN = "seen"  # what a critic read whose branch can judge for a seat
EXTRA = "pip install 'skirmish-env[play]'"


class NetworkAgent:
    """Plays the policy of a trained network, in compiled code alone.

    Args:
        parts: weights (after, before) and biases (after,) of each layer, by part of the network.
            Play does not need the value's branch, search does; it has no layers where the critic
            read what is hidden.
        activation: what stands between layers, one of `agents.forward.ACTIVATIONS`.
        name: how tables call it.
        deterministic: play the most probable move instead of drawing one.
        details: what the file beside the weights says.

    Attributes:
        shape, weights: trunk and policy as compiled code reads them (`agents.forward`).

    Raises:
        ValueError: a layer does not fit the one before it.
    """

    def __init__(
        self,
        parts: dict[str, Layers],
        activation: str,
        *,
        name: str,
        deterministic: bool = True,
        details: dict[str, Any] | None = None,
    ) -> None:
        self.parts = parts
        self.activation = activation
        self.name = name
        self.deterministic = deterministic
        self.details = details or {}
        self.shape, self.weights = self.branch("policy")

    def __repr__(self) -> str:
        return f"NetworkAgent({self.name!r}, deterministic={self.deterministic})"

    @property
    def sha256(self) -> str:
        """Hash of the file that the weights came from; "" where they came from none."""
        return str(self.details.get("sha256", ""))

    def branch(self, part: str) -> tuple[Shape, np.ndarray]:
        """Return shape and packed weights of the trunk with one branch, "policy" or "value".

        Raises:
            ValueError: the network has no such branch.
        """
        if not self.parts.get(part):
            raise ValueError(f"{self.name}: its network has no branch for the {part}")
        layers = [*self.parts["trunk"], *self.parts[part]]
        shape = Shape.of(layers, self.activation)
        return shape, packed(shape, layers)

    def judge(self) -> Judge:
        """Return policy and value of the network, for a search that it guides.

        Raises:
            ValueError: the network has no value branch.
        """
        return Judge(self.parts, self.activation)

    def with_search(self, *, game: Game = NEW_YORK) -> SearchAgent:
        """Return a search that this network guides: who plays as "NAME+search".

        Raises:
            ValueError: the network has no value branch.
        """
        return SearchAgent.of(self, game=game)

    def act(self, view: View, rng: np.random.Generator) -> np.ndarray:
        """Choose one legal action in every row, int64 (n,).

        Raises:
            ValueError: a viewer is not the one to decide, or the network's output is not finite.
        """
        marks = None if self.deterministic else rng.random(len(view))
        which = np.zeros(len(view), np.int64)
        return answers(self.shape, self.weights[None], which, view.observation, view.mask, marks)

    def probabilities(self, view: View) -> np.ndarray:
        """Probabilities of all actions as `act` plays them, float64 (n, A); 0 for illegal ones.

        Raises:
            ValueError: a viewer is not the one to decide, or the network's output is not finite.
        """
        return probabilities(
            self.shape, self.weights, view.observation, view.mask,
            deterministic=self.deterministic,
        )  # fmt: skip


# ---- find and load


def home() -> Traversable:
    """Return the folder of the weights that come with the package; it may not be there."""
    return resources.files("agents") / "weights"


def names(folder: Traversable | None = None) -> list[str]:
    """Return the names of all trained agents in a folder, by default the package's own."""
    folder = folder or home()
    if not folder.is_dir():
        return []
    found = [file.name for file in folder.iterdir() if file.name.endswith(DETAILS)]
    return sorted(name.removesuffix(DETAILS) for name in found)


def load(
    name: str,
    *,
    game: Game = NEW_YORK,
    deterministic: bool = True,
    folder: Traversable | None = None,
) -> NetworkAgent:
    """Load a trained agent by its name.

    Args:
        name: one of `names(folder)`.
        game: the game that is to be played.
        deterministic: play the most probable move, as in the agent's table of scores, instead of
            drawing one.
        folder: where it lies; None is the package's own.

    Raises:
        ValueError: there is no agent of this name; says which there are.
        CheckpointError: it belongs to another game or layout, a file is missing or damaged, or
            what reads the weights is not installed.
    """
    folder = folder or home()
    if name not in names(folder):
        raise ValueError(no_agent(name, names(folder)))
    data = read(name, folder)
    check(data, game, name)
    tensors = read_tensors(name, data, folder)
    network = data["network"]
    try:
        parts = _by_part(tensors, network, game)
        return NetworkAgent(
            parts, network["activation"], name=name, deterministic=deterministic, details=data
        )
    except (KeyError, ValueError) as error:
        raise CheckpointError(
            f"{name}{WEIGHTS}: does not hold the network that {name}{DETAILS} describes ({error})"
        ) from error


def load_file(path: str | Path, *, game: Game = NEW_YORK) -> NetworkAgent:
    """Load an agent from `PATH/NAME.safetensors` and the JSON file beside it; errors as `load`."""
    path = Path(path).expanduser()
    if not path.with_suffix(DETAILS).is_file():
        lacking = f"has no {path.with_suffix(DETAILS).name} beside it"
        raise CheckpointError(f"{path}: {lacking if path.is_file() else 'no such file'}")
    return load(path.stem, game=game, folder=path.parent)


def read(name: str, folder: Traversable | None = None) -> dict[str, Any]:
    """Read what an agent's JSON file says.

    Raises:
        CheckpointError: it is damaged, or of another format version; it is named.
    """
    file = (folder or home()) / f"{name}{DETAILS}"
    try:
        data = json.loads(file.read_bytes())
    except ValueError as error:
        raise CheckpointError(f"{file.name}: is damaged: not valid JSON: {error}") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise CheckpointError(f"{file.name}: does not describe the weights of an agent")
    if data.get("format_version") != FORMAT_VERSION:
        raise CheckpointError(
            f"{file.name}: format {data.get('format_version')!r} of weights; this version of "
            f"skirmish-env reads {FORMAT_VERSION}"
        )
    network = data.get("network")
    if not isinstance(network, dict) or network.get("activation") not in ACTIVATIONS:
        raise CheckpointError(f"{file.name}: is damaged: it describes no network")
    if not isinstance(data.get("sha256"), str):
        raise CheckpointError(f"{file.name}: is damaged: it holds no SHA-256 of the weights")
    return data


def read_tensors(
    name: str, data: dict[str, Any], folder: Traversable | None = None
) -> dict[str, np.ndarray]:
    """Read an agent's weights by name of the tensor, after a look at their checksum.

    Raises:
        CheckpointError: the file is missing or damaged, or safetensors is not installed.
    """
    file = (folder or home()) / f"{name}{WEIGHTS}"
    if not file.is_file():
        raise CheckpointError(f"{file.name}: is missing beside {name}{DETAILS}")
    content = file.read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != data["sha256"]:
        raise CheckpointError(
            f"{file.name}: is damaged: its SHA-256 is {found[:16]}..., where {name}{DETAILS} says "
            f"{data['sha256'][:16]}...; install the package again"
        )
    try:
        from safetensors import SafetensorError
        from safetensors.numpy import load as unpacked
    except ImportError as error:
        raise CheckpointError(
            f"{name}: trained weights are read with safetensors, which is not here: {EXTRA}"
        ) from error
    try:
        return unpacked(content)
    except SafetensorError as error:
        raise CheckpointError(f"{file.name}: is no file of weights ({error})") from error


def _by_part(
    tensors: dict[str, np.ndarray], network: dict[str, Any], game: Game
) -> dict[str, Layers]:
    """Put tensors in the order of the layers that a network's description names."""
    ends = {"trunk": [], "policy": [game.action_count], "value": [1]}
    left, parts, trunk = dict(tensors), {}, game.observation_size
    for part in PARTS:
        before, layers = trunk, []
        if part == "value" and network.get("critic", SEEN) != SEEN:
            parts[part] = layers
            continue
        for number, after in enumerate([*network[part], *ends[part]]):
            weights = left.pop(f"{part}.{number}.weight")
            bias = left.pop(f"{part}.{number}.bias")
            if weights.shape != (after, before) or bias.shape != (after,):
                raise ValueError(f"{part}.{number}: {weights.shape}, not {(after, before)}")
            if {weights.dtype, bias.dtype} != {np.dtype(NUMBERS)}:
                raise ValueError(f"{part}.{number}: {weights.dtype}, not {np.dtype(NUMBERS)}")
            layers.append((weights, bias))
            before = after
        parts[part] = layers
        trunk = before if part == "trunk" else trunk
    if left:
        raise ValueError(f"too much: {', '.join(sorted(left))}")
    return parts


# ---- write


def write(
    name: str,
    parts: dict[str, Layers],
    details: dict[str, Any],
    folder: Path,
    *,
    game: Game = NEW_YORK,
) -> dict[str, Any]:
    """Write an agent's two files, the JSON last; return what it says.

    Args:
        name: of the agent, and of both files.
        parts: its layers, as `NetworkAgent` takes them.
        details: `network`, and all else that is to be said.
        folder: where to; it is made.
        game: whose layouts the layers fit to.
    """
    from safetensors.numpy import save

    tensors = {
        f"{part}.{number}.{key}": np.ascontiguousarray(one, NUMBERS)
        for part, layers in parts.items()
        for number, layer in enumerate(layers)
        for key, one in zip(("weight", "bias"), layer, strict=True)
    }
    content = save(tensors)
    data = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "name": name,
        **layouts(game),
        "sha256": hashlib.sha256(content).hexdigest(),
        **details,
    }
    folder.mkdir(parents=True, exist_ok=True)
    write_file(folder / f"{name}{WEIGHTS}", content)
    write_file(folder / f"{name}{DETAILS}", (json.dumps(data, indent=1) + "\n").encode())
    return data
