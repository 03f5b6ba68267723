"""Measure with the settings of the command line."""

from experiments.bench.run import bench
from experiments.launch import launch

if __name__ == "__main__":
    launch(bench, "bench")
