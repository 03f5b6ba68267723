"""Proof by machine, for this package and for your own card sets and wrappers.

`problems` names what is wrong with a game, `fuzz` plays random games with all of it checked after
every decision, `shrink` finds the shortest moves to a failure, and `check_no_leak` compares games
that differ only in what a player cannot know.
"""

from skirmish_env.testing.fuzzing import Failure, fuzz, problems
from skirmish_env.testing.leaks import Leak, check_no_leak
from skirmish_env.testing.shrinking import shrink

__all__ = ["Failure", "Leak", "check_no_leak", "fuzz", "problems", "shrink"]
