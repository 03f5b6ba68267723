"""Twin games: they differ in what one player cannot know, so that player must not tell them apart.

`check_no_leak` works on this package's environments and on wrappers around them, yours included.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from skirmish_env.testing.watched import ADDRESS, Shown, Watched, watch

AHEAD = 3  # steps that twins are followed: what is kept aside at a step may show later
Make = Callable[[bool], tuple[Watched, Shown]]  # whether to make the twin; what its start told
Difference = tuple[str, Any, Any]  # the field, and what it holds in each of two games


class Leak(AssertionError):
    """A player can tell two games apart that differ only in what that player cannot know.

    Attributes:
        viewer: the player; `field`: what gives it away; `moment`: when, in words.
    """

    def __init__(self, viewer: str, difference: Difference, moment: str) -> None:
        self.viewer, self.moment = viewer, moment
        self.field, one, other = difference
        super().__init__(
            f"{viewer} can tell twins apart by `{self.field}`, {moment}: {_short(one)} is not "
            f"{_short(other)}"
        )


def check_no_leak(
    factory: Callable[[], Any], *, games: int = 2, seed: int = 0, every: int = 3
) -> int:
    """Play random games; at every decision compare all that each viewer can fetch with a twin's.

    `factory` makes a PettingZoo AEC or a Gymnasium environment of this package, wrapped or not,
    a `Table` or a `Batch`. A twin holds the same game with the hidden cards dealt anew for one
    viewer. Compared are observation, mask, infos, rewards, selection, positions, drawings,
    replays, error texts, and what a view offers: right away, after each of up to three same next
    steps as long as the viewer still cannot know the difference, and (not for a `Batch`) after a
    reset to a twin position with another seed. A field that differs between two copies of one
    game too (a clock, say) is not judged. `every` looks at each so-many-th decision.

    Returns:
        The number of comparisons made.

    Raises:
        Leak: names the viewer, the field and the moment.
        ValueError: `games` or `every` is below 1.
    """
    if games < 1 or every < 1:
        raise ValueError(f"games and every are 1 or more, not {games} and {every}")
    return sum(_Search(factory, seed + number).through_a_game(every) for number in range(games))


class _Search:
    """One random game, and the twins of its moments."""

    def __init__(self, factory: Callable[[], Any], seed: int) -> None:
        self.seed = seed
        self.rng = np.random.default_rng(seed)
        self.unused = watch(factory())
        self.watched = self.unused.copy()
        self.watched.begin(seed)
        self.decision = 0
        self.count = 0

    def through_a_game(self, every: int) -> int:
        while True:
            over = self.watched.is_over
            if over or self.decision % every == 0:
                for viewer in self.watched.viewers():
                    self.compare_from(self.copies(viewer), viewer, "")
                    if not over:
                        self.compare_from(self.restarts(viewer), viewer, " after a reset to it")
            if over:
                return self.count
            self.watched.take(self.watched.any_legal(self.rng))
            self.decision += 1

    def draw_seed(self) -> int:
        return int(self.rng.integers(2**31))

    def copies(self, viewer: str) -> Make:
        """Two copies of the game as it stands, one of them with a twin's record."""
        hidden = self.draw_seed()

        def make(as_twin: bool) -> tuple[Watched, Shown]:
            copied = self.watched.copy()
            if as_twin:
                copied.redeal(viewer, hidden)
            return copied, {}

        return make

    def restarts(self, viewer: str) -> Make:
        """Two unused environments, reset to this position and to a twin of it."""
        hidden, seeds = self.draw_seed(), (self.draw_seed(), self.draw_seed())

        def make(as_twin: bool) -> tuple[Watched, Shown]:
            moment, fresh = self.watched.copy(), self.unused.copy()
            if as_twin:
                moment.redeal(viewer, hidden)
            position = moment.game.describe(moment.states, 0, moment.cards)
            return fresh, {"reset": fresh.start_at(position, seeds[as_twin])}

        return make

    def compare_from(self, make: Make, viewer: str, when: str) -> None:
        """Compare twins, then take the same steps with both while they cannot be told apart."""
        try:
            (one, first), (other, second) = make(False), make(True)
        except ValueError:  # this moment cannot be put into words
            return
        taken: list[Any] = []
        while self.alike(one, other, viewer):
            first, second = {**first, **one.shown(viewer)}, {**second, **other.shown(viewer)}
            self.compare(first, second, make, taken, viewer, when)
            if len(taken) == AHEAD or one.is_over or one.spoilt or other.spoilt:
                return
            action = one.any_legal(self.rng)
            if not other.is_legal(action):
                return
            taken.append(action)
            first, second = {"step": one.take(action)}, {"step": other.take(action)}

    def alike(self, one: Watched, other: Watched, viewer: str) -> bool:
        """Whether a viewer looks at both and may know the same of both."""
        looks = viewer in one.viewers() and viewer in other.viewers()
        return looks and one.knowledge(viewer) == other.knowledge(viewer)

    def compare(
        self, first: Shown, second: Shown, make: Make, taken: list[Any], viewer: str, when: str
    ) -> None:
        self.count += 1
        found = list(differences(first, second))
        if not found:
            return
        noise = {field for field, _, _ in differences(first, self.again(make, taken, viewer))}
        for difference in found:
            if difference[0] not in noise:
                raise Leak(viewer, difference, self.moment(when, len(taken)))

    def again(self, make: Make, taken: list[Any], viewer: str) -> Shown:
        """What the first of two twins shows when all is done once more."""
        one, told = make(False)
        for action in taken:
            one.shown(viewer)
            told = {"step": one.take(action)}
        return {**told, **one.shown(viewer)}

    def moment(self, when: str, steps: int) -> str:
        g = self.watched.states[0]
        question = self.watched.game.questions[g["question"]] or "the end of the game"
        ahead = f" and {steps} more steps" if steps else ""
        return f"game of seed {self.seed}, decision {self.decision} ({question}){when}{ahead}"


