"""Small networks as compiled code, for decisions that come in small numbers.

A row costs the same alone or among thousands, and rows of one call may belong to different
networks. Entries that are zero are skipped: most of an observation, and what ReLU leaves at zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numba import prange

from skirmish_env.common.jit import compiled

ACTIVATIONS = ("relu", "tanh", "silu")
RELU, TANH, SILU = range(len(ACTIVATIONS))

Layers = list[tuple[np.ndarray, np.ndarray]]  # weights (after, before) and biases (after,) of each


@dataclass(frozen=True)
class Shape:
    """What networks of one call have in common.

    Attributes:
        widths: entries of the observation, of each hidden layer, and number of actions.
        activation: what stands between layers, one of `ACTIVATIONS`.
    """

    widths: tuple[int, ...]
    activation: str

    @classmethod
    def of(cls, layers: Layers, activation: str) -> Shape:
        """Return the shape of a network that is made of these layers."""
        return cls((layers[0][0].shape[1], *(len(bias) for _, bias in layers)), activation)

    @property
    def size(self) -> int:
        """Numbers in `packed` weights."""
        return sum(before * after + after for before, after in self.layers)

    @property
    def layers(self) -> list[tuple[int, int]]:
        """Entries before and after each layer."""
        return list(pairwise(self.widths))


def packed(shape: Shape, layers: Layers) -> np.ndarray:
    """Return weights as `answers` reads them, float32 (shape.size,), a copy.

    Args:
        shape: of the network.
        layers: weights (after, before) and biases (after,) of each layer, as torch has them.

    Raises:
        ValueError: the layers have another shape.
    """
    found = [weights.shape for weights, _ in layers]
    if found != [(after, before) for before, after in shape.layers]:
        raise ValueError(f"layers: shapes {found} are not those of widths {shape.widths}")
    parts = []
    for number, (weights, bias) in enumerate(layers, 1):
        rows = weights if number == len(layers) else weights.T  # see `choose`
        parts += [bias, rows.ravel()]
    return np.concatenate(parts).astype(np.float32)


def answers(
    shape: Shape,
    weights: np.ndarray,
    which: np.ndarray,
    observations: np.ndarray,
    masks: np.ndarray,
    marks: np.ndarray | None,
) -> np.ndarray:
    """Choose an action in every row, int64 (n,); legal, and never one of probability zero.

    Args:
        shape: of all networks.
        weights: float32 (networks, shape.size), each as `packed` made it.
        which: the network of each row, int64 (n,).
        observations: float32 (n, D).
        masks: int8 (n, A); 0 is illegal.
        marks: where on the scale of all probabilities each row's draw falls, float64 (n,) from 0
            to below 1; None plays the most probable action.

    Raises:
        ValueError: a row has no legal action, or a network's output is not finite.
    """
    out = np.full(len(observations), -1, np.int64)
    answer_many(
        np.array(shape.widths),
        ACTIVATIONS.index(shape.activation),
        weights,
        which,
        np.argsort(which),  # while a network's weights are near, all its rows
        observations,
        masks,
        np.full(len(out), -1.0) if marks is None else marks,
        out,
    )
    _refuse_unanswered(out, masks)
    return out


def _refuse_unanswered(found: np.ndarray, masks: np.ndarray) -> None:
    """Raise ValueError if a row of `found` int64 (n,) is negative, and say why."""
    if len(found) and found.min() < 0:
        row = int(found.argmin())
        if masks[row].any():
            raise ValueError(f"row {row}: the network's output is not finite")
        raise ValueError(f"row {row}: its viewer is not the one to decide")


@compiled
def answer_many(widths, activation, weights, which, order, observations, masks, marks, out):
    """Write the chosen action of each row into `out`; -1 stays where there is none."""
    wide = widths.max()
    papers = np.empty((2, wide), np.float32)
    heights, entries = np.empty(wide, np.float32), np.empty(wide, np.int64)
    for n in order:
        w = weights[which[n]]
        x, at = through(w, 0, widths[:-1], activation, observations[n], entries, papers)
        out[n] = choose(w, at, x, widths[-2], masks[n], marks[n], heights)


def probabilities(
    shape: Shape,
    weights: np.ndarray,
    observations: np.ndarray,
    masks: np.ndarray,
    *,
    deterministic: bool,
) -> np.ndarray:
    """Return how likely `answers` plays each action, float64 (n, A); 0 for illegal ones.

    Args:
        shape: of the network.
        weights: float32 (shape.size,), as `packed` made it.
        observations: float32 (n, D).
        masks: int8 (n, A); 0 is illegal.
        deterministic: the most probable action is played: its probability is 1.

    Raises:
        ValueError: a row has no legal action, or the network's output is not finite.
    """
    shares = np.zeros(masks.shape)
    best = np.full(len(masks), -1, np.int64)
    share_many(
        np.array(shape.widths),
        ACTIVATIONS.index(shape.activation),
        weights,
        observations,
        masks,
        shares,
        best,
    )
    _refuse_unanswered(best, masks)
    if deterministic:
        shares[:] = 0
        shares[np.arange(len(best)), best] = 1
    return shares


@compiled
def share_many(widths, activation, w, observations, masks, shares, best):
    """Write each row's probabilities, and its most probable action; -1 where there is none."""
    wide = widths.max()
    papers, entries = np.empty((2, wide), np.float32), np.empty(wide, np.int64)
    for n in range(len(best)):
        x, at = through(w, 0, widths[:-1], activation, observations[n], entries, papers)
        best[n] = weigh(w, at, x, widths[-2], masks[n], shares[n])
        if best[n] >= 0:
            shares[n] /= to_shares(masks[n], shares[n], best[n])


