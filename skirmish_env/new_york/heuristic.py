"""The compiled heuristic policy (placeholder until written): draws at random."""

from __future__ import annotations

from skirmish_env.new_york.kernels import random_many

heuristic_many = random_many
