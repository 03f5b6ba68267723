"""A small random generator that lives in four integers of a game's record.

The algorithm is sfc32 on values below 2**32 held in int64, so that compiled code and plain
Python compute the same numbers. Streams with different ids never meet in practice.
"""

from __future__ import annotations

from skirmish_env.common.jit import compiled

MASK = 0xFFFFFFFF

DEAL_STREAM = 0
REDEAL_STREAM = 1
POLICY_STREAM = 2
FUZZ_STREAM = 3
EPISODE_STREAM = 4


@compiled
def next_bits(rng):
    """Advance `rng` (int64[4]) and return 32 random bits."""
    a, b, c, counter = int(rng[0]), int(rng[1]), int(rng[2]), int(rng[3])
    out = (a + b + counter) & MASK
    rng[0] = b ^ (b >> 9)
    rng[1] = (c + ((c << 3) & MASK)) & MASK
    rng[2] = ((((c << 21) & MASK) | (c >> 11)) + out) & MASK
    rng[3] = (counter + 1) & MASK
    return out


@compiled
def seed_rng(rng, seed, stream):
    """Start `rng` (int64[4]) from a non-negative seed below 2**63 and a stream id."""
    rng[0] = seed & MASK
    rng[1] = (seed >> 32) & MASK
    rng[2] = stream
    rng[3] = 1
    for _ in range(15):
        next_bits(rng)


@compiled
def below(rng, n):
    """Return a uniform integer in [0, n), for n up to 2**31."""
    limit = (MASK + 1) - (MASK + 1) % n
    bits = next_bits(rng)
    while bits >= limit:
        bits = next_bits(rng)
    return bits % n


@compiled
def pick(rng, n):
    """Return a uniform integer in [0, n), for n up to 2**31, by one multiplication as a rule.

    Another number than `below` gives: deals are made with that one.
    """
    product = next_bits(rng) * n
    if (product & MASK) < n:
        least = (MASK + 1) % n
        while (product & MASK) < least:
            product = next_bits(rng) * n
    return product >> 32


@compiled
def shuffle(rng, items, n):
    """Shuffle the first n entries of `items` in place, uniformly."""
    for last in range(n - 1, 0, -1):
        other = below(rng, last + 1)
        kept = items[last]
        items[last] = items[other]
        items[other] = kept