@compiled
def through(w, at, widths, activation, x, entries, papers):
    """Send `x` through the hidden layers between these widths, whose weights begin at `at`.

    `papers` (2, as wide as any layer) and `entries` are scratch paper. Returns what comes out, on
    one of the papers, and where the weights of the layers after that begin.
    """
    for layer in range(1, len(widths)):
        before, after = widths[layer - 1], widths[layer]
        out = papers[layer % 2][:after]
        hidden(w, at, x, before, entries, out)
        activate(activation, out)
        x, at = out, at + after + before * after
    return x, at


@compiled
def hidden(w, at, x, before, entries, out):
    """Write a hidden layer: biases at `at`, then a row of weights for each entry of `x`.

    `entries` is scratch paper. It is filled without branches: which entries are zero is as good
    as random.
    """
    width, count = len(out), 0
    for i in range(before):
        entries[count] = i
        count += x[i] != 0
    for h in range(width):
        out[h] = w[at + h]
    for n in range(count):
        i = entries[n]
        factor, start = x[i], at + width + i * width
        row = w[start : start + width]
        for h in range(width):
            out[h] += factor * row[h]


@compiled
def activate(activation, x):
    """Apply what stands between layers, in place."""
    for h in range(len(x)):
        if activation == RELU:
            x[h] = np.float32(0) if x[h] < 0 else x[h]  # not-a-number stays
        elif activation == TANH:
            x[h] = np.tanh(x[h])
        else:
            x[h] = x[h] / (np.float32(1) + np.exp(-x[h]))


@compiled
def choose(w, at, x, before, mask, mark, heights):
    """Return an action: biases at `at`, then a row of weights for each action, legal ones read.

    `mark` from 0 to below 1 draws; a negative one takes the highest. -1: none is to be had.
    """
    best = weigh(w, at, x, before, mask, heights)
    if best < 0 or mark < 0:
        return best
    return drawn(mask, heights, mark * to_shares(mask, heights, best))


@compiled
def weigh(w, at, x, before, mask, heights):
    """Write the logits of legal actions; return the highest's, -1: there is none, or no number."""
    actions = len(mask)
    best = -1
    for a in range(actions):
        if mask[a] == 0:
            continue
        start = at + actions + a * before
        heights[a] = w[at + a] + dot(w[start : start + before], x)
        if not np.isfinite(heights[a]):
            return -1
        if best < 0 or heights[a] > heights[best]:
            best = a
    return best


@compiled
def to_shares(mask, heights, best):
    """Turn logits of legal actions into probabilities that sum to what is returned."""
    top, total = heights[best], 0.0
    for a in range(len(mask)):
        if mask[a] != 0:
            heights[a] = np.exp(heights[a] - top)
            total += heights[a]
    return total


