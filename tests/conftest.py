"""Settings that must stand before numba is imported, and the mode in the header of a run."""

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("MPLBACKEND", "Agg")
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("NUMBA_NUM_THREADS", "1")

from hypothesis import settings

# No deadline: the first example of a test may have to compile. The same examples on every run.
settings.register_profile("skirmish", deadline=None, derandomize=True)
settings.load_profile("skirmish")


def pytest_report_header() -> str:
    """Say in which mode the rules run."""
    plain = os.environ.get("NUMBA_DISABLE_JIT", "0") == "1"
    checked = os.environ.get("NUMBA_BOUNDSCHECK", "0") == "1"
    mode = "plain Python" if plain else "compiled"
    return f"rules: {mode}, bounds checks {'on' if checked and not plain else 'off'}"
