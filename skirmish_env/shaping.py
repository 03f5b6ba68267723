"""Potential-based reward shaping by the victory marker."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any


@dataclass(frozen=True)
class Shaping:
    """Small rewards on the way that leave optimal play as it is.

    A step from one position to the next adds `gamma * potential(next) - potential(position)`
    to the reward (Ng, Harada and Russell 1999). A seat's potential is `coefficient` times its lead
    on the victory marker, 0 once the game is over; the other seat's is the opposite, so the terms
    of a step add up to zero. Discounted by `gamma`, the terms of a whole game telescope to minus
    the potential at its start, whatever is played: with `gamma=1` every return is shifted by that
    constant, which is 0 for a dealt game. A truncated game keeps its last potential.

    Attributes:
        coefficient: reward for one point of the marker.
        gamma: the learner's discount per step, above 0 and at most 1.
    """

    coefficient: float
    gamma: float = 1.0

    def __post_init__(self) -> None:
        for name in ("coefficient", "gamma"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, Real):
                raise ValueError(f"shaping: {name} must be a number, not {value!r}")
            if not math.isfinite(value):
                raise ValueError(f"shaping: {name} must be finite, not {value!r}")
            object.__setattr__(self, name, float(value))
        if not 0 < self.gamma <= 1:
            raise ValueError(f"shaping: gamma must be above 0 and at most 1, not {self.gamma!r}")

    @classmethod
    def read(cls, spec: Shaping | float | Mapping[str, Any] | None) -> Shaping | None:
        """Shaping from None, a coefficient, or a mapping with the attributes' names.

        Raises:
            ValueError: none of these, an unknown key, or a number out of range.
        """
        if spec is None or isinstance(spec, Shaping):
            return spec
        if not isinstance(spec, Mapping):
            return cls(spec)
        unknown = spec.keys() - {"coefficient", "gamma"}
        if unknown or "coefficient" not in spec:
            raise ValueError(f"shaping takes coefficient and perhaps gamma, not {dict(spec)!r}")
        return cls(**spec)

    def potential(self, marker: int, seat: int) -> float:
        """Potential of a seat in a running game; the marker is positive towards seat 0's win."""
        return self.coefficient * (marker if seat == 0 else -marker)

    def term(self, before: float, after: float) -> float:
        """Reward for the step between two potentials."""
        return self.gamma * after - before
