"""Sets of small numbers as the bits of an integer."""

from __future__ import annotations

from skirmish_env.common.jit import PLAIN, compiled

if PLAIN:

    def lowest(bits):
        """Return the smallest number in a set that is not empty."""
        return (bits & -bits).bit_length() - 1

else:
    from numba.cpython.unsafe.numbers import trailing_zeros

    @compiled
    def lowest(bits):
        """Return the smallest number in a set that is not empty."""
        return trailing_zeros(bits)