# ---------------------------------------------------------------------------------------------
# What differs between two results.


def differences(one: Any, other: Any, field: str = "") -> Iterator[Difference]:
    """Yield each field in which two nested results differ by a byte."""
    if type(one) is not type(other):
        yield field, one, other
    elif isinstance(one, dict):
        yield from _in_dictionaries(one, other, field)
    elif isinstance(one, (list, tuple)):
        if len(one) != len(other):
            yield field, one, other
        for n, (first, second) in enumerate(zip(one, other, strict=False)):
            yield from differences(first, second, f"{field}[{n}]")
    elif isinstance(one, np.ndarray):
        yield from _in_arrays(one, other, field)
    elif _bare(one) != _bare(other):
        yield field, one, other


def _in_dictionaries(one: Shown, other: Shown, field: str) -> Iterator[Difference]:
    if list(one) != list(other):
        yield f"{field} (keys)".strip(), list(one), list(other)
    for key in (key for key in one if key in other):
        inside = f"{field}[{key!r}]" if field else str(key)
        yield from differences(one[key], other[key], inside)


def _in_arrays(one: np.ndarray, other: np.ndarray, field: str) -> Iterator[Difference]:
    if (one.dtype, one.shape) != (other.dtype, other.shape):
        yield field, (one.dtype, one.shape), (other.dtype, other.shape)
        return
    if one.dtype.names is not None:
        for name in one.dtype.names:
            pair = np.asarray(one[name]), np.asarray(other[name])
            yield from differences(*pair, f"{field}[{name!r}]")
    elif one.dtype == object:
        yield from differences(one.tolist(), other.tolist(), field)
    elif one.tobytes() != other.tobytes():
        entries = (array.reshape(-1).tolist() for array in (one, other))
        pairs = zip(*entries, strict=True)
        n = next((n for n, (first, second) in enumerate(pairs) if first != second), 0)
        yield f"{field}[{n}]", one.reshape(-1)[n], other.reshape(-1)[n]


def _bare(value: Any) -> Any:
    """Turn a value into something that compares by every byte it holds."""
    if value is None or isinstance(value, (str, bytes, int)):
        return value
    try:
        return pickle.dumps(value)
    except Exception:  # what cannot be written down is compared by its name
        return ADDRESS.sub("", repr(value))


def _short(value: Any) -> str:
    words = repr(value)
    return words if len(words) <= 300 else words[:300] + "..."