@compiled
def drawn(mask, heights, mark):
    """Return the first legal action up to which the heights sum to more than `mark`."""
    last, reached = -1, 0.0
    for a in range(len(mask)):
        if mask[a] == 0 or heights[a] <= 0:
            continue
        last = a
        reached += heights[a]
        if reached > mark:
            break
    return last  # the last one where `mark` was rounded up to the whole


@compiled
def dot(row, x):
    """Return the scalar product of a row with as many entries of `x`."""
    whole = len(row) // 8 * 8
    a = b = c = d = e = f = g = h = np.float32(0)
    for i in range(0, whole, 8):
        a += row[i] * x[i]
        b += row[i + 1] * x[i + 1]
        c += row[i + 2] * x[i + 2]
        d += row[i + 3] * x[i + 3]
        e += row[i + 4] * x[i + 4]
        f += row[i + 5] * x[i + 5]
        g += row[i + 6] * x[i + 6]
        h += row[i + 7] * x[i + 7]
    for i in range(whole, len(row)):
        a += row[i] * x[i]
    return (a + b) + (c + d) + ((e + f) + (g + h))


# ---- policy and value together


class Judge:
    """A network's policy and value in one call, its trunk computed once.

    Args:
        parts: layers of the "trunk", and of the branches "policy" and "value".
        activation: what stands between layers, one of `ACTIVATIONS`.

    Raises:
        ValueError: there is no value branch, or a branch does not fit the trunk.
    """

    def __init__(self, parts: dict[str, Layers], activation: str) -> None:
        if not parts.get("value"):
            raise ValueError("value branch: this network has none")
        layers = [*parts["trunk"], *parts["policy"]]
        shape, value_shape = Shape.of(layers, activation), Shape.of(parts["value"], activation)
        trunk = len(parts["trunk"])
        if value_shape.widths[0] != shape.widths[trunk] or value_shape.widths[-1] != 1:
            raise ValueError(
                f"value branch: widths {value_shape.widths} do not lead from the trunk's "
                f"{shape.widths[trunk]} to 1"
            )
        self._widths = np.array(shape.widths)
        self._value_widths = np.array(value_shape.widths)
        self._activation = ACTIVATIONS.index(activation)
        self._trunk = trunk
        self._weights = packed(shape, layers)
        self._value_weights = packed(value_shape, parts["value"])

    def __call__(
        self, observations: np.ndarray, masks: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return probabilities float32 (n, A), illegal ones 0, and values float32 (n,).

        Args:
            observations: float32 (n, D).
            masks: int8 (n, A); each row has a legal action.

        Raises:
            ValueError: a network's output is not finite.
        """
        priors = np.zeros(masks.shape, np.float32)
        values = np.zeros(len(masks), np.float32)
        judge_many(
            self._widths, self._trunk, self._activation, self._weights, self._value_widths,
            self._value_weights, observations, masks, priors, values,
        )  # fmt: skip
        if not np.isfinite(values).all():
            raise ValueError("the network's output is not finite")
        return priors, values


@compiled(parallel=True)
def judge_many(widths, trunk, activation, w, value_widths, v, observations, masks, priors, values):
    """Write probabilities and value of each row; a value that is no number where they are none."""
    for n in prange(len(values)):
        values[n] = judge_row(
            widths, trunk, activation, w, value_widths, v, observations[n], masks[n], priors[n]
        )


@compiled
def judge_row(widths, trunk, activation, w, value_widths, v, x, mask, prior):
    """Write the probabilities of one row and return its value."""
    wide = max(widths.max(), value_widths.max())
    papers, entries = np.empty((4, wide), np.float32), np.empty(wide, np.int64)
    x, at = through(w, 0, widths[: trunk + 1], activation, x, entries, papers[:2])
    y, at_value = through(v, 0, value_widths[:-1], activation, x, entries, papers[2:])
    value = v[at_value] + dot(v[at_value + 1 : at_value + 1 + value_widths[-2]], y)
    y, at = through(w, at, widths[trunk:-1], activation, x, entries, papers[2:])
    best = weigh(w, at, y, widths[-2], mask, prior)
    if best < 0:
        return np.float32(np.nan)
    total = to_shares(mask, prior, best)
    for a in range(len(mask)):
        prior[a] /= total
    return value
