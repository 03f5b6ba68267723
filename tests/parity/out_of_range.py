"""A compiled function that reads one entry past its array, as a script.

The array is the front of a longer one, so an unchecked read is harmless and prints 3.
"""

import numpy as np

from skirmish_env.common.jit import compiled


@compiled
def entry(values, n):
    return values[n]


if __name__ == "__main__":
    print(entry(np.arange(4)[:3], 3))
