"""The policies of small networks as compiled code, for decisions that come in small numbers.

A row costs the same alone or among thousands, and rows of one call may belong to different
networks. Entries that are zero are skipped: most of an observation, and what ReLU leaves at zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from skirmish_env.common.jit import compiled

ACTIVATIONS = ("relu", "tanh", "silu")
RELU, TANH, SILU = range(len(ACTIVATIONS))


@dataclass(frozen=True)
class Shape:
    """What networks of one call have in common.

    Attributes:
        widths: entries of the observation, of each hidden layer, and number of actions.
        activation: what stands between layers, one of `ACTIVATIONS`.
    """

    widths: tuple[int, ...]
    activation: str

    @property
    def size(self) -> int:
        """Numbers in `packed` weights."""
        return sum(before * after + after for before, after in self.layers)

    @property
    def layers(self) -> list[tuple[int, int]]:
        """Entries before and after each layer."""
        return list(pairwise(self.widths))


def packed(shape: Shape, layers: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
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
    if len(out) and out.min() < 0:
        row = int(out.argmin())
        if masks[row].any():
            raise ValueError(f"row {row}: the network's output is not finite")
        raise ValueError(f"row {row}: its viewer is not the one to decide")
    return out


@compiled
def answer_many(widths, activation, weights, which, order, observations, masks, marks, out):
    """Write the chosen action of each row into `out`; -1 stays where there is none."""
    wide = widths.max()
    now, then = np.empty(wide, np.float32), np.empty(wide, np.float32)
    heights, entries = np.empty(wide, np.float32), np.empty(wide, np.int64)
    for n in order:
        w = weights[which[n]]
        x, before, at = observations[n], widths[0], 0
        for layer in range(1, len(widths) - 1):
            after = widths[layer]
            hidden(w, at, x, before, entries, then[:after])
            activate(activation, then[:after])
            now, then = then, now
            x, before, at = now, after, at + after + before * after
        out[n] = choose(w, at, x, before, masks[n], marks[n], heights)


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
    if best < 0 or mark < 0:
        return best
    top, total = heights[best], 0.0
    for a in range(actions):
        if mask[a] != 0:
            heights[a] = np.exp(heights[a] - top)
            total += heights[a]
    return drawn(mask, heights, mark * total)


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
