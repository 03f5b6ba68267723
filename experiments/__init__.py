"""Hydra entry points: train, evaluate, measure."""

import os

# Idle OpenMP threads of numba and torch must sleep, or they starve each other: before any import.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
