"""What an agent is given: observations and masks, and hidden cards only as resampled guesses."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from skirmish_env.batch import Batch


class View:
    """A batch of n decisions, each as its viewer may see it.

    Attributes:
        observation: float32 (n, D).
        mask: int8 (n, A); all zero in rows where the viewer does not decide.
        viewer: int8 (n,) seats.

    The games themselves cannot be reached from here: `redeal` gives games whose hidden cards are
    resampled, `policy` gives actions of a compiled policy that is held to the viewer's knowledge.
    """

    __slots__ = ("__policy", "__redeal", "mask", "observation", "viewer")

    def __init__(
        self,
        observation: np.ndarray,
        mask: np.ndarray,
        viewer: np.ndarray,
        redeal: Callable[[np.ndarray, np.ndarray], Batch],
        policy: Callable[[np.ndarray, str, np.random.Generator], np.ndarray],
    ) -> None:
        self.observation = observation
        self.mask = mask
        self.viewer = viewer
        self.__redeal = redeal
        self.__policy = policy

    def __len__(self) -> int:
        return len(self.viewer)

    def __getitem__(self, rows: np.ndarray | slice | int) -> View:
        """Return a view of some rows (integer or boolean array, slice, or one number)."""
        kept = np.atleast_1d(np.arange(len(self))[rows])
        redeal, policy = self.__redeal, self.__policy
        return View(
            self.observation[kept],
            self.mask[kept],
            self.viewer[kept],
            lambda sub, seeds: redeal(kept[sub], seeds),
            lambda sub, name, rng: policy(kept[sub], name, rng),
        )

    def redeal(
        self, rng: np.random.Generator | np.ndarray, rows: np.ndarray | None = None
    ) -> Batch:
        """Return n games in which all that each viewer cannot know is dealt anew, uniformly.

        `rows` (m,) whole numbers names the rows meant instead, each as often as it is wanted, as
        in `np.repeat(np.arange(n), 100)`: m games then. For `rng` may stand the seed of each game,
        int64 (m,) from 0: one game then depends on its row and seed alone.

        They hold all that lies open to the viewer and can be played on. Where the other seat
        decides, its new hand is one that can be asked the open question; what questions that were
        not put, or answered by themselves, told about its hand is not used.
        """
        meant = np.arange(len(self))[slice(None) if rows is None else rows]
        if isinstance(rng, np.random.Generator):
            rng = rng.integers(0, 2**62, len(meant))
        return self.__redeal(meant, rng)

    def policy(self, name: str, rng: np.random.Generator) -> np.ndarray:
        """Actions int64 (n,) of a compiled policy ("random", "heuristic", "expert").

        Raises:
            ValueError: no such policy, or a viewer is not the one to decide.
        """
        return self.__policy(np.arange(len(self)), name, rng)
